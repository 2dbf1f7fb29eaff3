import Foundation
import StoreDevice
import StoreKit
import StoreKitTest
import StoreModel

/// The field's own API: its purchases beside those of the device that it stands on, and a test's
/// session beside purchases, on stores that end with the process.
enum StoreKitBench {
    static func run(_ table: inout Table) async throws {
        let file = URL(filePath: BenchFolder.make("storekit") + "/Bench.storekit")
        try Data(configuration.utf8).write(to: file)
        let session = try SKTestSession(contentsOf: file)
        let several = 10

        let (own, devices, tests) = try await StoreKitHost.with(session) {
            guard
                let coins = try await StoreKit.Product.products(for: [BenchStore.coins.rawValue])
                    .first
            else { throw StoreError(.productUnavailable) }
            return try await Measure.inTurn(rounds: 30, atATime: 3) {
                for _ in 0..<several { _ = try await coins.purchase() }
            } _: {
                for _ in 0..<several {
                    _ = try await session.store.device.buy(BenchStore.payment())
                }
            } _: {
                let test = try SKTestSession(contentsOf: file)
                test.resetToDefaultState()
                test.clearTransactions()
                await test.close()
            }
        }
        let count = Double(several)
        table.add(
            "Product.purchase, beside Device.buy", count / own, count / devices, unit: "/s",
            ratio: devices / own, goal: .atLeast(0.8))
        table.add(
            "a session opened, reset and closed, in purchases", tests * 1000, own * 1000 / count,
            unit: "ms", ratio: tests * count / own, goal: .atMost(20))
        await session.close()
    }

    private static let configuration = """
        {"identifier": "BE4C0001", "version": {"major": 4, "minor": 0}, "settings": {},
         "nonRenewingSubscriptions": [], "subscriptionGroups": [],
         "products": [
           {"type": "Consumable", "productID": "\(BenchStore.coins.rawValue)",
            "referenceName": "coins", "internalID": "BE4C0002", "displayPrice": "0.99",
            "familyShareable": false,
            "localizations": [{"locale": "en_US", "displayName": "Coins", "description": ""}]}]}
        """
}
