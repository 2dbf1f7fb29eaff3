@testable import ShopCore
import ShopTestSupport
import StoreModel
import Testing

/// The operator's console, and what the store and the device report unasked.
@Suite struct ConsoleTests {
    private func console(_ requests: [Int64] = []) -> ShopProbe {
        var probe = ShopProbe()
        probe.happen(.consoleToggled)
        probe.happen(
            .consoleArrived(
                requests: requests.map {
                    SampleShop.request($0, of: "theme.sepia", in: probe.state)
                }, faults: [], settings: SampleShop.settings()))
        return probe
    }

    // MARK: - Requests

    @Test("approving or declining answers the chosen request")
    func theChosenRequestIsAnswered() throws {
        for (key, make) in [
            (ShopAction.console(.requestApproved), { ShopEffect.approve($0) }),
            (.console(.requestDeclined), { ShopEffect.decline($0) }),
        ] as [(ShopAction, (ApprovalRequest) -> ShopEffect)] {
            var probe = console([11, 12, 13])
            probe.send(.selectionMoved(.down)) { $0.console.chosenRequest = 1 }
            let request = try #require(probe.state.chosenRequest)
            #expect(request.number == TransactionID(12))
            probe.send(key, [make(request)]) { $0.console.answering = request.number }
        }
    }

    /// Also: after somebody else answered the chosen request, none is chosen.
    @Test("holding the key down answers one request")
    func aHeldKeyAnswersOneRequest() throws {
        var probe = console([11, 12, 13])
        let request = try #require(probe.state.chosenRequest)
        probe.happen(.console(.requestApproved))
        for _ in 0..<50 { #expect(probe.happen(.console(.requestApproved)) == []) }
        probe.happen(
            .consoleArrived(
                requests: [12, 13].map {
                    SampleShop.request($0, of: "theme.sepia", in: probe.state)
                },
                faults: [], settings: SampleShop.settings()))
        #expect(request.number == TransactionID(11))
        #expect(probe.state.chosenRequest?.number == TransactionID(12))
        probe.happen(
            .consoleArrived(
                requests: [SampleShop.request(13, of: "theme.sepia", in: probe.state)],
                faults: [], settings: SampleShop.settings()))
        probe.happen(.console(.requestApproved))
        #expect(probe.state.statusMessage?.what == .refused(.nothingWaiting))
        probe.happen(.selectionMoved(.down))
        #expect(probe.state.chosenRequest?.number == TransactionID(13))
    }

    @Test("approving without a request says that none waits")
    func approvingWithoutARequestSaysSo() {
        var probe = console()
        probe.send(.console(.requestApproved)) { $0.announces(.refused(.nothingWaiting)) }
        probe.happen(.helpToggled)
        probe.send(.console(.requestDeclined))
    }

    @Test("the chosen request stays chosen, and none is chosen if it is gone")
    func theChosenRequestStaysChosen() {
        var probe = console([11, 12, 13])
        probe.happen(.selectionMoved(.down))
        for (left, chosen) in [
            ([12, 13], 0), ([10, 11, 12], 2), ([13], -1), ([13, 14], -1), ([], 0),
        ]
            as [([Int64], Int)]
        {
            probe.happen(
                .consoleArrived(
                    requests: left.map {
                        SampleShop.request($0, of: "theme.sepia", in: probe.state)
                    }, faults: [], settings: SampleShop.settings()))
            #expect(probe.state.console.chosenRequest == chosen, "\(left)")
        }
    }

    @Test("moving past the first or last request stays there")
    func requestsAreChosenUpToTheEnds() {
        var probe = console([11, 12])
        probe.send(.selectionMoved(.up))
        probe.happen(.selectionMoved(.down))
        probe.send(.selectionMoved(.down))
        #expect(probe.state.console.chosenRequest == 1)
    }

    @Test("the outcome of a request is announced")
    func theOutcomeOfARequestIsAnnounced() {
        for (failure, statusMessage) in [
            (nil, StatusMessage.What.approved(name: "Sepia")),
            (
                StoreError(.alreadyOwned),
                .failed(name: "Sepia", StoreError(.alreadyOwned))
            ),
        ] {
            var probe = console([11])
            let request = SampleShop.request(11, of: "theme.sepia", in: probe.state)
            probe.send(.approvalAnswered(request, failure: failure), [.refreshConsole]) {
                $0.announces(statusMessage)
            }
        }
        var probe = console([11])
        let request = SampleShop.request(11, of: "theme.sepia", in: probe.state)
        probe.send(.requestWasDeclined(request), [.refreshConsole]) {
            $0.announces(.declined(name: "Sepia"))
        }
    }

    // MARK: - Switches and faults

    @Test("a switch asks for the opposite setting, one change at a time")
    func switchesAskForTheOpposite() {
        var probe = console()
        probe.send(.console(.askToBuyToggled), [.setAskToBuy(true)]) {
            $0.console.isChangingAccount = true
        }
        // Further changes wait for the answer to this one.
        probe.send(.console(.askToBuyToggled))
        probe.send(.console(.paymentsToggled))
        var settings = SampleShop.settings()
        settings.askToBuy = true
        probe.send(.accountChanged(settings)) {
            $0.settings = settings
            $0.console.isChangingAccount = false
            $0.announces(.askToBuy(isOn: true))
        }
        probe.send(.console(.askToBuyToggled), [.setAskToBuy(false)]) {
            $0.console.isChangingAccount = true
        }
        settings.canMakePayments = false
        probe.happen(.accountChanged(settings))
        probe.send(.console(.paymentsToggled), [.setPayments(true)]) {
            $0.console.isChangingAccount = true
        }
    }

    /// A query that was under way may bring the new setting before the change is answered.
    @Test("a changed setting is announced once, by its answer or by a query")
    func aChangedSettingIsAnnouncedOnce() {
        var probe = console()
        probe.happen(.console(.askToBuyToggled))
        var settings = SampleShop.settings()
        settings.askToBuy = true
        probe.send(.consoleArrived(requests: [], faults: [], settings: settings)) {
            $0.settings = settings
            $0.announces(.askToBuy(isOn: true))
        }
        probe.send(.accountChanged(settings)) { $0.console.isChangingAccount = false }
    }

    @Test("a change of territory loads the products again")
    func anotherTerritoryHasOtherPrices() {
        var probe = console()
        var settings = SampleShop.settings()
        settings.territory = "JPN"
        probe.send(.accountChanged(settings), [.loadProducts]) { $0.settings = settings }
    }

    @Test("another account's settings are not taken over")
    func anotherAccountsSettingsAreNotThese() {
        var probe = console()
        let settings = AccountSettings(name: "kai", territory: "JPN", canMakePayments: false)
        probe.send(.accountChanged(settings), [.refreshConsole])
    }

    @Test("every injectable fault can be chosen, each once")
    func everyFaultCanBeChosen() {
        #expect(Set(FailureSheet.choices) == Set(StoreError.Code.injectable))
        #expect(FailureSheet.choices.count == StoreError.Code.injectable.count)
        for (index, code) in FailureSheet.choices.enumerated() {
            var probe = console()
            probe.send(.console(.failureSheetOpened)) { $0.sheet = .failure(FailureSheet()) }
            for _ in 0..<index { probe.happen(.selectionMoved(.down)) }
            probe.send(
                .confirmed, [.perform(.failNext(.purchase, error: code, count: 1))]
            ) { $0.sheet = nil }
        }
    }

    @Test("a digit chooses how many purchases fail, and a second click on an error sets the fault")
    func severalPurchasesCanFail() {
        var probe = console()
        probe.happen(.console(.failureSheetOpened))
        var sheet = FailureSheet()
        sheet.count = 3
        probe.send(.failureSheet(.countChosen(3))) { $0.sheet = .failure(sheet) }
        probe.happen(.failureSheet(.countChosen(0)))
        probe.happen(.failureSheet(.countChosen(12)))
        sheet.count = 9
        #expect(probe.state.sheet == .failure(sheet))
        sheet.chosen = 4
        probe.send(.failureSheet(.pointed(4))) { $0.sheet = .failure(sheet) }
        probe.send(.failureSheet(.pointed(99)))
        probe.send(
            .failureSheet(.pointed(4)),
            [.perform(.failNext(.purchase, error: FailureSheet.choices[4], count: 9))]
        ) { $0.sheet = nil }
        probe.send(.failureSheet(.countChosen(2)))
    }

    @Test("moving past the ends of the fault sheet stays there")
    func theFailureSheetEndsAtItsEnds() {
        var probe = console()
        probe.happen(.console(.failureSheetOpened))
        probe.send(.selectionMoved(.up))
        probe.happen(.selectionMoved(.last))
        probe.send(.selectionMoved(.down))
        probe.send(.choiceMoved(-1)) {
            var sheet = FailureSheet()
            sheet.chosen = StoreError.Code.injectable.count - 2
            $0.sheet = .failure(sheet)
        }
        probe.send(.wentBack) { $0.sheet = nil }
        #expect(probe.state.screen == .console)
    }

    @Test("faults are shown while they are set")
    func faultsComeAndGo() {
        var probe = console()
        var fault = Fault(id: 3, call: .purchase, error: .networkError, remaining: 2)
        probe.send(.console(.failuresCleared)) { $0.announces(.refused(.noFaults)) }
        probe.send(.updateArrived(.faultSet(fault))) { $0.faults = [fault] }
        probe.send(.updateArrived(.faultSet(fault)))
        probe.send(.console(.failuresCleared), [.clearFaults])
        fault.remaining = 1
        probe.send(.updateArrived(.faultCleared(fault)), [.refreshConsole]) {
            $0.faults[0].remaining = 1
        }
        fault.remaining = 0
        probe.send(.updateArrived(.faultCleared(fault))) {
            $0.faults = []
            _ = $0.queries.ask(.refreshConsole)
        }
    }

    // MARK: - The log

    private func event(_ number: Int64, _ change: StoreEvent.Change? = nil) -> ConsoleEvent {
        ConsoleEvent(
            StoreEvent(
                cursor: FeedCursor(epoch: 1, position: number), at: SampleShop.now,
                account: "aoi", device: "phone",
                change: change ?? .finished(TransactionID(number))))
    }

    @Test("the log shows the newest events first and keeps at most 500")
    func theLogIsCappedAndNewestFirst() {
        var probe = console()
        probe.happen(.eventsArrived((1...700).map { event($0) }))
        probe.happen(.eventsArrived((701...703).map { event($0) }))
        #expect(probe.state.console.events.count == ConsolePart.eventsMax)
        #expect(probe.state.console.eventCount == 703)
        #expect(probe.state.console.events.first?.what == .finished(TransactionID(703)))
        #expect(probe.state.console.events.last?.what == .finished(TransactionID(204)))
    }

    @Test("a scrolled log keeps showing the same lines when events arrive")
    func aScrolledLogKeepsItsLines() {
        var probe = console()
        probe.happen(.eventsArrived((1...100).map { event($0) }))
        probe.happen(.selectionMoved(.pageDown))
        let scroll = probe.state.console.eventScroll
        #expect(scroll == probe.state.viewport.rows - 1)
        let read = probe.state.console.events[scroll]
        probe.happen(.eventsArrived((101...107).map { event($0) }))
        #expect(probe.state.console.events[probe.state.console.eventScroll] == read)
        probe.happen(.selectionMoved(.first))
        probe.happen(.eventsArrived([event(108)]))
        #expect(probe.state.console.eventScroll == 0)
        probe.happen(.selectionMoved(.last))
        #expect(
            probe.state.console.eventScroll
                == probe.state.console.events.count - probe.state.viewport.rows)
    }

    @Test("events that may change the console's state query it")
    func eventsThatMayChangeTheConsoleQueryIt() {
        let payment = Payment(
            id: SampleShop.payment(1), productID: "theme.sepia",
            shownPrice: Money(milliunits: 990, currency: "USD"))
        let fault = Fault(id: 1, call: .purchase, error: .unknown, remaining: 1)
        let number = TransactionID(11)
        for (change, isQueried) in [
            (.sold(sold(number)), true),
            (.sold(sold(TransactionID(5))), false),
            (.revised(sold(number), .refunded), false), (.clockSet(.system), false),
            (.deferred(payment, request: number), true),
            (.failed(payment, StoreError(.unknown), request: number), true),
            (.failed(payment, StoreError(.unknown), request: nil), false),
            (.finished(number), false), (.claimed(number, by: "tablet"), false),
            (.catalogRevised(revision: 2), false),
            (.accountChanged(SampleShop.settings()), true), (.faultSet(fault), true),
            (.faultCleared(fault), true),
        ] as [(StoreEvent.Change, Bool)] {
            var probe = console([11])
            let effects = probe.happen(.eventsArrived([event(1, change)]))
            #expect(effects == (isQueried ? [.refreshConsole] : []), "\(change)")
        }
    }

    private func sold(_ id: TransactionID) -> IssuedTransaction {
        IssuedTransaction(
            id: id, productID: "theme.sepia", type: .nonConsumable, signed: "a.b.c",
            payment: SampleShop.payment(1))
    }

    @Test("a sale's line names the product that its event names")
    func aSaleNamesItsProduct() {
        let change = StoreEvent.Change.sold(sold(TransactionID(1)))
        #expect(event(1, change).what == .purchased("theme.sepia", TransactionID(1)))
    }

    // MARK: - Opening, lease and screens

    @Test("opening the store queries products, account and console once")
    func openingAsksForEverythingOnce() {
        var probe = ShopProbe(ShopState(shop: SampleShop.identity()))
        probe.send(
            .opened(SampleShop.settings(), holdsLease: false),
            [.loadProducts, .refreshAccount, .refreshConsole]
        ) {
            $0.opening = .open
            $0.settings = SampleShop.settings()
            $0.holdsLease = false
        }
    }

    /// Without a store the program drops effects. One that was asked for would be shown as under
    /// way and never be done.
    @Test("before the store is open, no key has an effect")
    func beforeTheStoreIsOpenNothingIsAskedForByAPerson() {
        var seen = SampleShop.full()
        seen.opening = .opening
        seen.faults = [Fault(id: 1, call: .purchase, error: .unknown, remaining: 1)]
        seen.console.requests = [SampleShop.request(11, of: "theme.sepia", in: seen)]
        let actions: [ShopAction] = [
            .confirmed, .buyChosen, .restoreChosen, .downloadToggled, .downloadCancelled,
            .contentDeleted, .consoleToggled, .console(.requestApproved),
            .console(.requestDeclined),
            .console(.askToBuyToggled), .console(.paymentsToggled), .console(.failureSheetOpened),
            .console(.failuresCleared), .shown,
        ]
        for row in seen.productList.rows.indices where seen.productList.rows[row].isSelectable {
            for action in actions {
                seen.list.selectedRow = row
                seen.navigation.show(.shop)
                var probe = ShopProbe(seen)
                #expect(probe.happen(action) == [], "\(action)")
                #expect(probe.happen(action) == [], "\(action)")
                #expect(probe.happen(action) == [], "\(action)")
            }
        }
    }

    @Test("taking over the lease is announced once")
    func theLeaseIsTakenOnce() {
        var state = SampleShop.empty()
        state.holdsLease = false
        var probe = ShopProbe(state)
        probe.send(.updateArrived(.leaseTaken), [.refreshAccount]) {
            $0.holdsLease = true
            $0.announces(.tookOver)
        }
        probe.send(.updateArrived(.leaseTaken))
    }

    @Test("after Ctrl-Z another process may hold the lease")
    func afterCtrlZAnotherProcessMayHoldTheLease() {
        var probe = ShopProbe()
        probe.send(.relaunched(holdsLease: false), [.refreshAccount]) { $0.holdsLease = false }
        var opening = ShopState(shop: SampleShop.identity())
        opening.opening = .opening
        var other = ShopProbe(opening)
        other.send(.relaunched(holdsLease: true))
    }

    @Test("a refused catalog is announced")
    func aRefusedCatalogIsAnnounced() {
        var probe = ShopProbe()
        probe.send(.catalogRefused(problem: "line 3: no price")) {
            $0.announces(.catalogRefused(problem: "line 3: no price"))
        }
    }

    @Test("an error of the device is announced")
    func troubleIsAnnounced() {
        var probe = ShopProbe()
        let error = StoreError(.storeFull)
        probe.send(.updateArrived(.trouble(error, ended: false))) { $0.announces(.trouble(error)) }
        probe.send(.attemptFailed(error))
    }

    /// An observer that has ended delivers nothing more.
    @Test("when the observer has ended, the store is opened again")
    func whenTheObserverHasEndedTheStoreIsOpenedAnew() {
        var probe = ShopProbe()
        let error = StoreError(.storeUnreadable)
        #expect(probe.happen(.updateArrived(.trouble(error, ended: true))) == [.reopen])
        #expect(probe.state.opening == .reopening)
        #expect(probe.happen(.updateArrived(.trouble(error, ended: true))) == [])
        // The new store gets the queries that the old one did not answer.
        let effects = probe.happen(.opened(SampleShop.settings(), holdsLease: true))
        #expect(Set(effects) == [.loadProducts, .refreshAccount, .refreshConsole])
    }

    @Test("mouse reporting can be switched off and on")
    func mouseReportingCanBeSwitched() {
        var probe = ShopProbe()
        probe.send(.pointerToggled, [.setPointer(false)]) {
            $0.isPointerOn = false
            $0.announces(.pointer(isOn: false))
        }
        probe.send(.pointerToggled, [.setPointer(true)]) {
            $0.isPointerOn = true
            $0.announces(.pointer(isOn: true))
        }
        probe.send(.quitChosen, [.quit])
    }

    @Test("leaving the console loads the products")
    func leavingTheConsoleLoadsTheProducts() {
        var probe = ShopProbe()
        probe.send(.consoleToggled, [.refreshConsole]) { $0.navigation.show(.console) }
        probe.send(.consoleToggled, [.loadProducts]) { $0.navigation.show(.shop) }
        probe.send(.consoleToggled) {
            $0.navigation.show(.console)
            _ = $0.queries.ask(.refreshConsole)
        }
        probe.send(.wentBack) {
            $0.navigation.show(.shop)
            _ = $0.queries.ask(.loadProducts)
        }
    }
}
