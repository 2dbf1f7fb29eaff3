/// Something about accounts that an operator should look at: a token, a user name or a device that
/// more accounts use than is usual. It changes nothing and refuses nobody.
package struct AccountNotice: Codable, Hashable, Sendable {
    /// The thing that several accounts share. The raw value is its name in JSON.
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// The app's token (StoreKit: `appAccountToken`), which stands for one user.
        case appAccountToken
        /// The digest of a user name (StoreKit 1: `applicationUsername`), which stands for one user.
        case applicationUsername
        /// A device that payments were sent from.
        case device

        /// From how many accounts on it is worth a notice. A family may share a device.
        package var accountsMin: Int {
            switch self {
            case .appAccountToken, .applicationUsername: 2
            case .device: 3
            }
        }
    }

    /// The most accounts that a notice names. A device for demonstrations may have thousands, and
    /// nobody reads them all.
    package static let accountsMax = 20

    /// The thing that the accounts share: a token, a user name or a device.
    package var kind: Kind
    /// The token, the digest, or the device's name.
    package var subject: String
    /// The first `accountsMax` accounts that used it, in order of their names; that many may not be
    /// all.
    package var accounts: [AccountName]

    /// Memberwise: the values are not checked.
    package init(kind: Kind, subject: String, accounts: [AccountName]) {
        self.kind = kind
        self.subject = subject
        self.accounts = accounts
    }
}
