import BenchTable
import Foundation
import StoreDevice
import StoreKit
import StoreKitTest
import StoreModel

/// Measures the field's own API: its purchases beside those of the device that it stands on, and a
/// test's session beside purchases, on stores in memory. A program of its own, since what StoreKit
/// and StoreKitTest bring (OpenCombine, Testing) is linked dynamically.
@main
struct StoreKitBench {
    private static let coins = "bench.coins"

    static func main() async throws {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "storekit-bench-\(getpid()).storekit")
        try Data(configuration.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var table = Table()
        try await measure(file, &table)
        table.show()
    }

    private static func measure(_ file: URL, _ table: inout Table) async throws {
        let session = try SKTestSession(contentsOf: file)
        session.disableDialogs = true
        guard let product = try await StoreKit.Product.products(for: [coins]).first else {
            throw StoreError(.productUnavailable, productID: ProductID(coins))
        }
        let device = try await AppStoreProcess.current().device
        let several = 10
        let (own, devices) = try await Measure.inTurn(rounds: 90) {
            for _ in 0..<several { _ = try await product.purchase() }
        } _: {
            for _ in 0..<several { _ = try await device.buy(payment) }
        }
        let count = Double(several)
        table.add(
            "Product.purchase, beside Device.buy", count / own, count / devices, unit: "/s",
            ratio: devices / own, goal: .atLeast(0.8))
        await session.close()

        let (tests, purchases) = try await inSessions(of: file)
        table.add(
            "a session opened, reset and closed, in purchases", tests * 1000, purchases * 1000,
            unit: "ms", ratio: tests / purchases, goal: .atMost(20))
    }

    /// The medians of the seconds of a session that is opened, reset and closed, and of a purchase
    /// in such a session.
    private static func inSessions(of file: URL) async throws -> (Double, Double) {
        var sessions: [Double] = []
        var purchases: [Double] = []
        for _ in 0..<60 {
            let start = ContinuousClock.now
            let session = try SKTestSession(contentsOf: file)
            session.resetToDefaultState()
            let opened = start.duration(to: .now)
            if let product = try await StoreKit.Product.products(for: [coins]).first {
                _ = try await product.purchase()
                purchases.append(
                    try await Measure.seconds { _ = try await product.purchase() })
            }
            let closing = try await Measure.seconds {
                session.clearTransactions()
                await session.close()
            }
            sessions.append(opened / .seconds(1) + closing)
        }
        return (Measure.median(sessions), Measure.median(purchases))
    }

    private static var payment: StoreModel.Payment {
        StoreModel.Payment(
            id: PaymentID.made(at: Date()), productID: ProductID(coins),
            shownPrice: Money(milliunits: 990, currency: "USD"))
    }

    private static let configuration = """
        {"identifier": "BE4C0001", "version": {"major": 4, "minor": 0}, "settings": {},
         "nonRenewingSubscriptions": [], "subscriptionGroups": [],
         "products": [
           {"type": "Consumable", "productID": "\(coins)",
            "referenceName": "coins", "internalID": "BE4C0002", "displayPrice": "0.99",
            "familyShareable": false,
            "localizations": [{"locale": "en_US", "displayName": "Coins", "description": ""}]}]}
        """
}
