import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// A store restored from an older copy knows less than its devices.
@Suite("a store restored from an older copy", .timeLimit(.minutes(10))) struct StoreBehindTests {
    private let home: Home
    /// The same store as it was before any sale.
    private let older: TestStore

    init() async throws {
        home = try await Home()
        older = try await TestStore()
    }

    private func sell(_ products: ProductID...) async throws {
        let device = try await home.launch()
        for product in products { _ = try await device.buy(.of(product)) }
        try await home.untilDelivered(products.count, on: device)
        try await home.untilFinished()
        await device.close()
    }

    private func openOlder() async throws -> Device {
        try await Device(
            store: older.session(), storeFolder: home.folder.path, clock: older.clock,
            elapsed: ContinuousClock(),
            pacer: BandwidthPacer(bytesPerSecond: nil, clock: ContinuousClock()))
    }

    @Test("a device refuses to open on an older copy of its store")
    func refused() async throws {
        try await sell(SampleCatalog.coins)
        let error = await #expect(throws: StoreError.self) { try await openOlder() }
        #expect(error?.code == .storeBehind)
        #expect(error?.isRetryable == false)
        #expect(try await older.entries().count == 2, "opened, catalog")
    }

    @Test("once an older copy is accepted, new sales are granted and old grants stay")
    func accepted() async throws {
        try await sell(SampleCatalog.coins, SampleCatalog.theme)
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

    @Test("an older copy with newer sales is recognized by a reused transaction id")
    func caughtUp() async throws {
        try await sell(SampleCatalog.theme)
        // Another device buys from the older store until the store's end is past this device's
        // cursor.
        older.clock.advance(byMilliseconds: 1000)
        for _ in 0..<5 {
            _ = try await older.session(device: "tablet").purchase(.of(SampleCatalog.pass))
        }
        let device = try await openOlder()
        let updates = device.updates()
        try await device.launch()
        let ended = await updates.first { update -> StoreError? in
            if case .trouble(let error, ended: true) = update { error } else { nil }
        }
        #expect(ended?.code == .storeBehind)
        #expect(try await device.deliveries().map(\.productID) == [SampleCatalog.theme])
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
