/// A language the program speaks: one file with three tables. The compiler finds a key that is
/// missing; `LanguageTests` finds one that nothing uses.
package protocol Language: Sendable {
    /// ISO 639, as in `--language`.
    static var code: String { get }
    /// The text between two sentences.
    static var sentenceGap: String { get }
    /// Whether a terminal that shows only ASCII cannot show this language.
    static var needsUnicode: Bool { get }
    /// The words of a text of the screens.
    static func text(_ text: ScreenText) -> String
    /// The words of a part of an error's message.
    static func text(_ text: ErrorText) -> String
    /// The words of a text of the command line.
    static func text(_ text: CommandText) -> String
}

/// The languages there are. A new one is a file of its own and a line here.
package enum Languages {
    /// Every language, the one that others fall back to first.
    package static let all: [any Language.Type] = [English.self, Japanese.self]

    /// The language a locale or a language code names: `ja`, `ja_JP`, `ja-JP.UTF-8`. English where
    /// the program does not speak it.
    package static func named(_ identifier: String) -> any Language.Type {
        exactly(identifier) ?? English.self
    }

    /// The same, nil where the program does not speak it.
    package static func exactly(_ identifier: String) -> (any Language.Type)? {
        let code = identifier.prefix { $0.isLetter }.lowercased()
        return all.first { $0.code == code }
    }
}
