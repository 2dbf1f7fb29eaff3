import Foundation
import SQLiteLedger
import StoreCatalog
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// The store that version 0.1.0 made keeps all its records.
@Suite(.timeLimit(.minutes(10))) struct KeptStoreTests {
    private let folder: TemporaryFolder
    private let ledger: SQLiteLedger

    init() throws {
        folder = try KeptStore.schema1.copy()
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

    @Test("a 0.1.0 store keeps every sale with its price and date")
    func sales() async throws {
        #expect(
            try await sales("me") == [
                "1000014 me nonConsumable 3990 USD 1795302445912",
                "1000013 me consumable 990 USD 1795302444653",
                "1000007 me autoRenewable 0 USD 1795302406361",
                "1000006 me nonConsumable 3990 USD 1795302404637",
                "1000005 me nonRenewing 7990 USD 1795302403883",
                "1000004 me autoRenewable 2490 USD 1795302403801",
                "1000003 me nonConsumable 990 USD 1795302403697",
                "1000002 me consumable 7990 USD 1795302403581",
                "1000001 me consumable 2970 USD 1795302402329",
            ])
        #expect(
            try await sales("child") == [
                "1000010 child nonConsumable 400000 JPY 1795302442501",
                "1000008 child nonConsumable 300000 JPY 1795302408186",
            ])
        let entitling = try await ledger.entitling(of: "me").map(\.id.number)
        #expect(entitling == [1_000_003, 1_000_004, 1_000_005, 1_000_006, 1_000_007, 1_000_014])
    }

    @Test("a 0.1.0 store keeps its pending requests, faults and unfinished sales")
    func waiting() async throws {
        #expect(try await ledger.pending().map(\.number.number) == [1_000_009, 1_000_012])
        let unfinished = try await ledger.unfinished(of: "me").map {
            "\($0.0.id) \($0.0.device?.rawValue ?? "any")"
        }
        #expect(unfinished == ["1000013 terminal", "1000014 tablet"])
        var query = LedgerQuery()
        query.accounts = ["me", "child"]
        query.pending = [TransactionID(1_000_010), TransactionID(1_000_011)]
        let found = try await ledger.snapshot(query)
        #expect(found.faults.map(\.remaining) == [3, 1])
        #expect(found.faults.map(\.error) == [.paymentDeclined, .systemError])
        #expect(found.accounts["child"]?.askToBuy == true)
        #expect(found.accounts["child"]?.territory == "JPN")
        #expect(found.accounts["me"]?.askToBuy == false)
        #expect(found.pending.isEmpty, "approved and declined")
        #expect(found.transactions.keys.map(\.number) == [1_000_010], "the approved one")
    }

    @Test("a 0.1.0 store keeps its takings, identity and catalog")
    func storeWide() async throws {
        let takings = try await ledger.takings().map { "\($0.currency) \($0.sales)" }
        #expect(takings == ["JPY 2", "USD 9"])
        let found = try await ledger.snapshot(LedgerQuery())
        #expect(found.identity?.bundleID == "com.example.lantern")
        #expect(found.identity?.appAppleID == 1_234_567_890)
        #expect(found.catalog?.productCount == 21)
        let digest = try #require(found.catalog?.digest)
        #expect(try await ledger.attachment(digest)?.isEmpty == false)
    }

    @Test("a 0.1.0 store keeps all entries, and its lookups agree with them")
    func entries() async throws {
        let entries = try await ledger.allEntries()
        #expect(entries.map(\.position) == Array(1...41))
        #expect(try await ledger.allRows() == Projections(folding: entries))
        let failures = entries.filter {
            if case .failed = $0.entry.fact { true } else { false }
        }
        #expect(failures.map(\.position) == [23, 27, 30, 36])
    }

    @Test("a 0.1.0 store's history is found by kind and by product")
    func history() async throws {
        func positions(_ filter: HistoryFilter) async throws -> [Int64] {
            try await ledger.entries(before: ledger.head(), filter: filter, limit: 100)
                .entries.map(\.position)
        }
        #expect(try await positions(.init(kinds: [.failed])) == [36, 30, 27, 23])
        #expect(try await positions(HistoryFilter()) == Array(2...41).reversed())
        #expect(try await positions(.init(kinds: [.sold])).count == 11)
        for id in try await ledger.soldProducts().keys {
            let sold = try await positions(.init(kinds: [.sold], product: id))
            let finished = try await positions(.init(kinds: [.finished], product: id))
            #expect(!sold.isEmpty && finished.count <= sold.count)
        }
        #expect(try await positions(.init(kinds: [.finished])).count == 9)
    }

    @Test("a 0.1.0 store gives its next sale the next number")
    func goesOn() async throws {
        let store = try await TestStore(
            ledger: ledger, clock: ManualClock(Timestamp(milliseconds: 1_795_303_000_000)),
            identity: AppIdentity(
                bundleID: "com.example.lantern", appAppleID: 1_234_567_890,
                environment: "Sandbox"))
        let session = store.session(account: "new")
        let refused = try await session.purchase(.of(SampleCatalog.coins))
        #expect(refused.failure?.code == .paymentDeclined, "the fault in force is met")
        try await store.console.clearFaults()
        let outcome = try await session.purchase(.of(SampleCatalog.coins))
        #expect(outcome.number?.number == 1_000_015)
    }
}

/// A store from before accounts had a locale and dialogs could be switched off keeps all its
/// records.
@Suite(.timeLimit(.minutes(10))) struct KeptAccountsTests {
    private let folder: TemporaryFolder
    private let ledger: SQLiteLedger

    init() throws {
        folder = try KeptStore.schema6.copy()
        ledger = try SQLiteLedger(path: folder.path + "/store.sqlite")
    }

    private static let identity = AppIdentity(
        bundleID: "storekit.5a1c0de6", appAppleID: nil, environment: .sandbox)

    private func store(_ catalog: Catalog, digest: String) async throws -> TestStore {
        try await TestStore(
            ledger: ledger, clock: ManualClock(Timestamp(milliseconds: 1_795_430_000_000)),
            catalog: catalog, digest: digest, identity: Self.identity)
    }

    @Test("entries stay as they were, and all lookups are folded from them")
    func entries() async throws {
        let entries = try await ledger.allEntries()
        #expect(entries.map(\.position) == Array(1...19))
        #expect(try await ledger.allRows() == Projections(folding: entries))
        let sales = try await ledger.transactions(
            of: "me", before: nil, kinds: Set(ProductType.allCases), entitlingOnly: false,
            limit: 100)
        #expect(sales.map(\.id.number) == [1_000_006, 1_000_005, 1_000_003, 1_000_002, 1_000_001])
        #expect(try await ledger.pending().map(\.number.number) == [1_000_004])
    }

    @Test("accounts keep their settings; what the file in force says is not applied a second time")
    func settings() async throws {
        let kept = try await ledger.allRows().accounts
        #expect(
            kept == [
                "aoi": AccountSettings(name: "aoi", territory: "USA", interruptsPurchases: true),
                "kai": AccountSettings(name: "kai", territory: "JPN", asksBank: true),
                "me": AccountSettings(name: "me", territory: "USA"),
                "mio": AccountSettings(name: "mio", territory: "USA", canMakePayments: false),
            ])
        let reading = CatalogReader.read(path: folder.path + "/catalog.storekit")
        let catalog = try #require(reading.catalog)
        let store = try await store(catalog, digest: reading.sourceDigest)
        #expect(!store.engine.adoptedCatalog)
        #expect(try await store.session(account: "me").settings() == kept["me"])
        let new = try await store.session(account: "new").settings()
        #expect(new.locale == "en_US" && new.disablesDialogs)

        var japanese = catalog
        japanese.settings?.locale = "ja_JP"
        let revised = try await self.store(japanese, digest: "two")
        #expect(revised.engine.adoptedCatalog)
        let me = try await revised.session(account: "me").settings()
        #expect(me == AccountSettings(name: "me", territory: "USA", locale: "ja_JP"))
    }
}

/// A store from before changes of plan for later could wait for approval keeps its planned changes,
/// and now approves requests that would have failed then.
@Suite(.timeLimit(.minutes(10))) struct KeptPlansTests {
    private let folder: TemporaryFolder
    private let ledger: SQLiteLedger

    init() throws {
        folder = try KeptStore.schema7.copy()
        ledger = try SQLiteLedger(path: folder.path + "/store.sqlite")
    }

    private func store() async throws -> TestStore {
        let reading = CatalogReader.read(path: folder.path + "/catalog.json")
        return try await TestStore(
            ledger: ledger, clock: ManualClock(Timestamp(milliseconds: 1_795_477_430_000)),
            catalog: try #require(reading.catalog), digest: reading.sourceDigest,
            identity: AppIdentity(
                bundleID: "com.example.lantern", appAppleID: 1_234_567_890, environment: .sandbox))
    }

    @Test("entries stay as they were, and how requests ended is folded from them")
    func entries() async throws {
        let entries = try await ledger.allEntries()
        #expect(entries.map(\.position) == Array(1...15))
        let rows = try await ledger.allRows()
        let folded = try Projections(folding: entries)
        #expect(rows == folded)
        #expect(rows.pending.keys.map(\.number) == [1_000_001])
        #expect(rows.requestEnds.keys.map(\.number) == [1_000_004])
        #expect(rows.subscriptions[TransactionID(1_000_003)]?.state.nextProductID == "plus.month")
    }

    @Test("the payment that planned a change is answered the same again, and the change is made")
    func planned() async throws {
        let store = try await store()
        let id = try #require(PaymentID("0A000000-0000-4000-8000-000000000007"))
        let payment = Payment(
            id: id, productID: "plus.month", shownPrice: Money(milliunits: 4_990, currency: "USD"))
        let session = store.session(account: "kai", device: "tablet")
        let before = try await store.entries().count
        guard
            case .purchased(_, TransactionID(1_000_003), true) = try await session.purchase(payment)
        else {
            Issue.record("another answer")
            return
        }
        #expect(try await store.entries().count == before)
        _ = try await store.console.perform(.clock(.next))
        let last = try await ledger.allRows().transactions.values.max { $0.id < $1.id }
        #expect(last?.sale.productID == "plus.month")
    }

    @Test("a request that waits beside a plan of a higher level is approved for the renewal")
    func approved() async throws {
        let store = try await store()
        let request = TransactionID(1_000_001)
        let events = try await store.console.perform(.approve(request))
        guard case .subscriptionChanged(let change)? = events.first?.change else {
            Issue.record("\(events)")
            return
        }
        #expect(change.kind == .planChangePlanned && change.answers?.request == request)
        #expect(try await store.console.pendingRequests().isEmpty)
        let rows = try await ledger.allRows()
        let folded = try Projections(folding: try await ledger.allEntries())
        #expect(rows == folded)
    }
}

/// A store from before members were told of revoked shares keeps its shares, and now tells the
/// members.
@Suite(.timeLimit(.minutes(10))) struct KeptSharesTests {
    private let folder: TemporaryFolder
    private let ledger: SQLiteLedger

    init() throws {
        folder = try KeptStore.schema8.copy()
        ledger = try SQLiteLedger(path: folder.path + "/store.sqlite")
    }

    private func store() async throws -> TestStore {
        let reading = CatalogReader.read(path: folder.path + "/catalog.json")
        return try await TestStore(
            ledger: ledger, clock: ManualClock(Timestamp(milliseconds: 1_795_510_530_000)),
            catalog: try #require(reading.catalog), digest: reading.sourceDigest,
            identity: AppIdentity(
                bundleID: "com.example.lantern", appAppleID: 1_234_567_890, environment: .sandbox))
    }

    @Test("entries stay as they were, and all lookups are folded from them")
    func entries() async throws {
        let entries = try await ledger.allEntries()
        #expect(entries.map(\.position) == Array(1...25))
        let rows = try await ledger.allRows()
        let folded = try Projections(folding: entries)
        #expect(rows == folded)
        let id = try #require(UUID(uuidString: "0A000000-0000-4000-8000-000000000008"))
        #expect(rows.extensions == [id: Timestamp(milliseconds: 1_795_510_515_910)])
    }

    @Test("the extension for all that was made extends nobody a second time")
    func extensions() async throws {
        let store = try await store()
        let id = try #require(UUID(uuidString: "0A000000-0000-4000-8000-000000000008"))
        _ = try await store.console.perform(
            .clock(.advance(.calendar(SubscriptionPeriod(unit: .day, value: 1)))))
        _ = try await store.session(account: "new").purchase(
            Payment(
                id: PaymentID(UUID()), productID: "plus.month",
                shownPrice: Money(milliunits: 4_990, currency: "USD")))
        let events = try await store.console.perform(.extendAll("plus.month", days: 3, id: id))
        #expect(events.isEmpty)
    }

    @Test("who left is told that the share is revoked, who stayed that it goes on")
    func statuses() async throws {
        let store = try await store()
        for (account, state) in [("dad", RenewalState.revoked), ("kai", .subscribed)] {
            let statuses = try await store.session(account: AccountName(account))
                .subscriptionStatuses()
            #expect(statuses.map(\.state) == [state] && statuses.map(\.sharedBy) == ["mum"])
        }
    }
}
