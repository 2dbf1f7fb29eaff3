import Synchronization

/// Wakes any number of subscribers, without a value. Each has a stream that buffers at most one
/// element: an element only says that something changed, so several changes may share one, and a
/// slow reader delays nothing. Safe from any task.
package final class ChangeSignal: Sendable {
    private struct State {
        var nextID = 0
        var subscribers: [Int: AsyncStream<Void>.Continuation] = [:]
    }
    private let state = Mutex(State())

    package init() {}

    /// Does not wait for the subscribers.
    package func notify() {
        for subscriber in state.withLock({ Array($0.subscribers.values) }) { subscriber.yield() }
    }

    package var hasSubscribers: Bool { state.withLock { !$0.subscribers.isEmpty } }

    /// A new stream that begins with one element, so that a subscriber also reads the changes from
    /// before its subscription. The subscription ends with the stream.
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

extension AsyncStream where Element: Sendable {
    /// Waits for one wake; false when the stream has ended or the waiting task was cancelled.
    package func nextWake() async -> Bool {
        var iterator = makeAsyncIterator()
        return await iterator.next() != nil
    }
}
