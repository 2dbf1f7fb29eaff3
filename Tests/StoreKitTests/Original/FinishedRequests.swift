import Foundation
import StoreKit
import Synchronization

/// Hears how requests end.
///
/// `@unchecked Sendable`: its state is in a mutex and a stream.
final class FinishedRequests: NSObject, SKRequestDelegate, @unchecked Sendable {
    let requests = Mutex<[ObjectIdentifier]>([])
    private let ends: AsyncStream<String>
    private let ending: AsyncStream<String>.Continuation

    override init() {
        (ends, ending) = AsyncStream.makeStream()
        super.init()
    }

    func next() async -> String? {
        var iterator = ends.makeAsyncIterator()
        return await iterator.next()
    }

    func requestDidFinish(_ request: SKRequest) {
        requests.withLock { $0.append(ObjectIdentifier(request)) }
        ending.yield("finished")
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        requests.withLock { $0.append(ObjectIdentifier(request)) }
        ending.yield("failed \((error as NSError).code)")
    }
}
