import Synchronization

/// Passes updates to any number of readers, each with its own stream, in the same order and without
/// loss. A new reader first gets the updates about transactions that are still unfinished. Safe from
/// any task.
package final class UpdateBoard<Update: Sendable>: Sendable {
    /// What a new reader gets first, by its transaction.
    package typealias Unfinished = [TransactionID: Update]

    private struct State {
        var nextID = 0
        var isFinished = false
        var readers: [Int: AsyncStream<Update>.Continuation] = [:]
        var unfinished: Unfinished = [:]
    }
    private let state = Mutex(State())

    package init() {}

    /// From now on: a reader misses nothing that is published after this call.
    package func subscribe() -> AsyncStream<Update> {
        let (stream, continuation) = AsyncStream.makeStream(of: Update.self)
        let id = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.nextID += 1
            state.readers[state.nextID] = continuation
            for (_, update) in state.unfinished.sorted(by: { $0.key < $1.key }) {
                continuation.yield(update)
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

    /// Tells every reader.
    ///
    /// - Parameter note: notes what the update changes for new readers, and may change the update by
    ///   what they would get so far.
    package func publish(
        _ update: Update, noting note: (inout Update, inout Unfinished) -> Void
    ) {
        // Yielding inside the lock gives all readers the same order. It only appends to a buffer.
        state.withLock { state in
            var update = update
            note(&update, &state.unfinished)
            for reader in state.readers.values { reader.yield(update) }
        }
    }

    /// Tells the readers these in place of what was unfinished so far.
    package func begin(with unfinished: Unfinished) {
        state.withLock { state in
            state.unfinished = unfinished
            for (_, update) in unfinished.sorted(by: { $0.key < $1.key }) {
                for reader in state.readers.values { reader.yield(update) }
            }
        }
    }

    /// What a new reader would get now.
    package var unfinished: Unfinished { state.withLock { $0.unfinished } }

    /// Ends every reader's stream after the updates that it has not read yet. Later readers are not
    /// affected.
    package func endReaders() { endReaders(isForGood: false) }

    /// Ends every reader, also later ones.
    package func finish() { endReaders(isForGood: true) }

    private func endReaders(isForGood: Bool) {
        let readers = state.withLock { state in
            state.isFinished = state.isFinished || isForGood
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        // Outside the lock, which a reader takes when it ends.
        for reader in readers { reader.finish() }
    }
}
