#if os(Linux)
import StoreDevice
package import StoreModel

extension Transaction {
    /// Transactions, one after the other.
    public struct Transactions: AsyncSequence, Sendable {
        /// A transaction, and whether it is verified.
        public typealias Element = VerificationResult<Transaction>
        /// None is thrown: a store that cannot be reached has no transactions.
        public typealias Failure = Never

        let begin: @Sendable () -> AsyncIterator.State

        /// A new reader. Of `updates`, it misses nothing from now on.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(state: begin()) }

        /// One reader's position.
        public struct AsyncIterator: AsyncIteratorProtocol {
            enum State {
                /// Without end.
                case updates(AppUpdateReader)
                /// Read when the first one is asked for.
                case unread(@Sendable (AppStoreSession) async throws -> [Element])
                case list([Element].Iterator)
            }
            var state: State

            /// The next transaction; nil at the end of a list, and for a reader that was cancelled.
            public mutating func next() async -> Element? {
                switch state {
                case .updates(var stream):
                    defer { state = .updates(stream) }
                    while let update = await stream.next() {
                        if let transaction = update.newTransaction { return transaction }
                    }
                    return nil
                case .unread(let read):
                    var list = await Self.read(read).makeIterator()
                    defer { state = .list(list) }
                    return list.next()
                case .list(var list):
                    defer { state = .list(list) }
                    return list.next()
                }
            }

            private static func read(
                _ list: @Sendable (AppStoreSession) async throws -> [Element]
            ) async -> [Element] {
                guard let session = try? await AppStoreProcess.current() else { return [] }
                return (try? await list(session)) ?? []
            }
        }
    }

    /// The unfinished transactions, then each one that no call has returned: renewals, purchases
    /// outside the app, approved purchases, refunds. Without end.
    public static var updates: Transactions { Transactions { .updates(AppStoreProcess.updates()) } }

    /// The account's transactions, newest first; consumables only until they are finished.
    public static var all: Transactions { all { _ in true } }

    /// Those of a product.
    public static func all(for productID: String) -> Transactions {
        all { $0.productID == productID }
    }

    private static func all(_ isWanted: @escaping @Sendable (Transaction) -> Bool) -> Transactions {
        Transactions {
            .unread { session in
                let unfinished = try await session.store.unfinished(allDevices: false)
                let waiting = Set(unfinished.map(\.id))
                return try await session.history { payload in
                    payload.type != .consumable || waiting.contains(payload.transactionId)
                }.filter { isWanted($0.unsafePayloadValue) }
            }
        }
    }

    /// The transactions by which the account may use something now.
    public static var currentEntitlements: Transactions {
        Transactions { .unread { try await $0.entitlements { _ in true } } }
    }

    /// Those of a product: the account's own, and those that its family shares.
    public static func currentEntitlements(for productID: String) -> Transactions {
        Transactions { .unread { try await $0.entitlements { $0 == productID } } }
    }

    /// The first entitlement to a product.
    @available(*, deprecated, renamed: "currentEntitlements(for:)")
    public static func currentEntitlement(
        for productID: String
    ) async -> VerificationResult<Transaction>? {
        await currentEntitlements(for: productID).first { _ in true }
    }

    /// The transactions that the app has not finished.
    public static var unfinished: Transactions {
        Transactions { .unread { try await $0.unfinished() } }
    }

    /// The newest transaction of a product; nil if the account never bought it.
    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        guard let session = try? await AppStoreProcess.current() else { return nil }
        return try? await session.history(limit: 1) { $0.productId.rawValue == productID }.first
    }
}

extension AppUpdate {
    /// Nil for what `Transaction.updates` does not tell.
    fileprivate var newTransaction: VerificationResult<Transaction>? {
        switch self {
        case .unfinished(let transaction): transaction
        case .event(_, let transaction, let isReturned): isReturned ? nil : transaction
        }
    }
}

extension AppStoreSession {
    /// The account's wanted transactions, newest first, read in pages of at most `pageMax`.
    package func history(
        limit: Int = .max, pageMax: Int = 200, _ isWanted: (TransactionPayload) -> Bool
    ) async throws -> [VerificationResult<Transaction>] {
        var found: [VerificationResult<Transaction>] = []
        var last: TransactionID?
        while found.count < limit {
            let before = last
            let page = try await store.history(before: before, limit: pageMax)
            for signed in page {
                guard let transaction = await device.verified(signed) else { continue }
                let payload = transaction.unsafePayloadValue.payload
                last = payload.transactionId
                if isWanted(payload) { found.append(transaction) }
            }
            // A page of texts that cannot be read does not tell where the next one begins.
            if page.count < pageMax || last == before { break }
        }
        return Array(found.prefix(limit))
    }

    /// Without a network, what the device's records prove.
    func entitlements(
        of isWanted: (String) -> Bool
    ) async throws -> [VerificationResult<Transaction>] {
        let found = try await device.entitlements().value
            .filter { isWanted($0.productID.rawValue) }
        return await verified(found.map(\.transaction))
    }

    /// The transactions that the app has not finished.
    func unfinished() async throws(StoreError) -> [VerificationResult<Transaction>] {
        await verified(try await store.unfinished(allDevices: false).map(\.transaction.signed))
    }

    /// Those that can be read.
    private func verified(_ texts: [SignedTransaction]) async -> [VerificationResult<Transaction>] {
        var found: [VerificationResult<Transaction>] = []
        for text in texts {
            if let transaction = await device.verified(text) { found.append(transaction) }
        }
        return found
    }
}
#endif
