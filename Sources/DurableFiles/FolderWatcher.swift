import Foundation

/// Tells when a file has been written or replaced by another of the same name, as editors do: it is
/// the folder that is watched. One thread that sleeps until something happens; it ends with the
/// watcher.
package final class FolderWatcher: Sendable {
    private let descriptor: Int32

    /// Nil where the folder cannot be watched.
    package init?(
        ofFile path: String, _ handler: @escaping @Sendable () -> Void
    ) {
        let url = URL(filePath: path)
        let name = Array(url.lastPathComponent.utf8)
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let mask = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO)
        let folder = url.deletingLastPathComponent().path
        guard inotify_add_watch(descriptor, folder, mask) >= 0 else {
            close(descriptor)
            return nil
        }
        let descriptor = descriptor
        Thread.detachNewThread { Self.read(descriptor, name, handler) }
    }

    /// For as long as the program runs: whoever watches a catalog does so until the end.
    private static func read(
        _ descriptor: Int32, _ name: [UInt8], _ handler: @Sendable () -> Void
    ) {
        let size = 16 * 1024
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        defer { buffer.deallocate() }
        while true {
            let count = Foundation.read(descriptor, buffer, size)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            let events = UnsafeRawBufferPointer(start: buffer, count: count)
            if names(in: events).contains(where: { $0.elementsEqual(name) }) { handler() }
        }
    }

    /// `struct inotify_event`: watch, mask, cookie, length of the name, then the name.
    private static func names(in events: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer
        .SubSequence]
    {
        let header = 16
        var found: [UnsafeRawBufferPointer.SubSequence] = []
        var offset = 0
        while offset + header <= events.count {
            let length = Int(events.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            let name = events[(offset + header)..<min(events.count, offset + header + length)]
            found.append(name.prefix { $0 != 0 })
            offset += header + length
        }
        return found
    }
}
