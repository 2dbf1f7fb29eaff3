import Foundation
import ShopText
import Synchronization

/// Hands values, in order, to work that may block, such as writing to a pipe that nobody reads. Whoever
/// adds a value never waits for the work: a value for which there is no room is dropped and counted.
final class Backlog<Value: Sendable>: Sendable {
    private struct State {
        var waiting: [Value] = []
        var dropped = 0
        var isUnderWay = false
    }

    private let limit: Int
    private let work: @Sendable (_ values: [Value], _ dropped: Int) -> Void
    private let queue = DispatchQueue(label: "backlog")
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: of the values that wait.
    ///   - work: gets all that wait, and how many were dropped after them.
    init(
        limit: Int = 500, _ work: @escaping @Sendable (_ values: [Value], _ dropped: Int) -> Void
    ) {
        self.limit = limit
        self.work = work
    }

    /// Of lines on standard output, for whoever reads along while a command works. A reader that is
    /// behind by more than the limit misses some, and is told how many.
    ///
    /// - Parameters:
    ///   - missed: tells a person how many lines were not written.
    ///   - write: writes the line of a value.
    convenience init(
        isForPeople: Bool, missed: @escaping @Sendable (Int) -> StoreLineText,
        write: @escaping @Sendable (Value) -> Void
    ) {
        self.init { values, dropped in
            for value in values { write(value) }
            guard dropped > 0 else { return }
            if isForPeople {
                Output.line(missed(dropped))
            } else {
                try? Output.json(["dropped": dropped] as JSONFields)
            }
        }
    }

    func add(_ value: Value) {
        change { state in
            if state.waiting.count < limit {
                state.waiting.append(value)
            } else {
                state.dropped += 1
            }
        }
    }

    /// Counts values that were dropped before they reached this backlog.
    func addDropped(_ count: Int) {
        guard count > 0 else { return }
        change { $0.dropped += count }
    }

    private func change(_ add: (inout State) -> Void) {
        let begins = state.withLock { state -> Bool in
            add(&state)
            let begins = !state.isUnderWay
            state.isUnderWay = true
            return begins
        }
        if begins { queue.async { self.run() } }
    }

    private func run() {
        while let (values, dropped) = next() { work(values, dropped) }
    }

    private func next() -> (values: [Value], dropped: Int)? {
        state.withLock { state -> (values: [Value], dropped: Int)? in
            guard !state.waiting.isEmpty || state.dropped > 0 else {
                state.isUnderWay = false
                return nil
            }
            let next = (values: state.waiting, dropped: state.dropped)
            state.waiting = []
            state.dropped = 0
            return next
        }
    }

    /// Waits until the work is done, at most this many milliseconds: a reader may have stopped.
    func finish(within milliseconds: Int = 40) {
        let isDone = DispatchSemaphore(value: 0)
        queue.async { isDone.signal() }
        _ = isDone.wait(timeout: .now() + .milliseconds(milliseconds))
    }
}
