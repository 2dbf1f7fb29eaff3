@testable import Shop
import ShopText
import StoreModel
import Terminal
import Testing

/// The keys that a person has chosen, on the screens and as keys.
@Suite struct OwnKeysTests {
    private static func state(_ screen: SampleScreen = .list) -> ShopState {
        var state = screen.state(locale: "en_US", size: Screens.usual)
        state.own.keys =
            SettingsTests.read(
                """
                [keys]
                buy = "K"
                help = ["f2", "H"]
                quit = "ctrl-x"
                tour-end = "ctrl-y"
                up = ["up", "e"]
                kinds = "%"
                library = "!"
                restore = "ö"
                actions = ";"
                """
            ).keys
        return state
    }

    private static func action(_ key: Key, _ state: ShopState) -> String {
        KeyMap.action(for: key, in: state).map { "\($0)" } ?? "none"
    }

    @Test(
        "a chosen key acts in place of the usual one",
        arguments: [
            (.character("K"), .character("b")), (.function(2), .character("?")),
            (.character("H"), .function(1)), (.control("x"), .character("q")),
            (.character("e"), .character("k")), (.character("!"), .character("2")),
            (.character("ö"), .character("r")), (.character(";"), .character(":")),
        ] as [(Key, Key)])
    func act(chosen: Key, usual: Key) {
        let state = Self.state()
        let before = SampleScreen.list.state(locale: "en_US", size: Screens.usual)
        #expect(Self.action(chosen, state) == Self.action(usual, before))
        #expect(Self.action(usual, state) == "none")
        #expect(Self.action(.up, state) == Self.action(.up, before))
        #expect(Self.action(.enter, state) == Self.action(.enter, before))
    }

    @Test("on a screen too small for the shop, the chosen key quits and the usual one does not")
    func tooSmall() {
        let layout = Layout(Size(columns: 10, rows: 3))
        let state = Self.state()
        for (key, quits) in [
            (.control("x"), true), (.control("c"), true), (.character("q"), false),
        ] as [(Key, Bool)] {
            let action = KeyMap.action(for: key, in: state, on: layout)
            #expect((action != nil) == quits, "\(key)")
        }
    }

    @Test("header, footer, help, palette and sentences show the chosen keys")
    func frames() {
        var state = Self.state(.page)
        let lines = Screens.draw(state, Screens.large).lines
        #expect(lines[0].contains("! Library") && lines[0].contains("1 Shop"), "\(lines[0])")
        let footer = lines[Screens.large.rows - 1]
        #expect(footer.contains("; actions") && footer.contains("Ctrl-X quit"), "\(footer)")
        #expect(footer.hasSuffix("F2 H help") && !footer.contains("q quit"), "\(footer)")

        state.take([.helpToggled], on: Size(columns: 120, rows: 130))
        let help = Screens.draw(state, Size(columns: 120, rows: 130)).text
            .replacing(#/ +/#, with: " ")
        for line in ["K buy", "↑ e up", "! library", "ö restore"] {
            #expect(help.contains(" \(line)"), "\(line)\n\(help)")
        }
        #expect(!help.contains(" b buy"))
        let plain = Screens.draw(state, Size(columns: 120, rows: 130), isASCII: true).text
        #expect(plain.contains(#/ Up e +up/#))

        state = Self.state()
        state.take([.palette(.opened), .palette(.typed("restore"))], on: Screens.usual)
        let palette = Screens.draw(state, Screens.usual).text
        #expect(palette.contains(/Restore purchases +ö/), "\(palette)")

        var strings = Strings.english
        strings.keys = Self.state().own.keys
        #expect(strings[StatusText.refused(.ownedElsewhere(name: "A"))].contains("Press ö to"))
        #expect(strings.line(.networkIsOff).contains("Press N"))
    }

    @Test("the tour asks for the chosen keys")
    func tour() {
        var strings = Strings.english
        strings.keys = Self.state().own.keys
        let state = Self.state()
        #expect(TourStep.buy.keys(in: state, strings) == ["K"])
        #expect(TourStep.library.keys(in: state, strings) == ["!"])
        #expect(TourStep.open.keys(in: state, strings) == ["↑ e ↓ j", "Enter"])
        #expect(TourStep.refund.keys(in: state, strings).contains(";refund"))
    }

    @Test("a click on a key in the footer does what the key does")
    func click() throws {
        let state = Self.state()
        let drawing = ShopDrawing(
            state, size: Screens.large, capabilities: Screens.capabilities(),
            formatters: Screens.formatters)
        let footer = drawing.frame.lines[Screens.large.rows - 1]
        let column = try #require(footer.firstRange(of: "Ctrl-X quit")).lowerBound
        let place = Position(
            column: footer.distance(from: footer.startIndex, to: column),
            row: Screens.large.rows - 1)
        guard case .quitChosen? = drawing.action(at: place) else {
            Issue.record("no quit at \(place): \(footer)")
            return
        }
    }
}
