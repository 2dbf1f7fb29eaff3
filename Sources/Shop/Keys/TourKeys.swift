import ShopText
import Terminal

extension Tour {
    /// They act on every screen while a tour runs, except where text is typed.
    static let keys: [KeyBinding] = [
        KeyBinding("<", .tour(.wentBack), .keyTourBack),
        KeyBinding(">", .tour(.wentOn), .keyTourOn),
        KeyBinding("0", .tour(.restarted), .keyTourAgain),
        KeyBinding("Ctrl-X", [.control("x")], .tour(.ended)) { _ in .keyTourEnd },
    ]
}
