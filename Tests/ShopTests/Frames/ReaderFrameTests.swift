import Basics
import Foundation
@testable import Shop
import ShopText
import StoreModel
import Terminal
import Testing

/// Texts of arbitrary bytes in the reader, and the themes of frames.
@Suite struct ReaderFrameTests {
    private func reading(_ bytes: Data, _ size: Size) -> ShopState {
        var state = SampleScreen.page.state(locale: "en_US", size: size)
        state.take([.wentBack, .selectionMoved(.first), .confirmed, .confirmed], on: size)
        var content = SampleShop.opened("book.one", text: "")
        content.text = PlainText(bytes)
        content.files[0].length = Int64(bytes.count)
        state.take([.reader(.opened(content))], on: size)
        return state
    }

    private static let texts = [
        Data("\u{1B}[2J\u{1B}]0;title\u{7}red \u{1B}[31mred\u{9B}31m\r\nnext\u{0}".utf8),
        Data(repeating: UInt8(ascii: "x"), count: 1_000_000),
        Data("no line end".utf8), Data([0xFF, 0xFE, 0xC3, 0x28, 0x0A, 0xF0, 0x9F]), Data(),
        Data(String(repeating: "長い行 ", count: 20_000).utf8),
    ]

    @Test("any bytes are shown harmlessly, from the beginning to the end [A10]", arguments: texts)
    func anyBytesAreHarmless(_ bytes: Data) {
        for size in [Screens.smallest, Screens.usual, Screens.large] {
            var state = reading(bytes, size)
            for movement in [Movement.first, .down, .pageDown, .rows(3), .last, .pageUp, .up] {
                state.take([.selectionMoved(movement)], on: size)
                for isASCII in [false, true] {
                    let frame = Screens.draw(state, size, isASCII: isASCII)
                    let controls = frame.text.unicodeScalars.filter {
                        $0 != "\n" && $0.properties.generalCategory == .control
                    }
                    #expect(controls.isEmpty, "\(movement)")
                }
            }
            state.take([.selectionMoved(.last)], on: size)
            #expect(Screens.draw(state, size).text.contains("100%"))
        }
    }

    @Test("the next book is offered where the last chapter ends, and not before [B10]")
    func endOffersTheNextBook() {
        for size in [Screens.smallest, Screens.usual, Screens.large] {
            let text = Data((1...99).map { "line \($0)" }.joined(separator: "\n").utf8)
            var state = reading(text, size)
            state.statusMessage = nil
            while state.reader?.hasChapter(step: 1) == true {
                state.take([.choiceMoved(1)], on: size)
                var content = SampleShop.opened("book.one", text: "")
                content.number = (state.reader?.number ?? 0) + 1
                content.text = PlainText(text)
                state.take([.reader(.opened(content))], on: size)
            }
            let offer = state.nextToRead.map { "Next: " + $0.displayName.prefix(5) } ?? "none"
            #expect(!Screens.draw(state, size).text.contains(offer))
            state.take([.selectionMoved(.last)], on: size)
            #expect(Screens.draw(state, size).text.contains(offer), "\(size)")
        }
    }

    @Test("every row of a text is reached by single steps, and none is skipped")
    func everyRowIsReached() {
        let size = Screens.usual
        let text = (1...80).map { number in
            number % 7 == 0 ? String(repeating: "word\(number) ", count: 60) : "line \(number)."
        }.joined(separator: "\n")
        var state = reading(Data(text.utf8), size)
        var before = Screens.draw(state, size).lines
        for _ in 0..<400 {
            state.take([.selectionMoved(.down)], on: size)
            let now = Screens.draw(state, size).lines
            if now == before { break }
            #expect(Array(now[5..<20]) == Array(before[6..<21]))
            before = now
        }
        #expect(before.contains { $0.contains("line 80.") })
        #expect(before.contains { $0.contains("100%") })
    }

    @Test("in another width the same part of the text is in sight")
    func anotherWidthShowsTheSamePart() {
        var state = reading(Data(SampleShop.story(paragraphs: 60).utf8), Screens.usual)
        for _ in 0..<3 { state.take([.selectionMoved(.pageDown)], on: Screens.usual) }
        let line = state.reader?.top.line ?? 0
        state.take([.resized], on: Screens.smallest)
        let text = Screens.draw(state, Screens.smallest).text
        #expect(text.contains("\(line / 2 + 1). ") || text.contains("\(line / 2 + 2). "), "\(text)")
    }

    @Test("a picture is described and not opened")
    func aPictureIsDescribed() {
        var state = reading(Data("text".utf8), Screens.usual)
        var content = SampleShop.opened("book.one", text: "")
        content.number = 2
        content.text = nil
        state.take([.reader(.opened(content))], on: Screens.usual)
        let text = Screens.draw(state, Screens.usual).text
        #expect(text.contains("PNG picture, 800 × 600 pixels"))
        #expect(text.contains("/home/aoi/content/text/1.2/tower.png"))
    }

    @Test("a frame is drawn in the chosen theme while it is owned, unless another one is forced")
    func aFrameIsInTheChosenTheme() {
        var state = SampleShop.full()
        var capabilities = Screens.capabilities()
        func theme() -> Theme {
            ShopDrawing(
                state, size: Screens.usual, capabilities: capabilities,
                formatters: Screens.formatters
            ).theme
        }
        let standard = theme()
        state.snapshot.settings.theme = "theme.night"
        #expect(theme() == Theme(name: .night, level: .rich, background: .dark))
        capabilities.themeName = .sea
        #expect(theme() == Theme(name: .sea, level: .rich, background: .dark))
        capabilities.themeName = nil
        state.snapshot.delivered.remove("theme.night")
        #expect(theme() == standard)
    }
}
