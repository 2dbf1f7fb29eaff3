package import StoreModel

/// The inputs of the reducer that come from outside, so that the reducer stays pure: time, random
/// ids, and the screen's measures.
package struct ShopMoment: Sendable {
    /// The store's time.
    package var now: Timestamp
    /// Since the program began, for messages that fade: the store's time may be stopped.
    package var elapsed: Duration
    /// The id of the payment, if this action starts one. It must not have been used before.
    package var paymentID: PaymentID
    /// The screen's measures before the action.
    package var viewport: Viewport

    package init(
        now: Timestamp, elapsed: Duration = .zero, paymentID: PaymentID,
        viewport: Viewport = Viewport()
    ) {
        self.now = now
        self.elapsed = elapsed
        self.paymentID = paymentID
        self.viewport = viewport
    }
}

/// The measures of the screen: numbers of rows, and scroll positions. The drawing computes them from
/// the state and the terminal's size (`ShopDrawing.viewport`). They are an input of each action; no
/// view stores them.
package struct Viewport: Hashable, Sendable {
    package var listRows: Int
    /// Rows of the scrolling part of the component that has the focus.
    package var rows: Int
    /// The scroll position of that component in rows, used if its part of the state has none.
    package var scroll: Int
    /// In rows.
    package var scrollMax: Int
    /// The number of panes side by side: 1 list, 2 product's page, 3 console.
    package var panes: Int
    /// Whether the list leaves out headings and gaps, because there are few rows or columns.
    package var isCompact: Bool
    /// The lines that match the filter of the palette or the help, whichever has the focus.
    package var entries: [Entry]
    /// The reader's rows in sight and around them; nil on other screens.
    package var text: TextRows?
    /// The screen's names of the kinds of lines in event logs, while a log is filtered.
    package var kindNames: [LogKind: String]

    /// Numbers smaller than any screen's are raised to the smallest. The defaults are for tests.
    package init(
        listRows: Int = 18, rows: Int = 18, scroll: Int = 0, scrollMax: Int = 0, panes: Int = 1,
        isCompact: Bool = false, entries: [Entry] = [], text: TextRows? = nil,
        kindNames: [LogKind: String] = [:]
    ) {
        self.listRows = max(1, listRows)
        self.rows = max(1, rows)
        self.scroll = max(0, scroll)
        self.scrollMax = max(0, scrollMax)
        self.panes = max(1, panes)
        self.isCompact = isCompact
        self.entries = entries
        self.text = text
        self.kindNames = kindNames
    }

    /// The scroll position after a movement, within 0 and `scrollMax`.
    func scrolled(from scroll: Int, by movement: Movement) -> Int {
        min(max(0, scroll + movement.lines(page: rows)), scrollMax)
    }
}

/// A movement of the selection or of scrolling content.
package enum Movement: Hashable, Sendable {
    case up, down, pageUp, pageDown, first, last
    /// A number of rows, from the mouse wheel; negative is up.
    case rows(Int)

    /// In lines, with `page` lines a page. The caller clamps: `first` and `last` exceed any list.
    package func lines(page: Int) -> Int {
        switch self {
        case .up: -1
        case .down: 1
        case .pageUp: -page
        case .pageDown: page
        case .first: -1_000_000_000
        case .last: 1_000_000_000
        case .rows(let count): count
        }
    }
}
