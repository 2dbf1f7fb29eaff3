import ShopText

/// A command that lists: what it reads, its columns for people, and its JSON line for scripts.
protocol ListCommand: StoreCommand {
    associatedtype Item
    func items(in store: OpenStore) async throws -> [Item]
    /// The note to a person if the list is empty; by default there is none.
    func none(in store: OpenStore) -> String?
    /// The columns of a table of these items.
    func columns(of items: [Item], in store: OpenStore) async throws -> [Column<Item>]
    /// The JSON of an item.
    func line(_ item: Item) -> any Encodable
}

extension ListCommand {
    func none(in _: OpenStore) -> String? { nil }

    func run(in store: OpenStore) async throws { try await list(items(in: store), in: store) }

    func list(_ items: [Item], in store: OpenStore) async throws {
        guard !options.json else { return try items.forEach { try Output.json(line($0)) } }
        if items.isEmpty, let none = none(in: store) { Output.note(none) }
        var table = TextTable()
        table.write(items, try await columns(of: items, in: store))
    }
}

extension ListCommand where Item: Encodable {
    func line(_ item: Item) -> any Encodable { item }
}
