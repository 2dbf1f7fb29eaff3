import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// A device whose feed is disturbed on purpose grants each purchase once, whatever comes twice, late
/// or out of order, and finishes what it has delivered.
@Suite("a device with a disturbed feed", .timeLimit(.minutes(10)))
struct DisturbedFeedTests {
    private let home: Home

    init() async throws { home = try await Home() }

    /// Returns once the device's feed has told it of the fault: what comes then comes by the feed,
    /// not from the list of a launch.
    private func disturb(
        _ error: StoreError.Code, count: Int? = 1, delay: Int64? = nil,
        _ updates: AsyncStream<DeviceUpdate>
    ) async throws {
        _ = try await home.store.console.perform(
            .failNext(.updates, error: error, count: count, delayMilliseconds: delay))
        _ = await updates.first { update -> Bool? in
            if case .event(.faultSet) = update { true } else { nil }
        }
    }

    @Test(
        "however two sales come, both are granted once and finished [A5, C4]",
        arguments: Fault.Call.updates.errors)
    func everyDisorder(_ error: StoreError.Code) async throws {
        let device = try await home.launch()
        let updates = device.updates()
        try await disturb(error, updates)
        var bought: [TransactionID?] = []
        for product in [SampleCatalog.coins, SampleCatalog.theme] {
            bought.append(try await device.buy(.of(product)).number)
        }
        try await home.untilDelivered(2, on: device)
        try await home.untilFinished()
        #expect(try await device.balances().coins == 10)
        #expect(try await device.entitlements().value.map(\.productID) == [SampleCatalog.theme])
        #expect(try await device.queuedPayments().isEmpty)
        #expect(try await home.store.console.faults().isEmpty, "used up")
        await device.close()
        var (arrived, troubles): ([TransactionID?], [StoreError.Code]) = ([], [])
        for await update in updates {
            if let id = update.arrived { arrived.append(id) }
            if let trouble = update.trouble { troubles.append(trouble.code) }
        }
        #expect(arrived == (error == .deliveredOutOfOrder ? bought.reversed() : bought))
        // Who waits for the delivery is told that it is held back.
        let isHeldBack = error == .deliveredLate || error == .deliveredOutOfOrder
        #expect(troubles == (isHeldBack ? [error] : []))
    }

    @Test("an update that is late comes when its time has come on the store's clock")
    func late() async throws {
        let device = try await home.launch()
        let updates = device.updates()
        try await disturb(.deliveredLate, delay: 600_000, updates)
        let id = try await device.buy(.of(SampleCatalog.coins)).number
        #expect(await updates.first(\.trouble)?.code == .deliveredLate)
        #expect(try await device.balances().coins == 0)
        #expect(try await home.store.console.faults().count == 1, "still in force")
        _ = try await home.store.console.perform(.clock(.advance(.seconds(600))))
        #expect(await updates.first(\.arrived) == id)
        #expect(await updates.first(\.finishedID) == id)
        #expect(try await device.balances().coins == 10)
        #expect(try await home.store.console.faults().isEmpty)
    }

    @Test("a refund that comes before its sale takes back what the sale then grants")
    func refundFirst() async throws {
        let device = try await home.launch()
        let updates = device.updates()
        try await disturb(.deliveredOutOfOrder, updates)
        let id = try #require(try await device.buy(.of(SampleCatalog.coins)).number)
        #expect(await updates.first(\.trouble)?.code == .deliveredOutOfOrder)
        _ = try await home.store.console.perform(.refund(id, .rest, reason: .app))
        #expect(await updates.first(\.revisedID) == id)
        #expect(await updates.first(\.arrived) == id)
        #expect(try await device.balances().coins == 0)
        try await home.untilFinished()
    }

    @Test("nothing waits for what is held back, and a launch delivers it once")
    func launchedAgain() async throws {
        let first = try await home.launch()
        let updates = first.updates()
        try await disturb(.deliveredLate, count: nil, updates)
        _ = try await first.buy(.of(SampleCatalog.coins))
        #expect(await updates.first(\.trouble)?.code == .deliveredLate)
        await first.close()

        let second = try await home.open()
        try await second.takeInChanges()
        #expect(try await second.balances().coins == 0)
        try await second.launch()
        try await home.untilDelivered(1, on: second)
        try await home.untilFinished()
        try await home.store.console.clearFaults()
        // The held update comes now, and then this.
        _ = try await second.buy(.of(SampleCatalog.theme))
        try await home.untilDelivered(2, on: second)
        #expect(try await second.balances().coins == 10)
        #expect(try await home.salesCount() == 2, "charged once")
    }
}
