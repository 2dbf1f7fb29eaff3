import Basics
import Foundation
import Testing

@Suite("reasons of errors of the system")
struct SystemTextTests {
    private static let missing = "/nonexistent/file"

    @Test("an error of Foundation is told by its number, in the words of every other call")
    func foundation() throws {
        let calls: [@Sendable () throws -> Void] = [
            { try Data().write(to: URL(filePath: Self.missing), options: .atomic) },
            { _ = try FileHandle(forReadingFrom: URL(filePath: Self.missing)) },
            { _ = try FileManager.default.contentsOfDirectory(atPath: Self.missing) },
            { try FileManager.default.removeItem(atPath: Self.missing) },
            { throw POSIXError(.ENOENT) },
        ]
        for (number, call) in calls.enumerated() {
            let error = try #require(throws: (any Error).self) { try call() }
            #expect(systemMessage(of: error) == "No such file or directory", "\(number)")
        }
    }

    @Test("an error without a number of the system is told in its own words")
    func others() {
        #expect(systemErrorNumber(of: CocoaError(.coderInvalidValue)) == nil)
        #expect(systemErrorNumber(of: CancellationError()) == nil)
        #expect(!systemMessage(of: CancellationError()).isEmpty)
    }
}
