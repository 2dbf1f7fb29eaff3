import Foundation
@testable import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// An extension for all subscribers with an identifier (App Store Server API: `requestIdentifier`).
@Suite("extensions for all") struct ExtensionForAllTests {
    @Test("a request extends each subscription once, however many periods have passed since")
    func once() async throws {
        let shop = try await SubscriptionStore()
        let request = OperatorAction.extendAll(SampleCatalog.monthly, days: 3, id: UUID())
        try await shop.perform(request)
        let extended = try await shop.periods().last?.expiresDate
        try await shop.perform(request)
        #expect(try await shop.periods().last?.expiresDate == extended)
        try await shop.perform(
            .clock(.advance(.calendar(SubscriptionPeriod(unit: .month, value: 5)))))
        let end = try await shop.periods().last?.expiresDate
        try await shop.perform(request)
        #expect(try await shop.periods().last?.expiresDate == end, "five periods later")
        // A request with another id extends the subscription again.
        try await shop.perform(.extendAll(SampleCatalog.monthly, days: 3, id: UUID()))
        #expect(
            try await shop.periods().last?.expiresDate
                == end?.advanced(byMilliseconds: 3 * 86_400_000))
    }

    @Test("a request whose first use extended nobody extends nobody who subscribes later")
    func nobody() async throws {
        let store = try await TestStore(elapsed: nil)
        let id = UUID()
        let request = OperatorAction.extendAll(SampleCatalog.monthly, days: 3, id: id)
        #expect(try await store.console.perform(request).isEmpty)
        let asked = try await store.entries().count
        store.clock.advance(byMilliseconds: 60_000)
        _ = try await store.session().purchase(.of(SampleCatalog.monthly))
        let sold = try await store.entries().count
        #expect(try await store.console.perform(request).isEmpty)
        #expect(try await store.entries().count == sold, "the first use is recorded once")
        #expect(sold > asked)
        // The request itself is no event in the history; its end is one.
        let history = try await store.console.history(
            before: nil, filter: HistoryFilter(), limit: 50)
        let ofStore = history.events.filter { $0.account == nil }.map(\.kind)
        #expect(ofStore == [.extensionDone, .catalogRevised])
        let other = OperatorAction.extendAll(SampleCatalog.monthly, days: 3, id: UUID())
        #expect(try await store.console.perform(other).count == 1)
    }

    @Test("an extension that fails half-way says how many are done, and goes on by its id")
    func failsHalfWay() async throws {
        let faulty = FaultyLedger(InMemoryLedger())
        let last = AccountName("a\(StoreLimits.duePageMax)")
        let ledger = OverrunLedger(
            faulty,
            before: { decisions in
                decisions.flatMap(\.entries).contains { entry in
                    if case .revised = entry.fact { entry.account == last } else { false }
                }
            }
        ) { faulty.refuseWrites(with: .storeFull) }
        let store = try await TestStore(ledger: ledger, elapsed: nil)
        for number in 0...StoreLimits.duePageMax {
            _ = try await store.session(account: AccountName("a\(number)"))
                .purchase(.of(SampleCatalog.monthly))
        }
        let error = await #expect(throws: StoreError.self) {
            _ = try await store.console.perform(.extendAll(SampleCatalog.monthly, days: 3))
        }
        #expect(error?.code == .extendedInPart)
        #expect(error?.found?.text == "\(StoreLimits.duePageMax)" && error?.expected == "3")
        let id = try #require(error?.subject.flatMap { UUID(uuidString: $0) })
        faulty.refuseWrites(with: nil)
        let again = OperatorAction.extendAll(SampleCatalog.monthly, days: 3, id: id)
        #expect(try await store.console.perform(again).map(\.account) == [last])
        #expect(try await store.console.perform(again).isEmpty)
    }

    @Test("a repeated request extends who was left out at its first use, and nobody who came later")
    func repeated() async throws {
        let shop = try await SubscriptionStore()
        _ = try await shop.days(10)
        let outcome = try await shop.store.session(account: "kai").purchase(
            .of(SampleCatalog.monthly))
        guard case .purchased(_, let kais, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        // The first account has renewed before kai's payment fails.
        _ = try await shop.days(23)
        try await shop.perform(.setRenewals(RenewalsChange(failsBilling: true)))
        _ = try await shop.days(10)
        let request = OperatorAction.extendAll(SampleCatalog.monthly, days: 3, id: UUID())
        let first = try await shop.perform(request)
        #expect(first.count { $0.kind == .expiryMoved } == 1)
        #expect(first.allSatisfy { $0.account != "kai" })
        _ = try await shop.days(1)
        _ = try await shop.store.session(account: "noor").purchase(.of(SampleCatalog.monthly))
        try await shop.perform(.setRenewals(RenewalsChange(failsBilling: false)))
        try await shop.perform(.resolveBilling(kais))
        #expect(try await shop.perform(request).map(\.account) == ["kai"])
        #expect(try await shop.perform(request).isEmpty)
    }
}
