import Foundation
import NIOCore
import NIOPosix
package import StoreModel

/// Reaches apps' own servers over HTTP/1.1, on this machine.
package struct HTTPContentServers: ContentServers {
    private let patience: Duration

    /// How long a server may say nothing.
    package static let patience = Duration.seconds(15)

    /// - Parameter patience: how long a server may say nothing.
    package init(patience: Duration = Self.patience) { self.patience = patience }

    package func source(
        at url: String, proof: @escaping @Sendable () async throws(StoreError) -> PurchaseProof
    ) -> any ContentSource {
        HTTPContentSource(url: url, patience: patience, proof: proof)
    }
}

/// One thread for all downloads of the process, started with the first.
enum ClientThread {
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
}
