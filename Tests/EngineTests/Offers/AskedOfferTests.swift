import Foundation
@testable import StoreCatalog
import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

/// Offers that a payment asks for: promotional, by offer code, and win-back.
@Suite("offers that a payment asks for") struct AskedOfferTests {
    private static let monthly = SampleCatalog.monthly

    /// The error of a payment that is refused; expects that nothing is recorded.
    private static func refusal(
        of payment: Payment, in store: TestStore, account: AccountName = "aoi"
    ) async throws -> StoreError? {
        let before = try await store.entries()
        do throws(StoreError) {
            return try await store.session(account: account).purchase(payment).failure
        } catch {
            #expect(try await store.entries() == before, "a refusal records nothing")
            return error
        }
    }

    private static func lapsed(
        _ offers: [CatalogProduct.Offer]
    ) async throws -> TestStore {
        let store = try await OfferCatalog.store(offers)
        let outcome = try await store.session().purchase(.of(monthly))
        _ = try await store.console.perform(.expire(try #require(outcome.number)))
        return store
    }

    // MARK: - Promotional

    @Test(
        "who subscribed before gets a promotional offer at once, for its periods [D1, F8]",
        arguments: [false, true])
    func promotionalAfterLapse(isJWS: Bool) async throws {
        let store = try await Self.lapsed([OfferCatalog.half])
        let payment = try await store.signed("half", isJWS: isJWS, token: UUID())
        let outcome = try await store.session().purchase(payment)
        let payload = try await store.payload(of: outcome.number)
        #expect(payload.offerType == 2 && payload.offerIdentifier == "half")
        #expect(payload.offerDiscountType == "PAY_AS_YOU_GO" && payload.price == 2_490)
        for price: Int64 in [2_490, 2_490, 4_990] {
            #expect(try await store.renewalInfo().renewalPrice == price)
            _ = try await store.next()
            #expect(try await store.periods().last?.sale.price.milliunits == price)
        }
        let entries = try await store.entries()
        #expect(try await store.ledger.allRows() == Projections(folding: entries))
    }

    @Test("who subscribes has the offer from the next renewal on, and is charged nothing now")
    func promotionalNow() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.half])
        let first = try await store.session().purchase(.of(Self.monthly))
        let sold = try await store.console.takings()
        let payment = try await store.signed("half")
        let outcome = try await store.session().purchase(payment)
        #expect(outcome.number == first.number)
        #expect(try await store.console.takings() == sold)
        var info = try await store.renewalInfo()
        #expect(info.offerType == 2 && info.offerIdentifier == "half")
        #expect(info.renewalPrice == 2_490)
        // The same payment again redeems no second offer, also after the offer has begun.
        let count = try await store.entries().count
        #expect(try await store.session().purchase(payment).number == first.number)
        #expect(try await store.entries().count == count)
        for price: Int64 in [2_490, 2_490, 2_490, 4_990] {
            _ = try await store.next()
            #expect(try await store.periods().last?.sale.price.milliunits == price)
        }
        let later = try await store.entries().count
        _ = try await store.session().purchase(payment)
        #expect(try await store.entries().count == later, "redeemed once for ever")
        info = try await store.renewalInfo()
        #expect(info.offerType == nil)
        let entries = try await store.entries()
        #expect(try await store.ledger.allRows() == Projections(folding: entries))
    }

    @Test("a free trial that was used before is not given again by an approval")
    func trialOfARequest() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.trial])
        let session = store.session()
        let first = try #require(try await session.purchase(.of(Self.monthly)).number)
        #expect(try await store.periods().first?.sale.price.milliunits == 0)
        _ = try await store.console.perform(.expire(first))
        _ = try await store.console.perform(
            .changeAccount(.init(account: session.account, askToBuy: true)))
        guard case .pending(let request, _) = try await session.purchase(.of(Self.monthly)) else {
            Issue.record("not asked")
            return
        }
        _ = try await store.console.perform(.approve(request))
        let sold = try #require(try await store.periods().last)
        #expect(sold.sale.offer == nil && sold.sale.price.milliunits == 4_990)
    }

    @Test("turning auto-renew off puts an offer that has not begun aside, until it is on again")
    func autoRenewOff() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.half])
        let outcome = try await store.session().purchase(.of(Self.monthly))
        _ = try await store.session().purchase(try await store.signed("half"))
        let id = try #require(outcome.number)
        _ = try await store.console.perform(.setAutoRenew(id, false))
        #expect(try await store.renewalInfo().offerType == nil)
        _ = try await store.console.perform(.setAutoRenew(id, true))
        #expect(try await store.renewalInfo().offerIdentifier == "half")
    }

    /// A change of a correctly signed payment, and the error of the changed payment.
    struct Forgery: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var code: StoreError.Code
        var subject: String?
        var change: @Sendable (inout Payment, TestStore) async throws -> Void
    }

    private static let token = UUID()

    static let forgeries = [
        Forgery(testDescription: "no signature", code: .missingOfferParameters) { payment, _ in
            payment.offer?.signature = nil
        },
        Forgery(testDescription: "no such offer", code: .invalidOfferIdentifier) { payment, _ in
            payment.offer?.id = "third"
        },
        Forgery(
            testDescription: "the offer of a code", code: .invalidOfferIdentifier
        ) { payment, _ in payment.offer?.id = "spring" },
        Forgery(
            testDescription: "asked for as introductory", code: .invalidOfferIdentifier
        ) { payment, _ in payment.offer?.kind = .introductory },
        Forgery(
            testDescription: "signed for another offer", code: .invalidOfferSignature,
            subject: "forged|signedForOther"
        ) { payment, _ in payment.offer?.id = "other" },
        Forgery(
            testDescription: "signed for another product", code: .invalidOfferSignature,
            subject: "forged|signedForOther"
        ) { payment, _ in
            payment.productID = SampleCatalog.yearly
            payment.shownPrice = OfferCatalog.dollar(49_990)
        },
        Forgery(
            testDescription: "signed for another token", code: .invalidOfferSignature,
            subject: "forged|signedForOther"
        ) { payment, _ in payment.appAccountToken = UUID() },
        Forgery(
            testDescription: "signed for a token, sent without", code: .invalidOfferSignature,
            subject: "forged|signedForOther"
        ) { payment, _ in payment.appAccountToken = nil },
        Forgery(
            testDescription: "a key of somebody else", code: .invalidOfferSignature,
            subject: "unknownKey"
        ) { payment, _ in
            let claim = try #require(
                OfferClaim(payment, bundleID: TestStore.identity.bundleID))
            payment.offer?.signature = try await OfferKeys().sign(
                claim, nonce: UUID(), at: ManualClock().now())
        },
        Forgery(
            testDescription: "a key of somebody else under the store's name",
            code: .invalidOfferSignature, subject: "forged"
        ) { payment, store in
            let claim = try #require(
                OfferClaim(payment, bundleID: TestStore.identity.bundleID))
            guard
                case .parameters(let keyID, _, _, _)? = try await store.signed("half").offer?
                    .signature,
                case .parameters(_, let nonce, let at, let bytes) = try await OfferKeys().sign(
                    claim, nonce: UUID(), at: ManualClock().now())
            else { return }
            payment.offer?.signature = .parameters(
                keyID: keyID, nonce: nonce, timestamp: at, signature: bytes)
        },
        Forgery(
            testDescription: "more than a day old", code: .invalidOfferSignature,
            subject: "expired"
        ) { _, store in
            try await store.advance(SubscriptionPeriod(unit: .day, value: 1))
            _ = try await store.console.perform(.clock(.advance(.seconds(2))))
        },
        Forgery(
            testDescription: "used by another payment", code: .invalidOfferSignature,
            subject: "replayed"
        ) { payment, store in
            let other = Payment(
                id: PaymentID(UUID()), productID: payment.productID,
                shownPrice: payment.shownPrice, appAccountToken: payment.appAccountToken,
                offer: payment.offer)
            _ = try await store.session().purchase(other)
        },
        Forgery(
            testDescription: "used by another account", code: .invalidOfferSignature,
            subject: "replayed"
        ) { payment, store in
            let session = store.session(account: "kai")
            _ = try await session.purchase(.of(monthly))
            let other = Payment(
                id: PaymentID(UUID()), productID: payment.productID,
                shownPrice: payment.shownPrice, appAccountToken: payment.appAccountToken,
                offer: payment.offer)
            _ = try await session.purchase(other)
        },
    ]

    @Test(
        "a signature that was not made for this payment is refused, and nothing is changed [F8]",
        arguments: forgeries, [false, true])
    func forged(forgery: Forgery, isJWS: Bool) async throws {
        var other = OfferCatalog.half
        other.id = "other"
        let offers = [OfferCatalog.half, other, OfferCatalog.spring]
        var catalog = OfferCatalog.catalog(offers)
        for index in catalog.products.indices
        where catalog.products[index].id == SampleCatalog.yearly {
            catalog.products[index].subscription?.offers = offers
        }
        let store = try await TestStore(elapsed: nil, catalog: catalog)
        _ = try await store.session().purchase(.of(Self.monthly))
        var payment = try await store.signed("half", isJWS: isJWS, token: Self.token)
        try await forgery.change(&payment, store)
        let error = try #require(try await Self.refusal(of: payment, in: store))
        #expect(error.code == forgery.code, "\(error)")
        if let subject = forgery.subject {
            #expect(
                subject.split(separator: "|").contains { $0 == error.subject ?? "" }, "\(error)")
        }
    }

    @Test("a JWS with any part altered is refused", arguments: [0, 1, 2])
    func alteredJWS(part: Int) async throws {
        let store = try await Self.lapsed([OfferCatalog.half])
        var payment = try await store.signed("half", isJWS: true)
        var parts = try #require(payment.offer?.signature).text.split(separator: ".")
            .map(String.init)
        let middle = parts[part].index(parts[part].startIndex, offsetBy: 8)
        parts[part].replaceSubrange(middle...middle, with: parts[part][middle] == "A" ? "B" : "A")
        payment.offer?.signature = .jws(parts.joined(separator: "."))
        let error = try #require(try await Self.refusal(of: payment, in: store))
        #expect(error.code == .invalidOfferSignature)
    }

    @Test("who never subscribed is not eligible for a promotional offer")
    func promotionalForNobody() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.half])
        let payment = try await store.signed("half")
        let error = try #require(try await Self.refusal(of: payment, in: store))
        #expect(error.code == .ineligibleForOffer && error.subject == "neverSubscribed")
    }

    @Test("a request with a promotional offer is sold with it when it is approved, also days later")
    func approval() async throws {
        let store = try await Self.lapsed([OfferCatalog.half])
        _ = try await store.console.perform(
            .changeAccount(AccountChange(account: "aoi", askToBuy: true)))
        let payment = try await store.signed("half")
        let request = try #require(try await store.session().purchase(payment).number)
        try await store.advance(SubscriptionPeriod(unit: .day, value: 3))
        _ = try await store.console.perform(.approve(request))
        #expect(try await store.payload(of: request).offerIdentifier == "half")
    }

    @Test(
        "an offer for the next renewal waits for an approval, which redeems it once",
        arguments: [false, true])
    func approvalForLater(isJWS: Bool) async throws {
        let store = try await OfferCatalog.store([OfferCatalog.half])
        let first = try await store.session().purchase(.of(Self.monthly))
        _ = try await store.console.perform(
            .changeAccount(AccountChange(account: "aoi", askToBuy: true)))
        let payment = try await store.signed("half", isJWS: isJWS)
        guard case .pending(let request, _) = try await store.session().purchase(payment) else {
            Issue.record("not asked")
            return
        }
        #expect(try await store.renewalInfo().offerType == nil)
        let events = try await store.console.perform(.approve(request))
        guard case .subscriptionChanged(let change)? = events.first?.change else {
            Issue.record("\(events)")
            return
        }
        #expect(change.kind == .offerRedeemed && change.answers?.request == request)
        #expect(try await store.renewalInfo().offerIdentifier == "half")
        #expect(try await store.session().purchase(payment).number == first.number)
        let rows = try await store.ledger.allRows()
        let folded = try Projections(folding: try await store.entries())
        #expect(rows == folded)
        // The nonce of its signature cannot be used again.
        let again = Payment(
            id: PaymentID(UUID()), productID: payment.productID, shownPrice: payment.shownPrice,
            offer: payment.offer)
        let refused = try await Self.refusal(of: again, in: store)
        #expect(refused?.code == .invalidOfferSignature && refused?.subject == "replayed")
    }

    @Test(
        "a signature that another account has used while a request waited is refused at the approval"
    )
    func signatureUsedMeanwhile() async throws {
        let store = try await Self.lapsed([OfferCatalog.half])
        let other = try await store.session(account: "kai").purchase(.of(Self.monthly))
        _ = try await store.console.perform(.expire(try #require(other.number)))
        _ = try await store.console.perform(
            .changeAccount(AccountChange(account: "aoi", askToBuy: true)))
        let waiting = try await store.signed("half")
        let request = try #require(try await store.session().purchase(waiting).number)
        let theirs = Payment(
            id: PaymentID(UUID()), productID: waiting.productID, shownPrice: waiting.shownPrice,
            offer: waiting.offer)
        #expect(try await store.session(account: "kai").purchase(theirs).isPurchased)
        _ = try await store.console.perform(.approve(request))
        let failure = try await store.session().purchase(waiting).failure
        #expect(failure?.code == .invalidOfferSignature && failure?.subject == "replayed")
    }

    // MARK: - Codes

    @Test("a code is redeemed once by each account, and no more often than its limit [D1]")
    func code() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.spring])
        let rare = store.code("RARE")
        let outcome = try await store.session().purchase(rare)
        let payload = try await store.payload(of: outcome.number)
        #expect(payload.offerType == 3 && payload.offerIdentifier == "spring")
        #expect(payload.price == 5_000 && payload.offerPeriod == "P2M")
        let again = try #require(try await Self.refusal(of: store.code("SPRING"), in: store))
        #expect(again.code == .ineligibleForOffer && again.subject == "codeUsed")
        let late = try #require(
            try await Self.refusal(of: store.code("RARE"), in: store, account: "kai"))
        #expect(late.code == .ineligibleForOffer && late.subject == "codeUsedUp")
        let other = try await store.session(account: "kai").purchase(store.code("SPRING"))
        #expect(other.isPurchased)
        let unknown = try #require(try await Self.refusal(of: store.code("NONE"), in: store))
        #expect(unknown.code == .invalidOfferIdentifier)
    }

    @Test("of many accounts at once one gets the last use of a code", arguments: [2, 16])
    func lastUse(count: Int) async throws {
        let store = try await OfferCatalog.store([OfferCatalog.spring])
        let sold = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                group.addTask {
                    do throws(StoreError) {
                        return try await store.session(account: AccountName("a\(number)"))
                            .purchase(store.code("RARE")).isPurchased
                    } catch {
                        guard error.subject == "codeUsedUp" else { throw error }
                        return false
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(sold == 1)
    }

    @Test("a stackable code's offer begins when the introductory one is over")
    func stackable() async throws {
        var spring = OfferCatalog.spring
        spring.isStackable = true
        let store = try await OfferCatalog.store([OfferCatalog.trial, spring])
        _ = try await store.session().purchase(store.code("SPRING"))
        let early = try await Self.refusal(of: store.code("SPRING"), in: store)
        #expect(early?.subject == "codeUsed", "before its offer has begun, too")
        let kinds: [OfferKind?] = [.introductory, .code, nil]
        for kind in kinds {
            #expect(try await store.periods().last?.sale.offer?.kind == kind)
            _ = try await store.next()
        }
        #expect(
            try await store.periods().map(\.sale.price.milliunits) == [0, 5_000, 4_990, 4_990])
        let error = try #require(try await Self.refusal(of: store.code("SPRING"), in: store))
        #expect(error.subject == "codeUsed")
    }

    @Test("one that is not stackable takes the place of the introductory offer")
    func notStackable() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.trial, OfferCatalog.spring])
        _ = try await store.session().purchase(store.code("SPRING"))
        #expect(try await store.periods().last?.sale.offer?.kind == .code)
        let refusal = try await store.session().offers(of: Self.monthly)[0].refusal
        #expect(refusal == .notForExisting, "it was not used up")
    }

    @Test("a code tells its product and offer; a failure set for it is used up by asking")
    func redemption() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.spring])
        let redemption = try await store.session().redemption(of: "spring")
        #expect(redemption.productID == Self.monthly && redemption.code == "SPRING")
        #expect(
            redemption.asked == PaymentOffer(kind: .code, id: "spring", code: "SPRING"))
        _ = try await store.console.perform(
            .failNext(.offerCodeRedeem, error: .networkError, count: 1))
        await #expect(throws: StoreError(.networkError, subject: "offerCodeRedeem")) {
            _ = try await store.session().redemption(of: "SPRING")
        }
        #expect(try await store.console.faults().isEmpty)
        await #expect(throws: StoreError(.invalidOfferIdentifier, found: "AUTUMN")) {
            _ = try await store.session().redemption(of: "AUTUMN")
        }
    }

    // MARK: - Win-back

    @Test("the offers to win somebody back are in the renewal info, the best first [D1]")
    func winBack() async throws {
        var paid = OfferCatalog.back
        paid.id = "paid"
        paid.winBack = .init(paidMonths: 1)
        var late = OfferCatalog.back
        late.id = "late"
        late.winBack = .init(lapsedMonthsMin: 2)
        let store = try await OfferCatalog.store([late, paid, OfferCatalog.back])
        let outcome = try await store.session().purchase(.of(Self.monthly))
        #expect(try await store.renewalInfo().eligibleWinBackOfferIds == nil)
        _ = try await store.console.perform(.setAutoRenew(try #require(outcome.number), false))
        try await store.advance(SubscriptionPeriod(unit: .day, value: 40))
        #expect(try await store.renewalInfo().eligibleWinBackOfferIds == ["paid", "back"])
        try await store.advance(SubscriptionPeriod(unit: .day, value: 60))
        #expect(
            try await store.renewalInfo().eligibleWinBackOfferIds == ["late", "paid", "back"])
        var payment = Payment.of(Self.monthly)
        payment.offer = PaymentOffer(kind: .winBack, id: "paid")
        let back = try await store.session().purchase(payment)
        let payload = try await store.payload(of: back.number)
        #expect(payload.offerType == 4 && payload.offerIdentifier == "paid" && payload.price == 0)
        #expect(payload.originalTransactionId == outcome.number)
        #expect(try await store.renewalInfo().eligibleWinBackOfferIds == nil)
    }

    @Test("of several offers to win somebody back the best is first, whatever the catalog's order")
    func winBackOrder() async throws {
        func offer(
            _ id: OfferID, _ mode: OfferMode, _ period: String, count: Int = 1,
            price: Int64? = nil, _ rule: CatalogProduct.WinBackRule? = nil
        ) throws -> CatalogProduct.Offer {
            CatalogProduct.Offer(
                kind: .winBack, id: id, mode: mode,
                period: try #require(SubscriptionPeriod(iso8601: period)), periodCount: count,
                prices: price.map { .byTerritory(["USA": $0]) }, winBack: rule)
        }
        // The monthly subscription costs 4.99.
        let offers = [
            try offer("week", .freeTrial, "P1W"),
            try offer("alike", .payUpFront, "P2M", price: 4_990),
            try offer("half", .payAsYouGo, "P1M", count: 3, price: 2_490),
            try offer("chosen", .freeTrial, "P3D", .init(priority: .high)),
            try offer("month", .freeTrial, "P1M", .init(priority: .normal)),
            try offer("best", .freeTrial, "P3M"),
            try offer("off", .freeTrial, "P1Y", .init(priority: .high, isSwitchedOn: false)),
            CatalogProduct.Offer(
                kind: .winBack, id: "abroad", mode: .payUpFront, period: OfferCatalog.month,
                prices: .byTerritory(["JPN": 100_000])),
        ]
        let expected = ["chosen", "best", "half", "alike", "month", "week"]
        for offers in [offers, offers.reversed()] {
            let store = try await OfferCatalog.store(offers)
            let bought = try await store.session().purchase(.of(Self.monthly))
            _ = try await store.console.perform(.setAutoRenew(try #require(bought.number), false))
            try await store.advance(SubscriptionPeriod(unit: .day, value: 40))
            #expect(try await store.renewalInfo().eligibleWinBackOfferIds == expected)
        }
    }

    @Test("a win-back offer is refused with its reason to who subscribes, and to who never did")
    func winBackRefused() async throws {
        let store = try await OfferCatalog.store([OfferCatalog.back])
        var payment = Payment.of(Self.monthly)
        payment.offer = PaymentOffer(kind: .winBack, id: "back")
        for reason in ["neverSubscribed", "stillSubscribed"] {
            let error = try #require(try await Self.refusal(of: payment, in: store))
            #expect(error.code == .ineligibleForOffer && error.subject == reason)
            _ = try await store.session().purchase(.of(Self.monthly))
        }
    }

    // MARK: - Outside the app

    static let outside: [(OfferID?, Int64?, StoreError.Code?)] = [
        (nil, 0, nil), ("spring", 5_000, nil), ("half", nil, .ineligibleForOffer),
        ("none", nil, .invalidOfferIdentifier),
    ]

    @Test(
        "a purchase outside the app has the offer that is named, or the introductory one",
        arguments: outside)
    func outsideApp(offer: OfferID?, price: Int64?, refusal: StoreError.Code?) async throws {
        let store = try await OfferCatalog.store([
            OfferCatalog.trial, OfferCatalog.half, OfferCatalog.spring,
        ])
        let action = OperatorAction.buyOutside(
            Self.monthly, account: "aoi", quantity: 1, offer: offer)
        #expect(try await store.console.refusal(of: action)?.code == refusal)
        guard refusal == nil else { return }
        _ = try await store.console.perform(action)
        #expect(try await store.periods().map(\.sale.price.milliunits) == [try #require(price)])
    }

    @Test("offers of the signed forms are read from one word, and written as they were [F8]")
    func signatureText() async throws {
        let store = try await Self.lapsed([OfferCatalog.half])
        for isJWS in [false, true] {
            let signature = try #require(
                try await store.signed("half", isJWS: isJWS).offer?.signature)
            #expect(OfferSignature(signature.text) == signature)
        }
        for text in ["", "a", "a.b", "k:n:1:2", "k:\(UUID()):x:AAAA", ":\(UUID()):1:AAAA"] {
            #expect(OfferSignature(text) == nil, "\(text)")
        }
    }
}
