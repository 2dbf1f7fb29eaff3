import ShopText
import StoreModel
import Terminal

/// The bindings that several screens share. A letter means the same on each screen; only n and N go
/// through the matches of a filter in the console and the history, and r, t and a have meanings of
/// their own on the screen of the server.
extension KeyBinding {
    static let help = KeyBinding(.help, .helpToggled, .keyHelp)
    static let palette = KeyBinding(.actions, .palette(.opened), .keyActions)
    static let quit = KeyBinding(.quit, .quitChosen, .keyQuit)
    static let pointer = KeyBinding(
        .mouse, .pointerToggled, isUseful: { _ in false }
    ) { $0.isPointerOn ? .keyMouseOff : .keyMouseOn }
    static let sort = KeyBinding(
        .sort, .component(SortCycled()), .keySort, isUseful: { _ in false })
    /// The pane with the focus takes the whole body, and gives it back.
    static let zoom = KeyBinding(
        .zoom, .zoomChosen(true), .keyZoom, isUseful: { $0.viewport.panes > 1 })
    static let unzoom = KeyBinding(
        .allPanes, .zoomChosen(false), .keyUnzoom, isUseful: { $0.navigation.isZoomed })
    /// Only a demo has the key.
    static let reset = KeyBinding(
        .reset, .resetAsked, isUseful: { _ in false }
    ) { .keyReset(isDemo: $0.shop.isDemo) }
    /// On the customer's screens, which cut no network.
    static let networkOn = KeyBinding(
        .network, .network(.turnedOn), .keyNetwork(turnsOn: true),
        isUseful: { $0.snapshot.isNetworkCut })
    /// The settings of the device that a key turns on and off.
    static let settings: [KeyBinding] = [(KeyName.metered, DeviceSwitch.isMetered)].map {
        name, setting in
        KeyBinding(
            name, .setting(.toggled(setting)),
            isUseful: { _ in false }
        ) { .setting(setting, isOn: !$0.snapshot.settings[setting]) }
    }
    static let signIn = KeyBinding(
        .signIn, .signIn(.toggled), isUseful: { !$0.snapshot.isSignedIn }
    ) { $0.snapshot.isSignedIn ? .keySignOut : .keySignIn }
    static let continueHeld = KeyBinding(
        .continuePurchase, .heldPurchase(.continued),
        isUseful: { $0.heldPayment != nil || $0.promotedPurchase != nil }
    ) { $0.heldPayment == nil ? .keyContinue : .keySendHeld }
    static let dropHeld = KeyBinding(
        .dropPurchase, .heldPurchase(.dropped), isUseful: { _ in false }
    ) { $0.heldPayment == nil ? .keyDropPromoted : .keyDropHeld }
    /// Not named in the footer while the restore button is selected: then Enter is.
    static let restore = KeyBinding(
        .restore, .restoreChosen, .keyRestore,
        isUseful: {
            $0.opening == .open
                && ($0.screen != .list || !$0.areProductsKnown || !isOnRestore($0))
        })
    static let openConsole = KeyBinding(
        .toggleConsole, .consoleToggled, .keyConsole, isUseful: { $0.shop.namesConsole })
    static let back = KeyBinding("Esc", [.escape], names: [.back], .wentBack) { _ in .keyBack }
    static let toggleDownload = KeyBinding(
        .download, .downloadToggled,
        isUseful: { downloadButton($0) != nil }
    ) { state in
        switch downloadButton(state) {
        case .pause?: .content(.pauseDownloads)
        case .resume?: .content(.resumeDownloads)
        case .update?: .keyUpdate
        default: .keyDownload
        }
    }
    static let cancelDownload = KeyBinding(
        .cancelDownload, .contentChosen(.cancelDownloads), .content(.cancelDownloads),
        isUseful: { state in
            state.selectedProduct.map { state.status(of: $0).download != nil } == true
        })
    static let buy = KeyBinding(
        .buy, .buyChosen, .keyBuy,
        isUseful: { state in
            guard let product = state.selectedProduct else { return false }
            return state.refusal(toBuy: product) == nil
        })
    /// Named in the footer where the account has or had a subscription in the selected product's
    /// group, and where any subscription has a problem.
    static let subscription = KeyBinding(
        .subscription, .subscription(.opened), .keySubscription,
        isUseful: { state in
            !state.troubledSubscriptions.isEmpty
                || state.selectedProduct.map { state.subscription(inGroupOf: $0) != nil } == true
        })
    static let redeem = KeyBinding(
        .redeem, .redeemSheet(.opened), .keyRedeem, isUseful: { _ in false })
    static let deleteContent = KeyBinding(
        .removeContent, .contentChosen(.deleteContent), isUseful: { _ in false }
    ) { _ in .content(.deleteContent) }

    /// The page's button that does what the download key does now; nil if it does nothing.
    static func downloadButton(_ state: ShopState) -> PageButton? {
        guard let product = state.selectedProduct else { return nil }
        return switch state.statusOfSelection(product) {
        case .downloading(let download): download.needsConsent ? .download : .pause
        case .paused, .downloadFailed: .resume
        case .notDownloaded: .download
        case .owned where !state.updates(of: product).isEmpty,
            .included(with: _, until: _, isHere: true) where !state.updates(of: product).isEmpty:
            .update
        case .included(with: _, until: _, isHere: false): .download
        default: nil
        }
    }

    /// The keys that mean the same on every screen, in the order of the help.
    static let shared: [KeyBinding] =
        views + [palette, help, quit, zoom, unzoom, pointer, next, previous] + moves()

    /// The footer names none of them.
    private static func move(
        _ label: String, _ keys: [Key], _ movement: Movement, _ title: KeyText
    ) -> KeyBinding {
        KeyBinding(label, keys, .selectionMoved(movement), isUseful: { _ in false }) { _ in title }
    }

    static func moves() -> [KeyBinding] {
        let moves: [(KeyName, Movement, KeyText)] = [
            (.up, .up, .keyUp), (.down, .down, .keyDown), (.pageUp, .pageUp, .keyPageUp),
            (.pageDown, .pageDown, .keyPageDown), (.first, .first, .keyFirst),
            (.last, .last, .keyLast),
        ]
        return moves.map { name, movement, title in
            KeyBinding(name, .selectionMoved(movement), title, isUseful: { _ in false })
        }
    }

    static func movesWhileTyping() -> [KeyBinding] {
        [
            move("↑", [.up, .control("p")], .up, .keyUp),
            move("↓", [.down, .control("n")], .down, .keyDown),
            move("PgUp", [.pageUp], .pageUp, .keyPageUp),
            move("PgDn", [.pageDown], .pageDown, .keyPageDown),
            move("Home", [.home], .first, .keyFirst), move("End", [.end], .last, .keyLast),
        ]
    }

    static let left = KeyBinding(
        .left, .choiceMoved(-1), .keyPreviousButton, isUseful: { _ in false })
    static let right = KeyBinding(
        .right, .choiceMoved(1), .keyNextButton, isUseful: { _ in false })

    static func isOnRestore(_ state: ShopState) -> Bool {
        state.productList.rows.indices.contains(state.list.selectedRow)
            && state.productList.rows[state.list.selectedRow] == .restore
    }

    /// Moves the focus to the next pane, row or button, depending on the screen.
    static let next = KeyBinding(.next, .focusMoved(1), .keyNext, isUseful: { _ in false })
    static let previous = KeyBinding(
        .previous, .focusMoved(-1), .keyPrevious, isUseful: { _ in false })

    static let views: [KeyBinding] = ShopView.allCases.map { view in
        KeyBinding(view.key, .viewChosen(view), isUseful: { _ in false }) { _ in
            switch view {
            case .shop: .keyShop
            case .library: .keyLibrary
            case .history: .keyHistory
            case .console: .keyConsole
            }
        }
    }

    /// The keys while a filter is typed; every other key is text.
    static let whileFiltering: [KeyBinding] = [
        KeyBinding("Enter", [.enter], .confirmed) { _ in .keyKeepSearch },
        KeyBinding("Esc", [.escape], .wentBack) { _ in .keyClearSearch },
        KeyBinding("↑↓", [.up], .selectionMoved(.up)) { _ in .keyMove },
        KeyBinding("↓", [.down], .selectionMoved(.down), isUseful: { _ in false }) { _ in
            .keyDown
        },
    ]
}
