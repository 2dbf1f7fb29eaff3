#if PostgreSQL
package import StoreEngine
package import StoreModel

/// Opens stores in PostgreSQL databases, over libpq.
package struct PostgreSQLDatabases: StoreDatabases {
    package init() {}

    package func open(
        _ address: DatabaseAddress, isMade: Bool
    ) async throws(StoreError) -> StoreDatabase? {
        let place = try PostgreSQLAddress(address)
        if !isMade {
            guard try PostgreSQLDatabase.hasStore(address.store, at: place) else { return nil }
        }
        let ledger = try PostgreSQLLedger(place, schema: address.store)
        let settings = ledger.settings
        return StoreDatabase(
            address: address, ledger: ledger,
            attachments: PostgreSQLAttachments(database: ledger.database),
            id: ledger.database.format.id,
            server: DatabaseServer(
                version: "PostgreSQL \(settings.version / 10_000).\(settings.version % 10_000)",
                isStandby: settings.isStandby, unsafeSettings: settings.notDurable))
    }
}
#endif
