import StoreModel

/// Wakes after every commit of a store, and after each pause: a lease that becomes free, and a time that
/// comes, are no commits.
struct OutboxWakes: Sendable {
    let stream: AsyncStream<Void>
    private let tasks: [Task<Void, Never>]

    /// - Parameters:
    ///   - changes: of the store.
    ///   - wakes: is notified, too; what else notifies it wakes the stream.
    init(
        _ changes: AsyncStream<Void>, pause: Duration, in wakes: ChangeSignal = ChangeSignal()
    ) {
        stream = wakes.subscribe()
        tasks = [
            Task { while await changes.nextWake() { wakes.notify() } },
            Task {
                while !Task.isCancelled {
                    try? await Task.sleep(for: pause)
                    wakes.notify()
                }
            },
        ]
    }

    /// Must be called: the tasks run until then.
    func end() {
        for task in tasks { task.cancel() }
    }
}
