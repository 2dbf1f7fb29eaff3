package import StoreModel

/// Events, newest first, read page by page while a person scrolls, with a filter and a selection.
/// The entries of the device's log, which are not in the ledger, are merged with the events by
/// time.
///
/// The selection and the first line in sight stay the same when newer lines arrive. A line is shown
/// once all newer lines are loaded, so that no later page inserts a line between two that are
/// shown.
package struct EventLog: Hashable, Sendable {
    package let scope: LogQuery.Scope
    /// The loaded lines that match the filter, newest first.
    package private(set) var lines: [LogLine] = []
    /// The selected line; nil selects the newest line, also after newer ones arrive.
    package private(set) var selected: LogLine.ID?
    /// The first line in sight, unless the selection would be out of sight with it.
    package private(set) var firstRow = 0
    package private(set) var text = ""
    /// Whether keys are typed into the filter. Enter ends the typing and keeps the filter.
    package internal(set) var isTyping = false
    package private(set) var group = LogGroup.all
    /// The column by which the lines are sorted; nil for the newest first. Only a log that is
    /// loaded whole is sorted, so that no later page comes between lines in sight.
    package private(set) var sort: SortColumn?
    /// The lines with sales on which the next action acts together.
    package private(set) var marked: Set<LogLine.ID> = []

    /// The change that made the value before a change, by the later change's line; only where the
    /// earlier one is loaded.
    private(set) var earlier: [LogLine.ID: StoreEvent.Change] = [:]

    /// The sales that were refunded in full, as far as their revisions are loaded.
    private(set) var refunded: Set<TransactionID> = []

    /// As of when an offline device read the events; nil if the store sent them.
    package private(set) var asOf: Timestamp?
    /// Why the first page could not be read; nil before an attempt failed and after one succeeded.
    package private(set) var failure: StoreError?

    /// The filter that `text` describes.
    private var typed = LogFilter()
    /// The part of that filter which the store's index applies.
    private(set) var filter = HistoryFilter()
    private var events: [StoreEvent] = []
    private var entries: [DeviceLogEntry] = []
    private var nextEvents: FeedCursor?
    private var hasEvents = false
    private var hasEntries = false
    private var areEventsComplete = false
    private var areEntriesComplete = false
    /// Queries without an answer.
    private var running: Set<LogQuery> = []
    /// The number of events that the feed has reported and the log has not read yet.
    private var unread = 0
    /// The number of pages that may still be read before the next key.
    private var pagesLeft = 0

    static let pageSize = 200
    /// The most pages that one key reads, so that the reading ends if the filter matches no line.
    static let pagesPerKey = 5
    /// The most new events that one query reads.
    private static let newEventsMax = 1000
    /// The most new entries of the device's log that one query reads.
    private static let newEntriesMax = 50

    /// The console's log reads it once in sight, so that opening a shop does not wait for it.
    private var hasDevice: Bool

    init(_ scope: LogQuery.Scope) {
        self.scope = scope
        hasDevice = scope == .account
    }

    mutating func showDevice() { hasDevice = true }

    package var isReading: Bool { !running.isEmpty }
    /// Whether the first page has arrived. The console does not wait for the device's lines: they
    /// are merged when they are read, so that an unreadable device hides no events of the store.
    package var isLoaded: Bool {
        (hasEvents || !readsEvents)
            && (hasEntries || !readsEntries || (scope == .store && readsEvents))
    }
    /// Whether every line that matches the filter is loaded.
    package var isComplete: Bool {
        (areEventsComplete || !readsEvents) && (areEntriesComplete || !readsEntries)
    }
    package var isFiltered: Bool { !text.isEmpty || group != .all }
    /// Of the first filter value that names nothing in the store; nil if every value is valid.
    package var filterProblem: LogFilter.Problem? { typed.problem }

    /// The index of the selected line in `lines`; 0 if no line is selected.
    package var selectedRow: Int {
        guard let selected else { return 0 }
        return lines.firstIndex { $0.id == selected } ?? 0
    }
    package var selectedLine: LogLine? {
        let row = selectedRow
        return lines.indices.contains(row) ? lines[row] : nil
    }

    /// Those that the filter shows.
    package var markedLines: [LogLine] {
        marked.isEmpty ? [] : lines.filter { marked.contains($0.id) }
    }

    /// When `room` lines fit.
    func window(room: Int, showsSelection: Bool) -> RowWindow {
        let row = selectedRow
        return RowWindow(
            count: lines.count, room: room, from: firstRow,
            showing: showsSelection ? row...row : nil)
    }

    private var readsEvents: Bool { typed.mayMatchEvents(in: group) }
    private var readsEntries: Bool { hasDevice && typed.mayMatchEntries(in: group) }

    // MARK: - Selection

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
        firstRow = window(room: rows, showsSelection: selected != nil).first
    }

    // MARK: - Marks and order

    /// Marks the selected line, or unmarks it, and goes on to the next one.
    mutating func mark(rows: Int) {
        guard let line = selectedLine else { return }
        if marked.remove(line.id) == nil { marked.insert(line.id) }
        move(by: 1, rows: rows)
    }

    mutating func unmark() { marked = [] }

    mutating func sort(by column: SortColumn?, _ vocabulary: LogVocabulary) {
        sort = column
        firstRow = 0
        arrange(vocabulary)
    }

    // MARK: - Filter

    mutating func cycleGroup(_ vocabulary: LogVocabulary) {
        let groups = LogGroup.allCases
        let at = groups.firstIndex(of: group) ?? 0
        group = groups[(at + 1) % groups.count]
        useFilter(vocabulary)
    }

    /// Appends to the filter, which takes effect immediately.
    mutating func type(_ added: String, _ vocabulary: LogVocabulary) {
        change(TypedText.appending(added, to: text), vocabulary)
    }

    mutating func erase(_ vocabulary: LogVocabulary) {
        guard !text.isEmpty else { return endFilter(vocabulary) }
        change(String(text.dropLast()), vocabulary)
    }

    mutating func keepFilter() { isTyping = false }

    /// Removes the filter and the group.
    mutating func endFilter(_ vocabulary: LogVocabulary) {
        isTyping = false
        group = .all
        change("", vocabulary)
    }

    private mutating func change(_ text: String, _ vocabulary: LogVocabulary) {
        self.text = text
        typed = LogFilter(text, scope: scope, vocabulary)
        selected = nil
        firstRow = 0
        useFilter(vocabulary)
    }

    /// If the filter's indexed part has changed, the log is read from the start.
    private mutating func useFilter(_ vocabulary: LogVocabulary) {
        let new = typed.index(in: group)
        if readsEvents, new != filter {
            filter = new
            forget()
        }
        arrange(vocabulary)
    }

    /// Drops what an offline device had read, and a failure to read, because the store can now send
    /// all events. Returns whether there was either, so that the caller reads again.
    mutating func forgetOffline() -> Bool {
        guard asOf != nil || failure != nil else { return false }
        forget()
        return true
    }

    private mutating func forget() {
        asOf = nil
        failure = nil
        events = []
        nextEvents = nil
        hasEvents = false
        areEventsComplete = false
        unread = 0
        selected = nil
        firstRow = 0
    }

    // MARK: - Reading

    /// Resets the number of pages that may be read, after a key was pressed.
    mutating func allowPages() { pagesLeft = Self.pagesPerKey }

    /// They are read when no other query for the newest events is running.
    mutating func note(_ count: Int) {
        // A running query for the first page may have read before this event.
        if hasEvents || isReadingNewest(entries: false) { unread += count }
    }

    /// `rows` is the number of loaded lines wanted below the selection.
    mutating func queries(rows: Int) -> [LogQuery] {
        var asked: [LogQuery] = []
        if readsEvents, !hasEvents {
            asked += ask(.events(before: nil, limit: Self.pageSize))
        } else if readsEvents, unread > 0, !isReadingNewest(entries: false) {
            asked += ask(.events(before: nil, limit: min(unread + 1, Self.newEventsMax)))
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

    /// The query for entries that the device has added to its log since the last reading.
    mutating func newEntriesQuery() -> [LogQuery] {
        guard readsEntries, hasEntries, !isReadingNewest(entries: true) else { return [] }
        return ask(.entries(before: nil, limit: Self.newEntriesMax))
    }

    private mutating func ask(_ part: LogQuery.Part) -> [LogQuery] {
        var query = LogQuery(scope: scope, filter: filter, part: part)
        // The device's log has no index.
        if query.isOfEntries { query.filter = HistoryFilter() }
        return running.insert(query).inserted ? [query] : []
    }

    private func isReadingNewest(entries: Bool) -> Bool {
        running.contains {
            $0.isOfNewest && $0.isOfEntries == entries && (entries || $0.filter == filter)
        }
    }

    private var isReadingOlder: Bool {
        running.contains { !$0.isOfNewest && ($0.isOfEntries || $0.filter == filter) }
    }

    /// Handles a failed query. The next key that needs its page repeats it.
    mutating func failed(_ query: LogQuery, _ error: StoreError) {
        running.remove(query)
        if query.isOfNewest, !isLoaded, query.isOfEntries || query.filter == filter {
            failure = error
        }
        pagesLeft = 0
        // The events of the failed page still count as unread.
        if case .events(nil, let limit) = query.part, hasEvents, query.filter == filter {
            unread += limit - 1
        }
    }

    /// An answer to another filter than the present one is dropped.
    mutating func take(
        _ page: LogPage, for query: LogQuery, rows: Int, _ vocabulary: LogVocabulary
    ) {
        running.remove(query)
        let top = lines.indices.contains(firstRow) ? lines[firstRow].id : nil
        var new: ArraySlice<StoreEvent>?
        switch query.part {
        case .events(let before, let limit):
            guard query.filter == filter else { return }
            new = takeEvents(page, before, limit)
        case .entries(let before, let limit): takeEntries(page.entries, before, limit)
        }
        if let new, onlyAddsLines(new) {
            let added = new.map(LogLine.event).filter { shows($0, vocabulary) }
            lines.insert(contentsOf: added, at: 0)
        } else {
            arrange(vocabulary)
        }
        if firstRow > 0, let row = lines.firstIndex(where: { $0.id == top }) { firstRow = row }
        if selected != nil { keepSelectionInSight(rows) }
    }

    /// Returns the new events if they were put before those known already; nil if other events
    /// have changed.
    private mutating func takeEvents(_ page: LogPage, _ before: FeedCursor?, _ limit: Int)
        -> ArraySlice<StoreEvent>?
    {
        failure = nil
        asOf = page.asOf
        if before == nil, hasEvents, let newest = events.first {
            let known = LogLine.event(newest).id
            if let end = page.events.firstIndex(where: { LogLine.event($0).id == known }) {
                events.insert(contentsOf: page.events[..<end], at: 0)
                return page.events[..<end]
            }
            // More events happened than the page has: a larger one joins the known events, so that
            // the selection stays. Beyond the largest, older ones are read again while scrolling.
            if page.events.count == limit, limit < Self.newEventsMax {
                unread += limit * 4
                return nil
            }
        } else if before != nil {
            guard before == nextEvents else { return nil }
            events += page.events
        }
        if before == nil { events = page.events }
        nextEvents = page.next
        areEventsComplete = page.next == nil
        hasEvents = true
        return nil
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

    /// Whether new events come before all lines and change none. A busy store sends some with each
    /// frame, and to arrange thousands of lines each time took most of it (`make bench`: "console:
    /// key during 999 events a second", five times).
    private func onlyAddsLines(_ new: ArraySlice<StoreEvent>) -> Bool {
        guard isLoaded, readsEvents, sort == nil else { return false }
        var since = mergedSince
        if readsEntries, let entry = entries.first { since = max(since, entry.at) }
        return new.allSatisfy { $0.at >= since && $0.change.replacedValue == nil }
    }

    /// The oldest time at which both events and entries are loaded.
    private var mergedSince: Timestamp {
        var end = Timestamp(milliseconds: .min)
        if readsEvents, !areEventsComplete, let last = events.last { end = max(end, last.at) }
        if readsEntries, !areEntriesComplete, let last = entries.last { end = max(end, last.at) }
        return end
    }

    private func shows(_ line: LogLine, _ vocabulary: LogVocabulary) -> Bool {
        let isHidden =
            scope == .account
            && (!vocabulary.namesConsole && line.kind.isOperators
                || line.kind.mustBeNamed && !typed.names(line.kind))
        return !isHidden && typed.matches(line, vocabulary)
    }

    /// Merges events and entries down to the oldest time at which both are loaded, and keeps the
    /// lines that match the filter.
    private mutating func arrange(_ vocabulary: LogVocabulary) {
        let entries = readsEntries ? self.entries : []
        let events = readsEvents ? self.events : []
        guard isLoaded else {
            lines = []
            return
        }
        let end = mergedSince
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
            if shows(line, vocabulary) { merged.append(line) }
        }
        lines = isComplete ? sorted(merged, vocabulary) : merged
        findEarlier()
        if let selected, !merged.contains(where: { $0.id == selected }) { self.selected = nil }
        firstRow = min(firstRow, max(0, merged.count - 1))
    }

    private func sorted(_ lines: [LogLine], _ vocabulary: LogVocabulary) -> [LogLine] {
        switch sort {
        case .kind: SortColumn.sorted(lines) { LogKind.order[$0.kind] ?? 0 }
        case .name:
            SortColumn.sorted(lines) {
                $0.productID.map { vocabulary.name(of: $0).lowercased() } ?? ""
            }
        case .price, .day, nil: lines
        }
    }

    /// In one pass from the newest event.
    private mutating func findEarlier() {
        earlier = [:]
        refunded = []
        var revised: Set<TransactionID> = []
        var later: [ReplacedValue: LogLine.ID] = [:]
        for event in events {
            if case .revised(let revision) = event.change, revised.insert(revision.id).inserted,
                revision.revocation?.refunded == .all
            {
                refunded.insert(revision.id)
            }
            guard let value = event.change.replacedValue else { continue }
            let next = later.updateValue(LogLine.event(event).id, forKey: value)
            if let next { earlier[next] = event.change }
        }
        // A new store has the system's clock and the standard renewals until the first change.
        guard areEventsComplete, filter.since == nil else { return }
        if let first = later[.clock] { earlier[first] = .clockSet(.system) }
        if let first = later[.renewals] { earlier[first] = .renewalsSet(.standard) }
    }
}

/// A value that a change replaces as a whole.
private enum ReplacedValue: Hashable { case settings(AccountName), clock, renewals }

extension StoreEvent.Change {
    /// Nil for a change whose line does not show the value before it, too (`EventLog.findEarlier`).
    fileprivate var replacedValue: ReplacedValue? {
        switch self {
        case .accountChanged(let settings): .settings(settings.name)
        case .clockSet: .clock
        case .renewalsSet: .renewals
        default: nil
        }
    }
}

extension ShopState {
    /// Nil if they are unknown.
    package func earlierSettings(than line: LogLine.ID) -> AccountSettings? {
        earlier(than: line)?.settings
    }

    /// Nil if it is unknown.
    package func earlierClock(than line: LogLine.ID) -> ClockState? {
        guard case .clockSet(let clock)? = earlier(than: line) else { return nil }
        return clock
    }

    /// Nil if they are unknown.
    package func earlierRenewals(than line: LogLine.ID) -> RenewalSettings? {
        guard case .renewalsSet(let settings)? = earlier(than: line) else { return nil }
        return settings
    }

    private func earlier(than line: LogLine.ID) -> StoreEvent.Change? {
        console.log.earlier[line] ?? history.earlier[line]
    }
}
