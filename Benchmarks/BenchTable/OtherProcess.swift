import Foundation
package import StoreModel

/// A second process of this program, whose output is read.
package struct OtherProcess {
    package let id: Int32
    private let output: Int32

    package init(_ words: [String]) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addclose(&files, ends[0])
        posix_spawn_file_actions_addclose(&files, ends[1])
        let program = "/proc/self/exe"
        let arguments = [program] + words
        var copies: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        copies.append(nil)
        var id: pid_t = 0
        let code = posix_spawn(&id, program, &files, nil, copies, environ)
        close(ends[1])
        guard code == 0 else { throw CocoaError(.executableLoad) }
        self.id = id
        output = ends[0]
    }

    /// Waits for the next byte of its output.
    @discardableResult package func wait() throws -> UInt8 {
        var byte: UInt8 = 0
        while true {
            let count = read(output, &byte, 1)
            if count == 1 { return byte }
            guard count < 0, errno == EINTR else { throw CocoaError(.fileReadUnknown) }
        }
    }

    /// Waits for the next line of its output.
    package func line() throws -> String {
        var bytes: [UInt8] = []
        while true {
            let byte = try wait()
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
    }

    /// Of its memory, in bytes.
    package func resident() throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(id)/statm", encoding: .utf8)
        let words = text.split(separator: " ")
        guard words.count > 1, let pages = Double(words[1]) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }

    package func end() {
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
        close(output)
    }

    /// The work of such a process: writes a byte when it begins to read the feed, and one for each
    /// sale.
    package static func tellSales(of store: some StoreOperator) async throws {
        let events = store.events(after: try await store.head())
        let output = FileHandle.standardOutput
        output.write(Data([0]))
        for try await batch in events {
            for event in batch.events {
                if case .sold = event.change { output.write(Data([1])) }
            }
        }
    }
}
