import Foundation

/// Tells when a file has been written or replaced by another of the same name, as editors do: it is
/// the folder that is watched, by a thread that sleeps until something happens.
package enum FolderWatcher {
    /// False where the folder cannot be watched.
    ///
    /// - Parameter handler: answers whether to go on watching.
    package static func watch(
        file path: String, _ handler: @escaping @Sendable () -> Bool
    ) -> Bool {
        // A link's own folder says nothing of what it leads to.
        let url = URL(filePath: path).resolvingSymlinksInPath()
        let name = Array(url.lastPathComponent.utf8)
        let descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return false }
        let mask = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO)
        let folder = url.deletingLastPathComponent().path
        guard inotify_add_watch(descriptor, folder, mask) >= 0 else {
            close(descriptor)
            return false
        }
        Thread.detachNewThread { read(descriptor, name, handler) }
        return true
    }

    private static func read(
        _ descriptor: Int32, _ name: [UInt8], _ handler: @Sendable () -> Bool
    ) {
        let size = 16 * 1024
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        defer {
            buffer.deallocate()
            close(descriptor)
        }
        while true {
            let count = Foundation.read(descriptor, buffer, size)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            let events = UnsafeRawBufferPointer(start: buffer, count: count)
            if names(in: events).contains(where: { $0.elementsEqual(name) }), !handler() { return }
        }
    }

    /// `struct inotify_event`: watch, mask, cookie, length of the name, then the name.
    private static func names(
        in events: UnsafeRawBufferPointer
    ) -> [UnsafeRawBufferPointer.SubSequence] {
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
