import Basics
import Foundation
import StoreEngine
import StoreModel

/// The contents of every table of a ledger as of one commit, as a short text for each: equal texts
/// mean equal rows, in whatever database they are.
struct LedgerContents: Sendable {
    /// Of the last entry.
    let position: Int64
    /// By table.
    private var digests: [String: String] = [:]

    /// The cost grows with the whole ledger; the memory does not.
    init(_ db: any SQLTransaction) throws {
        position = try EntryRows.last(in: db)
        for table in LedgerTable.all { digests[table.name] = try Self.digest(table, db) }
    }

    /// The first table in which the two differ, in the order of creation; nil if they are equal.
    func difference(from other: LedgerContents) -> String? {
        LedgerTable.all.map(\.name).first { digests[$0] != other.digests[$0] }
    }

    private static func digest(_ table: LedgerTable, _ db: any SQLTransaction) throws -> String {
        let columns = table.columns.map(\.name).joined(separator: ", ")
        let key = table.key.map(\.name).joined(separator: ", ")
        let marks = table.key.map { _ in "?" }.joined(separator: ", ")
        let keyColumns = table.key.compactMap { table.columns.firstIndex(of: $0) }
        // A catalog may be large.
        let page = table.name == "attachments" ? 1 : 1_000
        var digest = ""
        var last: [SQLArgument] = []
        while true {
            let condition = last.isEmpty ? "" : "WHERE (\(key)) > (\(marks))"
            var rows = Data(digest.utf8)
            var count = 0
            try db.step(
                "SELECT \(columns) FROM \(table.name) \(condition) ORDER BY \(key) LIMIT \(page)",
                last
            ) { row in
                count += 1
                last = keyColumns.map { argument(row, Int32($0), table.columns[$0].kind) }
                if table.name == "meta", row.text(0) == MetaTable.copyOf { return true }
                for (index, column) in table.columns.enumerated() {
                    rows.append(contents(row, Int32(index), column.kind, of: table))
                }
                return true
            }
            guard count > 0 else { return digest }
            digest = FeedMark(ofStored: rows).rawValue
        }
    }

    private static func argument(
        _ row: any SQLRow, _ column: Int32, _ kind: LedgerTable.Kind
    ) -> SQLArgument {
        switch kind {
        case .integer: .integer(row.integer(column))
        case .text: .text(row.text(column))
        case .blob: .blob(row.data(column))
        }
    }

    /// With the kind and length of the value before it, so that no two rows give the same bytes.
    private static func contents(
        _ row: any SQLRow, _ column: Int32, _ kind: LedgerTable.Kind, of table: LedgerTable
    ) -> Data {
        guard !row.isNull(column) else { return Data([0]) }
        let value: Data
        switch kind {
        case .integer: value = Data(String(row.integer(column)).utf8)
        case .text: value = Data(row.text(column).utf8)
        case .blob:
            let isCopied = ["entries", "attachments"].contains(table.name)
            value = isCopied ? row.data(column) : ordered(row.data(column))
        }
        return Data("\(kind.rawValue) \(value.count) ".utf8) + value
    }

    /// A JSON object with its fields in order: encoders write them in any order. Other values stay.
    private static func ordered(_ value: Data) -> Data {
        guard value.first == UInt8(ascii: "{"),
            let object = try? JSONDecoder().decode(AnyJSON.self, from: value)
        else { return value }
        return Data(object.fields().map { "\($0.path) \($0.value)" }.joined(separator: "\n").utf8)
    }
}
