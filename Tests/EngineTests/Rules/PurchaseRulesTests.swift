import Foundation
import StoreCatalog
@testable import StoreEngine
@testable import StoreModel
import StoreTestSupport
import Testing

@Suite struct PurchaseRulesTests {
    private static let token = UUID()

    // MARK: - The same id again

    @Test("a payment id reused with other values is refused, naming the field that differs")
    func theSameIDWithOtherContentsIsRefusedNamingTheField() {
        let first = Payment.of(SampleCatalog.coins, quantity: 2)
        var bench = Bench()
        bench.know(first, .failed(StoreError(.unknown), request: nil))
        var product = Payment.of(SampleCatalog.theme, quantity: 2, id: first.id)
        product.shownPrice = first.shownPrice
        var quantity = first
        quantity.quantity = 3
        var token = first
        token.appAccountToken = Self.token
        var username = first
        username.applicationUsernameHash = Self.username
        let table: [(Payment, Customer, String)] = [
            (first, Bench.kai, "account"), (product, Bench.aoi, "productId"),
            (quantity, Bench.aoi, "quantity"), (token, Bench.aoi, "appAccountToken"),
            (username, Bench.aoi, "applicationUsername"),
        ]
        for (payment, customer, field) in table {
            let refusal = bench.buy(payment, as: customer).refusal
            #expect(refusal?.code == .paymentMismatch)
            #expect(refusal?.subject == field)
            #expect(refusal?.paymentID == first.id)
        }
    }

    @Test("a payment sent again is answered with its recorded state [C2]")
    func theSamePaymentAgainAnswersWithWhatBecameOfIt() {
        let payment = Payment.of(SampleCatalog.coins)
        let states: [PaymentRow.State] = [
            .deferred(request: TransactionID(4), reason: .askToBuy),
            .failed(StoreError(.networkError), request: nil),
            .sold(Bench.sold(SampleCatalog.coins, type: .consumable)),
        ]
        for state in states {
            var bench = Bench()
            bench.know(payment, state)
            let known = bench.buy(payment).answer
            #expect(known?.state == state)
            #expect(known?.alreadyOwned == false)
        }
    }

    @Test("a sold payment is answered with its sale although the price or the territory changed")
    func thePriceIsNotCompared() {
        let payment = Payment.of(SampleCatalog.coins)
        var bench = Bench()
        bench.know(payment, .sold(Bench.sold(SampleCatalog.coins, type: .consumable)))
        bench.know(AccountSettings(name: "aoi", territory: "JPN"))
        for price in [
            Money(milliunits: 9_990, currency: "USD"), .init(milliunits: 150_000, currency: "JPY"),
        ] {
            var again = payment
            again.shownPrice = price
            #expect(bench.buy(again).answer?.state == bench.buy(payment).answer?.state)
        }
        var other = payment
        other.quantity = 3
        let refusal = bench.buy(other).refusal
        #expect(refusal?.code == .paymentMismatch)
        #expect(refusal?.transactionID != nil, "the error names the sale")
    }

    @Test("a known payment is answered even if its product is gone")
    func aKnownPaymentIsAnsweredEvenIfItsProductIsGone() {
        let payment = Payment.of(SampleCatalog.coins)
        var bench = Bench()
        bench.know(payment, .deferred(request: TransactionID(4), reason: .askToBuy))
        bench.catalog.products = []
        #expect(bench.buy(payment).answer != nil)
    }

    // MARK: - Refusals record nothing

    @Test("an unknown product is unavailable")
    func whatNobodySellsIsUnavailable() {
        let payment = Payment.of("test.unheard")
        let refusal = Bench().buy(payment).refusal
        #expect(refusal?.code == .productUnavailable)
        #expect(refusal?.productID == "test.unheard")
    }

    @Test("a product without a price in the account's territory is not sold")
    func aTerritoryWithoutAPriceDoesNotSell() {
        var bench = Bench()
        bench.know(AccountSettings(name: "aoi", territory: "FRA"))
        let refusal = bench.buy(.of(SampleCatalog.coins)).refusal
        #expect(refusal?.code == .notAvailableInStorefront)
        #expect(refusal?.found == "FRA")
    }

    @Test(
        "a quantity outside the limits of the product's type is refused [C2]",
        arguments: [
            (SampleCatalog.coins, 0, false), (SampleCatalog.coins, 1, true),
            (SampleCatalog.coins, 10, true), (SampleCatalog.coins, 11, false),
            (SampleCatalog.coins, -1, false), (SampleCatalog.pass, 2, true),
            (SampleCatalog.theme, 1, true), (SampleCatalog.theme, 2, false),
            (SampleCatalog.monthly, 2, false),
        ])
    func onlySoManyAreSoldAtOnce(_ product: ProductID, _ quantity: Int, _ isSold: Bool) {
        let verdict = Bench().buy(.of(product, quantity: quantity))
        #expect((verdict.sale != nil) == isSold)
        #expect(verdict.refusal?.code == (isSold ? nil : .invalidQuantity))
    }

    @Test("the charge is the price times the quantity")
    func theQuantityIsCharged() {
        let sale = Bench().buy(.of(SampleCatalog.coins, quantity: 10)).sale
        #expect(sale?.price == Money(milliunits: 9_900, currency: "USD"))
    }

    @Test(
        "a payment with an outdated price is refused, with the current one",
        arguments: [
            Money(milliunits: 989, currency: "USD"), Money(milliunits: 990, currency: "JPY"),
        ])
    func anotherPriceThanTheOneShownIsAskedAgain(_ shown: Money) {
        var payment = Payment.of(SampleCatalog.coins)
        payment.shownPrice = shown
        let refusal = Bench().buy(payment).refusal
        #expect(refusal?.code == .priceChanged)
        #expect(refusal?.found == "990")
        #expect(refusal?.subject == "USD")
    }

    @Test("the account's territory decides the price")
    func theTerritoryDecidesThePrice() {
        var bench = Bench()
        bench.know(AccountSettings(name: "aoi", territory: "JPN"))
        var payment = Payment.of(SampleCatalog.coins, quantity: 2)
        #expect(bench.buy(payment).refusal?.code == .priceChanged)
        payment.shownPrice = Money(milliunits: 160_000, currency: "JPY")
        let sale = bench.buy(payment).sale
        #expect(sale?.price == Money(milliunits: 320_000, currency: "JPY"))
        #expect(sale?.storefront == "JPN")
    }

    @Test(
        "a product that the app's own server delivers is sold, and none that the store hosts [A8]")
    func whatTheAppsOwnServerDeliversIsSold() {
        #expect(Bench().buy(.of(SampleCatalog.charts)).sale?.isHosted == false)
    }

    // MARK: - Already owned

    @Test("buying an owned non-consumable again is free")
    func whatIsOwnedIsGivenAgainFree() {
        var bench = Bench()
        let owned = Bench.sold(SampleCatalog.theme, type: .nonConsumable)
        bench.sell(owned, isFinished: true)
        let known = bench.buy(.of(SampleCatalog.theme)).answer
        #expect(known?.alreadyOwned == true)
        #expect(known?.state == .sold(owned))
        #expect(bench.buy(.of(SampleCatalog.otherTheme)).sale != nil)
        #expect(bench.buy(.of(SampleCatalog.theme), as: Bench.kai).sale != nil)
    }

    @Test("an owned product is free even if payments are off or a fault is set")
    func whatIsOwnedIsFreeWhateverStandsInTheWayOfASale() {
        var bench = Bench()
        bench.sell(Bench.sold(SampleCatalog.theme, type: .nonConsumable))
        bench.know(
            AccountSettings(
                name: "aoi", territory: "USA", askToBuy: true, canMakePayments: false))
        bench.snapshot.faults = [Fault(id: 1, call: .purchase, error: .unknown, remaining: 1)]
        #expect(bench.buy(.of(SampleCatalog.theme)).answer?.alreadyOwned == true)
    }

    // MARK: - Subscriptions

    @Test("a group has at most one active subscription [D1]")
    func aGroupHoldsOneActiveSubscription() {
        var bench = Bench()
        let until = Bench.now.advanced(byMilliseconds: 1)
        bench.sell(Bench.sold(SampleCatalog.monthly, type: .autoRenewable, expires: until))
        for product in [SampleCatalog.monthly, SampleCatalog.yearly] {
            let refusal = bench.buy(.of(product)).refusal
            #expect(refusal?.code == .subscriptionActive)
            #expect(refusal?.transactionID == TransactionID(3))
        }
        #expect(bench.buy(.of(SampleCatalog.monthly), as: Bench.kai).sale != nil)
    }

    @Test("an expired subscription is sold again in its chain")
    func anExpiredSubscriptionIsSoldAgainInItsChain() {
        var bench = Bench()
        let original = Sale.Original(
            id: TransactionID(1), purchaseDate: Timestamp(milliseconds: 5))
        let row = Bench.sold(
            SampleCatalog.monthly, type: .autoRenewable, expires: Bench.now, original: original)
        bench.sell(row, isFinished: true)
        let sale = bench.buy(.of(SampleCatalog.yearly)).sale
        #expect(sale?.original == original)
        #expect(sale?.expiresDate.map { $0 > Bench.now } == true)
    }

    @Test("the first transaction of a chain is the original of the second")
    func theFirstOfAChainIsTheOriginalOfTheSecond() {
        var bench = Bench()
        let first = Bench.sold(SampleCatalog.monthly, type: .autoRenewable, expires: Bench.now)
        bench.sell(first)
        #expect(bench.buy(.of(SampleCatalog.monthly)).sale?.original?.id == first.id)
        #expect(Bench().buy(.of(SampleCatalog.monthly)).sale?.original == nil)
    }

    @Test("a subscription ends after its period")
    func aSubscriptionEndsAfterItsPeriod() {
        let sale = Bench().buy(.of(SampleCatalog.monthly)).sale
        #expect(
            sale?.expiresDate == SubscriptionPeriod(unit: .month, value: 1).end(from: Bench.now))
        #expect(Bench().buy(.of(SampleCatalog.theme)).sale?.expiresDate == nil)
    }

    // MARK: - Recorded failures and requests

    @Test("a purchase by an account that may not pay fails, and that is recorded [B5]")
    func aForbiddenPurchaseIsRecorded() {
        var bench = Bench()
        bench.know(AccountSettings(name: "aoi", territory: "USA", canMakePayments: false))
        let verdict = bench.buy(.of(SampleCatalog.coins))
        #expect(verdict.failure?.code == .purchaseNotAllowed)
        #expect(verdict.facts.count == 1)
    }

    @Test("a fault is used up in the same decision as the failure it causes")
    func aFaultIsSpentWithTheFailureItMakes() {
        var bench = Bench()
        bench.know(AccountSettings(name: "aoi", territory: "USA", askToBuy: true))
        let fault = Fault(id: 4, call: .purchase, error: .networkError, remaining: 2)
        let next = Fault(id: 5, call: .purchase, error: .unknown, remaining: 1)
        bench.snapshot.faults = [fault, next]
        let payment = Payment.of(SampleCatalog.coins)
        let verdict = bench.buy(payment)
        var left = fault
        left.remaining = 1
        let error = StoreError(
            .networkError, productID: payment.productID, paymentID: payment.id)
        #expect(verdict.facts == [.faultSpent(left), .failed(payment, error)])
        #expect(verdict.decision?.reads[.store] == 0)
    }

    @Test("with Ask to Buy, a purchase becomes a request with a number")
    func askToBuyMakesARequestWithANumber() {
        var bench = Bench()
        bench.know(AccountSettings(name: "aoi", territory: "USA", askToBuy: true))
        let payment = Payment.of(SampleCatalog.theme)
        let verdict = bench.buy(payment)
        #expect(verdict.facts == [.deferred(payment, .askToBuy)])
        #expect(verdict.decision?.entries.first?.number == .next)
    }

    // MARK: - Recorded entries

    @Test("a first purchase records the account")
    func aFirstPurchaseMakesTheAccountKnown() {
        let payment = Payment.of(SampleCatalog.coins)
        let decision = Bench().buy(payment).decision
        #expect(
            decision?.entries.first?.fact
                == .accountChanged(AccountSettings(name: "aoi", territory: "USA")))
        #expect(decision?.entries.map(\.number) == [.none, .next])
        #expect(decision?.newPayments == [payment.id])
        #expect(decision?.entries.allSatisfy { $0.device == "phone" } == true)
    }

    @Test("a sale depends on the account's stream and the store's")
    func aSaleRestsOnItsAccountAndWhatConcernsEverybody() {
        var bench = Bench()
        bench.snapshot.versions = [.account("aoi"): 3, .store: 9]
        let reads = bench.buy(.of(SampleCatalog.coins)).decision?.reads
        #expect(reads == [.account("aoi"): 3, .store: 9])
    }

    @Test("a sale keeps the app account token and the purchase date")
    func aSaleKeepsTheAppsTokenAndTheDate() {
        var payment = Payment.of(SampleCatalog.coins)
        payment.appAccountToken = Self.token
        payment.applicationUsernameHash = Self.username
        let sale = Bench().buy(payment).sale
        #expect(sale?.appAccountToken == Self.token)
        #expect(sale?.applicationUsernameHash == Self.username)
        #expect(sale?.payment == payment)
        #expect(sale?.purchaseDate == Bench.now)
        #expect(sale?.type == .consumable)
    }

    /// SHA-256 of "mira".
    private static let username =
        "3c38aafb0579dafe18bb584dce2786ccaab6835245f2979af4bb7dd2b6b90775"

    @Test(
        "a user name that is no digest is refused: the name itself is never kept [C3]",
        arguments: [
            "mira", "", username.uppercased(), String(username.dropLast()), username + "0",
            String(repeating: "０", count: 22), String(repeating: "g", count: 64),
        ])
    func usernames(hash: String) {
        var payment = Payment.of(SampleCatalog.coins)
        payment.applicationUsernameHash = hash
        let refusal = Bench().buy(payment).refusal
        #expect(refusal?.code == .paymentInvalid && refusal?.subject == "applicationUsername")
    }

    @Test("a free product is sold at a price of zero [B4]")
    func whatIsFreeIsSoldForNothing() {
        let sale = Bench().buy(.of(SampleCatalog.free)).sale
        #expect(sale?.price == Money(milliunits: 0, currency: "USD"))
    }
}
