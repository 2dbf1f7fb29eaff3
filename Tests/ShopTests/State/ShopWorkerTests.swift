import Basics
import Foundation
@testable import Shop
@testable import StoreModel
import Synchronization
import Testing

/// The worker answers every effect by actions, whether the store succeeds or fails.
@Suite(.timeLimit(.minutes(10))) struct ShopWorkerTests {
    /// A worker whose actions can be read in order; nil marks the end of an effect.
    private struct Bench {
        let store: FakeStore
        let worker: ShopWorker
        private var actions: AsyncStream<ShopAction?>.Iterator

        init(_ store: FakeStore) {
            self.store = store
            let (stream, posting) = AsyncStream.makeStream(of: ShopAction?.self)
            actions = stream.makeAsyncIterator()
            worker = ShopWorker(
                store: store, device: store, storeOperator: store, offerSigner: store,
                elapsed: ContinuousClock(),
                post: { posting.yield($0) },
                ended: { _ in posting.yield(nil) })
        }

        mutating func nextAction() async -> ShopAction? {
            await actions.next(isolation: #isolation).flatMap { $0 }
        }

        mutating func next() async -> String? { await nextAction().map(Self.name) }

        /// The names of all actions of one effect.
        mutating func perform(_ effect: ShopEffect) async -> [String] {
            worker.perform(effect)
            var names: [String] = []
            while let name = await next() { names.append(name) }
            return names
        }

        static func name(_ action: ShopAction) -> String {
            switch action {
            case .opened: "opened"
            case .productsArrived: "productsArrived"
            case .productsFailed: "productsFailed"
            case .accountArrived: "accountArrived"
            case .accountFailed: "accountFailed"
            case .consoleArrived: "consoleArrived"
            case .consoleFailed: "consoleFailed"
            case .scheduleArrived: "scheduleArrived"
            case .logArrived: "logArrived"
            case .logFailed: "logFailed"
            case .transactionArrived: "transactionArrived"
            case .transactionFailed: "transactionFailed"
            case .searchIndexMade: "searchIndexMade"
            case .deviceChanged: "deviceChanged"
            case .updateArrived: "updateArrived"
            case .eventsArrived: "eventsArrived"
            case .purchaseAnswered: "purchaseAnswered"
            case .purchaseFailed: "purchaseFailed"
            case .restoreEnded: "restoreEnded"
            case .restoreFailed: "restoreFailed"
            case .attemptFailed: "attemptFailed"
            case .operatorPerformed: "operatorPerformed"
            case .operatorRefused: "operatorRefused"
            case .refusalsFound: "refusalsFound"
            case .refusalsFailed: "refusalsFailed"
            case .component: "component"
            default: "an action no effect answers with: \(action)"
            }
        }
    }

    struct Row: Sendable {
        var effect: ShopEffect
        var calls: [String]
        var actions: [String]
        var whenFailing: [String]

        init(
            _ effect: ShopEffect, _ calls: [String], _ actions: [String],
            _ whenFailing: [String] = ["attemptFailed", "deviceChanged"]
        ) {
            self.effect = effect
            self.calls = calls
            self.actions = actions
            self.whenFailing = whenFailing
        }
    }

    private static let payment = Payment(
        id: SampleShop.payment(1), productID: "book.one",
        shownPrice: Money(milliunits: 990, currency: "USD"))
    private static let place = ReadingPlace(
        productID: "book.one", contentID: "text", path: "a.txt", offset: 7)
    private static let chapter = ContentFile(
        contentID: "text", version: "1", path: "b.txt", absolutePath: "/b.txt", length: 1,
        kind: .text)
    private static let paidChapter: ContentFile = {
        var file = chapter
        file.cost = Grant(unit: "coins", amount: 5)
        return file
    }()
    private static let request = ApprovalRequest(
        number: TransactionID(9), account: "kai", device: "tablet", payment: payment,
        askedAt: SampleShop.now)

    private static func query(
        _ scope: LogQuery.Scope, _ part: LogQuery.Part = .events(before: nil, limit: 200)
    ) -> LogQuery { LogQuery(scope: scope, filter: HistoryFilter(), part: part) }

    private static let rows = [
        Row(.loadProducts, ["products"], ["productsArrived"], ["productsFailed"]),
        Row(
            .refreshAccount,
            [
                "entitlements", "queuedPayments", "latestDeliveries", "balances", "downloads",
                "overdueSince", "promotedPurchases", "askedPayments", "settings", "isSignedIn",
                "familyStatus",
                "knownRequests", "events", "subscriptions",
            ],
            ["accountArrived"], ["accountFailed"]),
        Row(
            .refreshConsole,
            [
                "pendingRequests", "faults", "settings", "upcoming", "clock", "refundRequests",
                "packageReleases", "family", "notices",
            ],
            [
                "scheduleArrived", "component", "component", "component", "component",
                "consoleArrived",
            ],
            ["consoleFailed"]),
        Row(.purchase(payment), ["buy"], ["purchaseAnswered"], ["purchaseFailed"]),
        Row(
            .dropPayment(payment), ["drop"], ["component"], ["attemptFailed", "deviceChanged"]),
        Row(.restore, ["restore"], ["restoreEnded"], ["restoreFailed"]),
        Row(.content(.pauseDownloads, "book.one"), ["pauseDownloads"], ["deviceChanged"]),
        Row(
            .content(.resumeDownloads, "book.one"), ["resumeDownloads"],
            ["component", "deviceChanged"],
            ["attemptFailed", "deviceChanged"]),
        Row(
            .content(.consentToDownload, "book.one"), ["consentToDownload"],
            ["component", "deviceChanged"],
            ["attemptFailed", "deviceChanged"]),
        Row(
            .content(.makeRoom, "book.one"), ["makeRoom"], ["component", "deviceChanged"],
            ["attemptFailed", "deviceChanged"]),
        Row(.content(.cancelDownloads, "book.one"), ["cancelDownloads"], ["deviceChanged"]),
        Row(.content(.deleteContent, "book.one"), ["deleteContent"], ["deviceChanged"]),
        Row(
            .openContent("book.one", nil), ["closeContent", "contentFiles", "readingPlaces"],
            ["component"], ["component"]),
        // The next chapter: the present one stays open.
        Row(
            .openContent("book.one", chapter), ["contentFiles", "readingPlaces"], ["component"],
            ["component"]),
        Row(
            .openPackage("book.one", paidChapter), ["open", "contentFiles", "readingPlaces"],
            ["component", "deviceChanged", "component"], ["component"]),
        Row(
            .setDownloadFaults(DownloadFaults(latencyMilliseconds: 9, corruptAt: 1)),
            ["setDownloadFaults 2"], ["deviceChanged"]),
        Row(.closeContent, ["closeContent"], [], []),
        Row(.remember(place), ["remember"], [], ["attemptFailed"]),
        Row(.saveSettings(DeviceSettings()), ["change"], ["deviceChanged"]),
        Row(
            .setValue(AccountValue(key: AccountValue.themeKey, value: "theme.sepia")), ["change"],
            ["deviceChanged"]),
        Row(
            .readReceipt(refreshes: false), ["receipt", "appTransaction"], ["component"],
            ["component"]),
        Row(
            .readReceipt(refreshes: true),
            ["refreshReceipt", "refreshAppTransaction", "receipt", "appTransaction"],
            ["component"], ["component"]),
        Row(.readTimeline(TransactionID(9)), ["events"], ["component"], ["component"]),
        Row(.manageSubscriptions(TransactionID(9)), ["manageSubscriptions"], [], ["component"]),
        Row(.findOffers("plus.year"), ["offers"], ["component"], []),
        // The fake store has no offer code.
        Row(.findRedemption(code: "X"), [], ["component"], ["component"]),
        Row(.answer(payment.id, .confirmed), ["answer"], ["deviceChanged"]),
        Row(.setSignedIn(false), ["setSignedIn false"], ["deviceChanged"]),
        Row(.setNetwork(.on), ["setNetwork on"], ["deviceChanged"]),
        Row(
            .setNetwork(.offAfterPayment(milliseconds: 9)),
            ["setNetwork offAfterPayment"], ["deviceChanged"]),
        Row(
            .perform(.failNext(.purchase, error: .networkError, count: 2)), ["perform failNext"],
            ["operatorPerformed", "deviceChanged"], ["operatorRefused", "deviceChanged"]),
        Row(
            .perform(.clock(.stop)), ["perform clock", "clock"],
            ["operatorPerformed", "deviceChanged"], ["operatorRefused", "deviceChanged"]),
        Row(
            .perform(.changeAccount(.init(account: "kai", askToBuy: true))),
            ["perform changeAccount", "settings"], ["operatorPerformed", "deviceChanged"],
            ["operatorRefused", "deviceChanged"]),
        Row(
            .findRefusals([.clock(.next), .clock(.stop)]), ["refusal", "refusal"],
            ["refusalsFound"], ["refusalsFailed"]),
        Row(
            .perform(.clearFault(1)), ["perform clearFault"],
            ["operatorPerformed", "deviceChanged"],
            ["operatorRefused", "deviceChanged"]),
        Row(.readLog(query(.store)), ["history"], ["logArrived"], ["logFailed"]),
        Row(.readLog(query(.account)), ["events"], ["logArrived"], ["logFailed"]),
        Row(
            .readLog(query(.account, .entries(before: nil, limit: 50))), ["logEntries"],
            ["logArrived"], ["logFailed"]),
        Row(
            .readTransaction(TransactionID(9), .account), ["transaction", "verify"],
            ["transactionArrived"], ["transactionFailed"]),
        Row(.log(.leaseTaken), ["log"], [], []),
        Row(
            .makeSearchIndex([], revision: 1), [], ["searchIndexMade"], ["searchIndexMade"]),
    ]

    @Test("every effect calls the right contract and is answered", arguments: rows)
    func everyEffectIsAnswered(_ row: Row) async {
        var bench = Bench(FakeStore())
        #expect(await bench.perform(row.effect) == row.actions)
        #expect(bench.store.calls == row.calls)
    }

    @Test("every effect is answered even if the store fails", arguments: rows)
    func everyEffectIsAnsweredAlsoWhenTheStoreRefuses(_ row: Row) async {
        var bench = Bench(FakeStore(failing: StoreError(.storeBusy)))
        #expect(await bench.perform(row.effect) == row.whenFailing)
        // The same effect again: the failure has left none under way.
        #expect(await bench.perform(row.effect) == row.whenFailing)
    }

    /// The content that the worker opens for a product without a named file; nil if it opens none.
    private static func opened(in store: FakeStore) async -> OpenedContent? {
        let (stream, posting) = AsyncStream.makeStream(of: ShopAction.self)
        let worker = ShopWorker(
            store: store, device: store, storeOperator: store, offerSigner: store,
            elapsed: ContinuousClock(),
            post: { posting.yield($0) })
        worker.perform(.openContent("book.one", nil))
        var actions = stream.makeAsyncIterator()
        guard case .component(let action)? = await actions.next(isolation: #isolation),
            case .opened(let content)? = action as? ReaderAction
        else { return nil }
        return content
    }

    /// The text is longer than one part of `readContent`.
    @Test("a text is read to its end, in parts, and opened where it was left")
    func aTextIsReadToItsEnd() async throws {
        let bytes = Data(String(repeating: "a line of a book\n", count: 100_000).utf8)
        let place = ReadingPlace(
            productID: "book.one", contentID: "text", path: "b.txt", offset: 1_000_000)
        let store = FakeStore(files: ["a.txt": Data("a".utf8), "b.txt": bytes], place: place)
        let content = try #require(await Self.opened(in: store))
        #expect(content.files.map(\.path) == ["a.txt", "b.txt"])
        #expect(content.number == 1)
        #expect(content.place == place)
        #expect(content.text == PlainText(bytes))
        #expect(store.calls.count { $0 == "readContent" } == 3)
    }

    @Test("content that was never read begins in its own language, however its folders are named")
    func ownLanguageFirst() async throws {
        let store = FakeStore(files: [
            "ja/letter.txt": Data("a".utf8), "letter.txt": Data("b".utf8),
        ])
        let content = try #require(await Self.opened(in: store))
        #expect(content.files[content.number].path == "letter.txt")
    }

    @Test("the observer is registered before anything else is asked [A1]")
    func theObserverIsRegisteredBeforeAnythingElseIsAsked() async throws {
        var bench = Bench(FakeStore())
        try await bench.worker.start()
        #expect(
            bench.store.calls
                == ["updates", "downloadWakes", "launch", "accountSettings", "head", "events"])
        #expect(await bench.next() == "opened")
        bench.store.updating.yield(.leaseTaken)
        #expect(await bench.next() == "updateArrived")
        bench.store.waking.yield(.changed)
        #expect(await bench.next() == "deviceChanged")
        // A batch without events posts nothing.
        bench.store.feeding.yield(StoreEventBatch(events: [], cursor: FakeStore.cursor))
        let event = StoreEvent(
            cursor: FakeStore.cursor, at: SampleShop.now, account: nil, device: nil,
            change: .catalogRevised(revision: 2))
        bench.store.feeding.yield(StoreEventBatch(events: [event], cursor: FakeStore.cursor))
        #expect(await bench.next() == "eventsArrived")
        bench.store.feeding.finish(throwing: StoreError(.storeUnreadable))
        #expect(await bench.next() == "attemptFailed")
    }

    @Test("bytes that arrive move a bar, and the device is asked for nothing")
    func barsMoveByThemselves() async throws {
        var bench = Bench(FakeStore())
        try await bench.worker.start()
        #expect(await bench.next() == "opened")
        let before = bench.store.calls
        var shop = SampleShop.full()
        for bytes in Int64(2_000_000)..<2_000_100 {
            bench.store.waking.yield(
                .moved([
                    DownloadProgress(
                        productID: "book.two", contentID: "text", bytesReceived: bytes,
                        bytesPerSecond: 210_000)
                ]))
            let action = try #require(await bench.nextAction())
            #expect(
                shop.reduce(action, ShopMoment(now: shop.now, paymentID: Self.payment.id)) == [])
            #expect(shop.snapshot.downloads["book.two"]?.received == bytes)
        }
        #expect(bench.store.calls == before)
    }

    @Test("nothing is asked of a store whose device cannot be launched")
    func aDeviceThatCannotBeLaunchedIsAskedForNothing() async {
        let bench = Bench(FakeStore(atLaunch: StoreError(.deviceUnreadable)))
        await #expect(throws: StoreError(.deviceUnreadable)) { try await bench.worker.start() }
        #expect(bench.store.calls == ["updates", "downloadWakes", "launch"])
    }

    @Test("queries of a busy device are 50 ms apart by the given clock, and wait for no other")
    func queriesOfABusyDeviceAreKeptApart() async {
        let clock = StepClock()
        let throttle = QueryThrottle(clock: clock)
        for _ in 0..<4 { await throttle.wait() }
        #expect(clock.now.offset == .milliseconds(150))
    }
}

/// A clock that moves only by the pauses that tasks ask of it.
private final class StepClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }
    private let time = Mutex(Instant())
    var now: Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .nanoseconds(1) }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        time.withLock { $0 = max($0, deadline) }
    }
}
