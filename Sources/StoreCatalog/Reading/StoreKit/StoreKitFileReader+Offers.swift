import Basics
import StoreModel

/// Reads the offers of a subscription. An offer with a defect is left out with a warning, and its
/// product is sold without it. An introductory offer applies by itself: if it has a defect, the
/// product is left out, because a customer would be charged the full price instead.
extension StoreKitFileReader {
    private typealias Members = JSONMembers<StoreKitKeys.Offer>

    private static let modes: [String: OfferMode] = [
        "free": .freeTrial, "payAsYouGo": .payAsYouGo, "payUpFront": .payUpFront,
    ]

    /// By kind and in the file's order; nil if an introductory offer has a defect.
    mutating func readOffers(
        _ members: JSONMembers<StoreKitKeys.Product>
    ) -> [CatalogProduct.Offer]? {
        defer { problems.consequence = "" }
        var isIntroductionLost = false
        var offers: [CatalogProduct.Offer] = []
        var firstNodes: [OfferID: Int] = [:]
        for (kind, value) in elements(members) {
            problems.consequence =
                kind == .introductory
                ? "; the product is left out, which would cost its full price"
                : "; the offer is left out"
            guard let offer = readOffer(value, kind) else {
                if kind == .introductory { isIntroductionLost = true }
                continue
            }
            problems.consequence = "; the offer is left out"
            if let id = offer.id {
                if let first = firstNodes[id] {
                    problems.defect(
                        at: value, found: "the offer \(UntrustedText.quote(id.rawValue))",
                        expected: "an identifier of its own among the product's offers",
                        firstNode: first)
                    continue
                }
                firstNodes[id] = value.index
            } else if offers.contains(where: {
                $0.kind == .introductory && $0.billingPlan == offer.billingPlan
            }) {
                problems.defect(
                    at: value, code: .repeated, found: "a second introductory offer",
                    expected: "one introductory offer of a product, or one for each billing plan")
                continue
            }
            offers.append(offer)
        }
        return isIntroductionLost ? nil : offers
    }

    private mutating func elements(
        _ members: JSONMembers<StoreKitKeys.Product>
    ) -> [(OfferKind, JSONValue)] {
        var elements: [(OfferKind, JSONValue)] = []
        let lists: [(StoreKitKeys.Product, OfferKind)] = [
            (.introductoryOffers, .introductory), (.introductoryOffer, .introductory),
            (.adHocOffers, .promotional), (.codeOffers, .code), (.winbackOffers, .winBack),
        ]
        for (key, kind) in lists {
            if key == .introductoryOffers, let value = members[key], value.kind != .null,
                value.kind != .array
            {
                elements.append((kind, value))
                continue
            }
            guard key == .introductoryOffer else {
                elements += optionalList(members[key], of: "offers").map { (kind, $0) }
                continue
            }
            // Version 5 writes the introductory offer under its old key too.
            guard let value = members[key], value.kind != .null,
                !elements.contains(where: { $0.0 == .introductory })
            else { continue }
            elements.append((kind, value))
        }
        return elements
    }

    private mutating func readOffer(
        _ value: JSONValue, _ kind: OfferKind
    ) -> CatalogProduct.Offer? {
        let defectsBefore = problems.defectCount
        guard
            let members = problems.members(
                of: value, StoreKitKeys.Offer.self, required: [.paymentMode, .subscriptionPeriod])
        else { return nil }
        let mode = problems.word(members[.paymentMode], Self.modes)
        let period = OfferPeriod.read(
            members[.subscriptionPeriod], keepsOthers: true, problems: &problems)
        let count = OfferPeriod.readCount(
            members[.numberOfPeriods].flatMap { $0.kind == .null ? nil : $0 }, mode,
            problems: &problems)
        let id = readOfferID(members, kind, of: value)
        // Xcode keeps the old price of an offer that was made free.
        let isPaid = mode.map { $0 != .freeTrial } ?? false
        let price = isPaid ? readOfferPrice(members[.displayPrice], of: value) : nil
        guard problems.defectCount == defectsBefore, let mode, let period, let count else {
            return nil
        }
        var offer = CatalogProduct.Offer(
            kind: kind, id: id, mode: mode, period: period, periodCount: count,
            prices: price.map { .everywhere(milliunits: $0) })
        if kind == .code {
            offer.customers = readCustomers(members[.eligibility])
            offer.isStackable = members[.isStackable]?.boolean
            offer.codes = id.map { [CatalogProduct.OfferCode(code: code(for: $0, members))] }
        }
        offer.billingPlan = members[.billingPlanType].flatMap { node in
            node.kind == .null
                ? nil
                : problems.word(node, BillingPlanType.self)
        }
        if kind == .winBack, members[.isEligible]?.boolean == false {
            offer.winBack = CatalogProduct.WinBackRule(isSwitchedOn: false)
        }
        return problems.defectCount == defectsBefore ? offer : nil
    }

    private mutating func readOfferPrice(_ value: JSONValue?, of offer: JSONValue) -> Int64? {
        guard let value, value.kind != .null else {
            problems.defect(
                at: offer, missing: StoreKitKeys.Offer.displayPrice.rawValue,
                expected: "the price of an offer that is paid")
            return nil
        }
        return problems.price(value)
    }

    /// Introductory offers have no identifier. The identifier of a code offer is its reference
    /// name.
    private mutating func readOfferID(
        _ members: Members, _ kind: OfferKind, of offer: JSONValue
    ) -> OfferID? {
        guard kind != .introductory else { return nil }
        let key: StoreKitKeys.Offer = kind == .code ? .referenceName : .offerID
        guard let node = members[key] ?? (kind == .code ? members[.offerID] : nil) else {
            problems.defect(
                at: offer, missing: key.rawValue, expected: "the offer's identifier")
            return nil
        }
        guard let text = problems.text(node) else { return nil }
        let clean = UntrustedText.clean(text)
        guard !UntrustedText.isBlank(clean) else {
            problems.defect(at: node, expected: "the offer's identifier")
            return nil
        }
        return OfferID(clean)
    }

    private mutating func readCustomers(
        _ value: JSONValue?
    ) -> Set<CatalogProduct.CodeCustomer>? {
        guard let value, value.kind != .null else { return nil }
        var customers: Set<CatalogProduct.CodeCustomer> = []
        for element in problems.elements(value) {
            if let customer = problems.word(element, CatalogProduct.CodeCustomer.self) {
                customers.insert(customer)
            }
        }
        return customers.isEmpty ? nil : customers
    }

    /// These files name offers for codes but no codes. The code is the offer's name in capital
    /// letters, followed by some digits of its `internalID` if another offer has the same code.
    private mutating func code(for id: OfferID, _ members: Members) -> String {
        let own = optionalText(members[.internalID]).flatMap { OfferCodeText.nearest(to: $0) }
        let name = OfferCodeText.nearest(to: id.rawValue) ?? "OFFER"
        var code = name
        var number = 1
        while !codes.insert(code).inserted {
            let rest = number == 1 ? own.map { String($0.prefix(4)) } ?? "2" : String(number)
            code = String(name.prefix(OfferCodeText.lengthMax - rest.count)) + rest
            number += 1
        }
        return code
    }
}
