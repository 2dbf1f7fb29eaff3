import Foundation

/// Watches a folder for writes by inotify(7), for tests that wait for a record of another process.
/// If it is made before that process starts, it misses no write.
final class FolderWatch {
    struct Failure: Error { var message: String }

    private let source: any DispatchSourceRead
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init(_ folder: String) throws {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        let events = UInt32(IN_MODIFY) | UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)
        guard descriptor >= 0, inotify_add_watch(descriptor, folder, events) >= 0 else {
            throw Failure(message: "\(folder): \(String(cString: strerror(errno)))")
        }
        let (wakes, wake) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
        source.setEventHandler {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while read(descriptor, &buffer, buffer.count) > 0 {}
            wake.yield()
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        self.wakes = wakes
        self.wake = wake
    }

    deinit { source.cancel() }

    /// Checks at once and after each write. Returns false if the program ended before.
    func wait(
        during program: RunningProgram, until isReached: () throws -> Bool
    ) async throws -> Bool {
        let ending = Task { [wake] in
            _ = await program.end()
            wake.finish()
        }
        defer { ending.cancel() }
        if try isReached() { return true }
        for await _ in wakes where try isReached() { return true }
        return try isReached()
    }
}
