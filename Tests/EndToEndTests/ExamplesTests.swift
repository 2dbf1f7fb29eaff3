import Foundation
import Testing

/// The programs in Examples, started as their comments say.
@Suite("examples", .withProgram, .inTurn)
struct ExamplesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples")

    private static func path(_ name: String) -> String { folder.appending(path: name).path }

    private func run(
        _ box: Sandbox, _ tool: String, _ arguments: String...
    ) async throws -> RunningProgram.Answer {
        var environment = box.environment
        environment["STOREFRONT"] = Program.path
        environment["PATH"] = Program.toolPath
        return try await RunningProgram(
            tool, arguments, environment: environment, folder: box.work
        ).end()
    }

    @Test("the checklist of purchases passes")
    func checklist() async throws {
        let answer = try await run(try Sandbox(), "sh", Self.path("checkout-check.sh"))
        #expect(answer.code == 0, "\(answer.whole)")
        #expect(answer.output == "Every outcome was as expected.\n")
    }

    @Test("the year of a subscription shows grace, recovery and expiry")
    func year() async throws {
        let answer = try await run(try Sandbox(), "sh", Self.path("subscription-year.sh"))
        #expect(answer.code == 0, "\(answer.whole)")
        for words in ["grace period", "recovered", "auto-renew off", "expired"] {
            #expect(answer.output.contains(words), "no \(words):\n\(answer.output)")
        }
    }

    @Test("the backend grants each transaction once, and sees a refund")
    func backend() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.coins.10", "lantern.theme.sepia")
        let ledger = box.work + "/granted.json"
        let first = try await run(box, "python3", Self.path("deliver.py"), ledger)
        #expect(
            first.output
                == "granted 1000001 lantern.coins.10\ngranted 1000002 lantern.theme.sepia\n",
            "\(first.whole)")
        try await box.succeed("operator", "refund", "1000002")
        let second = try await run(box, "python3", Self.path("deliver.py"), ledger)
        #expect(second.output == "revoked 1000002 lantern.theme.sepia\n", "\(second.whole)")
    }
}
