/// A change to a family (`OperatorAction.family`). Idempotent: an action whose result is in force
/// already records nothing.
package enum FamilyAction: Codable, Hashable, Sendable {
    /// Founds a family of one. Refused with `alreadyInFamily`.
    case create(organizer: AccountName)
    /// Adds an account to the organizer's family: it gets the purchases that the members share, and
    /// the members get those that it shares. Refused with `alreadyInFamily`, with `notOrganizer` if
    /// the named organizer has no family, and with `familyFull`.
    case join(AccountName, organizer: AccountName, role: FamilyRole)
    /// Removes an account from its family: purchases shared with it and by it are revoked. The
    /// family ends when its organizer leaves. Refused with `notInFamily`.
    case leave(AccountName)
    /// Makes a member a child, or an adult. Refused with `notInFamily`, and with `notForOrganizer`
    /// for an organizer that would become a child.
    case setRole(AccountName, FamilyRole)
    /// Sets whether a member shares one product, or, with nil, all its purchases. Refused with
    /// `notInFamily`, and with `notShareable` for a product that no family can share.
    case setSharing(AccountName, ProductID?, Bool)
    /// A parent withdraws the consent to the app for a child, and only the app's backend is told
    /// (App Store Server Notifications: `RESCIND_CONSENT`). What was bought stays. Refused with
    /// `notInFamily`, and with `notAChild`.
    case rescindConsent(AccountName)

    package var account: AccountName {
        switch self {
        case .create(let account), .join(let account, _, _), .leave(let account),
            .setRole(let account, _), .setSharing(let account, _, _),
            .rescindConsent(let account):
            account
        }
    }
}
