package import ContentServer
package import Foundation
package import StoreModel

/// Answers every request of the store's own server: of its API, of an app's own server, and whether
/// it is there (`/health`).
package final class StoreResponder: Responder {
    private let store: any ServedStore
    private let gate: RequestGate
    private let api: APIResponder
    private let content: ContentResponder

    /// - Parameter host: the numeric address on which the server listens.
    /// - Throws: `keysUnreadable`.
    package init(store: any ServedStore, host: String) throws(StoreError) {
        self.store = store
        gate = RequestGate(host: host)
        api = APIResponder(store: store)
        content = try ContentResponder(store: store, host: host)
    }

    package func answer(_ sent: ContentRequest) async -> ContentAnswer {
        switch gate.pass(sent) {
        case .refused(let answer): return answer
        case .passed(let request, let steps):
            if steps == ["health"] { return await health() }
            // What the App Store Server API has and this server does not is an unknown path of it.
            guard ["inApps", "advancedCommerce"].contains(steps.first) else {
                return await content.answer(request, at: steps)
            }
            return await api.answer(request, at: steps)
        }
    }

    package func bytes(
        of file: ServedFile, at offset: Int64, count: Int
    ) async throws(StoreError) -> Data {
        try await content.bytes(of: file, at: offset, count: count)
    }

    private struct Health: Encodable {
        var status = "ok"
        var bundleId: String
        var environment: StoreEnvironment
        /// The store's time.
        var now: Timestamp
        /// Of the newest entry of the ledger.
        var position: Int64
    }

    private func health() async -> ContentAnswer {
        do throws(StoreError) {
            let identity = store.identity
            return ContentAnswer(
                200,
                json: Health(
                    bundleId: identity.bundleID, environment: identity.environment,
                    now: store.now, position: try await store.position()))
        } catch { return .unanswered(error) }
    }
}
