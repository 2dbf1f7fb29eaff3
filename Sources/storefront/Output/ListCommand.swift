import Basics
import ShopText

/// For whom a list is written.
enum ListFormat {
    /// A table for a person, an object a line for a script, and lines of values for a spreadsheet.
    case table, json, csv
}

extension GlobalOptions {
    var listFormat: ListFormat { csv ? .csv : json ? .json : .table }
}

/// A list, page by page: for a person one table, with `--json` an object a line, with `--csv` a line
/// of headings and then one for each item.
struct ListOutput {
    private let format: ListFormat
    private(set) var isEmpty = true
    private var table = TextTable()
    private var hasHeadings = false

    init(_ format: ListFormat) { self.format = format }

    /// - Parameters:
    ///   - line: the JSON of an item.
    ///   - columns: those of a table of these items; without any, nothing is printed.
    mutating func write<Item>(
        _ items: [Item], line: (Item) -> any Encodable,
        columns: () async throws -> [Column<Item>]
    ) async throws {
        isEmpty = isEmpty && items.isEmpty
        switch format {
        case .table: table.write(items, try await columns().filter(\.isInTables))
        case .json: try items.forEach { try Output.json(line($0)) }
        case .csv: try writeValues(of: items, try await columns())
        }
    }

    /// The headings come first, also of an empty list.
    private mutating func writeValues<Item>(of items: [Item], _ columns: [Column<Item>]) throws {
        if !hasHeadings, !columns.isEmpty {
            try Output.csv(columns.map { .text(Output.strings[$0.title]) })
            hasHeadings = true
        }
        for item in items {
            try Output.csv(columns.map { $0.field?(item) ?? .text($0.cell(item)) })
        }
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
    /// An operator's list is opened as an operator's command.
    var readsDevice: Bool { true }

    func none(in _: OpenStore) -> String? { nil }

    func run(in store: OpenStore) async throws { try await list(items(in: store), in: store) }

    func list(_ items: [Item], in store: OpenStore) async throws {
        if items.isEmpty, !options.json, let none = none(in: store) { Output.note(none) }
        var list = ListOutput(options.listFormat)
        try await list.write(items, line: line) { try await columns(of: items, in: store) }
    }
}

extension ListCommand where Item: Encodable {
    func line(_ item: Item) -> any Encodable { item }
}
