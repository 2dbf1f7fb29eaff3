import ArgumentParser
import CursesTerminal
import Shop
import Terminal

/// The options of a screen: characters, colours, theme and mouse.
struct ScreenOptions: ParsableArguments {
    @Flag(
        help: "Lines and numbered choices instead of a screen, for screen readers and logs.")
    var linear = false

    @Flag(help: "Draw with ASCII only: --glyphs ascii.")
    var ascii = false

    @Option(
        help: ArgumentHelp(
            "The characters to draw with; auto is what the locale has (else your settings').",
            valueName: "glyphs"))
    var glyphs: GlyphChoice?

    @Option(
        help: ArgumentHelp(
            "How many colours (else what the terminal has, at most 256; NO_COLOR means mono).",
            valueName: "level"))
    var colors: ColorChoice?

    @Option(
        help: ArgumentHelp(
            """
            The colours; auto follows the account and the terminal's background (else your \
            settings').
            """, valueName: "theme"))
    var theme: ThemeChoice?

    @Option(
        help: ArgumentHelp(
            "Whether balances count up when they grow (else your settings', else true).",
            valueName: "true|false"))
    var animation: Bool?

    @Option(
        help: ArgumentHelp(
            "Columns of characters of ambiguous width: 1, or 2 in some East Asian terminals.",
            valueName: "1|2"))
    var ambiguousWidth = 1

    @Flag(help: "Leave the mouse to the terminal; m in the shop changes it.")
    var noMouse = false

    func validate() throws {
        guard (1...2).contains(ambiguousWidth) else {
            throw ValidationError("--ambiguous-width is 1 or 2, found \(ambiguousWidth).")
        }
    }

    var screen: CursesTerminal.Options {
        let settings = PersonSettings.current
        return CursesTerminal.Options(
            colors: colors?.level, isASCII: settings.isASCII(glyphs, ascii: ascii) ? true : nil,
            ambiguousWidth: ambiguousWidth, hasPointer: !noMouse,
            themeName: settings.theme(theme))
    }

    func applied(to options: GlobalOptions) -> GlobalOptions {
        var options = options
        options.own = PersonSettings.current.choices(options, theme: theme, animation: animation)
        return options
    }
}

/// The value of `--glyphs`.
enum GlyphChoice: String, ExpressibleByArgument, CaseIterable { case auto, ascii }

/// The value of `--theme`: a theme's name such as "sepia", or "auto".
struct ThemeChoice: ExpressibleByArgument {
    /// Nil for "auto": the theme that suits the terminal's background.
    var name: ThemeName?

    private init(name: ThemeName?) { self.name = name }

    init?(argument: String) {
        if argument == "auto" {
            self.init(name: nil)
        } else {
            guard let name = ThemeName(rawValue: argument) else { return nil }
            self.init(name: name)
        }
    }

    static var allValueStrings: [String] { ["auto"] + ThemeName.allCases.map(\.rawValue) }

    var word: String { name?.rawValue ?? "auto" }
}

enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case trueColor = "truecolor"
    case rich = "256"
    case basic = "16"
    case mono

    var level: ColorLevel {
        switch self {
        case .trueColor: .trueColor
        case .rich: .rich
        case .basic: .basic
        case .mono: .mono
        }
    }
}
