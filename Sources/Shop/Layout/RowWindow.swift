/// The rows in sight of a list that scrolls in an area of `room` rows. Where rows are hidden, the
/// first or the last row of the area is a mark that counts them. Such a mark always stands for two
/// rows or more: a single row is shown in place of the mark.
package struct RowWindow: Hashable, Sendable {
    package let count: Int
    package let room: Int
    /// The list's row at the top of the area, which a mark may cover.
    package private(set) var first: Int
    /// Whether hidden rows are marked: not those that a sheet covers.
    let isMarked: Bool

    /// An area of fewer rows has none to spare for marks.
    private static let roomForMarks = 6

    /// Scrolls from `start` as little as needed to show the rows `shown`.
    package init(
        count: Int, room: Int, from start: Int = 0, showing shown: ClosedRange<Int>? = nil,
        isMarked: Bool = true
    ) {
        self.count = count
        self.room = max(1, room)
        self.isMarked = isMarked
        first = start
        let margin = hasMarks ? 1 : 0
        if let shown {
            first = min(first, shown.lowerBound - margin)
            first = max(first, shown.upperBound - self.room + 1 + margin)
        }
        first = min(max(0, first), scrollMax)
    }

    /// Whether a mark covers a row. Where there are few rows, only an arrow at its right end is
    /// drawn.
    var hasMarks: Bool { isMarked && count > room && room >= Self.roomForMarks }
    /// Whether an arrow is drawn over the end of the first or the last row.
    var hasArrows: Bool { isMarked && count > room && !hasMarks }

    package var scrollMax: Int { max(0, count - room) }

    /// The rows that are drawn.
    package var shown: Range<Int> {
        let start = first + (hasMarks && first > 0 ? 1 : 0)
        let end = min(count, first + room) - (hasMarks && first < scrollMax ? 1 : 0)
        return start..<max(start, end)
    }

    /// By how many rows a page scrolls, so that no row is skipped.
    package var page: Int { max(1, hasMarks ? room - 2 : room) }
    /// By how many rows a page moves the selection: one row of the last page stays in sight.
    var selectionPage: Int { max(1, page - 1) }
}
