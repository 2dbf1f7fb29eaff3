import Basics
package import ContentServer
import Foundation
package import StoreModel

/// Answers the requests of the App Store Server API, without sockets. It keeps no state but the
/// tokens that it has verified: several may stand beside each other on one store.
package final class APIResponder: Sendable {
    let store: any ServedStore
    private let tokens = TokenCheck()

    package init(store: any ServedStore) { self.store = store }

    /// - Parameters:
    ///   - request: one that a `RequestGate` let pass.
    ///   - steps: of its path.
    package func answer(_ request: ContentRequest, at steps: [String]) async -> ContentAnswer {
        let routes = APIRoute.all.compactMap { route in
            route.values(of: steps).map { (route: route, values: $0) }
        }
        guard !routes.isEmpty else { return ContentAnswer(404) }
        let method = request.method == "HEAD" ? "GET" : request.method
        guard let found = routes.first(where: { $0.route.method == method }) else {
            let allowed = Set(routes.map { $0.route.method }).sorted().joined(separator: ", ")
            return ContentAnswer(405, [("Allow", allowed)])
        }
        do {
            let id = found.values.first.flatMap { TransactionID($0) }
            let reading = try await store.server(along: id)
            if let refusal = tokens.refusal(
                of: request.bearer, server: reading.settings, app: store.identity.bundleID,
                at: store.systemNow)
            {
                var answer = ContentAnswer(401)
                answer.tokenRefusal = refusal
                return answer
            }
            var call = APICall(values: found.values, target: request.target, body: request.body)
            let calls = [found.route.endpoint, .anyEndpoint]
            if let fault = reading.faults.first(where: { calls.contains($0.call) }),
                try await store.spend(fault)
            {
                return try await answer(call, at: found.route, under: fault)
            }
            call.known = reading.transaction
            return try await found.route.run(self, call)
        } catch let error as APIError {
            return error.answer
        } catch {
            return Self.answer(to: error as? StoreError)
        }
    }

    /// Longer than Apple's libraries wait for an answer.
    private static let lateMilliseconds: Int64 = 35_000

    /// As a fault says that was set on purpose.
    private func answer(
        _ call: APICall, at route: APIRoute, under fault: Fault
    ) async throws -> ContentAnswer {
        if let code = fault.error.apiError {
            throw APIError(onPurpose: code, at: store.systemNow)
        }
        if fault.error == .lateAnswer {
            let delay = fault.delayMilliseconds ?? Self.lateMilliseconds
            try await Task.sleep(for: .milliseconds(delay))
        }
        var answer = try await route.run(self, call)
        answer.isCutOff = fault.error == .cutOffAnswer
        return answer
    }

    /// - Parameter error: nil for an unknown one.
    private static func answer(to error: StoreError?) -> ContentAnswer {
        if error?.code == .storeReplaced { return APIError.storeGone.answer }
        let lasting: Set<StoreError.Code> = [.storeNewer, .storeUnreadable, .keysUnreadable]
        let isFinal = error.map { lasting.contains($0.code) } ?? false
        return (isFinal ? APIError.generalInternal : .generalInternalRetryable).answer
    }

    // MARK: - Identifiers

    /// The transaction that the path names. Throws `invalid` for another text than a transaction
    /// has, and `appTransactionIDNotSupported` for an `appTransactionId`.
    func transaction(
        of call: APICall, invalid: APIError = .invalidTransactionID,
        unknown: APIError = .transactionIDNotFound
    ) async throws -> ServedTransaction {
        let text = call.values[0]
        guard let id = TransactionID(text) else { throw invalid }
        if let found = try await served(id, call) { return found }
        let isOfApp = try await store.account(withAppTransaction: text) != nil
        throw isOfApp ? APIError.appTransactionIDNotSupported : unknown
    }

    private func served(
        _ id: TransactionID, _ call: APICall?
    ) async throws(StoreError) -> ServedTransaction? {
        if let known = try call?.known?() { return known }
        return try await store.served(id)
    }

    /// The account of the transaction that the path names, or with this `appTransactionId`.
    func account(of call: APICall) async throws -> AccountName {
        try await account(ofAny: call.values[0], call)
    }

    /// The account of any transaction of it, or with this `appTransactionId`.
    ///
    /// - Parameter call: if its path names the transaction.
    func account(ofAny text: String, _ call: APICall? = nil) async throws -> AccountName {
        guard let id = TransactionID(text) else { throw APIError.invalidTransactionID }
        if let found = try await served(id, call) { return found.account }
        if let account = try await store.account(withAppTransaction: text) { return account }
        throw APIError.transactionIDNotFound
    }
}

/// Where an endpoint is, and what answers there.
struct APIRoute: Sendable {
    let method: String
    /// Its steps; `{}` stands for any one.
    private let path: [String]
    let endpoint: Fault.Call
    /// Throws `APIError` and `StoreError`.
    let run: @Sendable (APIResponder, APICall) async throws -> ContentAnswer

    init(
        _ method: String, _ path: String, _ endpoint: Fault.Call,
        _ run: @escaping @Sendable (APIResponder, APICall) async throws -> ContentAnswer
    ) {
        self.method = method
        self.path = path.split(separator: "/").map(String.init)
        self.endpoint = endpoint
        self.run = run
    }

    /// The steps in place of each `{}`; nil for another path.
    func values(of steps: [String]) -> [String]? {
        guard steps.count == path.count else { return nil }
        var values: [String] = []
        for (step, wanted) in zip(steps, path) {
            if wanted == "{}" { values.append(step) } else if step != wanted { return nil }
        }
        return values
    }

    /// Of several that fit, the first one counts.
    static let all = [
        APIRoute("GET", "inApps/v1/transactions/{}", .transactionInfo) {
            try await $0.transactionInfo($1)
        },
        APIRoute("GET", "inApps/v2/history/{}", .transactionHistory) {
            try await $0.history($1)
        },
        APIRoute("GET", "inApps/v1/history/{}", .transactionHistory) {
            try await $0.history($1, isFirstVersion: true)
        },
        APIRoute("GET", "inApps/v1/subscriptions/{}", .subscriptionStatuses) {
            try await $0.statuses($1)
        },
        APIRoute("GET", "inApps/v1/lookup/{}", .orderLookup) { try await $0.order($1) },
        APIRoute("GET", "inApps/v2/refund/lookup/{}", .refundHistory) {
            try await $0.refunds($1)
        },
        APIRoute("GET", "inApps/v1/transactions/appTransactions/{}", .appTransactionInfo) {
            try await $0.appTransaction($1)
        },
        APIRoute("POST", "inApps/v1/transactions/{}/finish", .finishTransaction) {
            try await $0.finish($1)
        },
        APIRoute("PUT", "inApps/v1/transactions/{}/appAccountToken", .setAppAccountToken) {
            try await $0.setToken($1)
        },
        APIRoute("POST", "inApps/v1/subscriptions/extend/mass", .extendForAll) {
            try await $0.extendForAll($1)
        },
        APIRoute("GET", "inApps/v1/subscriptions/extend/mass/{}/{}", .extensionStatus) {
            try await $0.extensionStatus($1)
        },
        APIRoute("PUT", "inApps/v1/subscriptions/extend/{}", .extendRenewalDate) {
            try await $0.extend($1)
        },
        APIRoute("POST", "inApps/v1/notifications/test", .testNotification) { responder, _ in
            try await responder.testNotification()
        },
        APIRoute("GET", "inApps/v1/notifications/test/{}", .testNotificationStatus) {
            try await $0.testNotificationStatus($1)
        },
        APIRoute("POST", "inApps/v1/notifications/history", .notificationHistory) {
            try await $0.notificationHistory($1)
        },
        APIRoute("PUT", "inApps/v1/transactions/consumption/{}", .consumption) {
            try await $0.consumption($1, isFirstVersion: true)
        },
        APIRoute("PUT", "inApps/v2/transactions/consumption/{}", .consumption) {
            try await $0.consumption($1, isFirstVersion: false)
        },
    ]
}

extension ContentAnswer {
    /// As the field writes it: equal values give equal bytes.
    static func ok(_ value: some Encodable) throws -> ContentAnswer {
        ContentAnswer(
            200, [("Content-Type", APIError.contentType)],
            body: .bytes(Data(try JSONWriter.bytes(of: value))))
    }
}
