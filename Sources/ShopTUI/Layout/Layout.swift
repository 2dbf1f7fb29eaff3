package import ShopCore
package import Terminal

/// Where everything stands on a screen of some size. Decides nothing but places.
package struct Layout: Hashable, Sendable {
    package let size: Size
    /// Below this the shop says so in one line.
    package static let smallest = Size(columns: 40, rows: 12)
    /// From here on the page stands beside the list.
    static let besideColumns = 108

    package init(_ size: Size) { self.size = size }

    package var isTooSmall: Bool {
        size.columns < Self.smallest.columns || size.rows < Self.smallest.rows
    }

    /// Rows and columns are dear: no headings, short words.
    var isCompact: Bool { size.columns < 60 || size.rows < 16 }

    var hasPageBeside: Bool { size.columns >= Self.besideColumns && size.rows >= 16 }

    /// The last column stays empty.
    var columns: Int { max(0, size.columns - 1) }

    var headerRow: Int { 0 }
    var messageRow: Int { size.rows - 2 }
    var footerRow: Int { size.rows - 1 }

    /// Between header and news, with air around it.
    var body: Area {
        let top = isCompact ? 1 : 2
        return Area(column: 0, row: top, columns: columns, rows: size.rows - top - 3)
    }

    var list: Area {
        guard hasPageBeside else { return body }
        // Its last column stays empty, too.
        return Area(
            column: 0, row: body.row, columns: listColumnsBeside - 1, rows: body.rows)
    }

    private var listColumnsBeside: Int { min(84, max(64, columns * 60 / 100)) }

    /// The page: beside the list, or in its place.
    var page: Area {
        guard hasPageBeside else {
            return Area(column: 1, row: body.row, columns: columns - 1, rows: body.rows)
        }
        let start = listColumnsBeside + 2
        return Area(
            column: start, row: body.row, columns: min(80, columns - start), rows: body.rows)
    }

    /// The column of the wall between list and page; nil where there is none.
    var wall: Int? { hasPageBeside ? listColumnsBeside : nil }

    /// What a sheet of so many rows covers: from below, and the news stay in sight where there is
    /// room for both.
    func sheet(rows: Int) -> Area {
        let bottom = rows + 3 <= size.rows ? messageRow : footerRow
        let height = min(rows, bottom - 1)
        return Area(column: 0, row: bottom - height, columns: columns, rows: height)
    }

    /// The search, and what must be said before anything is bought.
    static func rowsAboveList(_ state: ShopState) -> Int {
        (state.search == nil ? 0 : 1) + (state.canMakePayments ? 0 : 1)
    }

    package func viewport(in state: ShopState) -> Viewport {
        var viewport = Viewport(
            listRows: list.rows - Self.rowsAboveList(state), pageRows: body.rows,
            consoleRows: max(1, body.rows - ConsoleDrawing.fixedRows(state, columns: size.columns)),
            helpScrollMax: HelpDrawing.lineCount - HelpDrawing.rows(self),
            isCompact: isCompact)
        viewport.helpStart = HelpDrawing.start(of: KeyMode(state))
        return viewport
    }
}
