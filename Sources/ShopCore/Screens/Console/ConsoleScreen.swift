package import StoreModel

/// The actions of the operator's console.
package enum ConsoleAction: ComponentAction, Hashable {
    case requestApproved
    case requestDeclined
    case askToBuyToggled
    case paymentsToggled
    case failureSheetOpened
    case failuresCleared

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch self {
        case .requestApproved: shop.answerRequest(moment) { .approve($0) }
        case .requestDeclined: shop.answerRequest(moment) { .decline($0) }
        case .askToBuyToggled:
            shop.flip(moment, .setAskToBuy(!(shop.settings?.askToBuy ?? false)))
        case .paymentsToggled: shop.flip(moment, .setPayments(!shop.canMakePayments))
        case .failureSheetOpened: shop.openFailureSheet()
        case .failuresCleared: shop.clearFaults(moment)
        }
    }
}

extension ShopAction {
    /// An action of the console.
    package static func console(_ action: ConsoleAction) -> ShopAction { .component(action) }
}

/// The operator's console: approval requests, account switches, faults and the event log.
enum ConsoleScreen: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        shop.moveInConsole(movement)
        return []
    }

    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        shop.toggleConsole(moment)
    }
}

extension ShopState {
    fileprivate mutating func moveInConsole(_ movement: Movement) {
        if movement == .up || movement == .down, !console.requests.isEmpty {
            let next = console.chosenRequest + movement.lines(page: 1)
            console.chosenRequest = min(max(0, next), console.requests.count - 1)
        } else {
            let step = movement.lines(page: max(1, viewport.rows - 1))
            let last = max(0, console.events.count - viewport.rows)
            console.eventScroll = min(max(0, console.eventScroll + step), last)
        }
    }

    mutating func showConsole(
        _ requests: [ApprovalRequest], _ faults: [Fault], _ settings: AccountSettings,
        _ moment: ShopMoment
    ) -> [ShopEffect] {
        let wasEmpty = console.requests.isEmpty
        let chosen =
            console.requests.indices.contains(console.chosenRequest)
            ? console.requests[console.chosenRequest].number : nil
        console.requests = requests
        // After an answer from here the next request is chosen. If somebody else answered the
        // chosen request, none is, so that a key already pressed cannot answer a request that the
        // person has not seen chosen.
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
        return adopt(settings, moment) + queries.ended(.refreshConsole)
    }

    /// The request that the approve and decline keys answer; nil while none is chosen.
    package var chosenRequest: ApprovalRequest? {
        console.requests.indices.contains(console.chosenRequest)
            ? console.requests[console.chosenRequest] : nil
    }

    mutating func answerRequest(
        _ moment: ShopMoment, _ effect: (ApprovalRequest) -> ShopEffect
    ) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard let request = chosenRequest else { return refuse(.nothingWaiting, moment) }
        guard console.answering == nil else { return [] }
        console.answering = request.number
        return [effect(request)]
    }

    mutating func failAttempt(_ error: StoreError, _ moment: ShopMoment) -> [ShopEffect] {
        console.answering = nil
        console.isChangingAccount = false
        return announce(.trouble(error), moment)
    }

    /// Starts a change of the account unless one is under way: a toggle flips the setting that is
    /// known, which is old until the change is answered.
    private mutating func changeAccount(_ effect: ShopEffect) -> [ShopEffect] {
        guard !console.isChangingAccount else { return [] }
        console.isChangingAccount = true
        return [effect]
    }

    /// Starts the change of a switch, or says that the store is still being opened.
    mutating func flip(_ moment: ShopMoment, _ effect: ShopEffect) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        return changeAccount(effect)
    }

    mutating func clearFaults(_ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        return faults.isEmpty ? refuse(.noFaults, moment) : [.clearFaults]
    }

    mutating func announceAndRefresh(
        _ request: ApprovalRequest, failure: StoreError?, _ moment: ShopMoment
    ) -> [ShopEffect] {
        let name = name(of: request.payment.productID)
        return announceAndRefresh(
            failure.map { .failed(name: name, $0) } ?? .approved(name: name), moment)
    }

    mutating func announceAndRefresh(_ what: StatusMessage.What, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        _ = announce(what, moment)
        return queries.ask(.refreshConsole)
    }

    /// Adds events to the console's log, and queries the console if an event may have changed its
    /// requests, faults or settings.
    mutating func log(_ events: [ConsoleEvent]) -> [ShopEffect] {
        var mustQuery = false
        let lines = events.suffix(ConsolePart.eventsMax)
        for event in events {
            switch event.what {
            case .deferred, .faultSet, .faultCleared, .accountChanged: mustQuery = true
            case .purchased(_, let id):
                mustQuery = mustQuery || console.requests.contains { $0.number == id }
            case .failed(_, _, let wasRequest): mustQuery = mustQuery || wasRequest
            case .finished, .claimed, .catalogRevised, .revised, .deleted, .autoRenewChanged,
                .clockSet, .renewalsSet, .unknown:
                break
            }
        }
        console.events.insert(contentsOf: lines.reversed(), at: 0)
        console.events.removeLast(max(0, console.events.count - ConsolePart.eventsMax))
        console.eventCount += events.count
        // Scrolled away from the newest line, the log keeps showing the same lines.
        if console.eventScroll > 0 {
            console.eventScroll = min(
                console.eventScroll + lines.count,
                max(0, console.events.count - viewport.rows))
        }
        return mustQuery ? queries.ask(.refreshConsole) : []
    }
}
