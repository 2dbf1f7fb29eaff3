import Foundation
import StoreModel

/// Prices as people write them, each written once: a hundred thousand products have a few hundred
/// prices, and to write one takes longer than all else that is done for a product
/// (`products --json, 100000 products` of `make bench`).
struct PriceTexts {
    private var known: [Price: String] = [:]

    private struct Price: Hashable {
        var amount: Money
        var locale: String
    }

    mutating func text(of product: Product) -> String {
        let price = Price(amount: product.price, locale: product.priceLocale)
        if let text = known[price] { return text }
        let text = product.displayPrice
        known[price] = text
        return text
    }
}
