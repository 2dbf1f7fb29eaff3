@testable import Shop
import ShopText
import StoreModel
import Testing

/// The palette: its actions, and that it carries out only lines that the person has seen.
@Suite struct PaletteTests {
    /// A shop with a palette open over the list, and all its lines on the screen.
    private static func opened(_ product: ProductID, in state: ShopState = SampleShop.full())
        -> ShopProbe
    {
        var state = state
        state.list.selectedRow = state.productList.row(of: product) ?? 0
        var probe = ShopProbe(state)
        probe.happen(.palette(.opened))
        probe.viewport.entries = lines(probe)
        return probe
    }

    /// Some of the list's keys, then the operator's actions.
    private static func lines(_ probe: ShopProbe) -> [Entry] {
        let keys: [ShopAction] = [
            .buyChosen, .contentChosen(.deleteContent), .consoleToggled, .restoreChosen,
        ]
        let offers = palette(probe)?.actions ?? []
        return keys.enumerated().map {
            Entry(id: .key(.list, $0.offset), action: $0.element, row: $0.offset)
        }
            + offers.enumerated().map {
                Entry(id: .perform($0.element), row: keys.count + $0.offset)
            }
    }

    private static func palette(_ probe: ShopProbe) -> Palette? {
        if case .palette(let palette) = probe.state.sheet { palette } else { nil }
    }

    private static func choose(_ id: Entry.ID, in probe: inout ShopProbe) {
        probe.happen(.selectionMoved(.first))
        // A click on a line that is already chosen would carry it out.
        if probe.viewport.entries.first?.id != id { probe.happen(.palette(.pointed(id))) }
    }

    private static let sale = TransactionID(1_000_001)

    @Test("the palette opens on every screen and in no sheet, search or help")
    func thePaletteOpensOnScreensOnly() {
        var probe = ShopProbe()
        for screen in [ShopAction.shown, .confirmed, .viewChosen(.console)] {
            probe.happen(screen)
            probe.happen(.palette(.opened))
            #expect(probe.state.focus == .palette)
            probe.happen(.wentBack)
            #expect(probe.state.sheet == nil)
        }
        probe.happen(.console(.toggled(.failures)))
        probe.send(.palette(.opened))
        probe.happen(.wentBack)
        probe.happen(.helpToggled)
        probe.send(.palette(.opened))
        probe.happen(.helpToggled)
        probe.happen(.searchOpened)
        probe.send(.palette(.opened))
    }

    @Test("every kind of operator action is offered, each under its kind and none twice")
    func everyKindIsOffered() throws {
        var state = SampleShop.full()
        state.console.requests = [
            SampleShop.request(11, of: "theme.sepia", in: state),
            SampleShop.request(12, of: "theme.sepia", in: state, reason: .interrupted),
        ]
        state.faults = [Fault(id: 1, call: .purchase, error: .networkError, remaining: 1)]
        state.console.releases = [try #require(SampleShop.release(of: "book.one", .ready))]
        for view in ShopView.allCases {
            var empty = SampleShop.empty()
            empty.list.selectedRow = empty.productList.rows.count - 1
            for var shop in [state, empty] {
                shop.navigation.show(view)
                let offers = shop.operatorOffers()
                let gaps = shop.operatorGaps()
                // Without a selection, an action is listed with the reason why it is impossible.
                let kinds = Set(offers.map(\.kind)).union(gaps.map(\.kind))
                #expect(kinds == Set(OperatorAction.Kind.allCases), "\(view)")
                #expect(Set(offers.map(\.kind)).isDisjoint(with: gaps.map(\.kind)))
            }
        }
        var offered: [OperatorAction] = []
        for product in ["book.one", "plus.month", "pass.season"] as [ProductID] {
            state.list.selectedRow = state.productList.row(of: product) ?? 0
            let offers = state.operatorOffers()
            #expect(Set(offers).count == offers.count)
            offered += offers
        }
        #expect(Set(offered.map(\.kind)) == Set(OperatorAction.Kind.allCases))
        #expect(offered.contains(.refund(TransactionID(1_000_020), .prorated, reason: .other)))
        #expect(offered.contains(.setAutoRenew(TransactionID(1_000_020), false)))
        #expect(offered.contains(.delete(TransactionID(1_000_020), wholeChain: true)))
        #expect(!offered.contains(.refund(Self.sale, .prorated, reason: .other)))
        state.shop.hasConsole = false
        #expect(state.operatorOffers().isEmpty)
    }

    @Test("the newest release of each package is offered every state that it does not have")
    func packagesAreOffered() throws {
        var probe = ShopProbe(SampleShop.full())
        probe.happen(.list(.pointed(row: probe.state.productList.row(of: "book.one") ?? 0)))
        func offers() -> [OperatorAction] {
            probe.state.operatorOffers().filter { $0.kind == .package }
        }
        #expect(offers().isEmpty)
        #expect(probe.state.operatorGaps().contains(.init(kind: .package, reason: .onCommandLine)))
        let older = try #require(SampleShop.release(of: "book.one", .approved))
        let newest = try #require(
            SampleShop.release(of: "book.one", version: "1.4", .inTest))
        let pictures = try #require(
            SampleShop.release(of: "book.one", contentID: "pictures", .approved))
        let other = try #require(SampleShop.release(of: "book.two", .ready))
        probe.happen(.console(.packagesArrived([older, pictures, newest, other])))
        func setting(_ release: PackageRelease, _ states: [PackageState]) -> [OperatorAction] {
            states.map {
                .package(
                    .setState(
                        "book.one", contentID: release.contentID, version: release.version, $0))
            }
        }
        #expect(
            offers() == setting(pictures, [.uploaded, .validated, .ready, .inTest])
                + setting(newest, [.uploaded, .validated, .ready, .approved]))
    }

    @Test("a line without anything to act on says what is missing, and does nothing")
    func gapsSayWhy() {
        var state = SampleShop.full()
        state.list.selectedRow = state.productList.rows.count - 1
        var probe = ShopProbe(state)
        for (product, kind, reason) in [
            (nil, .refund, .noTransaction(of: nil)), (nil, .renew, .noSubscriptionSelected),
            (nil, .publish, .noProductSelected), (nil, .approve, .nothingWaiting),
            (nil, .clearFault, .noFaults),
            ("book.three", .delete, .noTransaction(of: "Book three")),
            ("book.one", .extend, .noSubscriptionSelected),
        ] as [(ProductID?, OperatorAction.Kind, Refusal)] {
            if let product {
                probe.happen(.list(.pointed(row: probe.state.productList.row(of: product) ?? 0)))
            }
            probe.happen(.palette(.opened))
            let line = Entry(id: .missing(kind), row: 0)
            var wanted = reason
            if case .noTransaction(_?) = reason, let product {
                wanted = .noTransaction(of: probe.state.name(of: product))
            }
            #expect(probe.state.refusal(of: line) == .shop(wanted), "\(kind)")
            probe.viewport.entries = [line]
            #expect(probe.happen(.confirmed) == [])
            #expect(probe.state.statusMessage?.what == .refused(wanted))
            #expect(Self.palette(probe) != nil)
            probe.happen(.wentBack)
        }
    }

    @Test("on a line of the console or the history the actions are about its transaction")
    func linesAreSubjects() throws {
        let sale = PastSale(
            id: TransactionID(1_000_044), productID: "plus.month", type: .autoRenewable,
            price: Money(milliunits: 4990, currency: "USD"), payment: SampleShop.payment(3),
            device: "tablet", purchasedAt: SampleShop.now, storefront: "USA")
        var event = LogTests.event(9, .sold(sale))
        event.account = "kai"
        let lines = LogTests.page(.store, [event])
        let own = LogTests.page(.account, [LogTests.event(9, .sold(sale))])
        let views: [(ShopView, ShopAction, AccountName)] = [
            (.console, lines, "kai"), (.history, own, "aoi"),
        ]
        for (view, page, account) in views {
            for isOpen in [false, true] {
                var probe = ShopProbe(SampleShop.full())
                probe.happen(.viewChosen(view))
                if view == .history {
                    probe.happen(.logArrived(LogTests.newestEntries, LogPage()))
                }
                probe.happen(page)
                if isOpen { probe.happen(.confirmed) }
                #expect((probe.state.screen == .details) == isOpen)
                let offers = probe.state.operatorOffers()
                for wanted in [
                    .refund(sale.id, .rest, reason: .other), .revoke(sale.id),
                    .reverseRefund(sale.id), .delete(sale.id, wholeChain: true),
                    .declineRefund(sale.id), .expire(sale.id), .setAutoRenew(sale.id, false),
                    .buyOutside("plus.month", account: account, quantity: 1),
                ] as [OperatorAction] {
                    #expect(offers.contains(wanted), "\(view) \(wanted)")
                }
                probe.happen(.palette(.opened))
                #expect(Self.palette(probe)?.subject?.account == account)
            }
        }
    }

    @Test("what was refunded since the shop was opened can be given back")
    func aRefundCanBeReversed() {
        var probe = ShopProbe()
        probe.happen(.list(.pointed(row: probe.state.productList.row(of: "theme.sepia") ?? 0)))
        func reversals() -> [OperatorAction] {
            probe.state.operatorOffers().filter { $0.kind == .reverseRefund }
        }
        #expect(reversals().isEmpty)
        probe.happen(
            .updateArrived(
                .revised(SampleShop.payload("theme.sepia", 7), .refunded, signed: "a.b.c")))
        #expect(reversals() == [.reverseRefund(TransactionID(7))])
        probe.happen(
            .updateArrived(
                .event(.deleted(TransactionID(7), productID: "theme.sepia", revision: 1))))
        #expect(reversals().isEmpty)
    }

    @Test("each time the palette opens, the store is asked what it would refuse")
    func refusalsAreAskedEachTime() throws {
        var probe = Self.opened("book.one")
        let palette = try #require(Self.palette(probe))
        let asked = palette.actions.filter(\.mayBeRefused)
        #expect(asked.contains(.reverseRefund(Self.sale)))
        let refused = OperatorAction.reverseRefund(Self.sale)
        let error = StoreError(.notRevoked, transactionID: Self.sale)
        let lines = Self.lines(probe)
        probe.send(.refusalsFound([refused: error], asked: asked)) {
            guard case .palette(var palette) = $0.sheet else { return }
            palette.list.pin(lines)
            palette.refusals = [refused: error]
            $0.sheet = .palette(palette)
        }
        Self.choose(.perform(refused), in: &probe)
        #expect(probe.happen(.confirmed) == [])
        #expect(probe.state.statusMessage?.what == .trouble(error))
        #expect(Self.palette(probe) != nil)
        probe.happen(.wentBack)
        #expect(probe.happen(.palette(.opened)) == [.findRefusals(asked)])
        #expect(Self.palette(probe)?.refusals == [:])
        // An answer that was asked for by an earlier palette is not shown in this one.
        probe.happen(.refusalsFound([refused: error], asked: []))
        #expect(Self.palette(probe)?.refusals == [:])
    }

    @Test("Enter carries out an action of the operator and closes the palette")
    func enterPerforms() {
        var probe = Self.opened("book.one")
        Self.choose(.perform(.clock(.stop)), in: &probe)
        #expect(probe.happen(.confirmed) == [.perform(.clock(.stop))])
        #expect(probe.state.sheet == nil)
    }

    @Test("a refund, a revocation and a deletion ask first, and only a second Enter does them")
    func destructiveActionsAsk() throws {
        let actions: [OperatorAction] = [
            .refund(Self.sale, .rest, reason: .other), .revoke(Self.sale),
            .delete(Self.sale, wholeChain: false),
        ]
        for action in actions {
            var probe = Self.opened("book.one")
            Self.choose(.perform(action), in: &probe)
            #expect(probe.happen(.confirmed) == [])
            #expect(Self.palette(probe)?.asking == .perform(action))
            // Esc closes only the question.
            probe.happen(.wentBack)
            #expect(Self.palette(probe)?.asking == nil && Self.palette(probe) != nil)
            #expect(probe.happen(.confirmed) == [])
            // A movement and a letter close it, too.
            probe.happen(.selectionMoved(.up))
            probe.happen(.selectionMoved(.down))
            #expect(probe.happen(.confirmed) == [])
            #expect(probe.happen(.confirmed) == [.perform(action)])
            #expect(probe.state.sheet == nil)
        }
        var probe = Self.opened("book.one")
        Self.choose(.key(.list, 1), in: &probe)
        // Deleting content asks on a sheet, from every screen.
        #expect(probe.happen(.confirmed) == [])
        #expect(probe.state.sheet == .question(QuestionSheet(.deleteContent("book.one"))))
    }

    @Test("buying from the palette only opens the payment sheet, with Cancel chosen")
    func buyingOnlyOpensTheSheet() throws {
        var probe = Self.opened("coins.10")
        Self.choose(.key(.list, 0), in: &probe)
        #expect(probe.happen(.confirmed) == [])
        guard case .payment(let sheet) = probe.state.sheet else {
            Issue.record("no payment sheet")
            return
        }
        #expect(sheet.product.id == "coins.10" && !sheet.isConfirmChosen)
    }

    @Test("a line that the shop would refuse says why and does nothing")
    func refusedLinesSayWhy() {
        var probe = Self.opened("book.one")
        let name = probe.state.name(of: "book.one")
        let line = Entry(id: .key(.list, 0), action: .buyChosen, row: 0)
        #expect(probe.state.refusal(of: line) == .shop(.alreadyOwned(name: name)))
        Self.choose(line.id, in: &probe)
        #expect(probe.happen(.confirmed) == [])
        #expect(probe.state.statusMessage?.what == .refused(.alreadyOwned(name: name)))
        #expect(Self.palette(probe) != nil)
        Self.choose(.perform(.clearFaults), in: &probe)
        #expect(probe.happen(.confirmed) == [])
        #expect(probe.state.statusMessage?.what == .refused(.noFaults))
        probe.happen(.wentBack)
        probe.happen(.selectionMoved(.last))
        probe.happen(.palette(.opened))
        #expect(probe.state.refusal(of: line) == .shop(.noProductSelected))
    }

    @Test("the line that is shown as chosen stays chosen, and Enter does nothing if it is gone")
    func theChosenLineStays() {
        var probe = Self.opened("book.one")
        let all = probe.viewport.entries
        probe.viewport.entries = Array(all.filter { $0.id == .perform(.clock(.stop)) } + all)
        probe.happen(.deviceChanged)
        probe.viewport.entries.removeFirst()
        #expect(probe.happen(.confirmed) == [.perform(.clock(.stop))])

        probe = Self.opened("book.one")
        probe.viewport.entries = all.filter { $0.id == .perform(.clock(.stop)) } + all.prefix(1)
        probe.happen(.deviceChanged)
        probe.viewport.entries.removeFirst()
        #expect(probe.happen(.confirmed) == [])
        #expect(Self.palette(probe) != nil)
        // The next movement chooses the first line again.
        probe.happen(.selectionMoved(.down))
        #expect(probe.happen(.palette(.pointed(all[0].id))) == [])
        #expect(probe.state.statusMessage != nil)
    }

    @Test("the palette closes when its product is not for sale any more")
    func thePaletteClosesWithItsProduct() {
        var probe = Self.opened("book.one")
        var response = SampleShop.response(revision: 2)
        response.products.removeAll { $0.id == "book.one" }
        probe.happen(.productsArrived(response))
        #expect(probe.state.sheet == nil)
    }

    // MARK: - Outcomes

    @Test("what an action did is announced, and console and account are queried")
    func outcomesAreAnnounced() {
        var probe = ShopProbe()
        let outcome = OperatorOutcome(action: .clock(.stop), events: [])
        probe.send(.operatorPerformed(outcome), [.refreshConsole, .refreshAccount]) {
            $0.announces(.performed(outcome))
        }
    }

    @Test("the palette turns payment sheets around, and offers the locales that are not set")
    func dialogsAndLocales() {
        func offered(_ settings: AccountSettings) -> [AccountChange] {
            var probe = ShopProbe()
            probe.happen(.updateArrived(.event(.accountChanged(settings))))
            return probe.state.operatorOffers().compactMap {
                guard case .changeAccount(let change) = $0 else { return nil }
                return change.locale == nil && change.disablesDialogs == nil ? nil : change
            }
        }
        var settings = SampleShop.settings()
        #expect(
            offered(settings) == [
                .init(account: "aoi", disablesDialogs: true),
                .init(account: "aoi", locale: "en_US"),
                .init(account: "aoi", locale: "ja_JP"),
            ])
        settings.disablesDialogs = true
        settings.locale = "ja_JP"
        #expect(
            offered(settings) == [
                .init(account: "aoi", disablesDialogs: false),
                .init(account: "aoi", locale: "en_US"), .init(account: "aoi", locale: ""),
            ])
    }
}
