import ShopCore
import ShopTestSupport
import ShopTUI
import StoreModel
import TestBasics
import Terminal
import Testing

/// What was drawn ahead of a key is what would be drawn after it, or is not shown at all.
@Suite struct DrawingsAheadTests {
    private static let hour: Int64 = 3_600_000

    private static func draw(_ state: ShopState, _ size: Size) -> ShopDrawing {
        ShopDrawing(
            state, size: size, capabilities: Screens.capabilities(), texts: Screens.texts)
    }

    private static func ahead(of state: ShopState, _ size: Size) -> DrawingsAhead {
        var ahead = DrawingsAhead()
        ahead.make(after: state) { draw($0, size) }
        return ahead
    }

    @Test(arguments: 1...8)
    func itIsTheWholeDrawing(_ seed: UInt64) {
        var simulation = ShopSimulation(seed: seed, names: [])
        let sizes = [Screens.smallest, Screens.usual, Screens.large]
        var shown = 0
        for number in 0..<60 {
            let size = simulation.chances.pick(sizes)
            simulation.take(.viewportChanged(Screens.viewport(size, in: simulation.state)))
            for _ in 0..<4 { _ = simulation.step() }
            var state = simulation.state
            var ahead = Self.ahead(of: state, size)
            let movement: ShopAction.Movement = simulation.chances.chance(50) ? .down : .up
            // Somebody thought about it for an hour, or until something ended.
            let later = state.now.advanced(byMilliseconds: Self.hour)
            let moment = ShopMoment(
                now: min(later, state.nextEnd?.advanced(byMilliseconds: -1) ?? later),
                paymentID: SampleShop.payment(number))
            _ = state.reduce(.selectionMoved(movement), moment)
            ahead.note(.selectionMoved(movement))
            guard let drawing = ahead.drawing(at: state.now, on: size) else { continue }
            shown += 1
            let whole = Self.draw(state, size)
            let clicks = (0..<size.rows).allSatisfy { row in
                let place = Position(column: 3, row: row)
                return "\(String(describing: drawing.action(at: place)))"
                    == "\(String(describing: whole.action(at: place)))"
            }
            guard drawing.frame == whole.frame, clicks,
                drawing.pageScrollMax == whole.pageScrollMax
            else {
                Issue.record("seed \(seed), frame \(number)\n\(drawing.frame.text)")
                return
            }
        }
        #expect(shown > 30)
    }

    @Test func onlyTheFirstKeyLeadsThere() {
        let state = SampleShop.full()
        let made = Self.ahead(of: state, Screens.usual)
        let ways: [[ShopAction]] = [
            [], [.confirmed], [.selectionMoved(.first)], [.confirmed, .selectionMoved(.down)],
            [.selectionMoved(.down), .selectionMoved(.down)], [.selectionMoved(.down), .shown],
        ]
        for actions in ways {
            var ahead = made
            for action in actions { ahead.note(action) }
            #expect(ahead.drawing(at: state.now, on: Screens.usual) == nil, "\(actions)")
        }
        var ahead = made
        ahead.note(.selectionMoved(.down))
        #expect(ahead.drawing(at: state.now, on: Screens.usual) != nil)
        #expect(ahead.drawing(at: state.now, on: Screens.large) == nil)
        let tomorrow = state.now.advanced(byMilliseconds: 24 * Self.hour)
        #expect(ahead.drawing(at: tomorrow, on: Screens.usual) == nil)
        ahead.forget()
        #expect(!ahead.isMade)
        #expect(ahead.drawing(at: state.now, on: Screens.usual) == nil)
    }
}
