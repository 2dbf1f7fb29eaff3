import Foundation
import StoreEngine
import StoreModel
import Testing

extension LedgerConformance {
    static let appending = [
        Check("positions and numbers count on from one entry to the next") { handles in
            let first = try await handles.ledger.record(Sample.sold(), Sample.settings("aoi"))
            let second = try await handles.other.record(Sample.sold(), Sample.sold())
            #expect((first + second).map(\.position) == [1, 2, 3, 4])
            let number = StoreLimits.firstTransactionNumber
            #expect(
                (first + second).map { $0.number?.number } == [
                    number, nil, number + 1, number + 2,
                ])
        },
        Check("a refused decision leaves no gap in positions or numbers") { handles in
            let stale = Decision(reads: [.store: 7], entries: [Sample.sold()])
            let good = Decision(reads: [:], entries: [Sample.sold()])
            let results = try await handles.ledger.append(
                [good, stale, good, stale, good], at: Sample.now)
            let recorded = results.compactMap(\.recorded).flatMap { $0 }
            #expect(recorded.map(\.position) == [1, 2, 3])
            #expect(
                recorded.compactMap { $0.number?.number }
                    == (0..<3).map { StoreLimits.firstTransactionNumber + $0 })
        },
        Check("a stale version fails only its own decision") { handles in
            try await handles.ledger.record(Sample.settings("aoi"), Sample.settings("kai"))
            let results = try await handles.ledger.append(
                [
                    Decision(reads: [.account("aoi"): 0], entries: [Sample.sold(to: "aoi")]),
                    Decision(reads: [.account("kai"): 2], entries: [Sample.sold(to: "kai")]),
                ], at: Sample.now)
            #expect(results.map(\.isConflict) == [true, false])
            let entries = try await handles.other.allEntries()
            #expect(entries.map(\.entry.account) == ["aoi", "kai", "kai"])
        },
        Check("decisions of one append are checked against the versions before it") { handles in
            try await handles.ledger.record(Sample.settings("aoi"))
            let results = try await handles.ledger.append(
                [
                    Decision(reads: [.account("aoi"): 1], entries: [Sample.sold()]),
                    Decision(reads: [.account("aoi"): 1], entries: [Sample.sold()]),
                    Decision(reads: [.account("aoi"): 2], entries: [Sample.sold()]),
                ], at: Sample.now)
            #expect(results.map(\.isConflict) == [false, false, true])
            let version = try await handles.ledger.query { $0.accounts = ["aoi"] }
                .version(.account("aoi"))
            #expect(version == 3)
        },
        Check("after another handle's write, each decision based on the old version is refused") {
            handles in
            let first = Decision(reads: [.account("aoi"): 0], entries: [Sample.sold()])
            let second = Decision(reads: [.account("aoi"): 0], entries: [Sample.sold()])
            let stranger = Decision(
                reads: [.account("kai"): 0], entries: [Sample.sold(to: "kai")])
            try await handles.other.record(Sample.sold())
            let results = try await handles.ledger.append(
                [first, second, stranger], at: Sample.now)
            #expect(results.map(\.isConflict) == [true, true, false])
        },
        Check("a payment that is known already is refused") { handles in
            let payment = Payment.of(SampleCatalog.coins)
            let sale = Decision(
                reads: [:], newPayments: [payment.id], entries: [Sample.sold(payment: payment)])
            let results = try await handles.ledger.append([sale, sale], at: Sample.now)
            #expect(results.map(\.isConflict) == [false, true])
            let again = try await handles.other.append([sale], at: Sample.now)
            #expect(again.map(\.isConflict) == [true])
            #expect(try await handles.ledger.allEntries().count == 1)
        },
        Check("a refused decision leaves nothing behind, not even its attachments") { handles in
            let stale = Decision(
                reads: [.store: 3], entries: [Sample.sold()],
                attachments: ["digest": Data([1])])
            _ = try await handles.ledger.append([stale], at: Sample.now)
            #expect(try await handles.ledger.attachment("digest") == nil)
            #expect(try await handles.ledger.allEntries().isEmpty)
            try await expectFolded(handles)
        },
        Check("no entry is dated before an earlier one, wherever the clock goes") { handles in
            var recorded: [RecordedEntry] = []
            for step: Int64 in [0, -5_000, 3, -1, 4] {
                let now = Sample.now.advanced(byMilliseconds: step)
                recorded += try await handles.ledger.record(Sample.sold(), at: now)
                recorded += try await handles.other.record(Sample.sold(), at: now)
            }
            let dates = recorded.map { $0.recordedAt.milliseconds - Sample.now.milliseconds }
            #expect(dates == [0, 0, 0, 0, 3, 3, 3, 3, 4, 4])
            let until = try await handles.ledger.query().recordedUntil
            #expect(until == Sample.now.advanced(byMilliseconds: 4))
        },
        Check("an append of nothing changes nothing") { handles in
            let results = try await handles.ledger.append([], at: Sample.now)
            #expect(results.isEmpty)
            #expect(try await handles.ledger.head().position == 0)
        },
    ]
}
