import Foundation
@testable import StoreCatalog
import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

/// A subscription that costs nothing and never ends, on every device of the account.
@Suite(.timeLimit(.minutes(10))) struct FreeSubscriptionTests {
    private static let letters = ProductID("test.letters")

    /// - Parameter period: nil makes the subscription free; otherwise it renews with this period.
    private static func catalog(period: SubscriptionPeriod? = nil) -> Catalog {
        Catalog(
            bundleID: "com.example.test", appName: ["en": "Test"], defaultTerritory: "USA",
            defaultLocale: "en_US",
            groups: [.init(id: "test.letters.group", name: ["en": "Letters"])],
            products: [
                CatalogProduct(
                    id: letters, type: .autoRenewable, name: ["en": "Letters"],
                    prices: .byTerritory(["USA": 0]),
                    subscription: .init(groupID: "test.letters.group", level: 1, period: period))
            ])
    }

    private static func payment() -> Payment {
        Payment(
            id: PaymentID.made(at: Date()), productID: letters,
            shownPrice: Money(milliunits: 0, currency: "USD"))
    }

    @Test("a free subscription is an auto-renewable without an end, and entitles for good [C1, D8]")
    func neverEnds() async throws {
        let clock = ManualClock()
        let store = try await TestStore(clock: clock, catalog: Self.catalog())
        let phone = store.session()
        guard case .purchased(let signed, _, false) = try await phone.purchase(Self.payment())
        else { throw StoreError(.unknown) }
        let payload = try #require(TransactionVerifier.unverifiedPayload(of: signed))
        #expect(payload.type == .autoRenewable)
        #expect(payload.expiresDate == nil)
        clock.advance(byMilliseconds: 50 * 365 * 86_400_000)
        for device: DeviceName in ["phone", "tablet"] {
            let entitlements = try await store.session(device: device).entitlements()
            #expect(entitlements.map(\.productID) == [Self.letters])
            #expect(entitlements.map(\.until) == [nil])
        }
    }

    @Test("the timeline of a free subscription has a beginning and no end")
    func timeline() async throws {
        let store = try await TestStore(catalog: Self.catalog())
        guard case .purchased(_, let id, _) = try await store.session().purchase(Self.payment())
        else { throw StoreError(.unknown) }
        let events = try await store.session().events(
            before: nil, filter: HistoryFilter(), limit: 10
        ).events
        let active = SubscriptionTimeline(events.reversed(), of: id).active
        #expect(active.count == 1 && active.first?.until == nil)
        let json = String(decoding: try JSONEncoder().encode(active), as: UTF8.self)
        #expect(json.contains("from") && !json.contains("until"), "\(json)")
    }

    @Test("buying a free subscription again returns the existing sale")
    func boughtAgain() async throws {
        let store = try await TestStore(catalog: Self.catalog())
        guard case .purchased(_, let first, _) = try await store.session().purchase(Self.payment()),
            case .purchased(_, let second, let alreadyOwned) =
                try await store.session(device: "tablet").purchase(Self.payment())
        else { throw StoreError(.unknown) }
        #expect(second == first)
        #expect(alreadyOwned)
        #expect(try await store.console.takings().map(\.sales) == [1])
    }

    @Test("of two approved requests for a free subscription, one is sold")
    func approvedTwice() async throws {
        let store = try await TestStore(catalog: Self.catalog())
        _ = try await store.console.changeAccount(
            "aoi", askToBuy: true, canMakePayments: nil, territory: nil)
        var requests: [TransactionID] = []
        for _ in 1...2 {
            if case .pending(let request, _) = try await store.session().purchase(Self.payment()) {
                requests.append(request)
            }
        }
        for request in requests { _ = try await store.console.approve(request) }
        #expect(requests.count == 2)
        #expect(try await store.console.takings().map(\.sales) == [1])
    }

    @Test("a free subscription once sold with an end expires, and is sold again without one")
    func soldWithAnEndBefore() async throws {
        let ledger = InMemoryLedger()
        let clock = ManualClock()
        let month = SubscriptionPeriod(unit: .month, value: 1)
        let before = try await TestStore(
            ledger: ledger, clock: clock, catalog: Self.catalog(period: month), digest: "old")
        _ = try await before.session().purchase(Self.payment())

        let store = try await TestStore(
            ledger: ledger, clock: clock, catalog: Self.catalog(), digest: "new")
        let refusal = await #expect(throws: StoreError.self) {
            try await store.session().purchase(Self.payment())
        }
        #expect(refusal?.code == .subscriptionActive)
        // The period ends without a next one.
        clock.advance(byMilliseconds: 32 * 86_400_000)
        #expect(try await store.session().entitlements().isEmpty)
        guard case .purchased(_, _, false) = try await store.session().purchase(Self.payment())
        else { throw StoreError(.unknown) }
        #expect(try await store.session().entitlements().map(\.until) == [nil])
    }
}
