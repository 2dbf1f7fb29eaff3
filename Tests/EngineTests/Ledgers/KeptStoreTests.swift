import Foundation
import SQLLedger
import SQLiteLedger
import StoreCatalog
import StoreEngine
@testable import StoreModel
import StoreTestSupport
import Testing

/// The ledger of schema version 1 keeps all its records.
@Suite(.timeLimit(.minutes(10))) struct KeptStoreTests {
    private let folder: TemporaryFolder
    private let ledger: SQLiteLedger

    init() throws {
        folder = try KeptStore.version1.copy()
        ledger = try SQLiteLedger(path: folder.path + "/store.sqlite")
    }

    private func sales(_ account: AccountName) async throws -> [String] {
        try await ledger.transactions(
            of: account, before: nil, kinds: Set(ProductType.allCases), entitlingOnly: false,
            limit: 100
        ).map(summary)
    }

    private func summary(_ row: TransactionRow) -> String {
        let sale = row.sale
        return """
            \(row.id) \(row.account) \(sale.type) \(sale.price.milliunits) \(sale.price.currency) \
            \(sale.purchaseDate.milliseconds)
            """
    }

    @Test("a store of version 1 keeps every sale with its price and date")
    func sales() async throws {
        #expect(
            try await sales("me") == [
                "1000017 me nonConsumable 3990 USD 1799139600000",
                "1000015 me autoRenewable 2490 USD 1798794000000",
                "1000013 me consumable 990 USD 1796115600000",
                "1000007 me autoRenewable 0 USD 1796115600000",
                "1000006 me nonConsumable 3990 USD 1796115600000",
                "1000005 me nonRenewing 7990 USD 1796115600000",
                "1000004 me autoRenewable 2490 USD 1796115600000",
                "1000003 me nonConsumable 990 USD 1796115600000",
                "1000002 me consumable 7990 USD 1796115600000",
                "1000001 me consumable 2970 USD 1796115600000",
            ])
        #expect(
            try await sales("child") == [
                "1000010 child nonConsumable 400000 JPY 1796115600000",
                "1000008 child nonConsumable 300000 JPY 1796115600000",
            ])
        let entitling = try await ledger.entitling(of: "me").map(\.id.number)
        #expect(entitling == [1_000_003, 1_000_006, 1_000_007, 1_000_015, 1_000_017])
    }

    @Test("a store of version 1 keeps its pending requests, faults and unfinished sales")
    func waiting() async throws {
        #expect(try await ledger.pending().map(\.number.number) == [1_000_009, 1_000_012])
        let unfinished = try await ledger.unfinished(of: "me").map {
            "\($0.0.id) \($0.0.device?.rawValue ?? "any")"
        }
        #expect(unfinished == ["1000013 any", "1000017 tablet"])
        #expect(try await ledger.refundRequests().map(\.transactionID.number) == [1_000_003])
        var query = LedgerQuery()
        query.pending = [TransactionID(1_000_010), TransactionID(1_000_011)]
        let found = try await ledger.snapshot(query)
        #expect(found.faults.map(\.remaining) == [3, 1])
        #expect(found.faults.map(\.error) == [.paymentDeclined, .systemError])
        #expect(found.pending.isEmpty, "approved and declined")
        #expect(found.transactions.keys.map(\.number) == [1_000_010], "the approved one")
    }

    @Test("a store of version 1 keeps the settings of accounts, families and renewals")
    func settings() async throws {
        let rows = try await ledger.allRows()
        #expect(
            rows.accounts == [
                "aoi": AccountSettings(
                    name: "aoi", territory: "USA", asksBank: true, locale: "ja_JP"),
                "child": AccountSettings(name: "child", territory: "JPN", askToBuy: true),
                "me": AccountSettings(name: "me", territory: "USA"),
                "mio": AccountSettings(name: "mio", territory: "USA", interruptsPurchases: true),
                "mum": AccountSettings(name: "mum", territory: "USA"),
            ])
        #expect(try await ledger.families().map(\.organizer) == ["mum"])
        #expect(rows.renewals == RenewalSettings(hasGracePeriod: true))
        let basic = rows.subscriptions[TransactionID(1_000_004)]
        #expect(basic?.latest.number == 1_000_015 && basic?.state.offReason == .chosen)
        let id = try #require(UUID(uuidString: "0A000000-0000-4000-8000-000000000008"))
        #expect(rows.extensions == [id: Timestamp(milliseconds: 1_796_115_600_000)])
        #expect(rows.transactions[TransactionID(1_000_001)]?.state.revision == 1)
        #expect(rows.transactions[TransactionID(1_000_005)]?.state.isRevoked == true)
    }

    @Test("a store of version 1 keeps its takings, identity and catalog")
    func storeWide() async throws {
        let takings = try await ledger.takings().map { "\($0.currency) \($0.sales)" }
        #expect(takings == ["JPY 2", "USD 12"])
        let found = try await ledger.snapshot(LedgerQuery())
        #expect(found.identity?.bundleID == "com.example.lantern")
        #expect(found.identity?.appAppleID == 1_234_567_890)
        #expect(found.catalog?.productCount == 21)
        let digest = try #require(found.catalog?.digest)
        #expect(try await ledger.attachment(digest)?.isEmpty == false)
    }

    @Test("a store of version 1 keeps all entries, and its lookups agree with them")
    func entries() async throws {
        let entries = try await ledger.allEntries()
        #expect(entries.map(\.position) == Array(1...63))
        #expect(try await ledger.allRows() == Projections(folding: entries))
        let failures = entries.filter {
            if case .failed = $0.entry.fact { true } else { false }
        }
        #expect(failures.map(\.position) == [25, 29, 32, 38])
    }

    @Test("a store of version 1 has its history by kind and by product")
    func history() async throws {
        func positions(_ filter: HistoryFilter) async throws -> [Int64] {
            try await ledger.entries(before: ledger.head(), filter: filter, limit: 100)
                .entries.map(\.position)
        }
        #expect(try await positions(.init(kinds: [.failed])) == [38, 32, 29, 25])
        #expect(try await positions(HistoryFilter()) == (2...63).filter { $0 != 47 }.reversed())
        #expect(try await positions(.init(kinds: [.sold])).count == 14)
        for id in try await ledger.query({ $0.wantsSoldProducts = true }).soldProducts.keys {
            let sold = try await positions(.init(kinds: [.sold], product: id))
            let finished = try await positions(.init(kinds: [.finished], product: id))
            #expect(!sold.isEmpty && finished.count <= sold.count)
        }
        #expect(try await positions(.init(kinds: [.finished])).count == 11)
    }

    @Test("a store of version 1 gives its next sale the next number")
    func goesOn() async throws {
        let store = try await TestStore(
            ledger: ledger, clock: ManualClock(Timestamp(milliseconds: 1_799_200_000_000)),
            identity: AppIdentity(
                bundleID: "com.example.lantern", appAppleID: 1_234_567_890,
                environment: "Sandbox"))
        let session = store.session(account: "new")
        let refused = try await session.purchase(.of(SampleCatalog.coins))
        #expect(refused.failure?.code == .paymentDeclined, "the fault in force is met")
        try await store.console.clearFaults()
        let outcome = try await session.purchase(.of(SampleCatalog.coins))
        #expect(outcome.number?.number == 1_000_018)
    }
}

@Suite(.timeLimit(.minutes(10))) struct OlderStoreTests {
    @Test(
        "the ledger of a version before the first release is refused and left as it is",
        arguments: KeptStore.older)
    func refused(_ kept: KeptStore) throws {
        let folder = try kept.copy()
        let before = try folder.state()
        let error = #expect(throws: StoreError.self) {
            try SQLiteLedger(path: folder.path + "/store.sqlite")
        }
        #expect(error == StoreError(.storeOlder, subject: folder.path + "/store.sqlite"))
        #expect(try folder.state() == before)
    }
}
