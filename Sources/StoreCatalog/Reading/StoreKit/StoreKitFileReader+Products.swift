import Basics
import StoreModel

extension StoreKitFileReader {
    private static let types: [String: ProductType] = [
        "Consumable": .consumable, "NonConsumable": .nonConsumable,
        "NonRenewingSubscription": .nonRenewing, "RecurringSubscription": .autoRenewable,
    ]

    private typealias Members = JSONMembers<StoreKitKeys.Product>

    mutating func readGroup(
        _ value: JSONValue, into groups: inout [Catalog.Group], _ products: inout [CatalogProduct]
    ) {
        problems.consequence = "; the group is left out"
        let defectsBefore = problems.defectCount
        let members = problems.members(of: value, StoreKitKeys.Group.self, required: [.id])
        let id = members?[.id].flatMap { problems.text($0) }
        if let node = members?[.id], let id {
            if id.isEmpty {
                problems.defect(at: node, expected: "a group identifier")
            } else {
                problems.isFirst(
                    "group " + id, at: node, in: &firstNodes,
                    expected: "a group identifier of its own")
            }
        }
        problems.consequence = ""
        guard let members, let id, problems.defectCount == defectsBefore else { return }
        let title = optionalText(members[.name]).map { UntrustedText.clean($0) } ?? ""
        let texts = readTexts(members[.localizations])
        warnOfGroupDescriptions(texts.descriptions, at: members[.localizations])
        var name = texts.names
        if name.isEmpty { name[defaultLocale] = title.isEmpty ? UntrustedText.clean(id) : title }
        let groupID = SubscriptionGroupID(id)
        groups.append(Catalog.Group(id: groupID, name: LocalizedText(name)))
        for element in problems.elements(members[.subscriptions]) {
            if let product = readProduct(element, group: groupID) { products.append(product) }
        }
    }

    /// Nil, with a warning that it is left out, if it has a defect.
    mutating func readProduct(
        _ value: JSONValue, group: SubscriptionGroupID?
    ) -> CatalogProduct? {
        problems.consequence = "; the product is left out"
        defer { problems.consequence = "" }
        let defectsBefore = problems.defectCount
        guard
            let members = problems.members(
                of: value, StoreKitKeys.Product.self,
                required: [.productID, .type, .displayPrice])
        else { return nil }
        let id = problems.identifier(members[.productID])
        if let id, let node = members[.productID] {
            problems.isFirst(
                "product " + id, at: node, in: &firstNodes,
                expected: "a product identifier of its own")
        }
        let type = readType(members[.type], group: group)
        let price = readPrice(members[.displayPrice])
        let subscription = group.flatMap { readSubscription(members, in: $0, of: value) }
        guard problems.defectCount == defectsBefore, let id, let type, let price else { return nil }
        problems.consequence = ""
        warnOfRest(of: members)
        guard let offers = subscription == nil ? [] : readOffers(members) else { return nil }
        var priced = subscription
        priced?.offers = offers.isEmpty ? nil : offers
        priced?.billingPlans = readBillingPlans(members, of: subscription?.period)
        let texts = readTexts(members[.localizations])
        return CatalogProduct(
            id: ProductID(id), type: type, name: name(texts.names, members, id),
            description: LocalizedText(texts.descriptions), prices: .everywhere(milliunits: price),
            isFamilyShareable: readFamilyShareable(members[.familyShareable], type),
            subscription: priced)
    }

    private mutating func readType(
        _ value: JSONValue?, group: SubscriptionGroupID?
    ) -> ProductType? {
        guard let value, let type = problems.word(value, Self.types) else { return nil }
        if (type == .autoRenewable) != (group != nil) {
            problems.defect(
                at: value, code: .misplaced,
                expected: group == nil
                    ? "recurring subscriptions inside a subscription group only"
                    : "RecurringSubscription inside a subscription group")
        }
        return type
    }

    private mutating func readPrice(_ value: JSONValue?) -> Int64? {
        guard let value else { return nil }
        if value.isText, value.text.isEmpty {
            // Xcode writes an empty text for a price that was not filled in.
            problems.warn(
                at: value, code: .wrongPrice,
                expected: "a price such as 3.99; until then it is sold for 0.00")
            return 0
        }
        return problems.price(value, quotes: true)
    }

    private mutating func readSubscription(
        _ members: Members, in group: SubscriptionGroupID, of product: JSONValue
    ) -> CatalogProduct.Subscription? {
        if let node = members[.subscriptionGroupID], let id = problems.text(node),
            id != group.rawValue
        {
            problems.defect(
                at: node, expected: "the group it stands in, \(UntrustedText.quote(group.rawValue))"
            )
        }
        for key in [StoreKitKeys.Product.groupNumber, .recurringSubscriptionPeriod]
        where members[key] == nil {
            problems.defect(at: product, missing: key.rawValue, expected: "`\(key.rawValue)`")
        }
        let level = problems.count(members[.groupNumber], max: 1000)
        let period = RenewalPeriod.read(
            members[.recurringSubscriptionPeriod], problems: &problems)
        guard let level, let period else { return nil }
        return CatalogProduct.Subscription(groupID: group, level: level, period: period)
    }

    private mutating func readFamilyShareable(_ value: JSONValue?, _ type: ProductType) -> Bool {
        guard let value, value.kind != .null else { return false }
        guard let isShared = value.boolean else {
            problems.warn(at: value, expected: "true or false")
            return false
        }
        if isShared, type == .consumable || type == .nonRenewing {
            problems.warn(
                at: value, code: .notShareable,
                expected: "false: this type of product is not shared")
            return false
        }
        return isShared
    }

    private mutating func name(
        _ names: [String: String], _ members: Members, _ id: String
    ) -> LocalizedText {
        if !names.isEmpty { return LocalizedText(names) }
        let reference = optionalText(members[.referenceName]).map { UntrustedText.clean($0) } ?? ""
        return LocalizedText([defaultLocale: reference.isEmpty ? id : reference])
    }

    /// By locale, without blank ones.
    private mutating func readTexts(
        _ value: JSONValue?
    ) -> (names: [String: String], descriptions: [String: String]) {
        var names: [String: String] = [:]
        var descriptions: [String: String] = [:]
        let elements = optionalList(value, of: "localizations")
        let consequence = problems.consequence
        problems.consequence = ""
        defer { problems.consequence = consequence }
        for element in elements {
            guard
                let members = problems.members(
                    of: element, StoreKitKeys.Localization.self, required: [.locale]),
                let node = members[.locale], let code = optionalText(node),
                let locale = readLocale(code, at: node)
            else { continue }
            if names[locale] != nil || descriptions[locale] != nil {
                problems.warn(
                    at: node, code: .repeatedLocalization, found: "a second text for \(locale)",
                    expected: "each locale once")
                continue
            }
            names[locale] = clean(members[.displayName], keepingLines: false)
            descriptions[locale] = clean(members[.description], keepingLines: true)
        }
        return (names, descriptions)
    }

    private mutating func clean(_ value: JSONValue?, keepingLines: Bool) -> String? {
        guard let value, let raw = optionalText(value) else { return nil }
        let text = UntrustedText.clean(raw, keepingLines: keepingLines)
        if text != raw {
            problems.warn(
                at: value, code: .hiddenCharacters,
                found: "control or invisible characters in \(UntrustedText.quote(raw))",
                expected: "plain text; they are left out")
        }
        return UntrustedText.isBlank(text) ? nil : text
    }
}
