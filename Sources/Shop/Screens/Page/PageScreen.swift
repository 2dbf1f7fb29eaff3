import ShopText
package import StoreModel

/// The product page's part of the state.
package struct PagePart: Hashable, Sendable {
    /// The button that the customer chose; nil before a choice.
    var choice: PageButton?
    /// The product whose page opens once the store has answered about it; nil for none.
    var asked: ProductID?
    /// The package that keys and buttons are about (`selectedPackage`); nil for all.
    var package: String?
    /// The product opened when its download is complete; nil for none.
    var opensWhenHere: ProductID?
    /// In rows.
    package var scroll = 0
    /// As read from the store. A sale never changes, so each is read once.
    package var sales: [TransactionID: PastSale] = [:]
    /// The transaction whose sale was queried last.
    var askedSale: TransactionID?
    /// The store's answer about the offers of the product whose page was shown last.
    var offers: PageOffers?
    /// The facts for which the offers were queried last; nil while no page with offers is in sight.
    var askedOffers: PageOffers.Question?

    static let salesMax = 200

    /// The part of a newly opened page, on which nothing is chosen.
    func opened() -> PagePart {
        PagePart(
            sales: sales.count < Self.salesMax ? sales : [:], offers: offers,
            askedOffers: askedOffers)
    }
}

/// The actions of a product's page.
package enum PageAction: ComponentAction, Hashable {
    /// A click on a button, by its index in `pageButtons`.
    case pressed(button: Int)
    /// A button of the selected product's page that has no key, by its line of the palette.
    case chosen(PageButton)
    /// By its identifier, from the command line or the palette.
    case asked(ProductID)
    /// The answer to `ShopEffect.findProduct`; nil if nothing for sale has the identifier.
    indirect case found(ProductID, Product?)
    /// The store did not answer: the page is not opened later, when nobody expects it any more.
    indirect case findingFailed(ProductID, StoreError)
    case packageChosen
    /// The answer to `ShopEffect.readSale`.
    indirect case saleArrived(PastSale)

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch self {
        case .pressed(let button):
            guard shop.sheet == nil, shop.help == nil else { return [] }
            shop.navigation.isConsolePaneFocused = false
            // A click on a page beside the list also moves the focus to the page.
            if shop.navigation.isAtRoot, shop.isPageBesideRoot, let product = shop.selectedProduct {
                shop.openPage(product.id)
            }
            return shop.focus == .page ? shop.press(button, moment) : []
        case .chosen(let button):
            guard let product = shop.selectedProduct else { return [] }
            guard shop.pageButtons(for: product).contains(button) else {
                return shop.refuse(.noTransaction(of: shop.name(of: product.id)), moment)
            }
            return shop.press(button, of: product, moment)
        case .asked(let product):
            shop.page.asked = product
            return shop.openAskedPage(moment)
        case .found(let id, let product): return shop.take(product, withIdentifier: id, moment)
        case .findingFailed(let id, let error):
            if shop.page.asked == id { shop.page.asked = nil }
            return shop.announce(.trouble(error), moment)
        case .packageChosen:
            shop.choosePackage()
            return []
        case .saleArrived(let sale):
            shop.page.sales[sale.id] = sale
            return []
        }
    }
}

extension ShopAction {
    package static func page(_ action: PageAction) -> ShopAction { .component(action) }
}

/// The page of one product.
package enum PageScreen: ShopComponent {
    static let fillsBody = false

    static func selectedProduct(in shop: ShopState) -> Product? {
        if case .product(let id) = shop.screen { shop.productList.product(id) } else { nil }
    }

    /// Scrolls the text by pages and by the wheel; any other movement opens the page of a neighbour
    /// in the list.
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
    /// In the shop's view, also selects it in the list, so that its neighbours are the list's.
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

    /// Opens the page that was asked for by its identifier, as soon as the products are known. About
    /// a product that is not in the app's list it asks the store.
    mutating func openAskedPage(_ moment: ShopMoment) -> [ShopEffect] {
        guard productList.isFromStore, let id = page.asked else { return [] }
        guard productList.product(id) != nil else { return [.findProduct(id)] }
        page.asked = nil
        let showing = screen == .list ? [] : show(.shop, moment)
        navigation.showList()
        openPage(id)
        return showing
    }

    /// Asks the store again about the products that are not in the app's list.
    func findOtherProducts() -> [ShopEffect] {
        let ids = productList.others.keys.sorted { $0.rawValue < $1.rawValue }
        return ids.map { ShopEffect.findProduct($0) }
    }

    /// Keeps a product that is not in the app's list, and opens its page if it was asked for. For an
    /// unknown identifier that was asked for, searches for it, and says which is the nearest.
    mutating func take(
        _ product: Product?, withIdentifier id: ProductID, _ moment: ShopMoment
    ) -> [ShopEffect] {
        productList.keep(product, withIdentifier: id)
        closePagesOfProductsGone()
        guard page.asked == id else { return [] }
        guard product == nil else { return openAskedPage(moment) }
        page.asked = nil
        let showing = screen == .list ? [] : show(.shop, moment)
        navigation.showList()
        list.search = Search(text: id.rawValue, isTyping: false)
        arrangeProductList()
        let nearest = productList.nearest(to: id.rawValue)?.rawValue
        return showing + findIndex() + refuse(.noSuchProduct(id.rawValue, nearest: nearest), moment)
    }

    /// Once for each transaction: only the store knows on which device the purchase was made.
    mutating func readSaleOfPage() -> [ShopEffect] {
        guard opening == .open, case .product(let product) = screen,
            let bought = snapshot.latestDelivered[product]?.transactionID,
            page.askedSale != bought, page.sales[bought] == nil
        else { return [] }
        page.askedSale = bought
        return [.readSale(bought, of: product)]
    }

    mutating func closePagesOfProductsGone() {
        let productList = productList
        navigation.closeAll { screen in
            if case .product(let id) = screen { productList.product(id) == nil } else { false }
        }
    }

    /// Of the product that the movement selects in the list; stays if it selects none.
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
            let rows = libraryRows
            guard let product = neighbour(step: movement == .up ? -1 : 1),
                let row = rows.firstIndex(of: .product(product.id))
            else { return }
            selectInLibrary(row, of: rows)
            openPage(product.id)
        case .pageUp, .pageDown, .first, .last, .rows:
            moveInLibrary(movement)
            if let product = selectedLibraryProduct { openPage(product.id) }
        }
    }

    private mutating func seeOpener(of product: Product) -> [ShopEffect] {
        if let opener = offeredOpener(of: product) { openPage(opener.id) }
        return []
    }

    mutating func press(_ button: Int, _ moment: ShopMoment) -> [ShopEffect] {
        guard let product = selectedProduct else { return [] }
        let buttons = pageButtons(for: product)
        guard buttons.indices.contains(button) else { return [] }
        page.choice = buttons[button]
        return press(buttons[button], of: product, moment)
    }

    fileprivate mutating func press(
        _ button: PageButton, of product: Product, _ moment: ShopMoment
    ) -> [ShopEffect] {
        switch button {
        case .buy: openPaymentSheet(moment)
        case .read: read(product, moment)
        case .seeOpener: seeOpener(of: product)
        case .use: use(theme(of: product), moment)
        case .stopUsing: use(nil, moment)
        case .restore: beginRestore(moment)
        case .pause, .resume, .download, .update: toggleDownload(moment)
        case .cancelDownload: choose(.cancelDownloads, moment)
        case .deleteContent: choose(.deleteContent, moment)
        case .resolve: waitingRequest(for: product).map { [.resolve($0)] } ?? []
        case .withdraw:
            waitingRequest(for: product).map { openQuestion(.withdraw(product.id, $0)) } ?? []
        case .requestRefund:
            latestTransaction(of: product.id).map {
                openQuestion(.requestRefund(product.id, $0, .unintended))
            } ?? []
        case .receipt: openReceipt()
        case .manage: openSubscription(of: product, moment)
        case .family: openPalette(in: .family)
        case .openConsole: toggleConsole(moment)
        case .back: PageScreen.goBack(in: &self, moment)
        }
    }
}
