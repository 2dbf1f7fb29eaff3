package import ShopCore
package import Terminal

/// What keys mean. One letter means one thing everywhere.
package enum KeyMap {
    /// The action of a key as things stand; nil for a key that means nothing here. On a screen too
    /// small to show anything, nothing can be done unseen: only leaving is left.
    package static func action(
        for key: Key, in state: ShopState, on layout: Layout
    ) -> ShopAction? {
        guard layout.isTooSmall else { return action(for: key, in: state) }
        return key == .character("q") || key == .control("c") ? .quitChosen : nil
    }

    /// The same on any screen that shows the shop.
    package static func action(for key: Key, in state: ShopState) -> ShopAction? {
        let mode = KeyMode(state)
        if key == .control("c") { return .quitChosen }
        if mode == .search { return searchAction(key) }
        return boundAction(key, in: mode)
    }

    private static func boundAction(_ key: Key, in mode: KeyMode) -> ShopAction? {
        bound[mode.rawValue].first { $0.key == key }?.action
    }

    /// The actions of each mode's keys, side by side in memory.
    private static let bound: [[(key: Key, action: ShopAction)]] = KeyMode.allCases.map { mode in
        bindings(mode).flatMap { one in one.keys.map { (key: $0, action: one.action) } }
    }

    /// Pasted text goes where text is typed, and nowhere else: it presses nothing.
    package static func action(forPasted text: String, in state: ShopState) -> ShopAction? {
        KeyMode(state) == .search ? .searchTyped(text) : nil
    }

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
        words, _ in words.help
    }
    private static let quit = KeyBinding("q", [.character("q")], .quitChosen) { words, _ in
        words.say("quit", "終了")
    }
    private static let pointer = KeyBinding(
        "m", [.character("m")], .pointerToggled, isUseful: { _ in false }
    ) { words, state in
        state.isPointerOn
            ? words.say("mouse: give it back to the terminal", "マウス: オフにする")
            : words.say("mouse: click and wheel", "マウス: オンにする")
    }
    /// Where the restore button is selected, Enter is the key to name.
    private static let restore = KeyBinding(
        "r", [.character("r")], .restoreChosen,
        isUseful: { $0.opening == .open && ($0.screen != .list || !isOnRestore($0)) }
    ) { words, _ in words.say("restore", "復元") }
    private static let openConsole = KeyBinding(
        "o", [.character("o")], .consoleToggled, isUseful: { $0.shop.hasConsole }
    ) { words, _ in words.say("console", "コンソール") }
    private static let back = KeyBinding("Esc", [.escape, .backspace], .wentBack) { words, _ in
        words.say("back", "戻る")
    }
    private static let toggleDownload = KeyBinding(
        "Space", [.character(" ")], .downloadToggled,
        isUseful: { downloadWord($0) != nil }
    ) { words, state in
        switch downloadWord(state) {
        case .pause: words.say("pause", "停止")
        case .resume: words.say("resume", "再開")
        default: words.say("download", "ダウンロード")
        }
    }
    private static let cancelDownload = KeyBinding(
        "c", [.character("c")], .downloadCancelled,
        isUseful: { downloadWord($0) == .pause || downloadWord($0) == .resume }
    ) { words, _ in words.say("cancel download", "中止") }
    private static let buy = KeyBinding(
        "b", [.character("b")], .buyChosen,
        isUseful: { state in
            guard let product = state.selectedProduct else { return false }
            return state.refusal(toBuy: product) == nil
        }
    ) { words, _ in words.say("buy", "購入") }
    private static let deleteContent = KeyBinding(
        "Del", [.delete], .contentDeleted, isUseful: { _ in false }
    ) { words, _ in words.say("delete content here", "この端末から削除") }

    private static func downloadWord(_ state: ShopState) -> PageButton? {
        guard let product = state.selectedProduct else { return nil }
        return switch state.status(of: product) {
        case .downloading: .pause
        case .paused, .downloadFailed: .resume
        case .notDownloaded: .download
        default: nil
        }
    }

    private static func moves(
        _ word: @escaping @Sendable (Words, ShopState) -> String
    ) -> [KeyBinding] {
        let hidden: @Sendable (ShopState) -> Bool = { _ in false }
        return [
            KeyBinding(
                "↑ k", [.up, .character("k"), .control("p")], .selectionMoved(.up),
                isUseful: hidden
            ) { words, _ in words.say("up", "上") },
            KeyBinding(
                "↓ j", [.down, .character("j"), .control("n")], .selectionMoved(.down),
                isUseful: hidden
            ) { words, _ in words.say("down", "下") },
            KeyBinding(
                "PgUp", [.pageUp, .control("b"), .control("u")], .selectionMoved(.pageUp),
                isUseful: hidden
            ) { words, _ in words.say("a page up", "前のページ") },
            KeyBinding(
                "PgDn", [.pageDown, .control("f"), .control("d")], .selectionMoved(.pageDown),
                isUseful: hidden
            ) { words, _ in words.say("a page down", "次のページ") },
            KeyBinding(
                "Home g", [.home, .character("g")], .selectionMoved(.first), isUseful: hidden
            ) { words, _ in words.say("the first", "先頭") },
            KeyBinding(
                "End G", [.end, .character("G")], .selectionMoved(.last), isUseful: hidden
            ) { words, _ in words.say("the last", "末尾") },
        ]
    }

    private static let left = KeyBinding(
        "← h", [.left, .backTab, .character("h")], .choiceMoved(-1), isUseful: { _ in false }
    ) { words, _ in words.say("the button before", "前のボタン") }
    private static let right = KeyBinding(
        "→ l", [.right, .tab, .character("l")], .choiceMoved(1), isUseful: { _ in false }
    ) { words, _ in words.say("the next button", "次のボタン") }

    private static func isOnRestore(_ state: ShopState) -> Bool {
        state.productList.rows[safe: state.selectedRow] == .restore
    }

    // MARK: - Modes

    private static let list: [KeyBinding] =
        [
            KeyBinding(
                "Enter", [.enter, .right, .character("l")], .confirmed,
                isUseful: { $0.opening == .open || !isOnRestore($0) }
            ) { words, state in
                isOnRestore(state) ? words.say("restore", "復元") : words.say("open", "開く")
            },
            buy, toggleDownload, cancelDownload, restore,
            KeyBinding(
                "/", [.character("/")], .searchOpened,
                isUseful: { !$0.productList.products.isEmpty }
            ) { words, _ in words.say("search", "検索") },
            openConsole, quit, deleteContent, pointer,
            KeyBinding(
                "Tab", [.tab], .selectionMoved(.down), isUseful: { _ in false }
            ) { words, _ in words.say("the next one", "次へ") },
            KeyBinding(
                "Shift-Tab", [.backTab], .selectionMoved(.up), isUseful: { _ in false }
            ) { words, _ in words.say("the one before", "前へ") },
            KeyBinding(
                "Esc", [.escape], .wentBack, isUseful: { $0.search != nil }
            ) { words, _ in words.say("end the search", "検索を終える") },
        ] + moves { words, _ in words.say("move", "移動") } + [help0]

    private static let page: [KeyBinding] =
        [
            KeyBinding("Enter", [.enter], .confirmed) { words, _ in words.say("press", "決定") },
            KeyBinding("←→", [], .choiceMoved(1)) { words, _ in words.say("choose", "選択") },
            back, buy, toggleDownload, cancelDownload, openConsole, quit, restore, deleteContent,
            pointer, left, right,
        ] + moves { words, _ in words.say("the next product", "次の商品") } + [help0]

    private static let console: [KeyBinding] =
        [
            KeyBinding(
                "a", [.character("a")], .requestApproved, isUseful: { $0.chosenRequest != nil }
            ) { words, _ in words.say("approve", "承認") },
            KeyBinding(
                "d", [.character("d")], .requestDeclined, isUseful: { $0.chosenRequest != nil }
            ) { words, _ in words.say("decline", "却下") },
            KeyBinding(
                "o", [.character("o"), .escape, .backspace], .consoleToggled
            ) { words, _ in words.say("shop", "ショップ") },
            KeyBinding("t", [.character("t")], .askToBuyToggled) { words, _ in
                words.say("Ask to Buy", "承認制")
            },
            KeyBinding("f", [.character("f")], .faultSheetOpened) { words, _ in
                words.say("fail the next", "次を失敗")
            },
            KeyBinding(
                "x", [.character("x")], .faultsCleared, isUseful: { !$0.faults.isEmpty }
            ) { words, _ in words.say("clear faults", "障害解除") },
            KeyBinding("p", [.character("p")], .paymentsToggled) { words, _ in
                words.say("payments", "購入許可")
            },
            quit, pointer,
        ] + moves { words, _ in words.say("move", "移動") } + [help0]

    private static let paymentSheet: [KeyBinding] = [
        KeyBinding(
            "←→", [], .choiceMoved(1)
        ) { words, _ in words.say("choose", "選択") },
        KeyBinding("Enter", [.enter], .confirmed) { words, _ in words.say("press", "決定") },
        KeyBinding("Esc", [.escape, .character("q")], .wentBack) { words, _ in
            words.say("cancel", "キャンセル")
        },
        KeyBinding(
            "+ -", [.character("+"), .character("="), .up, .character("k")], .quantityChanged(1),
            isUseful: { state in
                guard case .payment(let sheet) = state.sheet else { return false }
                return sheet.canChangeQuantity
            }
        ) { words, _ in words.say("quantity", "数量") },
        KeyBinding(
            "-", [.character("-"), .down, .character("j")], .quantityChanged(-1),
            isUseful: { _ in false }
        ) { words, _ in words.say("one less", "減らす") },
        left, right, help0,
    ]

    private static let faultSheet: [KeyBinding] =
        [
            KeyBinding("↑↓", [], .selectionMoved(.down)) { words, _ in words.say("choose", "選択") },
            KeyBinding("Enter", [.enter], .confirmed) { words, _ in words.say("set it", "設定") },
            KeyBinding("Esc", [.escape, .character("q")], .wentBack) { words, _ in
                words.say("cancel", "キャンセル")
            },
        ] + moves { words, _ in words.say("move", "移動") } + [help0]

    private static let search: [KeyBinding] = [
        KeyBinding("Enter", [.enter], .confirmed) { words, _ in words.say("keep", "確定") },
        KeyBinding("Esc", [.escape], .wentBack) { words, _ in words.say("end the search", "終了") },
        KeyBinding("↑↓", [.up], .selectionMoved(.up)) { words, _ in words.say("move", "移動") },
        KeyBinding("↓", [.down], .selectionMoved(.down), isUseful: { _ in false }) { words, _ in
            words.say("down", "下")
        },
    ]

    private static let help: [KeyBinding] =
        [
            KeyBinding(
                "Esc", [.escape, .character("?"), .character("q"), .enter, .function(1)],
                .helpToggled
            ) { words, _ in words.say("back", "戻る") },
            KeyBinding("↑↓", [], .selectionMoved(.down)) { words, _ in
                words.say("scroll", "スクロール")
            },
        ] + moves { words, _ in words.say("scroll", "スクロール") }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? {
        indices.contains(index) ? self[index] : nil
    }
}
