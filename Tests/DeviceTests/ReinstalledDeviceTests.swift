import Foundation
import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// An app that was installed again: the device's folder is gone, the store is the same.
@Suite("a device that was installed anew", .timeLimit(.minutes(10)))
struct ReinstalledDeviceTests {
    @Test(
        "before a restore only what was unfinished is owned; a restore brings all but coins [A14]")
    func reinstalled() async throws {
        let home = try await Home()
        let first = try await home.launch()
        for product in [
            SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.monthly, SampleCatalog.pass,
        ] {
            #expect(try await first.buy(.of(product)).isPurchased)
        }
        try await home.untilDelivered(4, on: first)
        try await home.untilFinished()
        #expect(try await first.balances().coins == 10)
        let old = UnlockReader(try home.deviceFolder())
        let pem = try String(contentsOfFile: home.deviceFolder().unlocksKeyPath, encoding: .utf8)
        #expect(try await first.unlockRecord().unlocks == ["club", "pass", "theme.sepia"])
        #expect(try old.read().unlocks == ["club", "pass", "theme.sepia"])
        await first.close()
        // These coins are bought on this device and not yet finished.
        let sold = try await home.session().purchase(.of(SampleCatalog.coins, quantity: 3))
        let unfinished = try #require(sold.number)

        try FileManager.default.removeItem(atPath: home.deviceFolder().path)
        let device = try await home.launch()
        try await home.untilDelivered(1, on: device)
        try await home.untilFinished()
        #expect(try await device.latestDeliveries().map(\.transactionID) == [unfinished])
        #expect(try await device.balances().coins == 30)
        let before = try await device.unlockRecord()
        #expect(before.unlocks.isEmpty && before.products.isEmpty)
        // The reinstalled device has a new key, which verifies its record.
        #expect(
            try String(contentsOfFile: home.deviceFolder().unlocksKeyPath, encoding: .utf8) != pem)
        #expect(try UnlockReader(home.deviceFolder()).read().unlocks.isEmpty)

        let summary = try await device.restore()
        #expect(summary.leavesConsumables == true, "the coins of before are said to stay away")
        #expect(
            summary.restored.map(\.productId).sorted()
                == [SampleCatalog.monthly, SampleCatalog.pass, SampleCatalog.theme])
        #expect(try await device.unlockRecord().unlocks == ["club", "pass", "theme.sepia"])
        // Finished consumables are not delivered again: these coins are the unfinished ones.
        #expect(try await device.balances().coins == 30)
        #expect(try await device.restore().alreadyHere.count == 3)
        #expect(try await home.salesCount() == 5)
    }
}
