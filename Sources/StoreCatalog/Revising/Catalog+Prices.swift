import Basics
package import StoreModel

extension Catalog {
    /// With a higher price of a plan, in every territory and with every billing plan, rounded up to
    /// the currency's smallest unit; at most the highest price that a catalog can have.
    ///
    /// - Parameter keepsPrice: whether those who subscribe keep the price that they pay now.
    package func raisingPrice(of id: ProductID, percent: Int, keepsPrice: Bool) -> Catalog {
        var changed = self
        for index in products.indices where products[index].id == id {
            changed.products[index].prices.raise(percent)
            changed.products[index].subscription?.preservesPrice = keepsPrice ? true : nil
            let plans = products[index].subscription?.billingPlans
            changed.products[index].subscription?.billingPlans = plans?.map { plan in
                var plan = plan
                plan.prices.raise(percent)
                plan.commitmentPrices?.raise(percent)
                return plan
            }
        }
        return changed
    }
}

extension CatalogProduct.Prices {
    fileprivate mutating func raise(_ percent: Int) {
        func raised(_ sum: Int64, _ currency: String) -> Int64 {
            let smallest = CurrencyDecimals.smallestMilliunits(of: currency)
            let more = sum.multipliedClamped(by: Int64(percent)) / 100
            let whole = sum.addingClamped(more).addingClamped(smallest - 1) / smallest * smallest
            return min(whole, PriceText.unitsMax * 1000)
        }
        switch self {
        case .everywhere(let sum): self = .everywhere(milliunits: raised(sum, "USD"))
        case .byTerritory(var sums):
            for (code, sum) in sums {
                sums[code] = raised(sum, Storefront.find(code)?.currency ?? "USD")
            }
            self = .byTerritory(sums)
        }
    }
}
