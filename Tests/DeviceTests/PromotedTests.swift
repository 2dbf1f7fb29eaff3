import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// Purchases begun outside the app, as the records of the account's devices have them.
@Suite("purchases begun outside the app, on devices", .timeLimit(.minutes(10)))
struct PromotedTests {
    private let home: Home

    init() async throws { home = try await Home() }

    private func promote(_ product: ProductID) async throws {
        _ = try await home.store.console.perform(.promote(product, account: "aoi"))
    }

    @Test("each device holds one until it is bought there, in order and across restarts [C5]")
    func heldUntilBought() async throws {
        let device = try await home.launch()
        let products = [SampleCatalog.theme, SampleCatalog.coins, SampleCatalog.theme]
        for product in products { try await promote(product) }
        let held = [SampleCatalog.coins, SampleCatalog.theme]
        try await home.until(device) {
            try await device.promotedPurchases().map(\.productID) == held
        }
        await device.close()
        let again = try await home.launch()
        #expect(try await again.promotedPurchases().map(\.productID) == held)
        #expect(try await again.buy(.of(SampleCatalog.theme)).isPurchased)
        try await home.untilDelivered(1, on: again)
        #expect(try await again.promotedPurchases().map(\.productID) == [SampleCatalog.coins])
        await again.close()
    }

    @Test("one that was dropped or cancelled at the sheet does not come back with its event")
    func dropped() async throws {
        let device = try await home.open()
        try await promote(SampleCatalog.theme)
        try await promote(SampleCatalog.coins)
        // The command reads events that no process of the device has read, and moves the cursor.
        try await device.takeInChanges()
        #expect(try await device.promotedPurchases().count == 2)
        #expect(try await device.dropPromoted(SampleCatalog.theme))
        #expect(try await !device.dropPromoted(SampleCatalog.theme))
        try await device.log(.purchaseCancelled(SampleCatalog.coins))
        #expect(try await device.promotedPurchases().isEmpty)
        try await device.takeInChanges()
        #expect(try await device.promotedPurchases().isEmpty)
        await device.close()
        let launched = try await home.launch()
        _ = try await launched.buy(.of(SampleCatalog.pass))
        try await home.untilDelivered(1, on: launched)
        #expect(try await launched.promotedPurchases().isEmpty)
        await launched.close()
    }
}
