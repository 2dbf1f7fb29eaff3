package import StoreModel

/// The operator's side.
extension ShopState {
    mutating func showConsole(
        _ requests: [ApprovalRequest], _ faults: [Fault], _ settings: AccountSettings,
        _ moment: ShopMoment
    ) -> [ShopEffect] {
        let wasEmpty = console.requests.isEmpty
        let chosen =
            console.requests.indices.contains(console.chosenRequest)
            ? console.requests[console.chosenRequest].number : nil
        console.requests = requests
        // The next one after an answer of ours; nothing where somebody else was quicker, so that no
        // key answers what its person has not seen chosen.
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

    /// One change at a time: the next one starts from what came of it.
    private mutating func changeAccount(_ effect: ShopEffect) -> [ShopEffect] {
        guard !console.isChangingAccount else { return [] }
        console.isChangingAccount = true
        return [effect]
    }

    mutating func openFaultSheet() -> [ShopEffect] {
        guard sheet == nil, opening == .open else { return [] }
        sheet = .fault(FaultSheet())
        return []
    }

    /// What a switch asks for, once there is a store to ask.
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

    /// Lines for the console's log, and a look at what waits when that has changed.
    mutating func log(_ events: [ConsoleEvent]) -> [ShopEffect] {
        var mustLook = false
        let lines = events.suffix(ConsoleState.eventsMax)
        for event in events {
            switch event.what {
            case .deferred, .faultSet, .faultCleared, .accountChanged: mustLook = true
            case .purchased(_, let id):
                mustLook = mustLook || console.requests.contains { $0.number == id }
            case .failed(_, _, let wasRequest): mustLook = mustLook || wasRequest
            case .finished, .claimed, .catalogRevised, .revised, .deleted, .autoRenewChanged,
                .clockSet, .renewalsSet, .unknown:
                break
            }
        }
        console.events.insert(contentsOf: lines.reversed(), at: 0)
        console.events.removeLast(max(0, console.events.count - ConsoleState.eventsMax))
        console.eventCount += events.count
        // What a person reads stays where it is.
        if console.eventScroll > 0 {
            console.eventScroll = min(
                console.eventScroll + lines.count,
                max(0, console.events.count - viewport.consoleRows))
        }
        return mustLook ? queries.ask(.refreshConsole) : []
    }
}
