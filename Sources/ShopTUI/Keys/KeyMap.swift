package import ShopCore
import ShopText
package import Terminal

/// The actions of keys, pasted text and the pointer. On list, page and console a letter has the
/// same meaning.
package enum KeyMap {
    /// The action of a key in the present state; nil for a key without one. On a screen that is too
    /// small to show the shop only leaving is possible (`q`, Ctrl-C), so that nothing is done
    /// unseen.
    package static func action(
        for key: Key, in state: ShopState, on layout: Layout
    ) -> ShopAction? {
        guard layout.isTooSmall else { return action(for: key, in: state) }
        return key == .character("q") || key == .control("c") ? .quitChosen : nil
    }

    /// The action of a key in the present state, on a screen of sufficient size; nil for a key
    /// without one.
    package static func action(for key: Key, in state: ShopState) -> ShopAction? {
        let mode = KeyMode(state)
        if key == .control("c") { return .quitChosen }
        if mode == .search { return searchAction(key) }
        return boundAction(key, in: mode)
    }

    private static func boundAction(_ key: Key, in mode: KeyMode) -> ShopAction? {
        bound[mode.rawValue].first { $0.key == key }?.action
    }

    /// The keys and actions of each mode, by `KeyMode.rawValue`.
    private static let bound: [[(key: Key, action: ShopAction)]] = KeyMode.allCases.map { mode in
        bindings(mode).flatMap { one in one.keys.map { (key: $0, action: one.action) } }
    }

    /// The action of pasted text: it is typed into an open search, and does nothing elsewhere.
    /// Pasted characters never act as keys.
    package static func action(forPasted text: String, in state: ShopState) -> ShopAction? {
        KeyMode(state) == .search ? .searchTyped(text) : nil
    }

    /// The action of a click or of the wheel on what was drawn last; nil where a click does
    /// nothing.
    package static func action(for pointer: PointerEvent, on drawing: ShopDrawing) -> ShopAction? {
        switch pointer {
        case .clicked(let position): drawing.action(at: position)
        case .wheel(_, let rows): .selectionMoved(.rows(rows))
        }
    }

    private static func searchAction(_ key: Key) -> ShopAction? {
        switch key {
        case .character(let character): .searchTyped(String(character))
        case .backspace: .searchErased
        default: boundAction(key, in: .search)
        }
    }

    static func bindings(_ mode: KeyMode) -> [KeyBinding] {
        switch mode {
        case .list: list
        case .page: page
        case .console: console
        case .paymentSheet: paymentSheet
        case .faultSheet: faultSheet
        case .search: search
        case .help: help
        }
    }

    // MARK: - Shared

    private static let help0 = KeyBinding("?", [.character("?"), .function(1)], .helpToggled) {
        _ in .keyHelp
    }
    private static let quit = KeyBinding("q", [.character("q")], .quitChosen) { _ in
        .keyQuit
    }
    private static let pointer = KeyBinding(
        "m", [.character("m")], .pointerToggled, isUseful: { _ in false }
    ) { state in
        state.isPointerOn
            ? .keyMouseOff
            : .keyMouseOn
    }
    /// While the restore button is selected, the footer names Enter instead.
    private static let restore = KeyBinding(
        "r", [.character("r")], .restoreChosen,
        isUseful: { $0.opening == .open && ($0.screen != .list || !isOnRestore($0)) }
    ) { _ in .keyRestore }
    private static let openConsole = KeyBinding(
        "o", [.character("o")], .consoleToggled, isUseful: { $0.shop.hasConsole }
    ) { _ in .keyConsole }
    private static let back = KeyBinding("Esc", [.escape, .backspace], .wentBack) { _ in
        .keyBack
    }
    private static let toggleDownload = KeyBinding(
        "Space", [.character(" ")], .downloadToggled,
        isUseful: { downloadButton($0) != nil }
    ) { state in
        switch downloadButton(state) {
        case .pause?: .keyPause
        case .resume?: .keyResume
        case .download?, .buy?, .restore?, .cancelDownload?, .deleteContent?, .openConsole?, .back?,
            nil:
            .keyDownload
        }
    }
    private static let cancelDownload = KeyBinding(
        "c", [.character("c")], .downloadCancelled,
        isUseful: { downloadButton($0) == .pause || downloadButton($0) == .resume }
    ) { _ in .keyCancelDownload }
    private static let buy = KeyBinding(
        "b", [.character("b")], .buyChosen,
        isUseful: { state in
            guard let product = state.selectedProduct else { return false }
            return state.refusal(toBuy: product) == nil
        }
    ) { _ in .keyBuy }
    private static let deleteContent = KeyBinding(
        "Del", [.delete], .contentDeleted, isUseful: { _ in false }
    ) { _ in .keyDeleteDownload }

    /// The button that does what the download key does now; nil if the key does nothing.
    private static func downloadButton(_ state: ShopState) -> PageButton? {
        guard let product = state.selectedProduct else { return nil }
        return switch state.status(of: product) {
        case .downloading: .pause
        case .paused, .downloadFailed: .resume
        case .notDownloaded: .download
        case .buyable, .purchasing, .waitingForApproval, .failed, .owned, .ownedElsewhere, .current,
            .timed, .groupTaken, .ownServer:
            nil
        }
    }

    private static func moves() -> [KeyBinding] {
        let hidden: @Sendable (ShopState) -> Bool = { _ in false }
        return [
            KeyBinding(
                "↑ k", [.up, .character("k"), .control("p")], .selectionMoved(.up),
                isUseful: hidden
            ) { _ in .keyUp },
            KeyBinding(
                "↓ j", [.down, .character("j"), .control("n")], .selectionMoved(.down),
                isUseful: hidden
            ) { _ in .keyDown },
            KeyBinding(
                "PgUp", [.pageUp, .control("b"), .control("u")], .selectionMoved(.pageUp),
                isUseful: hidden
            ) { _ in .keyPageUp },
            KeyBinding(
                "PgDn", [.pageDown, .control("f"), .control("d")], .selectionMoved(.pageDown),
                isUseful: hidden
            ) { _ in .keyPageDown },
            KeyBinding(
                "Home g", [.home, .character("g")], .selectionMoved(.first), isUseful: hidden
            ) { _ in .keyFirst },
            KeyBinding(
                "End G", [.end, .character("G")], .selectionMoved(.last), isUseful: hidden
            ) { _ in .keyLast },
        ]
    }

    private static let left = KeyBinding(
        "← h", [.left, .backTab, .character("h")], .choiceMoved(-1), isUseful: { _ in false }
    ) { _ in .keyPreviousButton }
    private static let right = KeyBinding(
        "→ l", [.right, .tab, .character("l")], .choiceMoved(1), isUseful: { _ in false }
    ) { _ in .keyNextButton }

    private static func isOnRestore(_ state: ShopState) -> Bool {
        state.productList.rows[safe: state.selectedRow] == .restore
    }

    // MARK: - Modes

    private static let list: [KeyBinding] =
        [
            KeyBinding(
                "Enter", [.enter, .right, .character("l")], .confirmed,
                isUseful: { $0.opening == .open || !isOnRestore($0) }
            ) { state in
                isOnRestore(state) ? .keyRestore : .keyOpen
            },
            buy, toggleDownload, cancelDownload, restore,
            KeyBinding(
                "/", [.character("/")], .searchOpened,
                isUseful: { !$0.productList.products.isEmpty }
            ) { _ in .keySearch },
            openConsole, quit, deleteContent, pointer,
            KeyBinding(
                "Tab", [.tab], .selectionMoved(.down), isUseful: { _ in false }
            ) { _ in .keyNext },
            KeyBinding(
                "Shift-Tab", [.backTab], .selectionMoved(.up), isUseful: { _ in false }
            ) { _ in .keyPrevious },
            KeyBinding(
                "Esc", [.escape], .wentBack, isUseful: { $0.search != nil }
            ) { _ in .keyClearSearch },
        ] + moves() + [help0]

    private static let page: [KeyBinding] =
        [
            KeyBinding("Enter", [.enter], .confirmed) { _ in .keyActivate },
            KeyBinding("←→", [], .choiceMoved(1)) { _ in .keyChoose },
            back, buy, toggleDownload, cancelDownload, openConsole, quit, restore, deleteContent,
            pointer, left, right,
        ] + moves() + [help0]

    private static let console: [KeyBinding] =
        [
            KeyBinding(
                "a", [.character("a")], .requestApproved, isUseful: { $0.chosenRequest != nil }
            ) { _ in .keyApprove },
            KeyBinding(
                "d", [.character("d")], .requestDeclined, isUseful: { $0.chosenRequest != nil }
            ) { _ in .keyDecline },
            KeyBinding(
                "o", [.character("o"), .escape, .backspace], .consoleToggled
            ) { _ in .keyShop },
            KeyBinding("t", [.character("t")], .askToBuyToggled) { _ in
                .keyAskToBuy
            },
            KeyBinding("f", [.character("f")], .faultSheetOpened) { _ in
                .keyFailNext
            },
            KeyBinding(
                "x", [.character("x")], .faultsCleared, isUseful: { !$0.faults.isEmpty }
            ) { _ in .keyClearFailures },
            KeyBinding("p", [.character("p")], .paymentsToggled) { _ in
                .keyPayments
            },
            quit, pointer,
        ] + moves() + [help0]

    private static let paymentSheet: [KeyBinding] = [
        KeyBinding(
            "←→", [], .choiceMoved(1)
        ) { _ in .keyChoose },
        KeyBinding("Enter", [.enter], .confirmed) { _ in .keyActivate },
        KeyBinding("Esc", [.escape, .character("q")], .wentBack) { _ in
            .keyCancel
        },
        KeyBinding(
            "+ -", [.character("+"), .character("="), .up, .character("k")], .quantityChanged(1),
            isUseful: { state in
                guard case .payment(let sheet) = state.sheet else { return false }
                return sheet.canChangeQuantity
            }
        ) { _ in .keyQuantity },
        KeyBinding(
            "-", [.character("-"), .down, .character("j")], .quantityChanged(-1),
            isUseful: { _ in false }
        ) { _ in .keyFewer },
        left, right, help0,
    ]

    private static let faultSheet: [KeyBinding] =
        [
            KeyBinding("↑↓", [], .selectionMoved(.down)) { _ in .keyMove },
            KeyBinding("Enter", [.enter], .confirmed) { _ in .keyChoose },
            KeyBinding("Esc", [.escape, .character("q")], .wentBack) { _ in
                .keyCancel
            },
        ] + moves() + [help0]

    private static let search: [KeyBinding] = [
        KeyBinding("Enter", [.enter], .confirmed) { _ in .keyKeepSearch },
        KeyBinding("Esc", [.escape], .wentBack) { _ in .keyClearSearch },
        KeyBinding("↑↓", [.up], .selectionMoved(.up)) { _ in .keyMove },
        KeyBinding("↓", [.down], .selectionMoved(.down), isUseful: { _ in false }) { _ in
            .keyDown
        },
    ]

    private static let help: [KeyBinding] =
        [
            KeyBinding(
                "Esc", [.escape, .character("?"), .character("q"), .enter, .function(1)],
                .helpToggled
            ) { _ in .keyBack },
            KeyBinding("↑↓", [], .selectionMoved(.down)) { _ in
                .keyScroll
            },
        ] + moves()
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
