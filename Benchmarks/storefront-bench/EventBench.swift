import BenchTable
import Foundation
import StoreEngine
import StoreModel

/// How soon another process learns of a sale.
enum EventBench {
    private static let count = 50
    private static let millisecondsMax = 100.0

    static func run(_ table: inout Table) async throws {
        let store = try await BenchStore("events")
        let session = store.session()
        let reader = try ReadingProcess(store.folder)
        defer { reader.end() }
        try reader.wait()
        let clock = ContinuousClock()
        var all: [Double] = []
        for _ in 0..<count {
            // With the decision and the commit, because the event cannot exist before them.
            let start = clock.now
            _ = try await session.purchase(BenchStore.payment())
            try reader.wait()
            all.append(start.duration(to: clock.now) / .milliseconds(1))
        }
        let median = Measure.median(all)
        table.add(
            "a sale reaches another process, median of \(count), beside 100 ms", median,
            millisecondsMax, unit: "ms", ratio: median / millisecondsMax, goal: .atMost(1))
    }

    /// The other process: it writes a byte when it begins to read the feed, and one for each sale.
    static func follow(_ folder: String) async throws {
        let store = try await BenchStore.opened(folder)
        let console = store.engine.storeOperator
        let events = console.events(after: try await console.head())
        let output = FileHandle.standardOutput
        output.write(Data([0]))
        for try await batch in events {
            for event in batch.events {
                if case .sold = event.change { output.write(Data([1])) }
            }
        }
    }
}

/// A second process of this program, which reads the feed of a store.
private struct ReadingProcess {
    private let process: pid_t
    private let output: Int32

    init(_ folder: String) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addclose(&files, ends[0])
        posix_spawn_file_actions_addclose(&files, ends[1])
        let program = "/proc/self/exe"
        let arguments: [String] = [program, "--follow", folder]
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var process: pid_t = 0
        let code = posix_spawn(&process, program, &files, nil, words, environ)
        close(ends[1])
        guard code == 0 else { throw CocoaError(.executableLoad) }
        self.process = process
        output = ends[0]
    }

    func wait() throws {
        var byte: UInt8 = 0
        while true {
            let count = read(output, &byte, 1)
            if count == 1 { return }
            guard count < 0, errno == EINTR else { throw CocoaError(.fileReadUnknown) }
        }
    }

    func end() {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        close(output)
    }
}
