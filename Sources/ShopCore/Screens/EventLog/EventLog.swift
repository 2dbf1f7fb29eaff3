import Foundation
import StoreModel

/// Events, newest first, read page by page while a person scrolls, with a filter and a selection.
/// The log of one account also has the lines of the device's log, merged by time.
///
/// The selection and what is in sight stay the same lines when newer ones arrive. A line is shown
/// once everything newer is loaded, so that no later page puts a line between two that are shown.
package struct EventLog: Hashable, Sendable {
    /// Whose events these are.
    package let scope: LogQuery.Scope
    /// What is loaded and matches the filter, newest first.
    package private(set) var lines: [LogLine] = []
    /// The selected line; nil for the newest, whichever it is.
    package private(set) var selected: LogLine.ID?
    /// The first line in sight, unless the selection would then be out of sight.
    package private(set) var firstRow = 0
    /// What a person typed to filter by.
    package private(set) var text = ""
    /// Whether keys are typed into the filter. Enter ends the typing and keeps the filter.
    package internal(set) var isTyping = false
    /// The kinds that are shown.
    package private(set) var group = LogGroup.all

    /// What the index filters by.
    private(set) var filter = HistoryFilter()
    private var events: [PastEvent] = []
    private var entries: [DeviceLogEntry] = []
    private var nextEvents: FeedCursor?
    private var hasEvents = false
    private var hasEntries = false
    private var areEventsComplete = false
    private var areEntriesComplete = false
    /// Queries without an answer.
    private var running: Set<LogQuery> = []
    /// Events that the feed has reported and that were not read yet.
    private var unread = 0
    /// How many more pages may be read before the next key.
    private var pagesLeft = 0

    /// The events of one page.
    static let pageSize = 200
    /// The pages that one key reads at most, so that a filter that matches nothing ends.
    static let pagesPerKey = 5
    /// The longest filter, in characters.
    static let textMax = 100
    /// New entries of the device's log that are looked for at once.
    private static let newEntriesMax = 50

    init(_ scope: LogQuery.Scope) { self.scope = scope }

    /// Whether anything is being read.
    package var isReading: Bool { !running.isEmpty }
    /// Whether the first page has arrived.
    package var isLoaded: Bool {
        (hasEvents || !readsEvents) && (hasEntries || !readsEntries)
    }
    /// Whether everything that matches is loaded.
    package var isComplete: Bool {
        (areEventsComplete || !readsEvents) && (areEntriesComplete || !readsEntries)
    }
    /// Whether a filter hides lines.
    package var isFiltered: Bool { !text.isEmpty || group != .all }

    /// The place of the selection in `lines`; 0 if nothing is selected.
    package var selectedRow: Int {
        guard let selected else { return 0 }
        return lines.firstIndex { $0.id == selected } ?? 0
    }
    /// The selected line; nil if there is none.
    package var selectedLine: LogLine? {
        let row = selectedRow
        return lines.indices.contains(row) ? lines[row] : nil
    }

    /// The first line to show in so many rows: scrolls as little as needed to show the selection.
    package func firstVisibleRow(of rows: Int, showsSelection: Bool = true) -> Int {
        let rows = max(1, rows)
        var first = firstRow
        if showsSelection {
            let row = selectedRow
            first = min(max(first, row - rows + 1), row)
        }
        return min(max(0, first), max(0, lines.count - rows))
    }

    private var readsEvents: Bool { group != .device }
    private var readsEntries: Bool {
        scope == .account && group.hasEntries && filter.kinds.subtracting(groupKinds).isEmpty
    }
    private var groupKinds: Set<EventKind> { group.kinds ?? [] }

    // MARK: - Selection

    /// Moves the selection.
    mutating func move(by step: Int, rows: Int) {
        guard !lines.isEmpty else { return }
        select(row: min(max(0, selectedRow + step), lines.count - 1), rows: rows)
    }

    mutating func select(row: Int, rows: Int) {
        guard lines.indices.contains(row) else { return }
        selected = lines[row].id
        keepSelectionInSight(rows)
    }

    private mutating func keepSelectionInSight(_ rows: Int) {
        firstRow = firstVisibleRow(of: rows, showsSelection: selected != nil)
    }

    // MARK: - Filter

    /// Shows the next group of kinds.
    mutating func cycleGroup(_ name: (ProductID) -> String) {
        let groups = LogGroup.allCases.filter { scope == .account || $0 != .device }
        let at = groups.firstIndex(of: group) ?? 0
        group = groups[(at + 1) % groups.count]
        useFilter()
        arrange(name)
    }

    mutating func type(_ added: String, _ name: (ProductID) -> String) {
        let visible = added.filter { character in
            character.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        }
        text = String((text + visible).prefix(Self.textMax))
        restart(name)
    }

    mutating func erase(_ name: (ProductID) -> String) {
        guard !text.isEmpty else { return endFilter(name) }
        text.removeLast()
        restart(name)
    }

    /// Ends the typing, and reads by index what the filter names with a colon.
    mutating func keepFilter(_ name: (ProductID) -> String) {
        isTyping = false
        useFilter()
        arrange(name)
    }

    /// Shows everything again.
    mutating func endFilter(_ name: (ProductID) -> String) {
        isTyping = false
        text = ""
        group = .all
        useFilter()
        arrange(name)
    }

    private mutating func restart(_ name: (ProductID) -> String) {
        selected = nil
        firstRow = 0
        arrange(name)
    }

    /// Reads anew if the index filters by something else now.
    private mutating func useFilter() {
        var new = HistoryFilter(kinds: groupKinds)
        var typed: Set<EventKind> = []
        for word in text.split(separator: " ") {
            guard let (field, value) = Self.field(word) else { continue }
            switch field {
            case .kind: typed.formUnion(EventKind.allCases.filter { $0.rawValue == value })
            case .product: new.product = ProductID(value)
            case .account: new.account = scope == .store ? AccountName(value) : nil
            case .since: new.since = Self.day(value)
            }
        }
        if !typed.isEmpty { new.kinds = typed }
        guard new != filter else { return }
        filter = new
        forget()
    }

    private mutating func forget() {
        events = []
        nextEvents = nil
        hasEvents = false
        areEventsComplete = false
        unread = 0
        selected = nil
        firstRow = 0
    }

    /// What a word of the filter names by index: `product:`, `account:`, `kind:`, `since:`.
    private enum Field: String { case product, account, kind, since }

    private static func field(_ word: Substring) -> (Field, String)? {
        guard let colon = word.firstIndex(of: ":"),
            let field = Field(rawValue: String(word[..<colon]))
        else { return nil }
        let value = String(word[word.index(after: colon)...])
        // What cannot be read is an ordinary word, which then finds nothing.
        switch field {
        case .kind: guard EventKind(rawValue: value) != nil else { return nil }
        case .since: guard day(value) != nil else { return nil }
        case .product, .account: break
        }
        return (field, value)
    }

    /// A day as ISO 8601 writes it, `2026-12-21`: its beginning in UTC.
    private static func day(_ text: String) -> Timestamp? {
        (try? Date(text, strategy: .iso8601.year().month().day())).map { Timestamp($0) }
    }

    // MARK: - Reading

    /// A key was pressed, so further pages may be read.
    mutating func allowPages() { pagesLeft = Self.pagesPerKey }

    /// The events of the feed, which are read when nothing newer is being read.
    mutating func note(_ count: Int) {
        // While the first page is read, it may have been read before the event.
        if hasEvents || isReadingNewest(entries: false) { unread += count }
    }

    /// The queries to begin now.
    ///
    /// - Parameter rows: so many rows below the selection should be there.
    mutating func queries(rows: Int) -> [LogQuery] {
        var asked: [LogQuery] = []
        if readsEvents, !hasEvents {
            asked += ask(.events(before: nil, limit: Self.pageSize))
        } else if readsEvents, unread > 0, !isReadingNewest(entries: false) {
            asked += ask(.events(before: nil, limit: min(unread + 1, 1000)))
            unread = 0
        }
        if readsEntries, !hasEntries { asked += ask(.entries(before: nil, limit: Self.pageSize)) }
        let isNearEnd = lines.count - max(selectedRow, firstRow) <= rows + Self.pageSize / 4
        guard isLoaded, !isComplete, isNearEnd, pagesLeft > 0, !isReadingOlder else {
            return asked
        }
        pagesLeft -= 1
        let isEntrysTurn =
            readsEntries && !areEntriesComplete
            && (areEventsComplete || !readsEvents
                || (entries.last?.at ?? .earliest) > (events.last?.at ?? .earliest))
        return asked
            + ask(
                isEntrysTurn
                    ? .entries(before: entries.last?.number, limit: Self.pageSize)
                    : .events(before: nextEvents, limit: Self.pageSize))
    }

    /// The query for entries that the device has logged meanwhile.
    mutating func newEntriesQuery() -> [LogQuery] {
        guard readsEntries, hasEntries, !isReadingNewest(entries: true) else { return [] }
        return ask(.entries(before: nil, limit: Self.newEntriesMax))
    }

    private mutating func ask(_ part: LogQuery.Part) -> [LogQuery] {
        let query = LogQuery(scope: scope, filter: filter, part: part)
        return running.insert(query).inserted ? [query] : []
    }

    private func isReadingNewest(entries: Bool) -> Bool {
        running.contains { $0.isOfNewest && $0.isOfEntries == entries && $0.filter == filter }
    }

    private var isReadingOlder: Bool {
        running.contains { !$0.isOfNewest && $0.filter == filter }
    }

    /// A query failed. Its page is read again when a key asks for it.
    mutating func failed(_ query: LogQuery) {
        running.remove(query)
        pagesLeft = 0
        // What the page should have brought is still to be read.
        if case .events(nil, let limit) = query.part, hasEvents, query.filter == filter {
            unread += limit - 1
        }
    }

    /// Takes in an answer. One to another filter than the present one is dropped.
    mutating func take(
        _ page: LogPage, for query: LogQuery, rows: Int, name: (ProductID) -> String
    ) {
        running.remove(query)
        let top = lines.indices.contains(firstRow) ? lines[firstRow].id : nil
        switch query.part {
        case .events(let before, let limit):
            guard query.filter == filter else { return }
            takeEvents(page, before, limit)
        case .entries(let before, let limit): takeEntries(page.entries, before, limit)
        }
        arrange(name)
        if firstRow > 0, let row = lines.firstIndex(where: { $0.id == top }) { firstRow = row }
        if selected != nil { keepSelectionInSight(rows) }
    }

    private mutating func takeEvents(_ page: LogPage, _ before: FeedCursor?, _ limit: Int) {
        if before == nil, hasEvents, let newest = events.first {
            let known = LogLine.event(newest).id
            if let end = page.events.firstIndex(where: { LogLine.event($0).id == known }) {
                events = page.events[..<end] + events
                return
            }
            // More has happened than was read: what follows is read again as a person scrolls.
        } else if before != nil {
            guard before == nextEvents else { return }
            events += page.events
        }
        if before == nil { events = page.events }
        nextEvents = page.next
        areEventsComplete = page.next == nil
        hasEvents = true
    }

    private mutating func takeEntries(_ new: [DeviceLogEntry], _ before: Int64?, _ limit: Int) {
        guard let before else {
            let known = entries.first?.number ?? -1
            let newer = new.prefix { $0.number > known }
            let hasGap = newer.count == new.count && new.count == limit
            if !hasEntries || hasGap {
                entries = new
                areEntriesComplete = new.count < limit
            } else {
                entries = newer + entries
            }
            hasEntries = true
            return
        }
        guard before == entries.last?.number else { return }
        entries += new
        areEntriesComplete = new.count < limit
    }

    // MARK: - Lines

    /// Merges what is loaded, down to the time of which both are loaded, and keeps what matches.
    ///
    /// - Parameter name: the display name of a product.
    mutating func arrange(_ name: (ProductID) -> String) {
        let entries = readsEntries ? self.entries : []
        let events = readsEvents ? self.events : []
        guard isLoaded else {
            lines = []
            return
        }
        var end = Timestamp(milliseconds: .min)
        if readsEvents, !areEventsComplete, let last = events.last { end = max(end, last.at) }
        if readsEntries, !areEntriesComplete, let last = entries.last { end = max(end, last.at) }
        let words = text.lowercased().split(separator: " ").filter { Self.field($0) == nil }
        var merged: [LogLine] = []
        merged.reserveCapacity(events.count + entries.count)
        var (event, entry) = (0, 0)
        while event < events.count || entry < entries.count {
            let takesEvent =
                entry == entries.count
                || (event < events.count && events[event].at >= entries[entry].at)
            let line: LogLine
            if takesEvent {
                line = .event(events[event])
                event += 1
            } else {
                line = .entry(entries[entry])
                entry += 1
            }
            guard line.at >= end else { break }
            if matches(line, words, name) { merged.append(line) }
        }
        lines = merged
        if let selected, !merged.contains(where: { $0.id == selected }) { self.selected = nil }
        firstRow = min(firstRow, max(0, merged.count - 1))
    }

    private func matches(_ line: LogLine, _ words: [Substring], _ name: (ProductID) -> String)
        -> Bool
    {
        if case .entry = line {
            if let product = filter.product, line.productID != product { return false }
            if let since = filter.since, line.at < since { return false }
        }
        guard !words.isEmpty else { return true }
        let texts = line.searchTexts(name: name).map { $0.lowercased() }
        return words.allSatisfy { word in texts.contains { $0.contains(word) } }
    }
}
