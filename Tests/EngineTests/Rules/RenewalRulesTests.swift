import Foundation
import StoreCatalog
import StoreEngine
@testable import StoreModel
import StoreTestSupport
import Testing

@Suite("the renewal schedule")
struct RenewalScheduleTests {
    private static func day(_ text: String) throws -> Timestamp {
        try #require(Sample.date(text))
    }

    @Test("a monthly subscription from the 31st ends on the last day of shorter months")
    func monthEnds() throws {
        let anchor = try Self.day("2027-01-31")
        let month = SubscriptionPeriod(unit: .month, value: 1)
        for (count, end) in [(1, "2027-02-28"), (2, "2027-03-31"), (3, "2027-04-30")] {
            #expect(
                try RenewalSchedule.end(
                    ofPeriod: count, of: month, from: anchor, rate: .realTime) == Self.day(end))
        }
    }

    @Test("a yearly subscription from 29 February ends on 28 February outside leap years")
    func leapDays() throws {
        let anchor = try Self.day("2028-02-29")
        let year = SubscriptionPeriod(unit: .year, value: 1)
        for (count, end) in [(1, "2029-02-28"), (4, "2032-02-29")] {
            #expect(
                try RenewalSchedule.end(
                    ofPeriod: count, of: year, from: anchor, rate: .realTime) == Self.day(end))
        }
    }

    @Test(
        "an accelerated period lasts as long as in Xcode's table",
        arguments: [
            (RenewalRate.monthlyRenewalEveryHour, SubscriptionPeriod.Unit.month, 1, 3_600),
            (.monthlyRenewalEveryHour, .week, 1, 900), (.monthlyRenewalEveryHour, .year, 1, 43_200),
            (.monthlyRenewalEveryThirtySeconds, .month, 3, 90),
            (.monthlyRenewalEveryFiveMinutes, .year, 1, 3_600),
            (.oneRenewalEveryTwoSeconds, .year, 1, 2), (.oneSecondIsOneDay, .week, 2, 14),
        ] as [(RenewalRate, SubscriptionPeriod.Unit, Int, Int64)])
    func accelerated(
        _ rate: RenewalRate, _ unit: SubscriptionPeriod.Unit, _ value: Int, _ seconds: Int64
    ) {
        let period = SubscriptionPeriod(unit: unit, value: value)
        #expect(rate.seconds(of: period) == seconds)
    }

    @Test("every rate is found by its name and by Xcode's number")
    func names() {
        for rate in RenewalRate.allCases {
            #expect(RenewalRate(rate.name) == rate)
            #expect(rate.name == String(describing: rate))
            #expect(RenewalRate(String(rate.rawValue)) == rate)
        }
        #expect(RenewalRate("14") == nil)
    }
}

@Suite("the store's clock") struct ClockRulesTests {
    private static func bench(_ state: ClockState?) -> Bench {
        var bench = Bench()
        bench.snapshot.clock = state
        return bench
    }

    private static func set(_ bench: Bench, _ action: ClockAction) -> ClockState? {
        for case .clockSet(let state) in bench.perform(.clock(action)).facts { return state }
        return nil
    }

    private static let stopped = ClockState.stopped(at: Bench.now)
    private static let day: Int64 = 86_400_000

    @Test("the store's clock stops and resumes at the same time, and a repeat changes nothing")
    func stopAndResume() {
        #expect(Self.set(Self.bench(nil), .stop) == Self.stopped)
        #expect(Self.set(Self.bench(Self.stopped), .stop) == nil)
        #expect(Self.set(Self.bench(Self.stopped), .resume) == .running(offset: 0))
        #expect(Self.set(Self.bench(nil), .resume) == nil)
    }

    @Test("the store's clock moves forward, running or stopped")
    func advance() {
        let step = ClockAction.advance(.calendar(SubscriptionPeriod(unit: .day, value: 1)))
        #expect(Self.set(Self.bench(nil), step) == .running(offset: Self.day))
        #expect(
            Self.set(Self.bench(Self.stopped), step)
                == .stopped(at: Bench.now.advanced(byMilliseconds: Self.day)))
    }

    @Test(
        "the store's clock never moves backwards or outside the certificates' validity",
        arguments: [
            (-1, StoreError.Code.clockBackwards), (-2_000_000_000_000, .clockOutOfRange),
            (3_000_000_000_000, .clockOutOfRange),
        ] as [(Int64, StoreError.Code)])
    func limits(_ offset: Int64, _ code: StoreError.Code) {
        let target = Bench.now.advanced(byMilliseconds: offset)
        #expect(Self.bench(nil).perform(.clock(.to(target))).refusal?.code == code)
    }

    @Test("the clock cannot be moved into the last day before 2100")
    func lastDay() {
        func refusal(_ target: Timestamp) -> StoreError.Code? {
            Self.bench(nil).perform(.clock(.to(target))).refusal?.code
        }
        #expect(refusal(.lastSettable) == nil)
        #expect(refusal(.lastSettable.advanced(byMilliseconds: 1)) == .clockOutOfRange)
        #expect(refusal(Timestamp(milliseconds: .max)) == .clockOutOfRange)
    }

    @Test("the store's clock moves to the next due item, and is refused without one")
    func next() {
        #expect(Self.bench(nil).perform(.clock(.next)).refusal?.code == .nothingDue)
        var bench = Self.bench(nil)
        bench.snapshot.nextDue = DueItem(
            account: "aoi", chain: TransactionID(3), kind: .renewal, period: 2,
            at: Bench.now.advanced(byMilliseconds: 5))
        #expect(Self.set(bench, .next) == .running(offset: 5))
    }

    @Test(
        "a clock step is read as a number with a unit",
        arguments: ["90s", "5m", "5min", "2h", "32d", "1w", "1mo", "1y"])
    func steps(_ text: String) {
        #expect(ClockStep(text) != nil)
        for wrong in ["", "d", "0d", "-1d", "1", "1x", "１d", "999999d"] {
            #expect(ClockStep(wrong) == nil, "\(wrong)")
        }
    }
}

@Suite("renewals") struct RenewalRulesTests {
    private static let chain = TransactionID(3)

    /// A subscription whose period ends now.
    private static func bench(index: Int = 0, autoRenews: Bool = true) -> Bench {
        var bench = Bench()
        var row = Bench.sold(
            SampleCatalog.monthly, id: chain.number, type: .autoRenewable, expires: Bench.now)
        row.sale.term = SubscriptionTerm(
            period: SubscriptionPeriod(unit: .month, value: 1), rate: .realTime,
            anchor: row.sale.purchaseDate, index: index, ordinal: index + 1)
        row.sale.appAccountToken = nil
        bench.snapshot.transactions[chain] = row
        bench.snapshot.subscriptions[chain] = SubscriptionRow(
            chain: chain, account: "aoi", autoRenews: autoRenews, ordinal: index + 1,
            latest: chain)
        bench.snapshot.due[chain] = due(period: index + 2)
        return bench
    }

    private static func due(period: Int = 2) -> DueItem {
        DueItem(account: "aoi", chain: chain, kind: .renewal, period: period, at: Bench.now)
    }

    private static func facts(_ bench: Bench, _ item: DueItem = due()) -> [Entry.Fact] {
        RenewalRules.carryOut([item], in: bench.context)?.entries.map(\.fact) ?? []
    }

    @Test("a renewal begins where the last period ended, without a device or a payment [D1]")
    func renews() throws {
        let bench = Self.bench()
        let decision = try #require(RenewalRules.carryOut([Self.due()], in: bench.context))
        let entry = try #require(decision.entries.first)
        guard case .sold(let sale) = entry.fact else {
            Issue.record("not sold: \(entry.fact)")
            return
        }
        #expect(entry.device == nil && entry.number == .next && entry.contradiction == nil)
        #expect(sale.cause == .renewal && sale.payment == nil)
        #expect(sale.purchaseDate == Bench.now)
        #expect(sale.original?.id == Self.chain)
        #expect(sale.term?.index == 1 && sale.term?.ordinal == 2)
        #expect(sale.expiresDate == sale.term?.end)
        #expect(Set(decision.reads.keys) == [.account("aoi"), .store])
    }

    @Test("a due item that was carried out adds nothing")
    func once() {
        #expect(Self.facts(Self.bench(), Self.due(period: 1)).isEmpty)
        #expect(Self.facts(Self.bench(), Self.due(period: 3)).isEmpty)
        #expect(Self.facts(Bench()).isEmpty)
    }

    @Test("a subscription ends at the renewal limit, an accelerated one after twelve renewals [D7]")
    func limits() {
        func ends(_ settings: RenewalSettings, _ index: Int) -> Bool {
            var bench = Self.bench(index: index)
            bench.snapshot.renewals = settings
            for case .subscriptionChanged(let change) in Self.facts(
                bench, Self.due(period: index + 2))
            {
                return change.event.kind == .expired && change.event.reason == .other
            }
            return false
        }
        #expect(!ends(.standard, 100))
        #expect(!ends(RenewalSettings(limit: 6), 5))
        #expect(ends(RenewalSettings(limit: 6), 6))
        #expect(!ends(RenewalSettings(rate: .oneRenewalEveryMinute), 11))
        #expect(ends(RenewalSettings(rate: .oneRenewalEveryMinute), 12))
        #expect(!ends(RenewalSettings(rate: .oneRenewalEveryMinute, isEndless: true), 12))
    }

    @Test("a product that is no longer sold does not renew")
    func gone() {
        var bench = Self.bench()
        bench.catalog.products = []
        for case .subscriptionChanged(let change) in Self.facts(bench) {
            #expect(change.event.reason == .productUnavailable)
            return
        }
        Issue.record("renewed")
    }

    @Test("auto-renew can be turned off, and on only while the subscription is active")
    func autoRenew() {
        var bench = Self.bench()
        let off = OperatorAction.setAutoRenew(Self.chain, false)
        #expect(bench.perform(off).facts.count == 1)
        #expect(bench.perform(.setAutoRenew(Self.chain, true)).answer == [])
        bench.snapshot.subscriptions[Self.chain]?.autoRenews = false
        let on = bench.perform(.setAutoRenew(Self.chain, true))
        #expect(on.refusal?.code == .noSubscription)
        let later = Bench.now.advanced(byMilliseconds: 1)
        bench.snapshot.transactions[Self.chain]?.sale.expiresDate = later
        let facts = bench.perform(.setAutoRenew(Self.chain, true)).facts
        guard case .autoRenewChanged(let change) = facts.first else {
            Issue.record("nothing was recorded")
            return
        }
        #expect(change.isOn && change.next?.at == Bench.now && change.next?.period == 2)
        #expect(Bench().perform(off).refusal?.code == .transactionNotFound)
    }
}

private enum Sample {
    static func date(_ text: String) -> Timestamp? {
        (try? Date("\(text)T00:00:00Z", strategy: .iso8601)).map { Timestamp($0) }
    }
}
