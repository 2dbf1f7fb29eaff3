import Basics
import ContentServer
import Foundation
import StoreEngine
import StoreModel
@testable import StoreServer
import StoreSigning
import StoreTestSupport
import Testing

/// Statuses of subscriptions, and extensions of their renewal dates.
@Suite("subscriptions of the API") struct APISubscriptionTests {
    private static let day: Int64 = 86_400_000

    /// The only subscription of an answer.
    private func last(_ answer: [String: AnyJSON]) throws -> [String: AnyJSON] {
        let groups = answer["data"]?.list ?? []
        #expect(groups.count == 1)
        return try #require(groups.first?.members["lastTransactions"]?.list.first).members
    }

    @Test("a status has the subscription's number, period and renewal info, all verified [G1]")
    func status() async throws {
        let backend = try await Backend()
        let id = try await backend.buy(SampleCatalog.monthly)
        let coins = try await backend.buy()
        try await backend.perform(Backend.days(40))
        for number in [id, coins] {
            let answer = try await backend.get("/inApps/v1/subscriptions/\(number)")
            #expect(answer["environment"] == .text("Sandbox"))
            #expect(answer["bundleId"] == .text("com.example.test"))
            #expect(answer["appAppleId"] == nil)
            let group = try #require(answer["data"]?.list.first).members
            #expect(group["subscriptionGroupIdentifier"] == .text("test.group"))
            let last = try last(answer)
            #expect(last["originalTransactionId"] == .text("\(id)"))
            #expect(last["status"] == .integer(1))
            let payload = try await #require(last["signedTransactionInfo"]).transaction
            #expect(payload.originalTransactionId == id && payload.transactionReason == .renewal)
            let renewal = try await TestStore.verifier().verify(
                SignedRenewalInfo(try #require(last["signedRenewalInfo"]?.text)))
            #expect(renewal.autoRenewStatus == 1 && renewal.deviceVerification == nil)
            #expect(renewal.renewalDate == payload.expiresDate)
        }
    }

    @Test("each state has its number, and filters by it")
    func states() async throws {
        let backend = try await Backend()
        let id = try await backend.buy(SampleCatalog.monthly)
        func state() async throws -> AnyJSON? {
            try last(try await backend.get("/inApps/v1/subscriptions/\(id)"))["status"]
        }
        #expect(try await state() == .integer(1))
        try await backend.perform(
            .setRenewals(RenewalsChange(failsBilling: true, hasGracePeriod: true)),
            Backend.days(32))
        #expect(try await state() == .integer(4))
        try await backend.perform(Backend.days(20))
        #expect(try await state() == .integer(3))
        try await backend.perform(.expire(id))
        #expect(try await state() == .integer(2))
        let target = "/inApps/v1/subscriptions/\(id)"
        #expect(try await backend.get(target + "?status=1&status=3")["data"]?.list.isEmpty == true)
        #expect(try await backend.get(target + "?status=1&status=2")["data"]?.list.count == 1)
        for bad in ["0", "6", "active", ""] {
            try await backend.expect(.invalidStatus, target + "?status=\(bad)")
        }
        let second = try await backend.buy(SampleCatalog.monthly)
        try await backend.perform(.refund(second, .rest, reason: .other))
        #expect(try await state() == .integer(5))
    }

    @Test("whoever never subscribed has no statuses")
    func none() async throws {
        let backend = try await Backend()
        let id = try await backend.buy()
        let answer = try await backend.get("/inApps/v1/subscriptions/\(id)")
        #expect(answer["data"]?.list.isEmpty == true)
    }

    // MARK: - Extensions

    private func body(_ days: Int, reason: Int = 1, _ id: String = UUID().uuidString) -> String {
        """
        {"extendByDays":\(days),"extendReasonCode":\(reason),"requestIdentifier":"\(id)"}
        """
    }

    @Test("an extension moves the renewal date, twice in 365 days at most [G1]")
    func extend() async throws {
        let backend = try await Backend()
        let id = try await backend.buy(SampleCatalog.monthly)
        let target = "/inApps/v1/subscriptions/extend/\(id)"
        func end() async throws -> Int64 {
            let status = try last(try await backend.get("/inApps/v1/subscriptions/\(id)"))
            let payload = try await #require(status["signedTransactionInfo"]).transaction
            return try #require(payload.expiresDate).milliseconds
        }
        let before = try await end()
        for number in 1...2 {
            let answer = try await backend.get(target, method: "PUT", body: body(10))
            let moved = before + Int64(number) * 10 * Self.day
            #expect(
                answer == [
                    "effectiveDate": .integer(moved), "originalTransactionId": .text("\(id)"),
                    "success": .flag(true), "webOrderLineItemId": .text("\(id)"),
                ])
            #expect(try await end() == moved)
        }
        try await backend.expect(
            .subscriptionMaxExtension, target, method: "PUT", body: body(10))
        #expect(try await end() == before + 20 * Self.day)
        // Ends that the operator moved to now are no extensions, and old ones do not count.
        try await backend.perform(Backend.days(366))
        _ = try await backend.get(target, method: "PUT", body: body(1))
    }

    @Test("what cannot be extended is refused with the reason in seven digits")
    func notExtended() async throws {
        let backend = try await Backend()
        try await backend.perform(
            .family(.create(organizer: "aoi")),
            .family(.join("kai", organizer: "aoi", role: .adult)))
        let id = try await backend.buy(SampleCatalog.monthly)
        let coins = try await backend.buy()
        let shared = try await backend.store.engine.servedStore.statuses(of: "kai").first?.chain
        let share = try #require(shared)
        try await backend.perform(Backend.days(40))
        let renewed = try await backend.get("/inApps/v2/history/\(id)").transactions.last
        let target = "/inApps/v1/subscriptions/extend/"
        let bad: [(String, String, APIError)] = [
            ("x", body(1), .invalidOriginalTransactionID),
            ("77", body(1), .originalTransactionIDNotFound),
            ("\(try #require(renewed).transactionId)", body(1), .originalTransactionIDNotFound),
            ("\(share)", body(1), .familySharedSubscriptionExtensionIneligible),
            ("\(coins)", body(1), .subscriptionExtensionIneligible),
            ("\(id)", body(0), .invalidExtendByDays), ("\(id)", body(91), .invalidExtendByDays),
            ("\(id)", body(1, reason: 4), .invalidExtendReasonCode),
            ("\(id)", body(1, ""), .invalidRequestIdentifier),
            ("\(id)", body(1, String(repeating: "a", count: 129)), .invalidRequestIdentifier),
            ("\(id)", "{}", .invalidExtendByDays), ("\(id)", "", .generalBadRequest),
            ("\(id)", "{\"extendByDays\":\"5\"}", .invalidExtendByDays),
        ]
        for (number, body, error) in bad {
            try await backend.expect(error, target + number, method: "PUT", body: body)
        }
        try await backend.perform(.expire(id))
        try await backend.expect(
            .subscriptionExtensionIneligible, target + "\(id)", method: "PUT", body: body(1))
    }

    private static let mass = "/inApps/v1/subscriptions/extend/mass"

    private func mass(
        _ id: String, _ product: String = "test.monthly", storefronts: String? = nil,
        days: Int = 5
    ) -> String {
        let codes = storefronts.map { ",\"storefrontCountryCodes\":\($0)" } ?? ""
        return """
            {"extendByDays":\(days),"extendReasonCode":3,"requestIdentifier":"\(id)",\
            "productId":"\(product)"\(codes)}
            """
    }

    @Test("an extension for all counts who was extended and who could not be, and tells it once")
    func extendAll() async throws {
        let backend = try await Backend()
        for account in ["aoi", "kai", "nia"] {
            try await backend.buy(SampleCatalog.monthly, account: AccountName(account))
        }
        try await backend.buy(SampleCatalog.yearly, account: "noor")
        _ = try await backend.store.console.changeAccount("jun", territory: "JPN")
        let jun = backend.store.session(account: "jun")
        let price = try #require(
            try await jun.products([SampleCatalog.monthly]).products.first?.price)
        _ = try await jun.purchase(
            Payment(
                id: PaymentID(UUID()), productID: SampleCatalog.monthly, shownPrice: price))
        let id = UUID().uuidString
        for _ in 0..<2 {
            let answer = try await backend.get(
                Self.mass, method: "POST", body: mass(id, storefronts: "[\"USA\",\"CAN\"]"))
            #expect(answer == ["requestIdentifier": .text(id)])
        }
        let status = try await backend.get(Self.mass + "/test.monthly/\(id)")
        #expect(status["complete"] == .flag(true) && status["requestIdentifier"] == .text(id))
        #expect(status["succeededCount"] == .integer(3) && status["failedCount"] == .integer(0))
        #expect(status["completeDate"] == .integer(backend.store.clock.now().milliseconds))
        let events = try await backend.store.console.history(
            before: nil, filter: HistoryFilter(kinds: [.extensionDone]), limit: 9
        ).events
        #expect(events.count == 1 && events.first?.productID == SampleCatalog.monthly)
        guard case .extensionDone(let outcome) = events.first?.change else {
            Issue.record("\(events)")
            return
        }
        let summary = NotificationPayload.Summary(outcome, of: TestStore.identity)
        #expect(summary.requestIdentifier == id, "in the letters of the request")
        // A text that is no UUID identifies as well, and nobody is left out without a list.
        let named = try await backend.get(Self.mass, method: "POST", body: mass("spring sale"))
        #expect(named == ["requestIdentifier": .text("spring sale")])
        let other = try await backend.get(Self.mass + "/test.monthly/spring%20sale")
        #expect(other["succeededCount"] == .integer(4))
    }

    @Test("subscriptions whose payment is owed are failures of an extension for all")
    func extendAllFails() async throws {
        let backend = try await Backend()
        let id = try await backend.buy(SampleCatalog.monthly)
        try await backend.perform(
            .setRenewals(RenewalsChange(failsBilling: true)), Backend.days(40))
        _ = try await backend.get(Self.mass, method: "POST", body: mass("one"))
        let status = try await backend.get(Self.mass + "/test.monthly/one")
        #expect(status["succeededCount"] == .integer(0) && status["failedCount"] == .integer(1))
        let event = try await backend.store.console.history(
            before: nil, filter: HistoryFilter(kinds: [.extensionDone]), limit: 1
        ).events.first
        guard case .extensionDone(let outcome) = event?.change else {
            Issue.record("\(String(describing: event))")
            return
        }
        #expect(outcome.failures == [id] && outcome.request.name == "one")
    }

    @Test("extensions for all count as well, and those of the operator do not [G1]")
    func extensionsCounted() async throws {
        let backend = try await Backend()
        let id = try await backend.buy(SampleCatalog.monthly)
        let target = "/inApps/v1/subscriptions/extend/\(id)"
        for _ in 1...3 { try await backend.perform(.extend(id, days: 1)) }
        _ = try await backend.get(target, method: "PUT", body: body(1))
        let outcomes: [(String, succeeded: Int64, failed: Int64)] = [("one", 1, 0), ("two", 0, 1)]
        for (name, succeeded, failed) in outcomes {
            _ = try await backend.get(Self.mass, method: "POST", body: mass(name))
            let status = try await backend.get(Self.mass + "/test.monthly/\(name)")
            #expect(status["succeededCount"] == .integer(succeeded), "\(name)")
            #expect(status["failedCount"] == .integer(failed), "\(name)")
        }
        try await backend.expect(
            .subscriptionMaxExtension, target, method: "PUT", body: body(1))
    }

    @Test("an identifier is of one request for all, which is carried out once [G1]")
    func identifier() async throws {
        let backend = try await Backend()
        let id = try await backend.buy(SampleCatalog.monthly)
        func ask(_ body: String) async throws -> [String: AnyJSON] {
            try await backend.get(Self.mass, method: "POST", body: body)
        }
        func end() async throws -> Int64? {
            try await backend.store.engine.servedStore.served(id)?.payload.expiresDate?
                .milliseconds
        }
        let first = try await ask(mass("one", storefronts: "[\"USA\",\"JPN\"]"))
        let moved = try await end()
        #expect(try await ask(mass("one", storefronts: "[\"JPN\",\"USA\"]")) == first)
        let others = [
            mass("one"), mass("one", storefronts: "[\"USA\"]"),
            mass("one", storefronts: "[\"USA\",\"JPN\"]", days: 6),
            mass("one", "test.yearly", storefronts: "[\"USA\",\"JPN\"]"),
        ]
        for body in others {
            try await backend.expect(
                .invalidRequestIdentifier, Self.mass, method: "POST", body: body)
        }
        #expect(try await end() == moved)
        try await backend.expect(.statusRequestNotFound, Self.mass + "/test.yearly/one")
        let status = try await backend.get(Self.mass + "/test.monthly/one")
        #expect(status["succeededCount"] == .integer(1))
    }

    @Test("what is no request for all is refused")
    func badMass() async throws {
        let backend = try await Backend()
        try await backend.buy(SampleCatalog.monthly)
        let bad: [(String, APIError)] = [
            (mass("a", days: 0), .invalidExtendByDays),
            (mass(""), .invalidRequestIdentifier),
            (mass("a", "test.coins"), .invalidProductID),
            (mass("a", "test.nothing"), .invalidProductID),
            (mass("a", storefronts: "[]"), .invalidEmptyStorefrontCountryCodeList),
            (mass("a", storefronts: "[\"US\"]"), .invalidStorefrontCountryCode),
            (mass("a", storefronts: "[\"usa\"]"), .invalidStorefrontCountryCode),
            (mass("a", storefronts: "[\"USA\",1]"), .invalidStorefrontCountryCode),
            (mass("a", storefronts: "\"USA\""), .invalidStorefrontCountryCode),
            (String(mass("a").dropLast(40)), .generalBadRequest),
        ]
        for (body, error) in bad {
            try await backend.expect(error, Self.mass, method: "POST", body: body)
        }
        try await backend.expect(.statusRequestNotFound, Self.mass + "/test.monthly/a")
        let answer = try await backend.get(
            Self.mass, method: "POST", body: mass("b", storefronts: "null"))
        #expect(answer["requestIdentifier"] == .text("b"))
    }
}
