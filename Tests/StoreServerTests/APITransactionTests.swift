import Basics
@testable import ContentServer
import Foundation
import StoreEngine
import StoreModel
@testable import StoreServer
import StoreSigning
import StoreTestSupport
import Testing

/// Single transactions, orders and the app's own transaction.
@Suite("transactions of the API") struct APITransactionTests {
    @Test("a transaction is what the operator sees, signed by the store for no device [G1]")
    func info() async throws {
        let backend = try await Backend()
        for product in [SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.monthly] {
            let id = try await backend.buy(product)
            let answer = try await backend.get("/inApps/v1/transactions/\(id)")
            #expect(answer.keys.sorted() == ["signedTransactionInfo"])
            let payload = try await #require(answer["signedTransactionInfo"]).transaction
            let known = try await backend.store.console.transaction(id)
            #expect(TransactionVerifier.unverifiedPayload(of: known) == payload)
            #expect(payload.transactionId == id && payload.productId == product)
            #expect(payload.deviceVerification == nil)
        }
    }

    @Test("a transaction is told as it is after what was due by now")
    func due() async throws {
        let backend = try await Backend()
        let id = try await backend.buy(SampleCatalog.monthly)
        backend.store.clock.advance(byMilliseconds: 40 * 86_400_000)
        let found = try await backend.get("/inApps/v2/history/\(id)").transactions
        #expect(found.map(\.transactionReason) == [.purchase, .renewal])
        try await backend.perform(.refund(id, .rest, reason: .app))
        let answer = try await backend.get("/inApps/v1/transactions/\(id)")
        let payload = try await #require(answer["signedTransactionInfo"]).transaction
        #expect(payload.revocationReason == 1 && payload.revocationType == .full)
    }

    @Test("a request without a token records nothing of what is due")
    func dueWithoutToken() async throws {
        let backend = try await Backend()
        let target = "/inApps/v1/transactions/\(try await backend.buy(SampleCatalog.monthly))"
        #expect(try await backend.ask(target).status == 200)
        backend.store.clock.advance(byMilliseconds: 40 * 86_400_000)
        let before = try await backend.store.entries().count
        #expect(await backend.ask(target, authorization: nil).status == 401)
        #expect(try await backend.store.entries().count == before)
        #expect(try await backend.ask(target).status == 200)
        #expect(try await backend.store.entries().count > before)
    }

    @Test("ids that are none, of nobody and of deleted sales are told apart")
    func badIDs() async throws {
        let backend = try await Backend()
        let deleted = try await backend.buy()
        try await backend.perform(.delete(deleted, wholeChain: false))
        let paths = [
            ("GET", "transactions/%", ""), ("POST", "transactions/%/finish", ""),
            ("PUT", "transactions/%/appAccountToken", "{}"),
            ("PUT", "transactions/consumption/%", "{}"),
            ("GET", "transactions/appTransactions/%", ""),
        ]
        let ids: [(String, APIError)] = [
            ("x", .invalidTransactionID), ("007", .invalidTransactionID),
            ("7", .transactionIDNotFound), ("\(deleted)", .transactionIDNotFound),
        ]
        for (method, path, body) in paths {
            for (id, error) in ids {
                try await backend.expect(
                    error, "/inApps/v1/" + path.replacingOccurrences(of: "%", with: id),
                    method: method, body: body)
            }
        }
    }

    @Test("an app transaction id is refused by what is asked of one transaction")
    func appTransactionID() async throws {
        let backend = try await Backend()
        let number = try await backend.buy()
        let sold = try await backend.store.engine.servedStore.served(number)
        let id = try #require(sold?.payload.appTransactionId)
        for (method, path) in [
            ("GET", "transactions/%"), ("POST", "transactions/%/finish"),
            ("PUT", "transactions/%/appAccountToken"), ("PUT", "transactions/consumption/%"),
            ("PUT", "subscriptions/extend/%"),
        ] {
            try await backend.expect(
                .appTransactionIDNotSupported,
                "/inApps/v1/" + path.replacingOccurrences(of: "%", with: id), method: method,
                body: "{}")
        }
        for path in ["v1/transactions/appTransactions", "v2/history", "v1/subscriptions"] {
            _ = try await backend.get("/inApps/\(path)/\(id)")
        }
    }

    @Test("unknown paths are 404 with nothing said, and known ones name their methods")
    func unknownPaths() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        for path in [
            "/inApps", "/inApps/v1", "/inApps/v3/history/\(id)", "/inApps/v1/transactions",
            "/inApps/v1/transactions/\(id)/refund", "/inApps/v1/messaging/image/list",
            "/inApps/v1/messaging/default/test.monthly/en-US", "/inApps/v2/transactions/\(id)",
            "/inApps/v1/Transactions/\(id)", "/inApps/v1/subscriptions/extend/mass/a/b/c",
            "/groups/v1/group/1", "/advancedCommerce/v1/subscription/create",
            "/inApps/v1/notifications",
        ] {
            let answer = try await backend.ask(path)
            #expect(answer.status == 404, "\(path)")
            if path.hasPrefix("/inApps") { #expect(answer.text.isEmpty, "\(path)") }
        }
        let wrong = try await backend.ask("/inApps/v1/transactions/\(id)", method: "DELETE")
        #expect(wrong.status == 405 && wrong["Allow"] == "GET")
        let mass = try await backend.ask("/inApps/v1/subscriptions/extend/mass", method: "PATCH")
        #expect(mass.status == 405 && mass["Allow"] == "POST, PUT")
        #expect(try await backend.ask("/inApps/v1//transactions/\(id)").status == 400)
        #expect(
            try await backend.ask("/inApps/v1/transactions/\(id)", method: "HEAD").status == 200)
    }

    /// The calls in the tables of a part of the guide's page.
    private static func calls(below heading: String) throws -> [(method: String, path: String)] {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Documentation/guide/server.md")
        let part = try String(contentsOf: page, encoding: .utf8)
            .components(separatedBy: "\n## ").first { $0.hasPrefix(heading + "\n") }
        return try #require(part).matches(of: /\n\| `([A-Z, ]+) (\/[^ `]+)`/).flatMap { call in
            call.1.split(separator: ", ").map { (method: String($0), path: String(call.2)) }
        }
    }

    @Test("the guide's tables have every call that is here, and calls that are unknown paths")
    func guide() async throws {
        let backend = try await Backend()
        let here = try Self.calls(below: "Calls")
        // The first version of consumption stands beside the second one.
        #expect(here.count == APIRoute.all.count - 1)
        for (method, path) in here {
            let steps = path.split(separator: "/").map(String.init)
            let isKnown = APIRoute.all.contains {
                $0.method == method && $0.values(of: steps) != nil
            }
            #expect(isKnown, "\(method) \(path)")
        }
        let missing = try Self.calls(below: "What is not here")
        #expect(missing.count == 21)
        for (method, path) in missing {
            let answer = try await backend.ask(path, method: method)
            #expect(answer.status == 404, "\(method) \(path)")
            #expect(answer.errorCode == nil, "\(method) \(path)")
        }
    }

    @Test("once its store is gone a server says so; a busy one is asked again")
    func gone() async throws {
        let ledger = FaultyLedger(InMemoryLedger())
        let backend = try await Backend(on: ledger)
        let path = "/inApps/v1/transactions/\(try await backend.buy())"
        for (code, error) in [
            (StoreError.Code.storeBusy, APIError.generalInternalRetryable),
            (.storeReplaced, .storeGone),
        ] {
            ledger.refuseAll(with: code)
            try await backend.expect(error, path)
            let health = await backend.ask("/health", authorization: nil)
            #expect(health.status == 503)
            #expect(try health.members["code"] == .text(code.rawValue))
            #expect((health["Retry-After"] == nil) == (code == .storeReplaced))
        }
    }

    @Test("another host's name is refused, and what the other server serves is served too")
    func neighbours() async throws {
        let backend = try await Backend()
        let target = "/inApps/v1/transactions/\(try await backend.buy())"
        let request = ContentRequest(
            method: "GET", target: target,
            fields: [
                "host": "api.storekit.example",
                "authorization": "Bearer \(try backend.token().text)",
            ])
        #expect(await backend.server.answer(request).status == 421)
        let health = await backend.ask("/health", authorization: nil)
        #expect(health.status == 200)
        #expect(try health.members["bundleId"] == .text("com.example.test"))
        let receipt = try await backend.store.session().receipt(ReceiptOptions())
        let checked = await backend.ask(
            "/verifyReceipt", method: "POST", body: "{\"receipt-data\":\"\(receipt)\"}",
            authorization: nil)
        #expect(try checked.members["status"] == .integer(0))
    }

    // MARK: - Orders

    @Test("each order number stands for one transaction of one app, and back")
    func orderNumbers() {
        var seen: Set<String> = []
        let numbers = (0..<2_000).map { Int64($0) } + [1_000_000, 1_000_001, 1 << 40, 1 << 53]
        for number in numbers {
            let order = OrderID(of: TransactionID(number), in: "com.example.test").description
            #expect(order.count == 12 && order.hasPrefix("M"))
            #expect(seen.insert(order).inserted)
            #expect(
                OrderID.transaction(order, in: "com.example.test") == TransactionID(number))
            #expect(OrderID.transaction(order, in: "com.example.other") != TransactionID(number))
        }
        for text in ["", "M", "M0", "N00000000000", "m00000000000", "MUUUUUUUUUUU", "M0000000000O"]
        {
            #expect(OrderID.transaction(text, in: "com.example.test") == nil, "\(text)")
        }
    }

    @Test("an order is looked up by its number; any other text is an order of nobody [G1]")
    func orders() async throws {
        let backend = try await Backend()
        let ids = [try await backend.buy(), try await backend.buy(SampleCatalog.monthly)]
        for id in ids {
            let order = OrderID(of: id, in: "com.example.test")
            let answer = try await backend.get("/inApps/v1/lookup/\(order)")
            #expect(answer["status"] == .integer(0))
            #expect(try await answer.transactions.map(\.transactionId) == [id])
        }
        for text in ["M00000000000", "order", "\(OrderID(of: ids[0], in: "com.other"))"] {
            let answer = try await backend.get("/inApps/v1/lookup/\(text)")
            #expect(answer["status"] == .integer(1) && answer.count == 2)
            #expect(answer["signedTransactions"]?.list.isEmpty == true)
        }
    }

    // MARK: - Changes

    @Test("a backend finishes a transaction of any device, once")
    func finish() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        #expect(try await backend.store.session().unfinished(allDevices: true).count == 1)
        for _ in 0..<2 {
            let answer = try await backend.ask(
                "/inApps/v1/transactions/\(id)/finish", method: "POST")
            #expect(answer.status == 200 && answer.text.isEmpty)
        }
        #expect(try await backend.store.session().unfinished(allDevices: true).isEmpty)
        let events = try await backend.store.console.history(
            before: nil, filter: HistoryFilter(kinds: [.finished]), limit: 9
        ).events
        #expect(events.map(\.transactionID) == [id] && events.first?.device == nil)
    }

    @Test("a token set by the backend is in the purchase, and in all later periods")
    func token() async throws {
        let backend = try await Backend()
        let id = try await backend.buy(SampleCatalog.monthly)
        let token = UUID()
        func set(_ body: String, of id: TransactionID) async throws -> ContentAnswer {
            try await backend.ask(
                "/inApps/v1/transactions/\(id)/appAccountToken", method: "PUT", body: body)
        }
        let good = "{\"appAccountToken\":\"\(token.uuidString.lowercased())\"}"
        #expect(try await set(good, of: id).status == 200)
        try await backend.perform(Backend.days(70))
        let found = try await backend.get("/inApps/v2/history/\(id)").transactions
        #expect(found.count == 3 && found.allSatisfy { $0.appAccountToken == token })
        // The same token again changes nothing.
        let count = try await backend.store.entries().count
        #expect(try await set(good, of: id).status == 200)
        #expect(try await backend.store.entries().count == count)
        let status = try await backend.store.engine.servedStore.statuses(of: "aoi").first
        let renewal = try #require(status?.renewalInfo)
        #expect(
            TransactionVerifier.unverifiedPayload(of: renewal)?.appAccountToken == token)
        // A device gets the revised transaction.
        let kinds = try await backend.store.console.history(
            before: nil, filter: HistoryFilter(kinds: [.tokenSet]), limit: 9
        ).events
        #expect(kinds.map(\.transactionID) == [id])

        let path = "/inApps/v1/transactions/%/appAccountToken"
        let renewed = try #require(found.last?.transactionId)
        let bad: [(TransactionID, String, APIError)] = [
            (id, "{\"appAccountToken\":\"me\"}", .invalidAppAccountTokenUUID),
            (id, "{\"appAccountToken\":7}", .invalidAppAccountTokenUUID),
            (id, "{}", .invalidAppAccountTokenUUID), (id, "", .generalBadRequest),
            (id, "[]", .generalBadRequest), (id, "{\"appAccountToken\":", .generalBadRequest),
            (id, String(repeating: "[", count: 100_000), .generalBadRequest),
            (renewed, good, .transactionIDIsNotOriginal),
        ]
        for (number, body, error) in bad {
            try await backend.expect(
                error, path.replacingOccurrences(of: "%", with: "\(number)"), method: "PUT",
                body: body)
        }
    }

    @Test("the app's own transaction is found by any transaction of the account, and by its id")
    func appTransaction() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let kais = try await backend.buy(account: "kai")
        func payload(_ id: String) async throws -> AppTransactionPayload {
            let answer = try await backend.get("/inApps/v1/transactions/appTransactions/\(id)")
            let signed = SignedAppTransaction(
                try #require(answer["signedAppTransactionInfo"]?.text))
            return try await TestStore.verifier().verify(signed)
        }
        let found = try await payload("\(id)")
        #expect(found.bundleId == "com.example.test" && found.deviceVerification == nil)
        #expect(
            try await payload(found.appTransactionId).appTransactionId == found.appTransactionId)
        #expect(try await payload("\(kais)").appTransactionId != found.appTransactionId)
    }
}
