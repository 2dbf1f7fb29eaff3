import Basics
import ArgumentParser
import ShopText
import StoreEngine
import StoreModel
import StoreServer

/// A command that carries out actions of the operator, which its arguments name.
protocol ActionCommand: OperatorCommand {
    /// The action that the arguments name; nil for none.
    func action(for account: AccountName) throws -> OperatorAction?
    /// The actions that the arguments name, in their order; by default the one of `action`.
    func actions(for account: AccountName, _ console: some StoreOperator) async throws
        -> [OperatorAction]
    /// Writes the settings or the list that the command shows if its arguments name no action.
    func answer(_ console: some StoreOperator, _ options: GlobalOptions) async throws
}

extension ActionCommand {
    func action(for _: AccountName) -> OperatorAction? { nil }

    func actions(for account: AccountName, _: some StoreOperator) throws -> [OperatorAction] {
        try action(for: account).map { [$0] } ?? []
    }

    func answer(_: some StoreOperator, _: GlobalOptions) async throws {
        Output.note(.nothingWasWaiting)
    }

    func run(in store: OpenStore) async throws {
        let console = store.console
        let actions = try await actions(for: store.account, console)
        var failure: StoreError?
        // An answer that fails does not keep the later ones from being carried out.
        for action in actions {
            let progress = ClockProgress(action, console)
            defer { progress.end() }
            let events: [StoreEvent]
            do throws(StoreError) { events = try await perform(action, console, store) } catch {
                guard action.isAnswer || actions.count > 1,
                    Exit.code(for: error) == Exit.failed
                else {
                    // The operator knows the transactions of all accounts.
                    let isOfAll = options.organizer == nil && error.code == .transactionNotFound
                    throw isOfAll ? error.ofOperator : error
                }
                failure = failure ?? error
                Output.report(error, json: options.json)
                continue
            }
            if let error = action.failure(in: events) {
                failure = failure ?? error
                report(error, of: action)
            } else {
                try await report(action, events, console)
            }
        }
        if let failure { throw Exit.code(for: failure) }
        if actions.isEmpty { try await answer(console, options) }
    }

    /// A move of the clock tries each notification at its own time.
    private func perform(
        _ action: OperatorAction, _ console: some StoreOperator, _ store: OpenStore
    ) async throws(StoreError) -> [StoreEvent] {
        guard case .clock(let move) = action else { return try await console.perform(action) }
        let outcome = try await store.clockWalk().move(move)
        if outcome.waiting > 0 {
            let why = outcome.obstacle.map {
                NotificationText.obstacle($0, waiting: outcome.waiting)
            }
            Output.note(
                .notification(
                    why ?? .waiting(outcome.waiting, holder: outcome.holder?.description)))
        }
        return outcome.events
    }

    /// The sum that the store has refunded: for the sale, and for the next period of its
    /// subscription if that was charged ahead. Nil if the events contain no refund.
    private func refunded(_ events: [StoreEvent]) -> Price? {
        let sums = events.compactMap { event -> Money? in
            guard case .revised(let revision) = event.change, revision.kind == .refunded,
                let sale = revision.sale, sale.ownership != .familyShared,
                let milliunits = revision.revocation?.refundedMilliunits
            else { return nil }
            return Money(milliunits: milliunits, currency: sale.price.currency)
        }
        guard let first = sums.first else { return nil }
        // Sums in two currencies cannot be added: the line names those in the first one's.
        let same = sums.filter { $0.currency == first.currency }
        let sum = same.reduce(0 as Int64) { $0.addingClamped($1.milliunits) }
        return Price(
            money: Money(milliunits: sum, currency: first.currency), locale: "en_US")
    }

    /// The subscriptions that were renewed or extended, without the family shares of their periods.
    private func subscriptions(_ events: [StoreEvent]) -> Int {
        events.count {
            [.sold, .expiryMoved].contains($0.kind) && $0.sale?.ownership != .familyShared
        }
    }

    private func report(_ error: StoreError, of action: OperatorAction) {
        guard let number = action.acceptedRequest else {
            return Output.report(error, json: options.json)
        }
        guard !options.json else { return Output.report(error, json: true) }
        Output.error(
            .requestNotSold(
                request: number.description, reason: Output.strings.message(for: error).line))
    }

    /// False for a request that planned a change of plan, because it has no transaction.
    private func wasSoldBefore(
        _ action: OperatorAction, _ events: [StoreEvent], _ console: some StoreOperator
    ) async throws(StoreError) -> Bool {
        guard events.isEmpty, let number = action.acceptedRequest else { return false }
        do throws(StoreError) {
            _ = try await console.transaction(number)
            return true
        } catch {
            guard error.code == .transactionNotFound else { throw error }
            return false
        }
    }

    private func report(
        _ action: OperatorAction, _ events: [StoreEvent], _ console: some StoreOperator
    ) async throws {
        var done = OperatorDone(action, events)
        if case .changeAccount(let change) = action {
            done.settings = try await console.settings(of: change.account)
        }
        if case .clock = action {
            done.now = Output.strings.date(try await console.clock().now)
        }
        done.wasSold = try await wasSoldBefore(action, events, console)
        done.refunded = refunded(events)
        done.subscriptions = subscriptions(events)
        done.hasMore = events.count >= StoreLimits.actionEventsMax
        guard options.json else {
            if case .family(.setSharing(let account, let product?, true)) = action,
                try await console.family(of: account)?.member(account)?.sharesPurchases == false
            {
                return Output.line(
                    .sharesNothing(account: account.rawValue, product: product.rawValue))
            }
            return Output.line(Output.strings.done(done))
        }
        if let answer = done.answer { return try Output.json(answer) }
        switch action {
        case .changeAccount: try done.settings.map { try Output.json($0) }
        case .failNext, .clearFaults:
            for event in events {
                if case .faultSet(let fault) = event.change { try Output.json(fault) }
            }
        default:
            for event in events { try Output.json(event.fields) }
        }
    }
}

extension OperatorDone {
    /// The answer to a request in JSON; nil for another action. What is sold later is a plan that
    /// begins with the next renewal, or the present plan.
    var answer: [String: String]? {
        guard let number = action.transactionID?.description else { return nil }
        let name: String
        switch action.kind {
        case .approve: name = "approved"
        case .resolve: name = "resolved"
        case .decline: return ["declined": number]
        default: return nil
        }
        guard isChanged else { return [wasSold ? "soldBefore" : "answeredBefore": number] }
        return [name: number, "outcome": sale == nil ? "later" : "sold"]
    }
}

extension OperatorAction {
    fileprivate var isAnswer: Bool {
        if case .request = kind.subject { true } else { false }
    }

    fileprivate var acceptedRequest: TransactionID? {
        isAnswer && kind != .decline ? transactionID : nil
    }
}
