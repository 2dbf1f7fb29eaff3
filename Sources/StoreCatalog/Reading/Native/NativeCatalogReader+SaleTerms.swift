import Basics
import Foundation
import StoreModel

extension NativeCatalogReader {
    private typealias Window = CatalogProduct.Window

    mutating func readAvailability(_ value: JSONValue?) -> CatalogProduct.Window? {
        guard let value, let members = problems.members(of: value, NativeKeys.Window.self) else {
            return nil
        }
        return readWindow(from: members[.from], until: members[.until], of: value)
    }

    /// In the file's order; nil if there are none. Their times do not overlap.
    mutating func readCampaigns(
        _ value: JSONValue?, regular: [String: Int64]?
    ) -> [CatalogProduct.Campaign]? {
        var campaigns: [(campaign: CatalogProduct.Campaign, node: Int)] = []
        for element in problems.elements(value) {
            guard
                let members = problems.members(
                    of: element, NativeKeys.Campaign.self, required: [.prices])
            else { continue }
            let window = readWindow(
                from: members[.from], until: members[.until], of: element)
            let prices = readPrices(members[.prices], isCampaign: true)
            guard let window, let prices else { continue }
            if let regular, let node = members[.prices] {
                areSold(prices, regular, "a campaign", at: node)
            }
            if let first = campaigns.first(where: { $0.campaign.window.overlaps(window) }) {
                problems.defect(
                    at: element, found: "a campaign at the same time",
                    expected: "one campaign at a time", firstNode: first.node)
                continue
            }
            campaigns.append((.init(window: window, prices: prices), element.index))
        }
        return campaigns.isEmpty ? nil : campaigns.map(\.campaign)
    }

    /// Nil means approved.
    mutating func readState(_ value: JSONValue?) -> PublicationState? {
        guard let value, let text = problems.text(value) else { return nil }
        if let state = PublicationState(rawValue: text) { return state }
        let words = PublicationState.allCases.map(\.rawValue)
        problems.defect(
            at: value, expected: "one of \(words.joined(separator: ", "))",
            suggestion: SpellingSuggestion.nearest(to: text, among: words))
        return nil
    }

    private mutating func readWindow(
        from: JSONValue?, until: JSONValue?, of value: JSONValue
    ) -> CatalogProduct.Window? {
        let defectsBefore = problems.defectCount
        if from == nil, until == nil {
            problems.defect(
                at: value, code: .missing, found: "no dates", expected: "`from`, `until` or both")
        }
        let window = Window(
            from: from.flatMap { readDate($0) }, until: until.flatMap { readDate($0) })
        if let begin = window.from, let end = window.until, begin >= end, let until {
            problems.defect(at: until, expected: "a date after `from`")
        }
        return problems.defectCount == defectsBefore ? window : nil
    }

    /// A day, which begins at midnight UTC, or a time with its offset (ISO 8601).
    mutating func readDate(_ value: JSONValue) -> Timestamp? {
        guard let text = problems.text(value) else { return nil }
        if let instant = Self.instant(of: text) { return instant }
        problems.defect(
            at: value,
            expected: "a day such as 2026-12-01, which begins at midnight UTC, or a time such as "
                + "2026-12-01T09:00:00Z, from 2000 to 2100")
        return nil
    }

    private static func instant(of text: String) -> Timestamp? {
        let isDay = isWritten(text, as: day)
        guard isDay || times.contains(where: { isWritten(text, as: $0) }) else { return nil }
        let midnight = text.prefix(day.utf8.count) + "T00:00:00Z"
        guard let date = try? Date(isDay ? String(midnight) : text, strategy: .iso8601),
            // Foundation would otherwise read the 30th of February as a day in March.
            let begin = try? Date(String(midnight), strategy: .iso8601),
            begin.formatted(.iso8601) == midnight
        else { return nil }
        let instant = Timestamp(date)
        return Timestamp.recordable.contains(instant) ? instant : nil
    }

    private static let day = "0000-00-00"
    private static let times = ["Z", "+00:00", "-00:00"].map { "0000-00-00T00:00:00" + $0 }

    /// A 0 of the pattern stands for any digit.
    private static func isWritten(_ text: String, as pattern: String) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return text.utf8.count == pattern.utf8.count
            && zip(text.utf8, pattern.utf8).allSatisfy {
                $1 == digits.lowerBound ? digits.contains($0) : $0 == $1
            }
    }

    /// Warns of listed products that the catalog does not have, and of products that are not listed
    /// (`CatalogIndex.products`).
    mutating func readProductList(
        _ value: JSONValue?, products: [CatalogProduct]
    ) -> [ProductID]? {
        guard let value else { return nil }
        let known = Set(products.map(\.id.rawValue))
        var list: [ProductID] = []
        var listed: Set<String> = []
        for element in problems.elements(value) {
            guard let id = problems.identifier(element) else { continue }
            if !listed.insert(id).inserted {
                problems.warnOnce(
                    "listed twice", at: element, code: .repeated,
                    noun: ("repeated product", "repeated products"),
                    expected: "each product once")
                continue
            }
            list.append(ProductID(id))
            if !known.contains(id) {
                problems.warnOnce(
                    "listed and unknown", at: element, code: .productList,
                    noun: ("product that is not sold", "products that are not sold"),
                    expected: "a product of this catalog; the app leaves it out",
                    suggestion: SpellingSuggestion.nearest(to: id, among: known))
            }
        }
        let unlisted = products.filter { !listed.contains($0.id.rawValue) }
        if let first = unlisted.first {
            problems.warn(
                at: value,
                code: unlisted.count == products.count ? .emptyCatalog : .productList,
                found: "a list without \(first.id)"
                    + (unlisted.count == 1 ? "" : " and \(unlisted.count - 1) more"),
                expected: "every product of this catalog; the app does not show the others")
        }
        return list
    }
}
