@testable import Shop
import ShopText
@testable import StoreModel
import Terminal
import Testing

/// The shop in lines: what it tells, and what typed lines do. The goldens have each screen in lines.
@Suite struct LinearTests {
    /// A person who types lines, as `LinearLoop` lets them: each message is told once.
    private struct Session {
        private var presenter = LinearPresenter(
            capabilities: Screens.capabilities(colors: .mono), formatters: Screens.formatters)
        private(set) var state: ShopState
        private(set) var effects: [ShopEffect] = []
        private(set) var said: [String] = []
        /// Since the program began. The store's clock stands still.
        var elapsed = Duration.zero

        init(_ state: ShopState = SampleShop.empty()) {
            self.state = state
            send(.resized)
            said = presenter.tell(self.state)
        }

        var page: LinearPage { presenter.page(state) }

        mutating func send(_ action: ShopAction) {
            reduce(action)
            tellNews()
        }

        private mutating func tellNews() {
            said += presenter.news(state)
            guard state.statusMessage != nil else { return }
            reduce(.messageFaded, after: StatusMessage.lasting)
            if presenter.endedMessage(in: state) { tellNews() }
        }

        private mutating func reduce(_ action: ShopAction, after pause: Duration = .zero) {
            effects += state.reduce(
                action,
                ShopMoment(
                    now: SampleShop.now, elapsed: elapsed + pause,
                    paymentID: SampleShop.payment(9), viewport: presenter.viewport(state)))
        }

        mutating func type(_ line: String) {
            (effects, said) = ([], [])
            switch presenter.answer(to: line, in: state) {
            case .actions(let actions):
                for action in actions { send(action) }
                said += presenter.tell(state)
            case .again: said = presenter.tell(state, whole: true)
            case .texts(let texts): said = texts
            case .wait: said = ["waits"]
            }
        }

        /// The number of the line that begins with this text.
        func number(_ text: String) throws -> String {
            let index = try #require(
                page.choices.firstIndex { $0.text.hasPrefix(text) }, "no \(text): \(page.lines)")
            return "\(index + 1)"
        }

        var entries: Int { presenter.viewport(state).entries.count }
        var standing: [String] { presenter.standing(state) }

        func name(_ product: ProductID) -> String {
            state.productList.product(product)?.displayName ?? ""
        }

        var payments: [Payment] {
            effects.compactMap { if case .purchase(let payment) = $0 { payment } else { nil } }
        }
    }

    @Test(
        "a payment sheet is answered by number, word or sign; only its own button pays",
        arguments: [
            ("2", "pays"), ("buy", "pays"), ("BUY FOR", "pays"),
            ("1", "cancels"), ("cancel", "cancels"), ("<", "cancels"), ("q", "cancels"),
            ("", "stays"), ("?", "stays"), (">", "stays"), ("b", "stays"), ("0", "stays"),
            ("3", "stays"), ("99999999999999999999", "stays"), ("yes", "stays"), ("buy 2", "stays"),
            (":restore", "stays"), ("/sepia", "stays"), ("help me", "stays"), ("-1", "stays"),
        ])
    func everyAnswer(line: String, outcome: String) throws {
        for locale in ["en_US", "ja_JP"] {
            var shop = Session(SampleShop.empty(locale: locale))
            shop.type(try shop.number(shop.name("theme.serif")))
            #expect(shop.state.screen == .product("theme.serif"))
            #expect(shop.said.contains { $0.contains(shop.name("theme.serif")) })
            shop.type("buy")
            guard case .payment = shop.state.sheet else {
                Issue.record("no payment sheet: \(shop.said)")
                return
            }
            #expect(shop.said.contains { $0.hasPrefix("2. ") } && shop.payments == [])
            #expect(shop.state.isBeforePayment)
            // The words of the button are in the language of the screen.
            let isEnglish = locale == "en_US"
            guard isEnglish || line.allSatisfy(\.isNumber) || "<?>q".contains(line) else {
                continue
            }
            shop.type(line)
            #expect(shop.payments.map(\.productID) == (outcome == "pays" ? ["theme.serif"] : []))
            #expect(shop.state.isBeforePayment == (outcome == "stays"), "\(shop.said)")
            #expect(!shop.said.isEmpty || outcome == "stays")
        }
    }

    @Test("the quantity is set by a word with a number, and by + and -")
    func quantity() throws {
        var shop = Session()
        shop.type("buy \(try shop.number(shop.name("coins.10")))")
        func quantity() -> Int? {
            if case .payment(let sheet) = shop.state.sheet { sheet.quantity } else { nil }
        }
        shop.type("quantity")
        #expect(shop.said == ["Quantity: 1, " + Strings.english[.linearQuantity]])
        for (line, expected) in [
            ("quantity", 1), ("ｑｕａｎｔｉｔｙ　４", 4), ("quantity 3", 3), ("+", 4), ("-", 3),
            ("quantity 10", 10), ("Quantity 99", 10),
            ("quantity 0", 1), ("quantity 2", 2),
        ] {
            shop.type(line)
            #expect(quantity() == expected, "\(line): \(shop.said)")
        }
        #expect(shop.said.contains { $0.hasPrefix("2. Buy for") })
        shop.type("2")
        #expect(shop.payments.map(\.quantity) == [2])
    }

    @Test("a line that has changed since it was read does nothing")
    func changed() throws {
        var shop = Session()
        let last = try shop.number(shop.name("coins.100"))
        var response = SampleShop.response(revision: 2)
        response.products.removeFirst(2)
        shop.send(.productsArrived(response))
        shop.type(last)
        #expect(shop.said == [Strings.english[.linearChanged]])
        #expect(shop.state.screen == .list && shop.effects.isEmpty)
        // Read again, it is what it says.
        shop.type("")
        shop.type(try shop.number(shop.name("coins.100")))
        #expect(shop.state.screen == .product("coins.100"))
    }

    @Test(
        "words and letters lead where keys lead, and any other word finds lines of the palette",
        arguments: [
            ("library", .library), ("ライブラリ", .library), ("history", .history),
            ("console", .console), ("o", .console), ("4", .product("book.four")),
            ("The Lighthouse, part tw", .product("book.two")),
        ] as [(String, Screen)])
    func places(line: String, screen: Screen) {
        let locale = line == "ライブラリ" ? "ja_JP" : "en_US"
        var shop = Session(SampleShop.empty(locale: locale))
        shop.type(line)
        #expect(shop.state.screen == screen, "\(shop.said)")
        #expect(shop.said.first?.hasPrefix(shop.state.shop.appName) == true || screen != .library)
        shop.type("<")
        shop.type("shop")
        #expect(shop.state.screen == .list)
    }

    @Test("the palette has every power: a word filters it, a number does it, a group opens")
    func palette() throws {
        var shop = Session()
        shop.type("paymentDeclined")
        #expect(shop.state.focus == .palette)
        let line = try #require(shop.page.choices.first { $0.text.contains("paymentDeclined") })
        shop.type(try shop.number(line.text))
        #expect(
            shop.effects.contains(.perform(.failNext(.purchase, error: .paymentDeclined, count: 1)))
        )
        #expect(shop.state.sheet == nil)

        shop.type(":")
        let all = shop.page.choices.count
        shop.type(":clock")
        #expect(shop.page.choices.count < all && !shop.page.choices.isEmpty)
        // Another text replaces the first one.
        shop.type("offline")
        guard case .palette(let palette) = shop.state.sheet else {
            Issue.record("the palette closed")
            return
        }
        #expect(palette.list.filter == "offline")
        shop.type(":")
        #expect(shop.page.choices.count == all)
        shop.type(try shop.number(Strings.english[.group(.failures)]))
        if case .palette(let open) = shop.state.sheet { #expect(open.group == .failures) }
        shop.type("<")
        shop.type("<")
        #expect(shop.state.sheet == nil)
    }

    @Test("the word that leaves does so from a sheet and a field, and buys nothing")
    func quit() throws {
        for (locale, word) in [("en_US", "quit"), ("ja_JP", "終了"), ("ja_JP", "ｑｕｉｔ")] {
            var shop = Session(SampleShop.empty(locale: locale))
            shop.type("buy \(try shop.number(shop.name("theme.serif")))")
            shop.type(word)
            #expect(shop.effects.contains(.quit) && shop.payments == [] && shop.said.count > 0)
            #expect(shop.state.sheet == nil && !shop.state.isBeforePayment)
        }
        for line in [":", "/", "help"] {
            var shop = Session()
            shop.type(line)
            shop.type("quit")
            #expect(shop.effects.contains(.quit), "\(line)")
        }
        // After a sign it is a text.
        var shop = Session()
        shop.type("/quit")
        #expect(shop.state.list.search?.text == "quit" && !shop.effects.contains(.quit))
    }

    @Test(
        "a request is answered by its place and by its number",
        arguments: [
            ("approve 1", .approve(TransactionID(1_000_008))),
            ("approve 2", .approve(TransactionID(1_000_009))),
            ("decline 1000008", .decline(TransactionID(1_000_008))),
            ("a 1000009", .approve(TransactionID(1_000_009))),
            ("approve 3", nil), ("approve 0", nil), ("approve -9223372036854775808", nil),
        ] as [(String, OperatorAction?)])
    func requests(line: String, answer: OperatorAction?) throws {
        var shop = Session(SampleScreen.console.state(locale: "en_US", size: Screens.usual))
        shop.type(line)
        let done: [OperatorAction] = shop.effects.compactMap {
            if case .perform(let action) = $0 { action } else { nil }
        }
        #expect(done == [answer].compactMap(\.self), "\(shop.said)")
    }

    @Test("a word with the line of a request answers it")
    func requestLine() throws {
        var shop = Session(SampleScreen.console.state(locale: "en_US", size: Screens.usual))
        let name = shop.name("coins.100")
        let row = try #require(
            shop.page.choices.firstIndex { $0.text.contains(name) && $0.text.contains("kai") })
        shop.type("approve \(row + 1)")
        #expect(shop.effects.contains(.perform(.approve(TransactionID(1_000_009)))))
    }

    @Test("digits, signs, letters and spaces of a Japanese keyboard mean what narrow ones mean")
    func fullWidth() throws {
        var shop = Session(SampleShop.empty(locale: "ja_JP"))
        let number = try shop.number(shop.name("coins.10"))
        let wide = number.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0xFEE0) }
            .map { String($0) }.joined()
        for line in ["ｂｕｙ　" + wide, "購入" + wide, "b" + number] {
            shop.type(line)
            #expect(shop.state.focus == .paymentSheet, "\(line): \(shop.said)")
            shop.type("＜")
        }
        shop.type(wide)
        #expect(shop.state.screen == .product("coins.10"))
        shop.type("？")
        #expect(shop.said.count > 1)
        shop.type("：ｃｌｏｃｋ")
        guard case .palette(let palette) = shop.state.sheet else {
            Issue.record("no palette: \(shop.said)")
            return
        }
        #expect(palette.list.filter == "clock")
    }

    @Test("> tells the next page of a list, which begins where the last one ended")
    func further() throws {
        for words in [["help"], [":", ""]] {
            var shop = Session()
            for word in words { shop.type(word) }
            let all = shop.entries
            var told = Set(shop.page.choices.map { "\($0.action)" })
            var pages = 1
            while pages < 20 {
                let last = try #require(shop.page.choices.last { $0.action.isSelecting })
                shop.type(">")
                guard !shop.said.isEmpty else { break }
                #expect(shop.page.choices.contains { $0.isSame(as: last) })
                told.formUnion(shop.page.choices.map { "\($0.action)" })
                pages += 1
            }
            // Every line once, in few pages.
            #expect(told.count >= all, "\(told.count) of \(all): \(words)")
            #expect(pages <= all / 30 + 2, "\(pages) for \(all): \(words)")
        }
    }

    @Test("> reads a long history of a subscription to its end")
    func history() throws {
        let chain = TransactionID(1_000_020)
        let events = (0..<150).map { day in
            StoreEvent(
                cursor: FeedCursor(epoch: 1, position: Int64(day)),
                at: SampleShop.now.advanced(byMilliseconds: Int64(day - 150) * 86_400_000),
                account: "aoi", device: nil,
                change: .subscriptionChanged(
                    SubscriptionEvent(
                        kind: .billingRetryFailed, chain: chain, productID: "plus.month")))
        }
        let timeline = SubscriptionTimeline(events, of: chain)
        var state = SampleScreen.subscription.state(locale: "en_US", size: Screens.usual)
        state.subscription.timeline = timeline
        var shop = Session(state)
        let oldest = try #require(timeline.items.first)
        let day = shop.page.strings.day(oldest.at) + ":"
        var pages = 1
        while pages < 9, !shop.page.lines.contains(where: { $0.hasPrefix(day) }) {
            shop.type(">")
            #expect(!shop.said.isEmpty, "page \(pages)")
            pages += 1
        }
        #expect((3..<9).contains(pages), "\(pages): \(shop.page.lines)")
    }

    @Test("what the screen names by a key, lines name by what can be typed")
    func advice() throws {
        for (locale, word) in [("en_US", "Type shop for"), ("ja_JP", "ショップでショップ")] {
            var shop = Session(SampleShop.empty(locale: locale))
            shop.type("library")
            let line = try #require(
                shop.page.lines.first { $0.contains(word) }, "\(shop.page.lines)")
            #expect(!line.contains("1"), "\(line)")
            shop.type(locale == "en_US" ? "shop" : "ショップ")
            #expect(shop.state.screen == .list)
            shop.type(":")
            #expect(!shop.page.lines.contains { $0.contains(#/, ([0-9]|Enter|Esc|Space)$/#) })
        }
        let offer = Session(SampleScreen.offer.state(locale: "en_US", size: Screens.usual))
        #expect(offer.page.lines.contains { $0.contains(Strings.english[.linearTerms]) })
        let faults = Session(SampleScreen.fault.state(locale: "en_US", size: Screens.usual))
        #expect(faults.page.choices.contains { $0.text == Strings.english[.linearNextCall] })
        var strings = Strings.english
        strings.isLinear = true
        let obstacle = StatusText.downloadWaits(name: "A", .consent(bytes: 1))
        #expect(strings[obstacle].hasSuffix("Type download."))
        #expect(Strings.english[obstacle].hasSuffix("Press Space."))
        #expect(strings[StatusText.refused(.noRequestSelected)].contains("approve 1"))
        // Two keys of a person are no word.
        strings.keys = OwnKeys([.restore: ["r", "x"]])
        let owned = Refusal.ownedElsewhere(name: "A")
        #expect(strings[owned].contains("Type restore to"))
        strings.isLinear = false
        #expect(strings[owned].contains("Press r x to"))
    }

    @Test(
        "download begins what stands, on a row too, and never pauses what runs",
        arguments: [
            ("book.two", "download", nil), ("book.two", "pause", .pauseDownloads),
            ("book.four", "download", .resumeDownloads), ("book.four", "resume", .resumeDownloads),
            ("book.five", "download", .resumeDownloads), ("book.four", "pause", nil),
        ] as [(ProductID, String, ContentOperation?)])
    func downloads(product: ProductID, word: String, does: ContentOperation?) throws {
        let shop = Session(SampleShop.full())
        let number = try shop.number(shop.name(product))
        for lines in [["\(word) \(number)"], [number, word]] {
            var shop = shop
            for line in lines { shop.type(line) }
            let done: [ContentOperation] = shop.effects.compactMap {
                if case .content(let operation, product, package: _) = $0 { operation } else { nil }
            }
            #expect(done == [does].compactMap(\.self), "\(lines): \(shop.said)")
        }
    }

    @Test("a word that turns on turns nothing off, whatever keys a person has chosen")
    func opposites() {
        for word in ["network on", "sign in"] {
            var state = SampleScreen.console.state(locale: "en_US", size: Screens.usual)
            state.own.keys = OwnKeys([.network: ["f5"], .signIn: ["f6"]])
            var shop = Session(state)
            shop.type(word)
            // Only reading follows: of what may be done.
            let done = shop.effects.filter { if case .findRefusals = $0 { false } else { true } }
            #expect(done.isEmpty, "\(word): \(done)")
        }
    }

    @Test("lines tell the whole of a trial's title, and that it was seen")
    func trials() throws {
        var state = SampleScreen.trials.state(locale: "en_US", size: Screens.usual)
        let title = String(repeating: "a title of many words ", count: 5) + "that ends"
        let text = TrialText(["en": title])
        state.trials.list.trials[0].title = text
        let lines = Session(state).page.lines
        #expect(lines.contains { $0.contains(title) }, "\(lines)")
        let seen = lines.filter { $0.hasSuffix(", seen") }
        #expect(seen.count == state.trials.ticks.evidence.count && !seen.isEmpty, "\(lines)")
    }

    @Test("a wait ends when no bytes come by themselves, and says what stands and why")
    func standing() {
        var shop = Session(SampleScreen.downloads.state(locale: "en_US", size: Screens.usual))
        #expect(shop.state.bytesOnTheirWay == 1_728_000)
        var said = shop.standing
        for word in ["waits for you: metered", "disk"] {
            #expect(said.contains { $0.contains(word) }, "\(said)")
        }
        #expect(!said.contains { $0.contains(shop.name("book.one")) })
        shop = Session(SampleShop.full())
        #expect(shop.standing.contains { $0.contains("paused at 31%") }, "\(shop.standing)")
        // Another process has the download.
        var state = SampleShop.full()
        state.holdsLease = false
        said = Session(state).standing
        #expect(said.contains { $0.contains("another shop delivers") }, "\(said)")
        // Offline.
        state.snapshot.whyOffline = .networkIsOff
        #expect(state.bytesOnTheirWay == nil)
        said = Session(state).standing
        #expect(said.contains { $0.contains("waiting for the network") }, "\(said)")
    }

    @Test("the answer to a payment and its event, which tell the same, are told once")
    func answeredTwice() throws {
        var shop = Session()
        shop.type("buy \(try shop.number(shop.name("theme.serif")))")
        shop.type("2")
        let payment = try #require(shop.payments.first)
        let request = TransactionID(7)
        shop.send(
            .updateArrived(.event(.deferred(payment, request: request, reason: .askToBuy))))
        shop.send(.purchaseAnswered(payment, .pending(request: request, reason: .askToBuy)))
        #expect(shop.said.filter { $0.contains("Waiting for approval") }.count == 1)
        // Later it is another request.
        shop.elapsed += StatusMessage.lasting
        let other = TransactionID(8)
        shop.send(
            .updateArrived(.event(.deferred(payment, request: other, reason: .askToBuy))))
        #expect(shop.said.filter { $0.contains("Waiting for approval") }.count == 2)
    }

    @Test("what happens again with the same words is told again, while the store's clock stands")
    func sameWords() throws {
        var shop = Session(SampleShop.full())
        shop.send(.attemptFailed(StoreError(.networkError)))
        let text = try #require(shop.said.last)
        shop.send(.attemptFailed(StoreError(.networkError)))
        #expect(shop.said.filter { $0 == text }.count == 2, "\(shop.said)")
    }

    @Test("a search, a refund request with its reason, and a line that asks once more")
    func otherSheets() throws {
        var shop = Session()
        shop.type("/night")
        #expect(shop.state.list.search?.text == "night" && shop.state.focus == .list)
        shop.type("/")
        #expect(shop.state.list.search == nil)

        shop = Session(SampleShop.full())
        shop.type(try shop.number(shop.name("book.one")))
        shop.type("ask for")
        #expect(shop.state.focus == .questionSheet)
        shop.type("reason")
        shop.type("2")
        let asked = shop.effects.contains {
            if case .requestRefund = $0 { true } else { false }
        }
        #expect(asked, "\(shop.effects)")

        shop = Session(SampleScreen.paletteAsking.state(locale: "en_US", size: Screens.usual))
        #expect(shop.said.contains { $0.contains("Enter again") })
        shop.type("")
        let isDone = shop.effects.contains { if case .perform = $0 { true } else { false } }
        #expect(isDone, "\(shop.effects)")
    }

    @Test("unknown input says what is expected, and changes nothing")
    func unknown() {
        for line in ["xyzzy", "buy 99", "77", "\u{1B}[A", "🂡"] {
            var shop = Session()
            let before = shop.state
            shop.type(line)
            #expect(shop.said.count == 1 && shop.said[0].contains("?"), "\(line): \(shop.said)")
            #expect(shop.state.sheet == nil && shop.state.screen == before.screen)
            #expect(shop.effects.isEmpty)
        }
        var shop = Session()
        shop.type("?")
        #expect(shop.said.contains { $0.contains("b buy") && $0.contains("library") })
        #expect(shop.said.contains { $0.contains(": lists all actions") })
        shop.type("The Light")
        #expect(shop.said.count == 1 && shop.said[0].contains(shop.name("book.one")))
    }

    @Test("a sheet, where no sign finds anything, does not offer the signs that do")
    func signsOfASheet() throws {
        var shop = Session()
        shop.type(try shop.number(shop.name("theme.serif")))
        shop.type("buy")
        shop.type("?")
        let signs = try #require(shop.said.last)
        #expect(signs.hasPrefix("< back, > more. An empty line"), "\(signs)")
    }

    @Test("a message is told once, and again when it comes again")
    func messages() throws {
        var shop = Session(SampleShop.full())
        for _ in 1...2 {
            shop.type("buy \(try shop.number(shop.name("book.one")))")
            let told = shop.said.filter { $0.contains("already own") }
            #expect(told.count == 1, "\(shop.said)")
        }
        shop.type("")
        #expect(!shop.said.contains { $0.contains("already own") })
    }

    @Test("a download is told at its start and at each quarter, not for every byte")
    func progress() {
        var shop = Session(SampleShop.full())
        var told: [String] = []
        for part in stride(from: 55, through: 99, by: 4) {
            let bytes = Int64(part) * 32_000
            shop.type("wait")
            #expect(shop.said == ["waits"])
            shop.send(
                .library(
                    .moved(
                        [
                            DownloadProgress(
                                productID: "book.two", contentID: "text", bytesReceived: bytes,
                                bytesPerSecond: 1000)
                        ], at: .seconds(part))))
            told += shop.said.filter { $0.hasPrefix("Downloading") }
        }
        #expect(told == ["Downloading \(shop.name("book.two")): 75%"])
    }

    @Test(
        "every screen is told in words: no symbol, bar or cut text, and each number once",
        arguments: SampleScreen.allCases, ["en_US", "ja_JP"])
    func words(screen: SampleScreen, locale: String) {
        let state = screen.state(locale: locale, size: Screens.usual)
        let page = Session(state).page
        #expect(!page.lines.isEmpty)
        for line in page.lines {
            #expect(line.allSatisfy { !"▌█░✓─│▍".contains($0) }, "\(line)")
            let signs = ["[ ", " ]", "‹", "›", "  "]
            let text = line.replacing(#/^[0-9]+\. /#, with: "")
            #expect(!signs.contains { text.contains($0) }, "\(line)")
        }
        let numbers = page.lines.compactMap { line in
            line.firstMatch(of: #/^([0-9]+)\. /#).flatMap { Int($0.1) }
        }
        for number in 1..<(page.choices.count + 1) where !numbers.contains(number) {
            Issue.record("no line \(number): \(page.lines)")
        }
    }

    @Test("on the screen, the cursor is in the row of the mark, so that a screen reader follows it")
    func cursor() throws {
        let screens: [SampleScreen] = [
            .list, .page, .payment, .question, .fault, .console, .history, .library, .palette,
            .chapters, .subscription, .signIn, .downloads, .fullDisk, .planChange, .server,
        ]
        for screen in screens {
            for size in [Screens.smallest, Screens.usual, Screens.large] {
                let state = screen.state(locale: "en_US", size: size)
                try Self.expectCursorOnMark(state, size, "\(screen)")
            }
        }
        var help = SampleScreen.help.state(locale: "en_US", size: Screens.usual)
        #expect(Screens.draw(help, Screens.usual).isCursorVisible)
        help.take([.selectionMoved(.down)], on: Screens.usual)
        try Self.expectCursorOnMark(help, Screens.usual, "help")
        // What is typed is read where it is typed.
        help.take([.help(.typed("b"))], on: Screens.usual)
        let frame = Screens.draw(help, Screens.usual)
        let cursor = try #require(frame.cursor)
        #expect(frame.isCursorVisible && frame.lines[cursor.row].contains("/b"))
    }

    private static func expectCursorOnMark(
        _ state: ShopState, _ size: Size, _ name: String
    ) throws {
        let frame = Screens.draw(state, size)
        let cursor = try #require(frame.cursor, "\(name)")
        #expect(
            frame.lines[cursor.row].contains("▌") && !frame.isCursorVisible,
            "\(name) \(size): row \(cursor.row)\n\(frame.text)")
    }
}
