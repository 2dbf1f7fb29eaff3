package import StoreModel

/// The product page's part of the state.
package struct PagePart: Hashable, Sendable {
    /// The button that a person chose; nil before a choice.
    var choice: PageButton?
    /// The product whose content is downloaded to be read as soon as it is here; nil for none.
    var opensWhenHere: ProductID?
    /// How far the page is scrolled, in rows.
    package var scroll = 0
    /// The sales that pages have told about, as the store has them. A sale never changes, so that a
    /// page shown again asks for none.
    package var sales: [TransactionID: PastSale] = [:]
    /// The transaction whose sale was asked for last.
    var askedSale: TransactionID?
    /// The store's answer about the offers of the product whose page was shown last.
    var offers: PageOffers?
    /// The facts as of which the offers were asked for last; nil while no page with offers is shown.
    var askedOffers: PageOffers.Question?

    /// How many sales are kept at most.
    static let salesMax = 200

    /// The part of a page that is opened: nothing is chosen there yet.
    func opened() -> PagePart {
        PagePart(
            sales: sales.count < Self.salesMax ? sales : [:], offers: offers,
            askedOffers: askedOffers)
    }
}

/// The actions of a product's page.
package enum PageAction: ComponentAction, Hashable {
    /// A click on a button, by its place in `pageButtons`.
    case pressed(button: Int)
    /// The answer to `ShopEffect.readSale`.
    indirect case saleArrived(PastSale)

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch self {
        case .pressed(let button):
            guard shop.sheet == nil, shop.help == nil else { return [] }
            shop.navigation.isConsolePaneFocused = false
            // Beside the list a click also brings the focus to the page.
            if shop.navigation.isAtRoot, shop.isPageBesideRoot, let product = shop.selectedProduct {
                shop.openPage(product.id)
            }
            return shop.focus == .page ? shop.press(button, moment) : []
        case .saleArrived(let sale):
            shop.page.sales[sale.id] = sale
            return []
        }
    }
}

extension ShopAction {
    /// An action of a product's page.
    package static func page(_ action: PageAction) -> ShopAction { .component(action) }
}

/// The page of one product.
package enum PageScreen: ShopComponent {
    static let fillsBody = false

    static func selectedProduct(in shop: ShopState) -> Product? {
        if case .product(let id) = shop.screen { shop.productList.product(id) } else { nil }
    }

    /// By pages and by the wheel, the text scrolls; otherwise the page of the neighbour in the list is opened.
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        switch movement {
        case .pageUp, .pageDown, .rows:
            let step = movement.lines(page: max(1, shop.viewport.rows / 2))
            shop.page.scroll = min(max(0, shop.page.scroll + step), shop.viewport.scrollMax)
        case .up, .down, .first, .last: shop.moveToNextPage(movement)
        }
        return []
    }

    static func choose(_ step: Int, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        guard let product = shop.selectedProduct else { return [] }
        let buttons = shop.pageButtons(for: product)
        guard !buttons.isEmpty else { return [] }
        let chosen = shop.chosenButton(for: product) ?? (step > 0 ? -1 : buttons.count)
        shop.page.choice = buttons[min(max(0, chosen + step), buttons.count - 1)]
        return []
    }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard let product = shop.selectedProduct else {
            shop.navigation.goBack()
            return []
        }
        return shop.chosenButton(for: product).map { shop.press($0, moment) } ?? []
    }
}

extension ShopState {
    /// Opens the page of a product. In the shop's view the list selects it too, wherever the page was
    /// opened from, so that the page's neighbours are those in the list.
    mutating func openPage(_ product: ProductID) {
        navigation.open(.product(product))
        if navigation.view == .shop, productList.product(at: list.selectedRow)?.id != product,
            let row = productList.row(of: product)
        {
            list.selectedRow = row
            keepSelectionInSight()
        }
        page = page.opened()
    }

    /// Asks the store for the sale that the open page tells about, once for each transaction: only
    /// the store knows on which device it was bought.
    mutating func readSaleOfPage() -> [ShopEffect] {
        guard opening == .open, case .product(let product) = screen,
            let bought = snapshot.latestDelivered[product]?.transactionID,
            page.askedSale != bought, page.sales[bought] == nil
        else { return [] }
        page.askedSale = bought
        return [.readSale(bought, of: product)]
    }

    /// Closes the pages of products that are no longer for sale.
    mutating func closePagesOfProductsGone() {
        let productList = productList
        navigation.closeAll { screen in
            if case .product(let id) = screen { productList.product(id) == nil } else { false }
        }
    }

    /// Opens the page of the product that the movement selects in the list. Stays on the page if
    /// the movement selects no product.
    mutating func moveToNextPage(_ movement: Movement) {
        guard navigation.view == .shop else {
            moveToLibraryNeighbour(movement)
            return
        }
        let before = list.selectedRow
        moveInList(movement)
        guard let product = productList.product(at: list.selectedRow) else {
            list.selectedRow = before
            keepSelectionInSight()
            return
        }
        openPage(product.id)
    }

    private mutating func moveToLibraryNeighbour(_ movement: Movement) {
        switch movement {
        case .up, .down:
            guard let product = neighbour(step: movement == .up ? -1 : 1),
                let row = libraryRows.firstIndex(of: .product(product.id))
            else { return }
            selectInLibrary(row)
            openPage(product.id)
        case .pageUp, .pageDown, .first, .last, .rows:
            moveInLibrary(movement)
            if let product = selectedLibraryProduct { openPage(product.id) }
        }
    }

    private mutating func ask(_ subject: QuestionSheet.Subject?) -> [ShopEffect] {
        if let subject { sheet = .question(QuestionSheet(subject)) }
        return []
    }

    /// Presses a button of the open page.
    mutating func press(_ button: Int, _ moment: ShopMoment) -> [ShopEffect] {
        guard let product = selectedProduct else { return [] }
        let buttons = pageButtons(for: product)
        guard buttons.indices.contains(button) else { return [] }
        page.choice = buttons[button]
        return switch buttons[button] {
        case .buy: openPaymentSheet(moment)
        case .read: read(product, moment)
        case .use: use(theme(of: product), moment)
        case .stopUsing: use(nil, moment)
        case .restore: beginRestore(moment)
        case .pause, .resume, .download, .update: toggleDownload(moment)
        case .cancelDownload: cancelDownload(moment)
        case .deleteContent: deleteContent(moment)
        case .resolve: waitingRequest(for: product).map { [.resolve($0)] } ?? []
        case .withdraw: ask(waitingRequest(for: product).map { .withdraw(product.id, $0) })
        case .requestRefund:
            ask(
                latestTransaction(of: product.id).map {
                    .requestRefund(product.id, $0, .unintended)
                })
        case .receipt: openReceipt()
        case .manage: openSubscription(of: product, moment)
        case .openConsole: toggleConsole(moment)
        case .back: PageScreen.goBack(in: &self, moment)
        }
    }
}
