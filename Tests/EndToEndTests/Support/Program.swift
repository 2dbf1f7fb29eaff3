import Foundation
import Testing

/// The program under test: $STOREFRONT_PROGRAM, or else the one built in this package.
enum Program {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    static let path: String? = {
        if let chosen = ProcessInfo.processInfo.environment["STOREFRONT_PROGRAM"] { return chosen }
        return built("storefront")
    }()

    /// The one with stores in PostgreSQL: $STOREFRONT_POSTGRESQL_PROGRAM, or else the one built in
    /// this package.
    static let postgreSQLPath: String? = {
        let name = "STOREFRONT_POSTGRESQL_PROGRAM"
        if let chosen = ProcessInfo.processInfo.environment[name] { return chosen }
        return built("storefront-postgresql")
    }()

    private static func built(_ name: String) -> String? {
        ["release", "debug"].map { root + "/.build/\($0)/\(name)" }
            .first { access($0, X_OK) == 0 }
    }

    static let catalog = root + "/catalog.json"
    static let content = root + "/Content"

    /// How long a test waits for an event before it fails: `STOREFRONT_PATIENCE` seconds, else 90.
    static let patience: Duration = {
        let chosen = ProcessInfo.processInfo.environment["STOREFRONT_PATIENCE"]
        return .seconds(chosen.flatMap { Int($0) } ?? 90)
    }()

    static let toolPath =
        ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"

    static func tool(
        _ name: String, _ arguments: String..., in folder: String = "/"
    ) async throws -> RunningProgram.Answer {
        try await RunningProgram(
            name, arguments, environment: ["PATH": toolPath, "LANG": "C.UTF-8"], folder: folder
        ).end()
    }
}
