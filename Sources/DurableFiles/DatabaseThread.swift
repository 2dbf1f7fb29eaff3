import Dispatch

/// The thread a database lives on. Actors that share it call each other without changing threads,
/// and SQLite's waiting never holds up the tasks of the rest of the program.
package final class DatabaseThread: SerialExecutor {
    private let queue: DispatchQueue

    package init(label: String) { queue = DispatchQueue(label: label) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
