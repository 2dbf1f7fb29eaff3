@testable import Shop
import StoreModel
import Terminal
import Testing

/// Bursts of typing: keys that arrive faster than they are carried out, and pastes.
@Suite struct TypingTests {
    private static let layout = Layout(Size(columns: 80, rows: 24))

    private static func state(_ actions: [ShopAction]) -> ShopState {
        var probe = ShopProbe()
        for action in actions { probe.happen(action) }
        return probe.state
    }

    private static func typed(_ text: String) -> [TerminalEvent] {
        text.map { .key(.character($0)) }
    }

    private static func taken(_ events: [TerminalEvent], in state: ShopState) -> [TerminalEvent] {
        var waiting = TypedEvents()
        waiting.add(events)
        var taken: [TerminalEvent] = []
        while let event = waiting.take(in: state, on: layout) { taken.append(event) }
        return taken
    }

    @Test("what was typed into a text field is one text, up to the next other key")
    func typedCharactersAreOneText() {
        let burst = String(repeating: "refund ", count: 1_200)
        for opening in [ShopAction.palette(.opened), .helpToggled, .searchOpened] {
            let state = Self.state([opening])
            #expect(Self.taken(Self.typed(burst), in: state) == [.pasted(burst)])
            #expect(
                Self.taken(Self.typed("ab") + [.key(.enter)] + Self.typed("c"), in: state)
                    == [.pasted("ab"), .key(.enter), .key(.character("c"))])
        }
    }

    @Test("where no text is typed, and where a character is a key, every key is one event")
    func keysStayKeys() {
        #expect(Self.taken(Self.typed("jj"), in: Self.state([])) == Self.typed("jj"))
        #expect(
            Self.taken(Self.typed("ab?c"), in: Self.state([.helpToggled]))
                == [.pasted("ab")] + Self.typed("?c"))
    }

    @Test("the end of the program waits for no key")
    func theEndSkipsKeys() {
        for ending in [TerminalEvent.ended(.hungUp), .key(.control("c"))] {
            var waiting = TypedEvents()
            waiting.add(Self.typed("jjj") + [ending] + Self.typed("j"))
            _ = waiting.take(in: Self.state([]), on: Self.layout)
            waiting.skipToEnding()
            #expect(waiting.take(in: Self.state([]), on: Self.layout) == ending)
        }
    }

    @Test("a paste is cut at what a field holds, in characters and in marks")
    func aPasteIsCut() {
        let long = TypedText.appending(String(repeating: "x\n", count: 60_000), to: "ab")
        #expect(long == "ab" + String(repeating: "x", count: TypedText.lengthMax - 2))
        let marks = "e" + String(repeating: "\u{301}", count: 60_000)
        #expect(TypedText.appending("abc" + marks, to: "") == "abc")
        #expect(TypedText.appending("x", to: long) == long)
    }
}
