import Foundation
import Testing

/// Compares the table of Documentation/outcomes.md with the program: it makes every outcome of a
/// purchase, and of the calls around it, happen.
///
/// `STOREFRONT_GOLDENS=write swift test --filter EndToEndTests.OutcomesTests` writes the table
/// again. Writing makes the test fail, so that a person reviews the change.
@Suite(Turns()) struct OutcomesTests {
    private static let file = Program.root + "/Documentation/outcomes.md"

    private static let head = """
        | outcome | commands | in the shop | exit | answer | SKError | also held by |
        |---|---|---|---|---|---|---|

        """

    @Test("every outcome is had by the commands that the documentation has for it [A12, C4]")
    func table() async throws {
        let text = try String(contentsOfFile: Self.file, encoding: .utf8)
        let start = try #require(text.range(of: Self.head)?.lowerBound, "no table")
        var lines: [String] = []
        for outcome in Outcome.all { lines.append(try await Self.row(outcome)) }
        if ProcessInfo.processInfo.environment["STOREFRONT_GOLDENS"] == "write" {
            let table = Self.head + lines.joined(separator: "\n") + "\n"
            try Data((text[..<start] + table).utf8).write(to: URL(filePath: Self.file))
            Issue.record("The table was written. Look at the change.")
            return
        }
        let found = text[start...].split(separator: "\n").dropFirst(2).map(String.init)
        for (line, documented) in zip(lines, found) { #expect(line == documented) }
        #expect(lines.count == found.count)
    }

    @Test("the table has every error that any call can be made to fail with [C4]")
    func everyError() async throws {
        let help = try await Sandbox().run("operator", "fail-next", "--help").output
        let calls = help.split(separator: "CALLS AND ERRORS\n")[1].split(separator: "\n\nUSAGE")[0]
            .split(whereSeparator: { $0 == " " || $0 == "\n" })
        let failing = Set(Outcome.all.compactMap(\.fault))
        var call = ""
        for word in calls {
            // What follows meets the app's backend, not a customer (`ServerFaultTests`).
            if word == "notification:" { break }
            if word.hasSuffix(":") {
                call = String(word.dropLast())
            } else {
                #expect(failing.contains("\(call) \(word)"))
            }
        }
        #expect(!call.isEmpty)
    }

    /// Runs an outcome's commands on a new store, and makes a row of the last answer.
    private static func row(_ outcome: Outcome) async throws -> String {
        let box = try Sandbox()
        try box.copyContent()
        var answer: RunningProgram.Answer?
        for command in outcome.commands {
            // Only the last command may fail; a purchase before it may be pending.
            if let answer { #expect([0, 10].contains(answer.code), "\(outcome): \(answer)") }
            answer = try await box.run(command.split(separator: " ").map(String.init))
        }
        let last = try #require(answer)
        // If the answer is a table, its first row is shown.
        let lines = (last.errors + last.output).split(separator: "\n").filter {
            !$0.hasPrefix("DATE ")
        }
        let said = (lines.first ?? "")
            .replacing(/\d{4}-\d\d-\d\dT[\d:]+Z/, with: "*date*")
            .replacing(/[\da-f]{8}-[\da-f-]{27}/, with: "*id*")
        let cells = [
            outcome.name, outcome.commands.map { "`\($0)`" }.joined(separator: ", "),
            outcome.keys, "\(last.code)", String(said).replacing("storefront: ", with: ""),
            outcome.skError.map { String($0) } ?? "", "`\(outcome.test)`",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }
}
