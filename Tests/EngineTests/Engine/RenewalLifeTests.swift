import Foundation
@testable import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

@Suite("subscriptions on the store's clock")
struct RenewalLifeTests {
    private static let start = FeedCursor(epoch: 1, position: 0)

    private static func step(_ unit: SubscriptionPeriod.Unit, _ value: Int = 1) -> ClockAction {
        .advance(.calendar(SubscriptionPeriod(unit: unit, value: value)))
    }

    @discardableResult
    private static func subscribe(_ store: TestStore) async throws -> TransactionID {
        try #require(try await store.session().purchase(.of(SampleCatalog.monthly)).number)
    }

    private static func sales(_ store: TestStore) async throws -> [Sale] {
        try await store.entries().compactMap {
            if case .sold(let sale) = $0.entry.fact { sale } else { nil }
        }
    }

    @Test(
        "a subscription renews at its expiry, once, whichever process notices [D2]",
        arguments: LedgerKind.allCases)
    func renews(_ kind: LedgerKind) async throws {
        let folder = try TemporaryFolder()
        let handles = try kind.handles(in: folder)
        let (ledger, other) = (handles.ledger, handles.other)
        let clock = ManualClock()
        let store = try await TestStore(ledger: ledger, clock: clock)
        let second = try await TestStore(ledger: other, clock: clock)
        try await Self.subscribe(store)
        _ = try await store.console.perform(.clock(Self.step(.month, 3)))
        #expect(try await Self.sales(store).count == 4)
        // The other process was not notified; its next read finds the renewals recorded.
        let entitled = try await second.session().entitlements()
        #expect(entitled.count == 1)
        #expect(try await Self.sales(second).count == 4)
        let sales = try await Self.sales(store)
        for (earlier, later) in zip(sales, sales.dropFirst()) {
            #expect(later.purchaseDate == earlier.expiresDate)
            #expect(later.cause == .renewal)
        }
        let rows = try await ledger.allRows()
        let entries = try await store.entries()
        #expect(try rows == Projections(folding: entries))
        #expect(try await store.console.takings().first?.sales == 4)
    }

    @Test("the takings have the renewals that were due while nobody had the store open")
    func takings() async throws {
        let clock = ManualClock()
        let store = try await TestStore(clock: clock)
        try await Self.subscribe(store)
        clock.advance(byMilliseconds: 40 * 86_400_000)
        #expect(try await store.console.takings().map(\.sales) == [2])
    }

    @Test(
        "two processes that notice a due renewal at once record it once",
        arguments: LedgerKind.allCases)
    func atOnce(_ kind: LedgerKind) async throws {
        let folder = try TemporaryFolder()
        let handles = try kind.handles(in: folder)
        let (ledger, other) = (handles.ledger, handles.other)
        let clock = ManualClock()
        let stores = [
            try await TestStore(ledger: ledger, clock: clock),
            try await TestStore(ledger: other, clock: clock),
        ]
        try await Self.subscribe(stores[0])
        clock.advance(byMilliseconds: 40 * 86_400_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    _ = try await stores[number % 2].session().entitlements()
                }
            }
            try await group.waitForAll()
        }
        #expect(try await Self.sales(stores[0]).count == 2)
    }

    @Test("the first read after a year records all renewals due since [D2]")
    func afterAYear() async throws {
        let clock = ManualClock()
        let store = try await TestStore(clock: clock)
        try await Self.subscribe(store)
        clock.advance(byMilliseconds: 366 * 86_400_000)
        #expect(try await store.session().entitlements().count == 1)
        #expect(try await Self.sales(store).count == 13)
    }

    @Test("a year that is caught up reads each subscription once, not once a period")
    func readsOnce() async throws {
        let ledger = OverrunLedger(InMemoryLedger(), before: { _ in false }) {}
        let clock = ManualClock()
        let store = try await TestStore(ledger: ledger, clock: clock, elapsed: nil)
        for account in ["aoi", "kai", "noor"] as [AccountName] {
            _ = try await store.session(account: account).purchase(.of(SampleCatalog.monthly))
        }
        let before = ledger.salesRead
        _ = try await store.console.perform(.clock(Self.step(.year)))
        #expect(try await Self.sales(store).count == 39)
        #expect(ledger.salesRead - before == 3)
    }

    @Test(
        "a subscription that another process turns off between two pages of renewals ends there",
        arguments: LedgerKind.allCases)
    func turnedOffMeanwhile(_ kind: LedgerKind) async throws {
        let folder = try TemporaryFolder()
        let handles = try kind.handles(in: folder)
        let other = handles.other
        let overrun = OverrunLedger(
            handles.ledger,
            before: { decisions in
                decisions.flatMap(\.entries).contains { entry in
                    guard case .sold(let sale) = entry.fact else { return false }
                    return entry.account == "aoi" && sale.term?.ordinal == 4
                }
            },
            meanwhile: { await Self.turnOff("aoi", in: other) })
        let store = try await TestStore(ledger: overrun, elapsed: nil)
        for account in ["aoi", "kai"] as [AccountName] {
            _ = try await store.session(account: account).purchase(.of(SampleCatalog.monthly))
        }
        _ = try await store.console.perform(.clock(Self.step(.year)))
        #expect(overrun.hasHappened)
        let rows = try await other.allRows()
        #expect(rows.transactions.values.count { $0.account == "aoi" } == 3)
        #expect(rows.transactions.values.count { $0.account == "kai" } == 13)
        let aois = rows.subscriptions.values.first { $0.account == "aoi" }
        #expect(aois?.state.expired == .autoRenewDisabled)
        #expect(rows.due.values.map(\.account) == ["kai"])
        #expect(try await rows == Projections(folding: other.allEntries()))
    }

    /// Turns auto-renew of an account's subscription off, without recording the due renewal first.
    private static func turnOff(_ account: AccountName, in ledger: any Ledger) async {
        do {
            let rows = try await ledger.allRows()
            let found = rows.subscriptions.values.first { $0.account == account }
            let subscription = try #require(found)
            let latest = try #require(rows.transactions[subscription.latest])
            let end = try #require(latest.expiresDate)
            let change = AutoRenewChange(
                chain: subscription.chain, productID: latest.sale.productID, isOn: false,
                reason: .chosen,
                next: DueItem(
                    account: account, chain: subscription.chain, kind: .renewal,
                    period: subscription.ordinal + 1, at: end),
                state: SubscriptionState(offReason: .chosen))
            let entry = Entry(
                account: account, device: nil, effectiveAt: latest.sale.purchaseDate,
                fact: .autoRenewChanged(change))
            _ = try await ledger.append([Decision(reads: [:], entries: [entry])], at: end)
        } catch { Issue.record(error) }
    }

    @Test("a stopped store clock stands still for every process, and resumes from there")
    func stopped() async throws {
        let clock = ManualClock()
        let ledger = InMemoryLedger()
        let store = try await TestStore(ledger: ledger, clock: clock)
        let other = try await TestStore(ledger: ledger, clock: clock)
        _ = try await store.console.perform(.clock(.stop))
        let stood = try await store.console.clock().now
        clock.advance(byMilliseconds: 99_000)
        #expect(try await other.console.clock().now == stood)
        _ = try await other.console.perform(.clock(.resume))
        clock.advance(byMilliseconds: 1_000)
        #expect(
            try await store.console.clock().now == stood.advanced(byMilliseconds: 1_000))
    }

    @Test("the store's clock keeps running when the system's is set back, until they agree")
    func setBack() async throws {
        let clock = ManualClock()
        let store = try await TestStore(clock: clock)
        try await Self.subscribe(store)
        let bought = try await store.console.clock().now
        let hour: Int64 = 3_600_000
        clock.advance(byMilliseconds: -10 * hour)
        var reading = try await store.console.clock()
        #expect(reading.now == bought)
        #expect(reading.systemBehindMilliseconds == 10 * hour)
        // The store's clock runs on from that time, and the subscription renews when it is due.
        clock.advance(byMilliseconds: 40 * 24 * hour)
        #expect(try await store.session().entitlements().count == 1)
        #expect(try await Self.sales(store).count == 2)
        clock.advance(byMilliseconds: -45 * 24 * hour)
        reading = try await store.console.clock()
        let stood = reading.now
        clock.advance(byMilliseconds: hour)
        _ = try await store.session().purchase(.of(SampleCatalog.coins))
        reading = try await store.console.clock()
        #expect(reading.now == stood.advanced(byMilliseconds: hour))
        // Another process continues from the recorded time.
        let other = try await TestStore(ledger: store.ledger, clock: clock)
        #expect(try await other.console.clock().now == reading.now)
        // Once the system's clock has caught up, the store's time equals it.
        clock.advance(byMilliseconds: 50 * 24 * hour)
        reading = try await store.console.clock()
        #expect(reading.systemBehindMilliseconds == 0)
        #expect(reading.now == clock.now())
    }

    @Test("renewals on a full or read-only store wait, and reads say as of when they hold")
    func overdue() async throws {
        let faulty = FaultyLedger(InMemoryLedger())
        let store = try await TestStore(ledger: faulty, elapsed: nil)
        try await Self.subscribe(store)
        let end = try #require(try await store.session().entitlements().first?.until)
        #expect(try await store.session().overdueSince() == nil)
        // The store charges for the next period a day before this one ends.
        let due = end.advanced(byMilliseconds: -86_400_000)
        store.clock.advance(byMilliseconds: 40 * 86_400_000)
        for code in [StoreError.Code.storeFull, .storeReadOnly] {
            faulty.refuseWrites(with: code)
            #expect(try await store.session().entitlements().isEmpty, "its period is over")
            #expect(try await store.session().overdueSince() == due)
            // The renewal is overdue, and the subscription has not been ended.
            let status = try #require(try await store.session().subscriptionStatuses().first)
            let info = TransactionVerifier.unverifiedPayload(of: status.renewalInfo)
            #expect(info?.autoRenewStatus == 1 && info?.expirationIntent == nil)
            #expect(try await store.session().unfinished(allDevices: true).count == 1)
        }
        faulty.refuseWrites(with: nil)
        #expect(try await store.session().entitlements().count == 1)
        #expect(try await store.session().overdueSince() == nil)
        #expect(try await Self.sales(store).count == 2)
    }

    @Test(
        "a refund removes an entitlement and its money, and a reversal restores both [F1]",
        arguments: LedgerKind.allCases)
    func refund(_ kind: LedgerKind) async throws {
        let folder = try TemporaryFolder()
        let ledger = try kind.make(in: folder)
        let store = try await TestStore(ledger: ledger)
        let session = store.session()
        let id = try #require(
            try await session.purchase(.of(SampleCatalog.theme)).number)
        let events = try await store.console.perform(.refund(id, .percent(40), reason: .app))
        guard let issued = events.first?.issued, events.first?.kind == .refunded else {
            Issue.record("\(events)")
            return
        }
        #expect(issued.revision == 1)
        guard
            case .verified(let transaction) = await (try TestStore.verifier()).verify(issued.signed)
        else {
            Issue.record("not verified")
            return
        }
        #expect(transaction.payload.revocationReason == 1)
        #expect(transaction.payload.revocationPercentage == 40_000)
        #expect(transaction.payload.revocationType == .prorated)
        #expect(transaction.payload.revocationDate != nil)
        #expect(try await session.entitlements().isEmpty)
        #expect(try await session.restorable(before: nil, limit: 9).transactions.isEmpty)
        #expect(try await session.history(before: nil, limit: 9).count == 1)
        #expect(
            try await store.console.takings().first?.refundedMilliunits
                == Share(percent: 40).refund(
                    of: Money(
                        milliunits: SampleCatalog.dollars(SampleCatalog.theme), currency: "USD")
                ).milliunits)
        _ = try await store.console.perform(.reverseRefund(id))
        #expect(try await session.entitlements().map(\.transactionID) == [id])
        #expect(try await store.console.takings().first?.refundedMilliunits == 0)
        _ = try await store.console.perform(.delete(id, wholeChain: false))
        #expect(try await session.history(before: nil, limit: 9).isEmpty)
        #expect(try await store.console.takings().first?.sales == 0)
        #expect(try await session.purchase(.of(SampleCatalog.theme)).number != id)
        let rows = try await ledger.allRows()
        let entries = try await store.entries()
        #expect(try rows == Projections(folding: entries))
    }

    @Test(
        "an unknown kind of entry is passed on, and purchases of its account are refused",
        arguments: LedgerKind.allCases)
    func unknownFacts(_ kind: LedgerKind) async throws {
        let folder = try TemporaryFolder()
        let ledger = try kind.make(in: folder)
        let store = try await TestStore(ledger: ledger)
        _ = try await store.session().purchase(.of(SampleCatalog.theme))
        let entry = Entry(
            account: "aoi", device: nil, effectiveAt: store.clock.now(),
            fact: .unknown(kind: 99, body: Data([1, 2])))
        _ = try await ledger.append(
            [Decision(reads: [:], entries: [entry])], at: store.clock.now())
        await #expect(throws: StoreError.self) { try await store.session().entitlements() }
        do {
            _ = try await store.session().purchase(.of(SampleCatalog.coins))
            Issue.record("decided")
        } catch { #expect(error.code == .storeNewer) }
        // Other accounts can still buy, and the feed delivers the entry as unknown.
        #expect(
            try await store.session(account: "kai").purchase(.of(SampleCatalog.coins)).isPurchased)
        var kinds: [Int] = []
        let head = try await ledger.head()
        for try await batch in store.session().updates(after: Self.start) {
            for event in batch.events {
                if case .unknown(let kind) = event.change { kinds.append(kind) }
            }
            if batch.cursor == head { break }
        }
        #expect(kinds == [99])
    }

    @Test(
        "a due renewal that other writers overtake without end is given up as a busy store",
        .timeLimit(.minutes(1)))
    func overtaken() async throws {
        let ledger = FaultyLedger(InMemoryLedger())
        let clock = ManualClock()
        let store = try await TestStore(ledger: ledger, clock: clock)
        try await Self.subscribe(store)
        clock.advance(byMilliseconds: 40 * 86_400_000)
        ledger.overrunWrites()
        await #expect {
            try await store.session().entitlements()
        } throws: {
            ($0 as? StoreError)?.code == .storeBusy
        }
    }
}
