import Foundation
import Testing

/// Runs the commands of the README and of the guide, and compares what they print with the pages.
///
/// `STOREFRONT_GOLDENS=write swift test --filter EndToEndTests.GuideTests` writes the outputs and
/// the picture again. Writing makes the test fail, so that a person reviews the change.
@Suite("the guide", .withProgram, .inTurn)
struct GuideTests {
    private static let documentation = Program.root + "/Documentation"
    private static let isWriting =
        ProcessInfo.processInfo.environment["STOREFRONT_GOLDENS"] == "write"

    static let pages =
        ["README.md"]
        + ((try? FileManager.default.contentsOfDirectory(atPath: documentation + "/guide")) ?? [])
        .filter { $0.hasSuffix(".md") }.sorted().map { "Documentation/guide/" + $0 }

    @Test("each command prints what its page says, in order, in a new store", arguments: pages)
    func commands(name: String) async throws {
        let file = Program.root + "/" + name
        let page = ConsolePage(try String(contentsOfFile: file, encoding: .utf8))
        guard !page.commands.isEmpty else { return }
        let answers = ConsolePage.answers(try await Self.printed(by: page))
        if Self.isWriting {
            let text = page.written(with: answers)
            guard text != page.lines.joined(separator: "\n") else { return }
            try Data(text.utf8).write(to: URL(filePath: file))
            Issue.record("\(name) was written. Look at the change.")
            return
        }
        for (command, answer) in zip(page.commands, answers) {
            #expect(
                answer.code == command.code,
                "\(name):\(command.start + 1): exit code \(answer.code) of: \(command.words[0])")
            guard let line = ConsolePage.difference(command.output, answer.output) else { continue }
            // What follows begins from another state: only the first difference tells something.
            Issue.record(
                """
                \(name):\(command.firstOutput + line + 1): other output of: \(command.words[0])
                documented: \(command.output.dropFirst(line).first ?? "nothing")
                found:      \(answer.output.dropFirst(line).first ?? "nothing")
                """)
            return
        }
        #expect(answers.count == page.commands.count, "\(name): the shell ended early")
    }

    /// What a shell prints that runs the page in a home folder of its own, as /home/you.
    private static func printed(by page: ConsolePage) async throws -> String {
        let box = try Sandbox()
        let tools = box.folder + "/bin"
        try FileManager.default.createDirectory(
            atPath: tools, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: tools + "/storefront", withDestinationPath: try #require(Program.path))
        let script = try box.file("page.sh", page.script)
        let answer = try await RunningProgram(
            "bash", [script],
            environment: [
                "HOME": box.home, "TMPDIR": box.temporary, "TZ": "UTC", "LANG": "C.UTF-8",
                "TERM": "xterm-256color", "PATH": tools + ":" + Program.toolPath,
            ], folder: box.home, secondsMax: 300
        ).end()
        #expect(!answer.hung)
        // Lines of CSV end with CR LF, which a page does not show.
        return answer.output.replacingOccurrences(of: "\r\n", with: "\n")
            .replacingOccurrences(of: box.home, with: "/home/you")
    }

    @Test("the picture of the README is what the shop shows")
    func picture() async throws {
        let file = Self.documentation + "/shop.svg"
        let box = try Sandbox(["STOREFRONT_CATALOG": nil])
        let picture = try await box.succeed(
            "screenshot", "--demo", "--clock", "2027-01-31T09:00:00Z", "--format", "svg"
        ).output
        let kept = try? String(contentsOfFile: file, encoding: .utf8)
        if Self.isWriting, picture != kept {
            try Data(picture.utf8).write(to: URL(filePath: file))
            Issue.record("The picture was written. Look at the change.")
            return
        }
        // The texts in a row are compared, and not the whole picture in one line of a report.
        let pairs = zip(picture.split(separator: "\n"), (kept ?? "").split(separator: "\n"))
        for (line, other) in pairs where line != other {
            Issue.record("shop.svg: found \(line), kept \(other)")
            return
        }
        #expect(picture.count == kept?.count)
    }

    @Test(
        "a page agrees with what was printed, but for dates, numbers by chance and …",
        arguments: [
            (["a", "…", "d"], ["a", "b", "c", "d"], nil), (["a", "…", "d"], ["a", "d"], nil),
            (["a", "…", "d"], ["a", "b"], 1), (["a … c"], ["a b c"], nil), (["a … c"], ["a b"], 0),
            (["a", "b"], ["a", "c"], 1), (["a"], ["a", "b"], 1), (["a", "b"], ["a"], 1),
            (["on 2026-01-31T10:00:00Z"], ["on 2027-02-28T11:30:05Z"], nil),
            (["on 2026-01-31"], ["on Monday"], 0), (["a", ""], ["a"], nil), ([], ["a"], 0),
        ] as [([String], [String], Int?)])
    func agreement(documented: [String], found: [String], difference: Int?) {
        #expect(ConsolePage.difference(documented, found) == difference)
    }
}
