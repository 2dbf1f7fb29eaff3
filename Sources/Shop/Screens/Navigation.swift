import ShopText
package import StoreModel

/// The four views that the header numbers.
package enum ShopView: Int, Hashable, Sendable, CaseIterable {
    case shop = 1
    case library = 2
    case history = 3
    case console = 4

    package var root: Screen {
        switch self {
        case .shop: .list
        case .library: .library
        case .history: .history
        case .console: .console
        }
    }

    /// Of the key that shows it.
    var key: KeyName {
        switch self {
        case .shop: .shop
        case .library: .library
        case .history: .history
        case .console: .console
        }
    }

    /// Whether a product's page is drawn beside the root where there is room.
    package var isBesidePage: Bool { self == .shop || self == .library }
}

/// The view in sight, and the open screens of each view.
package struct Navigation: Hashable, Sendable {
    package private(set) var view = ShopView.shop
    /// Whether the console pane has the focus; false where the console is not a pane.
    var isConsolePaneFocused = false
    /// Whether the pane with the focus takes the whole body.
    package internal(set) var isZoomed = false
    /// The open screens above the root of each view, the topmost last.
    private var opened: [ShopView: [Screen]] = [:]

    /// The screen on display: the one opened last in the present view, or the view's root.
    package var screen: Screen { opened[view]?.last ?? view.root }

    /// With the screens open in it; a view in sight already loses its screens above the root.
    mutating func show(_ view: ShopView) {
        if view == self.view { opened[view] = nil }
        self.view = view
        isConsolePaneFocused = false
    }

    /// A screen of the same kind is replaced.
    mutating func open(_ screen: Screen) {
        if self.screen.component == screen.component { opened[view]?.removeLast() }
        opened[view, default: []].append(screen)
    }

    /// The root stays.
    mutating func goBack() { _ = opened[view]?.popLast() }

    package var isAtRoot: Bool { screen == view.root }

    mutating func showRoot() { opened[view] = nil }

    mutating func showList() {
        view = .shop
        opened[view] = nil
    }

    mutating func closeDetails() { opened[view]?.removeAll { $0 == .details } }

    /// In every view.
    mutating func closeAll(where isClosed: (Screen) -> Bool) {
        for view in ShopView.allCases { opened[view]?.removeAll(where: isClosed) }
    }
}

extension ShopState {
    /// The screen on display, below any sheet or help.
    package var screen: Screen { navigation.screen }

    /// Refuses the console if this shop has none.
    mutating func show(_ view: ShopView, _ moment: ShopMoment) -> [ShopEffect] {
        guard view != .console || shop.hasConsole else { return refuse(.noConsole, moment) }
        sheet = nil
        help = nil
        let saving = rememberPlace(moment)
        if view == navigation.view, case .reader = screen { reader = nil }
        navigation.show(view)
        // The history shows the messages that others have replaced.
        if view == .history { statusMessage?.replaced = 0 }
        guard opening == .open else { return saving }
        return saving + refresh(view) + (screen == .server ? readServer() : [])
    }

    private mutating func refresh(_ view: ShopView) -> [ShopEffect] {
        switch view {
        case .shop: queries.ask(.loadProducts)
        case .library: queries.ask(.refreshAccount)
        case .history: openLog(\.history)
        case .console: queries.ask(.refreshConsole) + openLog(\.console.log)
        }
    }

    /// Above (-1) or below (1) the open page's product, in its list or library; nil at the end.
    package func neighbour(step: Int) -> Product? {
        guard navigation.view == .library else {
            return productList.neighbour(of: list.selectedRow, step: step)
        }
        let rows = libraryRows
        guard case .product(let open) = screen else { return nil }
        // If the product has left the library, the next row has moved up to the product's index.
        let place = rows.firstIndex(of: .product(open))
        var row = place.map { $0 + step } ?? library.lastRow + (step < 0 ? -1 : 0)
        while rows.indices.contains(row) {
            if case .product(let id) = rows[row], let product = productList.product(id) {
                return product
            }
            row += step
        }
        return nil
    }

    mutating func toggleConsole(_ moment: ShopMoment) -> [ShopEffect] {
        show(navigation.view == .console ? .shop : .console, moment)
    }

    /// Moves the focus to the next pane; with one pane, to the next row or button.
    mutating func moveFocus(_ step: Int, _ moment: ShopMoment) -> [ShopEffect] {
        guard sheet == nil, help == nil, isPageBesideRoot, !screen.fillsBody else {
            return focus == .list || focus == .library
                ? focus.type.move(step > 0 ? .down : .up, in: &self, moment)
                : focus.type.choose(step, in: &self, moment)
        }
        let root = navigation.view.root.component
        var panes: [Component] = [root]
        if !navigation.isAtRoot || selectedProduct != nil { panes.append(.page) }
        if viewport.panes > 2, shop.namesConsole { panes.append(.console) }
        if list.search?.isTyping == true { list.search?.isTyping = false }
        let at = panes.firstIndex(of: focus) ?? 0
        let next = panes[(at + step + panes.count) % panes.count]
        navigation.isConsolePaneFocused = next == .console
        if next == root { navigation.showRoot() }
        if next == .page, navigation.isAtRoot, let product = selectedProduct {
            openPage(product.id)
        }
        return []
    }

    /// The console's pane becomes its view. Has no effect where there is one pane.
    mutating func zoom(_ isOn: Bool, _ moment: ShopMoment) -> [ShopEffect] {
        let isConsole = focus == .console && navigation.view != .console
        let effects = isOn && isConsole ? show(.console, moment) : []
        navigation.isZoomed = isOn && viewport.panes > 1
        return effects
    }

    mutating func togglePointer(_ moment: ShopMoment) -> [ShopEffect] {
        isPointerOn.toggle()
        return announce(.pointer(isOn: isPointerOn), moment) + [.setPointer(isPointerOn)]
    }

    /// The product of the open page, or of the selected row.
    package var selectedProduct: Product? { screen.component.type.selectedProduct(in: self) }
}
