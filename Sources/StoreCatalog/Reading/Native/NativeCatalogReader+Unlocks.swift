import StoreModel

extension NativeCatalogReader {
    /// Nil if the file names none. Any id of the right form is accepted, because only the app knows
    /// which ids exist.
    mutating func readUnlocks(_ value: JSONValue?, _ type: ProductType?) -> [UnlockID]? {
        guard let value else { return nil }
        if type == .consumable {
            problems.defect(
                at: value, code: .misplaced,
                expected: "no unlocks: a consumable is used up and unlocks nothing")
            return nil
        }
        let elements = problems.elements(value)
        if elements.count > UnlockRule.countMax {
            problems.defect(
                at: value, found: "\(elements.count) unlocks",
                expected: "at most \(UnlockRule.countMax) unlocks")
            return nil
        }
        var unlocks: [UnlockID] = []
        var firstNodes: [String: Int] = [:]
        for element in elements {
            guard let id = readUnlock(element),
                problems.isFirst(id, at: element, in: &firstNodes, expected: "each unlock once")
            else { continue }
            unlocks.append(UnlockID(id))
        }
        return unlocks.isEmpty ? nil : unlocks
    }

    /// Nil if the file names none, or if the store hosts nothing that it could open.
    mutating func readUnlockedBy(_ value: JSONValue?, _ delivery: CatalogDelivery) -> UnlockID? {
        guard let value else { return nil }
        guard delivery.isHosted else {
            problems.defect(
                at: value, code: .misplaced,
                expected: "no unlockedBy: only hosted content is opened by an unlock")
            return nil
        }
        return readUnlock(value).map { UnlockID($0) }
    }

    private mutating func readUnlock(_ value: JSONValue) -> String? {
        guard let text = problems.text(value) else { return nil }
        if UnlockRule.isGood(text) { return text }
        problems.defect(
            at: value,
            expected: "1 to \(UnlockRule.lengthMax) lower-case letters (a-z), digits, `.` or `-`",
            suggestion: UnlockRule.nearest(to: text))
        return nil
    }
}

/// The rule for the ids that products unlock. `catalog.schema.json` states the same rule.
private enum UnlockRule {
    /// In bytes.
    static let lengthMax = 64
    static let countMax = 16

    static func isGood(_ text: String) -> Bool {
        (1...lengthMax).contains(text.utf8.count) && text.utf8.allSatisfy(isGood)
    }

    private static func isGood(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, 0x2E, 0x2D: true
        default: false
        }
    }

    /// The identifier nearest to a text (`Identifier.nearest`), in lower case and with `-` for `_`;
    /// nil if it is too long or has no letter or digit.
    static func nearest(to text: String) -> String? {
        let near = Identifier.nearest(to: text)?.lowercased().replacing("_", with: "-")
        return near.flatMap { isGood($0) ? $0 : nil }
    }
}
