import Basics
import ShopText
package import StoreModel

/// The list of trials, with those that the store has seen happen.
package struct TrialsPart: Hashable, Sendable {
    /// Empty until it was read.
    package var list = TrialList()
    package var ticks = TrialTicks()
    /// Of the last reading; nil if it succeeded.
    package var error: StoreError?
    /// The area whose trials are shown; nil for all.
    package private(set) var area: String?
    /// The id of the selected trial; nil selects the first one.
    private var selected: String?
    private var firstRow = 0

    /// Those of the area.
    package var shown: [Trial] {
        area.map { area in list.trials.filter { $0.area == area } } ?? list.trials
    }

    /// How many of those in sight the store has seen.
    package var seenCount: Int { shown.count { ticks.evidence[$0.id] != nil } }

    /// In `shown`; 0 if no trial is selected.
    package var selectedRow: Int { shown.firstIndex { $0.id == selected } ?? 0 }

    package var selectedTrial: Trial? {
        let (trials, row) = (shown, selectedRow)
        return trials.indices.contains(row) ? trials[row] : nil
    }

    /// Of the transaction whose signed text proves the selected trial; nil if it is not seen, or by
    /// no transaction.
    package var selectedTransaction: TransactionID? {
        selectedTrial.flatMap { ticks.evidence[$0.id] }?.compactMap(\.transaction).last
    }

    /// When `room` trials fit.
    func window(room: Int, isMarked: Bool = true) -> RowWindow {
        RowWindow(
            count: shown.count, room: room, from: firstRow, showing: selectedRow...selectedRow,
            isMarked: isMarked)
    }

    mutating func select(row: Int, rows: Int) {
        let trials = shown
        guard !trials.isEmpty else { return }
        selected = trials[min(max(0, row), trials.count - 1)].id
        firstRow = window(room: rows).first
    }

    /// From all trials to those of the first area, and after the last area to all again.
    mutating func cycleArea() {
        let areas = list.areas.map(\.id).filter { id in list.trials.contains { $0.area == id } }
        let next = area.flatMap { areas.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        area = areas.indices.contains(next) ? areas[next] : nil
        firstRow = 0
    }
}

/// The actions of the list of trials.
package enum TrialsAction: ComponentAction {
    case opened
    indirect case arrived(TrialList, TrialTicks)
    case failed(StoreError)
    case areaCycled
    /// A click on a trial, by its index in `TrialsPart.shown`.
    case pointed(row: Int)
    /// Copies the signed text of the transaction that proves the selected trial.
    case copied

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch self {
        case .opened:
            guard shop.opening == .open else { return shop.refuse(.stillOpening, moment) }
            guard shop.shop.hasConsole else { return shop.refuse(.noConsole, moment) }
            shop.navigation.open(.trials)
            return shop.readTrials()
        case .arrived(let list, let ticks):
            shop.trials.list = list
            shop.trials.ticks = ticks
            shop.trials.error = nil
            return shop.queries.ended(.readTrials)
        case .failed(let error):
            shop.trials.error = error
            return shop.queryFailed(.readTrials, error, moment)
        case .areaCycled:
            shop.trials.cycleArea()
            return []
        case .pointed(let row):
            guard shop.focus == .trials else { return [] }
            let wasSelected = shop.trials.selectedRow == row
            shop.trials.select(row: row, rows: moment.viewport.rows)
            return wasSelected ? TrialsScreen.confirm(in: &shop, moment) : []
        case .copied:
            guard let id = shop.trials.selectedTransaction else {
                return shop.refuse(.nothingToCopy, moment)
            }
            shop.details.copies = id
            return shop.queries.ask(.readTransaction(id, .store))
        }
    }
}

extension ShopAction {
    package static func trials(_ action: TrialsAction) -> ShopAction { .component(action) }
}

/// The list of trials. Enter leads to where the selected one is made to happen.
package enum TrialsScreen: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        let rows = moment.viewport.rows
        let page = shop.trials.window(room: rows).selectionPage
        let row = shop.trials.selectedRow.addingClamped(movement.lines(page: page))
        shop.trials.select(row: row, rows: rows)
        return []
    }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard let place = shop.trials.selectedTrial?.place else { return [] }
        var effects: [ShopEffect] = []
        if let product = place.product {
            effects += shop.follow(.page(.asked(product)), moment)
        } else if let view = ShopView.allCases.first(where: { $0.name == place.view }) {
            effects += shop.show(view, moment)
        }
        if let filter = place.palette {
            var list = EntryList()
            list.type(filter)
            effects += shop.openPalette(list: list)
        }
        return effects
    }
}

extension ShopView {
    /// In a file of trials.
    package var name: String { "\(self)" }
}

extension ShopState {
    mutating func readTrials() -> [ShopEffect] { queries.ask(.readTrials) }

    /// While the list of trials is in sight.
    mutating func rereadTrials() -> [ShopEffect] { screen == .trials ? readTrials() : [] }
}
