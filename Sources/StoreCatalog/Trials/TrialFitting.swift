package import StoreModel

extension CatalogIndex {
    /// The list with advice that holds for this catalog: where the catalog lacks a product or a
    /// code that a trial names, the first one of the kind that the trial needs takes its place. A
    /// trial for which there is none keeps neither commands nor a place.
    package func fitted(
        _ list: TrialList, in storefront: Storefront, for visit: Visit
    ) -> TrialList {
        let wanted = list.trials.flatMap(\.namedNeeds)
        guard wanted.contains(where: { !has($0.name) }) else { return list }
        let supply = TrialSupply(
            products: products(
                nil, in: storefront, locale: catalog.defaultLocale, for: visit
            ).products,
            codes: catalog.products.flatMap(\.offers).flatMap { $0.codes ?? [] }.map(\.code))
        var list = list
        for index in list.trials.indices {
            let missing = list.trials[index].namedNeeds.filter { !has($0.name) }
            list.trials[index].fit(missing, supply)
        }
        return list
    }

    /// Whether the catalog has a product or an offer code of this name.
    private func has(_ name: String) -> Bool {
        product(ProductID(name)) != nil || catalog.redemption(of: name) != nil
    }
}

extension Trial {
    fileprivate typealias NamedNeed = (name: String, need: TrialNeed)

    /// The needs whose names the commands or the place have, in order of the names.
    fileprivate var namedNeeds: [NamedNeed] {
        var words = Set(commands.flatMap { $0.split(separator: " ").map(String.init) })
        if let product = place?.product { words.insert(product.rawValue) }
        return needs.filter { words.contains($0.key) }.sorted { $0.key < $1.key }
            .map { (name: $0.key, need: $0.value) }
    }

    fileprivate mutating func fit(_ missing: [NamedNeed], _ supply: TrialSupply) {
        var names: [String: String] = [:]
        for (name, need) in missing {
            guard let own = supply.name(for: need) else {
                commands = []
                place = nil
                unmet = need
                return
            }
            names[name] = own
        }
        func fitted(_ text: String) -> String {
            text.split(separator: " ", omittingEmptySubsequences: false)
                .map { names[String($0)] ?? String($0) }.joined(separator: " ")
        }
        commands = commands.map(fitted)
        how.byLanguage = how.byLanguage.mapValues(fitted)
        if let product = place?.product, let own = names[product.rawValue] {
            place?.product = ProductID(own)
        }
    }
}

/// What trials can be made to happen with: the products for sale and the offer codes of a catalog.
private struct TrialSupply {
    var products: [Product]
    var codes: [String]

    /// Nil if there is nothing of the kind.
    func name(for need: TrialNeed) -> String? {
        let higher = products.first { one in products.contains { $0.isBelow(one) } }
        switch need {
        case .offerCode: return codes.first
        case .higherLevel: return higher?.id.rawValue
        case .lowerLevel:
            return higher.flatMap { higher in products.first { $0.isBelow(higher) } }?.id.rawValue
        default: return products.first { $0.meets(need) }?.id.rawValue
        }
    }
}

extension Product {
    /// Whether it is of the same subscription group and of a lower level of service.
    fileprivate func isBelow(_ other: Product) -> Bool {
        guard let own = subscription, let others = other.subscription else { return false }
        return own.groupID == others.groupID && own.level > others.level
    }

    /// What needs a second product, or none, is no need that a product meets.
    fileprivate func meets(_ need: TrialNeed) -> Bool {
        let period = subscription?.period
        switch need {
        case .consumable: return type == .consumable
        case .nonConsumable: return type == .nonConsumable
        case .nonRenewing: return type == .nonRenewing
        case .autoRenewable: return period != nil
        case .freeSubscription: return type == .autoRenewable && price.milliunits == 0
        case .shortPeriod:
            let first = subscription?.introductoryOffer?.period ?? period
            return period?.isAtMostAMonth == true && first?.isAtMostAMonth == true
        case .freeTrial: return subscription?.introductoryOffer?.mode == .freeTrial
        case .payAsYouGo: return subscription?.introductoryOffer?.mode == .payAsYouGo
        case .noCharge: return type == .nonConsumable && price.milliunits == 0
        case .hosted:
            guard type == .nonConsumable, case .hosted(let packages) = delivery else {
                return false
            }
            return !packages.isEmpty
        case .familyShareable: return isFamilyShareable
        case .higherLevel, .lowerLevel, .offerCode: return false
        }
    }
}

extension SubscriptionPeriod {
    /// Of the lengths that the App Store has.
    fileprivate var isAtMostAMonth: Bool {
        switch unit {
        case .day, .week: true
        case .month: value == 1
        case .year: false
        }
    }
}
