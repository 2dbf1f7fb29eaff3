import Synchronization

/// Wakes any number of subscribers. Each has a stream of its own that remembers at most one wake:
/// a wake says "look", never what there is to see, so one is enough and a slow reader costs nothing.
package final class ChangeSignal: Sendable {
    private struct State {
        var nextID = 0
        var subscribers: [Int: AsyncStream<Void>.Continuation] = [:]
    }
    private let state = Mutex(State())

    package init() {}

    package func notify() {
        for subscriber in state.withLock({ Array($0.subscribers.values) }) { subscriber.yield() }
    }

    /// Begins with one wake: what happened before subscribing is looked at too.
    package func subscribe() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.nextID += 1
            state.subscribers[state.nextID] = continuation
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.subscribers[id] = nil }
        }
        continuation.yield()
        return stream
    }
}

extension AsyncStream<Void> {
    /// Waits for one wake; false when the stream has ended or the waiting task was cancelled.
    package func nextWake() async -> Bool {
        var iterator = makeAsyncIterator()
        return await iterator.next() != nil
    }
}
