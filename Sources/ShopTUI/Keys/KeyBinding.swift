import ShopCore
import ShopText
import Terminal

/// An action and its keys. The tables of bindings in `KeyMap` give each key its action, and also
/// the texts of the footer and the help.
struct KeyBinding: Sendable {
    let keys: [Key]
    /// The name of the keys on the screen: "Enter", "r".
    let label: String
    let action: ShopAction
    /// What the keys do in the present state, in a word or two.
    let title: @Sendable (ShopState) -> ScreenText
    /// Whether the footer should name it in the present state.
    let isUseful: @Sendable (ShopState) -> Bool

    init(
        _ label: String, _ keys: [Key], _ action: ShopAction,
        isUseful: @escaping @Sendable (ShopState) -> Bool = { _ in true },
        _ title: @escaping @Sendable (ShopState) -> ScreenText
    ) {
        self.label = label
        self.keys = keys
        self.action = action
        self.isUseful = isUseful
        self.title = title
    }

    /// Whether the help lists it: keys that have an action, and the pair of arrows.
    var isInHelp: Bool { !keys.isEmpty || label == "←→" }
}
