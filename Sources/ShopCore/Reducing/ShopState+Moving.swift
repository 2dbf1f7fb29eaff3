import StoreModel

/// Moving about: rows, pages, buttons. Nothing here asks the store for anything but what is for
/// sale when the shop comes back into sight.
extension ShopState {
    mutating func move(_ movement: ShopAction.Movement) -> [ShopEffect] {
        if let scroll = helpScroll {
            let wanted = scroll + lines(movement, page: viewport.pageRows)
            helpScroll = min(max(0, wanted), viewport.helpScrollMax)
            return []
        }
        switch (sheet, place) {
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

    /// The movement in lines; a bound for the ends is the caller's.
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
        selectedRow = shelf.selectable(near: selectedRow + step, direction: step)
        keepSelectionInSight()
    }

    /// On a product's page the neighbours are one key away.
    private mutating func moveToNextPage(_ movement: ShopAction.Movement) {
        let before = selectedRow
        moveInList(movement)
        guard let product = shelf.product(at: selectedRow) else {
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

    /// Scrolls as little as possible, and shows the heading above the first product.
    mutating func keepSelectionInSight() {
        let rows = viewport.listRows
        var top = selectedRow
        while top > 0, rows > 2, case .heading = shelf.rows[top - 1] { top -= 1 }
        if top < firstRow { firstRow = top }
        if selectedRow >= firstRow + rows { firstRow = selectedRow - rows + 1 }
        firstRow = min(max(0, firstRow), max(0, shelf.rows.count - rows))
    }

    mutating func view(_ viewport: Viewport) -> [ShopEffect] {
        let wasCompact = self.viewport.isCompact
        self.viewport = viewport
        if wasCompact != viewport.isCompact { arrangeShelf() }
        keepSelectionInSight()
        return []
    }

    // MARK: - Rows

    /// Makes the rows anew, of another shelf where one is given, and stays on the product that was
    /// selected; where that is gone, near its place.
    mutating func arrangeShelf(as new: Shelf? = nil) {
        let selected = (new == nil ? shelf.product(at: selectedRow) : selectedProduct)?.id
        let wasLast = selected == nil && selectedRow > 0
        let near = new == nil ? 0 : selectedRow
        if let new { shelf = new }
        if searchIndex?.isOf(shelf) == false { searchIndex = nil }
        var matches: [Int]?
        if let search, !search.text.isEmpty, let searchIndex {
            matches = searchIndex.matches(search.text)
        }
        shelf.arrange(matches: matches, isCompact: viewport.isCompact)
        let row = selected.flatMap { shelf.row(of: $0) }
        selectedRow = shelf.selectable(
            near: row ?? (wasLast ? shelf.rows.count - 1 : near), direction: 1)
        keepSelectionInSight()
    }

    // MARK: - Search

    mutating func openSearch() -> [ShopEffect] {
        place = .list
        search = Search(text: search?.text ?? "", isTyping: true)
        // While the store is being opened nothing can make it; it is made with the products.
        guard opening == .open, searchIndex?.isOf(shelf) != true
        else { return [] }
        return [.makeSearchIndex(shelf.products, revision: shelf.revision)]
    }

    mutating func typeSearch(_ text: String) -> [ShopEffect] {
        guard search?.isTyping == true else { return [] }
        let added = text.filter { character in
            character.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        }
        let longer = (search?.text ?? "") + added
        search?.text = String(longer.prefix(Self.searchTextMax))
        arrangeShelf()
        return []
    }

    static let searchTextMax = 100

    mutating func eraseSearch() -> [ShopEffect] {
        guard search?.isTyping == true else { return [] }
        if search?.text.isEmpty == true { return endSearch() }
        search?.text.removeLast()
        arrangeShelf()
        return []
    }

    mutating func endSearch() -> [ShopEffect] {
        search = nil
        arrangeShelf()
        return []
    }

    mutating func useIndex(_ index: SearchIndex) -> [ShopEffect] {
        guard index.isOf(shelf) else { return [] }
        searchIndex = index
        if search != nil { arrangeShelf() }
        return []
    }

    // MARK: - Pages

    mutating func openPage(_ product: ProductID) {
        place = .product(product)
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
            guard case .product(let id) = place, let product = shelf.product(id) else { return [] }
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
                return tell(.cancelled(name: payment.product.displayName), moment)
            }
        } else if place == .console {
            return toggleConsole(moment)
        } else if place != .list {
            place = .list
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
        if place == .console {
            place = .list
            return opening == .open ? looks.ask(.loadProducts) : []
        }
        place = .console
        return opening == .open ? looks.ask(.lookAtConsole) : []
    }

    mutating func togglePointer(_ moment: ShopMoment) -> [ShopEffect] {
        isPointerOn.toggle()
        return tell(.pointer(isOn: isPointerOn), moment) + [.setPointer(isPointerOn)]
    }

    // MARK: - Pointing

    /// The first click selects, a click on what is selected opens.
    mutating func point(at row: Int, _ moment: ShopMoment) -> [ShopEffect] {
        guard sheet == nil, helpScroll == nil, shelf.rows.indices.contains(row),
            shelf.rows[row].isSelectable
        else { return [] }
        if row == selectedRow, place == .list { return confirm(moment) }
        selectedRow = row
        if place != .list, let product = shelf.product(at: row) {
            openPage(product.id)
        } else {
            place = .list
        }
        return []
    }
}
