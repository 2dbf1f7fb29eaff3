import Foundation
import StoreModel
import StoreSigning
import Synchronization

/// The source of one download: the store, or the app's own server that the catalog names. The
/// choice is made anew with each manifest, because a later catalog may name another source.
final class DeliverySource: ContentSource {
    private let processor: DeliveryProcessor
    private let servers: (any ContentServers)?
    private let row: Download
    private struct Server {
        var url: String
        var source: any ContentSource
    }
    private let server = Mutex<Server?>(nil)

    init(processor: DeliveryProcessor, servers: (any ContentServers)?, _ row: Download) {
        self.processor = processor
        self.servers = servers
        self.row = row
    }

    func contentManifest(product: ProductID, contentID: String) async throws(StoreError)
        -> ContentManifest
    {
        try processor.network.check(on: processor.store.device)
        let source = try await chooseSource(of: product)
        return try await about(product) { () async throws(StoreError) in
            try await source.contentManifest(product: product, contentID: contentID)
        }
    }

    func contentBytes(
        product: ProductID, contentID: String, path: String, offset: Int64, count: Int
    ) async throws(StoreError) -> Data {
        try processor.network.check(on: processor.store.device)
        let source: any ContentSource = server.withLock { $0?.source } ?? processor.store
        return try await about(product) { () async throws(StoreError) in
            try await source.contentBytes(
                product: product, contentID: contentID, path: path, offset: offset, count: count)
        }
    }

    /// The source that the catalog in force names for the product. A product that is no longer in
    /// the catalog goes to the store, which refuses it.
    private func chooseSource(of product: ProductID) async throws(StoreError) -> any ContentSource {
        let known = try await processor.products.products([product])[product]
        guard case .ownServer(let url, _)? = known?.delivery else {
            server.withLock { $0 = nil }
            return processor.store
        }
        guard let servers else {
            throw StoreError(.unsupported, productID: product, reason: .ownServer)
        }
        return server.withLock { server in
            if let server, server.url == url { return server.source }
            let source = servers.source(at: url) { [processor, row] () async throws(StoreError) in
                try await Self.proof(of: row, processor)
            }
            server = Server(url: url, source: source)
            return source
        }
    }

    /// In the transaction's present state, signed for this device.
    private static func proof(
        of row: Download, _ processor: DeliveryProcessor
    ) async throws(StoreError) -> PurchaseProof {
        let store = processor.store
        return PurchaseProof(
            signed: try await store.transaction(row.transactionID).rawValue,
            device: DeviceVerification(
                bundleID: store.identity.bundleID, account: store.account, device: store.device
            ).identifier)
    }

    /// Adds the product to an error of the app's server. Errors of the store are left as they are.
    private func about<Value: Sendable>(
        _ product: ProductID, _ work: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        do throws(StoreError) { return try await work() } catch {
            var error = error
            if error.code == .contentServerFailed || error.code == .contentRefused {
                error.productID = product
            }
            throw error
        }
    }
}
