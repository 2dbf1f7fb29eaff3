import Dispatch

/// A serial executor on a private dispatch queue (SE-0392). Actors that share one call each other
/// without changing threads. A job that blocks on it does not occupy a thread of Swift's
/// cooperative pool.
package final class SerialQueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// For debuggers.
    package init(label: String) { queue = DispatchQueue(label: label) }

    /// After all jobs enqueued before.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// The same for tasks without an actor (SE-0417): work whose caller blocks a thread of Swift's
/// cooperative pool must not need another one, or two such callers stop a process of two threads.
package final class QueueTaskExecutor: TaskExecutor {
    private let queue: DispatchQueue

    /// For debuggers.
    package init(label: String) { queue = DispatchQueue(label: label) }

    /// After all jobs enqueued before.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
