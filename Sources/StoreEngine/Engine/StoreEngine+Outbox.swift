import Basics
import Crypto
import Foundation
package import StoreModel
import StoreSigning
import Synchronization

extension StoreEngine {
    /// The notifications to an app's backend, as a sender sees them.
    package var outboxStore: some OutboxStore { EngineOutbox(engine: self) }
}

/// `OutboxStore` on the engine of this process.
private final class EngineOutbox: OutboxStore {
    private let engine: StoreEngine
    /// The position up to which this process has found nothing more to tell. The ledger knows only
    /// the last entry that was told.
    private let seen = Mutex<Int64>(0)

    /// Entries that are told in one write.
    private static let pageMax = 100
    /// After as many entries of which nothing is told, the place is recorded, so that the next
    /// sender need not read them again.
    private static let untoldMax: Int64 = 1_000

    init(engine: StoreEngine) { self.engine = engine }

    var identity: AppIdentity { engine.identity }
    var now: Timestamp { engine.clock.now() }

    func changes() -> AsyncStream<Void> { engine.ledger.changes() }

    func server() async throws(StoreError) -> ServerSettings {
        try await snapshot().server ?? ServerSettings()
    }

    private func snapshot() async throws(StoreError) -> LedgerSnapshot {
        let found = try await engine.ledger.snapshot(LedgerQuery())
        engine.clock.update(from: found)
        return found
    }

    func change(_ change: NotificationsChange) async throws(StoreError) -> ServerSettings {
        // Notifications of earlier events go to the address of their time, or to none.
        if try await server().notifications?.since != nil { _ = try await deriveNotifications() }
        return try await engine.committer.submit(
            NotificationsRequest(change: change, head: engine.ledger.head().position))
    }

    func outbox(_ query: OutboxQuery) async throws(StoreError) -> OutboxPage {
        try await engine.ledger.outbox(query)
    }

    func outboxDue() async throws(StoreError) -> (count: Int, next: Timestamp?) {
        let found = try await snapshot()
        let now = now
        let fault = found.faults.first { $0.call == .notification && !$0.isOver(at: now) }
        var due = OutboxQuery(.due(through: now), limit: 0)
        due.counts = true
        let count = try await outbox(due).count
        // One that is held back on purpose waits for the next one.
        let isHeldBack = count == 1 && fault?.waitsForNext == true
        let later = try await outbox(OutboxQuery(.waiting(after: now), limit: 1))
        return (isHeldBack ? 0 : count, later.items.first?.next)
    }

    // MARK: - Making notifications

    func deriveNotifications() async throws(StoreError) -> Int {
        _ = try await engine.committer.recordDue(nil)
        var made = 0
        var conflicts = 0
        while true {
            let known = try await outbox(OutboxQuery(.newest(before: nil), limit: 0))
            let settings = try await snapshot().server?.notifications
            guard let start = known.through ?? settings?.since else {
                // Nothing is told of what happened before anybody was to be told.
                let head = try await engine.ledger.head().position
                if try await append([.queued([], through: head)], known.version) { return made }
                continue
            }
            let from = max(start, seen.withLock { $0 })
            let page = try await engine.ledger.entries(
                after: FeedCursor(epoch: engine.epoch, position: from), account: nil,
                limit: Self.pageMax)
            guard let last = page.entries.last?.position else { return made }
            var facts: [OutboxFact] = []
            var count = 0
            for entry in page.entries {
                let notifications = try await notifications(
                    of: entry, next: settings?.url == nil ? nil : now)
                guard !notifications.isEmpty else { continue }
                count += notifications.count
                facts.append(.queued(notifications, through: entry.position))
            }
            if facts.isEmpty, last - start >= Self.untoldMax {
                facts.append(.queued([], through: last))
            }
            if try await append(facts, known.version) {
                made += count
                conflicts = 0
                seen.withLock { $0 = max($0, last) }
            } else {
                conflicts += 1
                guard conflicts < StoreLimits.conflictsMax else { throw StoreError(.storeBusy) }
            }
        }
    }

    /// Records facts together; false if the outbox has changed since its version was read.
    private func append(
        _ facts: [OutboxFact], _ version: Int64
    ) async throws(StoreError) -> Bool {
        guard !facts.isEmpty else { return true }
        let now = now
        let entries = facts.map {
            Entry(account: nil, device: nil, effectiveAt: now, fact: .outbox($0))
        }
        let results = try await engine.ledger.append(
            [Decision(reads: [.outbox: version], entries: entries)], at: now)
        if case .recorded = results.first { return true }
        return false
    }

    /// Of one entry, in order.
    private func notifications(
        of recorded: RecordedEntry, next: Timestamp?
    ) async throws(StoreError) -> [QueuedNotification] {
        guard case .told(let alone) = NotificationRules.telling(recorded) else { return [] }
        let at = recorded.entry.effectiveAt
        let reader = MomentReader(engine: engine, entry: recorded)
        var all: [QueuedNotification] = []
        func add(
            _ kind: NotificationKind, _ contents: NotificationContents,
            to account: AccountName? = nil
        ) {
            all.append(
                QueuedNotification(
                    id: number(recorded, all.count), kind: kind, at: at, account: account,
                    contents: contents, next: next))
        }
        if alone.type == .rescindConsent, let account = recorded.entry.account {
            var contents = NotificationContents()
            contents.appTransaction = engine.payloads.appTransaction(of: account, at: at)
            add(alone, contents, to: account)
        } else if case .extensionDone(let outcome) = recorded.entry.fact {
            // One more for each subscription that was not extended.
            var summary = NotificationContents()
            summary.summary = NotificationPayload.Summary(outcome, of: identity)
            add(alone, summary)
            for chain in outcome.failures {
                guard let moment = try await reader.moment(of: chain) else { continue }
                add(
                    NotificationKind(.renewalExtension, .failure), contents(moment, at: at),
                    to: moment.transaction.account)
            }
        } else if let moment = try await reader.moment(),
            case .told(let kind) = NotificationRules.telling(recorded, moment.before)
        {
            var contents = contents(moment, at: at)
            if case .refundRequested(let request) = recorded.entry.fact {
                contents.consumptionRequestReason = ConsumptionRequestReason(request.reason)
            }
            add(kind, contents, to: moment.transaction.account)
        }
        return all
    }

    private func contents(_ moment: MomentReader.Moment, at: Timestamp) -> NotificationContents {
        var contents = NotificationContents()
        var transaction = engine.payloads.payload(of: moment.transaction, for: nil)
        transaction.signedDate = at
        contents.transaction = transaction
        contents.renewalInfo = moment.status?.payload(
            appTransactionID: engine.payloads.appTransactionID(of: moment.transaction.account),
            environment: identity.environment)
        contents.status = moment.status?.state
        return contents
    }

    /// Of a notification of this store: the same for the same entry, so that one that is made again
    /// after a kill is the same, and another one in a store that was emptied, whose keys stay.
    private func number(_ recorded: RecordedEntry, _ index: Int) -> UUID {
        let place = "\(recorded.position).\(index) \(recorded.recordedAt.milliseconds)"
        var hash = SHA256()
        hash.update(data: engine.keys.rootCertificateDER)
        hash.update(data: Data(place.utf8))
        return UUID(digest: hash.finalize())
    }

    // MARK: - Sending them

    func signed(
        _ notification: QueuedNotification, broken: VerificationError?
    ) throws(StoreError) -> Signed<NotificationPayload> {
        let signer = engine.payloads.signer
        var app = identity
        if broken == .wrongApp { app.bundleID += ".other" }
        if broken == .wrongEnvironment {
            app.environment = app.environment == .production ? .sandbox : .production
        }
        var transaction: SignedTransaction?
        if let payload = notification.contents.transaction {
            transaction = try signer.sign(payload, withChainOf: broken)
        }
        var renewalInfo: SignedRenewalInfo?
        if let payload = notification.contents.renewalInfo {
            renewalInfo = try signer.sign(payload, withChainOf: broken)
        }
        var appTransaction: SignedAppTransaction?
        if let payload = notification.contents.appTransaction {
            appTransaction = try signer.sign(payload, withChainOf: broken)
        }
        return try signer.sign(
            notification.payload(
                app, version: AppIdentity.appVersion, transaction: transaction,
                renewalInfo: renewalInfo, appTransaction: appTransaction), withChainOf: broken)
    }

    func record(_ attempts: [EndedAttempt]) async throws(StoreError) {
        try await engine.committer.submit(AttemptsRequest(attempts: attempts))
    }

    func resend(_ id: UUID) async throws(StoreError) -> OutboxItem? {
        guard try await engine.committer.submit(ResendRequest(id: id)) else { return nil }
        return try await item(id)
    }

    func postpone(_ id: UUID, byMilliseconds delay: Int64) async throws(StoreError) {
        _ = try await engine.committer.submit(ResendRequest(id: id, delayMilliseconds: delay))
    }

    func terms() async throws(StoreError) -> (server: ServerSettings, fault: Fault?) {
        while true {
            let found = try await snapshot()
            let fault = found.faults.first { $0.call == .notification }
            guard let fault, fault.isOver(at: now) else {
                return (found.server ?? ServerSettings(), fault)
            }
            _ = try await spend(fault)
        }
    }

    func spend(_ fault: Fault) async throws(StoreError) -> Bool {
        try await engine.committer.submit(SpendFaultRequest(call: fault.call, seen: fault)) != nil
    }

    func queueTest() async throws(StoreError) -> OutboxItem? {
        let id = UUID()
        guard try await engine.committer.submit(TestRequest(id: id)) else { return nil }
        return try await item(id)
    }
}
