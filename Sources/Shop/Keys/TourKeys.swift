import ShopText
import Terminal

extension Tour {
    /// They act on every screen while a tour runs, except where text is typed.
    static let keys: [KeyBinding] = [
        KeyBinding(.tourBack, .tour(.wentBack), .ofTour(.back)),
        KeyBinding(.tourNext, .tour(.wentOn), .ofTour(.next)),
        KeyBinding(.tourAgain, .tour(.restarted), .ofTour(.again)),
        KeyBinding(.tourEnd, .tour(.ended), .ofTour(.end)),
    ]
}
