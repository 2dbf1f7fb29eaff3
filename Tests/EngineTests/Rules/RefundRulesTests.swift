@testable import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

@Suite("refund, revocation, reversal and deletion")
struct RefundRulesTests {
    private static let coins = TransactionID(3)

    /// A sale of 990 milliunits; a subscription's period is three seconds long.
    private static func bench(
        _ type: ProductType = .consumable, _ state: TransactionState = .asSold,
        elapsed: Int64 = 0
    ) -> Bench {
        var bench = Bench()
        let product: ProductID =
            switch type {
            case .consumable: SampleCatalog.coins
            case .nonConsumable: SampleCatalog.theme
            case .autoRenewable: SampleCatalog.monthly
            case .nonRenewing: SampleCatalog.pass
            }
        var row = Bench.sold(product, type: type)
        row.sale.price = Money(milliunits: 990, currency: "USD")
        row.sale.purchaseDate = Bench.now.advanced(byMilliseconds: -elapsed)
        if type == .autoRenewable {
            row.sale.expiresDate = row.sale.purchaseDate.advanced(byMilliseconds: 3_000)
        }
        row.state = state
        bench.snapshot.transactions[row.id] = row
        return bench
    }

    private static func revocation(_ refunded: Int, takenBack: Int? = nil) -> Revocation {
        Revocation(
            date: .earliest, reason: .other, takenBack: Share(percent: takenBack ?? refunded),
            refunded: Share(percent: refunded),
            refundedMilliunits: Share(percent: refunded)
                .refund(of: Money(milliunits: 990, currency: "USD")).milliunits)
    }

    private static func revision(_ verdict: Decided<[RecordedEntry]>) -> TransactionRevision? {
        for case .revised(let revision) in verdict.facts { return revision }
        return nil
    }

    @Test(
        "a refund returns its share of the price, and at most what is left",
        arguments: [
            // Each part is a whole number of cents, and all parts together are at most the price.
            (0, RefundAmount.rest, 990, 100_000), (0, .percent(1), 10, 1_000),
            (0, .percent(50), 500, 50_000), (50, .rest, 490, 100_000),
            (33, .percent(33), 320, 66_000), (66, .percent(34), 340, 100_000),
        ])
    func amounts(_ before: Int, _ amount: RefundAmount, _ money: Int64, _ share: Int) throws {
        let state =
            before == 0
            ? TransactionState.asSold
            : TransactionState(revision: 1, revocation: Self.revocation(before))
        let verdict = Self.bench(.consumable, state).perform(
            .refund(Self.coins, amount, reason: .app))
        let revision = try #require(Self.revision(verdict))
        #expect(revision.change == .refunded(Money(milliunits: money, currency: "USD")))
        #expect(revision.state.revision == state.revision + 1)
        #expect(revision.state.revocation?.refunded.millipercent == share)
        #expect(revision.state.revocation?.takenBack.millipercent == share)
        #expect(revision.state.revocation?.reason == .app)
        #expect(verdict.decision?.entries.first?.device == nil)
    }

    @Test(
        "an impossible refund is refused with its reason",
        arguments: [
            (100, RefundAmount.rest, StoreError.Code.alreadyRefunded),
            (60, .percent(41), .refundTooLarge), (0, .percent(101), .refundTooLarge),
            (0, .percent(0), .refundTooLarge), (0, .prorated, .nothingUnused),
        ])
    func refusals(_ before: Int, _ amount: RefundAmount, _ code: StoreError.Code) {
        let state = TransactionState(
            revision: 1, revocation: before == 0 ? nil : Self.revocation(before))
        let verdict = Self.bench(.consumable, state).perform(
            .refund(Self.coins, amount, reason: .other))
        #expect(verdict.refusal?.code == code)
        #expect(verdict.refusal?.transactionID == Self.coins)
    }

    @Test("an unknown or deleted transaction is not found by any action")
    func unknown() {
        let actions: [OperatorAction] = [
            .refund(Self.coins, .rest, reason: .other), .revoke(Self.coins),
            .reverseRefund(Self.coins), .delete(Self.coins, wholeChain: false),
        ]
        let deleted = Self.bench(
            .consumable, TransactionState(revision: 1, isDeleted: true))
        for action in actions {
            #expect(Bench().perform(action).refusal?.code == .transactionNotFound)
            #expect(deleted.perform(action).refusal?.code == .transactionNotFound)
        }
    }

    @Test(
        "a prorated refund is the share of unused time, rounded down",
        arguments: [(0, 100_000), (1, 99_966), (1_000, 66_666), (2_999, 33)])
    func prorated(_ elapsed: Int64, _ share: Int) {
        let verdict = Self.bench(.autoRenewable, elapsed: elapsed).perform(
            .refund(Self.coins, .prorated, reason: .other))
        #expect(Self.revision(verdict)?.state.revocation?.refunded.millipercent == share)
    }

    @Test("a prorated refund counts to the end of the period as it was moved")
    func proratedToMovedEnd() {
        var moved = TransactionState()
        moved.expiresDate = Bench.now.advanced(byMilliseconds: 3_000)
        let verdict = Self.bench(.autoRenewable, moved, elapsed: 3_000).perform(
            .refund(Self.coins, .prorated, reason: .other))
        #expect(Self.revision(verdict)?.state.revocation?.refunded == Share(percent: 50))
    }

    @Test("a prorated refund of an expired period is refused")
    func expired() {
        let verdict = Self.bench(.autoRenewable, elapsed: 3_000).perform(
            .refund(Self.coins, .prorated, reason: .other))
        #expect(verdict.refusal?.code == .nothingUnused)
    }

    @Test("a revocation takes back everything without a refund, once")
    func revoke() throws {
        let revision = try #require(Self.revision(Self.bench().perform(.revoke(Self.coins))))
        #expect(revision.change == .revoked)
        #expect(revision.state.revocation?.takenBack == .all)
        #expect(revision.state.revocation?.refunded == Share.none)
        let revoked = Self.bench(.consumable, revision.state)
        #expect(revoked.perform(.revoke(Self.coins)).answer == [])
        let refund = revoked.perform(.refund(Self.coins, .rest, reason: .other))
        #expect(
            Self.revision(refund)?.change
                == .refunded(Money(milliunits: 990, currency: "USD")))
    }

    @Test("a reversal clears the revocation and takes the refund back")
    func reverse() throws {
        let state = TransactionState(revision: 2, revocation: Self.revocation(50))
        let revision = try #require(
            Self.revision(Self.bench(.consumable, state).perform(.reverseRefund(Self.coins))))
        #expect(revision.state == TransactionState(revision: 3))
        #expect(
            revision.change == .refundReversed(Money(milliunits: 500, currency: "USD")))
        #expect(Self.bench().perform(.reverseRefund(Self.coins)).refusal?.code == .notRevoked)
    }

    @Test("a refund is not reversed once the product was bought again")
    func boughtAgain() {
        let state = TransactionState(revision: 1, revocation: Self.revocation(100))
        for type in [ProductType.nonConsumable, .autoRenewable] {
            var bench = Self.bench(type, state)
            let again = Bench.sold(
                type == .nonConsumable ? SampleCatalog.theme : SampleCatalog.monthly, id: 9,
                type: type, expires: Bench.now.advanced(byMilliseconds: 9))
            bench.sell(again)
            let refusal = bench.perform(.reverseRefund(Self.coins)).refusal
            #expect(refusal?.code == .boughtAgain)
            #expect(refusal?.transactionID == again.id)
        }
    }

    @Test("only the last period of a subscription can be deleted, or its whole chain")
    func chains() {
        var bench = Self.bench(.autoRenewable)
        let first = bench.snapshot.transactions[Self.coins]
        let second = Bench.sold(
            SampleCatalog.monthly, id: 9, type: .autoRenewable, expires: Bench.now,
            original: Sale.Original(id: Self.coins, purchaseDate: Bench.now))
        bench.snapshot.transactions[second.id] = second
        bench.snapshot.wholeGroups[.init(account: "aoi", group: SampleCatalog.group)] =
            [first, second].compactMap { $0 }
        let refused = bench.perform(.delete(Self.coins, wholeChain: false)).refusal
        #expect(refused?.code == .notLastOfChain)
        #expect(refused?.expected == "9")
        #expect(bench.perform(.delete(second.id, wholeChain: false)).facts.count == 1)
        let whole = bench.perform(.delete(Self.coins, wholeChain: true))
        #expect(
            whole.decision?.entries.map(\.number)
                == [.existing(Self.coins), .existing(second.id)])
    }

    @Test("revoking a subscription's current period turns auto-renew off")
    func endOfRenewal() {
        var bench = Self.bench(.autoRenewable)
        bench.snapshot.transactions[Self.coins]?.sale.term = SubscriptionTerm(
            period: SubscriptionPeriod(unit: .month, value: 1), rate: .realTime,
            anchor: Bench.now, index: 0, ordinal: 1)
        bench.snapshot.subscriptions[Self.coins] = SubscriptionRow(
            chain: Self.coins, account: "aoi", autoRenews: true, ordinal: 1,
            latest: Self.coins)
        let end = AutoRenewChange(
            chain: Self.coins, productID: SampleCatalog.monthly, isOn: false, reason: .revoked,
            state: SubscriptionState(offReason: .revoked))
        #expect(
            bench.perform(.revoke(Self.coins)).facts.contains(.autoRenewChanged(end)))
    }
}
