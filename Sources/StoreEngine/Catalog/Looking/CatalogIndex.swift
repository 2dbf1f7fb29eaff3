package import StoreModel

/// A catalog made ready for questions: products by identifier, headings by identifier, lengths of
/// hosted packages. Made once for each revision; every answer then costs the same however many
/// products there are.
package struct CatalogIndex: Sendable {
    package let catalog: Catalog
    private let positions: [ProductID: Int]
    private let sectionNames: [String: LocalizedText]
    private let groupNames: [SubscriptionGroupID: LocalizedText]
    private let packageLengths: [ProductID: [String: Int64]]

    /// Looks at the sizes of all hosted files; a package that has gone since the catalog was read
    /// counts 0 bytes.
    package init(_ catalog: Catalog) {
        self.catalog = catalog
        positions = Dictionary(
            catalog.products.enumerated().map { ($0.element.id, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        sectionNames = Dictionary(
            catalog.sections.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        groupNames = Dictionary(
            catalog.groups.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        packageLengths = Self.lengths(in: catalog)
    }

    private static func lengths(in catalog: Catalog) -> [ProductID: [String: Int64]] {
        guard let folder = catalog.contentFolder.map({ HostedContentFolder(root: $0) }) else {
            return [:]
        }
        var lengths: [ProductID: [String: Int64]] = [:]
        for product in catalog.products {
            guard case .hosted(let packages) = product.delivery else { continue }
            for package in packages {
                lengths[product.id, default: [:]][package.id] =
                    (try? folder.length(of: package)) ?? 0
            }
        }
        return lengths
    }

    package func product(_ id: ProductID) -> CatalogProduct? {
        positions[id].map { catalog.products[$0] }
    }

    /// One product as a person sees it; nil where it is unknown or not sold in the territory.
    package func localized(_ id: ProductID, in storefront: Storefront, locale: String) -> Product? {
        product(id).flatMap { maker(storefront, locale).make($0) }
    }

    /// What is for sale in a territory, in the catalog's order. Nil asks for everything;
    /// identifiers that are unknown or not sold there come back as invalid, in the order asked.
    package func products(
        _ identifiers: [ProductID]?, in storefront: Storefront, locale: String
    ) -> (products: [Product], invalid: [ProductID]) {
        let maker = maker(storefront, locale)
        guard let identifiers else { return (catalog.products.compactMap(maker.make), []) }
        var found: [(position: Int, product: Product)] = []
        var invalid: [ProductID] = []
        var seen: Set<ProductID> = []
        for id in identifiers where seen.insert(id).inserted {
            if let position = positions[id], let product = maker.make(catalog.products[position]) {
                found.append((position, product))
            } else {
                invalid.append(id)
            }
        }
        return (found.sorted { $0.position < $1.position }.map(\.product), invalid)
    }

    private func maker(_ storefront: Storefront, _ locale: String) -> ProductMaker {
        ProductMaker(
            storefront: storefront,
            preference: LanguagePreference(locale: locale, fallback: catalog.defaultLocale),
            priceLocale: PriceLocale.identifier(locale: locale, storefront: storefront),
            sectionName: { sectionNames[$0] }, groupName: { groupNames[$0] },
            packageLength: { packageLengths[$0.id]?[$1.id] ?? 0 })
    }
}
