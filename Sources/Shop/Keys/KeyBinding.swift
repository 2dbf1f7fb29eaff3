import ShopText
import Terminal

/// An action and its keys. The table of each component (`ComponentView.keys`) is the source of its
/// keys' actions and of the texts in footer, help and palette.
struct KeyBinding: Sendable {
    let keys: [Key]
    /// As "Enter", "r". Empty if another binding's label names these keys; the footer omits it.
    let label: String
    let action: ShopAction
    /// The effect of the keys in the present state, in a word or two.
    let title: @Sendable (ShopState) -> KeyText
    /// Whether the footer names the binding in the present state.
    let isUseful: @Sendable (ShopState) -> Bool

    init(
        _ label: String, _ keys: [Key], _ action: ShopAction,
        isUseful: @escaping @Sendable (ShopState) -> Bool = { _ in true },
        _ title: @escaping @Sendable (ShopState) -> KeyText
    ) {
        self.label = label
        self.keys = keys
        self.action = action
        self.isUseful = isUseful
        self.title = title
    }

    var isInHelp: Bool { !keys.isEmpty && !label.isEmpty }

    /// Whether the help lists the binding once for all screens, instead of under each component.
    var isShared: Bool {
        switch action {
        case .selectionMoved, .focusMoved, .viewChosen, .helpToggled, .pointerToggled,
            .zoomChosen, .quitChosen:
            true
        case .component(let action): action as? PaletteAction != nil
        default: false
        }
    }

    /// Whether the action leads to the console or back from it, or is an operator's.
    var isOfConsole: Bool {
        switch action {
        case .viewChosen(.console), .consoleToggled, .component(is ConsoleAction),
            .component(is TrialsAction):
            true
        case .component(let action): action as? EventLogAction == .marked
        default: false
        }
    }

    /// Not movements, the palette's own opening, or Esc where there is nothing to go back to.
    func isInPalette(_ state: ShopState) -> Bool {
        guard isInHelp else { return false }
        switch action {
        case .selectionMoved, .choiceMoved, .focusMoved: return false
        case .component(let action):
            if case .turnedOn? = action as? NetworkAction { return isUseful(state) }
            if case .packageChosen? = action as? PageAction { return isUseful(state) }
            // The operator's line says which way the switch turns.
            if case .toggled(let mode)? = action as? ConsoleAction, mode != .failures {
                return false
            }
            if isOfConsole { return state.showsCodes }
            return action as? PaletteAction == nil
        case .wentBack, .zoomChosen: return isUseful(state)
        case .consoleToggled, .viewChosen(.console): return state.showsCodes
        default: return true
        }
    }
}
