import Foundation
import Testing

/// One thing has one name on screens, in commands and in the manual. The table is the list of the
/// names that are not used, each with the one that is.
@Suite struct WordTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// In the order of the vocabulary: *continue* and *resume*; *withdraw* is the customer's,
    /// *refund* and *revoke* the store's; *claim*; *remove* takes from a device or a list, and only
    /// a transaction is *deleted*; what is set on purpose is a *failure*; *cancel* ends an attempt.
    private static let retired: [(pattern: String, use: String)] = [
        (#"\b(go|goes|going|went|gone) on\b(?! sale)"#, "continue; of a download: resume"),
        (
            #"\b(take|takes|taken|taking|took)\b( [\w.]+){0,4} back\b"#,
            "withdraw; of a sale: refund or revoke; of a failure: clear"
        ),
        (#"\b(take|takes|taken|taking|took) over\b"#, "claim"),
        (#"\bdelet\w+ (the )?(download|content)|\bdelet\w+ [^.]*from this device"#, "remove"),
        (#"\bfaults?\b"#, "failure"),
        (#"\bcancel(s|led|ling)? (a |the |your )?subscription"#, "turn off auto-renew; end"),
        (#"\bfound(ed|s)? a family"#, "create"),
        (#"\b(in|into|out of) the way\b"#, "interrupted"),
        (#"\bhas come\b|\bonly watching\b"#, "what was downloaded; another shop delivers"),
    ]

    @Test("no text of a screen, a command or the manual uses a retired word")
    func texts() throws {
        var count = 0
        for file in try Self.files(below: "Sources/ShopText", ending: "English.swift")
            + Self.files(below: "Sources/storefront", ending: ".swift")
        {
            for text in Self.texts(of: try String(contentsOf: file, encoding: .utf8)) {
                count += 1
                Self.check(text, in: file)
            }
        }
        #expect(count > 2000)
        let pages = ["README.md", "CHANGELOG.md", "Documentation/outcomes.md"].map {
            Self.root.appending(path: $0)
        }
        for file in try pages + Self.files(below: "Documentation/guide", ending: ".md") {
            Self.check(try String(contentsOf: file, encoding: .utf8), in: file)
        }
    }

    private static func check(_ text: String, in file: URL) {
        for word in retired {
            let range = text.range(
                of: word.pattern, options: [.regularExpression, .caseInsensitive])
            guard let range else { continue }
            Issue.record(
                "\(file.lastPathComponent): \"\(text[range])\" in: \(text.prefix(200)); use: \(word.use)"
            )
        }
    }

    /// The literals of a source that are sentences or parts of them, without their interpolations.
    /// A former name of a command (`aliases`) goes on working.
    private static func texts(of source: String) -> [String] {
        let lines = source.components(separatedBy: "\n").filter {
            !$0.contains(/^ *\/\//) && !$0.contains("aliases:")
        }
        let literal = #/"""(?<block>[\s\S]*?)"""|"(?<line>(?:[^"\\\n]|\\.)*)"/#
        let interpolation = #/\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/#
        return lines.joined(separator: "\n").matches(of: literal)
            .map { String($0.output.block ?? $0.output.line ?? "") }
            .map { $0.replacing(interpolation, with: "").replacing(/\\\n */, with: "") }
            .filter { $0.contains(" ") }
    }

    private static func files(below folder: String, ending: String) throws -> [URL] {
        let all = FileManager.default.enumerator(
            at: root.appending(path: folder), includingPropertiesForKeys: nil)
        let files = (all?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { $0.lastPathComponent.hasSuffix(ending) }
        return try #require(files.isEmpty ? nil : files)
    }
}
