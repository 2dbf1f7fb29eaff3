import StoreKitTest
import Testing

@Suite(.storeKit(Shop.configuration), .timeLimit(.minutes(1))) struct ProductTests {
    @Test("products are loaded by any collection of identifiers; unknown ones are left out [H1]")
    func loading() async throws {
        let ids = [Shop.monthly, "consumer.unknown", Shop.coins]
        let products = try await Product.products(for: ids)
        #expect(Set(products.map(\.id)) == [Shop.coins, Shop.monthly])
        #expect(try await Product.products(for: Set(ids)) == products)
        let named = Dictionary(uniqueKeysWithValues: ids.map { ($0, $0.count) })
        #expect(try await Product.products(for: named.keys) == products)
        #expect(try await Product.products(for: [String]()).isEmpty)
    }

    @Test(
        "each product has its type",
        arguments: [
            (Shop.coins, Product.ProductType.consumable), (Shop.theme, .nonConsumable),
            (Shop.pass, .nonRenewable), (Shop.monthly, .autoRenewable),
        ])
    func types(_ id: String, _ type: Product.ProductType) async throws {
        let product = try await Shop.product(id)
        #expect(product.type == type && product.id == id)
        #expect((product.subscription != nil) == (type == .autoRenewable))
        let json = try JSONSerialization.jsonObject(with: product.jsonRepresentation)
        #expect(json is [String: Any])
    }

    @Test("names and prices are those of the configuration, in the account's language")
    func texts() async throws {
        let session = try currentSession()
        let coins = try await Shop.product(Shop.coins)
        #expect(coins.displayName == "Coins" && coins.description == "Ten coins")
        #expect(coins.price == Decimal(string: "0.99") && coins.displayPrice == "$0.99")
        #expect((coins.price * 12).formatted(coins.priceFormatStyle) == "$11.88")
        #expect(!coins.isFamilyShareable)
        #expect(try await Shop.product(Shop.theme).isFamilyShareable)
        session.locale = Locale(identifier: "ja")
        #expect(try await Shop.product(Shop.coins).displayName == "コイン")
        #expect(coins.displayName == "Coins", "a product is a value")
    }

    @Test("a subscription has its group, period, offers and ways to pay")
    func subscription() async throws {
        let yearly = try #require(try await Shop.product(Shop.yearly).subscription)
        #expect(yearly.subscriptionGroupID == Shop.group && yearly.groupDisplayName == "Club")
        #expect(yearly.groupLevel == 1 && yearly.subscriptionPeriod == .yearly)
        let trial = try #require(yearly.introductoryOffer)
        #expect(trial.type == .introductory && trial.paymentMode == .freeTrial)
        #expect(trial.period == .weekly && trial.periodCount == 1 && trial.id == nil)
        #expect(await yearly.isEligibleForIntroOffer)
        #expect(yearly.pricingTerms.map(\.billingPlanType) == [.upFront, .monthly])
        #expect(yearly.pricingTerms[1].commitmentInfo.price == Decimal(string: "71.88"))

        let monthly = try #require(try await Shop.product(Shop.monthly).subscription)
        #expect(monthly.introductoryOffer == nil && monthly.groupLevel == 2)
        let half = try #require(monthly.promotionalOffers.first)
        #expect(half.id == "half" && half.paymentMode == .payAsYouGo && half.periodCount == 3)
        #expect(half.displayPrice == "$2.49")
        let back = try #require(monthly.winBackOffers.first)
        #expect(back.id == "back" && back.type == .winBack && back.period == .everyThreeMonths)
    }

    @Test("a period is a range of dates, components and text")
    func periods() throws {
        let start = Date(timeIntervalSince1970: 1_769_817_600)  // 31 January 2026
        let range = Product.SubscriptionPeriod.monthly.dateRange(referenceDate: start)
        #expect(range.upperBound.timeIntervalSince(start) == 28 * 86_400)
        #expect(DateComponents(subscriptionPeriod: .everySixMonths).month == 6)
        let weeks = Product.SubscriptionPeriod.everyTwoWeeks
        #expect(weeks.unit == .week && weeks.value == 2 && weeks > .weekly)
        let style = Duration.UnitsFormatStyle(allowedUnits: [.weeks], width: .wide)
        #expect(
            weeks.formatted(style.locale(Locale(identifier: "en_US")), referenceDate: start)
                == "2 weeks")
        #expect(SubscriptionAPI.state(.inGracePeriod) == "access")
    }

    @Test("an app chooses which of its products the App Store shows, and in which order")
    func promotions() async throws {
        typealias Info = Product.PromotionInfo
        #expect(try await Info.currentOrder.isEmpty)
        try await Info.updateProductOrder(byID: [Shop.yearly, Shop.coins])
        try await Info.updateProductVisibility(.hidden, for: Shop.coins)
        #expect(
            try await Info.currentOrder.map(\.visibility) == [.appStoreConnectDefault, .hidden])
        await #expect(throws: StoreKitError.self) {
            try await Info.updateProductOrder(byID: ["consumer.unknown"])
        }
    }
}
