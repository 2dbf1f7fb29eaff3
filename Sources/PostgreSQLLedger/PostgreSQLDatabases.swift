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
        return StoreDatabase(
            address: address, ledger: ledger,
            attachments: PostgreSQLAttachments(database: ledger.database),
            id: ledger.database.format.id,
            server: DatabaseServer(ledger.settings))
    }

    package func create(
        _ address: DatabaseAddress, withRoles: Bool
    ) async throws(StoreError) -> Bool {
        try stores(address).create(address.store, withRoles: withRoles)
    }

    package func list(_ address: DatabaseAddress) async throws(StoreError) -> [ListedStore] {
        try stores(address).list()
    }

    package func drop(_ address: DatabaseAddress) async throws(StoreError) {
        try stores(address).drop(address.store)
    }

    private func stores(_ address: DatabaseAddress) throws(StoreError) -> PostgreSQLStores {
        try PostgreSQLStores(PostgreSQLAddress(address))
    }
}

extension DatabaseServer {
    fileprivate init(_ settings: PostgreSQLSettings) {
        self.init(
            version: "PostgreSQL \(settings.version / 10_000).\(settings.version % 10_000)",
            isStandby: settings.isStandby, unsafeSettings: settings.notDurable)
    }
}
#endif
