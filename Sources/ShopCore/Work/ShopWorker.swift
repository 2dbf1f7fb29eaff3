import Foundation
package import StoreModel

/// Performs the reducer's effects through `Store`, `ShopDevice` and `StoreOperator`, and answers
/// with actions. Only the worker waits for the store; the reducer and the drawing never do.
package final class ShopWorker: Sendable {
    /// Receives actions, from any thread.
    package typealias Post = @Sendable (ShopAction) -> Void

    private let store: any Store
    private let device: any ShopDevice
    private let storeOperator: any StoreOperator
    private let began = ContinuousClock.now
    private let post: Post
    private let ended: @Sendable (ShopEffect) -> Void
    private let throttle = QueryThrottle()

    /// - Parameters:
    ///   - post: called for each action, from any thread.
    ///   - ended: called once for each effect, after its last action.
    package init(
        store: any Store, device: any ShopDevice, storeOperator: any StoreOperator,
        post: @escaping Post,
        ended: @escaping @Sendable (ShopEffect) -> Void = { _ in }
    ) {
        self.store = store
        self.device = device
        self.storeOperator = storeOperator
        self.post = post
        self.ended = ended
    }

    /// Registers the transaction observer before it asks the store anything, then posts `opened`
    /// and every later update, download wake and event. Call it once.
    ///
    /// - Throws: what `ShopDevice.launch`, `Store.settings` and `StoreOperator.head` throw.
    package func start() async throws(StoreError) {
        let updates = device.updates()
        let wakes = device.downloadWakes()
        try await device.launch()
        let post = post
        Task { for await update in updates { post(.updateArrived(update)) } }
        Task { for await _ in wakes { post(.deviceChanged) } }
        let settings = try await store.settings()
        try await followStore()
        post(.opened(settings, holdsLease: await device.holdsLease))
    }

    /// Posts the events of all accounts from now on, for the console's log.
    private func followStore() async throws(StoreError) {
        let events = storeOperator.events(after: try await storeOperator.head())
        let post = post
        Task {
            do {
                for try await batch in events where !batch.events.isEmpty {
                    post(.eventsArrived(batch.events))
                }
            } catch {
                post(.attemptFailed(error as? StoreError ?? StoreError(.unknown)))
            }
        }
    }

    /// Starts an effect and returns at once. Effects run side by side and may end in any order. A
    /// failure is posted as an action.
    package func perform(_ effect: ShopEffect) {
        Task {
            await self.run(effect)
            ended(effect)
        }
    }

    private func run(_ effect: ShopEffect) async {
        switch effect {
        case .loadProducts: await loadProducts()
        case .refreshAccount: await refreshAccount()
        case .refreshConsole: await refreshConsole()
        case .makeSearchIndex(let products, let revision):
            post(.searchIndexMade(SearchIndex(products, revision: revision)))
        case .purchase(let payment): await purchase(payment)
        case .restore: await restore()
        case .pauseDownload, .resumeDownload, .cancelDownload, .deleteContent, .approve, .decline,
            .setAskToBuy, .setPayments, .failNext, .clearFaults, .perform:
            await attempt { () async throws(StoreError) in try await self.carryOut(effect) }
        case .readLog(let query): await readLog(query)
        case .readTransaction(let id, let scope): await readTransaction(id, scope)
        case .log(let what): try? await device.log(what)
        // The program that owns the screen does these.
        case .reopen, .setPointer, .copy, .quit: break
        }
    }

    // MARK: - Queries

    private func loadProducts() async {
        do { post(.productsArrived(try await store.products(nil))) } catch {
            post(.productsFailed(error))
        }
    }

    private func refreshAccount() async {
        await throttle.wait()
        do { post(.accountArrived(try await accountSnapshot())) } catch {
            post(.accountFailed(error))
        }
    }

    private func refreshConsole() async {
        do throws(StoreError) {
            let requests = try await storeOperator.pendingRequests()
            let faults = try await storeOperator.faults()
            let settings = try await store.settings()
            post(
                .scheduleArrived(
                    try await storeOperator.upcoming(limit: ConsolePart.upcomingMax),
                    try await storeOperator.clock().state))
            post(.consoleArrived(requests: requests, faults: faults, settings: settings))
        } catch { post(.consoleFailed(error)) }
    }

    private func readLog(_ query: LogQuery) async {
        do throws(StoreError) {
            switch query.part {
            case .events(let before, let limit):
                let page =
                    query.scope == .store
                    ? try await storeOperator.history(
                        before: before, filter: query.filter, limit: limit)
                    : try await store.events(before: before, filter: query.filter, limit: limit)
                post(.logArrived(query, LogPage(events: page.events, next: page.next)))
            case .entries(let before, let limit):
                let entries = try await device.logEntries(before: before, limit: limit)
                post(.logArrived(query, LogPage(entries: entries)))
            }
        } catch { post(.logFailed(query, error)) }
    }

    private func readTransaction(_ id: TransactionID, _ scope: LogQuery.Scope) async {
        do throws(StoreError) {
            let signed =
                scope == .store
                ? try await storeOperator.transaction(id) : try await store.transaction(id)
            let details: SignedDetails
            switch await device.verify(signed) {
            case .verified(let payload):
                details = SignedDetails(
                    id: id, signed: signed, problem: nil, payload: Self.lines(payload))
            case .unverified(let payload, let problem):
                details = SignedDetails(
                    id: id, signed: signed, problem: problem, payload: Self.lines(payload))
            }
            post(.transactionArrived(details, scope))
        } catch { post(.transactionFailed(id, scope, error)) }
    }

    private static func lines(_ payload: TransactionPayload?) -> [String] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let payload, let data = try? encoder.encode(payload) else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func accountSnapshot() async throws(StoreError) -> AccountSnapshot {
        var snapshot = AccountSnapshot(
            queued: try await device.queuedPayments(),
            deliveries: try await device.latestDeliveries(),
            balances: try await device.balances(),
            downloads: try await device.downloads(),
            entitlements: try await store.entitlements(), at: began.duration(to: .now))
        snapshot.overdueSince = try await store.overdueSince()
        return snapshot
    }

    // MARK: - Doing

    private func purchase(_ payment: Payment) async {
        do throws(StoreError) {
            post(.purchaseAnswered(payment, try await device.buy(payment)))
        } catch { post(.purchaseFailed(payment, error)) }
    }

    private func restore() async {
        do throws(StoreError) { post(.restoreEnded(try await device.restore())) } catch {
            post(.restoreFailed(error))
        }
    }

    private func attempt(_ work: () async throws(StoreError) -> Void) async {
        do throws(StoreError) { try await work() } catch { post(.attemptFailed(error)) }
        post(.deviceChanged)
    }

    private func carryOut(_ effect: ShopEffect) async throws(StoreError) {
        switch effect {
        case .pauseDownload(let id): try await device.pauseDownloads(of: id)
        case .resumeDownload(let id): try await device.resumeDownloads(of: id)
        case .cancelDownload(let id): try await device.cancelDownloads(of: id)
        case .deleteContent(let id): try await device.deleteContent(of: id)
        case .approve(let request):
            let action = OperatorAction.approve(request.number)
            let events = try await storeOperator.perform(action)
            post(.approvalAnswered(request, failure: action.failure(in: events)))
        case .decline(let request):
            _ = try await storeOperator.perform(.decline(request.number))
            post(.requestWasDeclined(request))
        case .setAskToBuy(let isOn):
            try await change(AccountChange(account: store.account, askToBuy: isOn))
        case .setPayments(let areAllowed):
            try await change(AccountChange(account: store.account, canMakePayments: areAllowed))
        case .failNext(let code):
            let action = OperatorAction.failNext(.purchase, error: code, count: 1)
            for event in try await storeOperator.perform(action) {
                if case .faultSet(let fault) = event.change { post(.faultWasSet(fault)) }
            }
        case .clearFaults:
            _ = try await storeOperator.perform(.clearFaults)
            post(.faultsWereCleared)
        case .perform(let action): _ = try await storeOperator.perform(action)
        case .loadProducts, .refreshAccount, .refreshConsole, .makeSearchIndex, .purchase, .restore,
            .readLog, .readTransaction, .log, .reopen, .setPointer, .copy, .quit:
            break
        }
    }

    private func change(_ change: AccountChange) async throws(StoreError) {
        _ = try await storeOperator.perform(.changeAccount(change))
        post(.accountChanged(try await storeOperator.settings(of: change.account)))
    }
}
