#if os(Linux)
import Basics
import Dispatch
import Synchronization

/// Runs async work for a caller that cannot await. Neither the work nor the caller needs a thread of
/// Swift's cooperative pool: on two cores, two tests that wait here would stop it otherwise.
package enum Blocking {
    /// Returns or throws what the work does.
    package static func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let answer = Answer<Value>()
        let queue = QueueTaskExecutor(label: "storekit.call")
        Task.detached(executorPreference: queue) {
            do { answer.give(.success(try await work())) } catch { answer.give(.failure(error)) }
        }
        return try answer.wait().get()
    }

    private final class Answer<Value: Sendable>: Sendable {
        private let result = Mutex<Result<Value, any Error>?>(nil)
        private let isThere = DispatchSemaphore(value: 0)

        func give(_ value: Result<Value, any Error>) {
            result.withLock { $0 = value }
            isThere.signal()
        }

        func wait() -> Result<Value, any Error> {
            isThere.wait()
            return result.withLock { $0 } ?? .failure(CancellationError())
        }
    }
}
#endif
