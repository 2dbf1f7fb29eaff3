import Basics
import StoreEngine
import StoreModel

/// The table `history`, by which a filtered history finds its entries. An entry has a row for each
/// filter that it fits: under its account and under '', which stands for any account; under its
/// product and under '', which stands for any product. The rows of one filter then are one range of
/// the primary key, in order of position, and a page reads only the entries it holds.
///
/// Sales and finishes of a product have no rows under any product (''). They are most of a ledger,
/// so that a history of them soon fills its page from `entries`, and each further row would make
/// every purchase write one more page of the log.
enum HistoryTable {
    static let create = """
        CREATE TABLE history (
          account TEXT NOT NULL, product TEXT NOT NULL, kind INTEGER NOT NULL,
          position INTEGER NOT NULL, PRIMARY KEY (account, product, kind, position)) WITHOUT ROWID
        """

    /// The number of the fact (column `kind` of `entries`) that makes events of a frequent kind; nil
    /// for a kind with rows under any product.
    private static func frequentFact(_ kind: EventKind) -> Int? {
        switch kind {
        case .sold: EntryCoding.Kind.sold.rawValue
        case .finished: EntryCoding.Kind.finished.rawValue
        default: nil
        }
    }

    static func insert(_ row: HistoryRow, into db: any SQLTransaction) throws {
        let code = Int64(row.kind.code)
        for account in Set(["", row.account?.rawValue ?? ""]) {
            for product in Set(["", row.product?.rawValue ?? ""]) {
                if product.isEmpty, row.product != nil, frequentFact(row.kind) != nil { continue }
                try db.execute(
                    "INSERT INTO history (account, product, kind, position) VALUES (?, ?, ?, ?)",
                    .text(account), .text(product), .integer(code), .integer(row.position))
            }
        }
    }

    /// One history row for each entry, joined from the table's rows.
    static func rows(_ db: any SQLTransaction) throws -> [HistoryRow] {
        try db.fetchAll(
            """
            SELECT position, max(account), max(product), kind FROM history
            GROUP BY position, kind
            """
        ) { row in
            EventKind(code: Int(row.integer(3))).map { kind in
                HistoryRow(
                    position: row.integer(0),
                    account: row.text(1).isEmpty ? nil : AccountName(row.text(1)),
                    product: row.text(2).isEmpty ? nil : ProductID(row.text(2)), kind: kind)
            }
        }.compactMap { $0 }
    }

    /// The query for the positions that a filter finds, newest first. Its arguments: account and
    /// product, '' for any; the highest position; the position before the lowest; the limit. Each
    /// part of the union is a range of one index, read backwards, and the database merges them.
    static func positions(_ filter: HistoryFilter) -> String {
        let within = "position <= ?3 AND position > ?4"
        let account = filter.account == nil ? "" : "account = ?1 AND"
        let kinds = filter.kinds.isEmpty ? Set(EventKind.allCases) : filter.kinds
        var parts: [String] = []
        if filter.product == nil && filter.kinds.isEmpty {
            let silent = EntryCoding.silentKinds.map(String.init).joined(separator: ", ")
            parts = [
                """
                SELECT position FROM entries
                WHERE \(account) kind NOT IN (\(silent)) AND \(within)
                """
            ]
        } else {
            var facts: [Int] = []
            for kind in kinds.sorted(by: { $0.code < $1.code }) {
                if filter.product == nil, let frequent = frequentFact(kind) {
                    facts.append(frequent)
                    continue
                }
                parts.append(
                    """
                    SELECT position FROM history
                    WHERE account = ?1 AND product = ?2 AND kind = \(kind.code) AND \(within)
                    """)
            }
            if !facts.isEmpty {
                let list = facts.map(String.init).joined(separator: ", ")
                parts.append(
                    "SELECT position FROM entries WHERE \(account) kind IN (\(list)) AND \(within)")
            }
        }
        return parts.joined(separator: "\nUNION ALL\n") + "\nORDER BY position DESC LIMIT ?5"
    }
}
