import DurableFiles
import Foundation
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct FileLockTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/file.lock" }

    init() throws { folder = try TemporaryFolder() }

    /// Another process that holds the lock until it is killed.
    private func hold() throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/flock")
        process.arguments = ["-F", path, "/bin/sh", "-c", "echo held; exec sleep 1000"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        // Says so once it has it.
        _ = output.fileHandleForReading.availableData
        return process
    }

    @Test("a lock somebody keeps is waited for a bounded time, and the error names who has it")
    func bounded() throws {
        let holder = try hold()
        defer { kill(holder.processIdentifier, SIGKILL) }
        let told = Mutex<[LockHolder?]>([])
        let error = #expect(throws: StoreError.self) {
            try FileLock(
                path: path,
                mode: .wait(
                    atMost: .milliseconds(1_200),
                    onDelay: { who in told.withLock { $0.append(who) } }
                ))
        }
        #expect(error?.code == .storeBusy)
        #expect(error?.isRetryable == true)
        #expect(error?.found?.hasPrefix("\(holder.processIdentifier) (") == true)
        #expect(told.withLock { $0 }.count == 1, "told once, after a second")
        #expect(told.withLock { $0 }.first??.processID == holder.processIdentifier)
    }

    @Test("a lock that is given up is had at once")
    func freed() throws {
        let holder = try hold()
        kill(holder.processIdentifier, SIGKILL)
        holder.waitUntilExit()
        let lock = try FileLock(path: path, mode: .wait(onDelay: { _ in }))
        lock.release()
        try FileLock(path: path, mode: .tryOnce).release()
    }

    @Test("a link where the lock is to be is not followed")
    func link() throws {
        try folder.write("mine", to: "victim")
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: folder.path + "/victim")
        #expect(throws: StoreError.self) { try FileLock(path: path, mode: .tryOnce) }
    }
}
