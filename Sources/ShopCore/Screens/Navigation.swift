package import StoreModel

/// The four views that the header numbers.
package enum ShopView: Int, Hashable, Sendable, CaseIterable {
    case shop = 1
    case history = 3
    case console = 4

    /// The screen that the view begins with.
    package var root: Screen {
        switch self {
        case .shop: .list
        case .history: .history
        case .console: .console
        }
    }
}

/// The view in sight, and what is open in each view.
package struct Navigation: Hashable, Sendable {
    package private(set) var view = ShopView.shop
    /// Whether the console beside the shop has the focus; only where it is a pane.
    var isConsolePaneFocused = false
    /// The screens that are open above the root of each view, the topmost last.
    private var opened: [ShopView: [Screen]] = [:]

    package init() {}

    /// What fills the screen.
    package var screen: Screen { opened[view]?.last ?? view.root }

    /// Shows a view as it was left; the view in sight goes back to its root.
    mutating func show(_ view: ShopView) {
        if view == self.view { opened[view] = nil }
        self.view = view
        isConsolePaneFocused = false
    }

    /// Opens a screen above the present one, or in its place if that is of the same kind.
    mutating func open(_ screen: Screen) {
        if self.screen.component == screen.component { opened[view]?.removeLast() }
        opened[view, default: []].append(screen)
    }

    /// Closes the topmost screen.
    ///
    /// - Returns: false if only the root is left.
    @discardableResult
    mutating func goBack() -> Bool { opened[view]?.popLast() != nil }

    /// Shows the product list.
    mutating func showList() {
        view = .shop
        opened[view] = nil
    }

    /// Closes the details in the view in sight.
    mutating func closeDetails() { opened[view]?.removeAll { $0 == .details } }

    /// Closes the screens that a condition holds for, in every view.
    mutating func closeAll(where isClosed: (Screen) -> Bool) {
        for view in ShopView.allCases { opened[view]?.removeAll(where: isClosed) }
    }
}

extension ShopState {
    /// What fills the screen, below any sheet or help.
    package var screen: Screen { navigation.screen }

    /// Shows a view; the console only for an operator.
    mutating func show(_ view: ShopView, _ moment: ShopMoment) -> [ShopEffect] {
        guard view != .console || shop.hasConsole else { return refuse(.noConsole, moment) }
        sheet = nil
        help = nil
        navigation.show(view)
        guard opening == .open else { return [] }
        return switch view {
        case .shop: queries.ask(.loadProducts)
        case .history: openLog(\.history)
        case .console: queries.ask(.refreshConsole)
        }
    }

    mutating func toggleConsole(_ moment: ShopMoment) -> [ShopEffect] {
        show(navigation.view == .console ? .shop : .console, moment)
    }

    /// Moves the focus to the next pane. Where there is one pane, to the next row or button.
    mutating func moveFocus(_ step: Int, _ moment: ShopMoment) -> [ShopEffect] {
        guard sheet == nil, help == nil, navigation.view == .shop, viewport.panes > 1 else {
            return focus == .list
                ? ListScreen.move(step > 0 ? .down : .up, in: &self, moment)
                : focus.type.choose(step, in: &self, moment)
        }
        var panes: [Component] = [.list, .page]
        if viewport.panes > 2, shop.hasConsole { panes.append(.console) }
        if list.search?.isTyping == true { list.search?.isTyping = false }
        let at = panes.firstIndex(of: focus) ?? 0
        let next = panes[(at + step + panes.count) % panes.count]
        navigation.isConsolePaneFocused = next == .console
        if next == .list { navigation.showList() }
        if next == .page, screen == .list, let product = selectedProduct { openPage(product.id) }
        return []
    }

    mutating func togglePointer(_ moment: ShopMoment) -> [ShopEffect] {
        isPointerOn.toggle()
        return announce(.pointer(isOn: isPointerOn), moment) + [.setPointer(isPointerOn)]
    }

    /// The product of the open page, or of the selected row.
    package var selectedProduct: Product? {
        switch screen {
        case .product(let id): productList.product(id)
        case .list: productList.product(at: list.selectedRow)
        case .history, .console, .details: nil
        }
    }
}
