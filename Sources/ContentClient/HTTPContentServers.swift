package import Foundation
import NIOCore
import NIOPosix
package import StoreModel

/// Reaches apps' own servers over HTTP/1.1, on this machine only.
package struct HTTPContentServers: ContentServers {
    private let patience: Duration

    /// Without data from a server.
    package static let patience = Duration.seconds(15)

    package init(patience: Duration = Self.patience) { self.patience = patience }

    package func source(
        at url: String, proof: @escaping @Sendable () async throws(StoreError) -> PurchaseProof
    ) -> any ContentSource {
        HTTPContentSource(url: url, patience: patience, proof: proof)
    }

    /// An app's own list of products, which a server gives to anybody.
    package func list(at url: String) async throws(StoreError) -> Data {
        let source = HTTPContentSource(url: url, patience: patience) { () throws(StoreError) in
            throw StoreError(.unsupported)
        }
        return try await source.list()
    }
}

/// The thread for all downloads of the process, started with the first download.
enum ClientThread {
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
}
