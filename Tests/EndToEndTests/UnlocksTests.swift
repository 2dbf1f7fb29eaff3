import Foundation
import Testing

/// The record of unlocks, read by the programs that Documentation/unlocks.md prints.
@Suite("unlocks for other programs", .withProgram, .inTurn)
struct UnlocksTests {
    @Test("the command prints the record and its path, and follows it")
    func command() async throws {
        let box = try Sandbox()
        let nothing = try await box.succeed("unlocks", "--json").object
        #expect(nothing["unlocks"].items.isEmpty && nothing["validUntil"] == .null)
        let watching = try box.start("unlocks", "--watch", "--json")
        #expect(await watching.next { $0["unlocks"].items.isEmpty } != nil)
        let sale = try await box.succeed("buy", "lantern.theme.sepia", "--json").object
        let record = await watching.next { !$0["unlocks"].items.isEmpty }
        #expect(record?["unlocks"].items.map(\.text) == ["theme.sepia"])
        #expect(record?["products"].items.first?["productId"].text == "lantern.theme.sepia")
        let path = try await box.succeed("unlocks", "--path").lines.first ?? ""
        #expect(path.hasSuffix("/devices/terminal/me/unlocks.jws"))
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(try await box.succeed("unlocks").output.contains("Unlocked: theme.sepia"))
        let id = try #require(sale["transactionId"].text)
        try await box.succeed("operator", "refund", id)
        #expect(await watching.next { $0["unlocks"].items.isEmpty } != nil)
        await watching.end(by: SIGTERM)
    }

    @Test("a record that cannot be written is remarked on, and keeps no purchase from its download")
    func recordThatCannotBeWritten() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let path = try await box.succeed("unlocks", "--path").lines.first ?? ""
        // A folder in the record's place: rename(2) cannot replace it with a file.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(
            atPath: path + "/full", withIntermediateDirectories: true)
        let bought = try await box.run(
            "buy", "lantern.book.lighthouse.2", "--bandwidth", "unlimited")
        #expect(bought.code == 0 && bought.errors.contains("unlocks.jws"), "\(bought.whole)")
        #expect(!bought.errors.contains("delivery could not be recorded"), "\(bought.whole)")
        let states = try await box.succeed("downloads", "--json").json.map { $0["state"].text }
        #expect(states.allSatisfy { $0 == "finished" }, "\(bought.whole)")
    }

    /// The documentation's program in a language, from the code block of that language.
    private static func program(_ language: String) throws -> String {
        let text = try String(
            contentsOfFile: Program.root + "/Documentation/unlocks.md", encoding: .utf8)
        let start = try #require(text.range(of: "```\(language)\n")).upperBound
        let end = try #require(text.range(of: "\n```", range: start..<text.endIndex)).lowerBound
        let program = text[start..<end]
        #expect(program.split(separator: "\n").count <= 12)
        return String(program) + "\n"
    }

    private static func isThere(_ tool: String, _ words: String...) async -> Bool {
        let command = ([tool] + words).joined(separator: " ")
        let answer = try? await Program.tool("bash", "-c", command + " > /dev/null 2>&1")
        return answer?.code == 0
    }

    @Test(
        "ten lines of Python and shell read it while a shop sells, and see only valid records [F6]")
    func otherPrograms() async throws {
        var readers: [(name: String, words: [String])] = []
        let box = try Sandbox()
        if await Self.isThere("python3", "-c", "'import cryptography'") {
            readers.append(("python3", [try box.file("unlocks.py", Self.program("python"))]))
        }
        if await Self.isThere("openssl", "pkeyutl", "-help"), await Self.isThere("base64", "--help")
        {
            readers.append(("bash", [try box.file("unlocks.sh", Self.program("sh"))]))
        }
        if readers.count < 2 { print("Unlocks: \(2 - readers.count) of 2 readers skipped.") }

        let watching = try await box.watch()
        try await box.succeed("unlocks")
        let path = try await box.succeed("unlocks", "--path").lines.first ?? ""
        for round in 0..<3 {
            let bought = Task {
                try await box.succeed("buy", "lantern.theme.sepia", "--json").object
            }
            for (name, words) in readers {
                let answer = try await Self.read(name, words + [path])
                #expect(answer.code == 0, "\(name) in round \(round): \(answer.whole)")
            }
            let id = try #require(try await bought.value["transactionId"].text)
            for (name, words) in readers {
                let answer = try await Self.read(name, words + [path])
                #expect(answer.output.contains("theme.sepia"), "\(name): \(answer.whole)")
            }
            try await box.succeed("operator", "refund", id)
            #expect(await watching.next { $0["event"].text == "refunded" } != nil)
            for (name, words) in readers {
                let answer = try await Self.read(name, words + [path])
                #expect(answer.code == 0 && !answer.output.contains("theme.sepia"), "\(name)")
            }
        }
        await watching.end(by: SIGTERM)

        // Both programs refuse an edited record.
        var text = try String(contentsOfFile: path, encoding: .utf8)
        text.replaceSubrange(
            text.index(text.startIndex, offsetBy: 40)..<text.index(text.startIndex, offsetBy: 41),
            with: text.dropFirst(40).first == "A" ? "B" : "A")
        try Data(text.utf8).write(to: URL(filePath: path))
        for (name, words) in readers {
            #expect(try await Self.read(name, words + [path]).code != 0, "\(name)")
        }
    }

    private static func read(
        _ name: String, _ words: [String]
    ) async throws -> RunningProgram.Answer {
        try await RunningProgram(
            name, words, environment: ["PATH": Program.toolPath, "LANG": "C.UTF-8"], folder: "/"
        ).end()
    }

    @Test("a subscription in its grace period unlocks until that ends, as entitlements say")
    func grace() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "clock", "to", "2027-01-31T09:00:00Z")
        try await box.succeed("operator", "clock", "stop")
        try await box.succeed("buy", "lantern.membership.plus.month")
        try await box.succeed("operator", "renewals", "--billing", "fail", "--grace", "on")
        try await box.succeed("operator", "clock", "advance", "1mo")
        try await box.succeed("operator", "clock", "advance", "2d")
        let entitled = try await box.succeed("entitlements", "--json").object
        #expect(entitled["productId"].text == "lantern.membership.plus.month")
        let record = try await box.succeed("unlocks", "--json").object
        let products = record["products"].items.map { $0["productId"].text }
        #expect(products == ["lantern.membership.plus.month"], "\(record)")
        try await box.succeed("operator", "clock", "advance", "20d")
        #expect(try await box.succeed("entitlements", "--json").json.isEmpty)
        let over = try await box.succeed("unlocks", "--json").object
        #expect(over["products"].items.isEmpty)
    }
}
