import Foundation

/// An exclusive advisory lock on a file (flock(2)). It belongs to this open file: a second
/// `FileLock` on the same path, in this process or another, conflicts with it. The kernel releases
/// it when the process ends, also after a kill.
package final class FileLock: Sendable {
    /// The behaviour of `init` while another process or task holds the lock.
    package enum Mode: Sendable {
        /// Waits a bounded time, then throws `held` with the holder. `onDelay` is called once,
        /// after one second of waiting: the holder may be a stopped process that never releases the
        /// lock.
        case wait(
            atMost: Duration,
            onDelay: @Sendable (LockHolder?) -> Void = { _ in })
        case waitForever
        /// Throws `held` at once if another process or task holds the lock.
        case tryOnce
    }

    /// Why the lock was not taken.
    package enum Failure: Error, Hashable {
        /// The process, if the kernel names it.
        case held(LockHolder?)
        /// errno(3).
        case system(Int32)
    }

    private let descriptor: Int32
    /// How long `wait` lasts before it calls `onDelay`.
    private static let delayBeforeCallback = Duration.seconds(1)

    /// Creates the file with mode 0600 if it is missing. Does not follow a symbolic link. Without
    /// `release()` the lock is held until the process ends.
    ///
    /// - Parameter elapsed: the clock that measures a bounded wait.
    package init(
        path: String, mode: Mode, elapsed: any Clock<Duration> = ContinuousClock()
    ) throws(Failure) {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { throw .system(errno) }
        do throws(Failure) {
            switch mode {
            case .tryOnce:
                guard try Self.take(opened, LOCK_NB) else {
                    throw .held(LockHolder.holding(path))
                }
            case .waitForever: _ = try Self.take(opened, 0)
            case .wait(let limit, let onDelay):
                try Self.wait(opened, path, limit, Stopwatch(elapsed), onDelay)
            }
        } catch {
            close(opened)
            throw error
        }
        descriptor = opened
    }

    /// For a file that is open already; waits without a limit. Closing the file releases the lock.
    package static func takeOpen(_ descriptor: Int32) throws(Failure) {
        _ = try take(descriptor, 0)
    }

    /// By this or another process; false if the file cannot be opened. The test itself takes a
    /// shared lock for an instant: a `tryOnce` in that instant fails.
    package static func isHeld(path: String) -> Bool {
        let opened = open(path, O_RDWR | O_CLOEXEC)
        guard opened >= 0 else { return false }
        defer { close(opened) }
        return flock(opened, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Closes the file. Must be called at most once: a second call would close a descriptor number
    /// that may belong to another file by then.
    package func release() { close(descriptor) }

    /// False if the options have `LOCK_NB` and another open file holds the lock.
    private static func take(_ descriptor: Int32, _ options: Int32) throws(Failure) -> Bool {
        while flock(descriptor, LOCK_EX | options) != 0 {
            let code = errno
            if code == EWOULDBLOCK { return false }
            if code != EINTR { throw .system(code) }
        }
        return true
    }

    /// Retries after pauses that double from 0.5 to 50 ms. Most holders keep the lock for a few
    /// milliseconds; a migration keeps it for seconds.
    private static func wait(
        _ descriptor: Int32, _ path: String, _ limit: Duration, _ watch: Stopwatch,
        _ onDelay: (LockHolder?) -> Void
    ) throws(Failure) {
        var pause: UInt32 = 500
        var hasCalledBack = false
        while try !take(descriptor, LOCK_NB) {
            let waited = watch.elapsed
            guard waited < limit else { throw .held(LockHolder.holding(path)) }
            if !hasCalledBack, waited >= delayBeforeCallback {
                hasCalledBack = true
                onDelay(LockHolder.holding(path))
            }
            usleep(pause)
            pause = min(pause * 2, 50_000)
        }
    }
}

/// A process that holds a lock on a file.
package struct LockHolder: Hashable, Sendable, CustomStringConvertible {
    /// As /proc of this machine shows it.
    package var processID: Int32
    /// The command (/proc/PID/comm); nil if it cannot be read.
    package var name: String?

    /// Such as `2112 (storefront)`.
    package var description: String {
        name.map { "\(processID) (\($0))" } ?? String(processID)
    }

    /// By /proc/locks (proc(5)); nil if no process holds an exclusive lock, or the kernel does not
    /// name it.
    package static func holding(_ path: String) -> LockHolder? {
        var status = stat()
        guard stat(path, &status) == 0,
            let table = systemText("/proc/locks")
        else { return nil }
        let device = UInt64(status.st_dev)
        let file = "\(hex(major(device))):\(hex(minor(device))):\(status.st_ino)"
        return holder(of: file, in: table).map { LockHolder(process: $0) }
    }

    /// With its name, if /proc has it.
    package init(process id: Int32) {
        processID = id
        name = systemText("/proc/\(id)/comm").map { String($0.prefix { $0 != "\n" }) }
    }

    /// Finds the holder in lines such as `1: FLOCK  ADVISORY  WRITE 2112 fe:01:131 0 EOF`. Waiting
    /// processes have `->` as a second field and do not match. A lock of an open file description
    /// has the process id -1 and is skipped.
    static func holder(of file: String, in table: String) -> Int32? {
        for line in table.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count >= 6, fields[3] == "WRITE", fields[5] == file,
                let id = Int32(fields[4]), id > 0
            else { continue }
            return id
        }
        return nil
    }

    private static func hex(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return text.count < 2 ? "0" + text : text
    }

    /// From the 64 bits of `st_dev` (makedev(3)).
    private static func major(_ device: UInt64) -> UInt64 {
        (device >> 8) & 0xfff | (device >> 32) & ~0xfff
    }

    private static func minor(_ device: UInt64) -> UInt64 {
        device & 0xff | (device >> 12) & ~0xff
    }
}
