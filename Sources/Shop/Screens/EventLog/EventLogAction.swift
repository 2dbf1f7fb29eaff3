import ShopText
package import StoreModel

/// The actions on the event log that has the focus: the customer's history, or the console's.
package enum EventLogAction: ComponentAction, Hashable {
    /// A click on a line, by its index in `EventLog.lines`.
    case pointed(row: Int)
    case filterTyped(String)
    /// Backspace: the last character of the filter.
    case filterErased
    case groupCycled
    case identifierCopied
    case signedTextCopied
    /// A consumable that another device has not finished (`ShopDevice.claim`).
    case saleClaimed
    /// To the next or previous line, while a filter stands.
    case matchMoved(Movement)
    /// Marks the selected line's sale, or unmarks it.
    case marked

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch self {
        case .pointed(let row): shop.pointInLog(row, moment)
        case .filterTyped(let text):
            shop.changeLog { log, vocabulary in log.type(text, vocabulary) }
        case .filterErased: shop.changeLog { log, vocabulary in log.erase(vocabulary) }
        case .groupCycled: shop.changeLog { log, vocabulary in log.cycleGroup(vocabulary) }
        case .identifierCopied: shop.copyIdentifier(moment)
        case .signedTextCopied: shop.copySignedText(moment)
        case .saleClaimed: shop.claimSale(moment)
        case .matchMoved(let movement): shop.isLogFiltered ? shop.moveInLog(movement) : []
        case .marked: shop.markLine(moment)
        }
    }
}

extension ShopAction {
    package static func eventLog(_ action: EventLogAction) -> ShopAction { .component(action) }
}

/// The line of an event log's filter while it is typed. Up and down move the selection among the
/// matching lines.
package enum LogFilterLine: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    { shop.moveInLog(movement) }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        shop.changeLog { log, _ in log.keepFilter() }
    }

    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        shop.changeLog { log, vocabulary in log.endFilter(vocabulary) }
    }
}

extension ShopState {
    /// Of `focusedLog`.
    private var logInFocus: WritableKeyPath<ShopState, EventLog>? {
        focusedLog.map { path($0.scope) }
    }

    private static var consoleLog: WritableKeyPath<ShopState, EventLog> { \.console.log }
    private static var historyLog: WritableKeyPath<ShopState, EventLog> { \.history }

    /// Whether the console has the focus, as a screen or as a pane.
    var isConsoleInFocus: Bool {
        navigation.view == .console || (navigation.isConsolePaneFocused && viewport.panes > 2)
    }

    /// The event log that the keys act on; nil if no log has the focus.
    package var focusedLog: EventLog? {
        sheet == nil && help == nil ? logBelow : nil
    }

    /// The same below a sheet or the help.
    var logBelow: EventLog? {
        if isConsoleInFocus { return console.log }
        return navigation.view == .history ? history : nil
    }

    /// Whether a log compares its lines with typed words.
    package var isLogFiltered: Bool {
        console.log.isTyping || !console.log.text.isEmpty || history.isTyping
            || !history.text.isEmpty
    }

    /// Opens the filter of the event log in sight, or the product search.
    mutating func openFilter() -> [ShopEffect] {
        guard let path = logInFocus else { return openSearch() }
        navigation.closeDetails()
        if path == Self.consoleLog { console.section = .events }
        self[keyPath: path].isTyping = true
        return findIndex()
    }

    /// Changes the log that has the focus, and starts the queries that the change needs.
    mutating func changeLog(_ change: (inout EventLog, LogVocabulary) -> Void) -> [ShopEffect] {
        guard let path = logInFocus else { return [] }
        let vocabulary = logVocabulary
        change(&self[keyPath: path], vocabulary)
        return readOn(path)
    }

    private var logVocabulary: LogVocabulary {
        LogVocabulary(
            productList: productList, searchIndex: list.searchIndex, kindNames: viewport.kindNames,
            namesConsole: shop.namesConsole)
    }

    mutating func moveInLog(_ movement: Movement) -> [ShopEffect] {
        let rows = viewport.rows
        return changeLog { log, _ in
            let page = log.window(room: rows, showsSelection: false).selectionPage
            log.move(by: movement.lines(page: page), rows: rows)
        }
    }

    /// Whether the selected line has a sale, and the shop an operator's keys for it.
    var mayMark: Bool { showsCodes && selectedTransaction != nil }

    /// Refused for a line without a sale, on which no key of a sale acts.
    fileprivate mutating func markLine(_ moment: ShopMoment) -> [ShopEffect] {
        guard mayMark else { return refuse(.noTransaction(of: nil), moment) }
        let rows = viewport.rows
        return changeLog { log, _ in log.mark(rows: rows) }
    }

    /// Refused for a log that is not loaded to its end.
    mutating func sortLog(_ moment: ShopMoment) -> [ShopEffect] {
        guard focusedLog?.isComplete == true else { return refuse(.logTooLong, moment) }
        return changeLog { log, vocabulary in
            log.sort(by: SortColumn.next(after: log.sort, in: [.kind, .name]), vocabulary)
        }
    }

    /// Removes the marks, otherwise the filter of the log; nil if it has neither.
    mutating func clearLog() -> [ShopEffect]? {
        guard let log = focusedLog else { return nil }
        if !log.marked.isEmpty { return changeLog { log, _ in log.unmark() } }
        return log.isFiltered ? changeLog { log, words in log.endFilter(words) } : nil
    }

    /// Handles a click: selects the line, or opens the details of the selected line.
    fileprivate mutating func pointInLog(_ row: Int, _ moment: ShopMoment) -> [ShopEffect] {
        if logInFocus == nil, viewport.panes > 2, sheet == nil, help == nil {
            navigation.isConsolePaneFocused = true
        }
        guard let path = logInFocus, self[keyPath: path].lines.indices.contains(row) else {
            return []
        }
        let isConsole = path == Self.consoleLog
        let wasSelected =
            self[keyPath: path].selectedRow == row && (!isConsole || console.section == .events)
        if isConsole { console.section = .events }
        let rows = viewport.rows
        let effects = changeLog { log, _ in log.select(row: row, rows: rows) }
        return wasSelected ? effects + focus.type.confirm(in: &self, moment) : effects
    }

    private mutating func readOn(_ path: WritableKeyPath<ShopState, EventLog>) -> [ShopEffect] {
        guard opening == .open else { return [] }
        self[keyPath: path].allowPages()
        return self[keyPath: path].queries(rows: viewport.rows).map { .readLog($0) }
    }

    // MARK: - Reading

    /// Reads the first page of a log that is shown for the first time.
    mutating func openLog(_ path: WritableKeyPath<ShopState, EventLog>) -> [ShopEffect] {
        self[keyPath: path].showDevice()
        return readOn(path) + self[keyPath: path].newEntriesQuery().map { .readLog($0) }
    }

    /// Without the device's lines, for the activity beside the shop; `openLog` reads those.
    mutating func openConsoleLog() -> [ShopEffect] { readOn(Self.consoleLog) }

    private func path(_ scope: LogQuery.Scope) -> WritableKeyPath<ShopState, EventLog> {
        scope == .store ? Self.consoleLog : Self.historyLog
    }

    mutating func takeLogPage(_ page: LogPage, for query: LogQuery) -> [ShopEffect] {
        let path = self.path(query.scope)
        self[keyPath: path].take(page, for: query, rows: viewport.rows, logVocabulary)
        return self[keyPath: path].queries(rows: viewport.rows).map { .readLog($0) }
    }

    mutating func failLog(_ query: LogQuery, _ error: StoreError, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        self[keyPath: path(query.scope)].failed(query, error)
        return announce(.trouble(error), moment)
    }

    /// Reads the new events of the feed into the logs that have been opened.
    mutating func readNewEvents(_ events: [StoreEvent]) -> [ShopEffect] {
        guard opening == .open else { return [] }
        console.log.note(events.count)
        history.note(events.count { $0.account == nil || $0.account == shop.account })
        let logs = [Self.consoleLog, Self.historyLog].flatMap { path -> [ShopEffect] in
            guard self[keyPath: path].isLoaded else { return [] }
            return self[keyPath: path].queries(rows: 0).map { .readLog($0) }
        }
        return logs + rereadTrials()
    }

    /// When the device is online again, reads the events that it could not read while offline.
    mutating func rereadHistory() -> [ShopEffect] {
        guard history.forgetOffline(), navigation.view == .history else { return [] }
        return openLog(\.history)
    }

    /// Reads new entries of the device's log, but only while a log that shows them is in sight.
    mutating func readNewEntries() -> [ShopEffect] {
        guard opening == .open else { return [] }
        if navigation.view == .history { return history.newEntriesQuery().map { .readLog($0) } }
        guard isConsoleInSight else { return [] }
        console.log.showDevice()
        return (console.log.queries(rows: 0) + console.log.newEntriesQuery()).map { .readLog($0) }
    }

    /// Whether the console is shown, as a screen or as a pane.
    private var isConsoleInSight: Bool {
        navigation.view == .console
            || (viewport.panes > 2 && shop.namesConsole && navigation.view.isBesidePage)
    }

    // MARK: - Claiming

    /// A consumable that the account bought on another device; only the store knows its state.
    package var claimableSale: PastSale? {
        guard case .line(.event(let event))? = selectedItem, case .sold(let sale) = event.change,
            sale.type == .consumable, event.account == shop.account, event.device != shop.device,
            snapshot.latestDelivered[sale.productID]?.transactionID != sale.id
        else { return nil }
        return sale
    }

    fileprivate mutating func claimSale(_ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard let sale = claimableSale else { return refuse(.nothingToClaim, moment) }
        let claimed = item(sale.productID, quantity: sale.quantity)
        return announce(.claiming(name: claimed), moment) + [.claim(sale.id)]
    }

    // MARK: - Copying

    fileprivate mutating func copyIdentifier(_ moment: ShopMoment) -> [ShopEffect] {
        guard let identifier = selectedIdentifier else { return refuse(.nothingToCopy, moment) }
        return copy(.identifier(identifier), moment)
    }

    fileprivate mutating func copySignedText(_ moment: ShopMoment) -> [ShopEffect] {
        readDetails(copies: true, moment)
    }

    mutating func copy(_ what: Copied, _ moment: ShopMoment) -> [ShopEffect] {
        announce(.copied(what), moment) + [.copy(what)]
    }
}
