import Foundation

/// A lock on a file, held by this open file alone and released by the kernel when its process ends,
/// however it ends (flock(2)).
package final class FileLock: Sendable {
    package enum Mode: Sendable {
        /// Waits a bounded time, then throws `held`, naming who holds it. `onDelay` is called
        /// once that has taken a second: a process that was stopped may hold a lock for ever.
        case wait(
            atMost: Duration,
            onDelay: @Sendable (LockHolder?) -> Void = { _ in })
        /// Blocks until it is free, however long.
        case waitForever
        /// Throws `held` if somebody holds it.
        case tryOnce
    }

    package enum Failure: Error, Hashable {
        /// By whom, where the system says so.
        case held(LockHolder?)
        /// The system's error (errno(3)).
        case system(Int32)
    }

    private let descriptor: Int32
    /// What takes no longer is not spoken of.
    private static let silence = Duration.seconds(1)

    package init(path: String, mode: Mode) throws(Failure) {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { throw .system(errno) }
        do throws(Failure) {
            switch mode {
            case .tryOnce:
                guard try Self.take(opened, LOCK_NB) else {
                    throw .held(LockHolder.holding(path))
                }
            case .waitForever: _ = try Self.take(opened, 0)
            case .wait(let limit, let onDelay): try Self.wait(opened, path, limit, onDelay)
            }
        } catch {
            close(opened)
            throw error
        }
        descriptor = opened
    }

    /// Whether anybody holds the lock on a file, in this process or another. Takes it for no longer
    /// than the question: who wants it in the same instant without waiting may be refused.
    package static func isHeld(path: String) -> Bool {
        let opened = open(path, O_RDWR | O_CLOEXEC)
        guard opened >= 0 else { return false }
        defer { close(opened) }
        return flock(opened, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Gives it up at once. Safe to call once; otherwise it goes with the process.
    package func release() { close(descriptor) }

    /// False if somebody else has it.
    private static func take(_ descriptor: Int32, _ options: Int32) throws(Failure) -> Bool {
        while flock(descriptor, LOCK_EX | options) != 0 {
            let code = errno
            if code == EWOULDBLOCK { return false }
            if code != EINTR { throw .system(code) }
        }
        return true
    }

    /// Tries ever less often: what a process does under such a lock takes a few milliseconds, or, for
    /// a migration, seconds.
    private static func wait(
        _ descriptor: Int32, _ path: String, _ limit: Duration,
        _ onDelay: (LockHolder?) -> Void
    ) throws(Failure) {
        let start = ContinuousClock.now
        var pause: UInt32 = 500
        var hasTold = false
        while try !take(descriptor, LOCK_NB) {
            let waited = start.duration(to: .now)
            guard waited < limit else { throw .held(LockHolder.holding(path)) }
            if !hasTold, waited >= silence {
                hasTold = true
                onDelay(LockHolder.holding(path))
            }
            usleep(pause)
            pause = min(pause * 2, 50_000)
        }
    }
}

/// A process that holds a lock on a file.
package struct LockHolder: Hashable, Sendable, CustomStringConvertible {
    package var processID: Int32
    /// What the kernel calls it; nil where it says nothing.
    package var name: String?

    /// `2112 (storefront)`
    package var description: String {
        name.map { "\(processID) (\($0))" } ?? String(processID)
    }

    /// Who holds a lock on a file for itself alone, as the kernel tells it (proc(5): locks); nil if it
    /// does not.
    package static func holding(_ path: String) -> LockHolder? {
        var status = stat()
        guard stat(path, &status) == 0,
            let table = systemText("/proc/locks")
        else { return nil }
        let device = UInt64(status.st_dev)
        let file = "\(hex(major(device))):\(hex(minor(device))):\(status.st_ino)"
        return holder(of: file, in: table).map { id in
            let name = systemText("/proc/\(id)/comm")
            return LockHolder(processID: id, name: name.map { String($0.prefix { $0 != "\n" }) })
        }
    }

    /// `1: FLOCK  ADVISORY  WRITE 2112 fe:01:131 0 EOF`; who waits stands behind `->`. An open file
    /// description's lock belongs to no process.
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

    /// As the kernel packs them into 64 bits (makedev(3)).
    private static func major(_ device: UInt64) -> UInt64 {
        (device >> 8) & 0xfff | (device >> 32) & ~0xfff
    }

    private static func minor(_ device: UInt64) -> UInt64 {
        device & 0xff | (device >> 12) & ~0xff
    }
}
