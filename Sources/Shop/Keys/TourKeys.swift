import ShopText
import Terminal

extension Tour {
    /// They act on every screen while a tour runs, except where text is typed.
    static let keys: [KeyBinding] = [
        KeyBinding(.tourBack, .tour(.wentBack), .keyTourBack),
        KeyBinding(.tourNext, .tour(.wentOn), .keyTourOn),
        KeyBinding(.tourAgain, .tour(.restarted), .keyTourAgain),
        KeyBinding(.tourEnd, .tour(.ended), .keyTourEnd),
    ]
}
