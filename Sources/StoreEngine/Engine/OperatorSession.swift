import Foundation
import StoreCatalog
import StoreModel

/// `StoreOperator` on the engine of this process.
struct OperatorSession: StoreOperator {
    let engine: StoreEngine
    /// The account that acts as the organizer of its family; nil for the operator of the store.
    var actor: AccountName?
    /// The account on whose own device the console runs; nil for any other console.
    var customer: AccountName?

    func perform(_ action: OperatorAction) async throws(StoreError) -> [StoreEvent] {
        // A release is recorded only if its file can be opened.
        if case .package(.host(let release, _)) = action {
            _ = try engine.files(of: release).open(release)
        }
        var action = action
        if case .extendAll(let product, let days, nil) = action {
            action = .extendAll(product, days: days, id: UUID())
        }
        var recorded: [RecordedEntry]
        do throws(StoreError) {
            recorded = try await engine.committer.submit(request(action))
        } catch  where error.code == .requestNotPending {
            throw await explained(error)
        } catch  where error.code == .refundNotRequested && actor == nil {
            throw await engine.history.explainedRefund(error)
        }
        // Moving the clock also records all items that are due by the new time.
        if case .clock = action {
            let due = await engine.committer.recordDueAsFarAsPossible(nil)
            if let failure = due.failure {
                guard !recorded.isEmpty || due.count > 0 else { throw failure }
                throw StoreError(
                    .dueNotRecorded, subject: failure.code.rawValue, found: engine.clock.now(),
                    expected: due.count, cause: failure.cause)
            }
            recorded += due.entries
        }
        if case .extendAll(let product, let days, let id?) = action {
            recorded += try await engine.extendAll(
                ExtensionRequest(id: id, productID: product, days: days))
        }
        do throws(StoreError) {
            return try await engine.eventFeed(for: nil).events(of: recorded)
        } catch {
            // An action that was recorded must not look as if it had not been.
            guard !recorded.isEmpty else { throw error }
            throw StoreError(
                .outcomeUnknown, subject: error.subject, cause: error.cause ?? error.code.rawValue)
        }
    }

    /// As far as the acting account may know the outcome.
    private func explained(_ error: StoreError) async -> StoreError {
        guard actor != nil else { return await engine.history.explained(error) }
        for account in (try? await answered()) ?? [] {
            let explained = await engine.history.explained(error, of: account)
            if explained.found != nil { return explained }
        }
        return error
    }

    func refusal(of action: OperatorAction) async throws(StoreError) -> StoreError? {
        try await engine.committer.refusal(of: request(action))
    }

    private func request(_ action: OperatorAction) -> OperatorRequest {
        OperatorRequest(
            action: action, homeTerritory: engine.homeTerritory, actor: actor, customer: customer)
    }

    func packageReleases() async throws(StoreError) -> [PackageRelease] {
        actor == nil ? try await engine.packageReleases() : []
    }

    func pendingRequests() async throws(StoreError) -> [ApprovalRequest] {
        let pending = try await engine.ledger.pending()
        guard actor != nil else { return try await engine.waiting(pending) }
        let children = try await answered()
        return try await engine.waiting(
            pending.filter { $0.reason == .askToBuy && children.contains($0.account) })
    }

    /// The accounts for which the acting organizer answers: its family without itself.
    private func answered() async throws(StoreError) -> Set<AccountName> {
        guard let actor, let family = try await engine.family(of: actor),
            family.organizer == actor
        else { return [] }
        return Set(family.members.map(\.account)).subtracting([actor])
    }

    private func family() async throws(StoreError) -> Set<AccountName> {
        guard let actor else { return [] }
        return try await answered().union([actor])
    }

    func refundRequests() async throws(StoreError) -> [RefundRequest] {
        guard actor == nil else { return [] }
        var requests = try await engine.ledger.refundRequests()
        for index in requests.indices {
            requests[index].consumption = try await consumption(of: requests[index])
        }
        return requests
    }

    /// The last answer of the app's backend to a request; nil if it has not answered.
    private func consumption(
        of request: RefundRequest
    ) async throws(StoreError) -> ConsumptionAnswer? {
        let filter = HistoryFilter(
            kinds: [.consumptionAnswered], product: request.productID, account: request.account,
            since: request.askedAt)
        var cursor = try await engine.ledger.head()
        while cursor.position > 0 {
            let page = try await engine.ledger.entries(
                before: cursor, filter: filter, limit: StoreLimits.duePageMax)
            for entry in page.entries where entry.number == request.transactionID {
                if case .consumptionAnswered(let answer) = entry.entry.fact { return answer }
            }
            cursor = page.cursor
        }
        return nil
    }

    func settings(of account: AccountName) async throws(StoreError) -> AccountSettings {
        try await engine.settings(of: account)
    }

    func faults() async throws(StoreError) -> [Fault] {
        try await engine.ledger.snapshot(LedgerQuery()).faults
    }

    func clock() async throws(StoreError) -> ClockReading {
        let found = try await engine.ledger.snapshot(LedgerQuery { $0.nextDue = true })
        engine.clock.update(from: found)
        let next = try await upcoming(found.nextDue.map { [$0] } ?? []).first
        return ClockReading(
            now: engine.clock.now(), state: engine.clock.state,
            renewals: found.renewals ?? .standard,
            systemBehindMilliseconds: engine.clock.millisecondsAhead,
            next: next.map {
                ClockReading.Next(
                    at: $0.at, account: $0.account, productID: $0.productID, kind: $0.kind)
            })
    }

    func upcoming(limit: Int) async throws(StoreError) -> [UpcomingItem] {
        let limit = min(max(limit, 1), StoreLimits.historyPageMax)
        guard actor != nil else {
            return try await upcoming(
                engine.ledger.due(through: .latest, of: nil, limit: limit))
        }
        // An organizer sees the due items of its own family only.
        var due: [DueItem] = []
        for account in try await family() {
            due += try await engine.ledger.due(through: .latest, of: account, limit: limit)
        }
        due.sort { ($0.at, $0.chain) < ($1.at, $1.chain) }
        return try await upcoming(Array(due.prefix(limit)))
    }

    /// Due items with the product of each subscription's last period. An item that was recorded
    /// meanwhile is left out.
    private func upcoming(_ items: [DueItem]) async throws(StoreError) -> [UpcomingItem] {
        guard !items.isEmpty else { return [] }
        let found = try await engine.committer.lookUp { lookup in
            for item in items {
                lookup.query.subscriptions.insert(.init(account: item.account, id: item.chain))
            }
            lookup.query.sales = Set(lookup.found.subscriptions.values.map(\.latest))
        }.found
        return items.compactMap { item in
            found.subscriptions[item.chain].flatMap { chain in
                found.transactions[chain.latest].map { latest in
                    UpcomingItem(
                        at: item.at, account: item.account, productID: latest.sale.productID,
                        chain: item.chain,
                        kind: chain.upcoming(at: item.at, end: latest.expiresDate))
                }
            }
        }
    }

    func takings() async throws(StoreError) -> [SalesTotals] {
        guard actor == nil else { return [] }
        // The totals include due renewals. If the store cannot be written, they are as recorded.
        try await recordDueIfWritable(nil)
        return try await engine.ledger.takings()
    }

    func notices() async throws(StoreError) -> [AccountNotice] {
        guard actor == nil else { return [] }
        return try await engine.ledger.notices()
    }

    func family(of account: AccountName) async throws(StoreError) -> Family? {
        try await engine.family(of: account)
    }

    func families() async throws(StoreError) -> [Family] {
        guard let actor else { return try await engine.ledger.families() }
        return try await engine.family(of: actor).map { [$0] } ?? []
    }

    func history(before cursor: FeedCursor?, filter: HistoryFilter, limit: Int)
        async throws(StoreError) -> HistoryPage
    {
        guard actor != nil else {
            // The newest page includes due renewals and expiries. If the store cannot be written,
            // the page is as recorded.
            if cursor == nil { try await recordDueIfWritable(filter.account) }
            return try await engine.history.page(before: cursor, filter: filter, limit: limit)
        }
        // An organizer sees the events of its own family only.
        let family = try await family()
        let accounts = filter.account.map { family.intersection([$0]) } ?? family
        if cursor == nil {
            for account in accounts { try await recordDueIfWritable(account) }
        }
        let filters = accounts.sorted().map { account in
            var filter = filter
            filter.account = account
            return filter
        }
        return try await engine.history.page(of: filters, before: cursor, limit: limit)
    }

    private func recordDueIfWritable(_ account: AccountName?) async throws(StoreError) {
        do throws(StoreError) { _ = try await engine.committer.recordDue(account) } catch {
            guard error.keepsFromRecording else { throw error }
        }
    }

    func transaction(_ id: TransactionID) async throws(StoreError) -> SignedTransaction {
        var query = LedgerQuery()
        if actor != nil {
            query.transactions = Set(try await family().map { .init(account: $0, id: id) })
        } else {
            query.sales = [id]
        }
        return try engine.payloads.signed(await engine.transaction(id, query), for: nil)
    }

    func head() async throws(StoreError) -> FeedCursor { try await engine.ledger.head() }

    func events(after cursor: FeedCursor) -> StoreEventStream {
        let stream = engine.eventFeed(for: nil).stream(after: cursor, account: nil)
        guard let actor else { return stream }
        // An organizer gets the events of its own family only.
        return StoreEventStream {
            var batches = stream.makeAsyncIterator()
            return {
                guard var batch = try await batches.next() else { return nil }
                let family = try await engine.family(of: actor)
                let isOrganizer = family?.organizer == actor
                batch.events.removeAll { event in
                    guard let account = event.account, account != actor else { return false }
                    return !isOrganizer || family?.member(account) == nil
                }
                return batch
            }
        }
    }
}

extension SubscriptionRow {
    /// The step that the store takes next for this subscription.
    ///
    /// - Parameter end: when the subscription's last period ends.
    fileprivate func upcoming(at instant: Timestamp, end: Timestamp?) -> UpcomingItem.Kind {
        if !autoRenews || (state.priceIncrease == .pending && end.map { instant >= $0 } ?? true) {
            return .expiry
        }
        return state.billing == nil ? .renewal : .billingRetry
    }
}
