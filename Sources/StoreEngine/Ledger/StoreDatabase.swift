package import Foundation
package import StoreCatalog
package import StoreModel

/// Opens stores in databases. The program names no database's library: an executable that links one
/// passes its opener.
package protocol StoreDatabases: Sendable {
    /// - Parameter isMade: whether a store that is not there is made.
    /// - Returns: nil if it is not there.
    /// - Throws: errors of the ledger's opening.
    func open(
        _ address: DatabaseAddress, isMade: Bool
    ) async throws(StoreError) -> StoreDatabase?

    /// Makes a store if it is not there.
    ///
    /// - Parameter withRoles: whether the database gets the store's roles, or those that are there
    ///   the rights of this version.
    /// - Returns: whether the store is new.
    /// - Throws: errors of the ledger's opening; `invalidName` where roles cannot have the names.
    func create(_ address: DatabaseAddress, withRoles: Bool) async throws(StoreError) -> Bool

    /// All stores of the database, whichever the address names, in order of their names.
    func list(_ address: DatabaseAddress) async throws(StoreError) -> [ListedStore]

    /// Removes a store with its roles, keys and packages. Programs that have it open get
    /// `storeReplaced`.
    ///
    /// - Throws: `invalidName` if it is not there; `storeBusy` while a program records in it;
    ///   `storeReadOnly` for a role that may not.
    func drop(_ address: DatabaseAddress) async throws(StoreError)
}

/// A store in a database, opened.
package struct StoreDatabase: Sendable {
    package let address: DatabaseAddress
    package let ledger: any Ledger
    package let attachments: any StoreAttachments
    /// Random, made with the store: the same for every spelling of its address.
    package let id: UUID
    /// As its newest connection found it: another server may have taken the first one's place.
    package var server: DatabaseServer { newestServer() }
    private let newestServer: @Sendable () -> DatabaseServer
    /// Nil for a store whose server answers.
    package let absence: StoreAbsence?

    /// - Parameter server: asked whenever `server` is read.
    package init(
        address: DatabaseAddress, ledger: any Ledger, attachments: any StoreAttachments, id: UUID,
        server: @escaping @autoclosure @Sendable () -> DatabaseServer
    ) {
        self.address = address
        self.ledger = ledger
        self.attachments = attachments
        self.id = id
        newestServer = server
        absence = nil
    }

    /// A store whose server is away.
    package init(_ absence: StoreAbsence, at address: DatabaseAddress) {
        let store = UnreachableStore(error: absence.error)
        self.address = address
        ledger = store
        attachments = store
        id = absence.known.id
        newestServer = { absence.known.server }
        self.absence = absence
    }
}

/// Why a store could not be opened while its server is away, and what this machine knows of it.
package struct StoreAbsence: Sendable {
    package let error: StoreError
    package let known: KnownStore

    package init(_ error: StoreError, known: KnownStore) {
        self.error = error
        self.known = known
    }
}

/// The properties of a database's server, as it tells them.
package struct DatabaseServer: Codable, Hashable, Sendable {
    /// As `PostgreSQL 15.4`.
    package let version: String
    /// A standby, which can only be read.
    package let isStandby: Bool
    /// The settings because of which a power cut may take away what was acknowledged.
    package let unsafeSettings: [String]

    package init(version: String, isStandby: Bool, unsafeSettings: [String]) {
        self.version = version
        self.isStandby = isStandby
        self.unsafeSettings = unsafeSettings
    }
}

/// The catalog in force of a store that is not open yet.
package struct StoredCatalog: Sendable {
    package let catalog: Catalog
    /// The digest of the file that it was read from (`CatalogReading.sourceDigest`).
    package let file: String
    package let identity: AppIdentity
    /// The catalog as the store keeps it (`Catalog.body`).
    let body: Data

    /// Nil for a body that is no catalog.
    init?(body: Data, file: String, identity: AppIdentity) {
        guard let catalog = try? JSONDecoder().decode(Catalog.self, from: body) else { return nil }
        self.catalog = catalog
        self.file = file
        self.identity = identity
        self.body = body
    }
}

extension Ledger {
    /// Nil for a new store.
    package func storedCatalog() async throws(StoreError) -> StoredCatalog? {
        let found = try await snapshot(LedgerQuery())
        guard let revision = found.catalog, let identity = found.identity else { return nil }
        guard let body = try await attachment(revision.digest),
            let stored = StoredCatalog(body: body, file: revision.file, identity: identity)
        else {
            throw StoreError(
                .storeUnreadable, subject: "catalog", found: "revision \(revision.number) missing")
        }
        return stored
    }
}
