package import Foundation
import NIOCore
import NIOHTTP1
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
        try await answer(
            to: BackendRequest(
                url: url, bytesMax: HTTPContentSource.manifestBytesMax, time: .seconds(60)))
    }

    package func answer(to request: BackendRequest) async throws(StoreError) -> Data {
        let address = try ServerAddress(request.url, isElsewhere: request.isElsewhere)
        let connection = HTTPConnection(address, patience: min(patience, request.time))
        let answer: HTTPAnswer
        do throws(ContentServerFailure) {
            answer = try await connection.ask(
                address.target, [], body: request.body, bytesMax: request.bytesMax,
                within: request.time)
        } catch { throw StoreError(error, address: address.host) }
        switch answer.head.status.code {
        case 200...206: return Data(answer.body.readableBytesView)
        case 300..<400: throw StoreError(.redirected, address: address.host)
        case let code:
            let failure: ContentServerFailure = code < 500 ? .wrongAnswer : .serverError
            throw StoreError(failure, address: address.host, cause: "\(code)")
        }
    }
}

/// The thread for all downloads of the process, started with the first download.
enum ClientThread {
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
}
