import Basics
import DurableFiles
import Foundation
import StoreModel
import StoreTestSupport
import Synchronization
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(10))) struct FileLockTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/file.lock" }

    init() throws { folder = try TemporaryFolder() }

    @Test("a held lock is waited for a limited time, and the error names its holder")
    func bounded() throws {
        let holder = try ShellCommand.holdingLock(path)
        defer {
            kill(holder.process, SIGKILL)
            holder.command.end()
        }
        let reported = Mutex<[LockHolder?]>([])
        let failure = #expect(throws: FileLock.Failure.self) {
            try FileLock(
                path: path,
                mode: .wait(
                    atMost: .milliseconds(1_200),
                    onDelay: { holder in reported.withLock { $0.append(holder) } }
                ))
        }
        let error = StoreError(try #require(failure), path: path)
        #expect(error.code == .storeBusy)
        #expect(error.isRetryable)
        #expect(error.found?.text.hasPrefix("\(holder.process) (") == true)
        #expect(reported.withLock { $0 }.count == 1, "reported once, after a second")
        #expect(reported.withLock { $0 }.first??.processID == holder.process)
    }

    @Test("a released lock is acquired at once")
    func freed() throws {
        let holder = try ShellCommand.holdingLock(path)
        kill(holder.process, SIGKILL)
        holder.command.end()
        let lock = try FileLock(path: path, mode: .wait(atMost: .seconds(5)))
        lock.release()
        try FileLock(path: path, mode: .tryOnce).release()
    }

    @Test("a write that times out names the process that holds the write lock")
    func writer() async throws {
        let path = folder.path + "/store.sqlite"
        let database = try DurableDatabase(
            path: path,
            schema: DurableDatabase.Schema(
                applicationID: 7,
                migrations: [
                    DurableDatabase.Migration(1) { try $0.execute("CREATE TABLE t (id INTEGER)") }
                ]))
        let other = try RawDatabase(path)
        try other.run("BEGIN IMMEDIATE")
        do {
            try await database.write { try $0.execute("INSERT INTO t VALUES (1)") }
            Issue.record("two wrote at once")
        } catch {
            #expect(error.code == .storeBusy)
            #expect(error.found?.text.hasPrefix("\(getpid()) ") == true, "\(error)")
        }
        try other.run("ROLLBACK")
        try await database.write { try $0.execute("INSERT INTO t VALUES (1)") }
    }

    @Test("a link in place of the lock file is not followed")
    func link() throws {
        try folder.write("mine", to: "victim")
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: folder.path + "/victim")
        #expect(throws: FileLock.Failure.system(ELOOP)) {
            try FileLock(path: path, mode: .tryOnce)
        }
    }
}
