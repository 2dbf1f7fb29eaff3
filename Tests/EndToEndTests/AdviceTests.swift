import Foundation
import Testing

/// The commands that errors and messages advise, as the sources of their texts print them.
@Suite("advised commands", .withProgram, .inTurn)
struct AdviceTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    /// Values for the facts of a message and for the words in capitals that a person replaces.
    private static let values = [
        "facts.reachableDate": "2030-01-01", "DATE": "2030-01-01", "FILE": "nowhere",
        "ACCOUNT": "mum", "account": "mum", "place": "mum", "NAME": "tablet",
        "device": "terminal", "SECONDS": "1", "path": "nowhere", "code": "JPN",
        "extensionID": "6ba7b810-9dad-41d1-80b4-00c04fd430c8",
        "product": "lantern.theme.sepia", "ID": "lantern.theme.sepia", "TRANSACTION": "1000001",
    ]

    /// The arguments of each command in the words for people, without doubles.
    private static func advised() throws -> Set<[String]> {
        var commands: Set<[String]> = []
        for folder in ["ShopText", "storefront"] {
            let files = FileManager.default.enumerator(
                at: sources.appending(path: folder), includingPropertiesForKeys: nil)
            for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
                for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                    let isProse = folder == "ShopText" || line.contains(": storefront ")
                    guard isProse, !line.contains("//"), line.contains("\"") else { continue }
                    for command in Self.commands(in: line) { commands.insert(command) }
                }
            }
        }
        return commands
    }

    private static func commands(in line: Substring) -> [[String]] {
        line.split(separator: "storefront ").dropFirst().compactMap { rest in
            var words: [String] = []
            for word in rest.split(separator: "\"")[0].split(separator: " ") {
                // A name, an option, a fact of the message, or a word to replace; then the command
                // ends at the sentence's end.
                let end = word.firstIndex {
                    (".,;:".contains($0) || !$0.isASCII) && !word.hasPrefix("\\(")
                }
                let plain = String(end.map { word[..<$0] } ?? word)
                let fact = plain.firstMatch(of: /^\\\(([^)]*)\)/)?.1
                if let fact {
                    words.append(Self.values[String(fact)] ?? "1000001")
                } else if plain.wholeMatch(of: /[a-z0-9-]+|[A-Z]+/) != nil {
                    // The first word is a command's.
                    words.append(words.isEmpty ? plain : Self.values[plain] ?? plain)
                } else {
                    break
                }
                if end != nil || word.last == "," { break }
            }
            return words.first?.first?.isLowercase == true ? words : nil
        }
    }

    @Test("every command that a message advises is one that the program takes as printed")
    func commandsAreTaken() async throws {
        let commands = try Self.advised()
        #expect(commands.count > 30)
        #expect(commands.contains(["operator", "requests", "--as", "mum"]))
        let box = try Sandbox()
        for command in commands.sorted(by: { $0.joined() < $1.joined() }) {
            // A server runs until it is ended, and the demo needs a terminal, so only their help is
            // asked for.
            let asksHelp = command.contains("serve") || command.first == "demo"
            let answer = try await box.run(command + (asksHelp ? ["--help"] : []))
            #expect(!answer.errors.contains("Usage:"), "\(command): \(answer.errors)")
            #expect(
                asksHelp || !answer.output.contains("USAGE:"), "\(command) is no whole command")
        }
    }
}
