package import Basics
package import StoreEngine
package import StoreModel

extension ListedStore {
    /// The columns that describe a store, by the name of its table of entries.
    package static func columns(_ entries: String) -> String {
        """
        (SELECT coalesce(max(position), 0) FROM \(entries)),
        (SELECT recorded_at FROM \(entries) ORDER BY position LIMIT 1),
        (SELECT body FROM (
            SELECT kind, body FROM \(entries) ORDER BY position DESC LIMIT 1) AS newest
          WHERE kind = \(EntryCoding.Kind.moved.rawValue))
        """
    }

    /// - Parameters:
    ///   - row: with `columns`, of which the first is `first`.
    /// - Throws: `storeUnreadable` for what is no entry.
    package init(
        name: String, version: Int64, _ row: any SQLRow, from first: Int32
    ) throws {
        let begun = try row.integerIfAny(first + 1).map { try EntryCoding.time($0) }
        let goesOnAt =
            try row.isNull(first + 2) ? nil : EntryCoding.goesOnAt(row.data(first + 2))
        self.init(
            name: name, version: version, entries: row.integer(first), begunAt: begun,
            goesOnAt: goesOnAt)
    }
}

extension LedgerInTables {
    package func listed(as name: String) async throws(StoreError) -> ListedStore {
        let found = try await read { db in
            try db.fetchOne("SELECT \(ListedStore.columns("entries"))") { row in
                try ListedStore(
                    name: name, version: Int64(LedgerTables.version), row, from: 0)
            }
        }
        return found ?? ListedStore(name: name)
    }
}
