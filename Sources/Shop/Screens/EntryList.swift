package import ShopText
package import StoreModel

/// One line of the palette or the help. The drawing makes the lines, because their texts are there,
/// and passes those that match the filter with each action (`Viewport.entries`).
package struct Entry: Hashable, Sendable {
    /// What the line opens or does: it stays the same when other lines appear or disappear.
    package indirect enum ID: Hashable, Sendable {
        /// A key of a component, by its place among the component's keys.
        case key(Component, Int)
        /// A key or an action of every screen, by its place among them.
        case everywhere(Int)
        case perform(OperatorAction)
        /// A kind of the operator's actions for which no payment, plan or entry is there to act on.
        case missing(OperatorAction.Kind)
        case fault(DownloadFaultOffer)
        case group(PaletteGroup)
        case choice(PaletteChoice)
        /// A line of the palette that the help lists.
        case inPalette(ID)
        /// An error of the failure sheet.
        case failure(StoreError.Code)
    }

    package var id: ID
    /// The action of Enter; nil where Enter does nothing, and for an action of the operator.
    package var action: ShopAction?
    package var row: Int
    /// The row to keep in sight with the entry: its heading, if the entry is the first below one.
    package var top: Int

    /// - Parameter top: `row`, unless the row above is its heading.
    package init(id: ID, action: ShopAction? = nil, row: Int, top: Int? = nil) {
        self.id = id
        self.action = action
        self.row = row
        self.top = top ?? row
    }

    /// Whether Enter does something here, or says why it does not.
    var isAvailable: Bool {
        switch id {
        case .key, .everywhere: action != nil
        default: true
        }
    }

    /// Compares identity and position; actions cannot be compared.
    package static func == (one: Entry, other: Entry) -> Bool {
        one.id == other.id && one.row == other.row && one.top == other.top
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(row)
    }
}

/// The filter of a list and the line that is chosen in it.
package struct EntryList: Hashable, Sendable {
    package private(set) var filter = ""
    /// The chosen line; nil until the first action after the filter was changed.
    private var chosen: Entry.ID?
    /// The first row in sight; nil until the first movement.
    package private(set) var scroll: Int?

    package init() {}

    /// A list with a filter and the line that is chosen in it.
    init(filter: String, chosen: Entry.ID) {
        self.filter = filter
        self.chosen = chosen
    }

    /// Until a choice, the first line with an action. Nil if no line is left, or if the chosen line
    /// is gone, so that an Enter already on its way does not carry out another line.
    package func chosenIndex(in entries: [Entry]) -> Int? {
        if let chosen { return entries.firstIndex { $0.id == chosen } }
        return entries.firstIndex(where: \.isAvailable) ?? (entries.isEmpty ? nil : 0)
    }

    func chosenEntry(in entries: [Entry]) -> Entry? {
        chosenIndex(in: entries).map { entries[$0] }
    }

    /// Fixes the line shown as chosen, so that it stays chosen when other lines come and go.
    mutating func pin(_ entries: [Entry]) {
        if chosen == nil { chosen = chosenEntry(in: entries)?.id }
    }

    mutating func move(_ movement: Movement, _ viewport: Viewport) {
        let entries = viewport.entries
        guard !entries.isEmpty else { return }
        let step = movement.lines(page: max(1, viewport.rows - 1))
        // If the chosen line is gone, any movement chooses the first line.
        let next = chosenIndex(in: entries).map { $0 + step } ?? 0
        let index = min(max(0, next), entries.count - 1)
        chosen = entries[index].id
        scroll = firstRow(from: viewport.scroll, entries, rows: viewport.rows, viewport.scrollMax)
    }

    /// Returns false if the line was chosen before, or is not in the list.
    mutating func choose(_ id: Entry.ID, _ viewport: Viewport) -> Bool {
        guard viewport.entries.contains(where: { $0.id == id }), chosen != id else { return false }
        chosen = id
        scroll = viewport.scroll
        return true
    }

    /// Scrolls from `start` as little as needed when `rows` fit; before any movement, `start`.
    package func firstRow(from start: Int, _ entries: [Entry], rows: Int, _ scrollMax: Int) -> Int {
        let entry = chosen == nil ? nil : chosenEntry(in: entries)
        return RowWindow(
            count: scrollMax + rows, room: rows, from: start,
            showing: entry.map { $0.top...$0.row }, isMarked: false
        ).first
    }

    /// Leaves control characters out.
    mutating func type(_ text: String) {
        refilter(TypedText.appending(text, to: filter))
    }

    mutating func erase() { refilter(String(filter.dropLast())) }

    private mutating func refilter(_ text: String) {
        guard text != filter else { return }
        filter = text
        chosen = nil
        scroll = nil
    }
}
