import StoreModel

/// The actions of the product list and its search.
package enum ListAction: ComponentAction, Hashable {
    case pointed(row: Int)
    case searchTyped(String)
    /// Backspace: the last character of the search.
    case searchErased

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch self {
        case .pointed(let row): shop.point(at: row, moment)
        case .searchTyped(let text): shop.typeSearch(text)
        case .searchErased: shop.eraseSearch()
        }
    }
}

extension ShopAction {
    package static func list(_ action: ListAction) -> ShopAction { .component(action) }
}

/// The list of products: the root of the shop's view.
package enum ListScreen: ShopComponent {
    static let fillsBody = false

    static func selectedProduct(in shop: ShopState) -> Product? {
        shop.productList.product(at: shop.list.selectedRow)
    }

    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        shop.moveInList(movement)
        return []
    }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard shop.productList.rows.indices.contains(shop.list.selectedRow) else { return [] }
        switch shop.productList.rows[shop.list.selectedRow] {
        case .restore:
            // While products load, no button is drawn. A shop that is still opening says so.
            guard shop.areProductsKnown || shop.opening != .open else { return [] }
            return shop.beginRestore(moment)
        case .endSearch: return shop.endSearch()
        case .product(let index): shop.openPage(shop.productList.products[index].id)
        case .heading, .gap: break
        }
        return []
    }

    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        shop.list.search == nil ? [] : shop.endSearch()
    }
}

/// The line of a search while it is typed. Up and down move the selection among the matches.
package enum SearchLine: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    { ListScreen.move(movement, in: &shop, moment) }

    /// Ends the typing and keeps the matches; ends an empty search.
    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        shop.list.search?.isTyping = false
        return shop.list.search?.text.isEmpty == true ? shop.endSearch() : []
    }

    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        shop.endSearch()
    }
}

extension ShopState {
    mutating func moveInList(_ movement: Movement) {
        let step = movement.lines(page: listWindow(room: viewport.listRows).selectionPage)
        list.selectedRow = productList.selectable(near: list.selectedRow + step, direction: step)
        keepSelectionInSight()
    }

    /// When `room` rows fit: with the selected row and its heading.
    func listWindow(room: Int, isMarked: Bool = true) -> RowWindow {
        var top = list.selectedRow
        while top > 0, room > 2, case .heading = productList.rows[top - 1] { top -= 1 }
        return RowWindow(
            count: productList.rows.count, room: room, from: list.firstRow,
            showing: top...list.selectedRow, isMarked: isMarked)
    }

    mutating func keepSelectionInSight() {
        list.firstRow = listWindow(room: viewport.listRows).first
    }

    /// Handles a click: selects the row; a click on the selected row acts as Enter. While a page is
    /// open, opens the page of the clicked product.
    mutating func point(at row: Int, _ moment: ShopMoment) -> [ShopEffect] {
        guard sheet == nil, help == nil, navigation.view == .shop,
            productList.rows.indices.contains(row),
            productList.rows[row].isSelectable
        else { return [] }
        navigation.isConsolePaneFocused = false
        if row == list.selectedRow, screen == .list {
            return focus.type.confirm(in: &self, moment)
        }
        list.selectedRow = row
        if screen == .list { return [] }
        if let product = productList.product(at: row) {
            openPage(product.id)
        } else {
            navigation.goBack()
        }
        return []
    }

    // MARK: - Rows

    /// Keeps the selected product selected; if it is gone, selects a row near its former place.
    mutating func arrangeProductList(as new: ProductList? = nil) {
        let open: ProductID? =
            if navigation.view == .shop, case .product(let id) = screen { id } else { nil }
        let chosen = productList.product(at: list.selectedRow)?.id
        let selected = (new == nil ? chosen : open ?? chosen)
        let wasLast = selected == nil && list.selectedRow > 0
        let near = new == nil ? 0 : list.selectedRow
        if var new {
            new.keepOthers(of: productList)
            productList = new
        }
        if list.searchIndex?.isOf(productList) == false { list.searchIndex = nil }
        var matches: [Int]?
        if let search = list.search, !search.text.isEmpty, let index = list.searchIndex {
            matches = index.matches(search.text)
        }
        list.nearest =
            if matches?.isEmpty == true, let text = list.search?.text,
                ProductList.isLikeIdentifier(text)
            { productList.nearest(to: text) } else { nil }
        productList.arrange(matches: matches, isCompact: viewport.isCompact, sort: list.sort)
        let row = selected.flatMap { productList.row(of: $0) }
        list.selectedRow = productList.selectable(
            near: row ?? (wasLast ? productList.rows.count - 1 : near), direction: 1)
        keepSelectionInSight()
    }

    // MARK: - Search

    mutating func openSearch() -> [ShopEffect] {
        navigation.showList()
        var search = list.search ?? Search()
        if list.search == nil { search.start = productList.product(at: list.selectedRow)?.id }
        search.isTyping = true
        list.search = search
        return findIndex()
    }

    /// Requests the search index, unless the present products have one.
    func findIndex() -> [ShopEffect] {
        // No worker runs before the store is open; `stock` asks for the index then.
        guard opening == .open, list.searchIndex?.isOf(productList) != true else { return [] }
        return [.makeSearchIndex(productList.products, revision: productList.revision)]
    }

    mutating func typeSearch(_ text: String) -> [ShopEffect] {
        guard focus == .search else { return [] }
        let typed = list.search?.text ?? ""
        list.search?.text = TypedText.appending(text, to: typed)
        arrangeProductList()
        return []
    }

    mutating func eraseSearch() -> [ShopEffect] {
        guard focus == .search else { return [] }
        if list.search?.text.isEmpty == true { return endSearch() }
        list.search?.text.removeLast()
        arrangeProductList()
        return []
    }

    mutating func endSearch() -> [ShopEffect] {
        let start = list.search?.start
        let hasSelection = productList.product(at: list.selectedRow) != nil
        list.search = nil
        arrangeProductList()
        if !hasSelection, let row = start.flatMap({ productList.row(of: $0) }) {
            list.selectedRow = row
            keepSelectionInSight()
        }
        return []
    }

    mutating func useIndex(_ index: SearchIndex) -> [ShopEffect] {
        guard index.isOf(productList) else { return [] }
        list.searchIndex = index
        if list.search != nil { arrangeProductList() }
        return []
    }
}
