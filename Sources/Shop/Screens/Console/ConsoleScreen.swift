package import ShopText
package import StoreModel

/// The actions of the operator's console.
package enum ConsoleAction: ComponentAction, Hashable {
    case requestApproved
    case requestDeclined
    /// Turns a mode on or off, or asks how.
    case toggled(ConsoleMode)
    case failuresCleared
    case failureRemoved
    /// The n key: the next match while a filter stands, else `clockMovedToNext`.
    case nextChosen
    /// The N key: the previous match while a filter stands, else the network's switch.
    case previousChosen
    /// Asks whether to move the clock to what is due next.
    case clockMovedToNext
    /// Asks whether to refund, delete, renew or expire the marked sales, otherwise the selected one
    /// (StoreKit Test: `refundTransaction`, `deleteTransaction`, `forceRenewalOfSubscription`,
    /// `expireSubscription`).
    case salesChosen(OperatorAction.Kind)
    /// A click on a note, a request, a fault or a due item, by its index in its section.
    case pointed(ConsolePart.Section, row: Int)
    case accountsArrived(Family?, [AccountNotice])
    case renewalsArrived(RenewalSettings)
    case refundsArrived([RefundRequest])
    case packagesArrived([PackageRelease])

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        if let error = forbidden(in: shop) { return shop.announce(.trouble(error), moment) }
        return switch self {
        case .requestApproved:
            shop.answerRefund(moment) { .refund($0, .rest, reason: .other) }
                ?? shop.answerRequest(moment, OperatorAction.approve)
        case .requestDeclined:
            shop.answerRefund(moment, OperatorAction.declineRefund)
                ?? shop.answerRequest(moment, OperatorAction.decline)
        case .toggled(.account(let setting)): shop.change(setting, moment)
        case .toggled(.failures): shop.openFailureSheet()
        case .toggled(.downloadFaults): shop.toggleDownloadFaults(moment)
        case .toggled(.clock): shop.toggleClock(moment)
        case .toggled(.network): NetworkAction.toggled.reduce(&shop, moment)
        case .toggled(.slowNetwork): NetworkAction.slowed.reduce(&shop, moment)
        case .toggled(.renewals): shop.toggleBilling(moment)
        case .failuresCleared: shop.clearFaults(moment)
        case .failureRemoved: shop.removeFault(moment)
        case .nextChosen:
            shop.isLogFiltered
                ? shop.moveToMatch(.down) : ConsoleAction.clockMovedToNext.reduce(&shop, moment)
        case .previousChosen:
            shop.isLogFiltered
                ? shop.moveToMatch(.up) : NetworkAction.toggled.reduce(&shop, moment)
        case .clockMovedToNext: shop.askToMoveClock(moment)
        case .salesChosen(let kind): shop.ask(kind, moment)
        case .pointed(let section, let row): shop.pointInConsole(section, row, moment)
        case .accountsArrived(let family, let notices):
            shop.showInConsole { ($0.family, $0.notices) = (family, notices) }
        case .renewalsArrived(let renewals): shop.showInConsole { $0.renewals = renewals }
        case .refundsArrived(let refunds): shop.showRefunds(refunds)
        case .packagesArrived(let releases): shop.showInConsole { $0.releases = releases }
        }
    }

    /// The reason why the console may not carry out the action; nil if it may.
    private func forbidden(in shop: ShopState) -> StoreError? {
        switch self {
        case .requestApproved, .requestDeclined:
            shop.chosenRequest.flatMap { shop.forbidden($0) }
                ?? (shop.chosenRefund == nil ? nil : shop.forbidden(.refund))
        case .toggled(.account): shop.forbidden(.changeAccount)
        case .toggled(.failures), .toggled(.downloadFaults): shop.forbidden(.failNext)
        case .failuresCleared: shop.forbidden(.clearFaults)
        case .failureRemoved: shop.forbidden(.clearFault)
        case .clockMovedToNext, .toggled(.clock): shop.forbidden(.clock)
        case .toggled(.renewals): shop.forbidden(.setRenewals)
        case .salesChosen(let kind): shop.forbidden(kind)
        default: nil
        }
    }
}

extension ShopAction {
    package static func console(_ action: ConsoleAction) -> ShopAction { .component(action) }
}

/// The operator's console: notes, approval requests, faults, due items, and the store's events. One
/// selection moves through all sections.
package enum ConsoleScreen: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    { shop.moveInConsole(movement) }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        shop.openDetails(moment)
    }

    /// Moves the selection to the next section that is not empty.
    static func choose(_ step: Int, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    { shop.moveToSection(step) }

    /// Removes the marks, or ends the filter; without both, goes back to the shop.
    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        if let effects = shop.clearLog() { return effects }
        guard shop.navigation.view != .console else { return shop.toggleConsole(moment) }
        shop.navigation.isConsolePaneFocused = false
        return []
    }
}

extension ShopState {
    // MARK: - The selection

    private func count(in section: ConsolePart.Section) -> Int {
        switch section {
        case .notes: consoleNotes.count
        case .requests: console.requests.count
        case .refunds: console.refunds.count
        case .faults: faults.count
        case .upcoming: console.upcoming.count
        case .events: console.log.lines.count
        }
    }

    /// The lines below the switches.
    package var consoleNotes: [ConsolePart.Note] {
        let faults = snapshot.downloadFaults
        let troubles = snapshot.downloads.compactMapValues(\.error)
            .filter { [.contentServerFailed, .contentRefused].contains($0.value.code) }
            .sorted { $0.key < $1.key }.map { ConsolePart.Note.serverTrouble($0.key, $0.value) }
        return (console.family.map { [.family($0)] } ?? [])
            + console.notices.map { .notice($0) }
            + (faults.isEmpty ? [] : [.downloadFaults(faults)]) + troubles
    }

    /// The section with the selection: the operator's choice, or if that is empty, the first one
    /// with lines. Notes are considered last, because no key of the console acts on them.
    package var consoleSection: ConsolePart.Section {
        if count(in: console.section) > 0 { return console.section }
        let acted = ConsolePart.Section.allCases.filter { $0 != .notes } + [.notes]
        return acted.first { count(in: $0) > 0 } ?? .requests
    }

    /// The index of the selection in its section; -1 if no request is chosen there.
    package func consoleRow(in section: ConsolePart.Section) -> Int {
        switch section {
        case .notes: consoleNotes.firstIndex { $0.id == console.chosenNote } ?? 0
        case .requests: console.chosenRequest
        case .refunds: min(console.chosenRefund, max(0, console.refunds.count - 1))
        case .faults: faults.firstIndex { $0.id == console.chosenFault } ?? 0
        case .upcoming: console.upcoming.firstIndex { $0.chain == console.chosenChain } ?? 0
        case .events: console.log.selectedRow
        }
    }

    /// Nil if its section is empty or no request is chosen.
    package var consoleItem: ConsolePart.Item? {
        let section = consoleSection
        let row = consoleRow(in: section)
        guard row >= 0, row < count(in: section) else { return nil }
        return switch section {
        case .notes: .note(consoleNotes[row])
        case .requests: .request(console.requests[row])
        case .refunds: .refund(console.refunds[row])
        case .faults: .fault(faults[row])
        case .upcoming: .upcoming(console.upcoming[row])
        case .events: console.log.selectedLine.map { .line($0) }
        }
    }

    private mutating func selectInConsole(_ section: ConsolePart.Section, _ row: Int) {
        console.section = section
        switch section {
        case .notes: console.chosenNote = consoleNotes[row].id
        case .requests: console.chosenRequest = row
        case .refunds: console.chosenRefund = row
        case .faults: console.chosenFault = faults[row].id
        case .upcoming: console.chosenChain = console.upcoming[row].chain
        case .events: console.log.select(row: row, rows: viewport.rows)
        }
    }

    /// To the next or previous line that the filter of the events shows.
    fileprivate mutating func moveToMatch(_ movement: Movement) -> [ShopEffect] {
        guard consoleSection == .events else {
            if !console.log.lines.isEmpty { selectInConsole(.events, 0) }
            return changeLog { _, _ in }
        }
        return moveInLog(movement)
    }

    /// Moves line by line through all sections; by page, to the ends and by wheel only in the
    /// events.
    mutating func moveInConsole(_ movement: Movement) -> [ShopEffect] {
        let section = consoleSection
        switch movement {
        case .up, .down:
            let next = consoleRow(in: section) + movement.lines(page: 1)
            if next >= 0, next < count(in: section) {
                selectInConsole(section, next)
            } else if let other = neighbour(of: section, isDown: movement == .down) {
                selectInConsole(other, movement == .down ? 0 : count(in: other) - 1)
            }
            return section == .events || console.section == .events ? changeLog { _, _ in } : []
        case .first:
            if let top = ConsolePart.Section.allCases.first(where: { count(in: $0) > 0 }) {
                selectInConsole(top, 0)
            }
            return []
        case .pageUp, .pageDown, .last, .rows:
            if console.section != .events, !console.log.lines.isEmpty { console.section = .events }
            return moveInLog(movement)
        }
    }

    private func neighbour(of section: ConsolePart.Section, isDown: Bool) -> ConsolePart.Section? {
        let all = ConsolePart.Section.allCases
        guard let at = all.firstIndex(of: section) else { return nil }
        return isDown
            ? all[(at + 1)...].first { count(in: $0) > 0 }
            : all[..<at].last { count(in: $0) > 0 }
    }

    fileprivate mutating func moveToSection(_ step: Int) -> [ShopEffect] {
        let all = ConsolePart.Section.allCases.filter { count(in: $0) > 0 }
        guard let at = all.firstIndex(of: consoleSection) else { return [] }
        let next = all[(at + (step > 0 ? 1 : all.count - 1)) % all.count]
        selectInConsole(next, max(0, consoleRow(in: next)))
        return []
    }

    /// Handles a click: selects the line, or opens the details of the selected line.
    fileprivate mutating func pointInConsole(
        _ section: ConsolePart.Section, _ row: Int, _ moment: ShopMoment
    ) -> [ShopEffect] {
        guard sheet == nil, help == nil, row >= 0, row < count(in: section) else { return [] }
        if navigation.view.isBesidePage, viewport.panes > 2 {
            navigation.isConsolePaneFocused = true
        }
        guard isConsoleInFocus else { return [] }
        if consoleSection == section, consoleRow(in: section) == row {
            return openDetails(moment)
        }
        selectInConsole(section, row)
        return []
    }

    // MARK: - Requests

    mutating func showConsole(
        _ requests: [ApprovalRequest], _ faults: [Fault], _ settings: AccountSettings,
        _ moment: ShopMoment
    ) -> [ShopEffect] {
        let wasEmpty = console.requests.isEmpty
        let chosen =
            console.requests.indices.contains(console.chosenRequest)
            ? console.requests[console.chosenRequest].number : nil
        console.requests = requests
        // If another operator answered the chosen request, none is chosen, so that a key already
        // pressed cannot answer a request that this operator has not seen selected.
        let mayChoose =
            wasEmpty || requests.isEmpty
            || (chosen != nil && chosen == console.answering)
        console.chosenRequest =
            requests.firstIndex { $0.number == chosen }
            ?? (mayChoose ? min(max(0, console.chosenRequest), max(0, requests.count - 1)) : -1)
        if let answering = console.answering, !requests.contains(where: { $0.number == answering })
        {
            console.answering = nil
        }
        self.faults = faults
        return adoptInConsole(settings, moment) + queries.ended(.refreshConsole)
    }

    /// The request that the approve and decline keys answer; nil while no request is selected.
    package var chosenRequest: ApprovalRequest? {
        guard consoleSection == .requests else { return nil }
        return console.requests.indices.contains(console.chosenRequest)
            ? console.requests[console.chosenRequest] : nil
    }

    /// Answered by the same keys; nil unless its line is selected.
    package var chosenRefund: RefundRequest? {
        switch selectedItem {
        case .refund(let request)?: return request
        case .line(.event(let event))?:
            if case .refundRequested(let request) = event.change { return request }
            return nil
        default: return nil
        }
    }

    /// Nil if none is selected.
    fileprivate mutating func answerRefund(
        _ moment: ShopMoment, _ answer: (TransactionID) -> OperatorAction
    ) -> [ShopEffect]? {
        guard let refund = chosenRefund else { return nil }
        guard opening == .open else { return refuse(.stillOpening, moment) }
        return [.perform(answer(refund.transactionID))]
    }

    mutating func answerRequest(
        _ moment: ShopMoment, _ answer: (TransactionID) -> OperatorAction
    ) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard let request = chosenRequest else {
            // A repeated key must not answer a request that the operator has not seen selected.
            return refuse(
                console.requests.isEmpty ? .nothingWaiting : .noRequestSelected, moment)
        }
        guard console.answering == nil else { return [] }
        console.answering = request.number
        return [.perform(answer(request.number))]
    }

    /// Refused while the store is being opened. Only one change runs at a time: a switch inverts
    /// the known setting, which is out of date until the change is answered.
    fileprivate mutating func change(_ setting: AccountSwitch, _ moment: ShopMoment) -> [ShopEffect]
    {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard !console.isChangingAccount else { return [] }
        console.isChangingAccount = true
        let isOn = isSet(.account(setting)) != (setting == .canMakePayments)
        return [.perform(.changeAccount(AccountChange(of: shop.account, setting, !isOn)))]
    }

    mutating func clearFaults(_ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        return faults.isEmpty ? refuse(.noFaults, moment) : [.perform(.clearFaults)]
    }

    /// Removes the selected fault. If none is selected, selects the first, so that the operator
    /// sees which fault the next key removes. A single fault is removed at once.
    mutating func removeFault(_ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard !faults.isEmpty else { return refuse(.noFaults, moment) }
        guard consoleSection == .faults || faults.count == 1 else {
            selectInConsole(.faults, 0)
            return []
        }
        let fault = faults[consoleRow(in: .faults)]
        return [.perform(.clearFault(fault.id))]
    }

    // MARK: - The clock

    fileprivate mutating func askToMoveClock(_ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard let next = console.upcoming.first else { return refuse(.nothingDue, moment) }
        return openQuestion(.moveClock(to: next.at))
    }

    mutating func moveClockToNext(_ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        return console.upcoming.isEmpty
            ? refuse(.nothingDue, moment) : [.perform(.clock(.next))]
    }

    fileprivate mutating func toggleBilling(_ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open, let renewals = console.renewals else {
            return refuse(.stillOpening, moment)
        }
        return [.perform(.setRenewals(RenewalsChange(failsBilling: !renewals.failsBilling)))]
    }

    mutating func toggleClock(_ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open, let clock = console.clock else {
            return refuse(.stillOpening, moment)
        }
        return [.perform(.clock(clock.isStopped ? .resume : .stop))]
    }

    /// Announces the state of the clock, unless it was announced already.
    mutating func announceClock(_ clock: ClockState, _ moment: ShopMoment) -> [ShopEffect] {
        let before = console.announcedClock
        // A step of an earlier move, which arrives late: the store's clock is past it.
        if let before, clock.jump(to: before) != nil { return [] }
        console.clock = clock
        // Where the clock stood is unknown until the store has told it: until then, the steps of
        // earlier moves arrive.
        if before != nil { console.announcedClock = clock }
        guard before != clock else { return [] }
        return announce(.clockSet(clock, before: before, now: moment.now), moment)
    }

    mutating func showSchedule(_ upcoming: [UpcomingItem], _ clock: ClockState) -> [ShopEffect] {
        console.upcoming = upcoming
        console.clock = clock
        if console.announcedClock == nil { console.announcedClock = clock }
        return []
    }

    fileprivate mutating func showInConsole(_ answer: (inout ConsolePart) -> Void) -> [ShopEffect] {
        answer(&console)
        return []
    }

    /// If another operator answered the chosen one, none is chosen, so that a key already pressed
    /// answers no other.
    fileprivate mutating func showRefunds(_ refunds: [RefundRequest]) -> [ShopEffect] {
        let chosen = consoleSection == .refunds ? chosenRefund?.transactionID : nil
        console.refunds = refunds
        if let chosen {
            let index = refunds.firstIndex { $0.transactionID == chosen }
            console.chosenRefund = index ?? 0
            if index == nil { console.section = .events }
        }
        return []
    }

    // MARK: - Answers and events

    /// Queries the console if an event may have changed its requests, faults, settings, packages or
    /// schedule, and reads the events into the logs.
    mutating func follow(_ events: [StoreEvent]) -> [ShopEffect] {
        let mustQuery = events.contains { event in
            switch event.change {
            case .failed(_, _, let request): request != nil
            case .finished, .claimed, .promoted, .purchaseCancelled, .valueChanged, .unknown: false
            default: true
            }
        }
        return (mustQuery ? queries.ask(.refreshConsole) : []) + readNewEvents(events)
    }
}
