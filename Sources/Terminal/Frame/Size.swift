/// Columns and rows of a terminal; never negative.
package struct Size: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    /// Negative numbers become 0.
    package init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }
}

/// A cell of the screen, by column and row counted from 0 at the upper left.
package struct Position: Hashable, Sendable {
    package var column: Int
    package var row: Int

    package init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// A rectangle of cells.
package struct Area: Hashable, Sendable {
    package var column: Int
    package var row: Int
    package var columns: Int
    package var rows: Int

    /// Negative `columns` and `rows` become 0.
    package init(column: Int, row: Int, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }

    package init(_ size: Size) {
        self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
    }

    package func contains(_ position: Position) -> Bool {
        position.column >= column && position.column < column + columns
            && position.row >= row && position.row < row + rows
    }
}
