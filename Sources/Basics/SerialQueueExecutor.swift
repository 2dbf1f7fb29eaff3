import Dispatch

/// One job after the other, on a queue of its own. Actors that share one call each other without
/// changing threads, and what blocks on it never holds up the tasks of the rest of the program.
package final class SerialQueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    package init(label: String) { queue = DispatchQueue(label: label) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
