import Foundation
@testable import Shop
import ShopText
import StoreModel
import Terminal
import TestBasics
import Testing

/// The actions of keys, and their texts in the footer and the help.
@Suite struct KeyMapTests {
    /// The screens on which a letter has one meaning. Sheets, search and help take all keys.
    private static let shared: [Component] = [
        .list, .page, .library, .subscription, .history, .console, .details,
    ]

    /// The letters that act as arrow keys, as in vi(1).
    private static let arrows: [Character: Key] = [
        "h": .left, "j": .down, "k": .up, "l": .right,
    ]

    /// In the console and the history, n and N go through the matches of a filter. Without a
    /// filter, they do nothing in the history and mean something else in the console. Space acts on
    /// the selected row: on a product's download, and on the mark of an event.
    private static let ofTwo: [Key: [ShopAction]] = [
        .character(" "): [.downloadToggled, .eventLog(.marked)],
        .character("n"): [.console(.nextChosen), .eventLog(.matchMoved(.down))],
        .character("N"): [
            .console(.previousChosen), .eventLog(.matchMoved(.up)), .network(.turnedOn),
        ],
    ]

    @Test("on list, page, library and console a letter has one meaning; n, N and Space have two")
    func aLetterMeansOneThingEverywhere() {
        var meanings: [Key: Set<String>] = [:]
        for mode in Self.shared {
            for binding in mode.type.keys {
                for key in binding.keys {
                    guard case .character(let letter) = key, Self.arrows[letter] == nil else {
                        continue
                    }
                    meanings[key, default: []].insert("\(binding.action)")
                }
            }
        }
        for (key, actions) in meanings {
            let two = Self.ofTwo[key]?.map { "\($0)" }
            guard two.map({ actions == Set($0) }) ?? (actions.count == 1) else {
                Issue.record("\(key) means \(actions.sorted())")
                continue
            }
        }
        #expect(Set(Self.ofTwo.keys).isSubset(of: meanings.keys))
    }

    @Test(
        "while a filter stands, the footer says that n and N go through its matches",
        arguments: [ShopView.console, .history])
    func lettersOfMatches(_ view: ShopView) throws {
        let letters: [(Character, KeyText)] = [("n", .keyNextMatch), ("N", .keyPreviousMatch)]
        var state = SampleShop.full()
        state.take([.viewChosen(view)])
        for isFiltered in [false, true] {
            if isFiltered {
                state.take([.searchOpened, .eventLog(.filterTyped("a")), .confirmed])
            }
            #expect(state.isLogFiltered == isFiltered)
            for (letter, title) in letters {
                let keys = state.focus.type.keys
                let binding = try #require(keys.first { $0.keys.contains(.character(letter)) })
                let isNamed = binding.isUseful(state) && binding.title(state) == title
                #expect(isNamed == isFiltered, "\(letter)")
            }
        }
    }

    @Test("h, j, k and l have the meaning of their arrow keys", arguments: Component.allCases)
    func lettersThatAreArrowsMeanWhatTheirArrowMeans(_ mode: Component) {
        for binding in mode.type.keys {
            for case .character(let letter) in binding.keys {
                guard let arrow = Self.arrows[letter] else { continue }
                #expect(binding.keys.contains(arrow), "\(letter) in \(mode)")
            }
        }
    }

    @Test("each key is bound once in each mode", arguments: Component.allCases)
    func aKeyIsBoundOnceInAMode(_ mode: Component) {
        let keys = mode.type.keys.flatMap(\.keys)
        for (key, times) in Dictionary(grouping: keys, by: \.self) where times.count > 1 {
            Issue.record("\(key) is bound \(times.count) times in \(mode)")
        }
    }

    @Test("every label names keys of its mode", arguments: Component.allCases)
    func everyLabelNamesKeysThatAreBound(_ mode: Component) throws {
        let bound = Set(mode.type.keys.flatMap(\.keys))
        for binding in mode.type.keys {
            let isPair = ["←→", "↑↓"].contains(binding.label)
            let label = binding.label.replacing("1-9", with: "1 9")
                .replacing("0-9", with: "0 9")
            for part in isPair
                ? label.map(String.init) : label.split(separator: " ").map(String.init)
            {
                let key = try #require(Self.named[part] ?? Self.letter(part), "\(part)")
                #expect(bound.contains(key), "\(part) in \(mode)")
            }
        }
    }

    private static let named: [String: Key] = [
        "Enter": .enter, "Esc": .escape, "Space": .character(" "), "Del": .delete, "Tab": .tab,
        "Shift-Tab": .backTab, "PgUp": .pageUp, "PgDn": .pageDown, "Home": .home, "End": .end,
        "↑": .up, "↓": .down, "←": .left, "→": .right,
    ]

    private static func letter(_ text: String) -> Key? {
        text.count == 1 ? text.first.map { .character($0) } : nil
    }

    @Test("every key that outcomes.md names is bound on the screen that it names")
    func keysOfOutcomes() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(
            contentsOf: root.appending(path: "Documentation/outcomes.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        var found: Set<Key> = []
        for row in rows {
            let cell = row.split(separator: "|")[2]
            let modes: [Component] =
                cell.contains("console")
                ? [.console] : cell.contains("reader") ? [.reader] : [.list, .page, .paymentSheet]
            let bound = Set(modes.flatMap { $0.type.keys.flatMap(\.keys) })
            for match in cell.matches(of: /`([^`]+)`/) {
                let name = String(match.1)
                let key = try #require(Self.named[name] ?? Self.letter(name), "\(name)")
                #expect(bound.contains(key), "\(row)")
                found.insert(key)
            }
        }
        #expect(found.count > 5)
    }

    @Test("the footer names the useful keys, in order and nothing else")
    func theFooterSaysOnlyWhatIsTrue() {
        for seed in 1...10 as ClosedRange<UInt64> {
            var simulation = ShopSimulation(seed: seed)
            for _ in 0..<60 {
                for _ in 0..<5 { _ = simulation.step() }
                let state = simulation.state
                let footer = Screens.draw(state, Size(columns: 200, rows: 24)).lines[23]
                var rest = footer.dropFirst(1)[...]
                for binding in state.focus.type.keys where binding.isUseful(state) {
                    let entry = "\(binding.label) \(Strings.english[binding.title(state)])"
                    if binding.label == "?" || binding.label.isEmpty { continue }
                    #expect(rest.hasPrefix(entry), "\(footer)")
                    rest = rest.dropFirst(entry.count).drop { $0 == " " }
                }
                #expect(["? help", ""].contains(rest.drop { $0 == " " }), "\(footer)")
            }
        }
    }

    /// Below the filter comes the present screen's title, if the help is long enough to scroll.
    @Test("the help opens at the keys of the present screen")
    func theHelpOpensAtTheKeysThatWorkHere() {
        let titles: [(SampleScreen, String)] = [
            (.list, "THE SHOP"), (.page, "A PRODUCT"), (.payment, "BEFORE YOU PAY"),
        ]
        for (screen, title) in titles {
            var state = screen.state(locale: "en_US", size: Screens.usual)
            let moment = ShopMoment(
                now: SampleShop.now, paymentID: SampleShop.payment(0),
                viewport: Screens.viewport(Screens.usual, in: state))
            _ = state.reduce(.helpToggled, moment)
            let lines = Screens.draw(state, Screens.usual).lines
            #expect(lines[Layout(Screens.usual).body.row + 1].contains(title), "\(screen)")
        }
    }

    @Test("the help of the payment sheet says that a number is typed")
    func typedQuantity() {
        for (locale, words) in [("en_US", "type the quantity"), ("ja_JP", "数量を入力")] {
            var state = SampleScreen.payment.state(locale: locale, size: Screens.usual)
            state.take([.helpToggled], on: Screens.usual)
            let lines = Screens.draw(state, Screens.usual).lines
            #expect(lines.contains { $0.contains("0-9") && $0.contains(words) }, "\(lines)")
        }
    }

    @Test("the help can be scrolled to its last line and no further")
    func theHelpEndsWithItsLastLine() {
        for size in [Screens.smallest, Screens.usual, Screens.large] {
            var state = SampleScreen.help.state(locale: "en_US", size: size)
            let moment = ShopMoment(
                now: SampleShop.now, paymentID: SampleShop.payment(0),
                viewport: Screens.viewport(size, in: state))
            _ = state.reduce(.selectionMoved(.last), moment)
            let lines = Screens.draw(state, size).lines
            #expect(lines.contains { $0.contains("▌ Ctrl-Z") }, "\(size)")
            _ = state.reduce(.selectionMoved(.down), moment)
            #expect(Screens.draw(state, size).lines == lines, "\(size)")
            _ = state.reduce(.selectionMoved(.up), moment)
            #expect(Screens.draw(state, size).lines != lines, "\(size)")
        }
    }

    @Test("where an audience watches, the help lists no operator's key outside the console")
    func presentersHelp() {
        for screen in SampleScreen.allCases {
            var state = screen.state(locale: "en_US", size: Screens.usual)
            guard state.help == nil, state.navigation.view != .console else { continue }
            state.take([.helpToggled], on: Screens.usual)
            for isPresenting in [false, true] {
                state.shop.isPresenting = isPresenting
                let operators = Screens.viewport(Screens.usual, in: state).entries.filter {
                    guard case .key(let component, let number) = $0.id else { return false }
                    return [.console, .failureSheet].contains(component)
                        || component.type.keys[number].isOfConsole
                }
                #expect(operators.isEmpty == isPresenting, "\(screen): \(operators.map(\.id))")
            }
        }
    }

    // MARK: - Other scripts

    /// A typed key, and the key of a Latin keyboard that acts as it does.
    private static let otherKeys: [(Character, Character)] = [
        ("й", "q"), ("и", "b"), ("щ", "o"), ("И", "B"), ("Т", "N"), ("Ж", ":"), ("х", "["),
        ("ｑ", "q"), ("ｂ", "b"), ("Ｎ", "N"), ("？", "?"), ("３", "3"), ("　", " "),
    ]

    @Test("a key of the Russian layout acts by its place, a full-width one as its ASCII key")
    func otherLayouts() {
        for screen in SampleScreen.allCases {
            let state = screen.state(locale: "en_US", size: Screens.usual)
            for (typed, key) in Self.otherKeys {
                let action = KeyMap.action(for: .character(typed), in: state)
                if state.focus.type.typed("x") != nil {
                    let text = KeyMap.action(forPasted: String(typed), in: state)
                    #expect("\(String(describing: action))" == "\(String(describing: text))")
                } else {
                    let latin = KeyMap.action(for: .character(key), in: state)
                    #expect("\(String(describing: action))" == "\(String(describing: latin))")
                }
            }
        }
        let small = Layout(Size(columns: 10, rows: 3))
        let state = SampleShop.full()
        guard case .quitChosen = KeyMap.action(for: .character("й"), in: state, on: small) else {
            Issue.record("й does not quit")
            return
        }
    }

    @Test(
        "a letter of another script says that keys are Latin letters; nothing else does",
        arguments: [
            ("α", true), ("ش", true), ("あ", true), ("é", false), ("€", false), ("🙂", false),
        ]
            as [(Character, Bool)])
    func otherScripts(typed: Character, says: Bool) {
        var probe = ShopProbe(SampleShop.full())
        let before = probe.state.statusMessage?.what
        if let action = KeyMap.action(for: .character(typed), in: probe.state) {
            probe.happen(action)
        }
        let message: StatusText? = says ? .refused(.keysAreLatin) : before
        #expect(probe.state.statusMessage?.what == message)
    }

    // MARK: - Payments without consent

    @Test("pasted text is typed into a search and never acts as keys")
    func pastedTextIsSearchTextAndNothingElse() {
        let texts = SampleShop.nastyNames + ["b\r\r", "y\n", "\u{1B}[C\r", "q"]
        for screen in SampleScreen.allCases {
            let state = screen.state(locale: "en_US", size: Screens.usual)
            for text in texts {
                let action = KeyMap.action(forPasted: text, in: state)
                let typed: (any ComponentAction)? =
                    if case .component(let typed) = action { typed } else { nil }
                let isTyped =
                    switch screen {
                    case .search: typed as? ListAction == .searchTyped(text)
                    case .historyFilter: typed as? EventLogAction == .filterTyped(text)
                    case .help, .helpFilter: typed as? HelpAction == .typed(text)
                    case .palette, .paletteAsking: typed as? PaletteAction == .typed(text)
                    case .fault: typed as? FailureSheetAction == .typed(text)
                    case .redeem:
                        if case .typed(text)? = typed as? RedeemSheetAction { true } else { false }
                    case .list, .page, .payment, .question, .signIn, .refund, .receipt,
                        .subscription, .billing, .planChange, .planUpgrade, .offer,
                        .console,
                        .nothing, .opening,
                        .forbidden, .library, .downloads, .fullDisk, .reader, .chapters, .offline,
                        .history,
                        .historyDetails, .trials, .server, .serverDetails:
                        action == nil
                    }
                #expect(isTyped, "\(screen): \(String(describing: action))")
            }
        }
    }

    /// Right, Tab and l choose the pay button.
    @Test("without a key that chooses the pay button, nothing is paid", arguments: 1...20)
    func withoutChoosingYesNothingIsPaid(_ seed: UInt64) {
        var chances = SplitMix64(seed: seed)
        var state = SampleShop.empty()
        for _ in 0..<1500 {
            for key in Self.keys(&chances)
            where ![.right, .tab, .character("l")].contains(LatinKeys.key(for: key)) {
                guard let action = KeyMap.action(for: key, in: state) else { continue }
                let effects = state.reduce(
                    action,
                    ShopMoment(
                        now: SampleShop.now, paymentID: PaymentID(chances.uuid()),
                        viewport: Self.viewport(state, for: key)))
                #expect(
                    !effects.contains { if case .purchase = $0 { true } else { false } },
                    "seed \(seed)")
            }
        }
    }

    /// For these keys only the palette, the help, the failure sheet and the reader use the viewport.
    private static func viewport(_ state: ShopState, for key: Key) -> Viewport {
        guard [.enter, .up, .down].contains(key) else { return Viewport() }
        let needing: [Component] = [.palette, .help, .reader, .failureSheet]
        return needing.contains(state.focus)
            ? Screens.viewport(Screens.usual, in: state) : Viewport()
    }

    private static func keys(_ chances: inout SplitMix64) -> [Key] {
        if chances.chance(40) {
            return [
                chances.pick([
                    .enter, .escape, .up, .down, .left, .right, .tab, .backTab, .backspace,
                    .character("b"), .character("/"), .character(":"), .character("?"),
                ])
            ]
        }
        var decoder = KeyDecoder()
        let bytes = (0..<8).map { _ in UInt8.random(in: 0...255, using: &chances) }
        return decoder.decode(bytes[...]).compactMap { input in
            if case .event(.key(let key)) = input { key } else { nil }
        }
    }

    @Test("Ctrl-C quits on every screen")
    func controlCEndsEverywhere() {
        for screen in SampleScreen.allCases {
            let state = screen.state(locale: "en_US", size: Screens.usual)
            guard case .quitChosen = KeyMap.action(for: .control("c"), in: state) else {
                Issue.record("\(screen)")
                continue
            }
        }
    }
}
