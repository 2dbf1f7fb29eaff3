import Basics
import StoreModel

extension NativeCatalogReader {
    private typealias Members = JSONMembers<NativeKeys.Offer>

    /// By their names in catalog files.
    static let offerModes: [String: OfferMode] = [
        "freeTrial": .freeTrial, "payAsYouGo": .payAsYouGo, "payUpFront": .payUpFront,
    ]

    /// In the file's order; nil if there are none.
    mutating func readOffers(
        _ value: JSONValue?, regular: [String: Int64]?
    ) -> [CatalogProduct.Offer]? {
        var offers: [(offer: CatalogProduct.Offer, node: Int)] = []
        for element in problems.elements(value) {
            guard let offer = readOffer(element, regular: regular) else { continue }
            if let first = offers.first(where: {
                $0.offer.kind == offer.kind && $0.offer.kind == .introductory
                    || $0.offer.id == offer.id
            }) {
                problems.defect(
                    at: element, code: .repeated,
                    found: offer.id.map { "the offer \(UntrustedText.quote($0.rawValue))" }
                        ?? "a second introductory offer",
                    expected: offer.id == nil
                        ? "one introductory offer of a product"
                        : "an identifier of its own among the product's offers",
                    firstNode: first.node)
                continue
            }
            offers.append((offer, element.index))
        }
        return offers.isEmpty ? nil : offers.map(\.offer)
    }

    private mutating func readOffer(
        _ value: JSONValue, regular: [String: Int64]?
    ) -> CatalogProduct.Offer? {
        let defectsBefore = problems.defectCount
        guard
            let members = problems.members(
                of: value, NativeKeys.Offer.self, required: [.kind, .mode, .period])
        else { return nil }
        let kind = problems.word(members[.kind], OfferKind.self)
        let mode = problems.word(members[.mode], Self.offerModes)
        let period = OfferPeriod.read(
            members[.period], keepsOthers: false, problems: &problems)
        let count = OfferPeriod.readCount(members[.periods], mode, problems: &problems)
        let prices = readOfferPrices(members[.prices], mode, of: value, regular: regular)
        guard let kind, let mode, let period, let count else { return nil }
        let id = readOfferID(members[.id], kind, of: value)
        refuse(members, [.eligibility, .stackable, .codes, .limit], unless: kind == .code)
        refuse(members, [.paidMonths, .lapsedMonths, .priority], unless: kind == .winBack)
        var offer = CatalogProduct.Offer(
            kind: kind, id: id, mode: mode, period: period, periodCount: count,
            prices: prices.map { .byTerritory($0) })
        if kind == .code { readCodes(members, of: value, into: &offer) }
        if kind == .winBack { offer.winBack = readWinBack(members) }
        return problems.defectCount == defectsBefore ? offer : nil
    }

    private mutating func readOfferID(
        _ value: JSONValue?, _ kind: OfferKind, of offer: JSONValue
    ) -> OfferID? {
        guard let value else {
            if kind != .introductory {
                problems.defect(at: offer, missing: "id", expected: "the offer's identifier")
            }
            return nil
        }
        if kind == .introductory {
            problems.defect(
                at: value, code: .misplaced,
                expected: "no identifier: a product has one introductory offer")
            return nil
        }
        return problems.identifier(value).map { OfferID($0) }
    }

    private mutating func readOfferPrices(
        _ value: JSONValue?, _ mode: OfferMode?, of offer: JSONValue, regular: [String: Int64]?
    ) -> [String: Int64]? {
        guard let mode else { return nil }
        guard let value else {
            if mode != .freeTrial {
                problems.defect(
                    at: offer, missing: "prices", expected: "the prices of an offer that is paid")
            }
            return nil
        }
        guard mode != .freeTrial else {
            problems.defect(
                at: value, code: .misplaced, expected: "no prices: a free trial costs nothing")
            return nil
        }
        let prices = readPrices(value, isCampaign: true)
        if let prices, let regular { areSold(prices, regular, "an offer", at: value) }
        return prices
    }

    /// A defect for each member that only another kind of offer has.
    private mutating func refuse(
        _ members: Members, _ keys: [NativeKeys.Offer], unless isAllowed: Bool
    ) {
        guard !isAllowed else { return }
        for key in keys {
            guard let node = members[key] else { continue }
            problems.defect(
                at: node, code: .misplaced,
                expected: "no `\(key.rawValue)`: an offer of another kind has it")
        }
    }

    private mutating func readCodes(
        _ members: Members, of value: JSONValue, into offer: inout CatalogProduct.Offer
    ) {
        if let node = members[.eligibility] {
            var customers: Set<CatalogProduct.CodeCustomer> = []
            for element in problems.elements(node) {
                if let customer = problems.word(element, CatalogProduct.CodeCustomer.self) {
                    customers.insert(customer)
                }
            }
            if customers.isEmpty, node.kind == .array {
                let words = CatalogProduct.CodeCustomer.allCases.map(\.rawValue).sorted()
                problems.defect(
                    at: node, found: "nobody",
                    expected: "one or more of \(words.joined(separator: ", "))")
            }
            offer.customers = customers
        }
        offer.isStackable = problems.flag(members[.stackable])
        let limit = problems.count(members[.limit])
        var codes: [CatalogProduct.OfferCode] = []
        let elements = problems.elements(members[.codes])
        for element in elements {
            guard let code = readCode(element) else { continue }
            codes.append(CatalogProduct.OfferCode(code: code, limit: limit))
        }
        if elements.isEmpty {
            problems.defect(at: value, missing: "codes", expected: "a code that redeems the offer")
        }
        offer.codes = codes
    }

    /// A defect if another offer of the catalog has the code.
    private mutating func readCode(_ value: JSONValue) -> String? {
        guard let text = problems.text(value) else { return nil }
        guard OfferCodeText.isGood(text) else {
            problems.defect(
                at: value, expected: OfferCodeText.inWords,
                suggestion: OfferCodeText.nearest(to: text))
            return nil
        }
        let isFirst = problems.isFirst(
            text, at: value, in: &firstNodes[.code, default: [:]], expected: "a code of its own")
        return isFirst ? text : nil
    }

    private mutating func readWinBack(_ members: Members) -> CatalogProduct.WinBackRule? {
        var rule = CatalogProduct.WinBackRule()
        rule.priority = problems.word(
            members[.priority], CatalogProduct.WinBackRule.Priority.self)
        rule.paidMonths = problems.count(members[.paidMonths], max: 1200)
        if let node = members[.lapsedMonths],
            let range = problems.members(of: node, NativeKeys.LapsedMonths.self)
        {
            rule.lapsedMonthsMin = problems.count(range[.from], max: 1200)
            rule.lapsedMonthsMax = problems.count(range[.until], max: 1200)
            if let min = rule.lapsedMonthsMin, let max = rule.lapsedMonthsMax, min > max,
                let until = range[.until]
            {
                problems.defect(at: until, expected: "a number not below `from`")
            }
        }
        return rule == CatalogProduct.WinBackRule() ? nil : rule
    }
}

/// The form of an offer code.
enum OfferCodeText {
    static let lengthMax = 64
    static let inWords = "1 to \(lengthMax) capital letters (A-Z) and digits, such as SPRING26"

    static func isGood(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= lengthMax
            && text.utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) }
    }

    /// In capital letters, without other characters; nil if no character is left.
    static func nearest(to text: String) -> String? {
        let code = String(
            text.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
                .prefix(lengthMax))
        return code.isEmpty ? nil : code
    }
}
