import Foundation
package import StoreModel

/// An account has paid with a token, a user name or from a device. Notices are made of what several
/// accounts use (`AccountNotice`).
package struct AccountUse: Hashable, Sendable {
    /// What it used.
    package var kind: AccountNotice.Kind
    /// The token, the digest, or the device's name.
    package var subject: String
    /// The account.
    package var account: AccountName

    /// Memberwise.
    package init(kind: AccountNotice.Kind, subject: String, account: AccountName) {
        self.kind = kind
        self.subject = subject
        self.account = account
    }

    /// What a payment tells of its account.
    static func of(
        _ payment: Payment, by account: AccountName, on device: DeviceName
    ) -> [AccountUse] {
        var uses = [AccountUse(kind: .device, subject: device.rawValue, account: account)]
        if let token = payment.appAccountToken {
            uses.append(
                AccountUse(
                    kind: .appAccountToken, subject: token.uuidString.lowercased(),
                    account: account))
        }
        if let hash = payment.applicationUsernameHash {
            uses.append(
                AccountUse(kind: .applicationUsername, subject: hash, account: account))
        }
        return uses
    }
}

extension [AccountNotice] {
    /// The notices that uses give, in order of kind and subject.
    package init(_ uses: some Sequence<AccountUse>) {
        let grouped = Dictionary(grouping: uses) { [$0.kind.rawValue, $0.subject] }
        self = grouped.values.compactMap { uses in
            guard let first = uses.first, uses.count >= first.kind.accountsMin else { return nil }
            return AccountNotice(
                kind: first.kind, subject: first.subject,
                accounts: uses.map(\.account).sorted())
        }.sorted { ($0.kind.rawValue, $0.subject) < ($1.kind.rawValue, $1.subject) }
    }
}
