import Foundation
@testable import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// What a disturbed feed hands out of the entries after a reader's cursor.
@Suite struct FeedFaultRulesTests {
    /// One row of a table: the entries as words, one for each second, and what is handed out.
    struct Case: CustomTestStringConvertible, Sendable {
        var fault: StoreError.Code?
        var delay: Int64?
        /// `sold1` is a sale of transaction 1, `other1` one on another device, `refunded1` a refund,
        /// `deleted1` its deletion, `finished1` and `claimed1` events that name it, `asked` an event
        /// of none, `used` and `usedThere` the use of a fault by this device's feed and by another's.
        var entries: String
        var hasMore = false
        /// Of sales whose purchase has not been answered.
        var unanswered: Set<Int64> = []
        /// How many entries are handed out; nil for all.
        var count: Int?
        /// Whether these are disturbed.
        var isDisturbed = false

        var testDescription: String { "\(fault?.rawValue ?? "none"): \(entries)" }
    }

    private static let cases: [Case] = [
        Case(entries: "sold1 sold2"),
        Case(fault: .deliveredTwice, entries: "asked finished1 deleted1"),
        Case(fault: .deliveredTwice, entries: "asked sold1", isDisturbed: true),
        Case(fault: .deliveredTwice, entries: "refunded1", isDisturbed: true),
        // A time of one minute; the entries are 10 seconds old and younger.
        Case(fault: .deliveredLate, delay: 60_000, entries: "asked sold1 sold2", count: 1),
        Case(
            fault: .deliveredLate, delay: 9_500, entries: "sold1 sold2", count: 1, isDisturbed: true
        ),
        Case(fault: .deliveredLate, delay: 1, entries: "sold1 sold2", isDisturbed: true),
        Case(fault: .deliveredLate, delay: 60_000, entries: "asked finished1"),
        // Until the next one comes.
        Case(fault: .deliveredLate, entries: "asked sold1 asked", count: 1),
        Case(fault: .deliveredLate, entries: "sold1 refunded1", isDisturbed: true),
        Case(fault: .deliveredLate, entries: "sold1", hasMore: true, isDisturbed: true),
        Case(fault: .deliveredOutOfOrder, entries: "sold1 asked", count: 0),
        Case(fault: .deliveredOutOfOrder, entries: "sold1 sold2", isDisturbed: true),
        Case(fault: .deliveredOutOfOrder, entries: "sold1", hasMore: true),
        Case(fault: .deliveredOutOfOrder, entries: "sold1 claimed1"),
        Case(fault: .deliveredOutOfOrder, entries: "sold1 claimed1 sold2", count: 2),
        Case(
            fault: .deliveredOutOfOrder, entries: "sold1 claimed1 sold2 sold3", isDisturbed: true),
        Case(fault: .deliveredAfterAnswer, entries: "refunded1 sold2", unanswered: [2], count: 1),
        Case(fault: .deliveredAfterAnswer, entries: "sold2", unanswered: [1], isDisturbed: true),
        Case(fault: .deliveredAfterAnswer, entries: "refunded1 other2", unanswered: [2]),
        // Another reader has used the fault up: what comes after that is decided for itself.
        Case(entries: "sold1 used sold2", count: 2, isDisturbed: true),
        Case(fault: .deliveredTwice, entries: "used sold2", isDisturbed: true),
        Case(entries: "sold1 usedThere sold2"), Case(entries: "asked used sold2"),
    ]

    @Test("a fault of updates holds back and disturbs no more than it says", arguments: cases)
    func step(_ row: Case) {
        let entries = Self.entries(row.entries)
        let fault = row.fault.map {
            Fault(id: 5, call: .updates, error: $0, remaining: 1, delayMilliseconds: row.delay)
        }
        let others = [Fault(id: 1, call: .purchase, error: .networkError, remaining: 1)]
        let step = FeedFaultRules.step(
            of: entries, hasMore: row.hasMore, under: others + [fault].compactMap(\.self),
            at: Bench.now, on: "phone", unanswered: Set(row.unanswered.map(Self.payment)))
        #expect(step.count == row.count ?? entries.count)
        #expect((step.disorder != nil) == row.isDisturbed)
        let isHeld = step.count < entries.count && !step.isCounted
        #expect(step.holding == (isHeld ? fault : nil))
        #expect(!isHeld || entries[step.count].isUpdate, "only an update is held back")
        #expect((step.until != nil) == (isHeld && row.delay != nil))
    }

    @Test("a fault has a time only where something is late, and of notifications")
    func delay() {
        func refusal(_ call: Fault.Call, _ error: StoreError.Code, _ delay: Int64) -> StoreError? {
            Bench().perform(
                .failNext(call, error: error, count: nil, delayMilliseconds: delay)
            ).refusal
        }
        for (call, error): (Fault.Call, StoreError.Code) in [
            (.updates, .deliveredLate), (.notification, .deliveredLate),
            (.notification, "TIMED_OUT"), (.anyEndpoint, .lateAnswer),
        ] {
            #expect(refusal(call, error, 1) == nil, "\(call) \(error)")
        }
        for (call, error, delay): (Fault.Call, StoreError.Code, Int64) in [
            (.updates, .deliveredLate, 0), (.updates, .deliveredTwice, 5),
            (.purchase, .networkError, 5), (.purchase, .deliveredLate, 5),
            (.notification, "TIMED_OUT", 0), (.anyEndpoint, "4290000", 5),
        ] {
            #expect(refusal(call, error, delay)?.code == .invalidName, "\(error) \(delay)")
        }
    }

    @Test("a use that another reader has counted is not counted again")
    func countedOnce() {
        var bench = Bench()
        let seen = Fault(id: 5, call: .updates, error: .deliveredTwice, remaining: 2)
        let request = SpendFaultRequest(call: .updates, device: "phone", seen: seen)
        bench.snapshot.faults = [seen]
        #expect(bench.decide(request).facts == [.faultSpent(seen.spentOnce)])
        bench.snapshot.faults = [seen.spentOnce]
        #expect(bench.decide(request).decision == nil)
    }

    @Test(
        "a failure of notifications lasts until its date, and the first use afterwards removes it")
    func until() throws {
        let set = Bench().perform(
            .failNext(.notification, error: .notDelivered, count: nil, delayMilliseconds: 5))
        guard case .faultSet(let fault)? = set.facts.first else {
            Issue.record("\(set)")
            return
        }
        #expect(fault.until == Bench.now.advanced(byMilliseconds: 5))
        #expect(fault.delayMilliseconds == nil)
        var bench = Bench()
        let over = Fault(
            id: 6, call: .notification, error: .notDelivered, remaining: nil, until: Bench.now)
        bench.snapshot.faults = [over]
        let request = SpendFaultRequest(call: .notification, seen: over)
        #expect(bench.decide(request).facts == [.faultsCleared([over])])
    }

    // MARK: - Entries

    private static func payment(_ number: Int64) -> PaymentID {
        PaymentID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number))))
    }

    private static func entries(_ words: String) -> [RecordedEntry] {
        words.split(separator: " ").map(String.init).enumerated().map { index, word in
            let number = Int64(word.filter(\.isNumber))
            return RecordedEntry(
                position: 10 + Int64(index),
                recordedAt: Bench.now.advanced(byMilliseconds: Int64(index) * 1_000 - 10_000),
                number: number.map { TransactionID($0) },
                entry: Entry(
                    account: "aoi", device: word.hasSuffix("There") ? "tablet" : device(of: word),
                    effectiveAt: Bench.now, fact: fact(word.filter(\.isLetter), number ?? 0)))
        }
    }

    private static func device(of word: String) -> DeviceName {
        word.hasPrefix("other") ? "tablet" : "phone"
    }

    private static func fact(_ word: String, _ number: Int64) -> Entry.Fact {
        switch word {
        case "sold", "other":
            var sale = Bench.sold(SampleCatalog.coins, type: .consumable).sale
            sale.cause = .payment(payment(number), shownPrice: sale.price)
            return .sold(sale)
        case "refunded", "deleted":
            let none = Money(milliunits: 0, currency: "USD")
            return .revised(
                TransactionRevision(
                    state: TransactionState(revision: 1, isDeleted: word == "deleted"),
                    change: word == "deleted"
                        ? .deleted(sold: none, refunded: none) : .refunded(none),
                    productID: SampleCatalog.coins, type: .consumable))
        case "finished": return .finished
        case "claimed": return .claimed(by: "tablet")
        case "used", "usedThere":
            return .faultSpent(
                Fault(id: 4, call: .updates, error: .deliveredTwice, remaining: 0))
        default: return .promoted(SampleCatalog.theme)
        }
    }
}
