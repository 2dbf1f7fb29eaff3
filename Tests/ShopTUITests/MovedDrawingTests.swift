import ShopCore
import ShopTestSupport
import ShopTUI
import StoreModel
import Terminal
import Testing

/// A moved selection is drawn by its two rows: what comes of it is the whole drawing.
@Suite struct MovedDrawingTests {
    private static let moves: [ShopAction.Movement] = [
        .down, .down, .up, .last, .up, .up, .first, .pageDown, .down, .pageUp, .rows(3), .rows(-1),
    ]

    @Test(
        arguments: ["en_US", "ja_JP", "ar_SA"], [Screens.smallest, Screens.usual, Screens.large])
    func itIsTheWholeDrawing(_ locale: String, _ size: Size) {
        for isASCII in [false, true] {
            let capabilities = Screens.capabilities(isASCII: isASCII)
            var state = SampleShop.full(locale: locale)
            let moment = ShopMoment(now: SampleShop.now, paymentID: SampleShop.payment(1))
            _ = state.reduce(.viewportChanged(Screens.viewport(size, in: state)), moment)
            var moved = 0
            for move in Self.moves + Self.moves.reversed() {
                let before = ShopDrawing(
                    state, size: size, capabilities: capabilities, texts: Screens.texts)
                let (row, first) = (state.selectedRow, state.firstRow)
                _ = state.reduce(.selectionMoved(move), moment)
                guard state.firstRow == first,
                    let drawing = ShopDrawing(
                        moving: before, from: row, to: state, capabilities: capabilities,
                        texts: Screens.texts)
                else { continue }
                moved += 1
                let whole = ShopDrawing(
                    state, size: size, capabilities: capabilities, texts: Screens.texts)
                #expect(drawing.frame == whole.frame)
            }
            #expect((moved > 0) == (size != Screens.large), "beside its page, all is drawn")
        }
    }
}
