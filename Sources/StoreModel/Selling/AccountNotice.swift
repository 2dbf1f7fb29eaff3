/// A hint for the operator: a token, a user name or a device that more accounts use than is usual.
/// A notice changes nothing and refuses no purchase.
package struct AccountNotice: Codable, Hashable, Sendable {
    /// The kind of value that several accounts share. The raw value is its name in JSON.
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        /// The app's token (StoreKit: `appAccountToken`), which stands for one user.
        case appAccountToken
        /// The digest of a user name (StoreKit 1: `applicationUsername`), which stands for one
        /// user.
        case applicationUsername
        case device

        /// The number of accounts from which there is a notice. It is higher for a device, which a
        /// family may share.
        package var accountsMin: Int {
            switch self {
            case .appAccountToken, .applicationUsername: 2
            case .device: 3
            }
        }
    }

    /// The greatest number of accounts that a notice names. A device for demonstrations may have
    /// thousands, more than an operator reads.
    package static let accountsMax = 20

    package var kind: Kind
    /// The token, the digest, or the device's name.
    package var subject: String
    /// The first `accountsMax` accounts that used the value, in order of their names; there may be
    /// more.
    package var accounts: [AccountName]

    package init(kind: Kind, subject: String, accounts: [AccountName]) {
        self.kind = kind
        self.subject = subject
        self.accounts = accounts
    }
}
