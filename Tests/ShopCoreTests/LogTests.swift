@testable import ShopCore
import ShopTestSupport
import StoreModel
import Testing

/// Event logs: the customer's history and the console's events, page by page.
@Suite struct LogTests {
    /// The query for the newest page of events.
    static func newest(_ scope: LogQuery.Scope) -> LogQuery {
        LogQuery(
            scope: scope, filter: HistoryFilter(),
            part: .events(before: nil, limit: EventLog.pageSize))
    }

    static let newestEntries = LogQuery(
        scope: .account, filter: HistoryFilter(),
        part: .entries(before: nil, limit: EventLog.pageSize))

    static func event(_ number: Int64, _ change: PastEvent.Change? = nil) -> PastEvent {
        PastEvent(
            cursor: FeedCursor(epoch: 1, position: number),
            at: SampleShop.now.advanced(byMilliseconds: number * 1000), account: "aoi",
            device: "phone", change: change ?? .finished(TransactionID(number), nil))
    }

    /// Newest first.
    static func events(_ numbers: ClosedRange<Int64>) -> [PastEvent] {
        numbers.reversed().map { event($0) }
    }

    /// The first page of a log, with all there is.
    static func page(_ scope: LogQuery.Scope, _ events: [PastEvent]) -> ShopAction {
        .logArrived(newest(scope), LogPage(events: events))
    }

    private func cursor(_ number: Int64) -> FeedCursor { FeedCursor(epoch: 1, position: number) }

    private func feed(_ number: Int64) -> StoreEvent {
        StoreEvent(
            cursor: cursor(number), at: SampleShop.now, account: "aoi", device: "phone",
            change: .finished(TransactionID(number)))
    }

    /// A history whose newest page is the events 99,801 to 100,000 of 100,000.
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

    @Test("a history of 100,000 events is opened by reading one page")
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
            store: store, device: store, storeOperator: store, post: { posting.yield($0) })
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
        // The selection stayed on its line.
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

    @Test("kinds, product, account and day are looked up by index")
    func theIndexIsUsed() {
        var probe = ShopProbe()
        probe.happen(.consoleToggled)
        probe.happen(.searchOpened)
        probe.happen(.eventLog(.filterTyped("account:kai product:coins.10 since:2026-11-20")))
        let filter = HistoryFilter(
            product: "coins.10", account: "kai",
            since: Timestamp(milliseconds: 1_795_132_800_000))
        #expect(
            probe.happen(.confirmed) == [
                .readLog(
                    LogQuery(
                        scope: .store, filter: filter,
                        part: .events(before: nil, limit: EventLog.pageSize)))
            ])
        probe.happen(.wentBack)
        guard case .readLog(let query)? = probe.happen(.eventLog(.groupCycled)).first else {
            Issue.record("no page of the next group is read")
            return
        }
        #expect(
            query.filter.kinds == [.sold, .deferred, .failed, .purchaseCancelled, .promoted])
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
            probe.happen(.transactionArrived(details, .account)).contains(.copy("a.b.c")))
        #expect(probe.happen(.eventLog(.identifierCopied)) == [.copy("100000")])
        #expect(probe.state.statusMessage?.what == .copied)
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
}
