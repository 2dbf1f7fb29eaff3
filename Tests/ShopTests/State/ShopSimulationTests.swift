@testable import Shop
import StoreModel
import Testing

/// Checks invariants after every step of a shop under a random person and a random store.
@Suite struct ShopSimulationTests {
    @Test("the shop's invariants hold after every random step [C2]", arguments: 1...40)
    func theShopsInvariantsHold(_ seed: UInt64) {
        var simulation = ShopSimulation(
            seed: seed, names: seed.isMultiple(of: 4) ? SampleShop.nastyNames : [])
        var queries: [ShopEffect] = []
        for number in 0..<500 {
            for step in simulation.step() {
                let trouble = Self.trouble(step, simulation, &queries)
                guard trouble.isEmpty else {
                    Issue.record("seed \(seed), step \(number), \(step.action): \(trouble)")
                    return
                }
            }
        }
        for step in simulation.runUntilIdle() {
            let trouble = Self.trouble(step, simulation, &queries)
            #expect(trouble.isEmpty, "seed \(seed), at the end, \(step.action)")
        }
        #expect(queries.isEmpty && simulation.outstanding.isEmpty, "seed \(seed)")
        #expect(simulation.state.queries == PendingQueries(), "seed \(seed)")
    }

    @Test("the same seed gives the same state")
    func theSameSeedGivesTheSameState() {
        var (one, other) = (ShopSimulation(seed: 7), ShopSimulation(seed: 7))
        for _ in 0..<300 {
            _ = one.step()
            _ = other.step()
        }
        #expect(one.state == other.state)
    }

    private static func trouble(
        _ step: ShopSimulation.Step, _ simulation: ShopSimulation, _ queries: inout [ShopEffect]
    ) -> [String] {
        if let over = ended(by: step.action), let index = queries.firstIndex(of: over) {
            queries.remove(at: index)
        }
        var trouble: [String] = []
        for query in step.effects where query.isQuery {
            if queries.contains(query) { trouble.append("\(query) was asked for twice") }
            queries.append(query)
        }
        return trouble + payments(step, simulation) + selections(simulation.state)
    }

    private static func payments(
        _ step: ShopSimulation.Step, _ simulation: ShopSimulation
    ) -> [String] {
        var trouble: [String] = []
        for (product, payments) in Dictionary(grouping: simulation.unseen, by: \.value)
        where payments.count > 1 {
            trouble.append("\(payments.count) payments for \(product)")
        }
        for payment in step.effects.payments {
            guard step.before.help == nil, case .payment(let sheet) = step.before.sheet,
                sheet.product.id == payment.productID, sheet.quantity == payment.quantity,
                [sheet.price, sheet.product.price].contains(payment.shownPrice)
            else {
                trouble.append("paid without being asked")
                continue
            }
            switch step.action {
            case .confirmed where sheet.isConfirmChosen: break
            case .component(let action)
            where action as? PaymentSheetAction == .pressed(button: 1):
                break
            default: trouble.append("paid without having been chosen")
            }
        }
        if step.before.opening == .opening {
            for effect in step.effects where !mayComeEarly(effect, step.action) {
                trouble.append("\(effect) before the store is open")
            }
        }
        return trouble
    }

    private static func mayComeEarly(_ effect: ShopEffect, _ action: ShopAction) -> Bool {
        switch effect {
        case .quit, .setPointer: return true
        default:
            if case .opened = action { return effect.isQuery }
            return false
        }
    }

    private static func selections(_ state: ShopState) -> [String] {
        var trouble: [String] = []
        func check(_ holds: Bool, _ what: String) { if !holds { trouble.append(what) } }
        let rows = state.productList.rows
        if rows.indices.contains(state.list.selectedRow) {
            check(rows[state.list.selectedRow].isSelectable, "a heading is selected")
        } else {
            trouble.append("nothing is selected")
        }
        check(
            (0...max(0, rows.count - state.viewport.listRows)).contains(state.list.firstRow),
            "scrolled too far")
        check(
            state.list.selectedRow >= state.list.firstRow
                && state.list.selectedRow < state.list.firstRow + state.viewport.listRows,
            "the selection is out of sight")
        if case .payment(let sheet) = state.sheet {
            check(
                state.productList.product(sheet.product.id) == sheet.product,
                "a sheet about nothing")
            check(Payment.quantities.contains(sheet.quantity), "quantity")
            check(sheet.quantity == 1 || sheet.canChangeQuantity, "many of what goes once")
        }
        if case .product(let id) = state.screen, let product = state.productList.product(id) {
            let buttons = state.pageButtons(for: product)
            let chosen = state.chosenButton(for: product)
            check(
                chosen.map(buttons.indices.contains) ?? !buttons.contains(.back),
                "no button is chosen")
        } else if case .product = state.screen {
            trouble.append("a page about nothing")
        }
        let console = state.console
        for log in [console.log, state.history] {
            check(log.firstRow <= max(0, log.lines.count - 1), "the log is out of sight")
            check(
                zip(log.lines, log.lines.dropFirst()).allSatisfy { $0.at >= $1.at },
                "the log is not in the order of time")
            check(
                log.selected == nil || log.lines.contains { $0.id == log.selected },
                "a line that is not there is selected")
            check(Set(log.lines.map(\.id)).count == log.lines.count, "a line is there twice")
        }
        check(
            console.requests.isEmpty
                ? console.chosenRequest == 0
                : (-1..<console.requests.count).contains(console.chosenRequest),
            "no request is chosen")
        check(
            state.purchasing.underWay.values.allSatisfy(\.progress.isWaiting),
            "an ended purchase is kept")
        return trouble
    }

    private static func ended(by action: ShopAction) -> ShopEffect? {
        switch action {
        case .productsArrived, .productsFailed: .loadProducts
        case .accountArrived, .accountFailed: .refreshAccount
        case .consoleArrived, .consoleFailed: .refreshConsole
        case .refusalsFound(_, let asked), .refusalsFailed(_, let asked): .findRefusals(asked)
        case .transactionArrived(let details, let scope): .readTransaction(details.id, scope)
        case .transactionFailed(let id, let scope, _): .readTransaction(id, scope)
        case .logArrived(let query, _), .logFailed(let query, _): .readLog(query)
        default: nil
        }
    }
}
