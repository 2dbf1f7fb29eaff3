import Basics
package import StoreModel

/// A catalog with indexes: products, headings and group names by identifier, and the lengths of
/// hosted packages. Made once for each revision; the time to find one product does not depend on
/// the number of products. Safe from any task.
package struct CatalogIndex: Sendable {
    package let catalog: Catalog
    /// With the packages that the store offers to devices.
    private let products: [CatalogProduct]
    private let positions: [ProductID: Int]
    private let sectionNames: [String: LocalizedText]
    private let groupNames: [SubscriptionGroupID: LocalizedText]
    private let packageFacts: PackageFacts
    package let introductoryGroups: Set<SubscriptionGroupID>
    /// When a price changes, or a product begins or ends to be for sale, in order.
    private let changeDates: [Timestamp]
    /// Whether any product is not always for sale, or not listed by the app.
    package let hasLimits: Bool
    /// The products that publish issues.
    package let publishing: [CatalogProduct]

    /// Does not access the disk.
    package init(
        _ catalog: Catalog, in environment: StoreEnvironment = .sandbox, manifests: String? = nil
    ) {
        self.catalog = catalog
        products = catalog.offeredProducts(in: environment)
        positions = Dictionary(
            catalog.products.enumerated().map { ($0.element.id, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        sectionNames = Dictionary(
            catalog.sections.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        groupNames = Dictionary(
            catalog.groups.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        changeDates = Set(catalog.products.flatMap(\.changeDates)).sorted()
        hasLimits =
            catalog.productList != nil
            || catalog.products.contains { $0.availability != nil || $0.state != nil }
        publishing = catalog.products.filter { $0.issues != nil }
        introductoryGroups = Set(
            catalog.products.filter { $0.offers.contains { $0.kind == .introductory } }
                .compactMap(\.subscription?.groupID))
        packageFacts = PackageFacts(
            folder: catalog.contentFolder.map { HostedContentFolder(root: $0) },
            manifests: manifests)
    }

    package func product(_ id: ProductID) -> CatalogProduct? {
        positions[id].map { products[$0] }
    }

    /// The conditions under which products are listed for an account.
    package struct Visit: Sendable {
        package var now: Timestamp
        package var environment: StoreEnvironment
        /// Products that the account owns or has not finished; it gets them even if they are not
        /// for sale.
        package var held: Set<ProductID> = []
        package var issues: [ProductID: Set<String>] = [:]
        /// Those whose introductory offers the account cannot have.
        package var groupsWithoutIntroductory: Set<SubscriptionGroupID> = []

        package init(now: Timestamp, environment: StoreEnvironment) {
            self.now = now
            self.environment = environment
        }
    }

    /// The territories in which any product has a price (ISO 3166-1 alpha-3), sorted; nil for all.
    package var territories: [String]? {
        var found: Set<String> = []
        for product in products {
            guard case .byTerritory(let prices) = product.prices else { return nil }
            found.formUnion(prices.keys)
        }
        return found.sorted()
    }

    /// When a price changes next, or a product begins or ends to be for sale.
    package func nextChange(after now: Timestamp) -> Timestamp? {
        changeDates.first { $0 > now }
    }

    /// The products for sale in a territory, in the catalog's order, and the products in
    /// `visit.held`. Nil asks for the app's own list (`Catalog.productList`) and the held products,
    /// or for all products if there is no such list. Identifiers that are unknown, not sold there
    /// or not for sale now are returned as `invalid`, in the order asked; repeated ones count once.
    package func products(
        _ asked: [ProductID]?, in storefront: Storefront, locale: String, for visit: Visit
    ) -> (products: [Product], invalid: [ProductID]) {
        let maker = maker(storefront, locale, visit)
        var identifiers = asked
        if asked == nil, let list = catalog.productList {
            identifiers = list + visit.held.subtracting(list).sorted()
        }
        guard let identifiers else { return (products.compactMap(maker.make), []) }
        var found: [(position: Int, product: Product)] = []
        var invalid: [ProductID] = []
        var seen: Set<ProductID> = []
        for id in identifiers where seen.insert(id).inserted {
            if let position = positions[id], let product = maker.make(products[position]) {
                found.append((position, product))
            } else {
                invalid.append(id)
            }
        }
        return (found.sorted { $0.position < $1.position }.map(\.product), invalid)
    }

    private func maker(
        _ storefront: Storefront, _ locale: String, _ visit: Visit
    ) -> ProductMaker {
        ProductMaker(
            storefront: storefront, visit: visit,
            preference: LanguagePreference(locale: locale, fallback: catalog.defaultLocale),
            priceLocale: PriceLocale.identifier(locale: locale, storefront: storefront),
            sectionName: { sectionNames[$0] }, groupName: { groupNames[$0] },
            packageFacts: packageFacts)
    }
}

/// The lengths and digests of hosted packages, read from disk at their first use: most processes
/// that open a store need none. A package that is missing at that time has 0 bytes.
final class PackageFacts: Sendable {
    private let folder: HostedContentFolder?
    private let manifests: String?
    /// By the package's path in the folder.
    private let lengths = Memo<String, Int64>(limit: 20_000)
    /// The key is the whole package, because its version is part of its manifest.
    private let digests = Memo<CatalogDelivery.Package, String?>(limit: 20_000)

    init(folder: HostedContentFolder?, manifests: String?) {
        self.folder = folder
        self.manifests = manifests
    }

    func length(of package: CatalogDelivery.Package) -> Int64 {
        if let release = package.release { return release.length }
        return lengths.value(package.path) { (try? folder?.length(of: package)) ?? 0 }
    }

    /// Absolute; nil for a release, and without a content folder.
    func path(of package: CatalogDelivery.Package) -> String? {
        package.release == nil ? folder.map { $0.root + "/" + package.path } : nil
    }

    /// For a package that is a folder; nil if no manifest is kept.
    func manifestDigest(of package: CatalogDelivery.Package) -> String? {
        guard package.release == nil, let folder, let manifests else { return nil }
        return digests.value(package) { folder.keptDigest(of: package, in: manifests) }
    }
}
