import Foundation
import Synchronization

/// Tells of changes to files by one inotify(7) descriptor for the whole process, read by a thread
/// that sleeps until something happens.
final class FileWatcher: Sendable {
    typealias Handler = @Sendable () -> Void

    /// Nil where the system gives no descriptor.
    static let shared = FileWatcher()

    private let descriptor: Int32
    private let handlers = Mutex<[Int32: [Handler]]>([:])

    private init?() {
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        Thread.detachNewThread { [self] in readForever() }
    }

    /// Calls the handler each time the file is written; false if it cannot be watched.
    func watch(_ path: String, _ handler: @escaping Handler) -> Bool {
        handlers.withLock { handlers in
            let watch = inotify_add_watch(descriptor, path, UInt32(IN_MODIFY))
            guard watch >= 0 else { return false }
            handlers[watch, default: []].append(handler)
            return true
        }
    }

    /// Calls the handler the next time the file is written, and then no more: a file that is
    /// written all the time costs one wake, not one for each write.
    func watchOnce(_ path: String, _ handler: @escaping Handler) -> Bool {
        handlers.withLock { handlers in
            let mask = UInt32(IN_MODIFY) | UInt32(1) << 31  // IN_ONESHOT, hidden by its sign
            let watch = inotify_add_watch(descriptor, path, mask)
            guard watch >= 0 else { return false }
            handlers[watch] = (handlers[watch] ?? []) + [handler]
            return true
        }
    }

    private func readForever() {
        let size = 64 * 1024
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer, size)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            tell(UnsafeRawBufferPointer(start: buffer, count: count))
        }
    }

    /// `struct inotify_event`: watch, mask, cookie, length of the name, then the name.
    private func tell(_ events: UnsafeRawBufferPointer) {
        let header = 16
        var offset = 0
        while offset + header <= events.count {
            let watch = events.loadUnaligned(fromByteOffset: offset, as: Int32.self)
            let mask = events.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            let length = Int(events.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            if mask & UInt32(IN_IGNORED) != 0 {
                // The kernel gave the watch up, after its one event or with the file.
                handlers.withLock { $0[watch] = nil }
            } else {
                for handler in handlers.withLock({ $0[watch] ?? [] }) { handler() }
            }
            offset += header + length
        }
    }
}
