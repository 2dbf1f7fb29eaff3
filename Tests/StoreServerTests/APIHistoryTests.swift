import Basics
import ContentServer
import Foundation
import StoreEngine
import StoreModel
@testable import StoreServer
import StoreTestSupport
import Testing

/// The history of a customer's transactions, page by page.
@Suite("transaction history of the API") struct APIHistoryTests {
    /// The ids on each page, in order, from a first page on.
    private func pages(
        _ backend: Backend, _ id: TransactionID, _ filters: String = "", version: Int = 2,
        between: (_ page: Int) async throws -> Void = { _ in }
    ) async throws -> [[TransactionPayload]] {
        var pages: [[TransactionPayload]] = []
        var revision = ""
        while true {
            let answer = try await backend.get(
                "/inApps/v\(version)/history/\(id)?\(filters)\(revision)")
            pages.append(try await answer.transactions)
            guard answer["hasMore"] == .flag(true) else { return pages }
            revision = "&revision=\(try #require(answer["revision"]?.text))"
            try await between(pages.count)
        }
    }

    @Test("pages of 20 tell each transaction once, oldest change first, with the app's facts [G1]")
    func paging() async throws {
        let backend = try await Backend(
            identity: AppIdentity(
                bundleID: "com.example.test", appAppleID: 7, environment: .sandbox))
        var bought: [TransactionID] = []
        for _ in 0..<45 { bought.append(try await backend.buy()) }
        try await backend.buy(account: "kai")
        let found = try await pages(backend, bought[30])
        #expect(found.map(\.count) == [20, 20, 5])
        #expect(found.flatMap { $0 }.map(\.transactionId) == bought)
        let answer = try await backend.get("/inApps/v2/history/\(bought[0])")
        #expect(answer["bundleId"] == .text("com.example.test"))
        #expect(answer["appAppleId"] == nil && answer["environment"] == .text("Sandbox"))
        let newest = try await pages(backend, bought[0], "sort=DESCENDING")
        #expect(newest.flatMap { $0 }.map(\.transactionId) == bought.reversed())
    }

    @Test("in production an answer has the app's Apple ID")
    func appleID() async throws {
        let backend = try await Backend(
            identity: AppIdentity(
                bundleID: "com.example.test", appAppleID: 7, environment: .production))
        let id = try await backend.buy(SampleCatalog.monthly)
        for path in ["/inApps/v2/history/\(id)", "/inApps/v1/subscriptions/\(id)"] {
            let answer = try await backend.get(path)
            #expect(answer["appAppleId"] == .integer(7), "\(path)")
            #expect(answer["environment"] == .text("Production"))
        }
    }

    @Test("exactly a full page has no other after it", arguments: ["ASCENDING", "DESCENDING"])
    func fullPage(sort: String) async throws {
        let backend = try await Backend()
        var id = TransactionID(0)
        for _ in 0..<20 { id = try await backend.buy() }
        let found = try await pages(backend, id, "sort=\(sort)")
        #expect(found.map(\.count) == [20])
    }

    @Test("a client that pages while sales go on sees each transaction, and a changed one again")
    func whileSelling() async throws {
        let backend = try await Backend()
        var bought: [TransactionID] = []
        for _ in 0..<30 { bought.append(try await backend.buy()) }
        var later: TransactionID?
        let found = try await pages(backend, bought[0]) { page in
            guard page == 1 else { return }
            // One that was told, and one that was not told yet.
            try await backend.perform(
                .refund(bought[3], .rest, reason: .other),
                .refund(bought[25], .rest, reason: .other))
            later = try await backend.buy()
        }.flatMap { $0 }
        #expect(Set(found.map(\.transactionId)) == Set(bought + [try #require(later)]))
        let again = found.filter { $0.transactionId == bought[3] }
        #expect(again.map { $0.revocationDate != nil } == [false, true])
        #expect(found.count { $0.transactionId == bought[25] } == 1)
        #expect(found.count == 32)
    }

    @Test("from the newest on, what changes meanwhile is told once, and nothing is left out")
    func descendingWhileSelling() async throws {
        let backend = try await Backend()
        var bought: [TransactionID] = []
        for _ in 0..<45 { bought.append(try await backend.buy()) }
        try await backend.perform(.refund(bought[2], .percent(50), reason: .other))
        let found = try await pages(backend, bought[0], "sort=DESCENDING") { page in
            let told = page == 1 ? 43 : 20
            try await backend.perform(
                .refund(bought[told], .rest, reason: .other),
                .refund(bought[5 + page], .rest, reason: .other))
            if page == 1 {
                try await backend.perform(.refund(bought[2], .rest, reason: .other))
            }
            try await backend.buy()
        }.flatMap { $0 }.map(\.transactionId)
        #expect(found.count == 45 && Set(found) == Set(bought))
        #expect(found.first == bought[2], "the last change before the walk began")
    }

    @Test("the revision of the last page goes on with what changes later")
    func goesOn() async throws {
        let backend = try await Backend()
        let first = try await backend.buy()
        let answer = try await backend.get("/inApps/v2/history/\(first)")
        let revision = try #require(answer["revision"]?.text)
        let target = "/inApps/v2/history/\(first)?revision=\(revision)"
        #expect(try await backend.get(target)["signedTransactions"]?.list.isEmpty == true)
        let second = try await backend.buy(SampleCatalog.theme)
        try await backend.perform(.refund(first, .rest, reason: .app))
        let more = try await backend.get(target)
        #expect(more["hasMore"] == .flag(false))
        #expect(try await more.transactions.map(\.transactionId) == [second, first])
    }

    @Test("each filter shows what fits it, and repeated ones add to each other")
    func filters() async throws {
        let backend = try await Backend()
        let store = backend.store
        let coins = try await backend.buy()
        store.clock.advance(byMilliseconds: 1_000)
        let theme = try await backend.buy(SampleCatalog.theme)
        store.clock.advance(byMilliseconds: 1_000)
        let pass = try await backend.buy(SampleCatalog.pass)
        let monthly = try await backend.buy(SampleCatalog.monthly)
        try await backend.perform(.refund(theme, .rest, reason: .other))
        let all = [coins, pass, monthly, theme]
        let start = ManualClock().now().milliseconds
        let expected: [(String, [TransactionID])] = [
            ("", all),
            ("productType=CONSUMABLE", [coins]), ("productType=NON_CONSUMABLE", [theme]),
            ("productType=NON_RENEWABLE", [pass]), ("productType=AUTO_RENEWABLE", [monthly]),
            ("productType=CONSUMABLE&productType=NON_RENEWABLE", [coins, pass]),
            ("productId=test.pass", [pass]),
            ("productId=test.pass&productId=test.coins", [coins, pass]),
            ("productId=test.nothing", []),
            ("subscriptionGroupIdentifier=test.group", [monthly]),
            ("subscriptionGroupIdentifier=another", []),
            ("inAppOwnershipType=PURCHASED", all), ("inAppOwnershipType=FAMILY_SHARED", []),
            ("revoked=true", [theme]), ("revoked=false", [coins, pass, monthly]),
            ("revoked=True", [theme]), ("revoked=False", [coins, pass, monthly]),
            ("startDate=\(start)", all), ("startDate=\(start + 1)", [pass, monthly, theme]),
            ("endDate=\(start + 1000)", [coins]),
            ("startDate=\(start + 1000)&endDate=\(start + 1001)", [theme]),
            ("productId=test.theme&revoked=false", []), ("an=other&parameter", all),
        ]
        for (filter, ids) in expected {
            for sort in ["", "&sort=ASCENDING", "&sort=DESCENDING"] {
                let found = try await pages(backend, coins, filter + sort).flatMap { $0 }
                let wanted = sort == "&sort=DESCENDING" ? ids.reversed() : ids
                #expect(found.map(\.transactionId) == wanted, "\(filter)\(sort)")
            }
        }
    }

    @Test("a family member has the shares in its history, and nothing else of its family")
    func family() async throws {
        let backend = try await Backend()
        try await backend.perform(
            .family(.create(organizer: "aoi")),
            .family(.join("kai", organizer: "aoi", role: .adult)))
        let own = try await backend.buy(account: "kai")
        let shared = try await backend.buy(SampleCatalog.otherTheme)
        let found = try await pages(backend, own).flatMap { $0 }
        #expect(found.map(\.productId) == [SampleCatalog.coins, SampleCatalog.otherTheme])
        let share = try #require(found.last)
        #expect(share.inAppOwnershipType == .familyShared && share.transactionId != shared)
        let shares = try await pages(backend, own, "inAppOwnershipType=FAMILY_SHARED")
        #expect(shares.flatMap { $0 }.map(\.transactionId) == [share.transactionId])
    }

    @Test("the first version leaves out consumables that are finished, unless they are revoked")
    func firstVersion() async throws {
        let backend = try await Backend()
        let finished = try await backend.buy()
        let refunded = try await backend.buy()
        let open = try await backend.buy()
        let theme = try await backend.buy(SampleCatalog.theme)
        let session = backend.store.session()
        for id in [finished, refunded, theme] { _ = try await session.finish(id) }
        try await backend.perform(.refund(refunded, .rest, reason: .other))
        func ids(_ filter: String = "", version: Int = 1) async throws -> [TransactionID] {
            try await pages(backend, finished, filter, version: version).flatMap { $0 }
                .map(\.transactionId)
        }
        #expect(try await ids() == [open, theme, refunded])
        #expect(try await ids("excludeRevoked=TRUE") == [open, theme])
        #expect(try await ids(version: 2) == [finished, open, theme, refunded])
    }

    @Test("deleted transactions are in no history")
    func deleted() async throws {
        let backend = try await Backend()
        let first = try await backend.buy()
        let second = try await backend.buy()
        try await backend.perform(.delete(second, wholeChain: false))
        #expect(try await pages(backend, first).flatMap { $0 }.map(\.transactionId) == [first])
        try await backend.expect(.transactionIDNotFound, "/inApps/v2/history/\(second)")
    }

    @Test("the history of refunds has every refund, oldest first, and no change of plan")
    func refunds() async throws {
        let backend = try await Backend()
        var bought: [TransactionID] = []
        for _ in 0..<25 { bought.append(try await backend.buy()) }
        _ = try await backend.buy(SampleCatalog.monthly)
        try await backend.perform(Backend.days(3))
        let target = "/inApps/v2/refund/lookup/\(bought[0])"
        #expect(try await backend.get(target)["signedTransactions"]?.list.isEmpty == true)
        // A change to a higher plan gives a part back, too.
        _ = try await backend.buy(SampleCatalog.yearly)
        let order = bought.reversed()
        for id in order { try await backend.perform(.refund(id, .rest, reason: .other)) }
        try await backend.perform(.reverseRefund(bought[24]))
        let first = try await backend.get(target)
        #expect(first["hasMore"] == .flag(true))
        let revision = try #require(first["revision"]?.text)
        let second = try await backend.get(target + "?revision=\(revision)")
        #expect(second["hasMore"] == .flag(false))
        let found = try await first.transactions + second.transactions
        #expect(found.map(\.transactionId) == Array(order.dropFirst()))
        #expect(found.allSatisfy { $0.revocationDate != nil && $0.revocationReason == 0 })
    }

    @Test("revisions of another query, customer, endpoint or store are refused")
    func revisions() async throws {
        let backend = try await Backend()
        var id = TransactionID(0)
        for _ in 0..<21 { id = try await backend.buy() }
        let kais = try await backend.buy(account: "kai")
        let answer = try await backend.get("/inApps/v2/history/\(id)")
        let revision = try #require(answer["revision"]?.text)
        let good = try await backend.ask("/inApps/v2/history/\(id)?revision=\(revision)")
        #expect(good.status == 200)
        let place = RevisionPlace(
            ServedHistoryQuery(account: "aoi", limit: 20).parts, endpoint: "history",
            root: backend.store.engine.servedStore.rootCertificate)
        #expect(Revision(revision, at: place) != nil)
        let beyond = Revision(position: 1_000_000, head: nil).text(at: place)
        let flipped = (revision.hasPrefix("A") ? "B" : "A") + revision.dropFirst()
        for target in [
            "/inApps/v2/history/\(id)?revision=\(revision)&sort=DESCENDING",
            "/inApps/v2/history/\(id)?revision=\(revision)&productId=test.coins",
            "/inApps/v2/history/\(id)?revision=\(revision)&revoked=false",
            "/inApps/v1/history/\(id)?revision=\(revision)",
            "/inApps/v2/history/\(kais)?revision=\(revision)",
            "/inApps/v2/refund/lookup/\(id)?revision=\(revision)",
            "/inApps/v2/history/\(id)?revision=\(flipped)",
            "/inApps/v2/history/\(id)?revision=\(revision)A",
            "/inApps/v2/history/\(id)?revision=\(beyond)",
            "/inApps/v2/history/\(id)?revision=", "/inApps/v2/history/\(id)?revision=null",
            "/inApps/v2/history/\(id)?revision=%00%FF",
            "/inApps/v2/history/\(id)?revision=\(String(repeating: "a", count: 5_000))",
            "/inApps/v2/history/\(id)?revision=\(revision)&revision=\(revision)",
        ] { try await backend.expect(.invalidRequestRevision, target) }
    }

    @Test("what is no filter, no number and no transaction is refused by its seven digits")
    func badInput() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let bad: [(String, APIError)] = [
            ("sort=ascending", .invalidSort), ("sort=", .invalidSort),
            ("sort=ASCENDING&sort=DESCENDING", .invalidSort),
            ("startDate=yesterday", .invalidStartDate), ("startDate=-1", .invalidStartDate),
            ("startDate=1.5", .invalidStartDate), ("startDate=", .invalidStartDate),
            ("startDate=99999999999999999999", .invalidStartDate),
            ("endDate=%2B5", .invalidEndDate), ("endDate=0x10", .invalidEndDate),
            ("startDate=2&endDate=1", .startDateAfterEndDate),
            ("productType=SUBSCRIPTION", .invalidProductType),
            ("productType=CONSUMABLE&productType=", .invalidProductType),
            ("productId=", .invalidProductID),
            ("productId=\(String(repeating: "a", count: 300))", .invalidProductID),
            ("subscriptionGroupIdentifier=", .invalidSubscriptionGroupIdentifier),
            ("inAppOwnershipType=SHARED", .invalidInAppOwnershipType),
            ("revoked=1", .invalidRevoked), ("revoked=Yes", .invalidRevoked),
        ]
        for (filter, error) in bad {
            try await backend.expect(error, "/inApps/v2/history/\(id)?\(filter)")
        }
        try await backend.expect(
            .invalidExcludeRevoked, "/inApps/v1/history/\(id)?excludeRevoked=yes")
        for path in ["v2/history", "v1/history", "v1/subscriptions", "v2/refund/lookup"] {
            for text in ["abc", "-1", "01", "1.0", "0x1", "99999999999999999999", "%20"] {
                try await backend.expect(.invalidTransactionID, "/inApps/\(path)/\(text)")
            }
            try await backend.expect(.transactionIDNotFound, "/inApps/\(path)/999")
        }
    }
}
