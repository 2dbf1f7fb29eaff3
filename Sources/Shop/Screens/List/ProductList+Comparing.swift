import StoreModel

/// Facts about a product from a comparison with the other products.
extension ProductList {
    /// The parts of identifiers that differ between products of the same name, by product.
    static func distinctions(of products: [Product]) -> [ProductID: String] {
        let twins = Dictionary(grouping: products, by: \.displayName).values.filter { $0.count > 1 }
        var distinctions: [ProductID: String] = [:]
        for group in twins {
            let parts = group.map { $0.id.rawValue.split(separator: ".").map(String.init) }
            let shortest = parts.map(\.count).min() ?? 0
            let same = (0..<shortest).prefix { at in Set(parts.map { $0[at] }).count == 1 }.count
            for (product, parts) in zip(group, parts) {
                let rest = parts.dropFirst(same).joined(separator: ".")
                distinctions[product.id] = rest.isEmpty ? product.id.rawValue : rest
            }
        }
        return distinctions
    }

    /// The price of each plan for one month, to the nearest amount of the currency. Only for groups
    /// whose plans have several periods; monthly plans are left out, and amounts too small to show.
    static func monthlyPrices(of products: [Product]) -> [ProductID: Money] {
        var periods: [SubscriptionGroupID: Set<SubscriptionPeriod>] = [:]
        for plan in products.compactMap(\.subscription) {
            if let period = plan.period { periods[plan.groupID, default: []].insert(period) }
        }
        var monthly: [ProductID: Money] = [:]
        for product in products {
            guard let plan = product.subscription, let period = plan.period,
                product.price.milliunits > 0, periods[plan.groupID, default: []].count > 1,
                period != SubscriptionPeriod(unit: .month, value: 1)
            else { continue }
            let exact = Double(product.price.milliunits) * period.perYear / 12
            let currency = product.price.currency
            let unit = Double(CurrencyDecimals.smallestMilliunits(of: currency))
            guard let month = Int64(exactly: (exact / unit).rounded() * unit), month > 0 else {
                continue
            }
            monthly[product.id] = Money(milliunits: month, currency: currency)
        }
        return monthly
    }

    /// In percent of a year's price, compared with the most frequent plan of its group and level.
    static func savings(of products: [Product]) -> [ProductID: Int] {
        struct Level: Hashable {
            var group: SubscriptionGroupID
            var level: Int
            var currency: String
        }
        var levels: [Level: [(id: ProductID, days: Double, yearly: Double)]] = [:]
        for product in products {
            guard let plan = product.subscription, let period = plan.period,
                product.price.milliunits > 0
            else { continue }
            let level = Level(
                group: plan.groupID, level: plan.level, currency: product.price.currency)
            let yearly = Double(product.price.milliunits) * period.perYear
            levels[level, default: []].append((product.id, 1 / period.perYear, yearly))
        }
        var savings: [ProductID: Int] = [:]
        for plans in levels.values {
            guard let shortest = plans.min(by: { $0.days < $1.days }) else { continue }
            for plan in plans where plan.days > shortest.days {
                let percent = Int((1 - plan.yearly / shortest.yearly) * 100)
                if percent > 0 { savings[plan.id] = percent }
            }
        }
        return savings
    }
}

extension SubscriptionPeriod {
    /// The number of these periods in a year. Plans are compared by it; no charge depends on it.
    fileprivate var perYear: Double {
        let units: Double =
            switch unit {
            case .day: 365
            case .week: 365.0 / 7.0
            case .month: 12
            case .year: 1
            }
        return units / Double(max(1, value))
    }
}
