import Foundation
import Testing

/// One thing has one name on screens, in commands and in the manual, in each language. The tables
/// list the names that are not used, each with the one that is.
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

    /// The same in Japanese; the manual is in English only.
    private static let retiredJapanese: [(pattern: String, use: String)] = [
        ("リストア", "復元"), ("払い?戻|返品", "返金"), ("取り(返|上げ)", "取り下げ; 返金、取り消し"),
        ("引き取|譲り受け|乗っ取", "引き継ぐ"), ("フォルト|不具合|故障", "障害"), ("割り?込み|妨害", "中断"),
        ("解約", "自動更新をオフ"), ("購読|定期購入", "サブスクリプション"), ("装置|機器", "デバイス"),
        // The app transaction keeps its name: it is no sale.
        ("(?<!アプリの)トランザクション", "取引"), ("ユーザー|ユーザ(?!名)", "アカウント; お客様"),
        ("お店|店舗", "ストア; ショップ"), ("クリア", "消去; 障害: 解除"), ("頁", "ページ"),
    ]

    @Test("no text of a screen, a command or the manual uses a retired word")
    func texts() throws {
        var count = 0
        for file in try Self.files(below: "Sources/ShopText", ending: "English.swift")
            + Self.files(below: "Sources/storefront", ending: ".swift")
        {
            for text in Self.texts(of: try String(contentsOf: file, encoding: .utf8)) {
                count += 1
                Self.check(text, in: file, Self.retired)
            }
        }
        #expect(count > 2000)
        let pages = ["README.md", "CHANGELOG.md", "Documentation/outcomes.md"].map {
            Self.root.appending(path: $0)
        }
        for file in try pages + Self.files(below: "Documentation/guide", ending: ".md") {
            Self.check(try String(contentsOf: file, encoding: .utf8), in: file, Self.retired)
        }
    }

    @Test("no Japanese text of a screen or a command uses a retired word")
    func japanese() throws {
        var count = 0
        for file in try Self.files(below: "Sources/ShopText", ending: "Japanese.swift") {
            let source = try String(contentsOf: file, encoding: .utf8)
            for text in Self.literals(of: source) where text.contains(where: Self.isJapanese) {
                count += 1
                Self.check(text, in: file, Self.retiredJapanese)
            }
        }
        #expect(count > 1500)
    }

    private static func check(
        _ text: String, in file: URL, _ table: [(pattern: String, use: String)]
    ) {
        for word in table {
            let range = text.range(
                of: word.pattern, options: [.regularExpression, .caseInsensitive])
            guard let range else { continue }
            Issue.record(
                "\(file.lastPathComponent): \"\(text[range])\" in: \(text.prefix(200)); use: \(word.use)"
            )
        }
    }

    /// The literals of a source that are sentences or parts of them.
    private static func texts(of source: String) -> [String] {
        literals(of: source).filter { $0.contains(" ") }
    }

    /// Kana or Chinese characters, which a Japanese text has without a space.
    private static func isJapanese(_ character: Character) -> Bool {
        character.unicodeScalars.contains { (0x3040...0x9FFF).contains($0.value) }
    }

    /// Without their interpolations. A former name of a command (`aliases`) goes on working.
    private static func literals(of source: String) -> [String] {
        let lines = source.components(separatedBy: "\n").filter {
            !$0.contains(/^ *\/\//) && !$0.contains("aliases:")
        }
        let literal = #/"""(?<block>[\s\S]*?)"""|"(?<line>(?:[^"\\\n]|\\.)*)"/#
        let interpolation = #/\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/#
        return lines.joined(separator: "\n").matches(of: literal)
            .map { String($0.output.block ?? $0.output.line ?? "") }
            .map { $0.replacing(interpolation, with: "").replacing(/\\\n */, with: "") }
    }

    private static func files(below folder: String, ending: String) throws -> [URL] {
        let all = FileManager.default.enumerator(
            at: root.appending(path: folder), includingPropertiesForKeys: nil)
        let files = (all?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { $0.lastPathComponent.hasSuffix(ending) }
        return try #require(files.isEmpty ? nil : files)
    }
}
