import StoreCatalog
import StoreEngine
@testable import StoreModel
import StoreTestSupport
import Testing

@Suite struct ApprovalTests {
    private let number = TransactionID(7)

    private func approve(_ bench: Bench) -> Decided<[RecordedEntry]> {
        bench.perform(.approve(number))
    }

    @Test("an approved request becomes a sale with the request's number")
    func anApprovedRequestBecomesTheSaleWithItsNumber() {
        var bench = Bench()
        let waiting = bench.ask(.of(SampleCatalog.coins, quantity: 3))
        let decision = approve(bench).decision
        #expect(decision?.entries.map(\.number) == [.existing(number)])
        #expect(decision?.entries.first?.device == "phone")
        #expect(approve(bench).sale?.payment == waiting.payment)
        #expect(approve(bench).sale?.price.milliunits == 2_970)
        #expect(decision?.reads.keys.contains(.account("aoi")) == true)
    }

    @Test("an approved request charges the price that was shown")
    func thePriceThatWasShownIsCharged() {
        var bench = Bench()
        var payment = Payment.of(SampleCatalog.theme)
        payment.shownPrice = Money(milliunits: 1_500, currency: "USD")
        bench.ask(payment)
        #expect(approve(bench).sale?.price == payment.shownPrice)
    }

    @Test("what was asked for in one currency is not charged in a territory with another")
    func otherCurrency() {
        var bench = Bench()
        bench.ask(.of(SampleCatalog.theme))
        #expect(approve(bench).sale?.storefront == "USA")
        bench.know(AccountSettings(name: "aoi", territory: "JPN"))
        #expect(approve(bench).failure?.code == .priceChanged)
        #expect(approve(bench).sale == nil)
    }

    @Test("approving twice changes nothing")
    func approvingTwiceChangesNothing() {
        var bench = Bench()
        let sold = Bench.sold(SampleCatalog.theme, id: 7, type: .nonConsumable)
        bench.sell(sold)
        #expect(approve(bench).answer == [])
    }

    @Test("approving a product bought in the meantime fails as already owned")
    func whatWasOwnedMeanwhileComesToNothing() {
        var bench = Bench()
        bench.ask(.of(SampleCatalog.theme))
        bench.sell(Bench.sold(SampleCatalog.theme, type: .nonConsumable))
        #expect(approve(bench).failure?.code == .alreadyOwned)
        #expect(approve(bench).decision?.entries.first?.number == .existing(number))
    }

    @Test("approving a product gone from the catalog fails as unavailable")
    func whatIsGoneFromTheCatalogComesToNothing() {
        var bench = Bench()
        bench.ask(.of(SampleCatalog.theme))
        bench.catalog.products = []
        #expect(approve(bench).failure?.code == .productUnavailable)
    }

    @Test("an approval fails while another subscription of the group is active")
    func aSubscriptionTakenMeanwhileStandsInTheWayUntilItExpires() {
        var bench = Bench()
        bench.ask(.of(SampleCatalog.yearly))
        let active = Bench.sold(
            SampleCatalog.monthly, type: .autoRenewable,
            expires: Bench.now.advanced(byMilliseconds: 1))
        bench.sell(active)
        #expect(approve(bench).failure?.code == .subscriptionActive)
        let expired = Bench.sold(
            SampleCatalog.monthly, type: .autoRenewable, expires: Bench.now)
        bench.sell(expired)
        #expect(approve(bench).sale?.original?.id == expired.id)
    }

    @Test("a declined request fails under its own number")
    func aDeclinedRequestFailsUnderItsNumber() {
        var bench = Bench()
        bench.ask(.of(SampleCatalog.theme))
        let verdict = bench.perform(.decline(number))
        #expect(verdict.failure?.code == .approvalDeclined)
        #expect(verdict.failure?.transactionID == number)
        #expect(verdict.decision?.entries.map(\.number) == [.existing(number)])
    }

    @Test("an approved request cannot be declined")
    func anApprovedRequestCannotBeDeclined() {
        var bench = Bench()
        bench.sell(Bench.sold(SampleCatalog.theme, id: 7, type: .nonConsumable))
        #expect(bench.perform(.decline(number)).refusal?.code == .requestNotPending)
    }

    @Test("a number that is no request can be neither approved nor declined")
    func whatNeverWaitedCannotBeAnswered() {
        for verdict in [Bench().perform(.approve(number)), Bench().perform(.decline(number))] {
            #expect(verdict.refusal == StoreError(.requestNotPending, transactionID: number))
        }
    }
}
