#if os(Linux)
package import StoreModel
import Synchronization

/// What a session tells its readers.
package enum AppUpdate: Sendable {
    /// A transaction that a new reader gets because the app has not finished it.
    case unfinished(VerificationResult<Transaction>)
    /// An event of the account's feed; of a sale or a change of one with its transaction.
    ///
    /// - Parameter isReturned: whether a call in this process returns the sale, which is therefore
    ///   no update.
    case event(StoreEvent, VerificationResult<Transaction>?, isReturned: Bool)
}

/// Passes updates to any number of readers, each with its own stream, in the same order and without
/// loss. A new reader first gets the transactions that the app has not finished. Safe from any task.
package final class UpdateBoard: Sendable {
    private struct State {
        var nextID = 0
        var isFinished = false
        var readers: [Int: AsyncStream<AppUpdate>.Continuation] = [:]
        var unfinished: [UInt64: VerificationResult<Transaction>] = [:]
    }
    private let state = Mutex(State())

    package init() {}

    /// From now on: a reader misses nothing that is published after this call.
    package func subscribe() -> AsyncStream<AppUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: AppUpdate.self)
        let id = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.nextID += 1
            state.readers[state.nextID] = continuation
            for (_, transaction) in state.unfinished.sorted(by: { $0.key < $1.key }) {
                continuation.yield(.unfinished(transaction))
            }
            return state.nextID
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: id) }
        }
        return stream
    }

    package func publish(_ update: AppUpdate) {
        // Yielding inside the lock gives all readers the same order. It only appends to a buffer.
        state.withLock { state in
            Self.note(update, in: &state.unfinished)
            for reader in state.readers.values { reader.yield(update) }
        }
    }

    /// Tells the readers of another session's transactions in place of those told so far.
    package func begin(with unfinished: [UInt64: VerificationResult<Transaction>]) {
        state.withLock { state in
            state.unfinished = unfinished
            for (_, transaction) in unfinished.sorted(by: { $0.key < $1.key }) {
                for reader in state.readers.values { reader.yield(.unfinished(transaction)) }
            }
        }
    }

    /// Ends every reader, also later ones.
    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return state.readers
        }
        // Outside the lock, which a reader takes when it ends.
        for reader in readers.values { reader.finish() }
    }

    /// Those that a new reader would get now.
    package var unfinished: [UInt64: VerificationResult<Transaction>] {
        state.withLock { $0.unfinished }
    }

    private static func note(
        _ update: AppUpdate, in unfinished: inout [UInt64: VerificationResult<Transaction>]
    ) {
        switch update {
        case .unfinished(let transaction): unfinished[transaction.id] = transaction
        case .event(let event, let transaction, let isReturned):
            switch event.change {
            case .sold:
                if let transaction, !isReturned { unfinished[transaction.id] = transaction }
            case .revised:
                if let transaction, unfinished[transaction.id] != nil {
                    unfinished[transaction.id] = transaction
                }
            case .finished(let id), .deleted(let id, _, _): unfinished[UInt64(id)] = nil
            default: break
            }
        }
    }
}

extension VerificationResult<Transaction> {
    fileprivate var id: UInt64 { unsafePayloadValue.id }
}
#endif
