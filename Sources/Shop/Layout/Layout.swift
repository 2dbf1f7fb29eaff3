package import Terminal

/// The areas of the screen for a terminal's size.
package struct Layout: Hashable, Sendable {
    package let size: Size
    /// The smallest size that shows the shop.
    package static let smallest = Size(columns: 40, rows: 12)
    /// From this width in columns, the page is drawn beside the list.
    static let besideColumns = 100
    /// The columns of the widest row of the list.
    static let rowColumnsMax = 78
    /// The most columns of a line of text: longer lines are hard to read.
    static let textColumnsMax = 76
    /// The columns in which a page beside the list loses nothing.
    private static let pageColumns = 50
    /// The columns from which the console names in each line who did it.
    static let consoleColumns = 58
    /// The columns that a name of the usual length needs.
    static let nameColumns = 26
    /// The columns in which nearly every state fits unabridged.
    static let stateColumns = 26

    /// Whether the console may be a pane.
    private let hasConsole: Bool
    /// Whether the pane with the focus takes the whole body.
    let isZoomed: Bool
    /// Whether the place with the focus is told in lines (`LinearPage`): one column of whole texts.
    let isLinear: Bool
    /// The columns in which the list's rows fit unabridged.
    var listColumns = Layout.rowColumnsMax

    /// Lays out a terminal of `size`. The size is not checked: see `isTooSmall`.
    package init(
        _ size: Size, hasConsole: Bool = true, isZoomed: Bool = false, isLinear: Bool = false
    ) {
        self.size = size
        self.hasConsole = hasConsole
        self.isZoomed = isZoomed
        self.isLinear = isLinear
    }

    package var isTooSmall: Bool {
        size.columns < Self.smallest.columns || size.rows < Self.smallest.rows
    }

    /// Whether the layout saves rows and columns: no headings, short texts.
    var isCompact: Bool { isNarrow || size.rows < 16 }

    /// Whether a row has no place for all that the header says.
    var isNarrow: Bool { size.columns < 60 }

    /// The number of panes in the shop and the library, from 1 to 3: list, page, console. The
    /// console is one only where list and page lose nothing.
    var panes: Int {
        if isZoomed || isLinear || size.rows < 16 || size.columns < Self.besideColumns { return 1 }
        return !hasConsole || size.rows < 24 || columnsLeft < 0 ? 2 : 3
    }

    /// The columns that three panes leave.
    private var columnsLeft: Int {
        columns - listColumns - Self.pageColumns - Self.consoleColumns - 6
    }

    /// Whether history and console show the details of their selection at the right.
    var isBeside: Bool { !isZoomed && !isLinear && size.columns >= Self.besideColumns }

    /// Whether the latest events are drawn below the page.
    var hasActivity: Bool { hasConsole && panes == 2 && size.columns >= 120 && size.rows >= 36 }

    /// The number of columns in use: all but the last column, which stays empty.
    var columns: Int { max(0, size.columns - 1) }
    /// The column where texts begin.
    var margin: Int { isCompact ? 0 : 1 }

    var headerRow: Int { 0 }
    var messageRow: Int { size.rows - 2 }
    var footerRow: Int { size.rows - 1 }
    /// For a line about the selection; nil on a compact screen, which needs it for its contents.
    var selectionRow: Int? { isCompact || isLinear ? nil : size.rows - 3 }

    /// The area between the header and the rows at the lower edge.
    var body: Area {
        let top = isCompact ? 1 : 2
        let bottom = selectionRow ?? messageRow
        return Area(column: 0, row: top, columns: columns, rows: max(0, bottom - top))
    }

    /// The list: the first pane, or the whole body.
    var list: Area { pane(from: 0, to: panes == 1 ? columns : dividers[0] - 1) }

    /// The page: the second pane; with one pane, the page replaces the list.
    var page: Area {
        var area =
            switch panes {
            case 1: pane(from: margin, to: columns)
            case 2: pane(from: dividers[0] + 2, to: columns)
            default: pane(from: dividers[0] + 2, to: dividers[1] - 1)
            }
        area.columns = min(area.columns, Self.textColumnsMax)
        return area
    }

    /// The console: the third pane; with fewer panes, the whole body.
    var console: Area { panes < 3 ? body : pane(from: dividers[1] + 2, to: columns) }

    /// The columns of the vertical lines between the panes.
    var dividers: [Int] {
        switch panes {
        case 1: []
        case 2: [min(listColumns + 1, max(66, columns * 56 / 100))]
        default:
            [
                listColumns + 1,
                listColumns + 4 + min(Self.textColumnsMax, Self.pageColumns + columnsLeft / 2),
            ]
        }
    }

    private func pane(from start: Int, to end: Int) -> Area {
        Area(column: start, row: body.row, columns: max(0, end - start), rows: body.rows)
    }

    /// At the lower edge. The message row stays visible if there is room for both.
    func sheet(rows: Int) -> Area {
        let bottom = rows + 3 <= size.rows ? messageRow : footerRow
        let height = min(rows, bottom - 1)
        return Area(column: 0, row: bottom - height, columns: columns, rows: height)
    }
}
