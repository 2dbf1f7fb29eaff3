import Terminal

/// The columns of the list, fitted to its contents: names at the left, prices aligned at their
/// right edges, and states in the remaining columns.
struct ListGrid {
    let marker: Int
    let name: Int
    let nameEnd: Int
    let priceEnd: Int
    /// The column of the period of a plan, and of the state of a product without a period.
    let period: Int
    /// The column of the state of a product with a period.
    let stateAfterPeriod: Int
    let end: Int
    /// The names that read the same where their ends are cut (`TextMeasure.alike`).
    var alike: [String: Int] = [:]

    /// In columns: the widest name, without a part that may be cut, price, and period (0 if none).
    ///
    /// - Parameter isWhole: whether no name is cut and no column is saved.
    init(
        area: Area, isCompact: Bool, isWhole: Bool = false, names: Int, prices: Int, periods: Int
    ) {
        end = area.column + (isWhole ? area.columns : min(area.columns, Layout.rowColumnsMax))
        marker = area.column + (isCompact ? 0 : 1)
        name = marker + (isCompact ? 1 : 2)
        // The selected price is drawn in brackets, which take two columns on either side.
        let gap = isCompact ? 1 : 3
        let periodColumns = periods == 0 ? 0 : periods + (isCompact ? 1 : 2)
        let room = end - name - gap - prices - gap - periodColumns
        // Columns go to names of the usual length first, then to states, then to longer names.
        let wanted = isWhole ? names : min(max(names, 12), 40)
        let states = max(
            10, min(Layout.stateColumns, room - min(wanted, Layout.nameColumns)))
        nameEnd = name + min(wanted, max(room - states, isCompact ? 10 : 22))
        priceEnd = nameEnd + gap + prices
        period = priceEnd + gap
        stateAfterPeriod = min(period + periodColumns, end)
    }

    func state(hasPeriod: Bool) -> Int { hasPeriod ? stateAfterPeriod : period }

    /// The columns in which rows fit unabridged, as the initializer divides them.
    static func columns(names: Int, prices: Int, periods: Int) -> Int {
        let periodColumns = periods == 0 ? 0 : periods + 2
        let all = min(max(names, 12), 40) + prices + periodColumns + 3 * 3 + stateColumns
        return min(max(all, columnsMin), Layout.rowColumnsMax)
    }

    /// The columns of the longest states: how a plan changes, and what it saves.
    private static let stateColumns = Layout.stateColumns + 4
    /// The columns that the library needs in the same pane.
    private static let columnsMin = 60
}
