import Foundation
import StoreEngine
import StoreModel
import Testing

extension LedgerConformance {
    static let sharing = [
        Check("many writers at once record every payment exactly once") { handles in
            let payments = (0..<40).map { _ in Payment.of(SampleCatalog.coins) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for ledger in [handles.ledger, handles.other] {
                    for writer in 0..<4 {
                        group.addTask {
                            // For each handle one task tries every payment.
                            for index in stride(from: writer, to: payments.count, by: 4) {
                                try await sell(payments[index], in: ledger)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let entries = try await handles.ledger.allEntries()
            #expect(entries.map(\.position) == Array(1...Int64(payments.count)))
            #expect(Set(entries.compactMap(\.number)).count == payments.count)
            let known = try await handles.other.query { $0.payments = Set(payments.map(\.id)) }
            #expect(known.payments.count == payments.count)
            try await expectFolded(handles)
        },
        Check("no entry appears at or before a cursor that was handed out") { handles in
            let count: Int64 = 60
            try await withThrowingTaskGroup(of: Void.self) { group in
                for ledger in [handles.ledger, handles.other] {
                    group.addTask {
                        for _ in 0..<(count / 2) { try await ledger.record(Sample.sold()) }
                    }
                    group.addTask {
                        var cursor = Sample.start
                        var seen: [Int64] = []
                        let wakes = ledger.changes()
                        while seen.count < count {
                            let page = try await ledger.entries(
                                after: cursor, account: "aoi", limit: 7)
                            seen += page.entries.map(\.position)
                            if page.cursor == cursor { _ = await wakes.nextWake() }
                            cursor = page.cursor
                        }
                        #expect(seen == Array(1...count))
                    }
                }
                try await group.waitForAll()
            }
        },
        Check("the pages of a history are the same while others append") { handles in
            for index in 0..<30 {
                try await handles.ledger.record(
                    Sample.sold(to: index.isMultiple(of: 3) ? "kai" : "aoi"))
            }
            let start = try await handles.ledger.head()
            let before = try await handles.ledger.allEntries()
            let expected = before.filter { $0.entry.account == "aoi" }.reversed().map(\.position)
            let started = AsyncStream<Void>.makeStream()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for ledger in [handles.ledger, handles.other] {
                    group.addTask {
                        for _ in 0..<20 {
                            try await ledger.record(Sample.sold(), Sample.sold(to: "kai"))
                            started.continuation.yield()
                        }
                    }
                }
                for await _ in started.stream { break }
                for ledger in [handles.ledger, handles.other] {
                    group.addTask {
                        let pages = try await ledger.pages(
                            before: start, .init(account: "aoi"), limit: 3)
                        #expect(pages.flatMap(\.self) == expected)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await handles.other.head().position == start.position + 80)
        },
        Check("a reader is woken by an append through the other handle") { handles in
            let wakes = handles.other.changes()
            #expect(await wakes.nextWake(), "the wake a subscription begins with")
            var cursor = try await handles.other.head()
            for _ in 0..<3 {
                try await handles.ledger.record(Sample.sold())
                var found: [RecordedEntry] = []
                while found.isEmpty {
                    #expect(await wakes.nextWake())
                    let page = try await handles.other.entries(
                        after: cursor, account: nil, limit: 10)
                    found = page.entries
                    cursor = page.cursor
                }
            }
        },
    ]

    /// Reads, decides and appends, again after each conflict.
    private static func sell(_ payment: Payment, in ledger: any Ledger) async throws {
        while true {
            let known = try await ledger.query { query in
                query.accounts = ["aoi"]
                query.payments = [payment.id]
            }
            guard known.payments[payment.id] == nil else { return }
            let stream = StreamID.account("aoi")
            let decision = Decision(
                reads: [stream: known.version(stream)], newPayments: [payment.id],
                entries: [Sample.sold(payment: payment)])
            _ = try await ledger.append([decision], at: Sample.now)
        }
    }
}
