import Foundation
@testable import StoreCatalog
@testable import StoreModel
import Testing

/// Offers in catalogs of both formats, and their export to Xcode's format.
struct OfferReadingTests {
    private typealias Offer = CatalogProduct.Offer

    // MARK: - Our own files

    private static func native(_ offers: String) throws -> CatalogReading {
        try CatalogFixture().read(
            native: CatalogFixture.good.replacing(
                #""level": 2, "period": "P1M"}"#,
                with: #""level": 2, "period": "P1M", "offers": [\#(offers)]}"#))
    }

    private static let month = SubscriptionPeriod(unit: .month, value: 1)
    private static let week = SubscriptionPeriod(unit: .week, value: 1)

    /// An offer as JSON, and the offer that is read from it.
    static let good: [(String, CatalogProduct.Offer)] = [
        (
            #"{"kind": "introductory", "mode": "freeTrial", "period": "P1W"}"#,
            Offer(kind: .introductory, mode: .freeTrial, period: week)
        ),
        (
            #"{"kind": "promotional", "id": "half", "mode": "payAsYouGo", "period": "P1M", "#
                + #""periods": 3, "prices": {"USA": "2.49"}}"#,
            Offer(
                kind: .promotional, id: "half", mode: .payAsYouGo, period: month, periodCount: 3,
                prices: .byTerritory(["USA": 2490]))
        ),
        (
            #"{"kind": "code", "id": "spring", "mode": "payUpFront", "period": "P6M", "#
                + #""prices": {"USA": "9.99"}, "eligibility": ["new", "expired"], "#
                + #""stackable": true, "codes": ["SPRING26", "LENZ"], "limit": 5}"#,
            Offer(
                kind: .code, id: "spring", mode: .payUpFront,
                period: SubscriptionPeriod(unit: .month, value: 6),
                prices: .byTerritory(["USA": 9990]), customers: [.new, .expired],
                isStackable: true,
                codes: [.init(code: "SPRING26", limit: 5), .init(code: "LENZ", limit: 5)])
        ),
        (
            #"{"kind": "winBack", "id": "back", "mode": "freeTrial", "period": "P3D", "#
                + #""paidMonths": 2, "lapsedMonths": {"from": 1, "until": 12}, "#
                + #""priority": "high"}"#,
            Offer(
                kind: .winBack, id: "back", mode: .freeTrial,
                period: SubscriptionPeriod(unit: .day, value: 3),
                winBack: .init(
                    paidMonths: 2, lapsedMonthsMin: 1, lapsedMonthsMax: 12, priority: .high))
        ),
    ]

    @Test("an offer of every kind is read, and is kept with the catalog [F8]", arguments: good)
    func read(json: String, offer: CatalogProduct.Offer) throws {
        let reading = try Self.native(json)
        #expect(reading.problems == [])
        let catalog = try #require(reading.catalog)
        #expect(catalog.products[2].offers == [offer])
        let kept = try JSONDecoder().decode(Catalog.self, from: try catalog.body())
        #expect(kept == catalog)
    }

    private static let trial = #"{"kind": "introductory", "mode": "freeTrial", "period": "P1W"}"#
    private static let code =
        #"{"kind": "code", "id": "c", "mode": "freeTrial", "period": "P1W", "codes": ["A"]}"#

    /// Offers as JSON, the problem's path below them, and its found and expected values.
    static let defects: [(String, String, String, String)] = [
        (
            #"{"kind": "gift", "mode": "freeTrial", "period": "P1W"}"#, "[0].kind", #""gift""#,
            "one of code, introductory, promotional, winBack"
        ),
        (
            #"{"kind": "introductory", "mode": "free", "period": "P1W"}"#, "[0].mode", #""free""#,
            "one of freeTrial, payAsYouGo, payUpFront"
        ),
        (
            #"{"kind": "introductory", "mode": "freeTrial", "period": "P0W"}"#, "[0].period",
            #""P0W""#, "one of P3D, P1W, P2W, P1M, P2M, P3M, P6M, P1Y"
        ),
        (
            #"{"kind": "introductory", "mode": "freeTrial", "period": "P1W", "periods": 2}"#,
            "[0].periods", "the number 2",
            "1: only an offer that is paid as it goes has several periods"
        ),
        (
            #"{"kind": "introductory", "mode": "payAsYouGo", "period": "P1W", "periods": 13, "#
                + #""prices": {"USA": "1"}}"#,
            "[0].periods", "the number 13", "a whole number from 1 to 12"
        ),
        (
            #"{"kind": "introductory", "mode": "payUpFront", "period": "P1W"}"#, "[0].prices",
            "nothing", "the prices of an offer that is paid"
        ),
        (
            #"{"kind": "introductory", "mode": "freeTrial", "period": "P1W", "#
                + #""prices": {"USA": "0"}}"#,
            "[0].prices", "an object", "no prices: a free trial costs nothing"
        ),
        (
            #"{"kind": "introductory", "mode": "payUpFront", "period": "P1W", "#
                + #""prices": {"JPN": "100"}}"#,
            "[0].prices", "an offer in JPN", "territories in which the product is sold"
        ),
        (
            #"{"kind": "introductory", "id": "x", "mode": "freeTrial", "period": "P1W"}"#,
            "[0].id", #""x""#, "no identifier: a product has one introductory offer"
        ),
        (
            #"{"kind": "promotional", "mode": "freeTrial", "period": "P1W"}"#, "[0].id",
            "nothing", "the offer's identifier"
        ),
        (
            trial + ", " + trial, "[1]",
            "a second introductory offer, which is also at products[2].subscription.offers[0]",
            "one introductory offer of a product"
        ),
        (
            code + ", " + code.replacing(#""A""#, with: #""B""#), "[1]",
            #"the offer "c", which is also at products[2].subscription.offers[0]"#,
            "an identifier of its own among the product's offers"
        ),
        (
            code + ", " + code.replacing(#""c""#, with: #""d""#), "[1].codes[0]",
            #""A", which is also at products[2].subscription.offers[0].codes[0]"#,
            "a code of its own"
        ),
        (
            code.replacing(#""A""#, with: #""a-b""#), "[0].codes[0]", #""a-b""#,
            "1 to 64 capital letters (A-Z) and digits, such as SPRING26"
        ),
        (
            code.replacing(#", "codes": ["A"]"#, with: ""), "[0].codes", "nothing",
            "a code that redeems the offer"
        ),
        (
            code.replacing(#""codes""#, with: #""eligibility": [], "codes""#),
            "[0].eligibility", "nobody", "one or more of existing, expired, new"
        ),
        (
            #"{"kind": "promotional", "id": "p", "mode": "freeTrial", "period": "P1W", "#
                + #""stackable": true}"#,
            "[0].stackable", "true", "no `stackable`: an offer of another kind has it"
        ),
        (
            #"{"kind": "winBack", "id": "w", "mode": "freeTrial", "period": "P1W", "#
                + #""priority": "best"}"#,
            "[0].priority", #""best""#, "one of high, normal"
        ),
        (
            #"{"kind": "winBack", "id": "w", "mode": "freeTrial", "period": "P1W", "#
                + #""lapsedMonths": {"from": 3, "until": 2}}"#,
            "[0].lapsedMonths.until", "the number 2", "a number not below `from`"
        ),
    ]

    @Test("a bad offer is an error with its place, what was found and expected", arguments: defects)
    func defect(json: String, path: String, found: String, expected: String) throws {
        let reading = try Self.native(json)
        #expect(reading.catalog == nil)
        let problem = try #require(reading.errors.first, "\(reading.problems)")
        #expect(reading.errors.count == 1, "\(reading.errors)")
        #expect(problem.path == "products[2].subscription.offers" + path)
        #expect(problem.found == found)
        #expect(problem.expected == expected)
    }

    @Test("a free subscription has no offers")
    func freeSubscription() throws {
        let reading = try CatalogFixture().read(
            native: CatalogFixture.good.replacing(
                #""type": "autoRenewable", "name": {"en": "Monthly"}"#,
                with: #""type": "freeSubscription", "name": {"en": "Monthly"}"#
            ).replacing(#""USA": "4.99""#, with: #""USA": "0""#)
                .replacing(
                    #""level": 2, "period": "P1M"}"#, with: #""offers": [\#(Self.trial)]}"#))
        #expect(reading.errors.map(\.path) == ["products[2].subscription.offers"])
    }

    // MARK: - Xcode's files

    private static func storekit(_ members: String) throws -> CatalogReading {
        try CatalogFixture().read(storekit: storekitText(members))
    }

    private static func storekitText(_ members: String) -> String {
        StoreKitFixture.file(major: 4, minor: 0, hasKey: false)
            .replacing("\"adHocOffers\" : [\n\n          ],", with: "")
            .replacing("\"codeOffers\" : [\n\n          ],", with: "")
            .replacing("\"winbackOffers\" : [\n\n          ],", with: "")
            .replacing(#""introductoryOffer" : null"#, with: members)
    }

    static let xcode: [(String, [CatalogProduct.Offer])] = [
        (#""introductoryOffer" : null"#, []),
        (
            #""introductoryOffer" : {"internalID" : "A", "paymentMode" : "free", "#
                + #""displayPrice" : "0.99", "subscriptionPeriod" : "P1W"}"#,
            [Offer(kind: .introductory, mode: .freeTrial, period: week)]
        ),
        (
            // Version 5 writes the introductory offer twice: the reader takes the one in the list.
            #""introductoryOffers" : [{"internalID" : "A", "billingPlanType" : "BILLED_UPFRONT", "#
                + #""paymentMode" : "payUpFront", "displayPrice" : "1.5", "numberOfPeriods" : 1, "#
                + #""subscriptionPeriod" : "P1M"}], "introductoryOffer" : {"internalID" : "A", "#
                + #""paymentMode" : "free", "subscriptionPeriod" : "P1W"}"#,
            [
                Offer(
                    kind: .introductory, mode: .payUpFront, period: month,
                    prices: .everywhere(milliunits: 1500), billingPlan: .upFront)
            ]
        ),
        (
            #""adHocOffers" : [{"internalID" : "A", "offerID" : "silver promo", "#
                + #""paymentMode" : "payAsYouGo", "displayPrice" : "0.99", "#
                + #""numberOfPeriods" : 2, "subscriptionPeriod" : "P1M"}]"#,
            [
                Offer(
                    kind: .promotional, id: "silver promo", mode: .payAsYouGo, period: month,
                    periodCount: 2, prices: .everywhere(milliunits: 990))
            ]
        ),
        (
            #""codeOffers" : [{"internalID" : "AB12", "referenceName" : "my code", "#
                + #""isStackable" : true, "eligibility" : ["new", "existing"], "#
                + #""paymentMode" : "free", "subscriptionPeriod" : "P1W"}, "#
                + #"{"internalID" : "CD34", "referenceName" : "My Code!", "#
                + #""paymentMode" : "free", "subscriptionPeriod" : "P1M"}]"#,
            [
                Offer(
                    kind: .code, id: "my code", mode: .freeTrial, period: week,
                    customers: [.new, .existing], isStackable: true,
                    codes: [.init(code: "MYCODE")]),
                Offer(
                    kind: .code, id: "My Code!", mode: .freeTrial, period: month,
                    codes: [.init(code: "MYCODECD34")]),
            ]
        ),
        (
            #""winbackOffers" : [{"internalID" : "A", "offerID" : "back", "isEligible" : true, "#
                + #""paymentMode" : "free", "subscriptionPeriod" : "P1W"}, "#
                + #"{"internalID" : "B", "offerID" : "not", "isEligible" : false, "#
                + #""paymentMode" : "free", "subscriptionPeriod" : "P1W"}]"#,
            [
                Offer(kind: .winBack, id: "back", mode: .freeTrial, period: week),
                Offer(
                    kind: .winBack, id: "not", mode: .freeTrial, period: week,
                    winBack: .init(isSwitchedOn: false)),
            ]
        ),
    ]

    @Test("offers of Xcode's files are read without a warning", arguments: xcode)
    func readXcode(members: String, offers: [CatalogProduct.Offer]) throws {
        let reading = try Self.storekit(members)
        #expect(reading.problems == [])
        let product = try #require(reading.catalog?.products.last)
        #expect(product.offers == offers)
    }

    /// Members, the path of the warning, and its text for the found value.
    static let badXcode: [(String, String, String)] = [
        (
            #""adHocOffers" : [{"paymentMode" : "free", "subscriptionPeriod" : "P1W"}]"#,
            "adHocOffers[0].offerID", "nothing"
        ),
        (
            #""winbackOffers" : [{"offerID" : "b", "paymentMode" : "payUpFront", "#
                + #""subscriptionPeriod" : "P1W"}]"#,
            "winbackOffers[0].displayPrice", "nothing"
        ),
        (
            #""codeOffers" : [{"referenceName" : "c", "eligibility" : ["all"], "#
                + #""paymentMode" : "free", "subscriptionPeriod" : "P1W"}]"#,
            "codeOffers[0].eligibility[0]", #""all""#
        ),
    ]

    @Test(
        "a bad offer of Xcode's is left out with a warning, its product is sold",
        arguments: badXcode)
    func leftOut(members: String, path: String, found: String) throws {
        let reading = try Self.storekit(members)
        let problem = try #require(reading.problems.first)
        #expect(reading.problems.count == 1, "\(reading.problems)")
        #expect(problem.severity == .warning)
        #expect(problem.path == "subscriptionGroups[0].subscriptions[0]." + path)
        #expect(problem.found == found)
        #expect(problem.expected.hasSuffix("; the offer is left out"))
        #expect(reading.catalog?.products.last?.offers == [])
    }

    /// Members, the path of the warning, and its text for the found value.
    static let lostIntroductions: [(String, String, String)] = [
        (
            #""introductoryOffer" : {"internalID" : "A", "paymentMode" : "free"}"#,
            "introductoryOffer.subscriptionPeriod", "nothing"
        ),
        (
            #""introductoryOffer" : {"paymentMode" : "gift", "subscriptionPeriod" : "P1W"}"#,
            "introductoryOffer.paymentMode", #""gift""#
        ),
        (
            #""introductoryOffer" : {"paymentMode" : "free", "subscriptionPeriod" : "P1M1D"}"#,
            "introductoryOffer.subscriptionPeriod", #""P1M1D""#
        ),
        (#""introductoryOffers" : "P1W""#, "introductoryOffers", #""P1W""#),
    ]

    @Test(
        "a product whose introductory offer cannot be read is not sold at its full price",
        arguments: lostIntroductions)
    func introductionLost(members: String, path: String, found: String) throws {
        let reading = try Self.storekit(members)
        let problem = try #require(reading.problems.first)
        #expect(problem.path == "subscriptionGroups[0].subscriptions[0]." + path)
        #expect(problem.found == found)
        #expect(
            problem.expected.hasSuffix("; the product is left out, which would cost its full price")
        )
        #expect(reading.catalog?.products.contains { $0.type == .autoRenewable } == false)
    }

    /// As a file spells a length, the length, and the warning of Xcode's files, if any.
    static let lengths: [(String, String, Bool)] = [
        ("P7D", "P1W", false), ("P14D", "P2W", false), ("P0M3D", "P3D", false),
        ("P12M", "P1Y", false), ("P30D", "P30D", true), ("P5D", "P5D", true),
    ]

    @Test("a trial has its length however the file spells it", arguments: lengths)
    func length(text: String, period: String, isUnusual: Bool) throws {
        let xcode = try Self.storekit(
            #""introductoryOffer" : {"paymentMode" : "free", "subscriptionPeriod" : "\#(text)"}"#)
        #expect(xcode.problems.map(\.found) == (isUnusual ? ["\"\(text)\""] : []))
        #expect(xcode.catalog?.products.last?.offers.first?.period.iso8601 == period)
        let native = try Self.native(Self.trial.replacing("P1W", with: text))
        #expect(native.errors.map(\.found) == (isUnusual ? ["\"\(text)\""] : []))
        guard !isUnusual else { return }
        #expect(native.catalog?.products[2].offers.first?.period.iso8601 == period)
    }

    @Test(
        "a subscription renews after its length however the file spells it",
        arguments: [("P7D", "P1W"), ("P12M", "P1Y"), ("P3M", "P3M")])
    func renewal(text: String, period: String) throws {
        let good = CatalogFixture.good.replacing(
            #""period": "P1M""#, with: #""period": "\#(text)""#)
        let product = try CatalogFixture().read(native: good).catalog?.products[2]
        #expect(product?.subscription?.period?.iso8601 == period)
    }

    @Test("offers are written for Xcode and read again as they were")
    func export() throws {
        let reading = try Self.native(
            Self.good.map(\.0).joined(separator: ", "))
        let catalog = try #require(reading.catalog)
        let account = AccountSettings(new: "aoi", home: "USA", catalog: nil)
        let export = StoreKitExport.make(
            catalog, source: reading.source,
            state: StoreKitExport.State(
                renewals: RenewalSettings(failsBilling: true, hasGracePeriod: true),
                account: account, home: "USA"))
        let again = try CatalogFixture().read(
            storekit: String(decoding: export.bytes, as: UTF8.self))
        #expect(again.problems == [])
        #expect(
            again.format == .storekit(major: 4, minor: 0), "win-back offers came with version 4")
        #expect(again.catalog?.settings?.entersBillingRetry == true)
        #expect(again.catalog?.settings?.hasGracePeriod == true)
        let offers = try #require(
            again.catalog?.products.first { $0.id == "monthly" }?.offers)
        let usa = Storefront.usa
        let before = catalog.products[2].offers
        #expect(
            offers.map { $0.offer(in: usa) }
                == before.map { $0.offer(in: usa) })
        #expect(offers[2].customers == before[2].customers)
        #expect(offers[2].isStackable == true)
        let left = export.omissions.filter { $0.path == "subscription" }.map(\.found)
        #expect(
            left == [
                "codes of offers (monthly)", "limits of offer codes (monthly)",
                "who can be won back (monthly)", "priorities of win-back offers (monthly)",
            ])
    }

    // MARK: - For an account

    @Test("a product has the offers of the account's territory, without those for codes")
    func products() throws {
        let reading = try Self.native(Self.good.map(\.0).joined(separator: ", "))
        let index = CatalogIndex(try #require(reading.catalog))
        let product = try #require(
            index.products(["monthly"], in: .usa, locale: "en_US").products.first)
        let subscription = try #require(product.subscription)
        #expect(subscription.offers.map(\.kind) == [.introductory, .promotional, .winBack])
        #expect(subscription.offers[1].price == Money(milliunits: 2490, currency: "USD"))
        #expect(subscription.introductoryOffer == subscription.offers[0])
        var visit = CatalogIndex.Visit(now: Timestamp(milliseconds: 0), environment: .sandbox)
        visit.groupsWithoutIntroductory = ["club"]
        let used = index.products(["monthly"], in: .usa, locale: "en_US", for: visit).products
        #expect(used.first?.subscription?.introductoryOffer == nil)
    }

    @Test("a code is found in capital and small letters, and only where there is one")
    func codes() throws {
        let catalog = try #require(
            try Self.native(Self.good.map(\.0).joined(separator: ", ")).catalog)
        for text in ["SPRING26", "spring26", "Lenz"] {
            #expect(catalog.redemption(of: text)?.offer.id == "spring")
        }
        for text in ["", "SPRING", "spring"] { #expect(catalog.redemption(of: text) == nil) }
    }
}
