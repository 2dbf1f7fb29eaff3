@testable import Shop
import ShopText
@testable import StoreModel
import Testing

/// Restoring, downloads, and queries.
@Suite struct OwningTests {
    // MARK: - Restoring

    @Test("while a restore is under way, another one is refused")
    func restoringTwiceAsksOnce() {
        var probe = ShopProbe()
        probe.send(.restoreChosen, [.restore]) {
            $0.purchasing.isRestoring = true
            $0.announces(.restoring)
        }
        probe.send(.restoreChosen) { $0.announces(.refused(.alreadyRestoring)) }
        probe.happen(.selectionMoved(.last))
        probe.send(.confirmed)
    }

    struct Restored: Sendable {
        var restored: [ProductID]
        var alreadyHere: [ProductID]
        var unverified: Int
        var count: Int
        var hereCount: Int
        var toDownload = 0
    }

    @Test(
        "the result of a restore is announced with its numbers [A3]",
        arguments: [
            Restored(
                restored: ["book.one", "theme.night", "book.one"], alreadyHere: ["theme.sepia"],
                unverified: 1, count: 2, hereCount: 1, toDownload: 1),
            Restored(
                restored: [], alreadyHere: ["book.one"], unverified: 0, count: 0, hereCount: 1),
            Restored(
                restored: ["theme.night"], alreadyHere: [], unverified: 0, count: 1, hereCount: 0),
            Restored(restored: [], alreadyHere: [], unverified: 0, count: 0, hereCount: 0),
        ])
    func restoringEndsWithItsCounts(_ row: Restored) {
        var probe = ShopProbe()
        probe.happen(.restoreChosen)
        let summary = RestoreSummary(
            restored: row.restored.map { SampleShop.payload($0, 1) },
            alreadyHere: row.alreadyHere.map { SampleShop.payload($0, 2) },
            unverifiedCount: row.unverified)
        probe.send(.restoreEnded(summary), [.refreshAccount]) {
            $0.purchasing.isRestoring = false
            $0.purchasing.restored = Set(row.restored)
            $0.announces(
                .restored(
                    count: row.count, alreadyHere: row.hereCount, unverified: row.unverified,
                    toDownload: row.toDownload))
        }
        probe.send(.restoreChosen, [.restore]) {
            $0.purchasing.isRestoring = true
            $0.announces(.restoring)
        }
    }

    @Test("a failed restore can be tried again [A3]")
    func restoringThatFailsCanBeTriedAgain() {
        var probe = ShopProbe()
        probe.happen(.restoreChosen)
        let error = StoreError(.networkError)
        probe.send(.restoreFailed(error), [.refreshAccount]) {
            $0.purchasing.isRestoring = false
            $0.announces(.restoreFailed(error))
        }
        #expect(probe.happen(.restoreChosen) == [.restore])
    }

    @Test("Enter on the last row restores [B6]")
    func theLastRowRestores() {
        var probe = ShopProbe()
        probe.happen(.selectionMoved(.last))
        probe.send(.confirmed, [.restore]) {
            $0.purchasing.isRestoring = true
            $0.announces(.restoring)
        }
    }

    // MARK: - Downloads

    enum Press: Sendable { case toggle, cancel, delete }

    @Test(
        "each download key acts on a download in the right states, and is refused in others [A9]",
        arguments: [
            ("book.one", Press.toggle, nil, .refused(.nothingDownloading)),
            (
                "book.two", .toggle, .content(.pauseDownloads, "book.two"),
                .content(.pauseDownloads, name: "")
            ),
            ("book.three", .toggle, nil, .refused(.nothingDownloading)),
            (
                "book.four", .toggle, .content(.resumeDownloads, "book.four"),
                .content(.resumeDownloads, name: "")
            ),
            (
                "book.five", .toggle, .content(.resumeDownloads, "book.five"),
                .content(.resumeDownloads, name: "")
            ),
            (
                "book.six", .toggle, .content(.resumeDownloads, "book.six"),
                .content(.resumeDownloads, name: "")
            ),
            ("book.one", .cancel, nil, .refused(.nothingToCancel)),
            (
                "book.two", .cancel, .content(.cancelDownloads, "book.two"),
                .content(.cancelDownloads, name: "")
            ),
            (
                "book.four", .cancel, .content(.cancelDownloads, "book.four"),
                .content(.cancelDownloads, name: "")
            ),
            (
                "book.five", .cancel, .content(.cancelDownloads, "book.five"),
                .content(.cancelDownloads, name: "")
            ),
            ("book.six", .cancel, nil, .refused(.nothingToCancel)),
            (
                "book.one", .delete, .content(.deleteContent, "book.one"),
                .content(.deleteContent, name: "")
            ),
            ("book.two", .delete, nil, .refused(.noContentHere)),
            ("book.six", .delete, nil, .refused(.noContentHere)),
            ("theme.night", .delete, nil, .refused(.noContentHere)),
        ] as [(ProductID, Press, ShopEffect?, StatusText)])
    func whatAKeyDoesToADownload(
        _ product: ProductID, _ press: Press, _ effect: ShopEffect?,
        _ message: StatusText
    ) throws {
        for isOnPage in [false, true] {
            var probe = ShopProbe(SampleShop.full())
            if isOnPage {
                probe.open(product)
            } else if let row = probe.state.productList.row(of: product) {
                if row != probe.state.list.selectedRow { probe.happen(.list(.pointed(row: row))) }
            }
            let name = try probe.state.product(product).displayName
            let action: ShopAction =
                switch press {
                case .toggle: .downloadToggled
                case .cancel: .contentChosen(.cancelDownloads)
                case .delete: .contentChosen(.deleteContent)
                }
            if effect != nil, press != .toggle {
                // The question opens with No chosen, and has no effect before Yes.
                let asked = probe.happen(action)
                #expect(asked == [], "\(product)")
                #expect(probe.happen(.confirmed) == [] && probe.state.sheet == nil)
                probe.happen(action)
                probe.happen(.choiceMoved(1))
            }
            let isAsked = probe.state.sheet != nil
            probe.send(isAsked ? .confirmed : action, effect.map { [$0] } ?? []) {
                $0.sheet = nil
                if case .content(.resumeDownloads, _, _)? = effect {
                    $0.library.asked[product] = AskedDownload()
                }
                let expected: StatusText =
                    switch message {
                    case .content(let operation, name: _): .content(operation, name: name)
                    default: message
                    }
                $0.announces(expected)
            }
        }
    }

    @Test("the buttons of the page do the same as the keys")
    func theButtonsOfThePageDoTheSame() {
        for (product, button, effect) in [
            ("book.two", 0, ShopEffect.content(.pauseDownloads, "book.two")),
            ("book.two", 1, .content(.cancelDownloads, "book.two")),
            ("book.four", 0, .content(.resumeDownloads, "book.four")),
            ("book.six", 0, .content(.resumeDownloads, "book.six")),
            ("book.one", 2, .content(.deleteContent, "book.one")),
            ("theme.paper", 0, .restore),
        ] as [(ProductID, Int, ShopEffect)] {
            var probe = ShopProbe(SampleShop.full())
            probe.open(product)
            var effects = probe.happen(.page(.pressed(button: button)))
            if probe.state.sheet != nil {
                effects += probe.happen(.questionSheet(.pressed(button: 1)))
            }
            #expect(effects == [effect], "\(product) \(button)")
        }
    }

    @Test("a download that waits for free space is announced, and can be resumed [A9]")
    func waitingForRoom() {
        var probe = ShopProbe(SampleShop.full())
        probe.elapsed = StatusMessage.lasting
        probe.happen(.messageFaded)
        probe.refresh {
            $0.downloads["book.two"]?.state = .waiting
            $0.downloads["book.two"]?.error = StoreError(.deviceFull)
        }
        let name = "The Lighthouse, part two"
        #expect(probe.state.statusMessage?.what == .downloadWaits(name: name, .room(nil)))
        probe.open("book.two")
        #expect(probe.happen(.page(.pressed(button: 0))).isEmpty)
        #expect(
            probe.happen(.questionSheet(.pressed(button: 1))) == [.content(.makeRoom, "book.two")])
    }

    @Test("only messages that the history has are counted when others take their place")
    func countedMessages() {
        let error = StoreError(.paymentDeclined)
        for (what, isCounted) in [
            (.downloaded(name: "A"), true), (.pending(name: "A", .askToBuy), true),
            (.failed(name: "A", error), true),
            (.failed(name: "A", StoreError(.networkError)), false),
            (.downloadFailed(name: "A", .networkIsOff), false),
            (.downloadFailed(name: "A", StoreError(.contentMismatch)), true),
            (.network(isOn: false), false), (.refused(.nothingToCancel), false),
            (.copied(.identifier("1")), false), (.trouble(error), false),
            (.settings(.settingsFaulty(1)), false),
        ] as [(StatusText, Bool)] {
            var state = SampleShop.empty()
            let moment = ShopMoment(
                now: SampleShop.now, paymentID: SampleShop.payment(0), viewport: Viewport())
            state.statusMessage = nil
            _ = state.announce(what, moment)
            _ = state.announce(.copied(.identifier("2")), moment)
            #expect(state.statusMessage?.replaced == (isCounted ? 1 : 0), "\(what)")
        }
    }

    @Test("trouble of the device is counted because it is logged, and a refused key is not")
    func loggedTrouble() {
        for (update, count) in [(true, 1), (false, 0)] {
            var probe = ShopProbe()
            probe.happen(
                update
                    ? .updateArrived(.trouble(StoreError(.storeBusy), ended: false))
                    : .attemptFailed(StoreError(.storeBusy)))
            probe.happen(.catalogRefused(problem: "a"))
            #expect(probe.state.statusMessage?.replaced == count)
        }
    }

    @Test("a message fades after six seconds, and one that is replaced before is counted")
    func messagesFade() {
        var probe = ShopProbe()
        probe.happen(.catalogRefused(problem: "a"))
        probe.elapsed = .seconds(5)
        probe.happen(.messageFaded)
        #expect(probe.state.statusMessage?.what == .catalogRefused(problem: "a"))
        probe.happen(.catalogRefused(problem: "b"))
        #expect(probe.state.statusMessage?.replaced == 1)
        probe.elapsed = .seconds(10)
        probe.happen(.messageFaded)
        #expect(probe.state.statusMessage?.what == .catalogRefused(problem: "b"))
        probe.elapsed = .seconds(11)
        probe.happen(.messageFaded)
        #expect(probe.state.statusMessage == nil)
        probe.happen(.catalogRefused(problem: "b"))
        #expect(probe.state.statusMessage?.replaced == 0)
    }

    @Test("a download that ends while its purchase is announced is part of that message")
    func aPurchaseStaysInSightWhenItsDownloadEnds() throws {
        var probe = ShopProbe(SampleShop.full())
        guard case .bought(let before)? = probe.state.statusMessage?.what else {
            Issue.record("\(String(describing: probe.state.statusMessage))")
            return
        }
        #expect(before.content == .none)
        probe.refresh { $0.downloads["book.two"]?.state = .finished }
        guard case .bought(let after)? = probe.state.statusMessage?.what else {
            Issue.record("\(String(describing: probe.state.statusMessage))")
            return
        }
        #expect(after.content == .downloaded && after.name == before.name)
    }

    @Test(
        "the end of a download is announced once",
        arguments: [
            (
                Download.State.finished,
                StatusText.downloaded(name: "The Lighthouse, part two")
            ),
            (
                .failed,
                .downloadFailed(name: "The Lighthouse, part two", StoreError(.networkError))
            ),
        ])
    func theEndOfADownloadIsAnnounced(_ end: Download.State, _ message: StatusText) {
        var probe = ShopProbe(SampleShop.full())
        probe.elapsed = StatusMessage.lasting
        probe.happen(.messageFaded)
        var snapshot = probe.state.snapshot
        snapshot.downloads["book.two"]?.state = end
        if end == .failed {
            snapshot.downloads["book.two"]?.error = StoreError(.networkError)
        }
        probe.happen(.accountArrived(snapshot))
        #expect(probe.state.statusMessage?.what == message)
        let announced = probe.state.statusMessage
        probe.happen(.accountArrived(snapshot))
        #expect(probe.state.statusMessage == announced)
    }

    @Test("downloads that a later snapshot brings are no news of this shop")
    func downloadsFromElsewhereAreSilent() {
        var probe = ShopProbe()
        probe.happen(.accountArrived(SampleShop.snapshot))
        #expect(probe.state.statusMessage == nil)
    }

    @Test("a purchase whose download waits at once says for whom, and not that it is downloading")
    func boughtAndWaiting() {
        var probe = ShopProbe(SampleShop.full())
        guard case .bought(var bought)? = probe.state.statusMessage?.what else {
            Issue.record("\(String(describing: probe.state.statusMessage))")
            return
        }
        bought.content = .downloading
        var snapshot = probe.state.snapshot
        let download = snapshot.downloads.removeValue(forKey: "book.two")
        probe.happen(.accountArrived(snapshot))
        var state = probe.state
        state.statusMessage?.what = .bought(bought)
        probe = ShopProbe(state)
        snapshot.downloads["book.two"] = download
        snapshot.downloads["book.two"]?.state = .waiting
        snapshot.downloads["book.two"]?.needsConsent = true
        probe.happen(.accountArrived(snapshot))
        bought.content = .waiting(.consent(bytes: download?.expected ?? 0))
        #expect(probe.state.statusMessage?.what == .bought(bought))
    }

    // MARK: - Queries

    @Test("downloads that an earlier shop began are announced when the store is open")
    func downloadsGoOn() throws {
        let (response, full) = (SampleShop.response(), SampleShop.snapshot)
        for isListFirst in [true, false] {
            var probe = ShopProbe(ShopState(shop: SampleShop.identity()))
            probe.happen(.opened(SampleShop.settings(), holdsLease: true))
            let answers: [ShopAction] = [.productsArrived(response), .accountArrived(full)]
            for answer in isListFirst ? answers : answers.reversed() { probe.happen(answer) }
            let name = probe.state.name(of: "book.two")
            #expect(probe.state.statusMessage?.what == .content(.resumeDownloads, name: name))
        }
    }

    @Test("a thousand updates cause one query, and one more after it")
    func aThousandUpdatesCauseOneQuery() {
        var probe = ShopProbe()
        var effects: [ShopEffect] = []
        for number in 0..<250 {
            effects += probe.happen(.deviceChanged)
            effects += probe.happen(.updateArrived(.event(.finished(TransactionID(Int64(number))))))
            effects += probe.happen(.arrived("coins.10", Int64(number)))
            effects += probe.happen(
                .updateArrived(.event(.claimed(TransactionID(Int64(number)), by: "tablet"))))
        }
        #expect(effects == [.refreshAccount])
        // The changes that came meanwhile cause one query, and no more afterwards.
        probe.send(.accountArrived(AccountSnapshot()), [.refreshAccount]) {
            $0.snapshot = AccountSnapshot()
        }
        probe.send(.accountArrived(AccountSnapshot()))
        probe.send(.deviceChanged, [.refreshAccount])
    }

    @Test(
        "a query that is asked for while it runs follows once",
        arguments: [ShopEffect.loadProducts, .refreshAccount, .refreshConsole])
    func aQueryAskedForWhileItRunsFollowsOnce(_ query: ShopEffect) {
        var queries = PendingQueries()
        #expect(queries.ask(query) == [query])
        #expect(queries.ask(query) == [])
        #expect(queries.ask(query) == [])
        #expect(queries.ended(query) == [query])
        #expect(queries.ended(query) == [])
        #expect(queries == PendingQueries())
        #expect(queries.ask(query) == [query])
    }

    @Test("a failed query is announced and can be asked for again")
    func aFailedQueryIsAnnouncedAndCanBeAskedForAgain() {
        let error = StoreError(.storeBusy)
        for (ask, fail, query) in [
            (ShopAction.shown, ShopAction.productsFailed(error), ShopEffect.loadProducts),
            (.deviceChanged, .accountFailed(error), .refreshAccount),
            (
                .operatorRefused(.clock(.next), StoreError(.nothingDue)),
                .consoleFailed(error), .refreshConsole
            ),
        ] {
            var probe = ShopProbe()
            #expect(probe.happen(ask) == [query])
            probe.send(fail) { $0.announces(.trouble(error)) }
            #expect(probe.happen(ask) == [query])
        }
    }

    @Test("an account that needs a newer program says so until it can be read")
    func newerProgram() {
        var probe = ShopProbe()
        _ = probe.happen(.deviceChanged)
        _ = probe.happen(.accountFailed(StoreError(.storeBusy)))
        #expect(!probe.state.needsNewerProgram)
        _ = probe.happen(.deviceChanged)
        _ = probe.happen(.accountFailed(StoreError(.storeNewer, subject: "a fact about me")))
        #expect(probe.state.needsNewerProgram)
        _ = probe.happen(.accountArrived(AccountSnapshot()))
        #expect(!probe.state.needsNewerProgram)
    }

    @Test("a page asks for its sale once, also when it is opened again, and anew in another store")
    func pageAsksOnce() {
        var probe = ShopProbe()
        var snapshot = probe.state.snapshot
        snapshot.latestDelivered["book.one"] = .init(
            transactionID: TransactionID(7), purchasedAt: SampleShop.now)
        probe.happen(.accountArrived(snapshot))
        let asked = ShopEffect.readSale(TransactionID(7), of: "book.one")
        probe.open("book.one")
        #expect(probe.state.page.askedSale == TransactionID(7))
        let sale = PastSale(
            id: TransactionID(7), productID: "book.one", type: .nonConsumable,
            price: Money(milliunits: 990, currency: "USD"), reason: .purchase,
            purchasedAt: SampleShop.now, storefront: "USA")
        probe.happen(.page(.saleArrived(sale)))
        probe.happen(.wentBack)
        #expect(!probe.happen(.confirmed).contains(asked))
        #expect(probe.state.screen == .product("book.one"))
        #expect(probe.state.page.sales[TransactionID(7)] == sale)
        probe.happen(.attemptFailed(StoreError(.storeReplaced)))
        #expect(probe.state.page.sales.isEmpty)
    }
}
