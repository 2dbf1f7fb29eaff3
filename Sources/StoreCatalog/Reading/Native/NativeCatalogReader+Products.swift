import Basics
import StoreModel

extension NativeCatalogReader {
    /// By their names in catalog files.
    static let types: [String: ProductType] = [
        "consumable": .consumable, "nonConsumable": .nonConsumable,
        "autoRenewable": .autoRenewable, "nonRenewing": .nonRenewing,
        freeSubscription: .autoRenewable,
    ]
    /// Costs nothing and never ends; `autoRenewable` in signed payloads.
    private static let freeSubscription = "freeSubscription"

    mutating func readProducts(_ value: JSONValue?) -> [CatalogProduct] {
        var products: [CatalogProduct] = []
        let elements = problems.elements(value)
        products.reserveCapacity(elements.count)
        for element in elements {
            if let product = readProduct(element) { products.append(product) }
        }
        return products
    }

    private typealias Members = JSONMembers<NativeKeys.Product>

    private mutating func readProduct(_ value: JSONValue) -> CatalogProduct? {
        guard
            let members = problems.members(
                of: value, NativeKeys.Product.self, required: [.id, .type, .name, .prices])
        else { return nil }
        let id = readIdentifier(members[.id], kind: .product)
        let type = readType(members[.type])
        let isFree = members[.type].map { $0.isText && $0.text == Self.freeSubscription } ?? false
        let name = readName(members[.name])
        let prices = readPrices(members[.prices])
        let description = members[.description].flatMap { readText($0, isName: false) }
        let section = problems.reference(
            members[.section], to: "section", among: sectionIDs,
            expected: "a section of this catalog")
        let isShared = readFamilyShareable(members[.familyShareable], type)
        let subscription = readSubscription(
            members, type, isFree: isFree, regular: prices, of: value)
        if let prices { checkFree(prices, members, type, isFree: isFree) }
        let period = readNonRenewingPeriod(members[.period], type)
        let grant = readGrant(members[.grants], type)
        let delivery = readDelivery(members[.delivery], type)
        let embedded = readEmbedded(members[.delivery], type)
        let unlocks = readUnlocks(members[.unlocks], type)
        let unlockedBy = readUnlockedBy(members[.unlockedBy], delivery)
        let availability = readAvailability(members[.availability])
        let campaigns = readCampaigns(members[.campaigns], regular: prices)
        let state = readState(members[.state])
        let issues = readIssues(members[.issues], type, availability)
        if let campaigns { checkFree(campaigns, at: members[.campaigns], isFree: isFree) }
        guard let id, let type, let name, let prices else { return nil }
        return CatalogProduct(
            id: ProductID(id), type: type, sectionID: section, name: name,
            description: description ?? LocalizedText(), prices: .byTerritory(prices),
            isFamilyShareable: isShared, subscription: subscription, nonRenewingPeriod: period,
            grant: grant, delivery: delivery, unlocks: unlocks, unlockedBy: unlockedBy,
            embedded: embedded, availability: availability, campaigns: campaigns, state: state,
            issues: issues)
    }

    private mutating func readType(_ value: JSONValue?) -> ProductType? {
        guard let value, let text = problems.text(value) else { return nil }
        if let type = Self.types[text] { return type }
        let words = Self.types.keys.sorted()
        // Also suggests the type for its name in signed payloads, such as `Auto-Renewable
        // Subscription`.
        let squeezed = text.filter { $0.isLetter }.replacing("Subscription", with: "")
        problems.defect(
            at: value, expected: "one of \(words.joined(separator: ", "))",
            suggestion: SpellingSuggestion.nearest(to: squeezed, among: words))
        return nil
    }

    mutating func readPrices(_ value: JSONValue?, isCampaign: Bool = false) -> [String: Int64]? {
        guard let value else { return nil }
        guard value.kind == .object else {
            problems.defect(
                at: value,
                expected: "an object of prices by territory, such as {\"USA\": \"3.99\"}")
            return nil
        }
        var prices: [String: Int64] = [:]
        let defectsBefore = problems.defectCount
        value.forEachMember { key, content in
            let code = key.text
            guard let storefront = readTerritory(code, at: key) else { return }
            if prices[code] != nil {
                return problems.defect(
                    at: key, code: .repeated, found: "a second price for \(code)",
                    expected: "each territory once")
            }
            prices[code] = problems.price(
                content, quotes: true, currency: storefront.currency,
                decimalsMax: decimals(of: storefront.currency))
        }
        if value.index + 1 == value.document.nodes[value.index].next {
            problems.defect(
                at: value, code: .missing, found: "no prices", expected: "at least one price")
        } else if !isCampaign, let home = defaults.territory?.countryCode, prices[home] == nil,
            problems.defectCount == defectsBefore
        {
            problems.warn(
                at: value, code: .territoryPrice, found: "no price for \(home)",
                expected: "a price for the default territory, \(home)")
        }
        return prices
    }

    /// False, with a defect, if a price is for a territory without a regular price.
    @discardableResult
    mutating func areSold(
        _ prices: [String: Int64], _ regular: [String: Int64], _ words: String, at node: JSONValue
    ) -> Bool {
        guard let territory = prices.keys.sorted().first(where: { regular[$0] == nil }) else {
            return true
        }
        problems.defect(
            at: node, code: .territoryPrice, found: "\(words) in \(territory)",
            expected: "territories in which the product is sold")
        return false
    }

    private mutating func decimals(of currency: String) -> Int {
        if let known = knownDecimals[currency] { return known }
        let count = CurrencyDecimals.count(of: currency)
        knownDecimals[currency] = count
        return count
    }

    private mutating func readFamilyShareable(_ value: JSONValue?, _ type: ProductType?) -> Bool {
        guard let value, let isShared = problems.flag(value), isShared else { return false }
        if type == .consumable {
            problems.defect(
                at: value, code: .notShareable, expected: "false: a consumable cannot be shared")
        } else if type == .nonRenewing {
            problems.warn(
                at: value, code: .notShareable,
                expected: "false: the App Store does not share non-renewing subscriptions")
            return false
        }
        return isShared
    }

    /// A free subscription with a price is an error. An auto-renewable subscription at a price of 0
    /// gets a warning: it ends and renews, which its author may not intend.
    private mutating func checkFree(
        _ prices: [String: Int64], _ members: Members, _ type: ProductType?, isFree: Bool
    ) {
        guard let node = members[.type], type == .autoRenewable else { return }
        let isZero = prices.values.allSatisfy { $0 == 0 }
        if isFree, !isZero, let node = members[.prices] {
            problems.defect(
                at: node, code: .wrongPrice, found: "a price",
                expected: "0 everywhere: a free subscription is free")
        } else if !isFree, isZero, !prices.isEmpty {
            problems.warn(
                at: node, code: .freeRenewal, found: "\(node.inWords) at a price of 0",
                expected: "\(Self.freeSubscription), which never ends; as it stands it ends and "
                    + "renews at no charge",
                suggestion: "\"\(Self.freeSubscription)\"")
        }
    }

    /// A free subscription with a price in a campaign is an error.
    private mutating func checkFree(
        _ campaigns: [CatalogProduct.Campaign], at node: JSONValue?, isFree: Bool
    ) {
        guard let node, isFree, campaigns.contains(where: { $0.prices.values.contains { $0 > 0 } })
        else { return }
        problems.defect(
            at: node, code: .wrongPrice, found: "a price",
            expected: "0 everywhere: a free subscription is free")
    }

    private mutating func readSubscription(
        _ members: Members, _ type: ProductType?, isFree: Bool, regular: [String: Int64]?,
        of product: JSONValue
    ) -> CatalogProduct.Subscription? {
        guard let value = members[.subscription] else {
            if type == .autoRenewable {
                problems.defect(
                    at: product, missing: "subscription",
                    expected: isFree
                        ? "the group of a free subscription"
                        : "the group, level and period of an auto-renewable subscription")
            }
            return nil
        }
        if let type, type != .autoRenewable {
            problems.defect(
                at: value, code: type == .consumable ? .currencyExpires : .misplaced,
                expected: "no subscription: only autoRenewable and \(Self.freeSubscription) "
                    + "products have one")
            return nil
        }
        guard
            let parts = problems.members(
                of: value, NativeKeys.Subscription.self,
                required: isFree ? [.group] : [.group, .level, .period])
        else { return nil }
        let group = problems.reference(
            parts[.group], to: "group", among: groupIDs,
            expected: "a subscription group of this catalog")
        if let group, let node = parts[.group] { noteGroup(group, isFree: isFree, at: node) }
        let level = isFree && parts[.level] == nil ? 1 : problems.count(parts[.level], max: 1000)
        let period = readPeriod(parts[.period], isFree: isFree)
        let offers = readOffers(parts[.offers], regular: regular)
        if let node = parts[.offers], isFree {
            problems.defect(
                at: node, code: .misplaced, expected: "no offers: a free subscription is free")
        }
        let plans = readMonthlyPayments(parts[.monthlyPayments], of: period, regular: regular)
        guard let group, let level, isFree || period != nil else { return nil }
        return CatalogProduct.Subscription(
            groupID: SubscriptionGroupID(group), level: level, period: period, offers: offers,
            billingPlans: plans,
            preservesPrice: problems.flag(parts[.preserveCurrentPrice]) == true ? true : nil)
    }

    /// `upFront` and `monthly`.
    private mutating func readMonthlyPayments(
        _ value: JSONValue?, of period: SubscriptionPeriod?, regular: [String: Int64]?
    ) -> [CatalogProduct.BillingPlan]? {
        guard let value else { return nil }
        guard period?.monthlyPayments != nil else {
            problems.defect(
                at: value, code: .misplaced,
                expected: "no monthly payments: the period is not several months, such as P1Y")
            return nil
        }
        guard let payments = readPrices(value, isCampaign: true), let regular else { return nil }
        guard areSold(payments, regular, "monthly payments", at: value) else { return nil }
        return [
            CatalogProduct.BillingPlan(type: .upFront, prices: .byTerritory(regular)),
            CatalogProduct.BillingPlan(type: .monthly, prices: .byTerritory(payments)),
        ]
    }

    private mutating func readPeriod(_ value: JSONValue?, isFree: Bool) -> SubscriptionPeriod? {
        guard isFree else { return RenewalPeriod.read(value, problems: &problems) }
        if let value {
            problems.defect(
                at: value, code: .misplaced, expected: "no period: a free subscription never ends")
        }
        return nil
    }

    /// A free subscription never ends, and an account holds one subscription of a group. A free
    /// subscription must therefore be alone in its group.
    private mutating func noteGroup(_ group: String, isFree: Bool, at node: JSONValue) {
        if let first = groupsUsed[group], isFree || first.isFree {
            problems.defect(
                at: node, code: .misplaced, found: "the group \(UntrustedText.quote(group))",
                expected: "a group of its own for a free subscription, which never ends",
                firstNode: first.node)
        }
        if groupsUsed[group] == nil { groupsUsed[group] = (isFree, node.index) }
    }

    private mutating func readNonRenewingPeriod(
        _ value: JSONValue?, _ type: ProductType?
    ) -> SubscriptionPeriod? {
        guard let value else { return nil }
        if let type, type != .nonRenewing {
            let place = type == .autoRenewable ? "; this type has it inside `subscription`" : ""
            let code: CatalogProblem.Code =
                switch type {
                case .consumable: .currencyExpires
                case .autoRenewable: .misplaced
                default: .periodOutsideSubscription
                }
            problems.defect(
                at: value, code: code,
                expected: "no period: only nonRenewing products have one" + place)
            return nil
        }
        return RenewalPeriod.readAny(value, problems: &problems)
    }

    private mutating func readGrant(_ value: JSONValue?, _ type: ProductType?) -> Grant? {
        guard let value else { return nil }
        if let type, type != .consumable {
            problems.defect(
                at: value, code: .misplaced, expected: "no grants: only consumables grant amounts")
            return nil
        }
        return readAmount(value)
    }

    /// Nil, with a defect, if it is none.
    mutating func readAmount(_ value: JSONValue) -> Grant? {
        guard
            let parts = problems.members(
                of: value, NativeKeys.Grants.self, required: [.unit, .amount])
        else { return nil }
        let unit = problems.identifier(parts[.unit])
        let amount = problems.count(parts[.amount])
        guard let unit, let amount else { return nil }
        return Grant(unit: unit, amount: amount)
    }
}
