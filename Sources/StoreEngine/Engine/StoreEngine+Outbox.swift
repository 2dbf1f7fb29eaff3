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
    private let recorder: AttemptRecorder
    /// The position up to which this process has found nothing more to tell. The ledger knows only
    /// the last entry that was told.
    private let seen = Mutex<Int64>(0)

    /// Entries that are told in one write.
    private static let pageMax = 100
    /// After as many entries of which nothing is told, the place is recorded, so that the next
    /// sender need not read them again.
    private static let untoldMax: Int64 = 1_000

    init(engine: StoreEngine) {
        self.engine = engine
        recorder = AttemptRecorder(engine: engine)
    }

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
        try await engine.committer.submit(
            NotificationsRequest(change: change, head: engine.ledger.head().position))
    }

    func outbox(_ query: OutboxQuery) async throws(StoreError) -> OutboxPage {
        try await engine.ledger.outbox(query)
    }

    func outboxDue() async throws(StoreError) -> (count: Int, next: Timestamp?) {
        let fault = try await snapshot().faults.first {
            $0.call == .notification && !$0.isOver(at: now)
        }
        let count = try await outbox(OutboxQuery(.due(through: now), limit: .max)).items.count
        let waiting = try await outbox(OutboxQuery(.waiting, limit: count + 1)).items
        // One that is held back on purpose waits for the next one.
        let isHeldBack = count == 1 && fault?.waitsForNext == true
        return (isHeldBack ? 0 : count, waiting.dropFirst(count).first?.next)
    }

    // MARK: - Making notifications

    func deriveNotifications() async throws(StoreError) -> Int {
        _ = try await engine.committer.recordDue(nil)
        var made = 0
        var conflicts = 0
        while true {
            let known = try await outbox(OutboxQuery(.waiting, limit: 0))
            let settings = try await snapshot().server?.notifications
            guard let start = known.through ?? settings?.since else {
                // Nothing is told of what happened before anybody was to be told.
                let head = try await engine.ledger.head().position
                if try await append([.queued([], through: head)], known.version) { return made }
                continue
            }
            let from = max(start, seen.withLock { $0 })
            let page = try await engine.ledger.entries(
                after: FeedCursor(epoch: StoreLimits.firstEpoch, position: from), account: nil,
                limit: Self.pageMax)
            guard let last = page.entries.last?.position else { return made }
            var facts: [OutboxFact] = []
            var count = 0
            for entry in page.entries {
                let notifications = try await notifications(
                    of: entry, next: settings?.url == nil ? nil : now)
                count += notifications.count
                for index in stride(from: 0, to: notifications.count, by: OutboxItem.perEntryMax) {
                    let end = min(index + OutboxItem.perEntryMax, notifications.count)
                    facts.append(
                        .queued(Array(notifications[index..<end]), through: entry.position))
                }
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
        if alone.type == .rescindConsent, let account = recorded.entry.account {
            var contents = NotificationContents()
            contents.appTransaction = engine.payloads.appTransaction(of: account, at: at)
            return [
                QueuedNotification(
                    id: number(recorded.position, 0), kind: alone, at: at, account: account,
                    contents: contents, next: next)
            ]
        }
        let reader = MomentReader(engine: engine, entry: recorded)
        if case .extensionDone(let outcome) = recorded.entry.fact {
            return try await notifications(of: outcome, recorded, reader, next: next)
        }
        guard let moment = try await reader.moment(),
            case .told(let kind) = NotificationRules.telling(recorded, moment.before)
        else { return [] }
        var contents = contents(moment, at: at)
        if case .refundRequested(let request) = recorded.entry.fact {
            contents.consumptionRequestReason = ConsumptionRequestReason(request.reason)
        }
        return [
            QueuedNotification(
                id: number(recorded.position, 0), kind: kind, at: at,
                account: moment.transaction.account, contents: contents, next: next)
        ]
    }

    /// The summary of an extension for all, and one for each subscription that was not extended.
    private func notifications(
        of outcome: ExtensionOutcome, _ recorded: RecordedEntry, _ reader: MomentReader,
        next: Timestamp?
    ) async throws(StoreError) -> [QueuedNotification] {
        var summary = NotificationContents()
        summary.summary = NotificationPayload.Summary(outcome, of: identity)
        let at = recorded.entry.effectiveAt
        var all = [
            QueuedNotification(
                id: number(recorded.position, 0),
                kind: NotificationKind(.renewalExtension, .summary), at: at, contents: summary,
                next: next)
        ]
        for chain in outcome.failures {
            guard let moment = try await reader.moment(of: chain) else { continue }
            all.append(
                QueuedNotification(
                    id: number(recorded.position, all.count),
                    kind: NotificationKind(.renewalExtension, .failure), at: at,
                    account: moment.transaction.account, contents: contents(moment, at: at),
                    next: next))
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

    /// Of a notification of this store: the same for the same place, so that one that is made again
    /// after a kill is the same (RFC 9562, version 8).
    private func number(_ position: Int64, _ index: Int) -> UUID {
        var hash = SHA256()
        hash.update(data: engine.keys.rootCertificateDER)
        hash.update(data: Data("\(position).\(index)".utf8))
        var bytes = Array(hash.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
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

    func record(_ attempt: OutboxAttempt, of item: OutboxItem) async throws(StoreError) {
        try await recorder.record(attempt, of: item)
    }

    func resend(_ id: UUID) async throws(StoreError) -> OutboxItem? {
        try await makeDue(id, afterMilliseconds: 0)
    }

    func postpone(_ id: UUID, byMilliseconds delay: Int64) async throws(StoreError) {
        _ = try await makeDue(id, afterMilliseconds: delay)
    }

    private func makeDue(
        _ id: UUID, afterMilliseconds delay: Int64
    ) async throws(StoreError) -> OutboxItem? {
        _ = try await snapshot()
        let next = now.advanced(byMilliseconds: delay)
        return try await progress(id) { known in
            OutboxProgress(id: id, attempts: known.attempts, next: next)
        }
    }

    func nextFault() async throws(StoreError) -> Fault? {
        while let fault = try await snapshot().faults.first(where: { $0.call == .notification }) {
            guard fault.isOver(at: now) else { return fault }
            _ = try await spend(fault)
        }
        return nil
    }

    func spend(_ fault: Fault) async throws(StoreError) -> Bool {
        try await engine.committer.submit(SpendFaultRequest(call: fault.call, seen: fault)) != nil
    }

    /// Records how far a notification is, decided from what is known of it; nil if there is none.
    private func progress(
        _ id: UUID, _ decide: (OutboxItem) -> OutboxProgress
    ) async throws(StoreError) -> OutboxItem? {
        for _ in 0..<StoreLimits.conflictsMax {
            let page = try await outbox(OutboxQuery(.one(id), limit: 1))
            guard let known = page.items.first else { return nil }
            if try await append([.progressed(decide(known))], page.version) {
                return try await outbox(OutboxQuery(.one(id), limit: 1)).items.first
            }
        }
        throw StoreError(.storeBusy)
    }

    func queueTest() async throws(StoreError) -> OutboxItem? {
        guard try await snapshot().server?.notifications?.url != nil else { return nil }
        let now = now
        let test = QueuedNotification(
            id: UUID(), kind: NotificationKind(.test), at: now, contents: NotificationContents(),
            next: now)
        for _ in 0..<StoreLimits.conflictsMax {
            let version = try await outbox(OutboxQuery(.waiting, limit: 0)).version
            if try await append([.queued([test], through: nil)], version) {
                return try await outbox(OutboxQuery(.one(test.id), limit: 1)).items.first
            }
        }
        throw StoreError(.storeBusy)
    }
}
