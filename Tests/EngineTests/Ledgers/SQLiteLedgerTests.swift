import Foundation
import SQLLedger
import SQLiteLedger
@testable import StoreEngine
@testable import StoreModel
import StoreTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SQLiteLedgerTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/store.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    @Test("a reopened ledger has the same entries and rows")
    func reopeningGivesTheSame() async throws {
        let entries: [RecordedEntry]
        let rows: Projections
        do {
            let store = try await TestStore(ledger: SQLiteLedger(path: path))
            for product in [SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.monthly] {
                _ = try await store.session().purchase(.of(product))
            }
            entries = try await store.entries()
            rows = try await store.ledger.allRows()
        }
        let again = try SQLiteLedger(path: path)
        #expect(try await again.allEntries() == entries)
        #expect(try await again.allRows() == rows)
        #expect(entries.count == 6, "opened, catalog, account, three sales")
    }

    /// After a person deletes or replaces a store, no process may sell into the old file.
    @Test("a purchase into a deleted or replaced file is refused", arguments: [false, true])
    func nothingIsSoldIntoAFileThatIsGone(_ isReplaced: Bool) async throws {
        let store = try await TestStore(ledger: SQLiteLedger(path: path))
        _ = try await store.session().purchase(.of(SampleCatalog.coins))
        for end in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + end) }
        if isReplaced { _ = try await TestStore(ledger: SQLiteLedger(path: path)) }
        await #expect {
            try await store.session().purchase(.of(SampleCatalog.coins))
        } throws: {
            ($0 as? StoreError)?.code == .storeReplaced
        }
        await #expect {
            try await store.session().entitlements()
        } throws: {
            ($0 as? StoreError)?.code == .storeReplaced
        }
    }

    @Test(
        "a stamp is the same until an append of any process, and a file that is gone has none",
        arguments: [false, true])
    func stamps(_ isReplaced: Bool) async throws {
        let (ledger, other) = (try SQLiteLedger(path: path), try SQLiteLedger(path: path))
        let store = try await TestStore(ledger: ledger)
        let elsewhere = try await TestStore(ledger: other)
        var seen: Set<CommitStamp> = []
        for buyer in [store, elsewhere, store, elsewhere] {
            let stamp = try #require(ledger.stamp)
            #expect(seen.insert(stamp).inserted)
            _ = try await (ledger.head(), other.head())
            #expect(ledger.stamp == stamp && other.stamp == stamp)
            _ = try await buyer.session().purchase(.of(SampleCatalog.coins))
        }
        for end in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + end) }
        if isReplaced { _ = try await TestStore(ledger: SQLiteLedger(path: path)) }
        #expect(ledger.stamp == nil && other.stamp == nil)
    }

    @Test("WAL space is reserved ahead and returned when the ledger is closed")
    func walSpaceIsReservedAndReturned() async throws {
        let copy = try TemporaryFolder()
        do {
            let store = try await TestStore(ledger: SQLiteLedger(path: path))
            for _ in 0..<20 { _ = try await store.session().purchase(.of(SampleCatalog.coins)) }
            #expect(try length(of: path + "-wal") >= 512 * 1024)
            // As a kill would leave the file and its WAL: with zeros behind the last frame.
            for end in ["", "-wal"] {
                try FileManager.default.copyItem(
                    atPath: path + end, toPath: copy.path + "/store.sqlite" + end)
            }
        }
        #expect(try length(of: path + "-wal") == 0)
        for path in [path, copy.path + "/store.sqlite"] {
            #expect(try await SQLiteLedger(path: path).allRows().transactions.count == 20)
        }
    }

    private func length(of path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }

    /// Sales are encoded by hand and decoded by `Codable`.
    @Test("every field of a sale is read back by another ledger handle")
    func everyFieldOfASaleIsReadByAnotherProcess() async throws {
        let money = Money(milliunits: -1, currency: "\"\\\u{7}\n€")
        let payment = Payment(
            id: PaymentID(UUID()), productID: ProductID("深 \"quoted\""), quantity: 10,
            shownPrice: money, appAccountToken: UUID())
        var full = Sale(
            payment: payment, type: .autoRenewable, groupID: SubscriptionGroupID("group/\t"),
            original: Sale.Original(id: TransactionID(7), purchaseDate: .earliest),
            purchaseDate: .latest, expiresDate: Timestamp(milliseconds: 0), storefront: "JPN",
            price: Money(milliunits: .max, currency: "JPY"), grant: Grant(unit: "金", amount: .min))
        full.offer = SoldOffer(
            kind: .code, id: "offer/\"", mode: .payAsYouGo,
            period: SubscriptionPeriod(unit: .week, value: 2), price: money, periodsLeft: 3,
            code: "CODE", nonce: UUID(), payment: payment.id)
        full.nextOffer = SoldOffer(
            kind: .introductory, mode: .freeTrial,
            period: SubscriptionPeriod(unit: .day, value: 3), price: money, periodsLeft: 1)
        full.ordinaryPeriod = SubscriptionPeriod(unit: .year, value: 1)
        full.askedOffer = PaymentOffer(
            kind: .promotional, id: "offer/\"", code: "CODE",
            signature: .parameters(
                keyID: "K", nonce: UUID(), timestamp: .latest, signature: Data([0, 255])))
        let plain = Sale(
            payment: Payment(id: PaymentID(UUID()), productID: "plain", shownPrice: money),
            type: .consumable, purchaseDate: .earliest, storefront: "", price: money)
        let decisions = [full, plain].map { sale in
            Decision(
                reads: [:],
                entries: [
                    Entry(
                        account: "me", device: "phone", effectiveAt: .earliest, number: .next,
                        fact: .sold(sale))
                ])
        }
        _ = try await SQLiteLedger(path: path).append(decisions, at: .earliest)
        let read = try await SQLiteLedger(path: path).allEntries()
        #expect(read.map(\.entry.fact) == [.sold(full), .sold(plain)])
    }

    @Test("opening an up-to-date store writes nothing")
    func aStoreThatIsAsItShouldBeIsOpenedWithoutAWrite() async throws {
        _ = try await TestStore(ledger: SQLiteLedger(path: path))
        let ledger = try SQLiteLedger(path: path)
        _ = try await TestStore(ledger: ledger)
        #expect(ledger.commits == 0)
    }

    /// The second handle has its own notifier, as another process has. A ledger that watches its
    /// files does not poll.
    @Test("another handle's entries wake a reader that watches the files and does not poll")
    func otherHandlesWakeReaders() async throws {
        let ledger = try SQLiteLedger(path: path)
        let other = try SQLiteLedger(path: path)
        let wakes = ledger.changes()
        #expect(ledger.isWatching)
        let entry = Entry(
            account: "aoi", device: nil, effectiveAt: .earliest,
            fact: .accountChanged(AccountSettings(name: "aoi", territory: "USA")))
        for count in 1...3 {
            _ = try await other.append([Decision(reads: [:], entries: [entry])], at: .earliest)
            repeat {
                #expect(await wakes.nextWake())
            } while try await ledger.head().position < Int64(count)
        }
    }

    @Test("a page of history takes few disk reads, however long the ledger and rare what it shows")
    func historyByIndex() async throws {
        let disk = try #require(FaultyDisk(folder: folder.path, failAt: 0, kind: .broken))
        let later = Timestamp.earliest.advanced(byMilliseconds: 1)
        do {
            let ledger = try SQLiteLedger(path: path)
            func deferred(_ product: ProductID, of account: AccountName) -> Entry {
                Entry(
                    account: account, device: "phone", effectiveAt: .earliest, number: .next,
                    fact: .deferred(.of(product), .askToBuy))
            }
            func settings(_ account: AccountName) -> Entry {
                Entry(
                    account: account, device: nil, effectiveAt: .earliest,
                    fact: .accountChanged(AccountSettings(name: account, territory: "USA")))
            }
            // The rare entries are the oldest: a search from the newest passes 3,000 others first.
            let rare = [
                settings("aoi"), deferred(SampleCatalog.coins, of: "aoi"),
                deferred(SampleCatalog.pass, of: "kai"),
            ]
            let common = (0..<3_000).map { index in
                deferred(SampleCatalog.theme, of: index.isMultiple(of: 2) ? "kai" : "aoi")
            }
            _ = try await ledger.append(
                [Decision(reads: [:], entries: rare + common)], at: .earliest)
            _ = try await ledger.append(
                [Decision(reads: [:], entries: [settings("noor")])], at: later)
        }
        // A new handle has an empty cache.
        func reads(_ filter: HistoryFilter, limit: Int = 10, count: Int) async throws -> Int {
            let ledger = try SQLiteLedger(path: path)
            let head = try await ledger.head()
            let before = disk.reads
            let page = try await ledger.entries(before: head, filter: filter, limit: limit)
            #expect(page.entries.count == count, "\(filter)")
            return disk.reads - before
        }
        let pages: [(HistoryFilter, count: Int)] = [
            (HistoryFilter(), 10), (.init(account: "aoi"), 10), (.init(account: "kai"), 10),
            (.init(account: "nobody"), 0), (.init(kinds: [.deferred]), 10),
            (.init(kinds: [.accountChanged]), 2), (.init(kinds: [.accountChanged, .claimed]), 2),
            (.init(kinds: [.accountChanged], account: "aoi"), 1), (.init(kinds: [.refunded]), 0),
            (.init(product: SampleCatalog.theme), 10), (.init(product: SampleCatalog.coins), 1),
            (.init(product: SampleCatalog.pass, account: "aoi"), 0),
            (.init(product: SampleCatalog.pass, account: "kai"), 1),
            (.init(kinds: [.deferred], product: SampleCatalog.coins, account: "aoi"), 1),
            (.init(since: later), 1), (.init(product: SampleCatalog.theme, since: later), 0),
        ]
        for (filter, count) in pages {
            #expect(try await reads(filter, count: count) < 30, "\(filter)")
        }
        #expect(
            try await reads(.init(account: "aoi"), limit: 1_500, count: 1_500) > 100,
            "reads are counted")
    }

    @Test("many first starts at once all succeed")
    func manyFirstStartsAtOnceAllSucceed() async throws {
        let path = path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask { _ = try await TestStore(ledger: SQLiteLedger(path: path)) }
            }
            try await group.waitForAll()
        }
        let entries = try await SQLiteLedger(path: path).allEntries()
        let openings = entries.filter {
            if case .storeOpened = $0.entry.fact { true } else { false }
        }
        #expect(openings.count == 1)
        #expect(entries.count == 2, "opened, catalog")
    }

    @Test("a file that is not a ledger is refused")
    func anotherProgramsDatabaseIsRefused() throws {
        try Data("SQLite format 3\0 but no more".utf8).write(to: URL(filePath: path))
        let error = #expect(throws: StoreError.self) { try SQLiteLedger(path: path) }
        #expect(error?.code == .storeUnreadable)
    }

    @Test("only the owner may read the ledger's files")
    func onlyTheOwnerMayReadTheFiles() async throws {
        _ = try await TestStore(ledger: SQLiteLedger(path: path))
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let file = folder.path + "/" + name
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }
}
