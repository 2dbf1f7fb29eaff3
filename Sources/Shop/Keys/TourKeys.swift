import ShopText

extension Tour {
    /// They act on every screen while a tour runs, except where text is typed.
    static let keys: [KeyBinding] = [
        KeyBinding(.tourBack, .tour(.wentBack)) { _ in .keyTourBack },
        KeyBinding(.tourNext, .tour(.wentOn)) { _ in .keyTourOn },
        KeyBinding(.tourAgain, .tour(.restarted)) { _ in .keyTourAgain },
        KeyBinding(.tourEnd, .tour(.ended)) { _ in .keyTourEnd },
    ]
}
