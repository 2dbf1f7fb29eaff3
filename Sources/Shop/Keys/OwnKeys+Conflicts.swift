package import ShopText
package import Terminal

extension OwnKeys {
    func keys(of name: KeyName) -> [Key] { self[name].compactMap { Key(word: $0) } }

    /// A key that a chosen binding shares with another binding of a screen.
    package struct Conflict: Hashable, Sendable {
        package let key: Key
        package let name: KeyName
        /// Nil for a fixed key.
        package let other: KeyName?
    }

    /// Keys that act on every screen, beside those of its component.
    private static let everywhere: [KeyBinding] = [.reset] + Tour.keys

    /// One for each chosen binding that cannot be told from another one on some screen, sorted.
    package var conflicts: [Conflict] {
        guard !chosen.isEmpty else { return [] }
        var found: [KeyName: Conflict] = [:]
        for component in Component.allCases {
            var taken: [Key: (binding: Int, name: KeyName?)] = [:]
            for (number, binding) in (component.type.keys + Self.everywhere).enumerated() {
                let acting: [(Key, KeyName?)] =
                    binding.fixed.map { ($0, KeyName?.none) }
                    + binding.names.flatMap { name in
                        keys(of: name).map { ($0, KeyName?.some(name)) }
                    }
                for (key, name) in acting {
                    guard let before = taken[key], before.binding != number else {
                        if taken[key] == nil { taken[key] = (number, name) }
                        continue
                    }
                    for (one, other) in [(name, before.name), (before.name, name)] {
                        guard let one, chosen[one] != nil, found[one] == nil else { continue }
                        found[one] = Conflict(key: key, name: one, other: other)
                    }
                }
            }
        }
        return found.values.sorted { $0.name.rawValue < $1.name.rawValue }
    }
}
