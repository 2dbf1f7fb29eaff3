package import StoreModel

extension Catalog {
    /// Looks through all products; for many questions make a `CatalogIndex` once.
    package func product(_ id: ProductID) -> CatalogProduct? { products.first { $0.id == id } }

    /// The product as a person sees it in a territory: texts in the person's language, price in the
    /// territory's currency, lengths of hosted packages as they are on disk now (0 where a package
    /// has gone). Nil where it is not sold there.
    package func localized(
        _ product: CatalogProduct, in storefront: Storefront, locale: String
    ) -> Product? {
        let folder = contentFolder.map { HostedContentFolder(root: $0) }
        let maker = ProductMaker(
            storefront: storefront,
            preference: LanguagePreference(locale: locale, fallback: defaultLocale),
            priceLocale: PriceLocale.identifier(locale: locale, storefront: storefront),
            sectionName: { id in sections.first { $0.id == id }?.name },
            groupName: { id in groups.first { $0.id == id }?.name },
            packageLength: { _, package in (try? folder?.length(of: package)) ?? 0 })
        return maker.make(product)
    }
}
