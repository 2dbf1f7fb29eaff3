import ShopText
import Terminal

/// An action and its keys. The table of each component (`ComponentView.keys`) is the source of its
/// keys' actions and of the texts in footer, help and palette.
final class KeyBinding: Sendable {
    /// The names under which a person may choose other keys; empty if all of its keys are fixed.
    let names: [KeyName]
    /// The keys that always act.
    let fixed: [Key]
    /// The fixed keys, and the usual ones of the names.
    let keys: [Key]
    /// Of the usual keys, as "Enter", "r". Empty if another binding's label names these keys; the
    /// footer omits it.
    let label: String
    /// The names whose keys the label tells; empty if it tells fixed keys.
    private let told: [KeyName]
    let action: ShopAction
    /// The effect of the keys in the present state, in a word or two.
    let title: @Sendable (ShopState) -> KeyText
    /// Whether the footer names the binding in the present state.
    let isUseful: @Sendable (ShopState) -> Bool

    /// - Parameters:
    ///   - fixed: the keys that always act.
    ///   - names: of further keys, which a person may choose.
    ///   - told: the names whose keys the label tells, if it is not about the fixed keys.
    init(
        _ label: String, _ fixed: [Key], names: [KeyName] = [], told: [KeyName] = [],
        _ action: ShopAction,
        isUseful: @escaping @Sendable (ShopState) -> Bool = { _ in true },
        _ title: @escaping @Sendable (ShopState) -> KeyText
    ) {
        self.names = names
        self.fixed = fixed
        keys = Self.keys(fixed, names, OwnKeys())
        self.label = label
        self.told = told
        self.action = action
        self.isUseful = isUseful
        self.title = title
    }

    /// - Parameter also: the names of further keys, which the label does not tell.
    convenience init(
        _ name: KeyName, also: [KeyName] = [], _ action: ShopAction,
        isUseful: @escaping @Sendable (ShopState) -> Bool = { _ in true },
        _ title: @escaping @Sendable (ShopState) -> KeyText
    ) {
        self.init(
            OwnKeys().label(name), [], names: [name] + also, told: [name], action,
            isUseful: isUseful, title)
    }

    /// For an effect that has always the same words.
    convenience init(
        _ name: KeyName, also: [KeyName] = [], _ action: ShopAction, _ title: KeyText,
        isUseful: @escaping @Sendable (ShopState) -> Bool = { _ in true }
    ) {
        self.init(name, also: also, action, isUseful: isUseful) { _ in title }
    }

    /// With those that the person has chosen.
    func keys(_ own: OwnKeys) -> [Key] {
        own.chosen.isEmpty ? keys : Self.keys(fixed, names, own)
    }

    /// Each once: two names may have the same key, as those of the network and of a filter have.
    private static func keys(_ fixed: [Key], _ names: [KeyName], _ own: OwnKeys) -> [Key] {
        names.reduce(into: fixed) { keys, name in
            keys += own.keys(of: name).filter { !keys.contains($0) }
        }
    }

    func label(_ own: OwnKeys) -> String {
        told.contains { own.chosen[$0] != nil }
            ? told.map { own.label($0) }.joined(separator: " ") : label
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
            .component(is TrialsAction), .component(is ServerAction):
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
            // The operator's lines are about the selected sale, the keys also about marked ones.
            if case .salesChosen? = action as? ConsoleAction {
                return state.showsCodes && state.hasMarkedLines
            }
            if isOfConsole { return state.showsCodes }
            return action as? PaletteAction == nil
        case .zoomChosen: return isUseful(state)
        // The key of the shop's view says the same.
        case .wentBack: return isUseful(state) && title(state) != .keyShop
        case .consoleToggled: return state.showsCodes && title(state) != .keyShop
        case .viewChosen(.console): return state.showsCodes
        default: return true
        }
    }
}
