import Foundation
@testable import Shop
import ShopText
@testable import StoreModel
import Terminal
import Testing

/// The lines of the palette, the help and the failure sheet on the screen.
@Suite struct PaletteViewTests {
    @Test("the words of a filter match in any order, without case, accents and width")
    func wordsMatchInAnyOrder() {
        let texts = ["Refund the Café", "1000003"]
        for filter in ["cafe refund", "REFUND", "０００３ caf", " ", "fund  the"] {
            #expect(WordFilter(filter).matches(texts), "\(filter)")
        }
        #expect(!WordFilter("refund tea").matches(texts))
    }

    @Test(
        "the palette lists what acts on the selection, then the screen's, the groups, the refused",
        arguments: ["en_US", "ja_JP"])
    func thePaletteListsWhatCanBeDone(_ locale: String) throws {
        for var state in Self.palettes(locale) {
            let lines = Self.drawn(state, Screens.usual)
            let sections = lines.map { $0.refusal == nil ? $0.section : .refused }
            #expect(sections.map(\.rawValue) == sections.map(\.rawValue).sorted())
            #expect(Set(sections).isSuperset(of: [.screen, .groups, .refused]))
            #expect(lines.map(\.entry) == Screens.viewport(Screens.usual, in: state).entries)
            #expect(lines.count < 80 && lines.allSatisfy { $0.group == nil })
            // Enter opens a group, and Esc closes it and chooses its line.
            let entry = try #require(lines.first { $0.entry.id == .group(.failures) }).entry
            state.take([.palette(.pointed(entry.id))], on: Screens.usual)
            if case .palette(let palette) = state.sheet, palette.group == nil {
                state.take([.confirmed], on: Screens.usual)
            }
            let inside = Self.drawn(state, Screens.usual)
            #expect(inside.count > 70 && inside.allSatisfy { $0.group == .failures })
            #expect(state.take([.wentBack], on: Screens.usual) == [])
            let again = Self.drawn(state, Screens.usual)
            #expect(again.map(\.entry) == lines.map(\.entry))
            guard case .palette(let palette) = state.sheet else {
                Issue.record("the palette closed")
                return
            }
            let chosen = palette.list.chosenIndex(in: again.map(\.entry))
            #expect(chosen.map { again[$0].entry.id } == .group(.failures))
        }
        var state = Self.palettes(locale)[0]
        state.take([.palette(.typed("restore"))], on: Screens.large)
        let text = Screens.draw(state, Screens.large).text
        #expect(text.contains(locale == "en_US" ? "▌ Restore purchases" : "▌ 復元"), "\(text)")
    }

    @Test("an identifier typed into the palette, alone or after \"open\", is a line of its own")
    func identifiersOpenPages() throws {
        for (typed, title, note, screen) in [
            ("theme.sepia", "Open Sepia", "theme.sepia", .product("theme.sepia")),
            ("open theme.sepia", "Open Sepia", "theme.sepia", .product("theme.sepia")),
            ("theme.sepai", "Open theme.sepai", "theme.sepai", .list),
        ] as [(String, String, String, Screen)] {
            var state = SampleShop.full()
            state.take([.palette(.opened), .palette(.typed(typed))], on: Screens.large)
            let line = try #require(
                Screens.draw(state, Screens.large).lines.first { $0.contains("▌ \(title)") })
            #expect(line.contains(note))
            state.take([.confirmed], on: Screens.large)
            #expect(state.screen == screen)
        }
        var state = SampleShop.full()
        state.take([.palette(.opened), .palette(.typed("open"))], on: Screens.large)
        #expect(!Screens.draw(state, Screens.large).text.contains("Open open"))
    }

    @Test("what the shop is set to is found by the words for it, in a short list each")
    func settingsAreFound() throws {
        for (locale, word) in [
            ("en_US", "theme"), ("en_US", "language"), ("en_US", "territory"),
            ("en_US", "account"), ("en_US", "device"), ("ja_JP", "theme"), ("ja_JP", "言語"),
            ("ja_JP", "地域"), ("ja_JP", "アカウント"), ("ja_JP", "デバイス"),
        ] {
            var state = Self.palettes(locale)[0]
            state.take([.palette(.typed(word))], on: Screens.usual)
            let lines = Self.drawn(state, Screens.usual)
            #expect(lines.prefix(4).contains { $0.section == .groups }, "\(lines.map(\.title))")
        }
        for (word, command) in [
            ("tour", "storefront demo --tour"), ("finish", "storefront finish"),
            ("export", "storefront catalog export"),
        ] {
            var state = Self.palettes("en_US")[0]
            state.take([.palette(.typed(word))], on: Screens.large)
            let text = Screens.draw(state, Screens.large).text
            #expect(text.contains("In a shell: \(command)"), "\(text)")
        }
    }

    @Test("a typed name is an account to continue as; one that cannot be part of a path is refused")
    func anotherAccount() {
        var state = Self.palettes("en_US")[0]
        state.take([.palette(.typed("another account")), .confirmed], on: Screens.usual)
        #expect(Screens.draw(state, Screens.usual).text.contains("type a name"))
        state.take([.palette(.typed("../kai"))], on: Screens.usual)
        #expect(state.take([.confirmed], on: Screens.usual) == [])
        #expect(state.sheet != nil)
        for _ in "../kai" { state.take([.palette(.erased)], on: Screens.usual) }
        state.take([.palette(.typed("ren"))], on: Screens.usual)
        #expect(Screens.draw(state, Screens.usual).text.contains("▌ Sign in as ren"))
        let device = state.shop.device
        #expect(state.take([.confirmed], on: Screens.usual) == [.continueAs("ren", on: device)])
        #expect(state.opening == .opening && state.snapshot == AccountSnapshot())
        #expect(state.statusMessage?.what == .customerChanged("ren", device))
    }

    @Test("an organizer's shop continues neither as another account nor on another device")
    func anOrganizerStays() {
        var state = SampleShop.full()
        state.shop.actor = "mum"
        let stays: [PaletteChoice] = [.account("ren"), .device("tablet")]
        #expect(stays.allSatisfy { state.refusal(of: $0) == .shop(.operatorOnly("mum")) })
        state.shop.actor = nil
        #expect(stays.allSatisfy { state.refusal(of: $0) == nil })
    }

    @Test("the words of the screens change at once")
    func anotherLanguage() {
        var state = Self.palettes("en_US")[0]
        state.take([.palette(.typed("words 日本語")), .confirmed], on: Screens.usual)
        #expect(state.sheet == nil && state.language == "ja")
        #expect(Screens.draw(state, Screens.usual).text.contains("ヘルプ"))
    }

    @Test(
        "the palette fills the screen, the selection's lines first",
        arguments: [("en_US", Screens.usual), ("ja_JP", Screens.smallest)])
    func thePaletteIsTall(_ locale: String, _ size: Size) {
        var state = SampleShop.full(locale: locale)
        state.list.selectedRow = state.productList.row(of: "book.one") ?? 0
        state.take([.palette(.opened)], on: size)
        let lines = Screens.draw(state, size).lines
        let name = state.name(of: "book.one")
        // Header, edge and filter are above the lines; message and footer below them.
        #expect(lines[2].contains(":"))
        if size == Screens.usual { #expect(lines[3].contains(name.uppercased()), "\(lines)") }
        #expect(lines[3..<(size.rows - 2)].allSatisfy { !$0.isEmpty }, "\(lines)")
        #expect(lines[3..<(size.rows - 2)].contains { $0.contains(name) }, "\(lines)")
    }

    @Test("the help finds lines of the palette, and Enter opens the palette at the line")
    func helpSearchesThePalette() {
        var state = SampleShop.full()
        state.take([.helpToggled, .help(.typed("advance month"))], on: Screens.large)
        let line = "Advance the store's clock by 1 month"
        #expect(Screens.draw(state, Screens.large).text.contains(line))
        state.take([.confirmed], on: Screens.large)
        #expect(state.help == nil && state.focus == .palette)
        #expect(Screens.draw(state, Screens.large).text.contains("▌ \(line)"))
        state.shop.isPresenting = true
        state.take([.wentBack, .helpToggled, .help(.typed("clock"))], on: Screens.large)
        #expect(!Screens.draw(state, Screens.large).text.contains("the store's clock"))
    }

    /// - Parameter all: also the lines in groups, without a filter.
    private static func drawn(_ state: ShopState, _ size: Size, all: Bool = false)
        -> [PaletteLine]
    {
        guard case .palette(let palette) = state.sheet else { return [] }
        let canvas = Canvas(
            Frame(size: Size(columns: 0, rows: 0)), state, size: size,
            capabilities: Screens.capabilities(),
            formatters: Screens.formatters)
        return all ? canvas.allPaletteLines : canvas.paletteLines(palette)
    }

    /// The palette's lines on the shop, the console and the history, with nothing and a purchase
    /// selected.
    private static func palettes(_ locale: String) -> [ShopState] {
        ShopView.allCases.flatMap { view in
            (["book.one", nil] as [ProductID?]).map { product in
                var state = SampleShop.full(locale: locale)
                state.list.selectedRow =
                    product.flatMap { state.productList.row(of: $0) }
                    ?? state.productList.rows.count - 1
                state.take([.viewChosen(view), .palette(.opened)], on: Screens.usual)
                return state
            }
        }
    }

    @Test(
        "each line of the palette is found by its words, by its English words, and by its command")
    func linesAreFoundInEveryLanguage() {
        for state in ["en_US", "ja_JP"].flatMap(Self.palettes) {
            // Names of products and territories stay as in the customer's own language.
            var english = state
            english.shop.locale = "en_US"
            english.shop.language = "en"
            let titles = Dictionary(
                Self.drawn(english, Screens.usual, all: true).map { ($0.entry.id, $0.title) },
                uniquingKeysWith: { first, _ in first })
            let lines = Self.drawn(state, Screens.usual, all: true)
            #expect(Set(titles.keys) == Set(lines.map(\.entry.id)))
            for line in lines {
                let command: String? =
                    switch line.entry.id {
                    case .perform(let action): action.command
                    case .missing(let kind): kind.command
                    case .fault: "download-failures"
                    case .key, .everywhere: line.entry.action?.command
                    case .group, .choice, .inPalette, .failure: nil
                    }
                for words in [line.title, titles[line.entry.id], command].compactMap(\.self) {
                    let typed = TypedText.appending(words, to: "")
                    #expect(
                        line.matches(WordFilter(typed)), "\(words) does not find \(line.title)")
                }
            }
            for words in ["refund", "返金", "restore"] {
                let matching = lines.filter { $0.matches(WordFilter(words)) }.map(\.entry.id)
                var typed = state
                typed.take([.palette(.typed(words))], on: Screens.usual)
                let found = Self.drawn(typed, Screens.usual).map(\.entry.id)
                #expect(Set(found) == Set(matching) && found.count < lines.count, "\(words)")
                #expect(!found.isEmpty || words == "返金", "\(words)")
            }
        }
    }

    @Test("a line that fits best comes first, also if it is refused, and Enter says why")
    func theBestFitIsFirst() {
        for (locale, word) in [
            ("en_US", "refund"), ("ja_JP", "返金"), ("ja_JP", "refund"), ("en_US", "revoke"),
            ("en_US", "delete"), ("en_US", "renew"),
        ] {
            var state = Self.palettes(locale)[1]
            state.take([.palette(.typed(word))], on: Screens.usual)
            let lines = Self.drawn(state, Screens.usual)
            let first = lines.first?.refusal
            guard case .missing? = lines.first?.entry.id, case .shop? = first else {
                Issue.record("\(word): \(lines.map(\.title))")
                continue
            }
            let effects = state.take([.confirmed], on: Screens.usual)
            #expect(effects.isEmpty && state.statusMessage?.what == first?.message)
            guard case .palette = state.sheet else {
                Issue.record("the palette closed")
                continue
            }
        }
    }

    @Test("lines that set failures are found below all others, under a heading")
    func failuresAreLast() {
        for (word, locale) in [("refund", "en_US"), ("renew", "ja_JP")] {
            for var state in Self.palettes(locale) {
                state.take([.palette(.typed(word))], on: Screens.large)
                let lines = Self.drawn(state, Screens.large)
                let failing = lines.map(\.setsFailure)
                let count = failing.count { $0 }
                #expect(count > 0 && failing.suffix(count).allSatisfy { $0 })
                let first = lines.first(where: \.setsFailure)?.entry
                #expect(first?.top == (first?.row ?? 0) - 1)
            }
        }
        var state = Self.palettes("en_US")[0]
        state.take([.palette(.typed("refund request"))], on: Screens.large)
        let text = Screens.draw(state, Screens.large).text
        #expect(text.contains("FAIL A CALL ON PURPOSE"), "\(text)")
    }

    @Test("a switch in the palette is a verb, and says what Enter does to it")
    func switchesAreVerbs() {
        for (isOn, words) in [
            (
                false,
                [
                    "Turn Ask to Buy on", "Turn payments on", "Ask the bank before purchases",
                    "Interrupt purchases", "Turn payment sheets off",
                ]
            ),
            (
                true,
                [
                    "Turn Ask to Buy off", "Turn payments off",
                    "Stop asking the bank before purchases", "Stop interrupting purchases",
                    "Turn payment sheets on",
                ]
            ),
        ] {
            let titles = AccountSwitch.allCases.map {
                Strings.english.offer(
                    .changeAccount(
                        AccountChange(of: "me", $0, $0 == .disablesDialogs ? !isOn : !isOn)),
                    "")
            }
            #expect(titles == words)
        }
    }

    @Test("the history's palette says nothing twice: the shop, nor what an operator's line does")
    func theHistorySaysNothingTwice() {
        var probe = ShopProbe(SampleShop.full())
        let sale = PastSale(
            id: TransactionID(7), productID: "theme.sepia", type: .nonConsumable,
            price: Money(milliunits: 990, currency: "USD"), payment: SampleShop.payment(3),
            device: "phone", purchasedAt: SampleShop.now, storefront: "USA")
        probe.happen(.viewChosen(.history))
        probe.happen(.logArrived(LogTests.newestEntries, LogPage()))
        probe.happen(LogTests.page(.account, [LogTests.event(7, .sold(sale))]))
        var state = probe.state
        for marks in [false, true] {
            if marks { state.take([.wentBack, .eventLog(.marked)], on: Screens.usual) }
            state.take([.palette(.opened)], on: Screens.usual)
            let titles = Self.drawn(state, Screens.usual, all: true).map(\.title)
            #expect(titles.count { $0 == "Show the shop" } == 1, "\(titles)")
            #expect(titles.contains("Refund") == marks, "\(titles)")
            #expect(titles.contains("Refund Sepia"), "\(titles)")
        }
    }

    @Test("a page's buttons without a key are lines, on the page and for the selection")
    func pageButtonsAreLines() throws {
        for opens in [[], [.confirmed]] as [[ShopAction]] {
            for (typed, title) in [
                ("ask for a refund", "Ask for a refund"), ("request-refund", "Ask for a refund"),
                ("receipt", "Show the receipt"), ("read", "Read"),
            ] {
                var state = SampleShop.full()
                state.list.selectedRow = state.productList.row(of: "book.one") ?? 0
                state.take(
                    opens + [.palette(.opened), .palette(.typed(typed))], on: Screens.large)
                let text = Screens.draw(state, Screens.large).text
                #expect(text.contains("▌ \(title)"), "\(typed): \(text)")
                guard typed == "request-refund" else { continue }
                state.take([.confirmed], on: Screens.large)
                guard case .question(let question)? = state.sheet else {
                    Issue.record("nothing is asked: \(text)")
                    continue
                }
                let sale = TransactionID(1_000_001)
                #expect(question.subject == .requestRefund("book.one", sale, .unintended))
            }
        }
        // Without a purchase it says so, rather than find only the failure of this call.
        var state = SampleShop.full()
        state.list.selectedRow = state.productList.row(of: "theme.sepia") ?? 0
        state.take(
            [.palette(.opened), .palette(.typed("ask for a refund")), .confirmed],
            on: Screens.large)
        #expect(state.statusMessage?.what == .refused(.noTransaction(of: "Sepia")))
    }

    @Test("what outcomes.md has in the palette or on a page is a line there, or a button")
    func outcomesAreLines() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(
            contentsOf: root.appending(path: "Documentation/outcomes.md"), encoding: .utf8)
        var state = SampleShop.full()
        state.list.selectedRow = try #require(state.productList.row(of: "book.one"))
        state.take([.palette(.opened)], on: Screens.usual)
        let lines = Self.drawn(state, Screens.usual, all: true)
        let product = try #require(state.selectedProduct)
        let buttons = [PageButton.resolve, .withdraw, .requestRefund].map {
            Strings.english.button($0, product, state)
        }
        var (found, pressed) = (0, 0)
        for row in text.split(separator: "\n").filter({ $0.hasPrefix("| ") }).dropFirst() {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            if cells[2].contains("`:`") {
                let commands = cells[1].matches(of: /`operator ([a-z-]+)/)
                let command = try #require(commands.last.map { String($0.1) }, "\(row)")
                // A failure of a refund request would match "refund".
                let isFailure = ["network", "fail-next"].contains(command)
                #expect(
                    lines.contains {
                        $0.matches(WordFilter(command)) && (!$0.setsFailure || isFailure)
                    }, "\(row)")
                found += 1
            } else if cells[2].hasPrefix("page, ") {
                let label = cells[2].dropFirst("page, ".count)
                #expect(buttons.contains { $0.hasPrefix(label) }, "\(row)")
                pressed += 1
            }
        }
        #expect(found > 5 && pressed == buttons.count)
    }

    @Test("no line of the palette moves, or opens the palette again")
    func thePaletteDoesNotOfferItself() {
        for binding in [ListScreen.keys, PageScreen.keys, ConsoleScreen.keys].joined()
        where binding.isInPalette(SampleShop.full()) {
            #expect(!binding.keys.contains(.character(":")))
            #expect(!binding.keys.contains(.down))
        }
    }

    @Test("a switch of the console is one line of its palette: the operator's, not the key's, too")
    func aSwitchIsOneLine() {
        for key in ["t", "p", "z", ".", "B", "f"] {
            let binding = ConsoleScreen.keys.first { $0.label == key }
            #expect(binding?.isInPalette(SampleShop.full()) == (key == "f"), "\(key)")
        }
    }

    @Test("every line of the palette can be reached", arguments: [Screens.smallest, Screens.usual])
    func everyLineCanBeReached(_ size: Size) {
        var state = SampleShop.full()
        state.take([.palette(.opened), .selectionMoved(.first)], on: size)
        let count = Screens.viewport(size, in: state).entries.count
        for _ in 0..<count {
            let lines = Screens.draw(state, size).lines
            #expect(lines.dropFirst().filter { $0.hasPrefix("▌") || $0.hasPrefix(" ▌") }.count >= 1)
            state.take([.selectionMoved(.down)], on: size)
        }
        #expect(
            !Screens.draw(state, size).lines.contains { $0.contains("↓") && $0.contains("more") })
    }

    @Test("every failure can be reached on the smallest screen, by its sentence")
    func everyFailureCanBeReached() {
        var state = SampleShop.full()
        state.take([.consoleToggled, .console(.toggled(.failures))], on: Screens.smallest)
        #expect(Screens.draw(state, Screens.smallest).text.contains("The payment was declined."))
        #expect(Screens.draw(state, Screens.smallest).text.contains("↓ 11"))
        state.take([.selectionMoved(.last)], on: Screens.smallest)
        let text = Screens.draw(state, Screens.smallest).text
        #expect(text.contains("▌ You haven't accepted") && !text.contains("more"), "\(text)")
    }

    @Test("each failure has a sentence of its own that names no missing fact")
    func failuresHaveSentences() {
        for locale in ["en_US", "ja_JP"] {
            let state = SampleShop.full(locale: locale)
            var strings = Strings(locale: locale)
            strings.now = SampleShop.now
            for call in FailureSheet.calls {
                // The number of an answer of the server's API stands beside its sentence.
                let sentences = FailureSheet.choices(of: call).map { code in
                    strings.failure(code, of: call, state) + (code.apiError.map { " \($0)" } ?? "")
                }
                #expect(Set(sentences).count == sentences.count)
                #expect(!sentences.contains { $0.contains("?") })
            }
        }
    }

    @Test(
        "faults of downloads name their product and their byte, and the header counts them",
        arguments: [
            (
                "en_US", "Lose the connection of The Lighthouse, part six halfway, once",
                "at byte 1600000", "1 failure set",
                "Downloads on this device: standstill at byte 7."
            ),
            (
                "ja_JP", "半分で一度切断", "1600000バイト目", "障害設定 1",
                "このデバイスのダウンロード: 7バイト目で停止。"
            ),
        ])
    func faultsOfDownloads(
        locale: String, line: String, byte: String, count: String, message: String
    ) throws {
        var state = SampleShop.full(locale: locale)
        state.list.selectedRow = state.productList.row(of: "book.six") ?? 0
        state.snapshot.downloadFaults.stallAt = 7
        state.take([.palette(.opened), .palette(.typed(byte))], on: Screens.large)
        let text = Screens.draw(state, Screens.large).text
        #expect(text.contains(line) && text.contains(count), "\(text)")
        var strings = Strings(locale: locale)
        strings.now = SampleShop.now
        #expect(strings[StatusText.downloadFaults(.init(stallAt: 7))] == message)
    }

    @Test("a request names its quantity, and what answering it charges with the offer that applies")
    func requests() {
        var state = SampleShop.full()
        state.take([.consoleToggled], on: Screens.large)
        var coins = SampleShop.request(11, of: "coins.10", in: state)
        coins.payment.quantity = 3
        var trial = SampleShop.request(12, of: "plus.year", in: state)
        var charge = ApprovalRequest.Charge(price: Money(milliunits: 0, currency: "USD"))
        charge.renewalPrice = trial.payment.shownPrice
        charge.renewalPeriod = SubscriptionPeriod(unit: .year, value: 1)
        var later = SampleShop.request(13, of: "plus.month", in: state)
        later.charge = charge
        later.charge?.startsAt = SampleShop.now.advanced(byMilliseconds: 40 * 86_400_000)
        charge.offer = Offer(
            kind: .introductory, mode: .freeTrial,
            period: SubscriptionPeriod(unit: .week, value: 1), price: charge.price)
        trial.charge = charge
        state.take(
            [
                .consoleArrived(
                    requests: [coins, trial, later], faults: [], settings: SampleShop.settings())
            ], on: Screens.large)
        let text = Screens.draw(state, Screens.large).text
        #expect(text.contains("3 × 10 coins, $"), "\(text)")
        var strings = Strings(locale: "en_US")
        strings.now = SampleShop.now
        func said(_ request: ApprovalRequest) -> String {
            strings.charge(of: request, locale: "en_US")
        }
        #expect(said(trial) == "free for 1 week, then $35.99/year")
        #expect(said(later).hasPrefix("$35.99/year, from "), "\(said(later))")
        #expect(text.contains("free for 1 week"), "\(text)")
    }

    @Test("the network switch is found by the words that people look for it by")
    func networkByOtherWords() {
        for (locale, word) in [("en_US", "offline"), ("ja_JP", "オフライン")] {
            var state = SampleShop.full(locale: locale)
            var strings = Strings(locale: locale)
            strings.now = SampleShop.now
            state.take([.palette(.opened), .palette(.typed(word))], on: Screens.usual)
            let text = Screens.draw(state, Screens.usual).text
            #expect(text.contains(strings[.keyNetwork(turnsOn: false)]), "\(text)")
        }
    }

    @Test(
        "typed words filter the failure sheet", arguments: [Screens.usual, Screens.smallest])
    func failuresAreFiltered(_ size: Size) {
        for (locale, word, sentence) in [
            ("en_US", "declined", "▌ The payment was declined."), ("ja_JP", "paymentDecl", "▌"),
        ] {
            var state = SampleShop.full(locale: locale)
            state.take(
                [
                    .consoleToggled, .console(.toggled(.failures)), .selectionMoved(.last),
                    .failureSheet(.typed(word)),
                ], on: size)
            let text = Screens.draw(state, size).text
            #expect(text.contains("/" + word) && text.contains(sentence), "\(text)")
            #expect(
                state.take([.confirmed], on: size)
                    == [.perform(.failNext(.purchase, error: .paymentDeclined, count: 1))])
        }
    }

    @Test("each switch of the console has a key of its own beside it, and says on or off")
    func switches() {
        var state = SampleShop.full()
        state.take([.consoleToggled], on: Screens.large)
        let text = Screens.draw(state, Screens.large).text
        var keys: Set<Character> = []
        for mode in ConsoleMode.allCases {
            let name = Strings.english[ConsoleText.mode(mode)]
            guard let at = text.firstRange(of: " \(name): ")?.lowerBound, at > text.startIndex
            else {
                Issue.record("no switch \(name)")
                continue
            }
            let key = text[text.index(before: at)]
            #expect(keys.insert(key).inserted, "\(key) is the key of two switches")
            #expect(ConsoleScreen.keys.contains { $0.keys.contains(.character(key)) })
            #expect(name.first?.isUppercase == true)
        }
    }

    @Test("a small screen names the keys that end the failure sheet")
    func smallFooter() {
        var state = SampleShop.full()
        state.take([.consoleToggled, .console(.toggled(.failures))], on: Screens.smallest)
        let footer = Screens.draw(state, Screens.smallest).text.split(separator: "\n").last ?? ""
        #expect(footer.contains("Enter") && footer.contains("Esc"), "\(footer)")
    }

    @Test("the smallest console has three rows of events")
    func smallConsole() {
        var state = SampleScreen.console.state(locale: "en_US", size: Screens.smallest)
        state.statusMessage = nil
        let rows = Screens.draw(state, Screens.smallest).text.split(
            separator: "\n", omittingEmptySubsequences: false)
        let heading = rows.firstIndex { $0.contains("EVENTS") } ?? 0
        let below = rows.dropFirst(heading + 1).prefix(3)
        #expect(below.allSatisfy { $0.contains(":") }, "\(rows)")
    }

    @Test("the help lists the fields of a filter")
    func filterFields() {
        var state = SampleShop.full()
        state.take([.helpToggled, .help(.typed("since:"))], on: Screens.usual)
        let text = Screens.draw(state, Screens.usual).text
        #expect(text.contains("since a day, as since:2027-01-31"), "\(text)")
    }

    @Test("a click on a line of the palette chooses it")
    func aClickChooses() throws {
        var state = SampleShop.full()
        state.take([.palette(.opened), .palette(.typed("clock"))], on: Screens.usual)
        let drawing = ShopDrawing(
            state, size: Screens.usual, capabilities: Screens.capabilities(),
            formatters: Screens.formatters)
        let row = try #require(
            drawing.frame.lines.firstIndex { $0.contains("Let the store's clock run") })
        let action = try #require(drawing.action(at: Position(column: 8, row: row)))
        state.take([action], on: Screens.usual)
        #expect(
            Screens.draw(state, Screens.usual).lines[row].contains("▌ Let the store's clock run"))
    }

    @Test("the help names no key in two rows of a component", arguments: Component.allCases)
    func noRowIsDoubled(_ component: Component) {
        let named = component.type.keys.filter(\.isInHelp).flatMap {
            $0.label.split(separator: " ")
        }
        #expect(Set(named).count == named.count, "\(named)")
    }

    @Test("with a filter the help shows only matching keys, below their titles")
    func theHelpIsFiltered() {
        let text = Screens.draw(
            SampleScreen.helpFilter.state(locale: "en_US", size: Screens.usual), Screens.usual
        ).text
        #expect(text.contains("A PRODUCT") && text.contains("next button"), "\(text)")
        #expect(text.contains("CONSOLE") && text.contains("fail the next"), "\(text)")
        #expect(!text.contains("search") && !text.contains("SEARCHING"), "\(text)")
    }
}
