import ShopCore
import ShopText
import Terminal

/// One thing a key does: the same table finds the action, writes the footer and the help.
struct KeyBinding: Sendable {
    let keys: [Key]
    /// How the keys are called on screen: "Enter", "r".
    let label: String
    let action: ShopAction
    /// What it does, in a word or two, as things stand.
    let title: @Sendable (ShopState) -> ScreenText
    /// True where the footer should name it.
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
}

/// What the keys belong to at the moment. A sheet owns all of them.
enum KeyMode: Int, Hashable, Sendable, CaseIterable {
    case list, page, console, paymentSheet, faultSheet, search, help

    init(_ state: ShopState) {
        if state.helpScroll != nil {
            self = .help
        } else if let sheet = state.sheet {
            switch sheet {
            case .payment: self = .paymentSheet
            case .fault: self = .faultSheet
            }
        } else {
            switch state.screen {
            case .list: self = state.search?.isTyping == true ? .search : .list
            case .product: self = .page
            case .console: self = .console
            }
        }
    }
}
