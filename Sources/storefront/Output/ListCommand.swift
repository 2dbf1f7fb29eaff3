/// A list, page by page: for a person one table, with `--json` an object a line.
struct ListOutput {
    private let isJSON: Bool
    private(set) var isEmpty = true
    private var table = TextTable()

    init(json: Bool) { isJSON = json }

    /// - Parameters:
    ///   - line: the JSON of an item.
    ///   - columns: those of a table of these items; without any, nothing is printed.
    mutating func write<Item>(
        _ items: [Item], line: (Item) -> any Encodable,
        columns: () async throws -> [Column<Item>]
    ) async throws {
        isEmpty = isEmpty && items.isEmpty
        guard !isJSON else { return try items.forEach { try Output.json(line($0)) } }
        table.write(items, try await columns())
    }
}

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
        if items.isEmpty, !options.json, let none = none(in: store) { Output.note(none) }
        var list = ListOutput(json: options.json)
        try await list.write(items, line: line) { try await columns(of: items, in: store) }
    }
}

extension ListCommand where Item: Encodable {
    func line(_ item: Item) -> any Encodable { item }
}
