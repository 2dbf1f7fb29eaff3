@testable import Shop
import ShopText
@testable import StoreModel
import Terminal
import Testing

/// The latest message at the foot of the screen.
@Suite("message row") struct MessageRowTests {
    private static func frame(_ screen: SampleScreen, locale: String = "en_US") -> [String] {
        Screens.draw(screen.state(locale: locale, size: Screens.smallest), Screens.smallest).lines
    }

    @Test(
        "a small screen shows a purchase with its price where rows are listed, over the note that more follow",
        arguments: [("en_US", "$2.99"), ("ja_JP", "¥")])
    func bought(locale: String, price: String) {
        let lines = Self.frame(.list, locale: locale)
        let foot = lines[9...10].joined(separator: " ")
        #expect(foot.contains("14:02") && foot.contains(price), "\(lines)")
        #expect(lines[8].contains { !$0.isWhitespace }, "only one row of the list is covered")
    }

    @Test("replaced messages are counted until the history, which has them, was opened")
    func countedUntilTheHistory() {
        var state = SampleScreen.list.state(locale: "en_US", size: Screens.usual)
        state.statusMessage = StatusMessage(
            at: SampleShop.now, what: .notWatching, fadesAt: .seconds(9), replaced: 3)
        #expect(Screens.draw(state, Screens.usual).text.contains("+3"))
        for view in [ShopView.history, .shop] {
            state.take([.viewChosen(view)], on: Screens.usual)
            let text = Screens.draw(state, Screens.usual).text
            #expect(text.contains("Files cannot be watched") && !text.contains("+3"), "\(text)")
        }
    }

    @Test("while products load, the footer names r for a restore, and Enter does nothing")
    func loading() {
        var probe = ShopProbe(ShopState(shop: SampleShop.identity()))
        probe.happen(.opened(SampleShop.settings(), holdsLease: true))
        for _ in 1...2 {
            let footer = Screens.draw(probe.state, Screens.usual).lines[23]
            #expect(!footer.contains("Enter") && footer.contains("r restore"), "\(footer)")
            #expect(probe.happen(.confirmed).isEmpty)
            #expect(!probe.state.purchasing.isRestoring)
            probe.happen(.productsFailed(StoreError(.storeUnreachable)))
        }
        #expect(probe.happen(.restoreChosen) == [.restore])
    }

    // MARK: - Keys in few columns

    private static let book = "The Lighthouse, part two"
    private static let past = PastPayment(
        name: book, quantity: 3, price: nil, queuedAt: SampleShop.now)

    private static func told(_ kind: SubscriptionEvent.Kind) -> StatusText {
        let event = SubscriptionEvent(
            kind: kind, chain: TransactionID(1), productID: "plus.month", until: SampleShop.now,
            nextProductID: nil)
        return .subscription(event, name: book, next: nil)
    }

    private static func bought(_ obstacle: DownloadObstacle) -> StatusText {
        .bought(
            Bought(
                name: book, quantity: 1, price: nil, transaction: TransactionID(7),
                content: .waiting(obstacle), isUnasked: false))
    }

    /// Messages, and what names their keys in English and in Japanese.
    private static let address = "postgresql:///storefront?user=storefront&host=/run/postgresql"

    private static let naming: [(what: StatusText, words: [String])] = [
        (.held(past), ["u sends, U drops", "u で送信、U で破棄"]),
        (.promoted(name: book), ["u continues, U drops", "u で続行、U で破棄"]),
        (
            .restored(count: 3, alreadyHere: 0, unverified: 0, toDownload: 3),
            ["Space downloads", "Spaceでダウンロード"]
        ),
        (
            .restored(count: 0, alreadyHere: 3, unverified: 0, toDownload: 2),
            ["Space downloads", "Spaceでダウンロード"]
        ),
        (
            .downloadWaits(name: book, .consent(bytes: 3_200_000)),
            ["Space downloads", "Spaceでダウンロード"]
        ),
        (.downloadWaits(name: book, .room(nil)), ["Space continues", "Spaceで進め"]),
        (bought(.room(nil)), ["Space downloads", "Spaceで進め"]),
        (told(.graceBegan), ["s shows what to do", "sで対処"]),
        (told(.priceIncreaseAsked), ["s answers", "sで回答"]),
        (told(.priceIncreaseNotified), ["s shows", "sで確認"]),
        (.outbox(.sentTo(address: nil)), ["a sets an address", "a で設定"]),
        (.failed(name: "Sepia", .networkIsOff), ["not charged. N connects", "請求なし。Nでオン"]),
        (.restoreFailed(.networkIsOff), ["no restore. N connects", "復元なし。Nでオン"]),
        (.trouble(.networkIsOff), ["N turns the network on", "Nでオンにします"]),
        (
            .failed(name: "Sepia", StoreError(.storeUnreachable, subject: address)),
            ["Not charged: the server is away.", "請求なし、サーバー不通"]
        ),
        (
            .restoreFailed(StoreError(.storeUnreachable, subject: address)),
            ["Not restored: the server is away.", "復元なし、サーバー不通"]
        ),
        (.trouble(StoreError(.storeUnreachable)), ["The server is away", "サーバー不通"]),
        (.refused(.ownedElsewhere(name: book)), ["r restores", "rで復元"]),
        (.refused(.noRequestSelected), ["a or d", "aかd"]),
        (.refused(.alreadyRefunded(TransactionID(1_000_002))), [": reverses", ": で取り消せ"]),
        (.refused(.logTooLong), ["End loads all to sort; / filters", "Endで末尾へ、/で絞り込み"]),
    ]

    private static func state(_ screen: SampleScreen, _ locale: String, _ what: StatusText)
        -> ShopState
    {
        var state = screen.state(locale: locale, size: Screens.smallest)
        state.statusMessage = StatusMessage(at: SampleShop.now, what: what, fadesAt: .seconds(9))
        return state
    }

    @Test("a message names its key, or that nothing was charged, in one row of 40 columns")
    func keysInOneRow() {
        for (number, locale) in ["en_US", "ja_JP"].enumerated() {
            for (what, words) in Self.naming {
                let state = Self.state(.page, locale, what)
                let row = Screens.draw(state, Screens.smallest).lines[10]
                #expect(row.contains(words[number]), "\(row)")
            }
        }
    }

    @Test("in two rows of 40 columns a held payment has its name and both keys")
    func keysInTwoRows() {
        for (locale, words) in [
            ("en_US", ["u sends, U drops", "part two."]),
            ("ja_JP", ["u で送信、U で破棄", "part two"]),
        ] {
            let state = Self.state(.list, locale, .held(Self.past))
            let lines = Screens.draw(state, Screens.smallest).lines
            let foot = lines[9...10].joined(separator: "\n")
            for word in words { #expect(foot.contains(word), "\(foot)") }
        }
    }

    @Test("a message that has room says all, and a purchase names the key of its download")
    func wholeWhereThereIsRoom() {
        let waiting = Self.bought(.consent(bytes: 3_200_000))
        func foot(_ size: Size, _ what: StatusText) -> String {
            var state = SampleScreen.list.state(locale: "en_US", size: size)
            state.statusMessage = StatusMessage(
                at: SampleShop.now, what: what, fadesAt: .seconds(9))
            return Screens.draw(state, size).lines.suffix(3).joined(separator: "\n")
        }
        let held = foot(Screens.large, .held(Self.past))
        #expect(held.contains("Not sent, not charged: 3 × The Lighthouse, part two"), "\(held)")
        let whole = foot(Screens.large, waiting)
        #expect(whole.contains("Transaction 7, verified."), "\(whole)")
        let narrow = foot(Screens.usual, waiting)
        #expect(narrow.contains("Bought The Lighthouse, part two"), "\(narrow)")
        #expect(narrow.contains("Metered: Space downloads The Lighthouse"), "\(narrow)")
    }

    @Test("the footer of 40 columns names the key that sends a held payment")
    func footerOfHeld() {
        var state = SampleScreen.list.state(locale: "en_US", size: Screens.smallest)
        var snapshot = state.snapshot
        snapshot.held = [
            QueuedPayment(
                payment: Payment(
                    id: SampleShop.payment(7), productID: "coins.10", quantity: 1,
                    shownPrice: Money(milliunits: 990, currency: "USD")),
                state: .held, queuedAt: SampleShop.now)
        ]
        state.take([.accountArrived(snapshot)], on: Screens.smallest)
        let footer = Screens.draw(state, Screens.smallest).lines[11]
        #expect(footer.contains("u send held payment"), "\(footer)")
    }

    @Test("text that is read keeps its rows")
    func reader() {
        let lines = Self.frame(.reader)
        var state = SampleScreen.reader.state(locale: "en_US", size: Screens.smallest)
        state.statusMessage = nil
        let quiet = Screens.draw(state, Screens.smallest).lines
        #expect(lines[9] == quiet[9])
    }
}
