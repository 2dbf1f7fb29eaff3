package import StoreModel

extension CatalogProduct {
    /// What it costs in a territory; nil where it is not sold there.
    ///
    /// A price that holds everywhere is rounded to what the territory's currency has coins for, so
    /// that the sum shown is the sum charged: 0.99 is 1 in yen. It never becomes free by that.
    package func price(in storefront: Storefront) -> Money? {
        switch prices {
        case .byTerritory(let prices):
            return prices[storefront.countryCode].map {
                Money(milliunits: $0, currency: storefront.currency)
            }
        case .everywhere(let milliunits):
            let step = [1000, 100, 10, 1][CurrencyDecimals.count(of: storefront.currency)]
            let smallest = Int64(step)
            let rounded = (milliunits + smallest / 2) / smallest * smallest
            let price = milliunits > 0 ? max(rounded, smallest) : 0
            return Money(milliunits: price, currency: storefront.currency)
        }
    }
}
