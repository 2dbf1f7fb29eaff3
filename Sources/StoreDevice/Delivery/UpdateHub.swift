import StoreModel
import Synchronization

/// Passes the observer's updates to any number of readers, each with its own stream, in the same
/// order and without loss. A new reader first gets the transactions that are still unfinished.
final class UpdateHub: Sendable {
    private struct State {
        var nextID = 0
        var readers: [Int: AsyncStream<DeviceUpdate>.Continuation] = [:]
        var unfinished: [TransactionID: DeviceUpdate] = [:]
    }
    private let state = Mutex(State())

    func publish(_ update: DeviceUpdate) {
        // Yielding inside the lock gives all readers the same order. It only appends to a buffer.
        state.withLock { state in
            switch update {
            case .transaction(.verified(let payload), _, _):
                state.unfinished[payload.transactionId] = update
            case .event(.finished(let id)), .event(.claimed(let id, _)),
                .event(.deleted(let id, _, _)):
                state.unfinished[id] = nil
            default: break
            }
            for reader in state.readers.values { reader.yield(update) }
        }
    }

    /// Publishes a transaction that this device need not finish. New readers do not get it.
    func publishCompleted(_ update: DeviceUpdate) {
        state.withLock { state in
            for reader in state.readers.values { reader.yield(update) }
        }
    }

    /// Whether a transaction was published as unfinished, and not yet as finished, claimed or
    /// deleted.
    func isUnfinished(_ id: TransactionID) -> Bool {
        state.withLock { $0.unfinished[id] != nil }
    }

    /// `close` ends the stream.
    func subscribe() -> AsyncStream<DeviceUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: DeviceUpdate.self)
        let id = state.withLock { state in
            state.nextID += 1
            state.readers[state.nextID] = continuation
            for (_, update) in state.unfinished.sorted(by: { $0.key < $1.key }) {
                continuation.yield(update)
            }
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.readers[id] = nil }
        }
        return stream
    }

    /// Ends every reader's stream after the updates that it has not read yet. Later readers are not
    /// affected.
    func close() {
        let readers = state.withLock { state in
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}
