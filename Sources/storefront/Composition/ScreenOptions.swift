import ArgumentParser
import Terminal

/// How the screen should look.
struct ScreenOptions: ParsableArguments {
    @Flag(help: "Draw with ASCII only.")
    var ascii = false

    @Option(
        help: ArgumentHelp(
            "256, 16 or mono (else what the terminal has; NO_COLOR means mono).",
            valueName: "level"))
    var colors: ColorChoice?

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

    var screen: ShopProgram.Screen {
        ShopProgram.Screen(
            colors: colors?.level, isASCII: ascii, ambiguousWidth: ambiguousWidth,
            hasPointer: !noMouse)
    }
}

enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case rich = "256"
    case basic = "16"
    case mono

    var level: ColorLevel {
        switch self {
        case .rich: .rich
        case .basic: .basic
        case .mono: .mono
        }
    }
}
