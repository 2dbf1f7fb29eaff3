package import Foundation
package import StoreModel
import StoreSigning

/// What a machine knows of a store in a database as of its last opening there, to open it while its
/// server is away. It has no secret.
package struct KnownStore: Codable, Hashable, Sendable {
    package let id: UUID
    /// Those by which it was opened, in order.
    package var addresses: [String] = []
    package let identity: AppIdentity
    let epoch: Int64
    let clock: ClockState
    /// In force (`Catalog.body`), with the digest of its file.
    let catalog: Data
    let catalogFile: String
    /// DER.
    package let rootCertificate: Data
    let server: DatabaseServer

    /// Nil for a catalog that cannot be read.
    package var storedCatalog: StoredCatalog? {
        StoredCatalog(body: catalog, file: catalogFile, identity: identity)
    }
}

extension StoreEngine {
    /// - Parameters:
    ///   - database: the store's own.
    ///   - stored: its catalog in force.
    package func known(of database: StoreDatabase, _ stored: StoredCatalog) -> KnownStore {
        KnownStore(
            id: database.id, identity: stored.identity, epoch: epoch, clock: clock.state,
            catalog: stored.body, catalogFile: stored.file,
            rootCertificate: keys.rootCertificateDER, server: database.server)
    }
}
