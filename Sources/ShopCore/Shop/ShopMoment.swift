package import StoreModel

/// The inputs of the reducer that must come from outside so that it stays pure: time, chance, and
/// what the screen has room for.
package struct ShopMoment: Sendable {
    /// The store's time.
    package var now: Timestamp
    /// Elapsed time since the program began, for messages that fade; the store's time may stand
    /// still.
    package var elapsed: Duration
    /// The id of the payment, if this action starts one. It must not have been used before.
    package var paymentID: PaymentID
    /// The screen's measures before the action.
    package var viewport: Viewport

    /// Memberwise: the values are not checked.
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

/// The part of the shop that the screen has room for: numbers of rows and lines, and how far each
/// scrolls. `ShopTUI` computes it from the state and the terminal's size (`ShopDrawing.viewport`);
/// it is an input of each action and is never stored by the view.
package struct Viewport: Hashable, Sendable {
    /// Rows of the product list.
    package var listRows: Int
    /// Rows of the scrolling part of the component that has the focus.
    package var rows: Int
    /// How far that component is scrolled, in rows, where its part of the state does not say.
    package var scroll: Int
    /// How far it can be scrolled, in rows.
    package var scrollMax: Int
    /// How many panes are side by side: the list; with the product's page; with the console, too.
    package var panes: Int
    /// Whether the list leaves out headings and gaps, because there are few rows or columns.
    package var isCompact: Bool
    /// The lines that match the filter of the palette or the help, whichever has the focus.
    package var entries: [Entry]
    /// The rows of the text in the reader around those in sight; nil elsewhere.
    package var text: TextRows?
    /// The screen's names of the kinds of lines in event logs, while a log is filtered.
    package var kindNames: [LogKind: String]
    /// Whether `--theme` forces a theme, so that a chosen one is not drawn.
    package var isThemeForced: Bool

    /// Numbers below the least that a screen can have are raised to it. The defaults are for tests.
    package init(
        listRows: Int = 18, rows: Int = 18, scroll: Int = 0, scrollMax: Int = 0, panes: Int = 1,
        isCompact: Bool = false, entries: [Entry] = [], text: TextRows? = nil,
        kindNames: [LogKind: String] = [:],
        isThemeForced: Bool = false
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
        self.isThemeForced = isThemeForced
    }

    /// Where a text is scrolled to after a movement.
    func scrolled(from scroll: Int, by movement: Movement) -> Int {
        min(max(0, scroll + movement.lines(page: rows)), scrollMax)
    }
}

/// A step of the selection, or of the part that scrolls.
package enum Movement: Hashable, Sendable {
    case up, down, pageUp, pageDown, first, last
    /// A number of rows, by the mouse wheel; negative is up.
    case rows(Int)

    /// The movement in lines. The caller clamps the result: `first` and `last` are larger than any
    /// list.
    ///
    /// - Parameter page: the lines of one page.
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
