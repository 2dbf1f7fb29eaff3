package import StoreModel

/// Everything a store has for sale, in every language and territory: what a catalog file says, once
/// it was read and found good. A store keeps each catalog it was given as a revision.
package struct Catalog: Codable, Hashable, Sendable {
    package var bundleID: String
    package var appAppleID: Int64?
    package var appName: LocalizedText
    /// ISO 3166-1 alpha-3: where accounts buy that never said otherwise; nil where the file does
    /// not tell.
    package var defaultTerritory: String?
    package var defaultLocale: String
    package var sections: [Section]
    package var groups: [Group]
    /// In the file's order.
    package var products: [CatalogProduct]
    /// The folder hosted content is read from; absolute. Nil where the catalog hosts none.
    package var contentFolder: String?
    /// How quickly the file lets subscriptions renew (Xcode: `_timeRate`); nil where it does not say.
    package var renewalRate: RenewalRate?

    package init(
        bundleID: String, appAppleID: Int64? = nil, appName: LocalizedText,
        defaultTerritory: String? = nil, defaultLocale: String, sections: [Section] = [],
        groups: [Group] = [], products: [CatalogProduct], contentFolder: String? = nil,
        renewalRate: RenewalRate? = nil
    ) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.appName = appName
        self.defaultTerritory = defaultTerritory
        self.defaultLocale = defaultLocale
        self.sections = sections
        self.groups = groups
        self.products = products
        self.contentFolder = contentFolder
        self.renewalRate = renewalRate
    }

    /// A heading of the shop.
    package struct Section: Codable, Hashable, Sendable {
        package var id: String
        package var name: LocalizedText

        package init(id: String, name: LocalizedText) {
            self.id = id
            self.name = name
        }
    }

    package struct Group: Codable, Hashable, Sendable {
        package var id: SubscriptionGroupID
        package var name: LocalizedText

        package init(id: SubscriptionGroupID, name: LocalizedText) {
            self.id = id
            self.name = name
        }
    }
}

/// One product of a catalog, before an account looks at it.
package struct CatalogProduct: Codable, Hashable, Sendable {
    package var id: ProductID
    package var type: ProductType
    package var sectionID: String?
    package var name: LocalizedText
    package var description: LocalizedText
    package var prices: Prices
    package var isFamilyShareable: Bool
    package var subscription: Subscription?
    /// For non-renewing subscriptions, where the catalog tells a length.
    package var nonRenewingPeriod: SubscriptionPeriod?
    package var grant: Grant?
    package var delivery: CatalogDelivery
    /// Offers the file has and this store does not sell, each kind once; nil where there are none.
    package var unsoldOffers: [OfferKind]?

    package init(
        id: ProductID, type: ProductType, sectionID: String? = nil, name: LocalizedText,
        description: LocalizedText = LocalizedText(), prices: Prices,
        isFamilyShareable: Bool = false, subscription: Subscription? = nil,
        nonRenewingPeriod: SubscriptionPeriod? = nil, grant: Grant? = nil,
        delivery: CatalogDelivery = .embedded, unsoldOffers: [OfferKind]? = nil
    ) {
        self.id = id
        self.type = type
        self.sectionID = sectionID
        self.name = name
        self.description = description
        self.prices = prices
        self.isFamilyShareable = isFamilyShareable
        self.subscription = subscription
        self.nonRenewingPeriod = nonRenewingPeriod
        self.grant = grant
        self.delivery = delivery
        self.unsoldOffers = unsoldOffers
    }

    /// A subscription without a period: it costs nothing and never ends.
    package var isFreeSubscription: Bool { subscription.map { $0.period == nil } ?? false }

    package struct Subscription: Codable, Hashable, Sendable {
        package var groupID: SubscriptionGroupID
        package var level: Int
        /// How long it lasts until it renews; nil for a free subscription, which never ends.
        package var period: SubscriptionPeriod?

        package init(groupID: SubscriptionGroupID, level: Int, period: SubscriptionPeriod?) {
            self.groupID = groupID
            self.level = level
            self.period = period
        }
    }

    package enum Prices: Codable, Hashable, Sendable {
        /// One number for every territory, each in its own currency: what Xcode's files hold.
        case everywhere(milliunits: Int64)
        /// By territory (ISO 3166-1 alpha-3); one that is missing does not sell the product.
        case byTerritory([String: Int64])
    }
}

package enum CatalogDelivery: Codable, Hashable, Sendable {
    case embedded
    case hosted([Package])
    case ownServer(url: String)

    package struct Package: Codable, Hashable, Sendable {
        package var id: String
        package var version: String
        /// A folder or a file inside the catalog's content folder, relative, never leaving it.
        package var path: String

        package init(id: String, version: String, path: String) {
            self.id = id
            self.version = version
            self.path = path
        }
    }
}

/// A text in several languages, by locale identifier with an underscore (`en`, `ja`, `zh_Hans`,
/// `en_GB`).
package struct LocalizedText: Codable, Hashable, Sendable, ExpressibleByDictionaryLiteral {
    package var byLocale: [String: String]

    package init(_ byLocale: [String: String] = [:]) { self.byLocale = byLocale }

    package init(dictionaryLiteral elements: (String, String)...) {
        byLocale = Dictionary(elements, uniquingKeysWith: { _, last in last })
    }
}
