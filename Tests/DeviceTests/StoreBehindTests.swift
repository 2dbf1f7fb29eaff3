import Foundation
import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// A store that was restored from an older copy has fewer entries than its devices have read.
@Suite("a store restored from an older copy", .timeLimit(.minutes(10))) struct StoreBehindTests {
    private let home: Home
    /// The same store as it was before any sale.
    private let older: TestStore

    init() async throws {
        home = try await Home()
        older = try await TestStore()
    }

    private func openOlder() async throws -> Device {
        try await Device(
            store: older.session(), storeFolder: home.folder.path, clock: older.clock,
            elapsed: ContinuousClock(),
            pacer: BandwidthPacer(bytesPerSecond: nil, clock: ContinuousClock()))
    }

    @Test("a device refuses to open on an older copy of its store")
    func refused() async throws {
        try await home.sell(SampleCatalog.coins)
        let error = await #expect(throws: StoreError.self) { try await openOlder() }
        #expect(error?.code == .storeBehind)
        #expect(error?.isRetryable == false)
        #expect(try await older.entries().count == 2, "opened, catalog")
    }

    @Test("once an older copy is accepted, new sales are granted and old grants stay")
    func accepted() async throws {
        try await home.sell(SampleCatalog.coins, SampleCatalog.theme)
        let accepted = try await Device.acceptStore(
            older.session(), storeFolder: home.folder.path)
        #expect(accepted?.unknownSales == 2)
        let device = try await openOlder()
        try await device.launch()
        let id = try #require(try await device.buy(.of(SampleCatalog.coins)).number)
        #expect(id == TransactionID(StoreLimits.firstTransactionNumber), "numbers begin again")
        try await home.until(device) { try await device.balances().coins == 20 }
        #expect(
            Set(try await device.latestDeliveries().map(\.productID)) == [
                SampleCatalog.coins, SampleCatalog.theme,
            ])
        #expect(device.alteredRecords.isEmpty)
        let again = try await Device.acceptStore(older.session(), storeFolder: home.folder.path)
        #expect(again == nil, "there is nothing to accept")
    }

    /// On another device, until the older store's last entry is past this device's cursor.
    private func sellFromOlder() async throws {
        older.clock.advance(byMilliseconds: 1000)
        for _ in 0..<5 {
            _ = try await older.session(device: "tablet").purchase(.of(SampleCatalog.pass))
        }
    }

    @Test("an older copy that has sold other things since is refused, and says how far both agree")
    func caughtUp() async throws {
        try await home.sell(SampleCatalog.theme)
        try await sellFromOlder()
        let error = await #expect(throws: StoreError.self) { try await openOlder() }
        #expect(error?.code == .storeBehind)
        #expect(error?.found != nil && error?.found == error?.expected)
    }

    @Test("a device that was given nothing notices an older copy too, by what it has read")
    func noticedWithoutSales() async throws {
        await (try await home.open()).close()
        let tablet = home.session("tablet")
        let id = try #require(try await tablet.purchase(.of(SampleCatalog.theme)).number)
        // The sale is finished, so the device gets it from the feed alone.
        _ = try await tablet.finish(id)
        let device = try await home.launch()
        try await home.until(device) { try await device.deliveries().count == 1 }
        await device.close()
        try home.alter("DELETE FROM deliveries")
        for _ in 0..<5 {
            _ = try await older.session(device: "tablet").purchase(.of(SampleCatalog.coins))
        }
        let error = await #expect(throws: StoreError.self) { try await openOlder() }
        #expect(error?.code == .storeBehind && error?.transactionID == nil)
    }

    /// As `storefront store copy --as-copy` makes it: with all entries, and an epoch of its own.
    @Test("a device refuses a copy that sells beside its store, until the copy is accepted")
    func copyBeside() async throws {
        try await home.sell(SampleCatalog.theme)
        let ledger = InMemoryLedger()
        let entries = try await home.store.entries().map(\.entry)
        let copied = Entry(
            account: nil, device: nil, effectiveAt: .earliest, fact: .moved(.copied(epoch: 77)))
        _ = try await ledger.append([Decision(reads: [:], entries: entries)], at: .earliest)
        _ = try await ledger.append([Decision(reads: [:], entries: [copied])], at: .earliest)
        let copy = try await TestStore(ledger: ledger)
        func openOnCopy() async throws -> Device {
            try await Device(
                store: copy.session(), storeFolder: home.folder.path, clock: copy.clock,
                elapsed: ContinuousClock(),
                pacer: BandwidthPacer(bytesPerSecond: nil, clock: ContinuousClock()))
        }
        let error = await #expect(throws: StoreError.self) { try await openOnCopy() }
        #expect(error?.code == .storeBehind && error?.found == error?.expected)
        let accepted = try await Device.acceptStore(copy.session(), storeFolder: home.folder.path)
        #expect(accepted?.unknownSales == 0, "the copy knows what was sold before")
        let device = try await openOnCopy()
        try await device.launch()
        _ = try await device.buy(.of(SampleCatalog.coins))
        try await home.until(device) { try await device.balances().coins == 10 }
        await device.close()
        let back = await #expect(throws: StoreError.self) { try await home.open() }
        #expect(back?.code == .storeBehind, "the store that was copied is another one now")
    }

    @Test("a sale delivered at launch, while its event was still unread, is compared too")
    func deliveredAheadOfTheFeed() async throws {
        await (try await home.open()).close()
        try home.alter("CREATE TABLE kept AS SELECT value FROM meta WHERE name = 'cursor'")
        try await home.sell(SampleCatalog.theme)
        // As a device that listed the sale as unfinished, and ended before it read the feed.
        try home.alter(
            """
            UPDATE meta SET value = (SELECT value FROM kept) WHERE name = 'cursor';
            UPDATE deliveries SET as_of =
                (SELECT CAST(value AS TEXT) ->> '$.position' FROM kept);
            DROP TABLE kept
            """)
        try await sellFromOlder()
        let error = await #expect(throws: StoreError.self) { try await openOlder() }
        #expect(error?.code == .storeBehind)
    }

    @Test("a device without a mark recognizes an older copy by a reused number")
    func withoutMark() async throws {
        try await home.sell(SampleCatalog.theme)
        try home.alter(
            """
            UPDATE meta SET value = CAST(json_remove(CAST(value AS TEXT), '$.mark') AS BLOB)
            WHERE name = 'cursor'
            """)
        try await sellFromOlder()
        let error = await #expect(throws: StoreError.self) { try await openOlder() }
        #expect(error?.code == .storeBehind)
        #expect(error?.transactionID == TransactionID(StoreLimits.firstTransactionNumber))
        let accepted = try await Device.acceptStore(older.session(), storeFolder: home.folder.path)
        #expect(accepted?.unknownSales == 1)
        await (try await openOlder()).close()
    }

    @Test("a device that opens without a network refuses an older copy when the network is back")
    func noticedLater() async throws {
        try await home.sell(SampleCatalog.theme)
        try await sellFromOlder()
        let before = try await home.open()
        try await before.setNetwork(.off(milliseconds: nil))
        await before.close()
        let device = try await openOlder()
        let updates = device.updates()
        try await device.launch()
        try await device.setNetwork(.on)
        let ended = await updates.first { update -> StoreError? in
            if case .trouble(let error, in: _, ended: true) = update { error } else { nil }
        }
        #expect(ended?.code == .storeBehind)
        await device.close()
    }

    @Test(
        "after a store that has sold other things is accepted, restore works, nothing is lost, and what is owned is not charged again"
    )
    func acceptedAfterSales() async throws {
        try await home.sell(SampleCatalog.coins, SampleCatalog.theme)
        older.clock.advance(byMilliseconds: 1000)
        let other = older.session(device: "tablet")
        for product in [SampleCatalog.otherTheme, SampleCatalog.pass, SampleCatalog.coins] {
            let id = try #require(try await other.purchase(.of(product)).number)
            _ = try await other.finish(id)
        }
        let accepted = try await Device.acceptStore(older.session(), storeFolder: home.folder.path)
        #expect(accepted?.unknownSales == 2)
        let device = try await openOlder()
        try await device.launch()
        let sales = try await older.console.takings().reduce(0) { $0 + $1.sales }
        let error = await #expect(throws: StoreError.self) {
            try await device.buy(.of(SampleCatalog.theme))
        }
        #expect(error?.code == .alreadyOwned)
        #expect(try await device.queuedPayments().isEmpty)
        #expect(try await older.console.takings().reduce(0) { $0 + $1.sales } == sales)
        _ = try await device.restore()
        #expect(
            Set(try await device.latestDeliveries().map(\.productID)) == [
                SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.otherTheme,
                SampleCatalog.pass,
            ])
        #expect(try await device.balances().coins == 10)
        #expect(try await device.buy(.of(SampleCatalog.coins)).isPurchased)
        try await home.until(device) { try await device.balances().coins == 20 }
        #expect(device.alteredRecords.isEmpty)
        await device.close()
        #expect(
            try await Device.acceptStore(older.session(), storeFolder: home.folder.path) == nil)
    }

    @Test("a pending request that an older copy does not know is held for a person")
    func lostRequest() async throws {
        _ = try await home.store.console.changeAccount(
            "aoi", askToBuy: true, canMakePayments: nil, territory: nil)
        let device = try await home.launch()
        let payment = Payment.of(SampleCatalog.coins)
        _ = try await device.buy(payment)
        try await home.until(device) {
            try await device.queuedPayments().map(\.state) == [.deferred]
        }
        await device.close()
        _ = try await Device.acceptStore(older.session(), storeFolder: home.folder.path)
        let next = try await openOlder()
        #expect(try await next.queuedPayments().map(\.state) == [.held])
    }
}
