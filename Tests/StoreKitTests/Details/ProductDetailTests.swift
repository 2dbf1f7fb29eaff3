import Foundation
import StoreKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProductDetailTests {
    private static let english = Locale(identifier: "en_US")

    @Test("pricing terms have each plan's price, commitment and offers")
    func pricingTerms() async throws {
        try await DetailSession.with { _ in
            let yearly = try #require(
                try await DetailSession.product(DetailSession.yearly).subscription)
            #expect(yearly.pricingTerms.map(\.billingPlanType) == [.upFront, .monthly])
            let (whole, parts) = (yearly.pricingTerms[0], yearly.pricingTerms[1])
            #expect(whole.billingDisplayPrice == "$59.99" && whole.billingPeriod == .yearly)
            #expect(whole.commitmentInfo.price == whole.billingPrice)
            #expect(whole.commitmentInfo.period == .yearly)
            #expect(whole[offers: .introductory].map(\.paymentMode) == [.freeTrial])
            #expect(parts.billingPrice == Decimal(string: "5.99"))
            #expect(parts.billingPeriod == .monthly && parts.commitmentInfo.period == .yearly)
            #expect(parts.commitmentInfo.displayPrice == "$71.88")
            #expect(parts[offers: .introductory].isEmpty)

            let monthly = try #require(
                try await DetailSession.product(DetailSession.monthly).subscription)
            #expect(monthly.pricingTerms.map(\.billingPlanType) == [.upFront])
            #expect(monthly.pricingTerms[0].billingDisplayPrice == "$4.99")
            #expect(monthly.pricingTerms[0][offers: .promotional].map(\.id) == ["half"])
        }
    }

    @Test("a subscription has its offers by kind")
    func offers() async throws {
        try await DetailSession.with { _ in
            let plan = try #require(
                try await DetailSession.product(DetailSession.monthly).subscription)
            let half = try #require(plan.promotionalOffers.first)
            #expect(half.id == "half" && half.type == .promotional && half.periodCount == 3)
            #expect(half.paymentMode == .payAsYouGo && half.displayPrice == "$2.49")
            #expect(half.paymentMode.localizedDescription == "Pay As You Go")
            let back = try #require(plan.winBackOffers.first)
            #expect(back.type == .winBack && back.period == .everyThreeMonths)
            #expect(plan.introductoryOffer == nil && plan.groupLevel == 2)
        }
    }

    @Test("a price format style writes as the display price is written")
    func priceFormatStyle() async throws {
        try await DetailSession.with { _ in
            let coins = try await DetailSession.product(DetailSession.coins)
            #expect(coins.price.formatted(coins.priceFormatStyle) == coins.displayPrice)
            #expect((coins.price * 12).formatted(coins.priceFormatStyle) == "$11.88")
        }
    }

    @Test("the JSON of a product has the App Store's members")
    func json() async throws {
        struct Answer: Decodable {
            struct Offer: Decodable {
                struct Discount: Decodable { var modeType, price, type: String }
                var currencyCode, price: String
                var recurringSubscriptionPeriod: String?
                var discounts: [Discount]?
            }
            struct Attributes: Decodable {
                var offerName, name, kind: String
                var isSubscription: Bool
                var subscriptionFamilyRank: Int?
                var offers: [Offer]
            }
            var attributes: Attributes
        }
        try await DetailSession.with { _ in
            let coins = try await DetailSession.product(DetailSession.coins)
            let ofCoins = try JSONDecoder().decode(Answer.self, from: coins.jsonRepresentation)
            #expect(ofCoins.attributes.kind == "Consumable" && !ofCoins.attributes.isSubscription)
            #expect(ofCoins.attributes.offers.map(\.currencyCode) == ["USD"])
            let monthly = try await DetailSession.product(DetailSession.monthly)
            let answer = try JSONDecoder().decode(Answer.self, from: monthly.jsonRepresentation)
            #expect(answer.attributes.offerName == monthly.id)
            #expect(answer.attributes.subscriptionFamilyRank == 2)
            let offer = try #require(answer.attributes.offers.first)
            #expect(offer.price == "4.99" && offer.recurringSubscriptionPeriod == "P1M")
            #expect(offer.discounts?.map(\.type) == ["AdhocOffer", "AdhocOffer"])
        }
    }

    @Test("a period gives its dates, components and texts")
    func periods() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        // 31 January 2026, 12:00 UTC: of this day in every time zone.
        let start = Date(timeIntervalSince1970: 1_769_860_800)
        let range = Product.SubscriptionPeriod.monthly.dateRange(referenceDate: start)
        #expect(range.upperBound.timeIntervalSince(start) == 28 * 86_400)
        let weeks = Product.SubscriptionPeriod.everyTwoWeeks
        let later = try #require(
            calendar.date(byAdding: DateComponents(subscriptionPeriod: weeks), to: start))
        #expect(later.timeIntervalSince(start) == 14 * 86_400)
        #expect(DateComponents(subscriptionPeriod: .yearly).year == 1)
        #expect(DateComponents(subscriptionPeriod: .everySixMonths).month == 6)
        #expect(DateComponents(subscriptionPeriod: .everyThreeDays).day == 3)
        let duration = weeks.formatted(
            Duration.UnitsFormatStyle(allowedUnits: [.weeks], width: .wide).locale(Self.english),
            referenceDate: start)
        #expect(duration == "2 weeks")
        let dates = Date.IntervalFormatStyle(
            date: .abbreviated, locale: Self.english, timeZone: .gmt)
        let text = weeks.formatted(dates, referenceDate: start)
        #expect(text.contains("Jan 31") && text.contains("Feb 14"), "\(text)")
    }

    /// In a process of its own, whose time zone it changes.
    @Test("a period ends at the same time of day in the time zone, also where clocks change")
    func timeZone() async {
        await #expect(processExitsWith: .success) {
            setenv("TZ", "America/New_York", 1)
            NSTimeZone.default = try #require(TimeZone(identifier: "America/New_York"))
            let start = Date(timeIntervalSince1970: 1_772_816_400)  // 6 March 2026, 12:00 there
            let range = Product.SubscriptionPeriod.everyThreeDays.dateRange(referenceDate: start)
            try #require(range.upperBound.timeIntervalSince(start) == 71 * 3600)
        }
    }

    @Test("a unit is written in the language of a style")
    func units() async throws {
        try await DetailSession.with { _ in
            let style = try await DetailSession.product(DetailSession.coins)
                .subscriptionPeriodUnitFormatStyle
            let month = Product.SubscriptionPeriod.Unit.month
            #expect(month.formatted(style) == "month")
            #expect(month.formatted(style.locale(Locale(identifier: "ja_JP"))) == "か月")
            #expect(month.formatted(style.locale(Locale(identifier: "fi_FI"))) == "month")
            let copy = try JSONDecoder().decode(
                type(of: style), from: JSONEncoder().encode(style))
            #expect(copy == style)
            #expect(Product.SubscriptionPeriod.Unit.day < .year)
        }
    }

    @Test("a promotion order and visibilities are kept until they are chosen anew")
    func promotions() async throws {
        typealias Info = Product.PromotionInfo
        try await DetailSession.with { _ in
            #expect(try await Info.currentOrder == [])
            try await Info.updateProductVisibility(.hidden, for: DetailSession.coins)
            try await Info.updateProductOrder(byID: [DetailSession.yearly, DetailSession.monthly])
            let order = try await Info.currentOrder
            #expect(
                order.map(\.productID)
                    == [DetailSession.yearly, DetailSession.monthly, DetailSession.coins])
            #expect(
                order.map(\.visibility)
                    == [.appStoreConnectDefault, .appStoreConnectDefault, .hidden])
            var first = order[0]
            first.visibility = .visible
            try await first.update()
            #expect(try await Info.currentOrder.first?.visibility == .visible)
            try await Info.updateAll([first])
            #expect(try await Info.currentOrder == [first])
            await #expect(throws: StoreKitError.self) {
                try await Info.updateProductOrder(byID: ["test.unknown"])
            }
        }
    }
}
