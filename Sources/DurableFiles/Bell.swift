import Dispatch
import Foundation
package import StoreModel
import Synchronization

/// Tells every process that a database has new rows: whoever commits rings, whoever listens looks.
///
/// A change of the database's log without a ring arms one look a moment later, for a writer that
/// died in between. Where files cannot be watched, listeners look once a second, and `isWatching`
/// says so.
package final class Bell: Sendable {
    private struct Times {
        var logChanged: UInt64 = 0
        var rung: UInt64 = 0
        var lookIsArmed = false
    }

    private let listeners = Broadcast()
    private let descriptor: Int32
    private let token: UInt64
    private let logName: String
    private let times = Mutex(Times())
    /// False where this process has to look by itself.
    package let isWatching: Bool

    /// The bell beside a database file.
    package init(databasePath: String) throws(StoreError) {
        let path = databasePath + ".bell"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno, path: path) }
        token = UInt64.random(in: 1...UInt64.max)
        logName = (databasePath as NSString).lastPathComponent + "-wal"
        let bellName = (path as NSString).lastPathComponent
        let hearing = Hearing()
        isWatching =
            FolderWatcher.shared?.watch((path as NSString).deletingLastPathComponent) { file in
                if file == bellName { hearing.bell?.heard() }
                if file == hearing.bell?.logName { hearing.bell?.logChanged() }
            } ?? false
        hearing.set(self)
        if !isWatching { lookRegularly() }
    }

    deinit { close(descriptor) }

    /// After a commit. First the file, then the own listeners: a process that hears its own ring
    /// may ignore it, since whatever was committed before is seen by the look that follows here.
    package func ring() {
        var token = token
        _ = pwrite(descriptor, &token, MemoryLayout<UInt64>.size, 0)
        times.withLock { $0.rung = DispatchTime.now().uptimeNanoseconds }
        listeners.ring()
    }

    /// Wakes after every commit of any process, starting with one wake.
    package func subscribe() -> AsyncStream<Void> { listeners.subscribe() }

    private func heard() {
        var ringer: UInt64 = 0
        let count = pread(descriptor, &ringer, MemoryLayout<UInt64>.size, 0)
        if count == MemoryLayout<UInt64>.size, ringer == token { return }
        times.withLock { $0.rung = DispatchTime.now().uptimeNanoseconds }
        listeners.ring()
    }

    private func logChanged() {
        let mustArm = times.withLock { times in
            times.logChanged = DispatchTime.now().uptimeNanoseconds
            defer { times.lookIsArmed = true }
            return !times.lookIsArmed
        }
        guard mustArm else { return }
        let delay = DispatchTimeInterval.milliseconds(DurableLimits.silentWriterMilliseconds)
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in
            self?.lookIfSilent()
        }
    }

    private func lookIfSilent() {
        let wasSilent = times.withLock { times in
            times.lookIsArmed = false
            return times.rung < times.logChanged
        }
        if wasSilent { listeners.ring() }
    }

    private func lookRegularly() {
        let delay = DispatchTimeInterval.milliseconds(DurableLimits.unwatchedLookMilliseconds)
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self else { return }
            listeners.ring()
            lookRegularly()
        }
    }
}

/// Lets the watcher reach a bell without keeping it alive.
private final class Hearing: Sendable {
    private struct Weak { weak var bell: Bell? }
    private let held = Mutex(Weak())
    var bell: Bell? { held.withLock { $0.bell } }
    func set(_ bell: Bell) { held.withLock { $0.bell = bell } }
}
