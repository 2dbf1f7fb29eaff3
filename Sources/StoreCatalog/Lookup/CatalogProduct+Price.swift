package import StoreModel

extension CatalogProduct {
    /// The price of one in a territory; nil if it is not sold there.
    ///
    /// A price for all territories is rounded to the currency's decimals (ISO 4217), so that the
    /// amount shown is the amount charged: 0.99 is 1 in yen. A price above 0 stays above 0.
    package func price(in storefront: Storefront) -> Money? { prices.price(in: storefront) }
}

extension CatalogProduct.Prices {
    /// The price in a territory, rounded as in `CatalogProduct.price(in:)`; nil if there is none.
    package func price(in storefront: Storefront) -> Money? {
        switch self {
        case .byTerritory(let prices):
            return prices[storefront.countryCode].map {
                Money(milliunits: $0, currency: storefront.currency)
            }
        case .everywhere(let milliunits):
            let smallest = CurrencyDecimals.smallestMilliunits(of: storefront.currency)
            let rounded = (milliunits + smallest / 2) / smallest * smallest
            let price = milliunits > 0 ? max(rounded, smallest) : 0
            return Money(milliunits: price, currency: storefront.currency)
        }
    }
}
