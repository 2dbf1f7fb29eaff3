import Foundation
@testable import StoreEngine
@testable import StoreModel
import Testing

extension LedgerConformance {
    /// The notifications to the app's backend.
    static let outbox = [
        Check("notifications are found by number, place, type, account, date and failure") {
            handles in
            let queued = (1...6).map { Sample.notification($0) }
            try await handles.ledger.record(
                Sample.queued(Array(queued.prefix(4)), through: 3), Sample.sold(),
                Sample.queued(Array(queued.suffix(2)), through: 7))
            try await handles.other.record(
                Sample.progressed(2, [.timedOut], next: Sample.after(900)),
                Sample.progressed(3, [.timedOut, .success], next: nil),
                Sample.progressed(4, [.noResponse], next: nil))
            try await expectFolded(handles)
            let all = try await handles.ledger.outbox(OutboxQuery(.oldest(after: nil), limit: 9))
            #expect(all.items.map(\.id) == queued.map(\.id))
            #expect(all.through == 7)
            #expect(
                all.items.map(\.state) == [
                    .waiting, .failing, .sent, .failed, .noAddress, .waiting,
                ])
            var narrowed = OutboxQuery(.newest(before: all.items.last?.ordinal), limit: 2)
            #expect(
                try await handles.other.outbox(narrowed).items.map(\.id)
                    == [queued[4].id, queued[3].id])
            narrowed = OutboxQuery(.newest(before: nil), limit: 9)
            narrowed.isFailed = true
            #expect(
                try await handles.other.outbox(narrowed).items.map(\.id)
                    == [queued[3].id, queued[1].id])
            narrowed.isFailed = false
            narrowed.account = "aoi"
            #expect(
                try await handles.ledger.outbox(narrowed).items.map(\.id)
                    == [queued[3].id, queued[0].id])
            narrowed.account = "nobody"
            #expect(try await handles.ledger.outbox(narrowed).items.isEmpty)
        },
        Check("what is due comes in order of its time, then of its place") { handles in
            try await handles.ledger.record(
                Sample.queued((1...4).map { Sample.notification($0) }, through: nil))
            try await handles.ledger.record(
                Sample.progressed(1, [.timedOut], next: Sample.after(60)),
                Sample.progressed(3, [.success], next: nil))
            let due = OutboxQuery(.due(through: Sample.after(60)), limit: 9)
            let found = try await handles.other.outbox(due)
            #expect(found.items.map(\.id) == [2, 4, 1].map { Sample.uuid($0) })
            #expect(found.through == nil)
            var counted = OutboxQuery(.due(through: Sample.after(60)), limit: 1)
            counted.counts = true
            let page = try await handles.other.outbox(counted)
            #expect(page.count == 3 && page.items.count == 1)
            counted.isFailed = true
            let failing = try await handles.other.outbox(counted)
            #expect(failing.count == 1 && failing.items.map(\.id) == [Sample.uuid(1)])
            counted.limit = 0
            let none = try await handles.ledger.outbox(counted)
            #expect(none.count == 1 && none.items.isEmpty)
            let later = OutboxQuery(.waiting(after: Sample.after(2)), limit: 9)
            #expect(
                try await handles.other.outbox(later).items.map(\.id)
                    == [4, 1].map { Sample.uuid($0) })
            try await expectFolded(handles)
        },
        Check("the outbox is a stream of its own, which no account's feed has") { handles in
            let before = try await handles.ledger.query { $0.accounts = ["aoi"] }
            try await handles.ledger.record(Sample.queued([Sample.notification(1)], through: 0))
            let after = try await handles.ledger.query { $0.accounts = ["aoi"] }
            #expect(before.versions == after.versions)
            #expect(
                try await handles.other.entries(
                    after: Sample.start, account: "aoi", limit: 9
                ).entries.isEmpty)
            #expect(try await handles.other.allEntries().count == 1)
            let page = try await handles.ledger.outbox(OutboxQuery(.newest(before: nil), limit: 1))
            #expect(page.version == 1)
            var found = try await handles.other.query {
                $0.outbox = [Sample.uuid(1), Sample.uuid(2)]
            }
            #expect(found.version(.outbox) == 1)
            var item = try #require(page.items.first)
            #expect(item.changedAt == 1 && item.next != nil)
            #expect(found.outbox == [item.id: OutboxProgressRow(item)])
            var decision = Decision(
                reads: [.outbox: 0], entries: [Sample.progressed(1, [.success], next: nil)])
            #expect(
                try await handles.other.append([decision], at: Sample.now).first?.isConflict
                    == true)
            decision.reads = [.outbox: 1]
            #expect(
                try await handles.other.append([decision], at: Sample.now).first?.isConflict
                    == false)
            found = try await handles.ledger.query { $0.outbox = [Sample.uuid(1)] }
            item = try #require(
                try await handles.ledger.outbox(OutboxQuery(.one(item.id), limit: 1)).items.first)
            #expect(item.changedAt == 2 && item.attempts.count == 1 && item.next == nil)
            #expect(found.outbox == [item.id: OutboxProgressRow(item)])
        },
    ]
}

extension OutboxQuery {
    /// One for each way to ask, about what a ledger has.
    static func samples(_ rows: Projections) -> [OutboxQuery] {
        let items = rows.outbox.values.sorted { $0.ordinal < $1.ordinal }
        let middle = items.dropFirst(items.count / 2).first
        var queries = [
            OutboxQuery(.waiting(after: middle?.notification.at ?? .earliest), limit: 3),
            OutboxQuery(.due(through: middle?.notification.at ?? .latest), limit: 3),
            OutboxQuery(.one(middle?.id ?? UUID()), limit: 1),
            OutboxQuery(.newest(before: middle?.ordinal), limit: 3),
            OutboxQuery(.oldest(after: middle?.ordinal), limit: 3),
        ]
        var failing = OutboxQuery(.due(through: .latest), limit: 1)
        failing.counts = true
        failing.isFailed = true
        queries.append(failing)
        guard let middle else { return queries }
        var narrowed = OutboxQuery(.oldest(after: nil), limit: 3)
        narrowed.type = middle.notification.kind.type
        narrowed.subtype = middle.notification.kind.subtype
        queries.append(narrowed)
        narrowed.type = nil
        narrowed.subtype = nil
        narrowed.account = middle.notification.account
        queries.append(narrowed)
        narrowed.account = nil
        narrowed.since = middle.notification.at
        narrowed.until = middle.notification.at.advanced(byMilliseconds: 1)
        queries.append(narrowed)
        narrowed.since = nil
        narrowed.until = nil
        narrowed.isFailed = true
        queries.append(narrowed)
        return queries
    }
}

extension Sample {
    static func uuid(_ number: UInt8) -> UUID {
        UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    /// The fifth was made while there was no address; every third is about no customer.
    static func notification(_ number: Int) -> QueuedNotification {
        var contents = NotificationContents()
        contents.status = .subscribed
        var notification = QueuedNotification(
            id: uuid(UInt8(number)),
            kind: number.isMultiple(of: 2)
                ? NotificationKind(.didRenew) : NotificationKind(.expired, .voluntary),
            at: after(Int64(number)), account: [nil, "aoi", "ben"][number % 3],
            contents: contents, next: number == 5 ? nil : after(Int64(number)))
        notification.transaction = TransactionID(1_000_000 + Int64(number % 3))
        return notification
    }

    static func queued(_ notifications: [QueuedNotification], through: Int64?) -> Entry {
        entry(.outbox(.queued(notifications, through: through)), of: nil, on: nil)
    }

    static func progressed(
        _ number: UInt8, _ results: [SendAttemptResult], next: Timestamp?
    ) -> Entry {
        let attempts = results.map {
            OutboxAttempt(at: now, result: $0, milliseconds: 5, status: nil)
        }
        return entry(
            .outbox(.progressed(OutboxProgress(id: uuid(number), attempts: attempts, next: next))),
            of: nil, on: nil)
    }
}
