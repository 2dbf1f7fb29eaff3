@testable import Shop
import ShopText
@testable import StoreModel
import Terminal
import Testing

/// The operator's keys for the selected sale and for marked ones, and sorted columns.
@Suite struct MarkedSalesTests {
    private static func sale(
        _ number: Int64, _ product: ProductID = "book.two", original: Int64? = nil
    ) -> StoreEvent.Change {
        var sale = PastSale(
            id: TransactionID(number), productID: product,
            type: product == "plus.month" ? .autoRenewable : .nonConsumable,
            price: Money(milliunits: 2990, currency: "USD"), payment: SampleShop.payment(3),
            device: "phone", purchasedAt: SampleShop.now, storefront: "USA")
        sale.originalID = TransactionID(original ?? number)
        return .sold(sale)
    }

    /// A log with these changes, the last one newest and selected.
    private static func shop(
        _ changes: [StoreEvent.Change], in view: ShopView = .console,
        _ change: (inout ShopState) -> Void = { _ in }
    ) -> ShopProbe {
        var state = SampleShop.full()
        change(&state)
        var probe = ShopProbe(state)
        probe.happen(.viewChosen(view))
        if view == .history { probe.happen(.logArrived(LogTests.newestEntries, LogPage())) }
        let events = changes.enumerated().reversed().map { number, change in
            LogTests.event(Int64(number + 1), change)
        }
        probe.happen(LogTests.page(view == .history ? .account : .store, events))
        return probe
    }

    private static func press(_ key: Character, _ probe: inout ShopProbe) -> [ShopEffect] {
        KeyMap.action(for: .character(key), in: probe.state).map { probe.happen($0) } ?? []
    }

    private static func footer(_ probe: ShopProbe, columns: Int = 160) -> String {
        var state = probe.state
        let size = Size(columns: columns, rows: 24)
        state.take([.resized], on: size)
        return Screens.draw(state, size).lines[23]
    }

    @Test("a sale that was refunded in full is not refunded again, until that is reversed")
    func refundedBefore() {
        func revision(_ kind: RevisionKind, _ share: Share?) -> StoreEvent.Change {
            .revised(
                PastRevision(
                    id: TransactionID(7), kind: kind, productID: "book.two",
                    revocation: share.map {
                        Revocation(
                            date: SampleShop.now, reason: .other, takenBack: $0, refunded: $0,
                            refundedMilliunits: 2990)
                    }))
        }
        let whole = revision(.refunded, .all)
        for (changes, isOffered) in [
            ([whole], false), ([revision(.refunded, Share(percent: 50))], true),
            ([whole, revision(.refundReversed, nil)], true),
        ] {
            // The sale is the oldest line.
            var probe = Self.shop([Self.sale(7)] + changes, in: .history)
            probe.happen(.selectionMoved(.last))
            #expect(Self.footer(probe).contains("$ refund") == isOffered)
            _ = Self.press("$", &probe)
            #expect((probe.state.sheet != nil) == isOffered)
            guard !isOffered else { continue }
            #expect(
                probe.state.statusMessage?.what == .refused(.alreadyRefunded(TransactionID(7))))
        }
    }

    @Test(
        "$, w, E and D ask about the selected sale, are named where they work, and No does nothing",
        arguments: [ShopView.console, .history])
    func keys(_ view: ShopView) {
        let sale = TransactionID(7)
        for (key, kind, action, hint, question) in [
            (
                "$", .refund, .refund(sale, .rest, reason: .other), "$ refund",
                "Refund Lantern Plus?"
            ),
            ("w", .renew, .renew(sale), "w renew now", "Renew Lantern Plus now?"),
            ("E", .expire, .expire(sale), "E end now", "End Lantern Plus now?"),
            (
                "D", .delete, .delete(sale, wholeChain: false), "D delete sale",
                "Delete the transaction of Lantern Plus?"
            ),
        ] as [(Character, OperatorAction.Kind, OperatorAction, String, String)] {
            var probe = Self.shop([Self.sale(7, "plus.month")], in: view)
            #expect(Self.footer(probe).contains(hint))
            let asked = Self.press(key, &probe)
            #expect(asked.isEmpty)
            guard case .question(let sheet)? = probe.state.sheet else {
                Issue.record("\(key) asks nothing")
                continue
            }
            #expect(sheet.subject.product == "plus.month" && !sheet.isConfirmChosen)
            for size in [Screens.usual, Screens.large] {
                #expect(Screens.draw(probe.state, size).text.contains(question), "\(question)")
            }
            #expect(probe.happen(.confirmed) == [])
            #expect(probe.state.sheet == nil)
            _ = Self.press(key, &probe)
            probe.happen(.choiceMoved(1))
            #expect(probe.happen(.confirmed) == [.perform(action)], "\(kind)")
        }
        // A book does not renew, and an event of no sale cannot be refunded.
        let book = Self.footer(Self.shop([Self.sale(7)], in: view))
        #expect(book.contains("$ refund") && !book.contains("w renew") && !book.contains("E end"))
        var other = Self.shop([.catalogRevised(revision: 2)], in: view)
        #expect(!Self.footer(other).contains("$ refund"))
        _ = Self.press("$", &other)
        #expect(other.state.sheet == nil)
        #expect(other.state.statusMessage?.what == .refused(.noTransaction(of: nil)))
    }

    @Test("Space marks sales; one question counts them, and all are acted on, each once")
    func marks() {
        // The newest two are the sale of a book and that it was finished.
        var probe = Self.shop([
            Self.sale(1), Self.sale(2, "book.one"), .catalogRevised(revision: 2), Self.sale(3),
            .finished(TransactionID(3)),
        ])
        for _ in 0..<5 { _ = Self.press(" ", &probe) }
        #expect(probe.state.statusMessage?.what == .refused(.noTransaction(of: nil)))
        #expect(probe.state.console.log.marked.count == 2, "the catalog's line is no sale")
        probe.happen(.selectionMoved(.down))
        for _ in 0..<2 { _ = Self.press(" ", &probe) }
        #expect(probe.state.console.log.marked.count == 4)
        // The details are of one line, which is the last one.
        var details = probe
        details.happen(.confirmed)
        #expect(details.state.screen == .details)
        #expect(details.state.sales(for: .refund).map(\.sale) == [TransactionID(1)])
        for size in [Screens.usual, Screens.large, Screens.smallest] {
            #expect(Screens.draw(probe.state, size).text.contains("4 marked"))
        }
        _ = Self.press("$", &probe)
        #expect(Screens.draw(probe.state, Screens.usual).text.contains("Refund 3 purchases?"))
        probe.happen(.choiceMoved(1))
        let refunds = ([3, 2, 1] as [Int64]).map {
            ShopEffect.perform(.refund(TransactionID($0), .rest, reason: .other))
        }
        let effects = probe.happen(.confirmed).filter { !$0.isQuery }
        #expect(effects == refunds)
        #expect(probe.state.console.log.marked.isEmpty)
    }

    @Test("a subscription of which several periods are marked is renewed once")
    func chains() {
        var probe = Self.shop([
            Self.sale(1, "plus.month"), Self.sale(2, "plus.month", original: 1), Self.sale(9),
        ])
        for _ in 0..<3 { _ = Self.press(" ", &probe) }
        #expect(probe.state.sales(for: .renew).map(\.sale) == [TransactionID(2)])
        #expect(probe.state.sales(for: .refund).count == 3)
    }

    @Test("Esc removes the marks first, then the filter; a mark is removed as it was made")
    func unmarking() {
        var probe = Self.shop([Self.sale(1), Self.sale(2)], in: .history)
        _ = Self.press(" ", &probe)
        probe.happen(.selectionMoved(.up))
        _ = Self.press(" ", &probe)
        #expect(probe.state.history.marked.isEmpty)
        _ = Self.press(" ", &probe)
        #expect(Self.footer(probe).contains("Esc unmark all"))
        probe.happen(.wentBack)
        #expect(probe.state.history.marked.isEmpty && probe.state.screen == .history)
        probe.happen(.wentBack)
        #expect(probe.state.screen == .list)
    }

    @Test("a customer's history has no operator's keys: none named, and none with an effect")
    func customers() {
        for isPresenting in [false, true] {
            var probe = Self.shop([Self.sale(7)], in: .history) {
                $0.shop.hasConsole = isPresenting
                $0.shop.isPresenting = isPresenting
            }
            #expect(!Self.footer(probe).contains("refund"))
            #expect(!Self.footer(probe).contains("mark"))
            for key in ["$", "w", "E", "D", " "] as [Character] {
                let effects = Self.press(key, &probe)
                #expect(effects.isEmpty && probe.state.sheet == nil)
                #expect(probe.state.history.marked.isEmpty)
            }
            for action in [ShopAction.helpToggled, .palette(.opened)] {
                var open = probe.state
                open.take([action], on: Screens.large)
                let text = Screens.draw(open, Screens.large).text
                #expect(!text.contains("delete sale") && !text.contains("renew now"), "\(text)")
            }
        }
    }

    // MARK: - Sorting

    @Test("S sorts the list by name and price, keeps the selection, and the heading says by which")
    func list() {
        var probe = ShopProbe(SampleShop.full())
        let own = probe.state.productList.rows
        let selected = probe.state.selectedProduct?.id
        func names() -> [String] {
            probe.state.productList.rows.indices.compactMap {
                probe.state.productList.product(at: $0)?.displayName
            }
        }
        for (sort, heading) in [(SortColumn.name, "NAME ↓"), (.price, "PRICE ↓")] {
            _ = Self.press("S", &probe)
            #expect(probe.state.list.sort == sort)
            #expect(probe.state.selectedProduct?.id == selected)
            for size in [Screens.usual, Screens.smallest, Screens.large] {
                var state = probe.state
                state.take([.resized], on: size)
                let lines = Screens.draw(state, size).lines
                #expect(lines.contains { $0.contains(heading) }, "\(lines)")
                #expect(!lines.contains { $0.contains("BOOKS") })
            }
            let products = probe.state.productList.rows.indices.compactMap {
                probe.state.productList.product(at: $0)
            }
            #expect(products.count == probe.state.productList.products.count)
            if sort == .price {
                let prices = products.map(\.price.milliunits)
                #expect(prices == prices.sorted())
            } else {
                #expect(names().map { $0.lowercased() } == names().map { $0.lowercased() }.sorted())
            }
        }
        _ = Self.press("S", &probe)
        #expect(probe.state.list.sort == nil && probe.state.productList.rows == own)
    }

    @Test("S sorts each section of the library by name, then from the latest purchase")
    func library() {
        var probe = ShopProbe(SampleShop.full())
        probe.happen(.viewChosen(.library))
        let own = probe.state.libraryRows
        _ = Self.press("S", &probe)
        let names = (probe.state.library.owned[.here] ?? []).map {
            probe.state.name(of: $0).lowercased()
        }
        #expect(names == names.sorted() && !names.isEmpty)
        #expect(probe.state.libraryRows.count == own.count)
        _ = Self.press("S", &probe)
        let days = (probe.state.library.owned[.here] ?? []).compactMap {
            probe.state.snapshot.latestDelivered[$0]?.purchasedAt
        }
        #expect(days == days.sorted(by: >))
        _ = Self.press("S", &probe)
        #expect(probe.state.libraryRows == own)
    }

    @Test("S sorts a log that is loaded to its end, and says why it does not sort another")
    func log() {
        var probe = Self.shop(
            [Self.sale(1), .finished(TransactionID(1)), Self.sale(2, "book.one")], in: .history)
        _ = Self.press("S", &probe)
        let order: [TransactionID?] = [TransactionID(2), TransactionID(1), TransactionID(1)]
        #expect(probe.state.history.lines.map(\.transaction) == order)
        #expect(Screens.draw(probe.state, Screens.usual).text.contains("by kind"))
        _ = Self.press("S", &probe)
        #expect(probe.state.history.sort == .name)
        _ = Self.press("S", &probe)
        #expect(probe.state.history.sort == nil)

        var long = ShopProbe()
        long.happen(.viewChosen(.history))
        long.happen(.logArrived(LogTests.newestEntries, LogPage()))
        let page = LogPage(
            events: LogTests.events(801...1000), next: FeedCursor(epoch: 1, position: 801))
        long.happen(.logArrived(LogTests.newest(.account), page))
        _ = Self.press("S", &long)
        #expect(long.state.history.sort == nil)
        #expect(long.state.statusMessage?.what == .refused(.logTooLong))
    }
}
