package import StoreModel

/// Events, newest first, read page by page while a person scrolls, with a filter and a selection.
/// The lines of the device's log, for which the ledger has no entry, are merged with them by time.
///
/// The selection and what is in sight stay the same lines when newer ones arrive. A line is shown
/// once everything newer is loaded, so that no later page puts a line between two that are shown.
package struct EventLog: Hashable, Sendable {
    /// The accounts whose events the log shows.
    package let scope: LogQuery.Scope
    /// The loaded lines that match the filter, newest first.
    package private(set) var lines: [LogLine] = []
    /// The selected line; nil for the newest, whichever it is.
    package private(set) var selected: LogLine.ID?
    /// The first line in sight, unless the selection would then be out of sight.
    package private(set) var firstRow = 0
    /// The text that a person typed to filter by.
    package private(set) var text = ""
    /// Whether keys are typed into the filter. Enter ends the typing and keeps the filter.
    package internal(set) var isTyping = false
    /// The kinds that are shown.
    package private(set) var group = LogGroup.all

    /// The settings of an account and the store's clock as they were before a change of them, by
    /// the line of the change, as far as that is loaded.
    private(set) var earlierSettings: [LogLine.ID: AccountSettings] = [:]
    private(set) var earlierClocks: [LogLine.ID: ClockState] = [:]

    /// As of when the events are known, if the device had no network when they were read; nil if the
    /// store gave them.
    package private(set) var asOf: Timestamp?
    /// Why the first page could not be read; nil once it was, and while no try has failed.
    package private(set) var failure: StoreError?

    /// The filter that `text` describes.
    private var typed = LogFilter()
    /// The part of that filter which the store's index applies.
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
    /// New entries of the device's log that are looked for at once.
    private static let newEntriesMax = 50

    /// Whether the device's log is read: in the console's log from the first time it is in sight,
    /// because opening a shop must not wait for it.
    private var hasDevice: Bool

    init(_ scope: LogQuery.Scope) {
        self.scope = scope
        hasDevice = scope == .account
    }

    /// Shows the lines of the device's log from now on.
    mutating func showDevice() { hasDevice = true }

    /// Whether anything is being read.
    package var isReading: Bool { !running.isEmpty }
    /// Whether the first page has arrived. The console shows the store's events at once: the lines
    /// of its own device join them when they have been read, and an unreadable device hides nothing.
    package var isLoaded: Bool {
        (hasEvents || !readsEvents)
            && (hasEntries || !readsEntries || (scope == .store && readsEvents))
    }
    /// Whether everything that matches is loaded.
    package var isComplete: Bool {
        (areEventsComplete || !readsEvents) && (areEntriesComplete || !readsEntries)
    }
    /// Whether a filter hides lines.
    package var isFiltered: Bool { !text.isEmpty || group != .all }
    /// The part of the filter that names nothing in the store; nil if all of it can be read.
    package var filterProblem: LogFilter.Problem? { typed.problem }

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

    private var readsEvents: Bool { typed.mayMatchEvents(in: group) }
    private var readsEntries: Bool { hasDevice && typed.mayMatchEntries(in: group) }

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
    mutating func cycleGroup(_ vocabulary: LogVocabulary) {
        let groups = LogGroup.allCases
        let at = groups.firstIndex(of: group) ?? 0
        group = groups[(at + 1) % groups.count]
        useFilter(vocabulary)
    }

    /// Appends to the filter, which applies at once.
    mutating func type(_ added: String, _ vocabulary: LogVocabulary) {
        change(TypedText.appending(added, to: text), vocabulary)
    }

    mutating func erase(_ vocabulary: LogVocabulary) {
        guard !text.isEmpty else { return endFilter(vocabulary) }
        change(String(text.dropLast()), vocabulary)
    }

    /// Ends the typing and keeps the filter.
    mutating func keepFilter() { isTyping = false }

    /// Shows everything again.
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

    /// Arranges the lines for the filter. If the part of the filter that the store's index looks up
    /// has changed, the log is read anew.
    private mutating func useFilter(_ vocabulary: LogVocabulary) {
        let new = typed.index(in: group)
        if readsEvents, new != filter {
            filter = new
            forget()
        }
        arrange(vocabulary)
    }

    /// Forgets the events of a device without a network, which the store has more of, and a failure to
    /// read any. True if there was either: they are to be read again.
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

    /// A query failed. Its page is read again when a key asks for it.
    mutating func failed(_ query: LogQuery, _ error: StoreError) {
        running.remove(query)
        if query.isOfNewest, !isLoaded, query.isOfEntries || query.filter == filter {
            failure = error
        }
        pagesLeft = 0
        // The lines that the failed page would have brought are still to be read.
        if case .events(nil, let limit) = query.part, hasEvents, query.filter == filter {
            unread += limit - 1
        }
    }

    /// Takes in an answer. One to another filter than the present one is dropped.
    mutating func take(
        _ page: LogPage, for query: LogQuery, rows: Int, _ vocabulary: LogVocabulary
    ) {
        running.remove(query)
        let top = lines.indices.contains(firstRow) ? lines[firstRow].id : nil
        switch query.part {
        case .events(let before, let limit):
            guard query.filter == filter else { return }
            takeEvents(page, before, limit)
        case .entries(let before, let limit): takeEntries(page.entries, before, limit)
        }
        arrange(vocabulary)
        if firstRow > 0, let row = lines.firstIndex(where: { $0.id == top }) { firstRow = row }
        if selected != nil { keepSelectionInSight(rows) }
    }

    private mutating func takeEvents(_ page: LogPage, _ before: FeedCursor?, _ limit: Int) {
        failure = nil
        asOf = page.asOf
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

    /// Merges the loaded events and entries, down to the time of which both are loaded, and keeps
    /// the lines that match.
    private mutating func arrange(_ vocabulary: LogVocabulary) {
        let entries = readsEntries ? self.entries : []
        let events = readsEvents ? self.events : []
        guard isLoaded else {
            lines = []
            return
        }
        var end = Timestamp(milliseconds: .min)
        if readsEvents, !areEventsComplete, let last = events.last { end = max(end, last.at) }
        if readsEntries, !areEntriesComplete, let last = entries.last { end = max(end, last.at) }
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
            if typed.matches(line, vocabulary) { merged.append(line) }
        }
        lines = merged
        findEarlier()
        if let selected, !merged.contains(where: { $0.id == selected }) { self.selected = nil }
        firstRow = min(firstRow, max(0, merged.count - 1))
    }

    /// Finds the values before each change of settings or clock, in one pass from the newest event.
    private mutating func findEarlier() {
        earlierSettings = [:]
        earlierClocks = [:]
        var laterSettings: [AccountName: LogLine.ID] = [:]
        var laterClock: LogLine.ID?
        for event in events {
            switch event.change {
            case .accountChanged(let settings):
                let id = LogLine.event(event).id
                if let later = laterSettings[settings.name] { earlierSettings[later] = settings }
                laterSettings[settings.name] = id
            case .clockSet(let clock):
                if let laterClock { earlierClocks[laterClock] = clock }
                laterClock = LogLine.event(event).id
            case .sold, .revised, .deleted, .autoRenewChanged, .subscriptionChanged, .deferred,
                .failed, .finished, .claimed, .catalogRevised, .familyChanged, .renewalsSet,
                .faultSet, .faultCleared, .refundRequested,
                .refundDeclined, .promoted, .purchaseCancelled, .unknown:
                break
            }
        }
        // Nothing set the clock of a new store.
        if areEventsComplete, filter.since == nil, let laterClock {
            earlierClocks[laterClock] = .system
        }
    }
}

extension ShopState {
    /// An account's settings before a line of the history or the console changed them; nil if they
    /// are not known.
    package func earlierSettings(than line: LogLine.ID) -> AccountSettings? {
        console.log.earlierSettings[line] ?? history.earlierSettings[line]
    }

    /// How the store's clock stood before a line of the history or the console; nil if that is not
    /// known.
    package func earlierClock(than line: LogLine.ID) -> ClockState? {
        console.log.earlierClocks[line] ?? history.earlierClocks[line]
    }
}

extension ClockState {
    /// How far the store's time moves when the clock is set from this to another state, in
    /// milliseconds; nil if it is only stopped, or runs on.
    package func jump(to other: ClockState) -> Int64? {
        let jump: Int64
        switch (self, other) {
        case (.running(let before), .running(let after)):
            jump = after.subtractingReportingOverflow(before).partialValue
        case (.stopped(let before), .stopped(let after)):
            jump = after.milliseconds.subtractingReportingOverflow(before.milliseconds).partialValue
        case (.running, .stopped), (.stopped, .running): return nil
        }
        // A clock that is stopped and resumed by hand is not moved by a second or more.
        return jump >= 1000 ? jump : nil
    }
}
