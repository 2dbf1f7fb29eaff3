@testable import StoreCatalog
import StoreModel
import Testing

@testable import StoreEngine

@Suite("who can have an offer") struct OfferEligibilityTests {
    private typealias Offer = CatalogProduct.Offer
    private static let never = OfferHistory(membership: .never)
    private static let now = OfferHistory(membership: .subscribed, paidDays: 30)
    private static let unpaid = OfferHistory(membership: .unpaid, paidDays: 30)
    private static let before = OfferHistory(membership: .lapsed(days: 60), paidDays: 60)

    private static func code(_ customers: Set<CatalogProduct.CodeCustomer>?) -> CatalogProduct.Offer
    {
        var offer = OfferCatalog.spring
        offer.customers = customers
        return offer
    }

    private static func back(_ rule: CatalogProduct.WinBackRule) -> CatalogProduct.Offer {
        var offer = OfferCatalog.back
        offer.winBack = rule
        return offer
    }

    private static func used(
        introductory: Bool = false, codes: Set<String> = [], counts: [String: Int] = [:]
    ) -> OfferHistory {
        OfferHistory(
            membership: .never, hasUsedIntroductory: introductory, usedCodes: codes,
            codeCounts: counts)
    }

    static let cases: [(CatalogProduct.Offer, String?, OfferHistory, OfferRefusal?)] = [
        (OfferCatalog.trial, nil, never, nil),
        (OfferCatalog.trial, nil, now, .notForExisting),
        (OfferCatalog.trial, nil, unpaid, .paymentFails),
        (OfferCatalog.trial, nil, before, nil),
        (OfferCatalog.trial, nil, used(introductory: true), .introductoryUsed),
        (OfferCatalog.half, nil, never, .neverSubscribed),
        (OfferCatalog.half, nil, now, nil),
        (OfferCatalog.half, nil, before, nil),
        (OfferCatalog.half, nil, unpaid, .paymentFails),
        (code(nil), "SPRING", never, nil),
        (code(nil), "SPRING", unpaid, .paymentFails),
        (code([.new]), "SPRING", unpaid, .notForExisting),
        (code(nil), "SPRING", now, nil),
        (code(nil), "SPRING", before, nil),
        (code([.new]), "SPRING", never, nil),
        (code([.new]), "SPRING", now, .notForExisting),
        (code([.new]), "SPRING", before, .notForExpired),
        (code([.existing, .expired]), "SPRING", never, .notForNew),
        (code(nil), "SPRING", used(codes: ["SPRING"]), .codeUsed),
        (code(nil), "SPRING", used(codes: ["RARE"]), .codeUsed),
        (code(nil), "RARE", used(counts: ["RARE": 1]), .codeUsedUp),
        (code(nil), "SPRING", used(counts: ["RARE": 1]), nil),
        (code(nil), nil, used(counts: ["RARE": 1]), nil),
        (OfferCatalog.back, nil, never, .neverSubscribed),
        (OfferCatalog.back, nil, now, .stillSubscribed),
        (OfferCatalog.back, nil, unpaid, .stillSubscribed),
        (OfferCatalog.back, nil, before, nil),
        (back(.init(isSwitchedOn: false)), nil, before, .switchedOff),
        (back(.init(paidMonths: 2)), nil, before, nil),
        (back(.init(paidMonths: 3)), nil, before, .paidTooShort),
        (back(.init(lapsedMonthsMin: 2)), nil, before, nil),
        (back(.init(lapsedMonthsMin: 3)), nil, before, .lapsedTooShort),
        (back(.init(lapsedMonthsMax: 2)), nil, before, nil),
        (back(.init(lapsedMonthsMax: 1)), nil, before, .lapsedTooLong),
    ]

    @Test("the history decides, and the reason is told [D1]", arguments: cases)
    func refusal(
        offer: CatalogProduct.Offer, code: String?, history: OfferHistory, reason: OfferRefusal?
    ) {
        #expect(OfferEligibility.refusal(of: offer, code: code, to: history) == reason)
    }
}
