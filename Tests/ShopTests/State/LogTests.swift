import Foundation
@testable import Shop
import ShopText
@testable import StoreModel
import Testing

/// Event logs: the customer's history and the console's events, page by page.
@Suite struct LogTests {
    static func newest(_ scope: LogQuery.Scope) -> LogQuery {
        LogQuery(
            scope: scope, filter: HistoryFilter(),
            part: .events(before: nil, limit: EventLog.pageSize))
    }

    static let newestEntries = LogQuery(
        scope: .account, filter: HistoryFilter(),
        part: .entries(before: nil, limit: EventLog.pageSize))

    static func event(_ number: Int64, _ change: StoreEvent.Change? = nil) -> StoreEvent {
        StoreEvent(
            cursor: FeedCursor(epoch: 1, position: number),
            at: SampleShop.now.advanced(byMilliseconds: number * 1000), account: "aoi",
            device: "phone", change: change ?? .finished(TransactionID(number)))
    }

    /// The events of these numbers, newest first.
    static func events(_ numbers: ClosedRange<Int64>) -> [StoreEvent] {
        numbers.reversed().map { event($0) }
    }

    static func page(_ scope: LogQuery.Scope, _ events: [StoreEvent]) -> ShopAction {
        .logArrived(newest(scope), LogPage(events: events))
    }

    private func cursor(_ number: Int64) -> FeedCursor { FeedCursor(epoch: 1, position: number) }

    private func feed(_ number: Int64) -> StoreEvent {
        StoreEvent(
            cursor: cursor(number), at: SampleShop.now, account: "aoi", device: "phone",
            change: .finished(TransactionID(number)))
    }

    /// A history of 100,000 events, whose newest page has the events 99,801 to 100,000.
    private func history() -> ShopProbe {
        var probe = ShopProbe()
        probe.happen(.viewChosen(.history))
        probe.happen(.logArrived(Self.newestEntries, LogPage()))
        probe.happen(
            .logArrived(
                Self.newest(.account),
                LogPage(events: Self.events(99_801...100_000), next: cursor(99_801))))
        return probe
    }

    @Test("a history of 100,000 events is opened by reading one page [A6]")
    func openingReadsOnePage() {
        var probe = ShopProbe()
        #expect(
            probe.happen(.viewChosen(.history))
                == [.readLog(Self.newest(.account)), .readLog(Self.newestEntries)])
        #expect(probe.happen(.logArrived(Self.newestEntries, LogPage())) == [])
        #expect(
            probe.happen(
                .logArrived(
                    Self.newest(.account),
                    LogPage(events: Self.events(99_801...100_000), next: cursor(99_801)))) == [])
        #expect(probe.state.history.lines.count == 200)
        #expect(probe.happen(.selectionMoved(.pageDown)) == [])
    }

    @Test("of an account with 100,000 events, opening the history asks the store once")
    func openingAsksTheStoreOnce() async {
        let store = FakeStore(eventCount: 100_000)
        let (stream, posting) = AsyncStream.makeStream(of: ShopAction.self)
        var answers = stream.makeAsyncIterator()
        let worker = ShopWorker(
            store: store, device: store, storeOperator: store, offerSigner: store,
            elapsed: ContinuousClock(),
            post: { posting.yield($0) })
        var probe = ShopProbe()
        var effects = probe.happen(.viewChosen(.history))
        var unanswered = 0
        repeat {
            for effect in effects { worker.perform(effect) }
            unanswered += effects.count
            guard let answer = await answers.next(isolation: #isolation) else { return }
            unanswered -= 1
            effects = probe.happen(answer)
        } while unanswered > 0 || !effects.isEmpty
        #expect(store.calls.sorted() == ["events", "logEntries"])
        #expect(probe.state.history.lines.count == EventLog.pageSize)
    }

    @Test("where the screens do not name the console, the history has nothing that it did")
    func theHistoryOfAnAudience() {
        let fault = Fault(id: 1, call: .purchase, error: .unknown, remaining: 1)
        let events = [
            Self.event(4, .faultSet(fault)), Self.event(3, .catalogRevised(revision: 2)),
            Self.event(2, .accountChanged(SampleShop.settings())), Self.event(1),
        ]
        let entries = [
            DeviceLogEntry(number: 1, at: SampleShop.now, what: .catalogRefused(problem: "line 3")),
            DeviceLogEntry(number: 0, at: SampleShop.now, what: .network(isOn: true)),
        ]
        for (isPresenting, kinds) in [
            (
                false,
                [
                    .event(.faultSet), .event(.catalogRevised), .event(.accountChanged),
                    .event(.finished), .event(.catalogRevised), .device,
                ]
            ), (true, [.event(.finished), .device]),
        ] as [(Bool, [LogKind])] {
            var state = SampleShop.empty()
            state.shop.isPresenting = isPresenting
            var probe = ShopProbe(state)
            probe.happen(.viewChosen(.console))
            probe.happen(.viewChosen(.history))
            probe.happen(.logArrived(Self.newestEntries, LogPage(entries: entries)))
            probe.happen(Self.page(.account, events))
            probe.happen(Self.page(.store, events))
            #expect(probe.state.history.lines.map(\.kind) == kinds)
            #expect(probe.state.console.log.lines.count == events.count)
        }
    }

    @Test("a customer's history has no changed value, such as a place in a book, until it is named")
    func valuesMustBeNamed() {
        let place = AccountValue(key: AccountValue.readingKey("book.one"), value: "{}")
        let events = [Self.event(2, .valueChanged(place)), Self.event(1)]
        for isPresenting in [false, true] {
            var state = SampleShop.empty()
            state.shop.isPresenting = isPresenting
            var probe = ShopProbe(state)
            probe.happen(.viewChosen(.console))
            probe.happen(Self.page(.store, events))
            #expect(probe.state.console.log.lines.count == 2)
            probe.happen(.viewChosen(.history))
            probe.happen(.logArrived(Self.newestEntries, LogPage()))
            probe.happen(Self.page(.account, events))
            func kinds() -> [LogKind] { probe.state.history.lines.map(\.kind) }
            #expect(kinds() == [.event(.finished)])
            for _ in LogGroup.allCases {
                for case .readLog(let query) in probe.happen(.eventLog(.groupCycled)) {
                    probe.happen(.logArrived(query, LogPage(events: events)))
                }
                #expect(!kinds().contains(.event(.valueChanged)))
            }
            probe.happen(.searchOpened)
            for text in ["kind:value", "Changed"] {
                for case .readLog(let query) in probe.happen(.eventLog(.filterTyped(text))) {
                    probe.happen(.logArrived(query, LogPage(events: Array(events.prefix(1)))))
                }
                #expect(kinds() == [.event(.valueChanged)])
            }
        }
    }

    @Test("near the end of what is loaded the next page is read, once")
    func theNextPageIsReadNearTheEnd() {
        var probe = history()
        let next = LogQuery(
            scope: .account, filter: HistoryFilter(),
            part: .events(before: cursor(99_801), limit: EventLog.pageSize))
        #expect(probe.happen(.selectionMoved(.last)) == [.readLog(next)])
        #expect(probe.happen(.selectionMoved(.down)) == [])
        probe.happen(
            .logArrived(next, LogPage(events: Self.events(99_601...99_800), next: cursor(99_601))))
        #expect(probe.state.history.lines.count == 400)
        #expect(probe.state.history.selectedLine?.transaction == TransactionID(99_801))
    }

    @Test("new events come on top, and neither the selection nor what is in sight moves")
    func newEventsMoveNothing() {
        var probe = history()
        probe.happen(.selectionMoved(.pageDown))
        probe.happen(.selectionMoved(.pageDown))
        let (selected, first) = (probe.state.history.selected, probe.state.history.firstRow)
        let top = probe.state.history.lines[first]
        let query = LogQuery(
            scope: .account, filter: HistoryFilter(), part: .events(before: nil, limit: 3))
        #expect(
            probe.happen(.eventsArrived([feed(100_001), feed(100_002)])) == [.readLog(query)])
        probe.happen(
            .logArrived(
                query,
                LogPage(events: Self.events(100_000...100_002), next: cursor(100_000))))
        #expect(probe.state.history.lines.count == 202)
        #expect(probe.state.history.lines.first?.transaction == TransactionID(100_002))
        #expect(probe.state.history.selected == selected)
        #expect(probe.state.history.lines[probe.state.history.firstRow] == top)
    }

    @Test("more new events than a page has are read by a larger one, and the selection stays")
    func manyNewEvents() {
        var probe = history()
        probe.happen(.selectionMoved(.down))
        let selected = probe.state.history.selected
        func newest(_ limit: Int) -> LogQuery {
            LogQuery(
                scope: .account, filter: HistoryFilter(), part: .events(before: nil, limit: limit))
        }
        #expect(probe.happen(.eventsArrived([feed(100_001)])) == [.readLog(newest(2))])
        // By the time of the answer, three events have happened.
        let few = LogPage(events: Self.events(100_002...100_003), next: cursor(100_002))
        #expect(probe.happen(.logArrived(newest(2), few)) == [.readLog(newest(9))])
        #expect(probe.state.history.lines.count == 200)
        let all = LogPage(events: Self.events(99_995...100_003), next: cursor(99_995))
        #expect(probe.happen(.logArrived(newest(9), all)) == [])
        #expect(probe.state.history.lines.count == 203)
        #expect(probe.state.history.selected == selected)
    }

    /// A history of these events, newest first, in which a person does something. The first three
    /// come after that, each alone.
    private func history(
        of events: [StoreEvent], _ entry: DeviceLogEntry, arePiecemeal: Bool,
        after actions: [ShopAction]
    ) -> ShopState {
        var probe = ShopProbe()
        func answer(_ effects: [ShopEffect], from first: Int) {
            for case .readLog(let query) in effects {
                guard case .events(_, let limit) = query.part else {
                    probe.happen(.logArrived(query, LogPage(entries: [entry])))
                    continue
                }
                let found = events[first...].filter { query.filter.shows($0) }
                probe.happen(.logArrived(query, LogPage(events: Array(found.prefix(limit)))))
            }
        }
        let known = arePiecemeal ? 3 : 0
        for action in [.viewChosen(.history)] + actions {
            answer(probe.happen(action), from: known)
        }
        for new in (0..<known).reversed() {
            let effects = probe.happen(.eventsArrived([feed(7)]))
            #expect(!effects.isEmpty)
            answer(effects, from: new)
        }
        return probe.state
    }

    /// What a person does with a history: nothing, sort by kind, filter, show one group, mark.
    static let looks: [[ShopAction]] = [
        [], [.component(SortCycled())], [.searchOpened, .eventLog(.filterTyped("finished"))],
        [.eventLog(.groupCycled), .eventLog(.groupCycled), .eventLog(.groupCycled)],
        // The oldest line is the device's in one of the cases, and it cannot be marked.
        [.selectionMoved(.last), .eventLog(.marked), .selectionMoved(.up), .eventLog(.marked)],
    ]

    @Test(
        "new events one by one give the lines of all at once, also if they are older than others",
        arguments: [0, 3, 5, 10] as [Int64], looks.indices)
    func newEventsOneByOne(entrySeconds: Int64, look: Int) {
        let entry = DeviceLogEntry(
            number: 1, at: SampleShop.now.advanced(byMilliseconds: entrySeconds * 1000),
            what: .leaseTaken)
        var events = Self.events(1...6)
        events[1] = Self.event(5, .clockSet(.running(offset: 90_000)))
        events[4] = Self.event(2, .clockSet(.running(offset: 30_000)))
        // By kind it comes after those that were finished.
        events[0] = Self.event(6, .claimed(TransactionID(6), by: "tablet"))
        let actions = Self.looks[look]
        let all = history(of: events, entry, arePiecemeal: false, after: actions)
        let pieces = history(of: events, entry, arePiecemeal: true, after: actions)
        #expect(pieces.history.lines == all.history.lines)
        #expect(all.history.lines.count == [7, 7, 3, 4, 7][look])
        #expect(pieces.history.markedLines == all.history.markedLines)
        #expect(all.history.markedLines.isEmpty == (look != 4))
        // One group has no change of the clock.
        let earlier: ClockState? = look == 3 ? nil : .running(offset: 30_000)
        let changed = LogLine.event(events[1]).id
        #expect(all.earlierClock(than: changed) == earlier)
        #expect(pieces.earlierClock(than: changed) == earlier)
    }

    @Test("the device's log is merged by time, and nothing comes between lines later")
    func theDevicesLogIsMerged() {
        var probe = ShopProbe()
        probe.happen(.viewChosen(.history))
        let entry = { (number: Int64, seconds: Int64) in
            DeviceLogEntry(
                number: number, at: SampleShop.now.advanced(byMilliseconds: seconds * 1000),
                what: .leaseTaken)
        }
        probe.happen(
            .logArrived(
                Self.newest(.account), LogPage(events: Self.events(10...12), next: cursor(10))))
        #expect(probe.state.history.lines.isEmpty, "the device's log may be newer")
        probe.happen(
            .logArrived(Self.newestEntries, LogPage(entries: [entry(2, 11), entry(1, 5)])))
        #expect(
            probe.state.history.lines.map(\.id) == [
                .event(cursor(12), index: 0), .event(cursor(11), index: 0), .entry(number: 2),
                .event(cursor(10), index: 0),
            ], "what is older than the loaded events waits for them")
    }

    @Test("a filter reads on, but no more than five pages for each key")
    func aFilterReadsOnWithinBounds() {
        var probe = history()
        probe.happen(.searchOpened)
        #expect(probe.state.focus == .logFilter)
        var effects = probe.happen(.eventLog(.filterTyped("nothing like it")))
        var pages = 0
        while case .readLog(let query)? = effects.first, pages < 100 {
            pages += 1
            let first = 99_801 - Int64(pages) * 200
            effects = probe.happen(
                .logArrived(
                    query,
                    LogPage(events: Self.events(first...(first + 199)), next: cursor(first))))
        }
        #expect(pages == EventLog.pagesPerKey)
        #expect(probe.state.history.lines.isEmpty)
        probe.happen(.wentBack)
        #expect(probe.state.history.lines.count == 1_200)
    }

    @Test("a day without a time begins at the midnight of the person's zone, and in UTC at a shell")
    func days() throws {
        let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
        #expect(Timestamp(iso8601: "2026-11-20") == Timestamp(milliseconds: 1_795_132_800_000))
        #expect(
            Timestamp(iso8601: "2026-11-20", zone: tokyo)
                == Timestamp(milliseconds: 1_795_132_800_000 - 9 * 3_600_000))
        // A time with a zone ignores the given zone.
        #expect(
            Timestamp(iso8601: "2026-11-20T00:00:00Z", zone: tokyo)
                == Timestamp(milliseconds: 1_795_132_800_000))
        for wrong in [
            "2026-1", "2027-02-30", "2027-02-30T10:00:00+09:00", "2027-01-31T25:00:00Z",
            "2027-01-31T25:00:00+09:00",
        ] {
            #expect(Timestamp(iso8601: wrong, zone: tokyo) == nil)
        }
        #expect(
            Timestamp(iso8601: "2027-01-31T10:00:00+09:00")
                == Timestamp(iso8601: "2027-01-31T01:00:00Z"))
    }

    @Test("kinds, product, account and day are looked up by index while they are typed")
    func theIndexIsUsed() {
        var probe = ShopProbe()
        probe.happen(.consoleToggled)
        probe.happen(.searchOpened)
        let filter = HistoryFilter(
            product: "coins.10", account: "kai",
            since: Timestamp(iso8601: "2026-11-20", zone: .current))
        #expect(
            probe.happen(
                .eventLog(.filterTyped("account:kai product:coins.10 since:2026-11-20"))) == [
                    .readLog(
                        LogQuery(
                            scope: .store, filter: filter,
                            part: .events(before: nil, limit: EventLog.pageSize)))
                ])
        #expect(probe.happen(.confirmed) == [], "Enter only ends the typing")
        #expect(probe.state.console.log.text == "account:kai product:coins.10 since:2026-11-20")
        probe.happen(.wentBack)
        guard case .readLog(let query)? = probe.happen(.eventLog(.groupCycled)).first else {
            Issue.record("no page of the next group is read")
            return
        }
        #expect(
            query.filter.kinds == [.sold, .deferred, .failed, .purchaseCancelled, .promoted])
    }

    /// The names of the kinds of lines in these tests, as a screen would give them.
    private static let names: [LogKind: String] = [
        .event(.sold): "purchased", .renewed: "renewed", .event(.deferred): "お願い",
        .event(.failed): "failed", .event(.faultSet): "failure", .event(.faultCleared): "failure",
        .held: "not sent", .download: "download",
    ]

    /// A log with events of all kinds: 1 sold, 2 renewed, 3 asks, 4 failed, 5 a fault.
    private static func variety(_ text: String) -> EventLog {
        let probe = filtered(text)
        return probe.state.console.log
    }

    private static func filtered(
        _ text: String, in shop: ShopState = SampleShop.empty()
    ) -> ShopProbe {
        var probe = ShopProbe(shop, viewport: Viewport(kindNames: names))
        probe.happen(.consoleToggled)
        func sale(_ number: Int64, _ reason: TransactionPayload.Reason) -> StoreEvent.Change {
            .sold(
                PastSale(
                    id: TransactionID(number), productID: number == 1 ? "book.one" : "coins.10",
                    type: .consumable, price: Money(milliunits: 990, currency: "USD"),
                    reason: reason, purchasedAt: SampleShop.now, storefront: "USA"))
        }
        let payment = Payment(
            id: SampleShop.payment(1), productID: "coins.100",
            shownPrice: Money(milliunits: 990, currency: "USD"))
        let fault = Fault(id: 1, call: .purchase, error: .networkError, remaining: 1)
        let events = [
            event(5, .faultSet(fault)),
            event(4, .failed(payment, StoreError(.paymentDeclined), request: nil)),
            event(3, .deferred(payment, request: TransactionID(9), reason: .askToBuy)),
            event(2, sale(2, .renewal)),
            event(1, sale(1, .purchase)),
        ]
        probe.happen(.searchOpened)
        var effects = probe.happen(.eventLog(.filterTyped(text)))
        effects.append(.readLog(newest(.store)))
        for case .readLog(let query) in effects {
            let matching = events.filter { event in
                (query.filter.kinds.isEmpty || query.filter.kinds.contains(event.kind))
                    && (query.filter.product == nil || event.productID == query.filter.product)
            }
            probe.happen(.logArrived(query, LogPage(events: matching)))
        }
        return probe
    }

    @Test(
        "kinds are found by the screen's words, by the names of commands, and by beginnings",
        arguments: [
            ("kind:purchased", [1]), ("kind:renewed", [2]), ("kind:sold", [2, 1]),
            ("kind:お願い", [3]), ("kind:deferred", [3]), ("kind:pur", [1]),
            ("kind:failed", [4]), ("kind:fail", [5, 4]), ("kind:faultSet", [5]),
            ("KIND:Purchased", [1]), ("kind:", [5, 4, 3, 2, 1]), ("kind:not", []),
            ("kind:purchased kind:fail", [5, 4, 1]),
            // A word also matches the name of a kind.
            ("お願い", [3]), ("renewed coins", [2]),
            // A product matches by a part of its name or its identifier.
            ("product:book.one", [1]), ("product:coins", [4, 3, 2]), ("product:100", [4, 3]),
            ("product:coins kind:asks", []),
            // A time includes what happened at that very instant.
            ("since:2026-11-21T05:02:14Z", [5, 4, 3]),
        ] as [(String, [Int64])])
    func kindsAndProducts(text: String, found: [Int64]) {
        let log = Self.variety(text)
        #expect(log.lines.map(\.id) == found.map { .event(Self.event($0).cursor, index: 0) })
    }

    @Test(
        "a product that is no longer sold is found by the name under which it was, and by its id",
        arguments: [
            ("product:lamp", [1]), ("product:LÁMP", [1]), ("product:book.one", [1]),
            ("product:book.on", [1]), ("product:coins", [4, 3, 2]),
        ] as [(String, [Int64])])
    func soldBefore(text: String, found: [Int64]) {
        var response = SampleShop.response()
        response.products.removeAll { $0.id == "book.one" }
        response.pastNames = ["book.one": "The Old Lamp"]
        let log = Self.filtered(text, in: SampleShop.empty(response: response)).state.console.log
        #expect(log.lines.map(\.id) == found.map { .event(Self.event($0).cursor, index: 0) })
        #expect(log.filterProblem == nil)
    }

    @Test(
        "a value that names nothing is a problem, and shows nothing",
        arguments: [
            ("kind:nonsense", LogFilter.Problem.noSuchKind("nonsense")),
            ("product:nonsense", .noSuchProduct("nonsense")), ("since:soon", .noDay("soon")),
            ("since:2026-1", .noDay("2026-1")), ("is:fre", .noSuchFact("fre")),
        ])
    func problems(text: String, problem: LogFilter.Problem) {
        var probe = Self.filtered(text)
        #expect(probe.state.console.log.filterProblem == problem)
        #expect(probe.state.console.log.lines.isEmpty)
        for _ in text { probe.happen(.eventLog(.filterErased)) }
        #expect(probe.state.console.log.filterProblem == nil)
    }

    @Test("an unknown field is a problem where nothing has the typed text, and a time is no field")
    func unknownField() {
        let unknown = Self.filtered("foo:bar").state.console.log
        #expect(unknown.filterProblem == .noSuchField("foo") && unknown.lines.isEmpty)
        #expect(Self.filtered("14:02").state.console.log.filterProblem == nil)
        let fields = LogFilter.fields(in: .account).map(\.typed)
        #expect(fields == ["kind:", "product:", "since:", "is:"])
    }

    @Test("a change of an account, the clock and the renewals is compared with what was before")
    func changesAreCompared() {
        var probe = ShopProbe()
        probe.happen(.consoleToggled)
        var asking = SampleShop.settings()
        asking.askToBuy = true
        probe.happen(
            Self.page(
                .store,
                [
                    Self.event(6, .renewalsSet(RenewalSettings(failsBilling: true))),
                    Self.event(5, .renewalsSet(RenewalSettings(limit: 3))),
                    Self.event(4, .clockSet(.running(offset: 90_000))),
                    Self.event(3, .accountChanged(asking)),
                    Self.event(2, .clockSet(.running(offset: 30_000))),
                    Self.event(1, .accountChanged(SampleShop.settings())),
                ]))
        func id(_ number: Int64) -> LogLine.ID { .event(cursor(number), index: 0) }
        #expect(probe.state.earlierSettings(than: id(3)) == SampleShop.settings())
        #expect(probe.state.earlierSettings(than: id(1)) == nil)
        #expect(probe.state.earlierClock(than: id(4))?.jump(to: .running(offset: 90_000)) == 60_000)
        #expect(probe.state.earlierClock(than: id(2)) == .system)
        #expect(probe.state.earlierRenewals(than: id(6)) == RenewalSettings(limit: 3))
        #expect(probe.state.earlierRenewals(than: id(5)) == .standard)
    }

    @Test("of moves of the clock that were made before the shop began, no part is announced")
    func earlierMovesOfTheClock() {
        let steps = [ClockState.running(offset: 46_800_000), .running(offset: 86_400_000)]
        var probe = ShopProbe()
        for step in steps {
            probe.happen(.updateArrived(.event(.clockSet(step))))
            #expect(
                probe.state.statusMessage?.what
                    == .clockSet(step, before: nil, now: probe.state.now))
        }
        probe = ShopProbe()
        probe.happen(.scheduleArrived([], steps[1]))
        for step in steps { probe.happen(.updateArrived(.event(.clockSet(step)))) }
        #expect(probe.state.statusMessage == nil)
        #expect(probe.state.console.clock == steps[1])
    }

    @Test("a moved clock is announced once, with how far it was moved")
    func theClockIsAnnouncedOnce() {
        var probe = ShopProbe()
        probe.happen(.scheduleArrived([], .system))
        let moved = ClockState.running(offset: 86_400_000)
        probe.happen(.updateArrived(.event(.clockSet(moved))))
        #expect(
            probe.state.statusMessage?.what
                == .clockSet(moved, before: .system, now: probe.state.now))
        let message = probe.state.statusMessage
        let event = StoreEvent(
            cursor: cursor(1), at: SampleShop.now, account: nil, device: nil,
            change: .clockSet(moved))
        probe.happen(
            .operatorPerformed(
                OperatorOutcome(
                    action: .clock(.next), events: [event],
                    clock: ClockReading(
                        now: SampleShop.now, state: moved, renewals: .standard))))
        #expect(probe.state.statusMessage == message)
    }

    @Test("the details of a sale are read once, and its signed text is copied when it is there")
    func detailsAreReadAndCopied() {
        var probe = history()
        let id = TransactionID(100_000)
        #expect(probe.happen(.confirmed) == [.readTransaction(id, .account)])
        #expect(probe.state.screen == .details)
        #expect(probe.happen(.eventLog(.signedTextCopied)) == [])
        let details = SignedDetails(id: id, signed: "a.b.c", problem: nil, payload: [])
        #expect(
            probe.happen(.transactionArrived(details, .account)).contains(
                .copy(.signedText(id, "a.b.c"))))
        #expect(
            probe.happen(.eventLog(.identifierCopied))
                == [.copy(.identifier("100000"))])
        #expect(probe.state.statusMessage?.what == .copied(.identifier("100000")))
        probe.happen(.copyFailed(.identifier("100000"), to: .tmux))
        #expect(probe.state.statusMessage?.what == .notCopied(.identifier("100000"), to: .tmux))
        probe.happen(.wentBack)
        #expect(probe.state.screen == .history)
    }

    @Test("cancelling the payment sheet is logged once")
    func aCancelledSheetIsLogged() {
        var probe = ShopProbe()
        probe.open("coins.10")
        probe.happen(.buyChosen)
        #expect(probe.happen(.wentBack) == [.log(.purchaseCancelled("coins.10"))])
        #expect(probe.happen(.wentBack) == [])
    }

    @Test("on a product's page its identifier is copied")
    func pageIdentifier() {
        var probe = ShopProbe()
        probe.open("book.one")
        let copied = Copied.identifier("book.one")
        #expect(probe.happen(.eventLog(.identifierCopied)) == [.copy(copied)])
    }

    @Test("the console shows the device's log by time, and hides it behind a filter by account")
    func theConsoleShowsTheDevicesLog() {
        var probe = ShopProbe()
        var newestEntries = Self.newestEntries
        newestEntries.scope = .store
        #expect(probe.happen(.consoleToggled).contains(.readLog(newestEntries)))
        probe.happen(Self.page(.store, Self.events(1...3)))
        #expect(probe.state.console.log.lines.count == 3)
        let entry = DeviceLogEntry(
            number: 7, at: SampleShop.now.advanced(byMilliseconds: 2500), what: .leaseTaken)
        probe.happen(.logArrived(newestEntries, LogPage(entries: [entry])))
        func ids() -> [LogLine.ID] { probe.state.console.log.lines.map(\.id) }
        let all = [Self.event(3), Self.event(2), Self.event(1)].map { LogLine.event($0).id }
        #expect(ids() == [all[0], LogLine.entry(entry).id] + all[1...])
        // A new line of the device is read while the console is shown.
        #expect(
            probe.happen(.accountArrived(AccountSnapshot())).contains {
                if case .readLog(let query) = $0 { query.isOfEntries } else { false }
            })
        probe.happen(.searchOpened)
        for effect in probe.happen(.eventLog(.filterTyped("account:aoi"))) {
            guard case .readLog(let query) = effect else { continue }
            probe.happen(.logArrived(query, LogPage(events: Self.events(1...3))))
        }
        #expect(ids() == all)
    }

    // MARK: - Claiming

    /// A history whose newest line is a sale of coins on a device.
    private func sold(
        on device: DeviceName?, to account: AccountName = "aoi", _ type: ProductType = .consumable
    ) -> ShopProbe {
        var probe = ShopProbe()
        probe.happen(.viewChosen(.history))
        probe.happen(.logArrived(Self.newestEntries, LogPage()))
        var event = Self.event(
            7,
            .sold(
                PastSale(
                    id: TransactionID(7), productID: "coins.10", type: type,
                    price: Money(milliunits: 990, currency: "USD"), reason: .purchase,
                    purchasedAt: SampleShop.now, storefront: "USA")))
        event.device = device
        event.account = account
        probe.happen(Self.page(.account, [event]))
        return probe
    }

    @Test(
        "a key takes over the coins that another device of the account bought, or none did",
        arguments: ["tablet", nil] as [DeviceName?])
    func claims(device: DeviceName?) throws {
        var probe = sold(on: device)
        let name = try probe.state.product("coins.10").displayName
        #expect(probe.happen(.eventLog(.saleClaimed)) == [.claim(TransactionID(7))])
        #expect(probe.state.statusMessage?.what == .claiming(name: NamedItem(name)))
    }

    @Test("nothing else is taken over")
    func claimsNothingElse() {
        for var probe in [
            sold(on: "phone"), sold(on: "tablet", to: "kai"), sold(on: "tablet", .nonConsumable),
        ] {
            #expect(probe.happen(.eventLog(.saleClaimed)).isEmpty)
            #expect(probe.state.statusMessage?.what == .refused(.nothingToClaim))
        }
    }
}
