package import Terminal

/// The areas of the screen for a terminal's size.
package struct Layout: Hashable, Sendable {
    package let size: Size
    /// The smallest size that shows the shop.
    package static let smallest = Size(columns: 40, rows: 12)
    /// With at least this many columns the page is drawn beside the list.
    static let besideColumns = 108

    package init(_ size: Size) { self.size = size }

    /// Whether the terminal is smaller than `smallest`.
    package var isTooSmall: Bool {
        size.columns < Self.smallest.columns || size.rows < Self.smallest.rows
    }

    /// Whether to save rows and columns: no headings, short texts.
    var isCompact: Bool { size.columns < 60 || size.rows < 16 }

    /// Whether the page is drawn beside the list.
    var hasPageBeside: Bool { size.columns >= Self.besideColumns && size.rows >= 16 }

    /// The columns in use: all but the last, which stays empty.
    var columns: Int { max(0, size.columns - 1) }

    var headerRow: Int { 0 }
    var messageRow: Int { size.rows - 2 }
    var footerRow: Int { size.rows - 1 }

    /// The area between the header and the message row, without the empty rows next to it.
    var body: Area {
        let top = isCompact ? 1 : 2
        return Area(column: 0, row: top, columns: columns, rows: size.rows - top - 3)
    }

    /// The list: beside the page, or the whole body.
    var list: Area {
        guard hasPageBeside else { return body }
        // The list's last column stays empty, too.
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

    /// The column of the line between list and page; nil if they are not side by side.
    var divider: Int? { hasPageBeside ? listColumnsBeside : nil }

    /// The area of a sheet with so many rows, at the lower edge. The message row stays visible if
    /// there is room for both.
    func sheet(rows: Int) -> Area {
        let bottom = rows + 3 <= size.rows ? messageRow : footerRow
        let height = min(rows, bottom - 1)
        return Area(column: 0, row: bottom - height, columns: columns, rows: height)
    }
}
