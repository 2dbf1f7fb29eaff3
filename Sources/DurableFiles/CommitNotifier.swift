import Dispatch
import Foundation
package import StoreModel
import Synchronization

/// Tells every process that a database has new rows: whoever commits rings, whoever listens looks.
///
/// A change of the database's log without a ring arms one look a moment later, for a writer that
/// died in between. Where files cannot be watched, listeners look once a second, and `isWatching`
/// says so. Watching begins with the first subscriber: a process that only asks and goes need not
/// watch, and need not wait for the kernel to forget that it did.
package final class CommitNotifier: Sendable {
    private struct Times {
        var logChanged: UInt64 = 0
        var notified: UInt64 = 0
    }

    private let listeners = ChangeSignal()
    private let othersListeners = ChangeSignal()
    private let path: String
    private let descriptor: Int32
    private let token: UInt64
    private let databasePath: String
    private let logPath: String
    private let times = Mutex(Times())
    /// Whether files can be watched, once somebody listens.
    private let watching = Mutex<Bool?>(nil)

    /// The notifier of a database file.
    package init(databasePath: String) throws(StoreError) {
        path = databasePath + ".bell"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno, path: path) }
        token = UInt64.random(in: 1...UInt64.max)
        self.databasePath = databasePath
        logPath = databasePath + "-wal"
    }

    deinit { close(descriptor) }

    /// False where this process has to look by itself. Begins to listen.
    package var isWatching: Bool {
        watching.withLock { watching in
            if let watching { return watching }
            // Who rings must know of this listener before it looks for the first time.
            ListenerLock.take(descriptor)
            let weakSelf = WeakReference()
            weakSelf.set(self)
            let canWatch =
                FileWatcher.shared?.watch(path) { weakSelf.notifier?.received() } ?? false
            watching = canWatch
            canWatch ? watchLog() : pollRegularly()
            if canWatch { watchLeaving() }
            return canWatch
        }
    }

    /// Looks when the database, or a folder it lies in, is deleted or moved away: nothing is written
    /// then, and whoever looks finds out.
    private func watchLeaving() {
        let weakSelf = WeakReference()
        weakSelf.set(self)
        var folder = URL(filePath: databasePath)
        for _ in 0..<Self.foldersWatched {
            FileWatcher.shared?.watchLeaving(folder.path) { weakSelf.notifier?.left() }
            folder = folder.deletingLastPathComponent()
        }
    }

    /// A moment later: whoever deletes a folder is not to find it filled again by one that noticed.
    private func left() {
        let delay = DispatchTimeInterval.milliseconds(DurableLimits.silentWriterMilliseconds)
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in
            self?.notifyAll()
        }
    }

    /// The database, its folder, and the one above.
    private static let foldersWatched = 3

    /// Looks after writers that die before they ring.
    private func watchLog() {
        let weakSelf = WeakReference()
        weakSelf.set(self)
        _ = FileWatcher.shared?.watchOnce(logPath) { weakSelf.notifier?.logChanged() }
    }

    /// After a commit. First the file, then the own listeners: a process that hears its own ring
    /// may ignore it, since whatever was committed before is seen by the look that follows here.
    /// Where no other process listens, the file stays untouched and nobody is woken for nothing.
    package func notify() {
        times.withLock { $0.notified = DispatchTime.now().uptimeNanoseconds }
        if ListenerLock.isHeldByOthers(descriptor) {
            var token = token
            _ = pwrite(descriptor, &token, MemoryLayout<UInt64>.size, 0)
            // This ring may have covered another's before it was heard.
            othersListeners.notify()
        }
        listeners.notify()
    }

    /// Wakes after every commit of any process, starting with one wake.
    package func subscribe() -> AsyncStream<Void> {
        _ = isWatching
        return listeners.subscribe()
    }

    /// Wakes after commits of other processes only, starting with one wake.
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
        times.withLock { $0.notified = DispatchTime.now().uptimeNanoseconds }
        notifyAll()
    }

    private func logChanged() {
        times.withLock { $0.logChanged = DispatchTime.now().uptimeNanoseconds }
        let delay = DispatchTimeInterval.milliseconds(DurableLimits.silentWriterMilliseconds)
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in
            self?.watchLog()
            self?.rereadIfSilent()
        }
    }

    private func rereadIfSilent() {
        let wasSilent = times.withLock { $0.notified < $0.logChanged }
        if wasSilent { listeners.notify() }
        // Own rings tell these nothing, so that they always look.
        othersListeners.notify()
    }

    private func pollRegularly() {
        let delay = DispatchTimeInterval.milliseconds(DurableLimits.unwatchedLookMilliseconds)
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self else { return }
            notifyAll()
            pollRegularly()
        }
    }
}

/// Lets the watcher reach a notifier without keeping it alive.
private final class WeakReference: Sendable {
    private struct Holder { weak var notifier: CommitNotifier? }
    private let held = Mutex(Holder())
    var notifier: CommitNotifier? { held.withLock { $0.notifier } }
    func set(_ notifier: CommitNotifier) { held.withLock { $0.notifier = notifier } }
}

/// A lock every listener shares and nobody ever needs alone: asking whether it could be had alone
/// tells whether others listen (open file description locks, fcntl(2)). Who begins to listen later
/// than the question sees what was committed before it by its own first look.
private enum ListenerLock {
    // F_OFD_GETLK and F_OFD_SETLK, which Swift's Glibc module hides.
    private static let query: Int32 = 36
    private static let set: Int32 = 37

    static func take(_ descriptor: Int32) {
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        lock.l_whence = Int16(SEEK_SET)
        _ = fcntl(descriptor, set, &lock)
    }

    /// True also where the question cannot be asked.
    static func isHeldByOthers(_ descriptor: Int32) -> Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        guard fcntl(descriptor, query, &lock) == 0 else { return true }
        return lock.l_type != Int16(F_UNLCK)
    }
}
