import ShopCore
import ShopText
import Terminal

/// An action and its keys. Each component's table (`ComponentView.keys`) gives its keys their actions,
/// and also the texts of footer, help and palette.
struct KeyBinding: Sendable {
    let keys: [Key]
    /// The name of the keys on the screen: "Enter", "r". Empty if another binding's label names
    /// these keys too; footer and help then leave this one out.
    let label: String
    let action: ShopAction
    /// The effect of the keys in the present state, in a word or two.
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

    /// Whether the help lists it: keys that have an action and a name.
    var isInHelp: Bool { !keys.isEmpty && !label.isEmpty }

    /// Whether the help lists it once for all screens, not for each that has it.
    var isShared: Bool {
        switch action {
        case .selectionMoved, .focusMoved, .viewChosen, .helpToggled, .pointerToggled,
            .quitChosen:
            true
        case .component(let action): action as? PaletteAction != nil
        case .choiceMoved, .confirmed, .wentBack, .consoleToggled, .searchOpened, .buyChosen,
            .restoreChosen, .downloadToggled, .downloadCancelled, .contentDeleted, .resized,
            .shown, .opened, .relaunched, .productsArrived, .productsFailed, .accountArrived,
            .accountFailed, .consoleArrived, .consoleFailed, .scheduleArrived, .logArrived,
            .logFailed, .transactionArrived, .transactionFailed, .searchIndexMade, .timePassed,
            .messageFaded, .clockWasSetBack, .catalogOpened, .deviceChanged, .updateArrived,
            .eventsArrived,
            .purchaseAnswered, .purchaseFailed, .restoreEnded, .restoreFailed,
            .operatorPerformed, .operatorRefused,
            .refusalsFound, .refusalsFailed, .attemptFailed, .catalogRefused,
            .copyFailed, .watchingFailed:
            false
        }
    }

    /// Whether it leads to the console, or back from it.
    var isOfConsole: Bool {
        if case .viewChosen(.console) = action { return true }
        if case .consoleToggled = action { return true }
        return false
    }

    /// Whether the palette offers its action: not what only moves, not the palette itself, and Esc
    /// only where it leads back to something.
    func isInPalette(_ state: ShopState) -> Bool {
        guard isInHelp else { return false }
        switch action {
        case .selectionMoved, .choiceMoved, .focusMoved: return false
        case .component(let action): return action as? PaletteAction == nil
        case .wentBack: return isUseful(state)
        case .consoleToggled, .viewChosen(.console): return state.showsCodes
        case .confirmed, .viewChosen, .helpToggled, .searchOpened, .buyChosen,
            .restoreChosen, .downloadToggled, .downloadCancelled, .contentDeleted, .pointerToggled,
            .quitChosen, .resized, .shown, .opened, .relaunched, .productsArrived,
            .productsFailed, .accountArrived, .accountFailed, .consoleArrived, .consoleFailed,
            .scheduleArrived, .logArrived,
            .logFailed, .transactionArrived, .transactionFailed,
            .searchIndexMade, .timePassed, .messageFaded, .clockWasSetBack, .catalogOpened,
            .deviceChanged,
            .updateArrived,
            .eventsArrived, .purchaseAnswered, .purchaseFailed, .restoreEnded, .restoreFailed,
            .operatorPerformed,
            .operatorRefused, .refusalsFound, .refusalsFailed, .attemptFailed,
            .catalogRefused, .copyFailed, .watchingFailed:
            return true
        }
    }
}
