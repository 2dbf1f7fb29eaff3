import Basics
import Foundation
package import StoreCatalog
package import StoreModel
import StoreSigning

extension StoreEngine {
    /// The store as an app's own server uses it: it reads packages and checks purchases of any
    /// account.
    package var contentServerStore: some ContentServerStore { ServerContent(engine: self) }
}

/// The packages of the catalog in force, for an app's own server. The server checks purchases
/// itself, so these reads need no account. As for devices, a package is opened once for many
/// pieces. For the store's own server it does more: `ServedStore`.
final class ServerContent: ContentServerStore {
    let engine: StoreEngine
    private let reads = HostedReads()
    /// Of transactions that were asked for; a transaction keeps its account.
    let accounts = Memo<TransactionID, AccountName>(limit: StoreLimits.accountsKept)

    /// The readings for requests that a token let in.
    let readings = Memo<ReadingKey, KeptReading>(limit: StoreLimits.readingsKept)

    init(engine: StoreEngine) { self.engine = engine }

    var identity: AppIdentity { engine.identity }
    var rootCertificate: Data { engine.keys.rootCertificateDER }
    var now: Timestamp { engine.clock.now() }

    func revokedCertificates() async throws(StoreError) -> SignedRevocationList {
        try engine.keys.revocationList(at: engine.clock.now())
    }

    func servedProducts() async throws(StoreError) -> [ServedProduct] {
        try await engine.catalogIndex().catalog.offeredProducts(in: identity.environment)
            .compactMap { product -> ServedProduct? in
                let packages = product.delivery.packages.map(\.id)
                if case .ownServer(let url, _) = product.delivery {
                    return ServedProduct(id: product.id, url: url, packages: packages)
                }
                return packages.isEmpty
                    ? nil : ServedProduct(id: product.id, url: nil, packages: packages)
            }.sorted { $0.id < $1.id }
    }

    func position() async throws(StoreError) -> Int64 { try await engine.ledger.head().position }

    func transaction(_ id: TransactionID) async throws(StoreError) -> TransactionPayload? {
        do throws(StoreError) {
            let row = try await engine.transaction(id, LedgerQuery { $0.sales = [id] })
            return engine.payloads.payload(of: row, for: nil)
        } catch  where error.code == .transactionNotFound || error.code == .transactionDeleted {
            return nil
        }
    }

    func purchases(
        ofBuyer id: TransactionID
    ) async throws(StoreError) -> (
        transactions: [TransactionPayload], renewals: [RenewalInfoPayload]
    ) {
        let query = LedgerQuery { $0.sales = [id] }
        guard let account = try await engine.ledger.snapshot(query).transactions[id]?.account
        else { return ([], []) }
        let session = engine.sessionOfBackend(for: account)
        return (try await session.receiptPayloads(), try await session.renewalPayloads())
    }

    func contentManifest(product: ProductID, contentID: String) async throws(StoreError)
        -> ContentManifest
    {
        try await engine.signedManifest(
            key(product, contentID), in: reads, at: location(product, contentID))
    }

    func contentBytes(
        product: ProductID, contentID: String, path: String, offset: Int64, count: Int
    ) async throws(StoreError) -> Data {
        try await engine.contentBytes(
            key(product, contentID), in: reads, path: path, offset: offset, count: count
        ) { () async throws(StoreError) in try await location(product, contentID) }
    }

    private func key(_ product: ProductID, _ contentID: String) -> HostedReads.Key {
        HostedReads.Key(account: "server", product: product, contentID: contentID)
    }

    /// - Throws: `contentUnavailable` if the catalog in force has no such product or package.
    private func location(
        _ product: ProductID, _ contentID: String
    ) async throws(StoreError) -> HostedReads.Location {
        let index = try await engine.catalogIndex()
        guard
            let package = index.product(product)?.delivery.packages
                .first(where: { $0.id == contentID }),
            package.release != nil || index.catalog.contentFolder != nil
        else { throw StoreError(.contentUnavailable, productID: product, subject: contentID) }
        return HostedReads.Location(folder: index.catalog.contentFolder ?? "", package: package)
    }
}

extension StoreEngine {
    /// The catalog in force.
    package func catalogIndex() async throws(StoreError) -> CatalogIndex {
        try await catalogs.catalog(try await ledger.snapshot(LedgerQuery()).catalog).index
    }
}
