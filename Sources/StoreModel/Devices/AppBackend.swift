/// The app's own backend, to which a device reports transactions and which may tell it the list of
/// products. A person sets it for one account on one device.
package struct AppBackend: Codable, Hashable, Sendable {
    /// Without a slash at its end; the backend answers below it.
    package let address: String
    /// Whether a person has allowed it to be another machine's: what is sent can be read on the way.
    package let isElsewhere: Bool

    /// Nil for an address that devices do not connect to (`ReachableAddress`), or one with a query.
    package init?(_ url: String, isElsewhere: Bool = false) {
        guard let address = ReachableAddress(url, isElsewhere: isElsewhere), address.query == nil
        else { return nil }
        self.address = address.text
        self.isElsewhere = isElsewhere
    }

    /// Receives each transaction.
    package var transactionsURL: String { address + "/apple/transactions" }

    /// Answers with the list of products for an account, whose name has no character that a query
    /// would have to escape but these two (`NameRule`).
    package func productsURL(of account: AccountName) -> String {
        let name = account.rawValue.replacing("+", with: "%2B").replacing("@", with: "%40")
        return "\(address)/products?account=\(name)"
    }

    /// What a device asks of its backend.
    package enum Call: String, Codable, Sendable, CaseIterable {
        case report, list
        /// A report that the backend has refused for good, and that is not sent again.
        case refusedReport
    }
}

extension StoreError {
    /// This error of an answer as one of the app's own backend. Any other error stays.
    package var ofBackend: StoreError {
        guard code == .contentServerFailed else { return self }
        var error = self
        error.code = .backendFailed
        return error
    }

    /// Whether the app's own backend will refuse the same request again, so that it is not tried
    /// again. Other statuses may be those of a backend that is not complete yet.
    package var isRefusedByBackend: Bool {
        code == .backendFailed
            && ["400", "409", "410", "413", "415", "422"].contains(cause ?? "")
    }
}
