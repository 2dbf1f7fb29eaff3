import Basics
import DurableFiles
import Foundation
import StoreModel
import StoreSigning

/// Reports what this device has recorded to the app's own backend, in order and at least once, and
/// asks it for the list of products. The process that holds the delivery lease reports; a report
/// leaves the queue after the backend has answered. Nothing waits for a backend: a failure is told
/// once, and the report is sent again after growing pauses, and at the next launch.
actor BackendReporter {
    private let processor: DeliveryProcessor
    private let hub: DeviceUpdates
    private let keeper: RecordKeeper
    private let notifier: CommitNotifier
    private let servers: (any ContentServers)?
    /// For the pauses.
    private let elapsed: any Clock<Duration>
    private var loop: Task<Void, Never>?
    private var following: Task<Void, Never>?
    /// As it was last read.
    private var known: AppBackend?
    /// Its failing calls that this process has published.
    private var told: Set<AppBackend.Call> = []
    /// After a report that failed.
    private var retry: Retry?
    /// After a list that failed.
    private var listRetry: Retry?

    /// The backend is left alone until the pause is over.
    private struct Retry {
        var pause: Duration
        var since: Stopwatch

        /// Zero when it is over.
        var left: Duration { max(.zero, pause - since.elapsed) }
    }

    init(
        processor: DeliveryProcessor, hub: DeviceUpdates, keeper: RecordKeeper,
        notifier: CommitNotifier, servers: (any ContentServers)?, elapsed: any Clock<Duration>
    ) {
        self.processor = processor
        self.hub = hub
        self.keeper = keeper
        self.notifier = notifier
        self.servers = servers
        self.elapsed = elapsed
    }

    // MARK: - Reporting

    /// Until `suspend`. The caller holds the delivery lease.
    func start() {
        guard servers != nil, loop == nil else { return }
        let wakes = processor.reports.subscribe()
        loop = Task { [weak self] in await self?.run(wakes) }
        // What other processes record for this device is reported here, too.
        following = Task { [notifier, reports = processor.reports] in
            for await _ in notifier.subscribeToOthers() { reports.notify() }
        }
    }

    /// A report whose answer did not arrive is sent again after the next `start`.
    func suspend() async {
        following?.cancel()
        following = nil
        loop?.cancel()
        await loop?.value
        loop = nil
        retry = nil
    }

    private func run(_ wakes: AsyncStream<Void>) async {
        while await processor.network.wait(untilOff: false) {
            do throws(StoreError) {
                if let backend = try await backend(), retry.map({ $0.left == .zero }) ?? true {
                    while try await sendPage(to: backend) {}
                    retry = nil
                }
            } catch {
                if Task.isCancelled || error.code == .storeReplaced { return }
                if error.isNetworkOff { continue }
                if error.code == .backendFailed { await tell(error, of: .report) }
                let pause = retry.map { $0.pause * 2 } ?? DeviceLimits.reportPauseMin
                retry = Retry(
                    pause: min(pause, DeviceLimits.reportPauseMax), since: Stopwatch(elapsed))
            }
            let timer = retry.map { retry in
                Task { [elapsed, reports = processor.reports] in
                    guard (try? await elapsed.sleep(for: retry.left)) != nil else { return }
                    reports.notify()
                }
            }
            let isWoken = await wakes.nextWake()
            timer?.cancel()
            guard isWoken else { return }
        }
    }

    /// Nil while none is set. Another one begins without failures.
    private func backend() async throws(StoreError) -> AppBackend? {
        let backend = try await processor.database.read { try DeviceRecords($0).backend }
        if backend != known {
            known = backend
            told = []
            retry = nil
            listRetry = nil
        }
        return backend
    }

    /// Sends reports until none is left, or `DeviceLimits.reportsPage` are sent, and then removes
    /// what was sent from the queue.
    ///
    /// - Returns: whether more may wait.
    private func sendPage(to backend: AppBackend) async throws(StoreError) -> Bool {
        var last: Int64 = 0
        var count = 0
        var failure: StoreError?
        while count < DeviceLimits.reportsPage, !Task.isCancelled {
            let after = last
            let next = try await processor.database.read { db in
                let records = DeviceRecords(db)
                return try records.backend == backend ? records.report(after: after) : nil
            }
            guard let next else { break }
            do throws(StoreError) { try await send(next, to: backend) } catch {
                failure = error
                break
            }
            last = next.number
            count += 1
        }
        if count > 0 {
            let sent = last
            try await processor.database.writeTogether { db in
                let records = DeviceRecords(db)
                try records.removeReports(through: sent)
                try records.removeFailure(of: .report)
            }
            told.remove(.report)
        }
        if let failure { throw failure }
        return count == DeviceLimits.reportsPage
    }

    /// One that does not verify any more was altered: it is told and left out, as is one that the
    /// backend refuses for good.
    private func send(_ report: QueuedReport, to backend: AppBackend) async throws(StoreError) {
        guard let servers else { return }
        let verified = await processor.verifier.verify(report.signed)
        guard case .verified(let transaction) = verified else {
            return keeper.report(altered: "reports")
        }
        try await processor.network.delay(on: processor.store.device)
        let payload = transaction.payload
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // The customer's login is the account: renewals and shares have no token of the app, and a
        // transaction that has one carries it in its text.
        let contents: [String: AnyJSON] = [
            "signedTransactionInfo": .text(report.signed.rawValue),
            "account": .text(processor.store.account.rawValue),
            "device": .text(processor.store.device.rawValue),
            "price": .integer(payload.price), "currency": .text(payload.currency),
        ]
        let body = try? encoder.encode(contents)
        do throws(StoreError) {
            _ = try await servers.answer(
                to: BackendRequest(
                    url: backend.transactionsURL, body: body ?? Data(),
                    isElsewhere: backend.isElsewhere,
                    bytesMax: DeviceLimits.reportAnswerBytesMax, time: DeviceLimits.reportTime))
        } catch {
            var error = error.ofBackend
            guard error.isRefusedByBackend else { throw error }
            error.transactionID = payload.transactionId
            await tell(error, of: .refusedReport)
        }
    }

    /// For a command that is about to end: waits until everything is reported or a call fails, but
    /// no longer than `DeviceLimits.reportsWaitMax`. Reports that are left are sent at the next
    /// launch.
    func finishSending() async {
        guard loop != nil, retry == nil else { return }
        let waited = Stopwatch(elapsed)
        while waited.elapsed < DeviceLimits.reportsWaitMax, retry == nil,
            let count = try? await processor.database.read({ try DeviceRecords($0).reportsCount }),
            count > 0
        {
            try? await elapsed.sleep(for: DeviceLimits.answerPollInterval)
        }
    }

    /// Publishes the first of a run of failures, and logs it unless an earlier process has.
    private func tell(_ error: StoreError, of call: AppBackend.Call) async {
        guard !Task.isCancelled, told.insert(call).inserted else { return }
        hub.publish(.trouble(error, in: .backend, ended: false))
        let now = processor.clock.now()
        try? await processor.database.writeTogether {
            try DeviceRecords($0).note(error, of: call, at: now)
        }
    }

    // MARK: - The list of products

    /// See `Device.appList`.
    func list() async -> (list: DeviceAnswer<AppProductList>?, failure: StoreError?)? {
        guard let servers, let backend = try? await backend() else { return nil }
        if let listRetry, listRetry.left > .zero { return (await keptList(), nil) }
        do throws(StoreError) {
            try await processor.network.delay(on: processor.store.device)
            let json = try await servers.answer(
                to: BackendRequest(
                    url: backend.productsURL(of: processor.store.account),
                    isElsewhere: backend.isElsewhere, bytesMax: DeviceLimits.listBytesMax,
                    time: DeviceLimits.listTime))
            guard let list = AppProductList(json), list.ids.count <= DeviceLimits.cachedProductsMax
            else { throw StoreError(.wrongAnswer, address: backend.address) }
            listRetry = nil
            await keep(list, of: backend)
            return (DeviceAnswer(list, asOf: processor.clock.now(), isFresh: true), nil)
        } catch  where error.isNetworkOff {
            return (await keptList(), nil)
        } catch {
            let error = error.ofBackend
            if error.code == .backendFailed, ["404", "501"].contains(error.cause ?? "") {
                await keep(nil, of: backend)
                return nil
            }
            listRetry = Retry(pause: DeviceLimits.listPause, since: Stopwatch(elapsed))
            await tell(error, of: .list)
            return (await keptList(), error)
        }
    }

    private func keptList() async -> DeviceAnswer<AppProductList>? {
        let kept = try? await processor.database.read {
            try DeviceRecords($0).kept(.backendList, as: Kept<AppProductList?>.self)
        }
        guard let kept, let list = kept.answer else { return nil }
        return DeviceAnswer(list, asOf: kept.asOf, isFresh: false)
    }

    /// Unless the backend is another one now. A failure is ignored.
    private func keep(_ list: AppProductList?, of backend: AppBackend) async {
        told.remove(.list)
        let now = processor.clock.now()
        try? await processor.database.writeTogether { db in
            let records = DeviceRecords(db)
            guard try records.backend == backend else { return }
            try records.removeFailure(of: .list)
            try records.keep(.backendList, Kept(answer: list, asOf: now))
        }
    }
}
