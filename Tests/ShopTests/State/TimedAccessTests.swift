@testable import Shop
import StoreModel
import Testing

@Suite("the access from non-renewing subscriptions")
struct TimedAccessTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The day of each purchase, counted from the first, and its quantity.
        var purchases: [(day: Int64, quantity: Int)]
        /// The day on which access ends, counted from the first purchase; nil for no access.
        var end: Int64?
    }

    static let cases = [
        Case(testDescription: "nothing bought", purchases: [], end: nil),
        Case(testDescription: "one", purchases: [(0, 1)], end: 90),
        Case(
            testDescription: "three at once last three times as long", purchases: [(0, 3)], end: 270
        ),
        Case(
            testDescription: "one more while it lasts adds to it", purchases: [(0, 1), (30, 1)],
            end: 180),
        Case(
            testDescription: "the order of the purchases does not matter",
            purchases: [(30, 1), (0, 1)],
            end: 180),
        Case(
            testDescription: "one more afterwards begins anew", purchases: [(0, 1), (100, 1)],
            end: 190),
        Case(
            testDescription: "at its very end it begins anew", purchases: [(0, 1), (90, 2)],
            end: 270),
        Case(
            testDescription: "an old run, then a new one that is prolonged",
            purchases: [(0, 1), (200, 1), (210, 1)], end: 380),
    ]

    @Test("purchases before the end add up, and later ones start anew [D4, D10]", arguments: cases)
    func end(_ one: Case) {
        let start = Timestamp(milliseconds: 1_800_000_000_000)
        let day: Int64 = 86_400_000
        let purchases = one.purchases.map {
            TimedAccess.Purchase(
                at: start.advanced(byMilliseconds: $0.day * day), quantity: $0.quantity)
        }
        let end = TimedAccess.end(
            of: purchases, period: SubscriptionPeriod(unit: .day, value: 90))
        #expect(end == one.end.map { start.advanced(byMilliseconds: $0 * day) })
    }

    @Test("months follow the calendar from the start of the run [D10]")
    func months() {
        let january = Timestamp(milliseconds: 1_801_353_600_000)  // 2027-01-31
        let month = SubscriptionPeriod(unit: .month, value: 1)
        let purchases = [
            TimedAccess.Purchase(at: january, quantity: 1),
            TimedAccess.Purchase(at: january.advanced(byMilliseconds: 86_400_000), quantity: 1),
        ]
        // 31 March, not 28 March: the short February does not shorten the following month.
        let end = TimedAccess.end(of: purchases, period: month)
        #expect(end == january.advanced(byMilliseconds: 59 * 86_400_000))
    }
}
