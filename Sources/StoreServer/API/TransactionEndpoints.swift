import ContentServer
import Foundation
import StoreModel

// Transactions, their history, orders and refunds.

extension APIResponder {
    func transactionInfo(_ call: APICall) async throws -> ContentAnswer {
        try .ok(["signedTransactionInfo": try await transaction(of: call).signed])
    }

    func appTransaction(_ call: APICall) async throws -> ContentAnswer {
        let account = try await account(of: call)
        return try .ok(["signedAppTransactionInfo": try await store.appTransaction(of: account)])
    }

    // MARK: - History

    /// The transactions of a page: at most this many.
    static let pageMax = 20

    private struct History: Encodable {
        var revision: String
        var hasMore: Bool
        var bundleId: String
        var appAppleId: Int64?
        var environment: StoreEnvironment
        var signedTransactions: [SignedTransaction]
    }

    /// - Parameter isFirstVersion: then finished consumables are left out.
    func history(_ call: APICall, isFirstVersion: Bool = false) async throws -> ContentAnswer {
        var query = ServedHistoryQuery(
            account: try await account(of: call), limit: Self.pageMax)
        query.leavesOutFinished = isFirstVersion
        query.isDescending =
            try call.one(
                "sort", of: ["ASCENDING": false, "DESCENDING": true], or: .invalidSort) ?? false
        query.since = try call.date("startDate", or: .invalidStartDate)
        query.until = try call.date("endDate", or: .invalidEndDate)
        if let since = query.since, let until = query.until, since > until {
            throw APIError.startDateAfterEndDate
        }
        query.products = try call.each("productId", or: .invalidProductID) { text in
            (1...255).contains(text.count) ? ProductID(text) : nil
        }
        query.types = try call.each("productType", or: .invalidProductType) { Self.types[$0] }
        query.groups = try call.each(
            "subscriptionGroupIdentifier", or: .invalidSubscriptionGroupIdentifier
        ) { $0.isEmpty ? nil : SubscriptionGroupID($0) }
        query.ownership = try call.one(
            "inAppOwnershipType", of: ["FAMILY_SHARED": .familyShared, "PURCHASED": .purchased],
            or: .invalidInAppOwnershipType)
        query.isRevoked = try call.flag("revoked", or: .invalidRevoked)
        if isFirstVersion, query.isRevoked == nil,
            try call.flag("excludeRevoked", or: .invalidExcludeRevoked) == true
        {
            query.isRevoked = false
        }
        let (page, revision) = try await self.page(of: query, "history", call)
        let identity = store.identity
        return try .ok(
            History(
                revision: revision, hasMore: page.hasMore, bundleId: identity.bundleID,
                appAppleId: identity.servedAppleID, environment: identity.environment,
                signedTransactions: page.transactions))
    }

    private static let types: [String: ProductType] = [
        "AUTO_RENEWABLE": .autoRenewable, "NON_RENEWABLE": .nonRenewing,
        "CONSUMABLE": .consumable, "NON_CONSUMABLE": .nonConsumable,
    ]

    private struct Refunds: Encodable {
        var signedTransactions: [SignedTransaction]
        var revision: String
        var hasMore: Bool
    }

    func refunds(_ call: APICall) async throws -> ContentAnswer {
        var query = ServedHistoryQuery(
            account: try await account(of: call), limit: Self.pageMax)
        query.isRefunded = true
        let (page, revision) = try await self.page(of: query, "refunds", call)
        return try .ok(
            Refunds(
                signedTransactions: page.transactions, revision: revision, hasMore: page.hasMore))
    }

    /// The page that the request's revision names, or the first one, and the revision of the next.
    private func page(
        of query: ServedHistoryQuery, _ endpoint: String, _ call: APICall
    ) async throws -> (ServedHistoryPage, revision: String) {
        let place = RevisionPlace(query.parts, endpoint: endpoint, root: store.rootCertificate)
        var query = query
        if let text = try call.one("revision", or: .invalidRequestRevision) {
            guard let revision = Revision(text, at: place) else {
                throw APIError.invalidRequestRevision
            }
            query.position = revision.position
            query.head = revision.head
        }
        do throws(StoreError) {
            let page = try await store.history(query)
            // In ascending order the walk goes on with what changes later.
            let revision = Revision(
                position: page.position, head: query.isDescending ? page.head : nil)
            return (page, revision.text(at: place))
        } catch {
            // The ledger of this store has no such position: the store was emptied.
            guard error.code == .storeReplaced else { throw error }
            throw APIError.invalidRequestRevision
        }
    }

    // MARK: - Orders

    private struct Order: Encodable {
        /// 0 for a valid order number, 1 for any other.
        var status: Int
        var signedTransactions: [SignedTransaction]
    }

    func order(_ call: APICall) async throws -> ContentAnswer {
        guard
            let id = OrderID.transaction(call.values[0], in: store.identity.bundleID),
            let found = try await store.served(id),
            // Nothing was ordered for a family member's share.
            found.payload.inAppOwnershipType == .purchased
        else { return try .ok(Order(status: 1, signedTransactions: [])) }
        return try .ok(Order(status: 0, signedTransactions: [found.signed]))
    }

    // MARK: - Changes of one transaction

    func finish(_ call: APICall) async throws -> ContentAnswer {
        let found = try await transaction(of: call)
        try await store.finish(found.payload.transactionId)
        return ContentAnswer(200)
    }

    func setToken(_ call: APICall) async throws -> ContentAnswer {
        let found = try await transaction(of: call)
        let text = try call.members().text("appAccountToken", or: .invalidAppAccountTokenUUID)
        guard let token = UUID(uuidString: text) else {
            throw APIError.invalidAppAccountTokenUUID
        }
        guard found.payload.inAppOwnershipType == .purchased else {
            throw APIError.familyTransactionNotSupported
        }
        guard found.payload.isOriginal else { throw APIError.transactionIDIsNotOriginal }
        try await store.setToken(token, of: found.payload.transactionId)
        return ContentAnswer(200)
    }
}

extension TransactionPayload {
    var isOriginal: Bool { transactionId == originalTransactionId }
}
