import Foundation
import Synchronization

/// Calls handlers when files change: one inotify(7) descriptor for the whole process, read by one
/// thread that sleeps until an event comes. Handlers run on that thread, one after the other.
package final class FileWatcher: Sendable {
    /// Nil where the kernel gives no inotify descriptor.
    package static let shared = FileWatcher()

    /// Gets the name of the file that changed where a folder is watched, else an empty name.
    /// Returns whether to go on watching.
    private typealias Handler = @Sendable (UnsafeRawBufferPointer.SubSequence) -> Bool

    private struct Registration {
        var number: Int
        var owner: ObjectIdentifier?
        /// The events that the handler is called for. Another registration of the file may have
        /// others.
        var mask: UInt32
        var handler: Handler
    }

    private struct State {
        var registered: [Int32: [Registration]] = [:]
        var lastNumber = 0
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    private init?() {
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        Thread.detachNewThread { [self] in readForever() }
    }

    /// Calls the handler each time the file is written, until `removeHandlers(of: owner)`. False if
    /// the file cannot be watched.
    func watch(
        _ path: String, for owner: AnyObject, _ handler: @escaping @Sendable () -> Void
    ) -> Bool {
        add(path, UInt32(IN_MODIFY), ObjectIdentifier(owner)) { _ in
            handler()
            return true
        }
    }

    /// Calls the handler when a file or folder is deleted or moved, or its metadata changes, as
    /// when one of its names is removed. Until `removeHandlers(of: owner)`.
    func watchRemoval(
        _ path: String, for owner: AnyObject, _ handler: @escaping @Sendable () -> Void
    ) {
        let removal = UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ATTRIB)
        _ = add(path, removal, ObjectIdentifier(owner)) { _ in
            handler()
            return true
        }
    }

    /// Calls the handler only the next time the file is written: a file that is written continually
    /// wakes the process once, not once for each write. Not after `removeHandlers(of: owner)`.
    func watchOnce(
        _ path: String, for owner: AnyObject, _ handler: @escaping @Sendable () -> Void
    ) -> Bool {
        let oneShot = UInt32(1) << 31  // IN_ONESHOT, hidden by its sign
        return add(path, UInt32(IN_MODIFY) | oneShot, ObjectIdentifier(owner)) { _ in
            handler()
            return true
        }
    }

    /// Calls the handler when a file was written and closed, or replaced by a rename, as editors
    /// do. Watches the file's folder. False if the folder cannot be watched.
    ///
    /// - Parameter handler: called on the watcher's thread; returns whether to go on watching.
    package func watchReplacing(
        _ path: String, _ handler: @escaping @Sendable () -> Bool
    ) -> Bool {
        // For a symbolic link, watches the folder of its target, because the file changes there.
        let url = URL(filePath: path).resolvingSymlinksInPath()
        return watchEntry(
            url.lastPathComponent, ofFolder: url.deletingLastPathComponent().path, handler)
    }

    /// Calls the handler when the entry of this name in a folder was written and closed, or
    /// replaced by a rename. The entry itself is watched, even if it is a link. False if the folder
    /// cannot be watched.
    ///
    /// - Parameter handler: called on the watcher's thread; returns whether to go on watching.
    package func watchEntry(
        _ name: String, ofFolder folder: String, _ handler: @escaping @Sendable () -> Bool
    ) -> Bool {
        let name = Array(name.utf8)
        let mask = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO)
        return add(folder, mask, nil) { changed in
            changed.elementsEqual(name) ? handler() : true
        }
    }

    /// Removes an owner's handlers, and the watches that no other handler needs. A handler that is
    /// being called may still be running when this returns.
    func removeHandlers(of owner: ObjectIdentifier) {
        remove { $0.owner == owner }
    }

    private func remove(_ isRemoved: (Registration) -> Bool) {
        state.withLock { state in
            for (watch, registrations) in state.registered {
                let staying = registrations.filter { !isRemoved($0) }
                guard staying.count < registrations.count else { continue }
                state.registered[watch] = staying.isEmpty ? nil : staying
                if staying.isEmpty { inotify_rm_watch(descriptor, watch) }
            }
        }
    }

    private func add(
        _ path: String, _ mask: UInt32, _ owner: ObjectIdentifier?, _ handler: @escaping Handler
    ) -> Bool {
        // Under the lock: the first event may come before the handler is registered.
        state.withLock { state in
            // The kernel keeps one watch for each file: adds to the events that are watched there
            // already, so that no handler loses its events to another one.
            let watch = inotify_add_watch(descriptor, path, mask | UInt32(IN_MASK_ADD))
            guard watch >= 0 else { return false }
            state.lastNumber += 1
            state.registered[watch, default: []].append(
                Registration(
                    number: state.lastNumber, owner: owner, mask: mask, handler: handler))
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
            dispatch(UnsafeRawBufferPointer(start: buffer, count: count))
        }
    }

    /// Calls the handlers of all events in a buffer of `struct inotify_event`: watch, mask, cookie,
    /// length of the name, then the name.
    private func dispatch(_ events: UnsafeRawBufferPointer) {
        let header = 16
        var offset = 0
        while offset + header <= events.count {
            let watch = events.loadUnaligned(fromByteOffset: offset, as: Int32.self)
            let mask = events.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            let length = Int(events.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            let end = min(events.count, offset + header + length)
            let name = events[(offset + header)..<end].prefix { $0 != 0 }
            if mask & UInt32(IN_IGNORED) != 0 {
                // The kernel removed the watch: it was a one-shot, or its file is gone.
                state.withLock { $0.registered[watch] = nil }
            } else {
                call(watch, mask, name)
            }
            offset = end
        }
    }

    private func call(
        _ watch: Int32, _ mask: UInt32, _ name: UnsafeRawBufferPointer.SubSequence
    ) {
        let called = state.withLock { $0.registered[watch] ?? [] }.filter { $0.mask & mask != 0 }
        let ended = Set(called.filter { !$0.handler(name) }.map(\.number))
        if !ended.isEmpty { remove { ended.contains($0.number) } }
    }
}
