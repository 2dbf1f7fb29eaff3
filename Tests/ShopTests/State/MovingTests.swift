@testable import Shop
import ShopText
@testable import StoreModel
import Terminal
import Testing

/// The rows of the list, moving between them, and searching.
@Suite struct MovingTests {
    // MARK: - Rows

    private func rows(_ sections: [String], isCompact: Bool = false) -> [String] {
        var productList = ProductList(
            ProductsResponse(
                products: sections.enumerated().map { number, section in
                    Product(
                        id: ProductID("p\(number)"), type: .consumable, section: section,
                        displayName: "\(number)",
                        price: Money(milliunits: 990, currency: "USD"), priceLocale: "en_US")
                }, invalidProductIDs: [], catalogRevision: 1))
        productList.arrange(matches: nil, isCompact: isCompact)
        return productList.rows.map { row in
            switch row {
            case .heading(let section):
                if case .named(let name) = productList.sections[section] {
                    "# \(name)"
                } else {
                    "# \(productList.sections[section])"
                }
            case .gap: ""
            case .product(let index): productList.products[index].displayName
            case .restore: "restore"
            case .endSearch: "end search"
            }
        }
    }

    @Test("sections and products keep the catalog's order")
    func sectionsStandInTheCatalogsOrder() {
        #expect(
            rows(["B", "A", "B", "A"])
                == ["# B", "0", "2", "", "# A", "1", "3", "", "restore"])
        #expect(rows(["B", "A", "B"], isCompact: true) == ["0", "2", "1", "restore"])
        #expect(rows(["", "A", ""]) == ["0", "2", "", "# A", "1", "", "restore"])
        #expect(rows([]) == ["restore"])
        #expect(rows([], isCompact: true) == ["restore"])
    }

    @Test("the restore button is always the last row [B6]")
    func restoringIsAlwaysTheLastRow() {
        for count in [0, 1, 5] {
            for isCompact in [false, true] {
                let rows = rows(Array(repeating: "A", count: count), isCompact: isCompact)
                #expect(rows.last == "restore")
                #expect(rows.filter { $0 == "restore" }.count == 1)
            }
        }
    }

    // MARK: - Moving

    @Test("the selection skips headings and gaps")
    func headingsAndGapsAreSkipped() {
        var probe = ShopProbe()
        var seen: [Int] = [probe.state.list.selectedRow]
        for _ in 0..<100 {
            probe.happen(.selectionMoved(.down))
            if seen.last != probe.state.list.selectedRow {
                seen.append(probe.state.list.selectedRow)
            }
        }
        let selectable = probe.state.productList.rows.indices.filter {
            probe.state.productList.rows[$0].isSelectable
        }
        #expect(seen == selectable)
        for row in selectable.reversed().dropFirst() {
            probe.happen(.selectionMoved(.up))
            #expect(probe.state.list.selectedRow == row)
        }
        probe.send(.selectionMoved(.up))
    }

    @Test("the selected row is always on the screen, and the first product with its heading")
    func theSelectionStaysInSightAndSoDoesItsHeading() {
        for listRows in [1, 2, 3, 7, 100] {
            var probe = ShopProbe(viewport: Viewport(listRows: listRows))
            let steps: [Movement] = [
                .down, .pageDown, .last, .up, .pageUp, .rows(3), .first, .rows(-3),
            ]
            for step in steps + steps + steps {
                probe.happen(.selectionMoved(step))
                let state = probe.state
                #expect(state.productList.rows[state.list.selectedRow].isSelectable)
                #expect(state.list.selectedRow >= state.list.firstRow)
                #expect(state.list.selectedRow < state.list.firstRow + listRows)
            }
            probe.happen(.selectionMoved(.first))
            if listRows > 2 { #expect(probe.state.list.firstRow == 0) }
        }
    }

    @Test("a new catalog leaves the selected product selected")
    func aCatalogChangedUnderneathLeavesTheSelectionWhereItWas() throws {
        var probe = ShopProbe(viewport: Viewport(listRows: 8))
        probe.happen(
            .list(.pointed(row: try #require(probe.state.productList.row(of: "coins.100")))))
        probe.happen(.selectionMoved(.up))
        let first = probe.state.list.firstRow
        probe.happen(.productsArrived(SampleShop.response(revision: 1)))
        #expect(probe.state.selectedProduct?.id == "coins.10")
        #expect(probe.state.list.firstRow == first)
        #expect(probe.state.statusMessage == nil)
        var response = SampleShop.response(revision: 2)
        response.products.removeFirst(3)
        probe.happen(.productsArrived(response))
        #expect(probe.state.selectedProduct?.id == "coins.10")
        #expect(probe.state.statusMessage?.what == .catalogRevised)
    }

    @Test("when the selected product is gone, its neighbour is selected")
    func whenTheSelectedProductIsGoneItsNeighbourIsSelected() throws {
        var probe = ShopProbe()
        let row = try #require(probe.state.productList.row(of: "book.three"))
        probe.happen(.list(.pointed(row: row)))
        var response = SampleShop.response(revision: 2)
        response.products.removeAll { $0.id == "book.three" }
        probe.happen(.productsArrived(response))
        #expect(probe.state.selectedProduct?.id == "book.four")
    }

    @Test("with the last row selected, a new catalog leaves it selected")
    func onTheLastRowOneStaysThere() {
        var probe = ShopProbe()
        probe.happen(.selectionMoved(.last))
        var response = SampleShop.response(revision: 2)
        response.products.removeFirst(3)
        probe.happen(.productsArrived(response))
        #expect(probe.state.productList.rows[probe.state.list.selectedRow] == .restore)
    }

    @Test("a page closes when its product is gone [C6]")
    func aPageWhoseProductIsGoneCloses() {
        var probe = ShopProbe()
        probe.open("book.three")
        var response = SampleShop.response(revision: 2)
        response.products.removeAll { $0.id == "book.three" }
        probe.happen(.productsArrived(response))
        #expect(probe.state.screen == .list)
        probe.happen(
            .productsArrived(
                ProductsResponse(
                    products: [], invalidProductIDs: [], catalogRevision: 3)))
        #expect(probe.state.productList.rows == [.restore])
        #expect(probe.happen(.selectionMoved(.down)) == [])
        #expect(probe.happen(.buyChosen) == [])
    }

    @Test("on a page, up and down open the neighbours' pages")
    func neighboursAreOneKeyAwayOnAPage() {
        var probe = ShopProbe()
        probe.open("book.five")
        for product in ["book.six", "theme.sepia"] as [ProductID] {
            probe.happen(.selectionMoved(.down))
            #expect(probe.state.screen == .product(product))
        }
        probe.open("pass.season")
        probe.happen(.list(.pointed(row: probe.state.productList.row(of: "pass.season") ?? 0)))
        probe.send(.selectionMoved(.down))
    }

    @Test("one click selects a row, and a second one opens it [C6]")
    func aClickSelectsAndASecondOneOpens() throws {
        var probe = ShopProbe()
        let row = try #require(probe.state.productList.row(of: "theme.sepia"))
        probe.send(.list(.pointed(row: row))) { $0.list.selectedRow = row }
        probe.send(.list(.pointed(row: row))) { $0.navigation.open(.product("theme.sepia")) }
        probe.send(.list(.pointed(row: 0)))
        probe.send(.list(.pointed(row: -1)))
        probe.send(.list(.pointed(row: 1000)))
    }

    @Test("a narrow terminal shows no headings and keeps the selection")
    func aNarrowTerminalLeavesOutHeadingsAndKeepsTheSelection() throws {
        var probe = ShopProbe()
        probe.happen(
            .list(.pointed(row: try #require(probe.state.productList.row(of: "coins.100")))))
        for isCompact in [true, false] {
            probe.viewport = Viewport(listRows: 5, isCompact: isCompact)
            probe.happen(.resized)
            #expect(probe.state.selectedProduct?.id == "coins.100")
            #expect(probe.state.productList.rows.contains(.gap) != isCompact)
        }
    }

    @Test("moving past the first or last button stays there")
    func buttonsAreChosenUpToTheEnds() {
        var probe = ShopProbe(SampleShop.full())
        probe.open("book.two")
        probe.send(.choiceMoved(-1)) { $0.page.choice = .pause }
        for button in [PageButton.cancelDownload, .back, .receipt, .receipt] {
            probe.happen(.choiceMoved(1))
            #expect(probe.state.page.choice == button)
        }
        // On the page of another product the first button is chosen.
        probe.happen(.selectionMoved(.down))
        #expect(probe.state.page.choice == nil)
    }

    /// When a download ends, its buttons are replaced by others.
    @Test(
        "when the chosen button disappears, Back is chosen",
        arguments: [PageButton.pause, .cancelDownload, .back])
    func whenTheChosenButtonDisappearsBackIsChosen(_ chosen: PageButton) throws {
        var probe = ShopProbe(SampleShop.full())
        probe.open("book.two")
        while probe.state.page.choice != chosen {
            probe.happen(.choiceMoved(probe.state.page.choice == nil && chosen == .pause ? -1 : 1))
        }
        var finished = probe.state.snapshot
        finished.downloads["book.two"]?.state = .finished
        probe.happen(.accountArrived(finished))
        let product = try #require(probe.state.selectedProduct)
        let buttons = probe.state.pageButtons(for: product)
        #expect(buttons == [.back, .deleteContent, .receipt, .requestRefund])
        #expect(probe.state.chosenButton(for: product).map { buttons[$0] } == .back)
    }

    @Test("over a payment sheet, keys only close the help")
    func helpCoversEverythingAndClosesOnly() {
        for key in [ShopAction.wentBack, .helpToggled] {
            var probe = ShopProbe()
            probe.askToPay(for: "coins.10")
            probe.happen(.helpToggled)
            probe.send(.paymentSheet(.quantityChanged(1)))
            probe.send(.choiceMoved(-1))
            probe.viewport.entries = [
                Entry(id: .key(.paymentSheet, 0), action: .confirmed, row: 0)
            ]
            probe.happen(.selectionMoved(.down))
            probe.send(.confirmed)
            probe.send(key) { $0.help = nil }
            #expect(probe.state.sheet != nil)
        }
    }

    @Test("Enter in the help does what the chosen key does, and closes the help")
    func theHelpDoesWhatItLists() {
        var probe = ShopProbe()
        probe.viewport.entries = [
            Entry(id: .key(.console, 0), row: 1, top: 0),
            Entry(id: .key(.list, 0), action: .consoleToggled, row: 3, top: 2),
            Entry(id: .everywhere(0), action: .helpToggled, row: 4),
        ]
        probe.happen(.helpToggled)
        // The first line that has an action is chosen.
        #expect(probe.happen(.confirmed).first == .refreshConsole)
        #expect(probe.state.help == nil && probe.state.screen == .console)
        probe.happen(.helpToggled)
        probe.happen(.selectionMoved(.first))
        #expect(probe.happen(.confirmed) == [])
        #expect(probe.state.help != nil)
        probe.happen(.selectionMoved(.last))
        #expect(probe.happen(.confirmed) == [])
        #expect(probe.state.help == nil)
        // A click chooses a line, and a second click acts as Enter does.
        probe.happen(.helpToggled)
        probe.happen(.help(.pointed(.everywhere(0))))
        #expect(probe.state.help != nil)
        probe.happen(.help(.pointed(.everywhere(0))))
        #expect(probe.state.help == nil)
    }

    @Test("a list of lines scrolls as little as needed to show the chosen one with its heading")
    func linesScrollToShowTheChosenOne() {
        let entries = (0..<10).map {
            Entry(id: .everywhere($0), action: .shown, row: 2 * $0 + 1, top: 2 * $0)
        }
        let viewport = Viewport(rows: 6, scroll: 4, scrollMax: 14, entries: entries)
        for (movement, chosen, scroll) in [
            (Movement.down, 1, 2), (.last, 9, 14), (.first, 0, 0), (.up, 0, 0), (.pageDown, 5, 6),
            (.rows(3), 3, 4),
        ] {
            var list = EntryList()
            list.move(movement, viewport)
            #expect(list.chosenIndex(in: entries) == chosen)
            #expect(list.scroll == scroll, "\(movement)")
        }
    }

    @Test("another filter of a list of lines chooses its first line again")
    func anotherFilterChoosesAnew() {
        let entries = (0..<4).map { Entry(id: .everywhere($0), action: .shown, row: $0) }
        var list = EntryList()
        list.move(.last, Viewport(rows: 6, entries: entries))
        #expect(list.chosenIndex(in: entries) == 3)
        list.type("a")
        #expect(list.chosenIndex(in: entries) == 0 && list.scroll == nil)
    }

    @Test("typed text filters the help without control characters, and Backspace takes it back")
    func theHelpIsFiltered() {
        var probe = ShopProbe()
        probe.happen(.helpToggled)
        probe.happen(.help(.typed("q\u{1B}é")))
        #expect(probe.state.help?.list.filter == "qé")
        probe.happen(.help(.erased))
        #expect(probe.state.help?.list.filter == "q")
    }

    // MARK: - By identifier

    @Test("a page that is asked for by its identifier opens once the products are known [C6]")
    func aPageByIdentifier() {
        var probe = ShopProbe(ShopState(shop: SampleShop.identity()))
        probe.happen(.page(.asked("theme.sepia")))
        #expect(probe.state.screen == .list)
        probe.happen(.opened(SampleShop.settings(), holdsLease: true))
        probe.happen(.productsArrived(SampleShop.response()))
        #expect(probe.state.screen == .product("theme.sepia"))
        #expect(probe.state.selectedProduct?.id == "theme.sepia")
        #expect(probe.state.statusMessage == nil)
        // It is asked for once: the next list of products opens nothing.
        probe.happen(.wentBack)
        probe.happen(.productsArrived(SampleShop.response(revision: 2)))
        #expect(probe.state.screen == .list)
        probe.happen(.viewChosen(.history))
        probe.happen(.page(.asked("book.three")))
        #expect(probe.state.navigation.view == .shop)
        #expect(probe.state.screen == .product("book.three"))
    }

    @Test("a product outside the app's list has a page, as long as it is for sale [C6]")
    func aPageOutsideTheList() throws {
        var response = SampleShop.response()
        let sepia = try #require(response.products.first { $0.id == "theme.sepia" })
        response.products.removeAll { $0.id == sepia.id }
        var probe = ShopProbe(SampleShop.empty(response: response))
        probe.happen(.page(.asked(sepia.id)))
        probe.happen(.page(.found(sepia.id, sepia)))
        #expect(probe.state.screen == .product(sepia.id))
        #expect(probe.state.productList.row(of: sepia.id) == nil)
        #expect(Screens.draw(probe.state, Screens.usual).text.contains("Sepia"))
        probe.happen(.buyChosen)
        #expect(probe.state.focus == .paymentSheet)
        probe.happen(.wentBack)
        // It stays while the list changes, and closes once it is not sold any more.
        response.catalogRevision = 2
        #expect(probe.happen(.productsArrived(response)).contains(.findProduct(sepia.id)))
        #expect(probe.state.screen == .product(sepia.id))
        probe.happen(.page(.found(sepia.id, nil)))
        #expect(probe.state.screen == .list && probe.state.list.search == nil)
    }

    @Test("an unknown identifier is searched for, naming the nearest, and one key shows all [C6]")
    func anUnknownIdentifier() {
        var probe = ShopProbe()
        let products = probe.state.productList.products
        for (typed, nearest) in [("theme.sepai", "theme.sepia"), ("no.such.thing.at.all", nil)]
            as [(String, String?)]
        {
            let id = ProductID(typed)
            probe.send(.page(.asked(id)), [.findProduct(id)]) { $0.page.asked = id }
            probe.happen(.page(.findingFailed(id, StoreError(.networkError))))
            #expect(probe.state.page.asked == nil)
            probe.happen(.page(.asked(id)))
            probe.happen(.page(.found(id, nil)))
            probe.happen(.searchIndexMade(SearchIndex(products, revision: 1)))
            #expect(
                probe.state.statusMessage?.what
                    == .refused(.noSuchProduct(typed, nearest: nearest)))
            #expect(probe.state.screen == .list)
            #expect(probe.state.productList.rows == [.endSearch])
            #expect(probe.state.list.nearest?.rawValue == nearest)
            let text = Screens.draw(probe.state, Screens.usual).text
            #expect(text.contains("No product matches."))
            #expect(text.contains("The nearest identifier is theme.sepia.") == (nearest != nil))
            probe.happen(.confirmed)
            #expect(probe.state.productList.shownCount == products.count)
            #expect(probe.state.list.nearest == nil)
        }
    }

    // MARK: - Searching

    @Test("typed text filters the list, and Esc ends the search")
    func whatWasTypedFiltersAndEscEndsIt() throws {
        var probe = ShopProbe()
        let products = probe.state.productList.products
        probe.send(.searchOpened, [.makeSearchIndex(products, revision: 1)]) {
            $0.list.search = Search(text: "")
            $0.list.search?.start = "book.one"
        }
        let rows = probe.state.productList.rows.count
        // While the index is being made, the list is not filtered.
        probe.happen(.list(.searchTyped("LIGHT")))
        #expect(probe.state.productList.rows.count == rows)
        probe.happen(.searchIndexMade(SearchIndex(products, revision: 1)))
        #expect(probe.state.productList.shownCount == 6)
        probe.happen(.list(.searchTyped("house, part FOUR")))
        #expect(probe.state.productList.shownCount == 1)
        #expect(probe.state.selectedProduct?.id == "book.four")
        probe.send(.confirmed) { $0.list.search?.isTyping = false }
        probe.send(.list(.searchTyped("x")))
        probe.send(.list(.searchErased))
        probe.send(.searchOpened) { $0.list.search?.isTyping = true }
        probe.happen(.wentBack)
        #expect(probe.state.list.search == nil)
        #expect(probe.state.productList.rows.count == rows)
        #expect(probe.state.selectedProduct?.id == "book.four")
    }

    @Test("a search keeps the selected product selected while it matches")
    func theSelectionIsKeptWhereItIsStillShown() throws {
        var probe = ShopProbe()
        probe.happen(
            .list(.pointed(row: try #require(probe.state.productList.row(of: "book.four")))))
        probe.happen(.searchOpened)
        probe.happen(.searchIndexMade(SearchIndex(probe.state.productList.products, revision: 1)))
        probe.happen(.list(.searchTyped("light")))
        #expect(probe.state.selectedProduct?.id == "book.four")
        probe.happen(.list(.searchTyped("zzz")))
        // The list has no product that a key could open by mistake: its only row ends the search.
        #expect(probe.state.productList.rows == [.endSearch])
        var missed = probe
        missed.happen(.confirmed)
        #expect(missed.happen(.confirmed) == [] && missed.state.list.search == nil)
        #expect(missed.state.selectedProduct?.id == "book.four")
        for _ in 0..<3 { probe.happen(.list(.searchErased)) }
        #expect(probe.state.productList.shownCount == 6)
    }

    @Test("erasing the last letter keeps the search open, and erasing once more ends it")
    func erasingTheLastLetterStaysAndErasingNothingEnds() {
        var probe = ShopProbe()
        probe.happen(.searchOpened)
        probe.happen(.list(.searchTyped("é")))
        probe.send(.list(.searchErased)) { $0.list.search?.text = "" }
        probe.send(.list(.searchErased)) { $0.list.search = nil }
        probe.happen(.searchOpened)
        probe.send(.confirmed) { $0.list.search = nil }
    }

    @Test("control characters are left out of the search, and long texts are cut")
    func controlCharactersAreNotSearchedFor() {
        var probe = ShopProbe()
        probe.happen(.searchOpened)
        probe.happen(.list(.searchTyped("a\u{1B}[2J\0\n\u{7F}b\r\n")))
        #expect(probe.state.list.search?.text == "a[2Jb")
        probe.happen(.list(.searchTyped(String(repeating: "x", count: 10_000))))
        #expect(probe.state.list.search?.text.count == TypedText.lengthMax)
    }

    @Test("a search index of another catalog is not used")
    func anIndexOfAnotherCatalogIsNotUsed() {
        var probe = ShopProbe()
        probe.happen(.searchOpened)
        probe.happen(.list(.searchTyped("light")))
        let old = SearchIndex(probe.state.productList.products, revision: 1)
        probe.happen(.shown)
        let response = SampleShop.response(revision: 2)
        #expect(
            probe.happen(.productsArrived(response))
                == [.makeSearchIndex(response.products, revision: 2)])
        probe.send(.searchIndexMade(old))
        probe.happen(.searchIndexMade(SearchIndex(response.products, revision: 2)))
        #expect(probe.state.productList.shownCount == 6)
    }

    @Test(
        "names are found regardless of case, accents and width",
        arguments: [
            ("strasse", ["Straße"]), ("ELEVE", ["Élève"]), ("élève", ["Élève"]), ("ele", ["Élève"]),
            ("灯台", ["灯台 第一部"]), ("第一", ["灯台 第一部"]), ("ｌａｎｔｅｒｎ", ["Lantern Plus"]),
            ("らんたん", []), ("ランタン", ["ランタン"]), ("ﾗﾝﾀﾝ", ["ランタン"]), ("plus", ["Lantern Plus"]),
            ("p.4", ["ランタン"]), ("", ["Straße", "Élève", "灯台 第一部", "Lantern Plus", "ランタン"]),
            ("zzz", []), ("ランタンp", []),
        ])
    func namesAreFoundWithoutCaseAccentsAndWidth(_ text: String, _ found: [String]) {
        let names = ["Straße", "Élève", "灯台 第一部", "Lantern Plus", "ランタン"]
        let products = names.enumerated().map { number, name in
            Product(
                id: ProductID("p.\(number)"), type: .consumable, displayName: name,
                price: Money(milliunits: 990, currency: "USD"), priceLocale: "en_US")
        }
        let index = SearchIndex(products, revision: 1)
        #expect(index.matches(text).map { names[$0] } == found)
    }

    @Test("a search among a hundred thousand products finds the right ones")
    func aHundredThousandProductsAreSearchedAsRightlyAsThree() {
        let products = (0..<100_000).map { number in
            Product(
                id: ProductID("p\(number)"), type: .consumable, displayName: "Thing \(number)",
                price: Money(milliunits: 990, currency: "USD"), priceLocale: "en_US")
        }
        let index = SearchIndex(products, revision: 1)
        #expect(index.matches("thing 99999") == [99_999])
        // The words need not be adjacent: "1234" begins ten numbers and ends nine more.
        #expect(index.matches("THING 1234").count == 20)
        #expect(index.matches("p1234 thing").count == 11)
        #expect(index.matches("thing").count == 100_000)
        #expect(index.matches("no such thing").isEmpty)
        var productList = ProductList(
            ProductsResponse(products: products, invalidProductIDs: [], catalogRevision: 1))
        productList.arrange(matches: index.matches("99999"), isCompact: false)
        #expect(productList.rows.count == 4)
    }

    @Test("the products below a row are counted without headings, gaps and the restore button")
    func productsBelow() {
        let state = SampleShop.full()
        let list = state.productList
        for row in 0...list.rows.count {
            let counted = list.rows[row...].count { if case .product = $0 { true } else { false } }
            #expect(list.productCount(fromRow: row) == counted, "row \(row)")
        }
    }
}
