@testable import StoreModel

extension SampleShop {
    /// The products of the sample catalog: all types, with and without hosted content.
    static func products(locale: String = "en_US") -> [Product] {
        let names = SampleNames(locale: locale)
        let money = SampleMoney(locale: locale)
        let book = Delivery.hosted([HostedContent(id: "text", version: "1.2", length: 3_200_000)])
        var products: [Product] = []
        for (number, part) in ["one", "two", "three", "four", "five", "six"].enumerated() {
            products.append(
                Product(
                    id: ProductID("book.\(part)"), type: .nonConsumable, section: names.books,
                    displayName: names.book(number), description: names.bookText,
                    price: money.price(480), priceLocale: locale, delivery: book))
        }
        for (id, number, price, unlock) in [
            ("sepia", 0, 160, "theme.sepia"), ("sports", 1, 0, nil),
            ("contrast", 2, 160, "theme.high-contrast"), ("serif", 3, 160, nil),
            ("paper", 4, 160, nil), ("night", 5, 160, "theme.night"),
        ] as [(String, Int, Int64, UnlockID?)] {
            products.append(
                Product(
                    id: ProductID("theme.\(id)"), type: .nonConsumable, section: names.themes,
                    displayName: names.theme(number), description: names.themeText,
                    price: money.price(price), priceLocale: locale,
                    unlocks: unlock.map { [$0] } ?? []))
        }
        products.append(
            Product(
                id: "theme.stars", type: .nonConsumable, section: names.themes,
                displayName: names.theme(6), price: money.price(160), priceLocale: locale,
                delivery: .ownServer(url: "https://example.com/stars")))
        for (amount, price) in [(10, 160), (100, 1200)] as [(Int, Int64)] {
            products.append(
                Product(
                    id: ProductID("coins.\(amount)"), type: .consumable, section: names.coins,
                    displayName: names.coins(amount), price: money.price(price),
                    priceLocale: locale, grant: Grant(unit: "coins", amount: amount)))
        }
        return products + plans(names, money, locale)
    }

    private static func plans(
        _ names: SampleNames, _ money: SampleMoney, _ locale: String
    ) -> [Product] {
        [
            plan("plus.month", names.plus, money.price(580), .month, names, locale),
            plan("plus.year", names.plusYear, money.price(5800), .year, names, locale),
            Product(
                id: "pass.season", type: .nonRenewing, section: names.membership,
                displayName: names.pass, price: money.price(980), priceLocale: locale,
                nonRenewingPeriod: SubscriptionPeriod(unit: .month, value: 4)),
        ]
    }

    private static func plan(
        _ id: ProductID, _ name: String, _ price: Money, _ unit: SubscriptionPeriod.Unit,
        _ names: SampleNames, _ locale: String
    ) -> Product {
        Product(
            id: id, type: .autoRenewable, section: names.membership, displayName: name,
            description: names.plusText, price: price, priceLocale: locale,
            subscription: SubscriptionInfo(
                groupID: "plus", groupName: names.plus, level: 1,
                period: SubscriptionPeriod(unit: unit, value: 1)))
    }
}

/// The territory and currency of a locale, and typical prices in it.
struct SampleMoney {
    let territory: String
    let currency: String
    private let yenPerUnit: Int64

    init(locale: String) {
        (territory, currency, yenPerUnit) =
            switch locale {
            case "ja_JP": ("JPN", "JPY", 1)
            case "de_DE": ("DEU", "EUR", 160)
            case "ar_SA": ("SAU", "SAR", 40)
            default: ("USA", "USD", 160)
            }
    }

    /// With the currency's usual ending: 480 yen become 2.99 dollars.
    func price(_ yen: Int64) -> Money {
        let units = yen == 0 ? 0 : yen * 1000 / yenPerUnit
        let charm: Int64 = yenPerUnit == 1 || yen == 0 ? 0 : 10
        return Money(milliunits: units / 1000 * 1000 - charm, currency: currency)
    }
}
