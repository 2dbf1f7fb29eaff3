import Basics

/// Typed reading of values. A value of another type is a defect; a missing value (nil) is no
/// defect.
extension ProblemList {
    /// Nil if the value is no object. An unknown key is a warning with the nearest known key, once
    /// for all objects of the kind; a missing or repeated key is a defect.
    mutating func members<Key: MemberKey>(
        of value: JSONValue, _ keys: Key.Type, required: [Key] = []
    ) -> JSONMembers<Key>? {
        guard value.kind == .object else {
            defect(at: value, expected: "an object")
            return nil
        }
        var members = JSONMembers<Key>()
        value.forEachMember { key, content in
            let name = key.text
            guard let known = Key(rawValue: name) else {
                return warnOfUnknownKey(key, name, keys)
            }
            if let first = members.keyNode(of: known) {
                return defect(
                    at: key, found: "the key \(UntrustedText.quote(name))",
                    expected: "each key once",
                    firstNode: first)
            }
            members.add(known, key: key.index, content)
        }
        for key in required where members[key] == nil {
            defect(at: value, missing: key.rawValue, expected: "`\(key.rawValue)`")
        }
        return members
    }

    private mutating func warnOfUnknownKey<Key: MemberKey>(
        _ key: JSONValue, _ name: String, _ keys: Key.Type
    ) {
        let known = keys.allCases.map(\.rawValue)
        warnOnce(
            "unknown key \(name) of \(keys)", at: key, code: .unknownKey,
            found: "the unknown key \(UntrustedText.quote(name))",
            expected: "one of \(known.joined(separator: ", "))",
            suggestion: SpellingSuggestion.nearest(to: name, among: known))
    }

    mutating func text(_ value: JSONValue?) -> String? {
        guard let value else { return nil }
        if value.isText { return value.text }
        defect(at: value, expected: "a text")
        return nil
    }

    /// A word that is not in `words` is a defect.
    mutating func word<Value>(_ value: JSONValue?, _ words: [String: Value]) -> Value? {
        guard let value, let text = text(value) else { return nil }
        if let known = words[text] { return known }
        defect(
            at: value, expected: "one of \(words.keys.sorted().joined(separator: ", "))",
            suggestion: SpellingSuggestion.nearest(to: text, among: words.keys))
        return nil
    }

    /// A text that is no raw value is a defect.
    mutating func word<Value: CaseIterable & RawRepresentable<String>>(
        _ value: JSONValue?, _ type: Value.Type
    ) -> Value? {
        word(
            value,
            Dictionary(
                Value.allCases.map { ($0.rawValue, $0) }, uniquingKeysWith: { one, _ in one }))
    }

    mutating func flag(_ value: JSONValue?) -> Bool? {
        guard let value else { return nil }
        if let flag = value.boolean { return flag }
        defect(at: value, expected: "true or false")
        return nil
    }

    /// A whole number from 1 to `max`; another value is a defect.
    mutating func count(_ value: JSONValue?, max: Int64 = 1_000_000_000) -> Int? {
        guard let value else { return nil }
        if let number = value.integer, number >= 1, number <= max { return Int(number) }
        let digits = value.isText ? Int64(value.text) : nil
        defect(
            at: value, expected: "a whole number from 1 to \(max)",
            suggestion: digits.flatMap { $0 >= 1 && $0 <= max ? String($0) : nil })
        return nil
    }

    /// In milliunits; a value that is no price is a defect.
    ///
    /// - Parameter quotes: whether a number that is a price gets a warning.
    mutating func price(
        _ value: JSONValue, quotes: Bool = false, currency: String? = nil, decimalsMax: Int = 3
    ) -> Int64? {
        let outcome =
            value.isText || value.kind == .number
            ? PriceText.read(value.text, currency: currency, decimalsMax: decimalsMax)
            : .fault(expected: "a price as a text, such as \"3.99\"", suggestion: nil)
        switch outcome {
        case .milliunits(let price):
            if quotes, value.kind == .number {
                warn(
                    at: value, code: .wrongPrice,
                    expected: "the price as a text, which keeps its decimals",
                    suggestion: "\"\(value.text)\"")
            }
            return price
        case .fault(let expected, let suggestion):
            let isTooFine =
                if case .milliunits = PriceText.read(value.text, decimalsMax: .max) {
                    true
                } else {
                    false
                }
            defect(
                at: value, code: isTooFine ? .priceRounds : .wrongPrice, expected: expected,
                suggestion: suggestion)
            return nil
        }
    }

    /// False, with a defect, if an earlier element has this identifier.
    ///
    /// - Parameter nodes: the nodes of the elements so far, by their identifiers.
    @discardableResult mutating func isFirst<ID: Hashable>(
        _ id: ID, at node: JSONValue, in nodes: inout [ID: Int], expected: String
    ) -> Bool {
        guard let first = nodes[id] else {
            nodes[id] = node.index
            return true
        }
        defect(at: node, expected: expected, firstNode: first)
        return false
    }

    /// An identifier that is not among `known` is a defect.
    mutating func reference(
        _ value: JSONValue?, to noun: String, among known: Set<String>, expected: String
    ) -> String? {
        guard let value, let id = text(value) else { return nil }
        if known.contains(id) { return id }
        defect(
            at: value, code: .unknownName, found: "the \(noun) \(UntrustedText.quote(id))",
            expected: expected,
            suggestion: SpellingSuggestion.nearest(to: id, among: known))
        return nil
    }

    /// Any value but an array is a defect and gives no values.
    mutating func elements(_ value: JSONValue?) -> [JSONValue] {
        guard let value else { return [] }
        guard value.kind == .array else {
            defect(at: value, expected: "a list")
            return []
        }
        return value.elements
    }

    /// Excludes characters that payloads, folder names or command lines would have to quote
    /// (`Identifier`).
    mutating func identifier(_ value: JSONValue?) -> String? {
        guard let value, let text = text(value) else { return nil }
        if Identifier.isGood(text) { return text }
        defect(
            at: value,
            expected: "1 to \(Identifier.lengthMax) letters (A-Z, a-z), digits, `.`, `_` or `-`",
            suggestion: Identifier.nearest(to: text))
        return nil
    }
}
