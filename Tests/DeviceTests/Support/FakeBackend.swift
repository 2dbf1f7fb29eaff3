import Foundation
import StoreModel
import StoreSigning
import Synchronization

/// An app's own backend without a socket: it keeps what it was asked and told, and answers as a
/// test says.
final class FakeBackend: ContentServers {
    typealias Answer = @Sendable (BackendRequest) async throws(StoreError) -> Data

    /// The body of a report.
    struct Report: Decodable, Hashable, Sendable {
        var signedTransactionInfo: SignedTransaction
        var account: String
        var device: String
        var price: Int64
        var currency: String

        /// Not verified.
        var payload: TransactionPayload? {
            TransactionVerifier.unverifiedPayload(of: signedTransactionInfo)
        }
        var id: TransactionID? { payload?.transactionId }
    }

    private struct State {
        var answer: Answer
        var asked: [BackendRequest] = []
        var told: [Report] = []
    }
    private let state: Mutex<State>
    private let changes = ChangeSignal()

    /// At first it takes every report, and has no list.
    init() {
        state = Mutex(
            State(answer: { (request: BackendRequest) async throws(StoreError) in
                if request.body == nil { throw FakeBackend.failure(.wrongAnswer, "404") }
                return Data()
            }))
    }

    static func failure(_ failure: ContentServerFailure, _ status: String? = nil) -> StoreError {
        StoreError(failure, address: "127.0.0.1:3000", cause: status)
    }

    func set(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

    /// Every report fails, and there is no list.
    func fail(_ failure: ContentServerFailure, _ status: String? = nil) {
        set { (request: BackendRequest) async throws(StoreError) in
            if request.body == nil { throw FakeBackend.failure(.wrongAnswer, "404") }
            throw FakeBackend.failure(failure, status)
        }
    }

    /// Answers with this list for every account; reports are taken.
    func list(_ json: String) {
        set { (request: BackendRequest) async throws(StoreError) in
            request.body == nil ? Data(json.utf8) : Data()
        }
    }

    /// The requests so far: reports, or those for the list.
    func asked(isReport: Bool = true) -> [BackendRequest] {
        state.withLock { $0.asked }.filter { ($0.body != nil) == isReport }
    }

    /// The reports that it took, in order, also repeated ones.
    var told: [Report] { state.withLock { $0.told } }
    var toldIDs: [TransactionID] { told.compactMap(\.id) }

    /// Checks the condition after every request that was answered.
    func until(_ isSo: (FakeBackend) -> Bool) async throws {
        let wakes = changes.subscribe()
        while !isSo(self) {
            guard await wakes.nextWake() else { throw CancellationError() }
        }
    }

    func answer(to request: BackendRequest) async throws(StoreError) -> Data {
        let answer = state.withLock { state in
            state.asked.append(request)
            return state.answer
        }
        defer { changes.notify() }
        let data = try await answer(request)
        take(request)
        return data
    }

    /// The backend has the report, whether it answers or not.
    func take(_ request: BackendRequest) {
        guard let body = request.body,
            let report = try? JSONDecoder().decode(Report.self, from: body)
        else { return }
        state.withLock { $0.told.append(report) }
    }

    func source(
        at url: String, proof: @escaping @Sendable () async throws(StoreError) -> PurchaseProof
    ) -> any ContentSource { NoContent() }

    /// These tests download nothing from an app's own server.
    private struct NoContent: ContentSource {
        func contentManifest(product: ProductID, contentID: String) async throws(StoreError)
            -> ContentManifest
        { throw FakeBackend.failure(.unreachable) }

        func contentBytes(
            product: ProductID, contentID: String, path: String, offset: Int64, count: Int
        ) async throws(StoreError) -> Data { throw FakeBackend.failure(.unreachable) }
    }
}

extension AppBackend {
    /// Where the tests' backend would listen.
    static let sample = AppBackend("http://127.0.0.1:3000")
}
