import CursesTerminal
import ShopCore
import Terminal

/// Opens the screen before the argument parser has read a word: a person who starts the shop sees it
/// at once. Only arguments that can mean nothing but the shop are taken; all others, and all
/// mistakes, are the parser's.
enum QuickStart {
    // Lists: the first set of a process takes longer to make than all there is to find in it.
    private static let flags = ["--ephemeral", "--ascii", "--no-mouse"]
    private static let valued = GlobalOptions.valued + ["--colors", "--ambiguous-width"]

    /// What is already on the screen when the parser begins.
    @MainActor static var opened: (terminal: CursesTerminal, loop: ShopLoop, glance: GlanceFile)?

    @MainActor static func begin(_ arguments: [String]) {
        guard let screen = screen(arguments), let terminal = ShopProgram.openTerminal(screen) else {
            return
        }
        let file = GlanceFile(arguments: arguments)
        let glance = arguments.contains("--ephemeral") ? nil : file.read()
        let loop = ShopLoop(
            terminal, glance?.state ?? ShopState(shop: .unknown),
            LocalTexts(known: glance?.texts ?? [:]))
        opened = (terminal, loop, file)
    }

    /// How the screen should look, if these arguments open the shop; nil otherwise.
    static func screen(_ arguments: [String]) -> ShopProgram.Screen? {
        var screen = ShopProgram.Screen()
        var rest = arguments[...]
        if rest.first == "shop" { rest = rest.dropFirst() }
        while let word = rest.popFirst() {
            if flags.contains(word) {
                if word == "--ascii" { screen.isASCII = true }
                if word == "--no-mouse" { screen.hasPointer = false }
                continue
            }
            var name = word
            var value: String?
            if let sign = word.firstIndex(of: "=") {
                name = String(word[..<sign])
                value = String(word[word.index(after: sign)...])
            }
            guard valued.contains(name), let value = value ?? rest.popFirst() else { return nil }
            switch name {
            case "--colors":
                guard let choice = ColorChoice(rawValue: value) else { return nil }
                screen.colors = choice.level
            case "--ambiguous-width":
                guard value == "1" || value == "2" else { return nil }
                screen.ambiguousWidth = value == "2" ? 2 : 1
            default: break
            }
        }
        return screen
    }
}
