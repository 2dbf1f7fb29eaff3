import StoreEngine
import StoreModel
import Testing

extension LedgerConformance {
    static let histories = [
        Check("a history is read backwards, page by page, until nothing is left") { handles in
            let catalog = CatalogRevision(number: 1, digest: "d", productCount: 0)
            let recorded = try await handles.ledger.record(
                Sample.sold(to: "aoi"), Sample.sold(to: "kai"),
                Sample.entry(.catalogRevised(catalog), of: nil),
                Sample.sold(to: "aoi"), Sample.sold(to: "aoi"))
            let head = try await handles.other.head()
            // A later entry is not part of a history read from here.
            try await handles.ledger.record(Sample.sold(to: "aoi"))
            let page = try await handles.other.entries(before: head, account: "aoi", limit: 2)
            #expect(page.entries == [recorded[4], recorded[3]])
            // The last page was full and ended at the first entry.
            #expect(
                try await handles.other.pages(before: head, account: "aoi", limit: 2)
                    == [[5, 4], [3, 1]])
            #expect(
                try await handles.other.pages(before: head, account: "kai", limit: 2) == [
                    [3, 2], [],
                ],
                "a full page may be the last")
            #expect(
                try await handles.other.pages(before: head, account: "noor", limit: 1)
                    == [[3], []], "what concerns everybody, and then nothing")
            #expect(
                try await handles.other.pages(before: head, account: nil, limit: 3)
                    == [[5, 4, 3], [2, 1]])
        },
        Check("small pages of a history have the entries of the feed, backwards") { handles in
            for index in 0..<17 {
                try await handles.ledger.record(
                    Sample.sold(to: index.isMultiple(of: 3) ? "kai" : "aoi"))
            }
            let head = try await handles.ledger.head()
            for account: AccountName? in [nil, "aoi", "kai", "noor"] {
                let feed = try await handles.ledger.entries(
                    after: Sample.start, account: account, limit: .max)
                for limit in [1, 2, 3, 5, 17, 18, .max] {
                    let pages = try await handles.other.pages(
                        before: head, account: account, limit: limit)
                    #expect(pages.allSatisfy { $0.count <= limit })
                    #expect(pages.dropLast().allSatisfy { $0.count == limit })
                    #expect(pages.flatMap(\.self) == feed.entries.reversed().map(\.position))
                }
            }
        },
        Check("a history is empty before the first entry, and complete behind the last") {
            handles in
            let empty = try await handles.ledger.entries(
                before: handles.ledger.head(), account: nil, limit: 5)
            #expect(empty.entries.isEmpty && empty.cursor == Sample.start)
            try await handles.ledger.record(Sample.sold(), Sample.sold())
            let first = try await handles.other.entries(
                before: Sample.start, account: "aoi", limit: 5)
            #expect(first.entries.isEmpty && first.cursor == Sample.start)
            let beyond = FeedCursor(epoch: 1, position: 1_000)
            let all = try await handles.other.entries(before: beyond, account: "aoi", limit: 5)
            #expect(all.entries.map(\.position) == [2, 1])
            #expect(all.cursor == Sample.start)
        },
        Check("a history of another epoch is refused") { handles in
            try await handles.ledger.record(Sample.sold())
            for account: AccountName? in [nil, "aoi"] {
                let error = await #expect(throws: StoreError.self) {
                    try await handles.ledger.entries(
                        before: FeedCursor(epoch: 2, position: 1), account: account, limit: 1)
                }
                #expect(error?.code == .storeReplaced)
            }
        },
    ]
}

extension Ledger {
    /// The positions of a whole history, page by page.
    func pages(before start: FeedCursor, account: AccountName?, limit: Int) async throws
        -> [[Int64]]
    {
        var cursor = start
        var pages: [[Int64]] = []
        repeat {
            let page = try await entries(before: cursor, account: account, limit: limit)
            try #require(
                page.cursor.position < max(1, cursor.position),
                "the cursor of a history must move back")
            pages.append(page.entries.map(\.position))
            cursor = page.cursor
        } while cursor.position > 0
        return pages
    }
}
