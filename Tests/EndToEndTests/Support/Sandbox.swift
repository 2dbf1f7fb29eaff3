import Foundation
import Testing

/// A home folder, other folders and an environment for the program, without any setting of the
/// person who runs the tests. Deleted with this object.
final class Sandbox: Sendable {
    let folder: String
    let environment: [String: String]
    let program: String?

    var home: String { folder + "/home" }
    var work: String { folder + "/work" }
    var temporary: String { folder + "/tmp" }
    var store: String { folder + "/data/storefront/com.example.lantern" }
    var ledger: String { store + "/store.sqlite" }

    init(_ changes: [String: String?] = [:], program: String? = Program.path) throws {
        self.program = program
        folder = NSTemporaryDirectory() + "storefront-test-" + UUID().uuidString.lowercased()
        var environment = [
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color",
            "HOME": folder + "/home", "TMPDIR": folder + "/tmp",
            "XDG_DATA_HOME": folder + "/data", "XDG_CONFIG_HOME": folder + "/config",
            "XDG_STATE_HOME": folder + "/state", "STOREFRONT_CATALOG": Program.catalog,
        ]
        for (name, value) in changes { environment[name] = value }
        self.environment = environment
        for part in ["home", "work", "tmp"] {
            try FileManager.default.createDirectory(
                atPath: folder + "/" + part, withIntermediateDirectories: true)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Starts the program. `changes` override the sandbox's environment; nil removes a variable.
    func start(
        _ arguments: [String], changing changes: [String: String?] = [:]
    ) throws -> RunningProgram {
        var environment = environment
        for (name, value) in changes { environment[name] = value }
        return try RunningProgram(
            try #require(program), arguments, environment: environment, folder: work)
    }

    func start(_ arguments: String...) throws -> RunningProgram { try start(arguments) }

    /// Starts `watch`, and waits until it watches.
    ///
    /// - Parameter delivers: whether it is to hold the delivery lease; nil for either.
    func watch(
        delivers: Bool? = nil, at location: SourceLocation = #_sourceLocation
    ) async throws -> RunningProgram {
        let watching = try start("watch")
        let begun = await watching.next { $0["event"].text == "watching" }
        #expect(begun != nil, sourceLocation: location)
        if let delivers {
            #expect(begun?["delivers"].bool == delivers, sourceLocation: location)
        }
        return watching
    }

    func run(
        _ arguments: [String], changing changes: [String: String?] = [:],
        at location: SourceLocation = #_sourceLocation
    ) async throws -> RunningProgram.Answer {
        let answer = try await start(arguments, changing: changes).end()
        #expect(!answer.hung, "It did not end: \(arguments)", sourceLocation: location)
        return answer
    }

    func run(
        _ arguments: String..., at location: SourceLocation = #_sourceLocation
    ) async throws -> RunningProgram.Answer { try await run(arguments, at: location) }

    /// Runs a command whose success is a precondition of the test.
    @discardableResult func succeed(
        _ arguments: String..., at location: SourceLocation = #_sourceLocation
    ) async throws -> RunningProgram.Answer {
        let answer = try await run(arguments, at: location)
        #expect(
            answer.code == 0, "\(arguments) said: \(answer.errors)\(answer.output)",
            sourceLocation: location)
        return answer
    }

    /// Copies the demo's content beside the catalogs that are written into the working folder.
    func copyContent() throws {
        try FileManager.default.copyItem(atPath: Program.content, toPath: work + "/Content")
    }

    /// Writes a file into the working folder and returns its path.
    func file(_ name: String, _ text: String) throws -> String {
        let path = work + "/" + name
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }
}
