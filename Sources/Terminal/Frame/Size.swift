/// Columns and rows of a terminal; never negative.
package struct Size: Hashable, Sendable {
    /// The width, in cells.
    package var columns: Int
    /// The height, in cells.
    package var rows: Int

    /// Negative numbers become 0.
    package init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }
}

/// A cell of the screen, by column and row counted from 0 at the upper left.
package struct Position: Hashable, Sendable {
    /// From 0 at the left.
    package var column: Int
    /// From 0 at the top.
    package var row: Int

    /// Memberwise: the values are not checked.
    package init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// A rectangle of cells.
package struct Area: Hashable, Sendable {
    /// The leftmost column.
    package var column: Int
    /// The topmost row.
    package var row: Int
    /// The width, in cells.
    package var columns: Int
    /// The height, in cells.
    package var rows: Int

    /// - Parameters:
    ///   - column: the leftmost column.
    ///   - row: the topmost row.
    ///   - columns: the width; a negative one becomes 0.
    ///   - rows: the height; a negative one becomes 0.
    package init(column: Int, row: Int, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }

    /// The whole area of a screen of this size.
    package init(_ size: Size) {
        self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
    }

    /// Whether a cell lies inside the rectangle.
    package func contains(_ position: Position) -> Bool {
        position.column >= column && position.column < column + columns
            && position.row >= row && position.row < row + rows
    }
}
