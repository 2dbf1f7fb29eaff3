import Foundation
package import StoreModel

/// Records that an account has paid with a token, with a user name or from a device. Notices report
/// uses that several accounts have in common (`AccountNotice`).
package struct AccountUse: Hashable, Sendable {
    package var means: Means
    package var account: AccountName

    /// A token, a user name or a device that payments use.
    package struct Means: Hashable, Sendable {
        package var kind: AccountNotice.Kind
        /// The token, the digest, or the device's name.
        package var subject: String

        package init(_ kind: AccountNotice.Kind, _ subject: String) {
            self.kind = kind
            self.subject = subject
        }
    }

    package init(_ means: Means, by account: AccountName) {
        self.means = means
        self.account = account
    }

    /// The token and user name only if the payment has them.
    static func of(
        _ payment: Payment, by account: AccountName, on device: DeviceName
    ) -> [AccountUse] {
        var means = [Means(.device, device.rawValue)]
        if let token = payment.appAccountToken { means.append(Means(token)) }
        if let hash = payment.applicationUsernameHash {
            means.append(Means(.applicationUsername, hash))
        }
        return means.map { AccountUse($0, by: account) }
    }

    /// The use of a token by a purchase outside the app, which has no payment. Empty for any other
    /// sale, and for one without a token.
    static func of(_ sale: Sale, by account: AccountName) -> [AccountUse] {
        guard case .outsideApp = sale.cause, let token = sale.appAccountToken else { return [] }
        return [AccountUse(Means(token), by: account)]
    }
}

extension AccountUse.Means {
    fileprivate init(_ token: UUID) {
        self.init(.appAccountToken, token.uuidString.lowercased())
    }
}

extension [AccountNotice] {
    /// The notices that these uses give, in order of kind and subject.
    package init(_ uses: [AccountUse.Means: Set<AccountName>]) {
        self = uses.compactMap { means, accounts in
            guard accounts.count >= means.kind.accountsMin else { return nil }
            return AccountNotice(
                kind: means.kind, subject: means.subject, accounts: accounts.sorted())
        }.sorted { ($0.kind.rawValue, $0.subject) < ($1.kind.rawValue, $1.subject) }
    }
}
