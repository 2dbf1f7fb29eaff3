@testable import Shop
import ShopText
@testable import StoreModel
import Terminal
import Testing

/// The operator's console, and the events that the store and the device send by themselves.
@Suite struct ConsoleTests {
    private func console(_ requests: [Int64] = []) -> ShopProbe {
        var probe = ShopProbe()
        probe.happen(.consoleToggled)
        probe.consoleArrives(requests)
        return probe
    }

    // MARK: - Switches

    @Test("without a network the switches show and change the store's settings, not the device's")
    func switchesWhileOffline() {
        var probe = console()
        probe.refresh { $0.whyOffline = .networkIsOff }
        for isOn in [true, false, true] {
            let change = OperatorAction.changeAccount(.init(account: "aoi", askToBuy: isOn))
            #expect(probe.happen(.console(.toggled(.account(.askToBuy)))) == [.perform(change)])
            var settings = SampleShop.settings()
            settings.askToBuy = isOn
            probe.happen(
                .operatorPerformed(
                    OperatorOutcome(action: change, events: [], settings: settings)))
            #expect(probe.state.statusMessage?.what == .askToBuy(isOn: isOn))
            probe.consoleArrives(settings: settings)
            #expect(probe.state.settingsInStore == settings)
            // The customer's screens show the device's settings, which are still the old ones.
            #expect(probe.state.settings == SampleShop.settings())
        }
        var settings = SampleShop.settings()
        settings.canMakePayments = false
        probe.consoleArrives(settings: settings)
        let allow = OperatorAction.changeAccount(.init(account: "aoi", canMakePayments: true))
        #expect(probe.happen(.console(.toggled(.account(.canMakePayments)))) == [.perform(allow)])
        // Back online, the device gets the change.
        probe.happen(.updateArrived(.event(.accountChanged(settings))))
        #expect(probe.state.settings == settings)
    }

    // MARK: - Refunds

    @Test("the keys of requests answer the request for a refund that is selected")
    func refundsAreAnswered() {
        let id = TransactionID(1_000_003)
        let request = RefundRequest(
            transactionID: id, account: "kai", device: "tablet", productID: "book.two",
            reason: .unintended, askedAt: SampleShop.now)
        for (key, action) in [
            (ConsoleAction.requestApproved, .refund(id, .rest, reason: .other)),
            (.requestDeclined, .declineRefund(id)),
        ] as [(ConsoleAction, OperatorAction)] {
            var probe = console()
            probe.happen(LogTests.page(.store, [LogTests.event(7, .refundRequested(request))]))
            #expect(probe.state.chosenRefund == request)
            #expect(probe.happen(.console(key)) == [.perform(action)])
        }
    }

    // MARK: - Requests

    @Test("approving or declining answers the chosen request")
    func theChosenRequestIsAnswered() throws {
        for (key, make) in [
            (ShopAction.console(.requestApproved), OperatorAction.approve),
            (.console(.requestDeclined), OperatorAction.decline),
        ] as [(ShopAction, (TransactionID) -> OperatorAction)] {
            var probe = console([11, 12, 13])
            probe.send(.selectionMoved(.down)) { $0.console.chosenRequest = 1 }
            let request = try #require(probe.state.chosenRequest)
            #expect(request.number == TransactionID(12))
            probe.send(key, [.perform(make(request.number))]) {
                $0.console.answering = request.number
            }
        }
    }

    /// If another operator has answered the chosen request, no request is chosen.
    @Test("holding the key down answers one request")
    func aHeldKeyAnswersOneRequest() throws {
        var probe = console([11, 12, 13])
        let request = try #require(probe.state.chosenRequest)
        probe.happen(.console(.requestApproved))
        for _ in 0..<50 { #expect(probe.happen(.console(.requestApproved)) == []) }
        probe.consoleArrives([12, 13])
        #expect(request.number == TransactionID(11))
        #expect(probe.state.chosenRequest?.number == TransactionID(12))
        probe.consoleArrives([13])
        probe.happen(.console(.requestApproved))
        #expect(probe.state.statusMessage?.what == .refused(.noRequestSelected))
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
            probe.consoleArrives(left)
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
        let number = TransactionID(11)
        let payment = Payment(
            id: SampleShop.payment(1), productID: "theme.sepia",
            shownPrice: Money(milliunits: 990, currency: "USD"))
        let declined = StoreError(.paymentDeclined)
        for (action, change, message) in [
            (.approve(number), .sold(sold(number)), .approved(name: "Sepia")),
            (
                .approve(number),
                .failed(payment, StoreError(.alreadyOwned), request: number),
                .failed(name: "Sepia", StoreError(.alreadyOwned))
            ),
            (
                .decline(number), .failed(payment, declined, request: number),
                .declined(name: "Sepia")
            ),
        ] as [(OperatorAction, StoreEvent.Change, StatusText)] {
            var probe = console([11])
            let outcome = OperatorOutcome(action: action, events: [event(1, change)])
            probe.send(.operatorPerformed(outcome), [.refreshConsole, .refreshAccount]) {
                $0.announces(message)
            }
        }
        var probe = console()
        let cleared = OperatorOutcome(action: .clearFaults, events: [])
        probe.send(.operatorPerformed(cleared), [.refreshConsole, .refreshAccount]) {
            $0.announces(.performed(cleared))
        }
    }

    @Test("after a refused answer the next key answers again")
    func aRefusedAnswerIsNoAnswer() throws {
        var probe = console([11])
        let error = StoreError(.storeBusy)
        probe.happen(.console(.requestApproved))
        #expect(probe.happen(.console(.requestApproved)) == [])
        probe.send(.operatorRefused(.approve(TransactionID(11)), error), [.refreshConsole]) {
            $0.console.answering = nil
            $0.announces(.trouble(error))
        }
        #expect(
            probe.happen(.console(.requestApproved)) == [.perform(.approve(TransactionID(11)))])
        #expect(probe.happen(.console(.toggled(.account(.askToBuy)))) == [Self.askToBuy(true)])
        probe.happen(.operatorRefused(.changeAccount(.init(account: "aoi")), error))
        #expect(
            probe.happen(.console(.toggled(.account(.canMakePayments)))) == [Self.payments(false)])
        let replaced = StoreError(.storeReplaced)
        #expect(probe.happen(.operatorRefused(.clock(.stop), replaced)) == [.reopen])
    }

    private static func askToBuy(_ isOn: Bool) -> ShopEffect {
        .perform(.changeAccount(AccountChange(account: "aoi", askToBuy: isOn)))
    }

    private static func payments(_ areAllowed: Bool) -> ShopEffect {
        .perform(.changeAccount(AccountChange(account: "aoi", canMakePayments: areAllowed)))
    }

    // MARK: - Switches and faults

    @Test("a switch asks for the opposite setting, one change at a time")
    func switchesAskForTheOpposite() {
        var probe = console()
        probe.send(.console(.toggled(.account(.askToBuy))), [Self.askToBuy(true)]) {
            $0.console.isChangingAccount = true
        }
        // Until this change is answered, the keys start no other one.
        probe.send(.console(.toggled(.account(.askToBuy))))
        probe.send(.console(.toggled(.account(.canMakePayments))))
        var settings = SampleShop.settings()
        settings.askToBuy = true
        probe.send(.updateArrived(.event(.accountChanged(settings)))) {
            $0.settings = settings
            $0.console.settings = settings
            $0.console.isChangingAccount = false
            $0.announces(.askToBuy(isOn: true))
        }
        probe.send(.console(.toggled(.account(.askToBuy))), [Self.askToBuy(false)]) {
            $0.console.isChangingAccount = true
        }
        settings.canMakePayments = false
        probe.happen(.updateArrived(.event(.accountChanged(settings))))
        probe.send(.console(.toggled(.account(.canMakePayments))), [Self.payments(true)]) {
            $0.console.isChangingAccount = true
        }
    }

    /// A query that was under way may return the new setting before the change is answered.
    @Test("a changed setting is announced once, by its answer or by a query")
    func aChangedSettingIsAnnouncedOnce() {
        var probe = console()
        probe.happen(.console(.toggled(.account(.askToBuy))))
        var settings = SampleShop.settings()
        settings.askToBuy = true
        probe.send(.consoleArrived(requests: [], faults: [], settings: settings)) {
            $0.settings = settings
            $0.console.settings = settings
            $0.announces(.askToBuy(isOn: true))
        }
        probe.send(.updateArrived(.event(.accountChanged(settings)))) {
            $0.console.isChangingAccount = false
        }
    }

    @Test("a change of territory loads the products again")
    func anotherTerritoryHasOtherPrices() {
        var probe = console()
        var settings = SampleShop.settings()
        settings.territory = "JPN"
        probe.send(.updateArrived(.event(.accountChanged(settings))), [.loadProducts]) {
            $0.settings = settings
            $0.console.settings = settings
        }
    }

    @Test("another account's settings are not taken over")
    func anotherAccountsSettingsAreNotThese() {
        var probe = console()
        let settings = AccountSettings(name: "kai", territory: "JPN", canMakePayments: false)
        probe.send(.updateArrived(.event(.accountChanged(settings))), [.refreshConsole])
    }

    @Test("every injectable fault can be chosen, each once")
    func everyFaultCanBeChosen() {
        #expect(Set(FailureSheet.calls) == Set(Fault.Call.allCases))
        #expect(FailureSheet.calls.count == Fault.Call.allCases.count)
        for (step, call) in FailureSheet.calls.enumerated() {
            let choices = FailureSheet.choices(of: call)
            #expect(Set(choices) == Set(call.errors))
            #expect(choices.count == call.errors.count)
            for (index, code) in choices.enumerated() {
                var probe = console()
                probe.send(.console(.toggled(.failures))) { $0.sheet = .failure(FailureSheet()) }
                for _ in 0..<step { probe.happen(.choiceMoved(1)) }
                probe.viewport.entries = Self.lines(choices)
                for _ in 0..<index { probe.happen(.selectionMoved(.down)) }
                probe.send(
                    .confirmed, [.perform(.failNext(call, error: code, count: 1))]
                ) { $0.sheet = nil }
            }
        }
    }

    /// The lines of a failure sheet on the screen.
    private static func lines(_ codes: [StoreError.Code]) -> [Entry] {
        codes.enumerated().map { Entry(id: .failure($0.element), row: $0.offset) }
    }

    @Test("every fault of every call is offered by the palette, and a restore that fails half-way")
    func everyFaultIsOffered() {
        let probe = console()
        let offers = Set(probe.state.operatorOffers())
        // Of the App Store Server API's calls, the palette has any; the failure sheet has each.
        let single = Fault.Call.endpoints.dropFirst()
        for call in Fault.Call.allCases where !single.contains(call) {
            for code in call.errors {
                #expect(offers.contains(.failNext(call, error: code, count: 1)), "\(call) \(code)")
            }
        }
        #expect(
            !offers.contains {
                if case .failNext(let call, _, _, _, _) = $0 {
                    single.contains(call)
                } else {
                    false
                }
            })
        #expect(
            offers.contains(.failNext(.appStoreSync, error: .networkError, count: 1, after: 1)))
        #expect(
            offers.contains(
                .failNext(.updates, error: .deliveredLate, count: 1, delayMilliseconds: 600_000)))
        #expect(
            offers.contains(
                .failNext(
                    .notification, error: "TIMED_OUT", count: nil, delayMilliseconds: 172_800_000)))
    }

    @Test("a digit chooses how many purchases fail, and a second click on an error sets the fault")
    func severalPurchasesCanFail() {
        var probe = console()
        probe.happen(.console(.toggled(.failures)))
        for (typed, count) in [(3, 3), (0, nil), (12, 9)] as [(Int, Int?)] {
            #expect(probe.happen(.failureSheet(.countChosen(typed))) == [])
            guard case .failure(let sheet)? = probe.state.sheet else {
                Issue.record("no failure sheet")
                return
            }
            #expect(sheet.count == count)
        }
        let codes = FailureSheet.choices(of: .purchase)
        probe.viewport.entries = Self.lines(codes)
        #expect(probe.happen(.failureSheet(.pointed(.failure(codes[4])))) == [])
        #expect(probe.happen(.failureSheet(.pointed(.failure("brandNew")))) == [])
        #expect(
            probe.happen(.failureSheet(.pointed(.failure(codes[4]))))
                == [.perform(.failNext(.purchase, error: codes[4], count: 9))])
        #expect(probe.state.sheet == nil)
        probe.send(.failureSheet(.countChosen(2)))
    }

    @Test("typed words filter the failure sheet, and Enter takes the first error that is left")
    func failuresAreFiltered() {
        var probe = console()
        probe.happen(.console(.toggled(.failures)))
        probe.viewport.entries = Self.lines(FailureSheet.choices(of: .purchase))
        probe.happen(.selectionMoved(.last))
        probe.happen(.failureSheet(.typed("network")))
        probe.viewport.entries = Self.lines([.networkError])
        #expect(
            probe.happen(.confirmed)
                == [.perform(.failNext(.purchase, error: .networkError, count: 1))])
        probe.happen(.console(.toggled(.failures)))
        probe.happen(.failureSheet(.typed("zzz")))
        probe.viewport.entries = []
        #expect(probe.happen(.confirmed) == [] && probe.state.sheet != nil)
    }

    @Test("each mode is turned by its switch, and the header counts those that are set")
    func modes() {
        var probe = console()
        probe.consoleArrives()
        probe.happen(.console(.renewalsArrived(.standard)))
        probe.happen(.scheduleArrived([], .system))
        #expect(ConsoleMode.allCases.filter { probe.state.isSet($0) } == [])
        for setting in AccountSwitch.allCases {
            var settings = SampleShop.settings()
            let isOn = settings[setting]
            let change = AccountChange(of: "aoi", setting, !isOn)
            #expect(
                probe.happen(.console(.toggled(.account(setting))))
                    == [.perform(.changeAccount(change))])
            settings[setting] = !isOn
            probe.happen(.updateArrived(.event(.accountChanged(settings))))
            #expect(probe.state.isSet(.account(setting)))
            #expect(probe.state.modesSet == 1, "\(setting)")
        }
        probe.happen(.updateArrived(.event(.accountChanged(SampleShop.settings()))))
        #expect(
            probe.happen(.console(.toggled(.slowNetwork)))
                == [.setNetwork(.slow(milliseconds: NetworkChange.usualDelay))])
        probe.happen(.console(.toggled(.downloadFaults)))
        guard case .palette(let palette)? = probe.state.sheet else {
            Issue.record("no palette")
            return
        }
        #expect(palette.group == .downloadFaults)
        probe.happen(.wentBack)
        probe.happen(.wentBack)
        probe.refresh { $0.downloadFaults.stallAt = 7 }
        #expect(
            probe.happen(.console(.toggled(.downloadFaults))) == [.setDownloadFaults(.none)])
        probe.happen(.scheduleArrived([], .stopped(at: SampleShop.now)))
        var failing = RenewalSettings.standard
        failing.failsBilling = true
        probe.happen(.console(.renewalsArrived(failing)))
        #expect(probe.state.modesSet == 2)
        var audience = probe.state
        audience.shop.isPresenting = true
        audience.navigation.show(.shop)
        #expect(audience.modesSet == 0)
    }

    @Test("the organizer's console does nothing but answer and change the family, and says why")
    func anOrganizersConsole() {
        var state = SampleShop.full()
        state.shop.actor = "kai"
        var probe = ShopProbe(state)
        probe.happen(.consoleToggled)
        probe.consoleArrives(
            [1], faults: [Fault(id: 1, call: .purchase, error: .unknown, remaining: 1)])
        let refusal = StatusText.trouble(StoreError(.operatorOnly, found: "kai"))
        for action: ConsoleAction in [
            .toggled(.account(.askToBuy)), .toggled(.account(.canMakePayments)),
            .toggled(.failures), .failuresCleared,
            .failureRemoved, .clockMovedToNext, .toggled(.clock),
        ] {
            #expect(probe.happen(.console(action)).isEmpty, "\(action)")
            #expect(probe.state.statusMessage?.what == refusal, "\(action)")
            #expect(probe.state.sheet == nil)
        }
        probe.happen(.palette(.opened))
        for action in probe.state.operatorOffers() {
            let reason = probe.state.refusal(of: Entry(id: .perform(action), action: nil, row: 0))
            switch action.kind {
            case .approve, .decline, .family: #expect(reason == nil, "\(action)")
            default:
                #expect(
                    reason == .store(StoreError(.operatorOnly, found: "kai")), "\(action)")
            }
        }
        probe.happen(.wentBack)
        #expect(probe.state.mayAnswerSelection)
        #expect(
            probe.happen(.console(.requestApproved)).contains(.perform(.approve(TransactionID(1)))))
    }

    @Test("a child's own console does not offer to answer the child")
    func aChildsConsole() {
        var probe = console()
        var family = Family(organizer: "kai")
        family.members.append(Family.Member(account: "aoi", role: .child))
        probe.happen(.console(.accountsArrived(family, [])))
        var request = SampleShop.request(1, of: "theme.sepia", in: probe.state)
        request.account = "aoi"
        probe.happen(
            .consoleArrived(requests: [request], faults: [], settings: SampleShop.settings()))
        #expect(!probe.state.mayAnswerSelection)
        #expect(probe.happen(.console(.requestApproved)).isEmpty)
        guard case .trouble(let error)? = probe.state.statusMessage?.what else {
            Issue.record("no reason")
            return
        }
        #expect(error.code == .notOrganizer && error.expected == "kai")
    }

    @Test("moving past the ends of the fault sheet stays there")
    func theFailureSheetEndsAtItsEnds() {
        var probe = console()
        probe.happen(.console(.toggled(.failures)))
        probe.viewport.entries = Self.lines(FailureSheet.choices(of: .purchase))
        probe.happen(.selectionMoved(.up))
        probe.send(.selectionMoved(.up))
        probe.happen(.selectionMoved(.last))
        probe.send(.selectionMoved(.down))
        probe.viewport.entries = []
        probe.send(.choiceMoved(-1)) {
            var sheet = FailureSheet()
            // The list of calls wraps around, and each call begins with its most likely error.
            sheet.call = .notificationHistory
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
        probe.send(.updateArrived(.event(.faultSet(fault)))) { $0.faults = [fault] }
        probe.send(.updateArrived(.event(.faultSet(fault))))
        probe.send(.console(.failuresCleared), [.perform(.clearFaults)])
        fault.remaining = 1
        probe.send(.updateArrived(.event(.faultSet(fault)))) { $0.faults = [fault] }
        // Removed with one use left; the end of a used-up fault is announced in the same way.
        probe.send(.updateArrived(.event(.faultCleared(fault))), [.refreshConsole]) {
            $0.faults = []
        }
    }

    @Test("each fault can be removed, the selected one and no other")
    func oneFaultIsRemoved() {
        var probe = console([11])
        let faults = (1...3).map {
            Fault(id: $0, call: .purchase, error: .networkError, remaining: 1)
        }
        probe.send(.console(.failureRemoved)) { $0.announces(.refused(.noFaults)) }
        for fault in faults { probe.happen(.updateArrived(.event(.faultSet(fault)))) }
        // The first press only selects, so that no fault is removed unseen.
        probe.send(.console(.failureRemoved)) {
            $0.console.section = .faults
            $0.console.chosenFault = 1
        }
        probe.send(.selectionMoved(.down)) { $0.console.chosenFault = 2 }
        probe.send(.console(.failureRemoved), [.perform(.clearFault(2))])
        // No request is selected, so no key answers one.
        probe.send(.console(.requestApproved)) { $0.announces(.refused(.noRequestSelected)) }
        probe.send(.console(.failuresCleared), [.perform(.clearFaults)])
    }

    // MARK: - The clock

    @Test("the clock is stopped, resumed, and moved to what is due next")
    func theClockIsMoved() {
        var probe = console()
        probe.send(.console(.toggled(.clock))) { $0.announces(.refused(.stillOpening)) }
        probe.send(.console(.clockMovedToNext)) { $0.announces(.refused(.nothingDue)) }
        let due = UpcomingItem(
            at: SampleShop.now, account: "aoi", productID: "plus.month", chain: TransactionID(1),
            kind: .renewal)
        probe.send(.scheduleArrived([due], .system)) {
            $0.console.upcoming = [due]
            $0.console.clock = .system
            $0.console.announcedClock = .system
        }
        probe.send(.console(.toggled(.clock)), [.perform(.clock(.stop))])
        for key in [ConsoleAction.clockMovedToNext, .nextChosen] {
            probe.send(.console(key)) {
                $0.sheet = .question(QuestionSheet(.moveClock(to: due.at)))
            }
            #expect(probe.happen(.wentBack) == [])
            #expect(probe.happen(.console(key)) == [])
            #expect(
                probe.happen(.questionSheet(.pressed(button: 1))) == [.perform(.clock(.next))])
        }
        probe.happen(.scheduleArrived([], .stopped(at: SampleShop.now)))
        probe.send(.console(.toggled(.clock)), [.perform(.clock(.resume))])
    }

    @Test(
        "while a filter stands, n and N go to the next and the previous match, and do nothing else")
    func matches() {
        var probe = console()
        let due = UpcomingItem(
            at: SampleShop.now, account: "aoi", productID: "plus.month", chain: TransactionID(1),
            kind: .renewal)
        probe.happen(.scheduleArrived([due], .system))
        probe.happen(.viewChosen(.console))
        probe.happen(LogTests.page(.store, LogTests.events(10...13)))
        probe.happen(.searchOpened)
        probe.happen(.eventLog(.filterTyped("aoi")))
        probe.happen(.confirmed)
        #expect(probe.state.isLogFiltered)
        var chosen: [LogLine.ID?] = []
        for key in ["n", "n", "N"] as [Character] {
            guard let action = KeyMap.action(for: .character(key), in: probe.state) else {
                continue
            }
            for effect in probe.happen(action) {
                if case .readLog = effect { continue }
                Issue.record("\(key): \(effect)")
            }
            #expect(probe.state.sheet == nil)
            chosen.append(probe.state.console.log.selected)
        }
        #expect(chosen.count == 3 && chosen[0] == chosen[2] && chosen[0] != chosen[1])
    }

    @Test("no key of a customer's screen cuts the network")
    func customersKeys() {
        for component in Component.allCases where component != .console {
            for binding in component.type.keys {
                guard case .component(let action) = binding.action,
                    let action = action as? NetworkAction
                else { continue }
                guard case .turnedOn = action else {
                    Issue.record("\(component): \(binding.label)")
                    continue
                }
            }
        }
    }

    @Test("w and E ask whether to renew or end the selected subscription, whoever's it is")
    func subscriptionKeys() {
        let chain = TransactionID(1)
        let due = UpcomingItem(
            at: SampleShop.now, account: "kai", productID: "plus.month", chain: chain,
            kind: .renewal)
        var probe = console()
        for (key, isSubscriber) in [
            (ConsoleAction.salesChosen(.renew), true), (.salesChosen(.expire), false),
        ] {
            var probe = probe
            let own = AccountSubscription(SampleShop.subscription())
            probe.refresh {
                $0.areSubscriptionsKnown = true
                $0.subscriptions["plus"] = isSubscriber ? own : nil
            }
            #expect(probe.happen(.console(key)) == [], "nothing is selected")
            let wanted: Refusal = isSubscriber ? .noSubscriptionSelected : .noSubscription
            #expect(probe.state.statusMessage?.what == .refused(wanted))
            #expect(probe.state.sheet == nil)
        }
        probe.happen(.scheduleArrived([due], .system))
        probe.happen(.console(.pointed(.upcoming, row: 0)))
        #expect(probe.happen(.console(.salesChosen(.renew))) == [])
        let sale = OperatorSubject(product: "plus.month", sale: chain, account: "kai")
        #expect(probe.state.sheet == .question(QuestionSheet(.operate(.renew, [sale]))))
        #expect(probe.happen(.questionSheet(.pressed(button: 1))) == [.perform(.renew(chain))])
        #expect(probe.happen(.console(.salesChosen(.expire))) == [])
        #expect(probe.state.sheet == .question(QuestionSheet(.operate(.expire, [sale]))))
        // While the question is open, no other key changes the subscription.
        #expect(probe.happen(.console(.salesChosen(.renew))) == [])
        #expect(probe.state.sheet != nil)
        probe.happen(.choiceMoved(1))
        #expect(probe.happen(.confirmed) == [.perform(.expire(chain))])
        #expect(probe.state.sheet == nil)
    }

    @Test("B makes payments for renewals fail and succeed again, once it is known how they do")
    func billingKey() {
        var probe = console()
        probe.send(.console(.toggled(.renewals))) { $0.announces(.refused(.stillOpening)) }
        for fails in [false, true] {
            var renewals = RenewalSettings.standard
            renewals.failsBilling = fails
            probe.happen(.console(.renewalsArrived(renewals)))
            #expect(
                probe.happen(.console(.toggled(.renewals)))
                    == [.perform(.setRenewals(RenewalsChange(failsBilling: !fails)))])
        }
    }

    @Test("one selection moves through all sections")
    func oneSelectionMovesThroughAllSections() {
        var probe = console([11, 12])
        probe.happen(
            .updateArrived(
                .event(.faultSet(Fault(id: 1, call: .purchase, error: .networkError, remaining: 1)))
            ))
        let due = UpcomingItem(
            at: SampleShop.now, account: "aoi", productID: "plus.month", chain: TransactionID(1),
            kind: .renewal)
        probe.happen(.scheduleArrived([due], .system))
        probe.happen(LogTests.page(.store, LogTests.events(1...3)))
        var seen: [ConsolePart.Section] = []
        for _ in 0..<7 {
            seen.append(probe.state.consoleSection)
            probe.happen(.selectionMoved(.down))
        }
        #expect(
            seen == [.requests, .requests, .faults, .upcoming, .events, .events, .events])
        probe.happen(.focusMoved(1))
        #expect(probe.state.consoleSection == .requests)
        probe.happen(.focusMoved(-1))
        #expect(probe.state.consoleSection == .events)
    }

    @Test("the family, the notices and the faults of downloads are selected by key and by mouse")
    func notesAreSelected() {
        var probe = console([11])
        let notices = ["terminal", "tablet"].map {
            AccountNotice(kind: .device, subject: $0, accounts: ["aoi", "kai", "nia"])
        }
        var family = Family(organizer: "kai")
        probe.happen(.console(.accountsArrived(family, notices)))
        var snapshot = probe.state.snapshot
        snapshot.downloadFaults.stallAt = 7
        probe.happen(.accountArrived(snapshot))
        #expect(probe.state.consoleSection == .requests, "the keys answer the request as before")
        var seen: [ConsolePart.Item?] = []
        for _ in 0..<5 {
            seen.append(probe.state.selectedItem)
            probe.happen(.selectionMoved(.up))
        }
        #expect(
            seen.dropFirst() == [
                .note(.downloadFaults(snapshot.downloadFaults)), .note(.notice(notices[1])),
                .note(.notice(notices[0])), .note(.family(family)),
            ])
        #expect(probe.state.consoleRow(in: .notes) == 0, "it stays on the first")
        // A note stays selected when others are listed before it.
        probe.happen(.console(.pointed(.notes, row: 2)))
        probe.happen(.console(.accountsArrived(nil, notices.reversed())))
        #expect(probe.state.selectedItem == .note(.notice(notices[1])))
        #expect(probe.state.selectedIdentifier == "tablet")
        family.members.append(Family.Member(account: "nia", role: .child))
        probe.happen(.console(.accountsArrived(family, notices)))
        #expect(probe.state.selectedItem == .note(.notice(notices[1])))
        // A click on the selected note opens its details, as Enter does.
        probe.happen(.console(.pointed(.notes, row: 2)))
        #expect(probe.state.screen == .details)
        probe.happen(.wentBack)
        probe.happen(.selectionMoved(.first))
        #expect(probe.state.selectedItem == .note(.family(family)))
        probe.happen(.confirmed)
        #expect(probe.state.screen == .details)
        probe.happen(.wentBack)
        // While a note is selected, the keys answer no request.
        #expect(probe.happen(.console(.requestApproved)) == [])
        #expect(probe.state.statusMessage?.what == .refused(.noRequestSelected))
        // If there is nothing else in the console, the notes are selected.
        probe.consoleArrives()
        #expect(probe.state.consoleSection == .notes)
    }

    // MARK: - Events

    private func event(_ number: Int64, _ change: StoreEvent.Change? = nil) -> StoreEvent {
        StoreEvent(
            cursor: FeedCursor(epoch: 1, position: number), at: SampleShop.now,
            account: "aoi", device: "phone", change: change ?? .finished(TransactionID(number)))
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
            (
                .revised(
                    PastRevision(id: number, kind: .refunded, productID: "theme.sepia")), true
            ), (.clockSet(.system), true),
            (.deferred(payment, request: number, reason: .askToBuy), true),
            (.failed(payment, StoreError(.unknown), request: number), true),
            (.failed(payment, StoreError(.unknown), request: nil), false),
            (.finished(number), false), (.claimed(number, by: "tablet"), false),
            (.catalogRevised(revision: 2), true),
            (.accountChanged(SampleShop.settings()), true), (.faultSet(fault), true),
            (.faultCleared(fault), true),
        ] as [(StoreEvent.Change, Bool)] {
            var probe = console([11])
            let effects = probe.happen(.eventsArrived([event(1, change)]))
            #expect(effects == (isQueried ? [.refreshConsole] : []), "\(change)")
        }
    }

    private func sold(_ id: TransactionID) -> PastSale {
        PastSale(
            id: id, productID: "theme.sepia", type: .nonConsumable,
            price: Money(milliunits: 990, currency: "USD"), payment: SampleShop.payment(1),
            purchasedAt: SampleShop.now, storefront: "USA")
    }

    // MARK: - Opening, lease and screens

    @Test("opening the store queries products, account and console once [B3]")
    func openingAsksForEverythingOnce() {
        var probe = ShopProbe(ShopState(shop: SampleShop.identity()))
        probe.send(
            .opened(SampleShop.settings(), holdsLease: false),
            [.loadProducts, .refreshAccount, .refreshConsole, .readLog(LogTests.newest(.store))]
        ) {
            $0.console.log.allowPages()
            _ = $0.console.log.queries(rows: $0.viewport.rows)
            $0.opening = .open
            $0.settings = SampleShop.settings()
            $0.holdsLease = false
        }
    }

    /// Without a store effects are dropped; the shop would show one as under way for ever.
    @Test("before the store is open, no key has an effect")
    func beforeTheStoreIsOpenNothingIsAskedForByAPerson() {
        var seen = SampleShop.full()
        seen.opening = .opening
        seen.faults = [Fault(id: 1, call: .purchase, error: .unknown, remaining: 1)]
        seen.console.requests = [SampleShop.request(11, of: "theme.sepia", in: seen)]
        let actions: [ShopAction] = [
            .confirmed, .buyChosen, .restoreChosen, .downloadToggled,
            .contentChosen(.cancelDownloads),
            .contentChosen(.deleteContent), .consoleToggled, .console(.requestApproved),
            .console(.requestDeclined),
            .console(.toggled(.account(.askToBuy))), .console(.toggled(.account(.canMakePayments))),
            .console(.toggled(.failures)),
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
        probe.send(.updateArrived(.leaseTaken), [.log(.leaseTaken), .refreshAccount]) {
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
        probe.send(
            .catalogRefused(problem: "line 3: no price"),
            [.log(.catalogRefused(problem: "line 3: no price"))]
        ) {
            $0.announces(.catalogRefused(problem: "line 3: no price"))
        }
    }

    @Test("an error of the device is announced")
    func troubleIsAnnounced() {
        var probe = ShopProbe()
        let error = StoreError(.storeFull)
        probe.send(.updateArrived(.trouble(error, ended: false)), [.log(.trouble(error))]) {
            $0.announces(.trouble(error))
            $0.statusMessage?.isLogged = true
        }
        // The same error again adds no message and no log entry.
        probe.send(.updateArrived(.trouble(error, ended: false)))
        probe.send(.attemptFailed(error))
    }

    /// An observer that has ended delivers no more updates.
    @Test("when the observer has ended, the store is opened again")
    func whenTheObserverHasEndedTheStoreIsOpenedAnew() {
        var probe = ShopProbe()
        let error = StoreError(.storeUnreadable)
        #expect(
            probe.happen(.updateArrived(.trouble(error, ended: true)))
                == [.log(.trouble(error)), .reopen])
        #expect(probe.state.opening == .reopening(.replaced))
        #expect(probe.happen(.updateArrived(.trouble(error, ended: true))) == [])
        // The new store gets the queries that the old one has not answered.
        let effects = probe.happen(.opened(SampleShop.settings(), holdsLease: true))
        #expect(
            Set(effects) == [
                .loadProducts, .refreshAccount, .refreshConsole,
                .readLog(LogTests.newest(.store)),
            ])
    }

    @Test("a shop that opened without its store's server goes on with the store once that answers")
    func serverAnswers() {
        var probe = ShopProbe(SampleShop.full())
        probe.refresh { $0.whyOffline = .networkIsOff }
        #expect(probe.happen(.storeAnswers) == [.reopen])
        #expect(probe.state.opening == .reopening(.serverAnswers))
        #expect(probe.happen(.storeAnswers) == [])
        probe.happen(.opened(SampleShop.settings(), holdsLease: true))
        probe.refresh { $0.whyOffline = nil }
        #expect(probe.state.opening == .open && !probe.state.snapshot.isOffline)
        probe.elapsed = StatusMessage.lasting
        probe.happen(.messageFaded)
        #expect(probe.state.statusMessage?.what == .reopened(.serverAnswers))
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

    @Test("leaving the console loads the products [B1]")
    func leavingTheConsoleLoadsTheProducts() {
        var probe = ShopProbe()
        var entries = LogTests.newestEntries
        entries.scope = .store
        probe.send(.consoleToggled, [.refreshConsole, .readLog(entries)]) {
            $0.navigation.show(.console)
            _ = $0.openLog(\.console.log)
        }
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

    // MARK: - Refunds that were asked for

    private static let refund = RefundRequest(
        transactionID: TransactionID(1_000_001), account: "aoi", device: "phone",
        productID: "book.one", reason: .broken, askedAt: SampleShop.now)

    @Test("a refund that was asked for stands under the approvals, and a and d answer it")
    func refundsStandUnderApprovals() {
        var state = SampleShop.full()
        state.console.requests = []
        state.take([.viewChosen(.console), .console(.refundsArrived([Self.refund]))], on: nil)
        #expect(state.consoleSection == .refunds && state.chosenRefund == Self.refund)
        let granted = state.take([.console(.requestApproved)])
        #expect(
            granted == [.perform(.refund(Self.refund.transactionID, .rest, reason: .other))])
        let declined = state.take([.console(.requestDeclined)])
        #expect(declined == [.perform(.declineRefund(Self.refund.transactionID))])
        for (locale, words) in [
            ("en_US", ["APPROVALS 1", "Refund of ", "Console 1"]), ("ja_JP", ["の返金"]),
        ] {
            var state = SampleShop.full(locale: locale)
            state.console.requests = []
            state.take(
                [.viewChosen(.console), .console(.refundsArrived([Self.refund]))],
                on: Screens.large)
            let text = Screens.draw(state, Screens.large).text
            for word in words { #expect(text.contains(word), "\(word): \(text)") }
        }
    }

    @Test("list, library and page say that a refund was asked for, and its button is gone")
    func refundIsAsked() {
        for (locale, words) in [("en_US", "refund asked"), ("ja_JP", "返金依頼中")] {
            var state = SampleShop.full(locale: locale)
            let product = "book.one" as ProductID
            state.list.selectedRow = state.productList.row(of: product) ?? 0
            state.take([.confirmed], on: Screens.usual)
            #expect(state.choices.contains(.requestRefund))
            var snapshot = state.snapshot
            snapshot.refundsAsked = Set([state.latestTransaction(of: product)].compactMap(\.self))
            state.take([.accountArrived(snapshot)], on: Screens.usual)
            #expect(!state.choices.contains(.requestRefund))
            let page = Screens.draw(state, Screens.usual).text
            #expect(page.contains(words), "\(page)")
            for view in [ShopView.shop, .library] {
                state.take([.viewChosen(view), .viewChosen(view)], on: Screens.usual)
                let text = Screens.draw(state, Screens.usual).text
                #expect(text.contains(words), "\(view): \(text)")
            }
        }
    }

    @Test("a refund waits for an answer until it is granted, declined or overtaken")
    func refundsWait() {
        func event(_ number: Int64, _ change: StoreEvent.Change) -> StoreEvent {
            LogTests.event(number, change)
        }
        let payload = PastRevision(
            id: Self.refund.transactionID, kind: .refunded, productID: "book.one")
        for (changes, waits) in [
            ([.refundRequested(Self.refund)], true),
            ([.refundRequested(Self.refund), .refundDeclined(Self.refund)], false),
            ([.refundRequested(Self.refund), .revised(payload)], false),
            (
                [
                    .refundRequested(Self.refund), .refundDeclined(Self.refund),
                    .refundRequested(Self.refund),
                ], true
            ),
            ([], false),
        ] as [([StoreEvent.Change], Bool)] {
            let events = changes.enumerated().map { event(Int64($0.offset) + 1, $0.element) }
            let page = HistoryPage(events: events.reversed(), next: nil)
            #expect(page.refundsAsked == (waits ? [Self.refund.transactionID] : []))
        }
    }
}
