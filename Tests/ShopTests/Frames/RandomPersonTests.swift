import Foundation
@testable import Shop
import StoreModel
import Terminal
import TestBasics
import Testing

/// A simulated person who presses, pastes, clicks and resizes at random, on every screen and at
/// every size, while a random store answers. `STOREFRONT_INPUTS` sets the number of inputs per seed
/// (`make random-test`).
@Suite struct RandomPersonTests {
    private static let inputs =
        ProcessInfo.processInfo.environment["STOREFRONT_INPUTS"].flatMap(Int.init) ?? 1000

    @Test(
        "random input never pays without a confirmed sheet, and leaves no screen that cannot be left",
        arguments: 1...20)
    func randomInput(_ seed: UInt64) {
        var person = RandomPerson(seed: seed)
        for number in 0..<Self.inputs {
            if let trouble = person.act() {
                Issue.record("seed \(seed), input \(number): \(trouble)")
                return
            }
        }
        if let trouble = person.leave() { Issue.record("seed \(seed), at the end: \(trouble)") }
    }
}

/// The shop under random input. Each method returns a violated expectation in words, or nil.
private struct RandomPerson {
    private var simulation: ShopSimulation
    private var chances: SplitMix64
    private var size = Size(columns: 80, rows: 24)
    private let isASCII: Bool

    init(seed: UInt64) {
        simulation = ShopSimulation(
            seed: seed, names: seed.isMultiple(of: 3) ? SampleShop.nastyNames : [])
        chances = SplitMix64(seed: seed &+ 1_000_003)
        isASCII = seed.isMultiple(of: 5)
    }

    private var state: ShopState { simulation.state }

    mutating func act() -> String? {
        switch Int.random(in: 0..<100, using: &chances) {
        case 0..<30:
            measure()
            _ = simulation.storeStep()
            return nil
        case 30..<34: return resize()
        case 34..<40: return take(KeyMap.action(forPasted: pasted(), in: state), isPayment: false)
        case 40..<55: return point()
        default: return press(key())
        }
    }

    /// After enough presses of Esc no sheet or screen covers the list, and the shop can be left.
    mutating func leave() -> String? {
        size = Size(columns: 80, rows: 24)
        _ = simulation.runUntilIdle()
        for _ in 0..<20 {
            if let trouble = press(.escape) { return trouble }
        }
        if state.sheet != nil || state.help != nil || state.list.search?.isTyping == true {
            return "something stays open: \(state.focus)"
        }
        measure()
        guard let quit = KeyMap.action(for: .character("q"), in: state) else {
            return "q does nothing on \(state.focus)"
        }
        let effects = simulation.take(quit).flatMap(\.effects)
        return effects == [.quit] ? nil : "q does not quit \(state.focus): \(effects)"
    }

    // MARK: - Inputs

    private mutating func press(_ key: Key) -> String? {
        // On a screen that is too small, the only action is to leave.
        let action = KeyMap.action(for: key, in: state, on: Layout(size))
        return take(action, isPayment: key == .enter)
    }

    private mutating func point() -> String? {
        let drawing = ShopDrawing(
            state, size: size, capabilities: Screens.capabilities(isASCII: isASCII),
            formatters: Screens.formatters)
        let position = Position(
            column: .random(in: 0..<size.columns, using: &chances),
            row: .random(in: 0..<size.rows, using: &chances))
        let event: PointerEvent =
            chances.chance(20)
            ? .wheel(position, rows: chances.pick([-3, 3])) : .clicked(position)
        if Layout(size).isTooSmall, drawing.action(at: position) != nil {
            return "a click means something on a screen that shows nothing"
        }
        guard !Layout(size).isTooSmall else { return nil }
        return take(KeyMap.action(for: event, on: drawing), isPayment: true)
    }

    private mutating func resize() -> String? {
        let sizes = [
            Size(columns: 1, rows: 1), Size(columns: 500, rows: 200), Size(columns: 40, rows: 12),
            Size(columns: 80, rows: 24), Size(columns: 100, rows: 16), Size(columns: 120, rows: 36),
            Size(columns: 170, rows: 24), Size(columns: 59, rows: 15),
        ]
        size =
            chances.chance(60)
            ? chances.pick(sizes)
            : Size(
                columns: .random(in: 1...200, using: &chances),
                rows: .random(in: 1...60, using: &chances))
        if let trouble = take(.resized, isPayment: false) { return trouble }
        let frame = Screens.draw(state, size, isASCII: isASCII)
        let troubles = FramePropertyTests.cells(frame, isASCII: isASCII)
        guard troubles.isEmpty, frame.size == size else {
            return "\(size.columns)x\(size.rows): \(troubles)\n\(frame.text)"
        }
        return nil
    }

    private mutating func key() -> Key {
        let letters = "abcdefghijklmnopqrstuvwxyzGX0123456789/?:+-.= "
        if chances.chance(45) {
            return .character(chances.pick(letters.filter { $0 != "q" }.map { $0 }))
        }
        return chances.pick([
            .enter, .enter, .enter, .escape, .up, .down, .down, .left, .right, .right, .tab,
            .backTab, .backspace, .delete, .home, .end, .pageUp, .pageDown, .function(1),
            .control("p"), .control("n"), .control("f"), .control("l"),
        ])
    }

    private mutating func pasted() -> String {
        chances.pick(SampleShop.nastyNames + ["y\n", "b\r\r", "灯", "2\n", ""])
    }

    // MARK: - Checks

    private mutating func measure() {
        simulation.viewport = Screens.viewport(size, in: state)
    }

    /// - Parameter isPayment: whether the input may confirm a payment: an Enter or a click.
    private mutating func take(_ action: ShopAction?, isPayment: Bool) -> String? {
        guard let action else { return nil }
        measure()
        for step in simulation.take(action) {
            for case .purchase(let payment) in step.effects {
                guard isPayment, step.before.focus == .paymentSheet,
                    case .payment(let sheet) = step.before.sheet,
                    sheet.product.id == payment.productID, sheet.quantity == payment.quantity,
                    sheet.chosenTerms.asked == payment.offer,
                    // For a plan that begins later, the sheet shows the price without an offer.
                    [sheet.price, sheet.chosenTerms.billingPlan?.price ?? sheet.product.price]
                        .contains(payment.shownPrice)
                else { return "\(action) paid without a confirmed sheet" }
                let same = simulation.unseen.values.filter { $0 == payment.productID }.count
                if same > 1 { return "\(same) payments for \(payment.productID) at once" }
            }
        }
        return nil
    }
}
