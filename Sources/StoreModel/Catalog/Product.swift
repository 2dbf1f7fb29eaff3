package import Foundation

/// The kind of a product (StoreKit: `Product.ProductType`). The raw value is the `type` of Apple's
/// signed payloads.
///
/// A *free subscription* is `autoRenewable` in payloads, since Apple's current payloads have no
/// type of their own for it. It has no period (`SubscriptionInfo.period`) and never ends.
package enum ProductType: String, Codable, Sendable, CaseIterable {
    case consumable = "Consumable"
    case nonConsumable = "Non-Consumable"
    case autoRenewable = "Auto-Renewable Subscription"
    case nonRenewing = "Non-Renewing Subscription"
}

/// A length of time in one calendar unit (StoreKit: `Product.SubscriptionPeriod`), written as an
/// ISO 8601 duration such as `P1M`. A file may spell a length in other units: `init(iso8601:)`.
package struct SubscriptionPeriod: Codable, Hashable, Sendable {
    /// StoreKit: `Product.SubscriptionPeriod.Unit`.
    package enum Unit: String, Codable, Sendable, CaseIterable {
        case day, week, month, year

        /// In an ISO 8601 duration.
        fileprivate var letter: Character {
            switch self {
            case .day: "D"
            case .week: "W"
            case .month: "M"
            case .year: "Y"
            }
        }
    }

    package var unit: Unit
    /// At least 1.
    package var value: Int

    /// Does not check `value`.
    package init(unit: Unit, value: Int) {
        self.unit = unit
        self.value = value
    }

    /// Reads a duration of whole years, months, weeks and days, in the largest unit that holds it:
    /// `P7D` and `P1W` are one week, `P1Y6M` is 18 months. Nil for a duration that no single unit
    /// holds (`P1M1D`), one of hours, one below a day, a number of more than 9 digits, a sign, or no
    /// duration.
    package init?(iso8601 text: String) {
        guard let numbers = Self.numbers(of: text) else { return nil }
        let months = numbers.years * 12 + numbers.months
        let days = numbers.weeks * 7 + numbers.days
        switch (months, days) {
        case (0, 1...):
            self =
                days % 7 == 0
                ? .init(unit: .week, value: days / 7)
                : .init(unit: .day, value: days)
        case (1..., 0):
            self =
                months % 12 == 0
                ? .init(unit: .year, value: months / 12)
                : .init(unit: .month, value: months)
        default: return nil
        }
    }

    /// In an ISO 8601 duration; 0 for a unit that it does not name.
    private static func numbers(
        of text: String
    ) -> (years: Int, months: Int, weeks: Int, days: Int)? {
        var rest = text.utf8[...]
        guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
        func take(_ letter: Unicode.Scalar) -> Int {
            let digits = rest.prefix { (48...57).contains($0) }
            guard (1...9).contains(digits.count),
                rest.dropFirst(digits.count).first == UInt8(ascii: letter)
            else { return 0 }
            rest = rest.dropFirst(digits.count + 1)
            return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
        }
        let numbers = (years: take("Y"), months: take("M"), weeks: take("W"), days: take("D"))
        return rest.isEmpty ? numbers : nil
    }

    /// In its own unit, such as `P1M`.
    package var iso8601: String { "P\(value)\(unit.letter)" }

    /// The end of a period that begins at `start`, by the Gregorian calendar in UTC.
    package func end(from start: Timestamp) -> Timestamp {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return Timestamp(end(from: start.date, by: calendar))
    }

    /// The end of a period that begins at `start`. One month from 31 January ends on the last day
    /// of February. Foundation traps at the year before the smallest integer, so a number beyond
    /// all years of a store is cut.
    package func end(from start: Date, by calendar: Calendar) -> Date {
        let component: Calendar.Component =
            switch unit {
            case .day: .day
            case .week: .weekOfYear
            case .month: .month
            case .year: .year
            }
        let end = calendar.date(
            byAdding: component, value: min(max(value, -Self.endMax), Self.endMax), to: start)
        return end ?? start
    }

    private static let endMax = 1_000_000_000
}

/// The properties that only an auto-renewable product has: group, level, period, offers (StoreKit:
/// `Product.SubscriptionInfo`).
package struct SubscriptionInfo: Codable, Hashable, Sendable {
    /// An account holds one subscription of a group at a time.
    package var groupID: SubscriptionGroupID
    /// In the person's language; the group's identifier if it has no name.
    package var groupName: String
    /// Within the group: 1 is the highest, equal numbers are equal service (StoreKit:
    /// `groupLevel`).
    package var level: Int
    /// The time until the subscription renews. Nil for a free subscription: it is sold without
    /// `expiresDate`, is never due for renewal, and stays an entitlement until it is revoked or
    /// deleted.
    package var period: SubscriptionPeriod?
    /// Those of the account's territory, in the catalog's order, without those for codes (StoreKit:
    /// `introductoryOffer`, `promotionalOffers`, `winBackOffers`).
    package var offers: [Offer] = []
    /// Whether the account can have the introductory offer: it has used none of the group, and has
    /// no subscription of it now (StoreKit: `isEligibleForIntroOffer`), as of the answer.
    package var isEligibleForIntroOffer = false
    /// In the catalog's order; empty if it can only be paid up front (StoreKit: `pricingTerms`).
    package var billingPlans: [BillingPlan] = []

    /// The introductory offer that a purchase without a named plan gets by itself; nil if there is
    /// none, or the account is not eligible.
    package var introductoryOffer: Offer? { introductoryOffer(paid: nil) }

    /// Nil if there is none, or the account is not eligible.
    ///
    /// - Parameter plan: nil for `usualBillingPlan`.
    package func introductoryOffer(paid plan: BillingPlanType?) -> Offer? {
        guard isEligibleForIntroOffer else { return nil }
        let plan = plan ?? usualBillingPlan ?? .upFront
        return offers.first {
            $0.kind == .introductory && ($0.billingPlan == nil || $0.billingPlan == plan)
        }
    }

    /// Of a purchase that names none; nil for a product without plans.
    package var usualBillingPlan: BillingPlanType? {
        billingPlans.contains { $0.type == .upFront } ? .upFront : billingPlans.first?.type
    }
}

extension SubscriptionInfo {
    package init(
        groupID: SubscriptionGroupID, groupName: String, level: Int, period: SubscriptionPeriod?
    ) {
        self.groupID = groupID
        self.groupName = groupName
        self.level = level
        self.period = period
    }
}

/// The units that each delivery of a consumable adds to a balance of the device, or that opening a
/// package takes from it (`HostedContent.cost`).
package struct Grant: Codable, Hashable, Sendable {
    /// Such as `coins`.
    package var unit: String
    /// For one of the product; a purchase adds this amount times its quantity.
    package var amount: Int

    package init(unit: String, amount: Int) {
        self.unit = unit
        self.amount = amount
    }
}

/// The source of a product's content.
package enum Delivery: Codable, Hashable, Sendable {
    /// Part of the app: the purchase only unlocks it.
    case embedded
    /// Downloaded from the store, as one or more packages.
    case hosted([HostedContent])
    /// Downloaded from the app's own server at this address, which checks the purchase first
    /// (`ContentServers`). If `packages` is nil, the app fetches the content itself and the device
    /// downloads nothing.
    case ownServer(url: String, packages: [HostedContent]? = nil)
}

/// One package of files the store hosts for a product (StoreKit: `SKDownload` describes one of
/// these).
package struct HostedContent: Codable, Hashable, Sendable {
    /// Unique within the product.
    package var id: String
    /// As the catalog gives it (StoreKit: `contentVersion`). Devices keep each version in a
    /// separate folder.
    package var version: String
    /// Bytes to download (StoreKit: `downloadContentLengths`); 0 if the package was not found when
    /// the catalog was answered.
    package var length: Int64
    /// SHA-256 of the package's file; nil for a package that is a folder of the catalog.
    package var sha256: String?
    /// SHA-256 of the manifest of a package that is a folder of the catalog, lower-case hexadecimal
    /// (`ManifestDigest`); the manifest lists the SHA-256 of each file. Nil until the store has
    /// computed the manifest, when a device first asks for it: product information reads no
    /// content.
    package var manifestSha256: String?
    /// Bytes of the files on the device; nil if the device keeps the package as it downloads it.
    package var unpackedLength: Int64?
    /// What opening the package costs an owner of the product, once, from a balance of the device;
    /// nil for nothing.
    package var cost: Grant?
    /// The absolute path of the folder of a package that is part of the app; nil for a package that
    /// is downloaded.
    package var path: String?
}

extension HostedContent {
    package init(id: String, version: String, length: Int64) {
        self.id = id
        self.version = version
        self.length = length
    }
}

/// A product as one account sees it: texts in the person's language, the price in the currency of
/// the account's storefront (StoreKit: `Product`).
package struct Product: Codable, Hashable, Sendable {
    /// Unique within the catalog.
    package var id: ProductID
    /// Decides how the product is delivered, finished and restored.
    package var type: ProductType
    /// The localized heading it is listed under; empty if the catalog gives none.
    package var section = ""
    /// Localized; never empty.
    package var displayName: String
    /// Localized; empty if the catalog gives none. May contain line breaks.
    package var description = ""
    /// Of one. A payment must name this price (`Payment.shownPrice`).
    package var price: Money
    /// The locale for writing the price (StoreKit: `SKProduct.priceLocale`): the person's language
    /// in the storefront's territory, such as `ja_DE`.
    package var priceLocale: String
    /// Whether the catalog lets a family share it (StoreKit: `isFamilyShareable`).
    package var isFamilyShareable = false
    /// Set for auto-renewable subscriptions only.
    package var subscription: SubscriptionInfo?
    /// The length of a non-renewing subscription, if the catalog gives one. For display: the store
    /// signs no `expiresDate` for it.
    package var nonRenewingPeriod: SubscriptionPeriod?
    /// Set for consumables that add to a balance.
    package var grant: Grant?
    /// Decides whether a purchase starts a download.
    package var delivery = Delivery.embedded
    /// The names of the features that the app unlocks for an owner, each once, in the catalog's
    /// order; empty for none. The store does not interpret them: an id that the app does not know
    /// unlocks nothing.
    package var unlocks: [UnlockID] = []
    /// Opens the hosted content of a product that is not bought, as long as another product that
    /// the account owns unlocks it; nil if only a purchase opens the content.
    package var unlockedBy: UnlockID?
    /// Packages that are part of the app from the start and that buying opens; nil for none.
    package var embeddedContent: [HostedContent]?
    /// The issues that a subscription has published, in order of their dates; nil for a product
    /// that publishes none. The content of issues that the account may read is in `hostedContent`
    /// too.
    package var issues: [PublishedIssue]?

    /// By `priceLocale` (StoreKit: `displayPrice`).
    package var displayPrice: String { price.formatted(locale: Locale(identifier: priceLocale)) }

    /// Empty for other kinds of delivery than `hosted`.
    package var hostedContent: [HostedContent] {
        switch delivery {
        case .embedded: []
        case .hosted(let content): content
        case .ownServer(_, let packages): packages ?? []
        }
    }

    /// Of hosted and embedded content; nil for a package that opens at no cost.
    package func cost(of contentID: String) -> Grant? {
        (hostedContent + (embeddedContent ?? [])).first { $0.id == contentID }?.cost
    }
}

extension Product {
    package init(
        id: ProductID, type: ProductType, displayName: String, price: Money, priceLocale: String
    ) {
        self.id = id
        self.type = type
        self.displayName = displayName
        self.price = price
        self.priceLocale = priceLocale
    }
}

/// The answer to a request for products (StoreKit: `SKProductsResponse`).
package struct ProductsResponse: Codable, Hashable, Sendable {
    /// In the catalog's order.
    package var products: [Product]
    /// Requested identifiers that are unknown, not sold in the account's territory or not for sale
    /// now (StoreKit: `invalidProductIdentifiers`), in the order of the request.
    package var invalidProductIDs: [ProductID]
    /// The catalog revision of this answer; an answer with a higher revision replaces this one. 0
    /// while the store has recorded no catalog.
    package var catalogRevision: Int64
    /// The store time at which a price or the set of products for sale changes next, so that a new
    /// request gets another answer. Nil if time alone changes nothing.
    package var changesAt: Timestamp?
    /// The names of products that were sold before and that `products` lacks, as the catalog last
    /// had them: of all such products, or of those that the request names. Nil for none.
    package var pastNames: [ProductID: String]?
    /// The territories in which the catalog sells something (ISO 3166-1 alpha-3), sorted, if it
    /// sells nothing in the account's; nil otherwise.
    package var soldIn: [String]?

    package init(
        products: [Product], invalidProductIDs: [ProductID], catalogRevision: Int64,
        changesAt: Timestamp? = nil, pastNames: [ProductID: String]? = nil
    ) {
        self.products = products
        self.invalidProductIDs = invalidProductIDs
        self.catalogRevision = catalogRevision
        self.changesAt = changesAt
        self.pastNames = pastNames
    }

    /// The names of its products, and of those that were sold before.
    package var names: [ProductID: String] {
        Dictionary(
            products.map { ($0.id, $0.displayName) }, uniquingKeysWith: { first, _ in first }
        )
        .merging(pastNames ?? [:]) { first, _ in first }
    }
}
