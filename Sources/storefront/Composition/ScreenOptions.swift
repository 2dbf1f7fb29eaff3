import ArgumentParser
import CursesTerminal
import Terminal

/// The options of a screen: characters, colours, theme and mouse.
struct ScreenOptions: ParsableArguments {
    @Flag(
        help: "Lines and numbered choices instead of a screen, for screen readers and logs.")
    var linear = false

    @Flag(help: "Draw with ASCII only.")
    var ascii = false

    @Option(
        help: ArgumentHelp(
            "How many colours (else what the terminal has, at most 256; NO_COLOR means mono).",
            valueName: "level"))
    var colors: ColorChoice?

    @Option(
        help: ArgumentHelp(
            "The colours; auto follows the terminal's background.", valueName: "theme"))
    var theme = ThemeChoice.auto

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
        CursesTerminal.Options(
            colors: colors?.level, isASCII: ascii ? true : nil, ambiguousWidth: ambiguousWidth,
            hasPointer: !noMouse, themeName: theme.name)
    }
}

/// The value of `--theme`: a theme's name such as "sepia", or "auto".
struct ThemeChoice: ExpressibleByArgument {
    /// Nil for "auto": the theme that suits the terminal's background.
    var name: ThemeName?

    static let auto = ThemeChoice(name: nil)

    private init(name: ThemeName?) { self.name = name }

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else {
            guard let name = ThemeName(rawValue: argument) else { return nil }
            self.init(name: name)
        }
    }

    static var allValueStrings: [String] { ["auto"] + ThemeName.allCases.map(\.rawValue) }

    var defaultValueDescription: String { name?.rawValue ?? "auto" }
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
