import StoreModel

/// Moving between rows, pages, buttons and screens, and searching.
extension ShopState {
    mutating func move(_ movement: ShopAction.Movement) -> [ShopEffect] {
        if let scroll = helpScroll {
            let wanted = scroll + lines(movement, page: viewport.pageRows)
            helpScroll = min(max(0, wanted), viewport.helpScrollMax)
            return []
        }
        switch (sheet, screen) {
        case (.fault(var sheet), _):
            let last = FaultSheet.choices.count - 1
            sheet.chosen = min(max(0, sheet.chosen + lines(movement, page: 5)), last)
            self.sheet = .fault(sheet)
        case (.payment, _):
            if movement == .up { return changeQuantity(1) }
            if movement == .down { return changeQuantity(-1) }
        case (nil, .console): moveInConsole(movement)
        case (nil, .product) where movement == .pageUp || movement == .pageDown:
            let step = (movement == .pageUp ? -1 : 1) * max(1, viewport.pageRows / 2)
            pageScroll = min(max(0, pageScroll + step), viewport.pageScrollMax)
        case (nil, .product): moveToNextPage(movement)
        case (nil, .list): moveInList(movement)
        }
        return []
    }

    /// The movement in lines. The caller clamps the result: `first` and `last` are larger than any
    /// list.
    private func lines(_ movement: ShopAction.Movement, page: Int) -> Int {
        switch movement {
        case .up: -1
        case .down: 1
        case .pageUp: -page
        case .pageDown: page
        case .first: -1_000_000
        case .last: 1_000_000
        case .rows(let count): count
        }
    }

    private mutating func moveInList(_ movement: ShopAction.Movement) {
        let step = lines(movement, page: max(1, viewport.listRows - 1))
        selectedRow = productList.selectable(near: selectedRow + step, direction: step)
        keepSelectionInSight()
    }

    /// On a product's page: opens the page of the product that the movement selects. Stays on the
    /// page if the movement selects no product.
    private mutating func moveToNextPage(_ movement: ShopAction.Movement) {
        let before = selectedRow
        moveInList(movement)
        guard let product = productList.product(at: selectedRow) else {
            selectedRow = before
            keepSelectionInSight()
            return
        }
        openPage(product.id)
    }

    private mutating func moveInConsole(_ movement: ShopAction.Movement) {
        if movement == .up || movement == .down, !console.requests.isEmpty {
            let step = movement == .up ? -1 : 1
            console.chosenRequest = min(
                max(0, console.chosenRequest + step), console.requests.count - 1)
        } else {
            let step = lines(movement, page: max(1, viewport.consoleRows - 1))
            let last = max(0, console.events.count - viewport.consoleRows)
            console.eventScroll = min(max(0, console.eventScroll + step), last)
        }
    }

    /// Scrolls as little as needed to show the selected row, with the heading above it.
    mutating func keepSelectionInSight() {
        let rows = viewport.listRows
        var top = selectedRow
        while top > 0, rows > 2, case .heading = productList.rows[top - 1] { top -= 1 }
        if top < firstRow { firstRow = top }
        if selectedRow >= firstRow + rows { firstRow = selectedRow - rows + 1 }
        firstRow = min(max(0, firstRow), max(0, productList.rows.count - rows))
    }

    mutating func view(_ viewport: Viewport) -> [ShopEffect] {
        let wasCompact = self.viewport.isCompact
        self.viewport = viewport
        if wasCompact != viewport.isCompact { arrangeProductList() }
        keepSelectionInSight()
        return []
    }

    // MARK: - Rows

    /// Arranges the rows for the search and the screen's width, of a new list if one is given.
    /// Keeps the selected product selected; if it is gone, selects a row near its former place.
    mutating func arrangeProductList(as new: ProductList? = nil) {
        let selected = (new == nil ? productList.product(at: selectedRow) : selectedProduct)?.id
        let wasLast = selected == nil && selectedRow > 0
        let near = new == nil ? 0 : selectedRow
        if let new { productList = new }
        if searchIndex?.isOf(productList) == false { searchIndex = nil }
        var matches: [Int]?
        if let search, !search.text.isEmpty, let searchIndex {
            matches = searchIndex.matches(search.text)
        }
        productList.arrange(matches: matches, isCompact: viewport.isCompact)
        let row = selected.flatMap { productList.row(of: $0) }
        selectedRow = productList.selectable(
            near: row ?? (wasLast ? productList.rows.count - 1 : near), direction: 1)
        keepSelectionInSight()
    }

    // MARK: - Search

    mutating func openSearch() -> [ShopEffect] {
        screen = .list
        search = Search(text: search?.text ?? "", isTyping: true)
        // No worker runs before the store is open; `stock` asks for the index then.
        guard opening == .open, searchIndex?.isOf(productList) != true
        else { return [] }
        return [.makeSearchIndex(productList.products, revision: productList.revision)]
    }

    mutating func typeSearch(_ text: String) -> [ShopEffect] {
        guard search?.isTyping == true else { return [] }
        let added = text.filter { character in
            character.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        }
        let longer = (search?.text ?? "") + added
        search?.text = String(longer.prefix(Self.searchTextMax))
        arrangeProductList()
        return []
    }

    /// The longest search text, in characters.
    static let searchTextMax = 100

    mutating func eraseSearch() -> [ShopEffect] {
        guard search?.isTyping == true else { return [] }
        if search?.text.isEmpty == true { return endSearch() }
        search?.text.removeLast()
        arrangeProductList()
        return []
    }

    mutating func endSearch() -> [ShopEffect] {
        search = nil
        arrangeProductList()
        return []
    }

    mutating func useIndex(_ index: SearchIndex) -> [ShopEffect] {
        guard index.isOf(productList) else { return [] }
        searchIndex = index
        if search != nil { arrangeProductList() }
        return []
    }

    // MARK: - Pages

    mutating func openPage(_ product: ProductID) {
        screen = .product(product)
        pageChoice = nil
        pageScroll = 0
    }

    mutating func moveChoice(_ step: Int) -> [ShopEffect] {
        guard helpScroll == nil else { return [] }
        switch sheet {
        case .payment(var sheet):
            sheet.isConfirmChosen = step > 0
            self.sheet = .payment(sheet)
        case .fault: return move(step > 0 ? .down : .up)
        case nil:
            guard case .product(let id) = screen, let product = productList.product(id) else {
                return []
            }
            let buttons = pageButtons(for: product)
            let next = chosenButton(for: product) + step
            pageChoice = buttons[min(max(0, next), buttons.count - 1)]
        }
        return []
    }

    mutating func goBack(_ moment: ShopMoment) -> [ShopEffect] {
        if helpScroll != nil {
            helpScroll = nil
        } else if let open = sheet {
            sheet = nil
            if case .payment(let payment) = open {
                return announce(.cancelled(name: payment.product.displayName), moment)
            }
        } else if screen == .console {
            return toggleConsole(moment)
        } else if screen != .list {
            screen = .list
        } else if search != nil {
            return endSearch()
        }
        return []
    }

    mutating func toggleHelp() -> [ShopEffect] {
        helpScroll =
            helpScroll == nil ? min(viewport.helpStart, viewport.helpScrollMax) : nil
        return []
    }

    mutating func toggleConsole(_ moment: ShopMoment) -> [ShopEffect] {
        guard shop.hasConsole else { return refuse(.noConsole, moment) }
        sheet = nil
        if screen == .console {
            screen = .list
            return opening == .open ? queries.ask(.loadProducts) : []
        }
        screen = .console
        return opening == .open ? queries.ask(.refreshConsole) : []
    }

    mutating func togglePointer(_ moment: ShopMoment) -> [ShopEffect] {
        isPointerOn.toggle()
        return announce(.pointer(isOn: isPointerOn), moment) + [.setPointer(isPointerOn)]
    }

    // MARK: - Pointing

    /// A click on a row of the list selects it; a click on the selected row does what Enter does.
    /// While a page is open, a click opens the page of the clicked product.
    mutating func point(at row: Int, _ moment: ShopMoment) -> [ShopEffect] {
        guard sheet == nil, helpScroll == nil, productList.rows.indices.contains(row),
            productList.rows[row].isSelectable
        else { return [] }
        if row == selectedRow, screen == .list { return confirm(moment) }
        selectedRow = row
        if screen != .list, let product = productList.product(at: row) {
            openPage(product.id)
        } else {
            screen = .list
        }
        return []
    }
}
