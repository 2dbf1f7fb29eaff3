package import Foundation
package import StoreModel
import Synchronization

/// Hands out the packages of the app's own server inside the program, to a shop whose catalog names
/// a server that nobody has started. It makes the same checks as `ContentServer` before it sends
/// anything: the signed purchase, its device, and whether it still holds.
package struct ContentServersInside: ContentServers {
    private let store: any ContentServerStore
    private let servers: (any ContentServers)?

    /// - Parameter servers: reaches real servers, which come first; nil if there are none, as in a
    ///   throwaway store, where a server at the address would be another store's.
    package init(_ store: any ContentServerStore, besides servers: (any ContentServers)?) {
        self.store = store
        self.servers = servers
    }

    package func source(
        at url: String, proof: @escaping @Sendable () async throws(StoreError) -> PurchaseProof
    ) -> any ContentSource {
        InsideSource(
            url: url, store: store, server: servers?.source(at: url, proof: proof), proof: proof)
    }

    package func answer(to request: BackendRequest) async throws(StoreError) -> Data {
        guard let servers else { throw StoreError(.unreachable, address: request.url) }
        return try await servers.answer(to: request)
    }
}

private final class InsideSource: ContentSource {
    private let url: String
    private let store: any ContentServerStore
    private let server: (any ContentSource)?
    private let proof: @Sendable () async throws(StoreError) -> PurchaseProof
    /// What sent the last manifest, and so sends the bytes; nil before one.
    private let granted = Mutex<(any ContentSource)?>(nil)

    init(
        url: String, store: any ContentServerStore, server: (any ContentSource)?,
        proof: @escaping @Sendable () async throws(StoreError) -> PurchaseProof
    ) {
        self.url = url
        self.store = store
        self.server = server
        self.proof = proof
    }

    func contentManifest(product: ProductID, contentID: String) async throws(StoreError)
        -> ContentManifest
    {
        granted.withLock { $0 = nil }
        if let server {
            do throws(StoreError) {
                let manifest = try await server.contentManifest(
                    product: product, contentID: contentID)
                granted.withLock { $0 = server }
                return manifest
            } catch {
                guard error.serverFailure == .unreachable else { throw error }
            }
        }
        let shown = try await proof()
        let check = try PurchaseCheck(store: store)
        do throws(CheckFailure) {
            _ = try await check.check(shown.signed, device: shown.device, for: product)
        } catch {
            switch error {
            case .refused(let refusal): throw StoreError(refusal, address: url)
            case .store(let error): throw error
            }
        }
        let manifest = try await store.contentManifest(product: product, contentID: contentID)
        granted.withLock { [store] in $0 = store }
        return manifest
    }

    func contentBytes(
        product: ProductID, contentID: String, path: String, offset: Int64, count: Int
    ) async throws(StoreError) -> Data {
        guard let source = granted.withLock({ $0 }) else {
            throw StoreError(.authorizationMissing, address: url)
        }
        return try await source.contentBytes(
            product: product, contentID: contentID, path: path, offset: offset, count: count)
    }
}
