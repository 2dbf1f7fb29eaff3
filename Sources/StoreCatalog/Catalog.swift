import Basics
package import Foundation
package import StoreModel

/// Everything a store has for sale, in all languages and territories: the contents of a catalog
/// file that was read without errors. A store keeps each catalog it was given as a revision.
package struct Catalog: Codable, Hashable, Sendable {
    package var bundleID: String
    /// The number App Store Connect gives the app.
    package var appAppleID: Int64?
    package var appName: LocalizedText
    /// The territory of accounts that have chosen none, ISO 3166-1 alpha-3.
    package var defaultTerritory: String?
    /// The locale of a text that does not exist in the person's language.
    package var defaultLocale: String
    /// In the file's order.
    package var sections: [Section] = []
    package var groups: [Group] = []
    /// In the file's order; each identifier once.
    package var products: [CatalogProduct]
    /// Absolute.
    package var contentFolder: String?
    package var renewalRate: RenewalRate?
    package var settings: CatalogSettings?
    /// The app's own list of the products that its shop asks for; nil for all of them.
    package var productList: [ProductID]?
    /// The seller's part of every price; nil if the file names none.
    package var proceedsRate: Share?
    /// The store does not keep the key with the catalog (`CatalogReading.source`).
    package var hadPrivateKey: Bool?
    /// States that an operator has given, which replace the file's.
    package var published: [ProductID: Published]?
    /// Packages that were put into the store as files, in every state, oldest first.
    package var releases: [PackageRelease]?

    /// Whether it has no product, or its app asks for none that it has.
    package var sellsNothing: Bool {
        guard let productList else { return products.isEmpty }
        let asked = Set(productList)
        return !products.contains { asked.contains($0.id) }
    }

    /// The catalog as JSON, as a store keeps it and `JSONDecoder` reads it. For a large catalog
    /// `JSONEncoder` needs several times its memory. Throws `systemError` if it cannot be encoded.
    package func body() throws(StoreError) -> Data {
        do { return Data(try JSONWriter.bytes(of: self)) } catch {
            throw StoreError(.systemError, subject: "catalog", cause: String(describing: error))
        }
    }

    /// A heading of the shop.
    package struct Section: Codable, Hashable, Sendable {
        /// Unique among the sections.
        package var id: String
        package var name: LocalizedText
    }

    /// A subscription group (StoreKit: `subscriptionGroupID`).
    package struct Group: Codable, Hashable, Sendable {
        /// Unique among the groups.
        package var id: SubscriptionGroupID
        package var name: LocalizedText

        package init(id: SubscriptionGroupID, name: LocalizedText) {
            self.id = id
            self.name = name
        }
    }
}

/// A product as the catalog describes it, for all accounts. `CatalogIndex.products` makes it a
/// `Product` for one account.
package struct CatalogProduct: Codable, Hashable, Sendable {
    /// Unique within the catalog.
    package var id: ProductID
    /// The type in signed payloads; a free subscription is `autoRenewable`.
    package var type: ProductType
    package var sectionID: String?
    /// In at least one language.
    package var name: LocalizedText
    /// May be empty.
    package var description = LocalizedText()
    /// The prices of one, in milliunits.
    package var prices: Prices
    package var isFamilyShareable = false
    /// Set for auto-renewable subscriptions only.
    package var subscription: Subscription?
    /// The length of a non-renewing subscription, if the file gives one.
    package var nonRenewingPeriod: SubscriptionPeriod?
    package var grant: Grant?
    package var delivery = CatalogDelivery.embedded
    /// The features that the app unlocks for an owner, each once; nil if the file names none, and
    /// in a catalog that a store recorded before this member existed.
    package var unlocks: [UnlockID]?
    /// The unlock that opens the hosted content without a purchase (`Product.unlockedBy`).
    package var unlockedBy: UnlockID?
    /// Packages that are part of the app from the start; nil for none.
    package var embedded: [CatalogDelivery.Package]?
    /// Nil for always.
    package var availability: Window?
    /// Prices that replace `prices` for a time. At most one applies at an instant.
    package var campaigns: [Campaign]?
    /// Nil means approved.
    package var state: PublicationState?
    package var issues: [Issue]?

    /// A subscription without a period: it costs nothing and never ends.
    package var isFreeSubscription: Bool { subscription.map { $0.period == nil } ?? false }

    /// The place of a subscription in its group.
    package struct Subscription: Codable, Hashable, Sendable {
        package var groupID: SubscriptionGroupID
        /// 1 is the highest level of service; at most 1,000.
        package var level: Int
        /// The time until the subscription renews; nil for a free subscription, which never ends.
        package var period: SubscriptionPeriod?
        /// The offers, in the file's order; nil for none, and in a catalog that a store recorded
        /// before this member existed.
        package var offers: [Offer]?
        /// The billing plans, in the file's order; nil if it can only be paid up front, and in a
        /// catalog that a store recorded before this member existed.
        package var billingPlans: [BillingPlan]?
        /// True if who subscribes keeps the price when it rises (App Store Connect API:
        /// `preserveCurrentPrice`); nil if the customer is told, and asked where that is needed.
        package var preservesPrice: Bool?
    }

    /// An issue of a subscription.
    package struct Issue: Codable, Hashable, Sendable {
        package var title: LocalizedText
        /// In store time.
        package var date: Timestamp
        /// In one version; the package's identifier is the issue's.
        package var package: CatalogDelivery.Package

        package var id: String { package.id }
    }

    /// The prices of a product, in milliunits of the territory's currency.
    package enum Prices: Codable, Hashable, Sendable {
        /// The same number in every territory, in the territory's currency, as in Xcode's files.
        case everywhere(milliunits: Int64)
        /// By territory (ISO 3166-1 alpha-3). The product is not sold in territories that are
        /// missing.
        case byTerritory([String: Int64])
    }
}

// What a catalog needs that is not read from a file; all other members can be set by name.

extension Catalog {
    package init(
        bundleID: String, appName: LocalizedText, defaultLocale: String, products: [CatalogProduct]
    ) {
        self.bundleID = bundleID
        self.appName = appName
        self.defaultLocale = defaultLocale
        self.products = products
    }
}

extension CatalogProduct.Subscription {
    package init(groupID: SubscriptionGroupID, level: Int, period: SubscriptionPeriod?) {
        self.groupID = groupID
        self.level = level
        self.period = period
    }
}

extension CatalogProduct {
    package init(id: ProductID, type: ProductType, name: LocalizedText, prices: Prices) {
        self.id = id
        self.type = type
        self.name = name
        self.prices = prices
    }
}

/// How a product's content is delivered, as the catalog describes it.
package enum CatalogDelivery: Codable, Hashable, Sendable {
    case embedded
    /// Downloaded from the store.
    case hosted([Package])
    /// Downloaded from the app's own server, http or https. The packages lie in the catalog's
    /// content folder, from which the app's server serves them; nil if the catalog names none.
    case ownServer(url: String, packages: [Package]? = nil)

    /// A package of hosted content.
    package struct Package: Codable, Hashable, Sendable {
        package var id: String
        /// Devices keep each version in a separate folder.
        package var version: String
        /// A folder or file, relative to the catalog's content folder and inside it; empty for a
        /// release.
        package var path: String
        /// The release that devices get instead of a folder; nil in a catalog that was just read.
        package var release: PackageRelease?
        /// What opening it costs (`HostedContent.cost`).
        package var cost: Grant?

        package init(id: String, version: String, path: String, release: PackageRelease? = nil) {
            self.id = id
            self.version = version
            self.path = path
            self.release = release
        }
    }
}

/// A text in several languages.
package struct LocalizedText: Codable, Hashable, Sendable, ExpressibleByDictionaryLiteral {
    var byLocale: [String: String]

    package init(_ byLocale: [String: String] = [:]) { self.byLocale = byLocale }

    /// If two texts have one locale, the last one is kept.
    package init(dictionaryLiteral elements: (String, String)...) {
        byLocale = Dictionary(elements, uniquingKeysWith: { _, last in last })
    }
}
