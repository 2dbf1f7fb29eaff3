import ShopText
import Terminal

extension Tour {
    /// They act on every screen while a tour runs, except where text is typed.
    static let keys: [KeyBinding] = [
        KeyBinding("<", [.character("<")], .tour(.wentBack)) { _ in .keyTourBack },
        KeyBinding(">", [.character(">")], .tour(.wentOn)) { _ in .keyTourOn },
        KeyBinding("0", [.character("0")], .tour(.restarted)) { _ in .keyTourAgain },
        KeyBinding("Ctrl-X", [.control("x")], .tour(.ended)) { _ in .keyTourEnd },
    ]
}
