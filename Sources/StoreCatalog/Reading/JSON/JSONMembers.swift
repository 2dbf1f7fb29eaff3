/// The keys an object may have.
protocol MemberKey: RawRepresentable<String>, CaseIterable, Equatable, Sendable {}

/// An object's values by known key.
struct JSONMembers<Key: MemberKey> {
    // Objects have about a dozen keys at most: a linear search is faster than hashing.
    private var entries: [(key: Key, keyNode: Int, value: JSONValue)] = []

    subscript(key: Key) -> JSONValue? { entries.first { $0.key == key }?.value }

    func keyNode(of key: Key) -> Int? { entries.first { $0.key == key }?.keyNode }

    mutating func add(_ key: Key, key keyNode: Int, _ value: JSONValue) {
        entries.append((key, keyNode, value))
    }
}
