import Basics
import Foundation
package import StoreModel
import Synchronization

/// Notifies every process that uses a database of new commits.
///
/// After a commit the writer writes a token into a small file beside the database. The other
/// processes watch that file with inotify(7) and then read the database. A notification says only
/// that there is something new, and carries no data.
///
/// If the log changes and no notification follows within `DurableLimits.silentWriterPause`,
/// subscribers are woken once: the writer may have died before it notified. Where files cannot be
/// watched, subscribers are woken once a second and `isWatching` is false.
///
/// Watching starts with the first subscriber. At the end of a process the kernel takes about 20 ms
/// to remove its watches, so a command that only reads starts none (`make bench`: "open an existing
/// store: entitlements").
package final class CommitNotifier: Sendable {
    /// Whether the last notification or the last change of the log came later.
    private struct Order {
        private var count = 0
        private(set) var logChanged = 0
        private(set) var notified = 0

        mutating func noteNotified() {
            count += 1
            notified = count
        }

        mutating func noteLogChanged() {
            count += 1
            logChanged = count
        }
    }

    private let listeners = ChangeSignal()
    private let othersListeners = ChangeSignal()
    private let path: String
    private let descriptor: Int32
    /// Written by `notify()`, so that this process recognises its own notifications.
    private let token: UInt64
    private let databasePath: String
    private let logPath: String
    private let order = Mutex(Order())
    /// For the pauses before subscribers are woken.
    private let elapsed: any Clock<Duration>
    /// Nil until the first subscriber; then whether files can be watched.
    private let watching = Mutex<Bool?>(nil)

    /// Creates the notification file (0600) if there is none. Starts no watching. A process that
    /// only reads the database needs no right to write the file.
    /// - Throws: `storeOlder`, before anything is created (`DurableDatabase.refuseOlder`);
    ///   `storeReadOnly`, `storeFull`, `storeUnreadable` (also where the file is a link).
    package init(
        databasePath: String, elapsed: any Clock<Duration> = ContinuousClock()
    ) throws(StoreError) {
        try DurableDatabase.refuseOlder(databasePath)
        self.elapsed = elapsed
        path = databasePath + ".bell"
        var opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if opened < 0 {
            let error = StoreError(errno: errno, path: path)
            if error.code == .storeReadOnly {
                opened = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            }
            guard opened >= 0 else { throw error }
        }
        descriptor = opened
        token = UInt64.random(in: 1...UInt64.max)
        self.databasePath = databasePath
        logPath = databasePath + "-wal"
    }

    deinit {
        if watching.withLock({ $0 }) == true {
            FileWatcher.shared?.removeHandlers(of: ObjectIdentifier(self))
        }
        close(descriptor)
    }

    /// By inotify(7). False where files cannot be watched and subscribers are woken once a second.
    /// The first call starts the watching.
    package var isWatching: Bool {
        watching.withLock { watching in
            if let watching { return watching }
            // A writer must see this listener before the listener reads for the first time.
            ListenerLock.acquire(descriptor)
            let canWatch =
                FileWatcher.shared?.watch(path, for: self) { [weak self] in self?.received() }
                ?? false
            watching = canWatch
            canWatch ? watchLog() : pollRegularly()
            if canWatch { watchRemoval() }
            return canWatch
        }
    }

    /// Wakes subscribers when the database, its folder or the folder above is deleted or moved. No
    /// commit would wake them then; their next read throws `storeReplaced`.
    private func watchRemoval() {
        var folder = URL(filePath: databasePath)
        for _ in 0..<Self.foldersWatched {
            FileWatcher.shared?.watchRemoval(folder.path, for: self) { [weak self] in
                self?.removed()
            }
            folder = folder.deletingLastPathComponent()
        }
    }

    /// Pauses before it wakes subscribers: a subscriber that opens the store again must not create
    /// files in a folder that is still being deleted.
    private func removed() {
        after(DurableLimits.silentWriterPause) { [weak self] in
            self?.notifyAll()
        }
    }

    private static let foldersWatched = 3

    /// Watches the log for a commit whose writer died before it could notify.
    private func watchLog() {
        _ = FileWatcher.shared?.watchOnce(logPath, for: self) { [weak self] in self?.logChanged() }
    }

    /// Wakes the subscribers of all processes. Call this after each durable commit.
    ///
    /// Writes the file first and wakes this process's subscribers second: this process may then
    /// ignore its own token, because its subscribers read after every write of the token. Writes
    /// nothing if no other process has subscribers.
    package func notify() {
        order.withLock { $0.noteNotified() }
        if ListenerLock.isHeldByOthers(descriptor) {
            var token = token
            _ = pwrite(descriptor, &token, MemoryLayout<UInt64>.size, 0)
            // This token may have replaced another process's before this process read that one.
            othersListeners.notify()
        }
        listeners.notify()
    }

    /// Wakes at once, then after every commit of any process, this one included. Several commits
    /// may make one wake.
    package func subscribe() -> AsyncStream<Void> {
        _ = isWatching
        return listeners.subscribe()
    }

    /// Wakes at once, then after every commit of another process. Several commits may make one
    /// wake; a wake may come without a commit.
    package func subscribeToOthers() -> AsyncStream<Void> {
        _ = isWatching
        return othersListeners.subscribe()
    }

    private func notifyAll() {
        listeners.notify()
        othersListeners.notify()
    }

    private func received() {
        var sender: UInt64 = 0
        let count = pread(descriptor, &sender, MemoryLayout<UInt64>.size, 0)
        if count == MemoryLayout<UInt64>.size, sender == token { return }
        order.withLock { $0.noteNotified() }
        notifyAll()
    }

    private func logChanged() {
        order.withLock { $0.noteLogChanged() }
        after(DurableLimits.silentWriterPause) { [weak self] in
            self?.watchLog()
            self?.wakeIfSilent()
        }
    }

    /// Wakes subscribers if no process has notified since the log changed.
    private func wakeIfSilent() {
        let wasSilent = order.withLock { $0.notified < $0.logChanged }
        if wasSilent { listeners.notify() }
        // A notification of this process says nothing about other processes' commits: always wakes
        // `othersListeners`.
        othersListeners.notify()
    }

    private func after(_ pause: Duration, _ work: @escaping @Sendable () -> Void) {
        let elapsed = elapsed
        Task {
            try? await elapsed.sleep(for: pause)
            work()
        }
    }

    private func pollRegularly() {
        after(DurableLimits.pollInterval) { [weak self] in
            guard let self else { return }
            notifyAll()
            pollRegularly()
        }
    }
}

/// A shared lock that every listening process holds on the notification file (`OpenFileLock`). No
/// process takes it exclusively: a writer only asks the kernel whether an exclusive lock would
/// conflict, and so learns whether other processes listen. A process that starts to listen after
/// that question sees the commit in its own first read.
private enum ListenerLock {
    static func acquire(_ descriptor: Int32) { OpenFileLock.take(.shared, on: descriptor) }

    /// Whether another process listens. True if the kernel does not answer.
    static func isHeldByOthers(_ descriptor: Int32) -> Bool {
        OpenFileLock.conflicts(.exclusive, on: descriptor) ?? true
    }
}
