import Foundation
import Synchronization

/// Tells of changes in folders by one inotify(7) descriptor for the whole process, read by a thread
/// that sleeps until something happens.
final class FolderWatcher: Sendable {
    typealias Handler = @Sendable (_ file: String) -> Void

    /// Nil where the system gives no descriptor.
    static let shared = FolderWatcher()

    private let descriptor: Int32
    private let handlers = Mutex<[Int32: [Handler]]>([:])

    private init?() {
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        Thread.detachNewThread { [self] in readForever() }
    }

    /// Calls the handler for each file of the folder that is written, made or moved there; false if
    /// the folder cannot be watched.
    func watch(_ folder: String, _ handler: @escaping Handler) -> Bool {
        handlers.withLock { handlers in
            let mask = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE)
            let watch = inotify_add_watch(descriptor, folder, mask)
            guard watch >= 0 else { return false }
            handlers[watch, default: []].append(handler)
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
            let length = Int(events.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            let name = events[(offset + header)..<min(offset + header + length, events.count)]
            let file = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            for handler in handlers.withLock({ $0[watch] ?? [] }) { handler(file) }
            offset += header + length
        }
    }
}
