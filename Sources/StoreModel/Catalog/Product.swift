import Foundation

/// What kind of thing is sold; the raw text is the `type` of Apple's signed payloads.
///
/// A *free subscription* is an auto-renewable one in payloads: the field has no type of its own for
/// it any more. It has no period (`SubscriptionInfo.period`) and never ends.
package enum ProductType: String, Codable, Sendable, CaseIterable {
    case consumable = "Consumable"
    case nonConsumable = "Non-Consumable"
    case autoRenewable = "Auto-Renewable Subscription"
    case nonRenewing = "Non-Renewing Subscription"
}

/// A length of a subscription (ISO 8601 duration with one unit, such as `P1M`).
package struct SubscriptionPeriod: Codable, Hashable, Sendable {
    package enum Unit: String, Codable, Sendable, CaseIterable { case day, week, month, year }

    package var unit: Unit
    /// At least 1.
    package var value: Int

    package init(unit: Unit, value: Int) {
        self.unit = unit
        self.value = value
    }

    /// Reads `P7D`, `P1W`, `P3M`, `P1Y`; nil for anything else.
    package init?(iso8601 text: String) {
        guard text.count >= 3, text.first == "P", let last = text.last,
            let value = Int(text.dropFirst().dropLast()), value >= 1
        else { return nil }
        switch last {
        case "D": self.init(unit: .day, value: value)
        case "W": self.init(unit: .week, value: value)
        case "M": self.init(unit: .month, value: value)
        case "Y": self.init(unit: .year, value: value)
        default: return nil
        }
    }

    package var iso8601: String {
        let letter =
            switch unit {
            case .day: "D"
            case .week: "W"
            case .month: "M"
            case .year: "Y"
            }
        return "P\(value)\(letter)"
    }

    /// The end of a period that begins at `start`, by the calendar in UTC: a month from 31 January
    /// ends on the last day of February.
    package func end(from start: Timestamp) -> Timestamp {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let component: Calendar.Component =
            switch unit {
            case .day: .day
            case .week: .weekOfYear
            case .month: .month
            case .year: .year
            }
        let end = calendar.date(byAdding: component, value: value, to: start.date)
        return Timestamp(end ?? start.date)
    }
}

/// What makes a product a subscription of a group (StoreKit: `Product.SubscriptionInfo`).
package struct SubscriptionInfo: Codable, Hashable, Sendable {
    package var groupID: SubscriptionGroupID
    package var groupName: String
    /// 1 is the highest; equal numbers are equal service.
    package var level: Int
    /// How long it lasts until it renews; nil for a free subscription: sold without `expiresDate`,
    /// never due, an entitlement for good.
    package var period: SubscriptionPeriod?

    package init(
        groupID: SubscriptionGroupID, groupName: String, level: Int, period: SubscriptionPeriod?
    ) {
        self.groupID = groupID
        self.groupName = groupName
        self.level = level
        self.period = period
    }
}

/// What a consumable adds to the app's own purse each time it is delivered.
package struct Grant: Codable, Hashable, Sendable {
    /// The purse, such as `coins`.
    package var unit: String
    package var amount: Int

    package init(unit: String, amount: Int) {
        self.unit = unit
        self.amount = amount
    }
}

/// Where the content of a product comes from.
package enum Delivery: Codable, Hashable, Sendable {
    /// Part of the app: buying only unlocks it.
    case embedded
    /// Downloaded from the store, one package or several.
    case hosted([HostedContent])
    /// Downloaded from the app's own server, which checks the receipt first.
    case ownServer(url: String)
}

/// One package of files the store hosts for a product (StoreKit: what becomes an `SKDownload`).
package struct HostedContent: Codable, Hashable, Sendable {
    /// Unique within the product.
    package var id: String
    package var version: String
    /// Bytes of all files.
    package var length: Int64

    package init(id: String, version: String, length: Int64) {
        self.id = id
        self.version = version
        self.length = length
    }
}

/// Something for sale, as one account sees it: texts in its language, price in its currency
/// (StoreKit: `Product`).
package struct Product: Codable, Hashable, Sendable {
    package var id: ProductID
    package var type: ProductType
    /// A heading of the shop; empty where the catalog gives none.
    package var section: String
    package var displayName: String
    package var description: String
    package var price: Money
    /// The locale the price is written in: the storefront's territory and the person's language.
    package var priceLocale: String
    package var isFamilyShareable: Bool
    package var subscription: SubscriptionInfo?
    /// For non-renewing subscriptions whose length the catalog tells.
    package var nonRenewingPeriod: SubscriptionPeriod?
    package var grant: Grant?
    package var delivery: Delivery
    /// Offers of the catalog that this store does not sell: the product costs its own price.
    package var unsoldOffers: [OfferKind]

    package init(
        id: ProductID, type: ProductType, section: String = "", displayName: String,
        description: String = "", price: Money, priceLocale: String,
        isFamilyShareable: Bool = false, subscription: SubscriptionInfo? = nil,
        nonRenewingPeriod: SubscriptionPeriod? = nil, grant: Grant? = nil,
        delivery: Delivery = .embedded, unsoldOffers: [OfferKind] = []
    ) {
        self.id = id
        self.type = type
        self.section = section
        self.displayName = displayName
        self.description = description
        self.price = price
        self.priceLocale = priceLocale
        self.isFamilyShareable = isFamilyShareable
        self.subscription = subscription
        self.nonRenewingPeriod = nonRenewingPeriod
        self.grant = grant
        self.delivery = delivery
        self.unsoldOffers = unsoldOffers
    }

    /// The price as the shop writes it.
    package var displayPrice: String { price.formatted(locale: Locale(identifier: priceLocale)) }

    package var hostedContent: [HostedContent] {
        if case .hosted(let content) = delivery { content } else { [] }
    }
}

/// The answer to a request for products (StoreKit: `SKProductsResponse`).
package struct ProductsResponse: Codable, Hashable, Sendable {
    /// In the catalog's order.
    package var products: [Product]
    /// Asked for and unknown, or not sold in this account's territory.
    package var invalidProductIDs: [ProductID]
    /// The catalog revision these come from; a higher one replaces them.
    package var catalogRevision: Int64

    package init(
        products: [Product], invalidProductIDs: [ProductID], catalogRevision: Int64
    ) {
        self.products = products
        self.invalidProductIDs = invalidProductIDs
        self.catalogRevision = catalogRevision
    }
}
