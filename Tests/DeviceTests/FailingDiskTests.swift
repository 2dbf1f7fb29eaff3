import Foundation
import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// Every write, sync and truncate of a device's disk fails in turn while it is registered, buys and
/// delivers: in the end exactly what was sold was granted.
@Suite(.timeLimit(.minutes(1))) struct FailingDeviceDiskTests {
    @Test(arguments: FaultyDisk.Kind.allCases)
    func aDeliverySurvivesTheFailureOfAnyWrite(_ kind: FaultyDisk.Kind) async throws {
        var failures = 0
        while true {
            let home = try await Home()
            let records = try home.deviceFolder()
            let disk = try #require(
                FaultyDisk(folder: records.path, failAt: failures + 1, kind: kind))
            let isAcknowledged = await buy(at: home)
            let hasFired = disk.stop()
            #expect(hasFired || isAcknowledged)
            if isAcknowledged { #expect(try await home.salesCount() == 1) }
            if kind == .powerCut { try cut(records, disk) }
            disk.end()
            try await expectGrantedAsSold(home, "\(kind), step \(failures + 1)")
            guard hasFired else { break }
            failures += 1
        }
        #expect(failures > 15, "a registration and a delivery take more steps than that")
    }

    /// Whether the purchase was answered with success. Ends when it was delivered, or at the first
    /// thing that fails.
    private func buy(at home: Home) async -> Bool {
        guard let device = try? await home.open() else { return false }
        let updates = device.updates()
        var isAcknowledged = false
        do {
            try await device.launch()
            isAcknowledged = try await device.buy(.of(SampleCatalog.coins)).isPurchased
        } catch {
            // Told is enough.
        }
        if isAcknowledged {
            _ = await updates.first { $0.arrived != nil || $0.trouble != nil ? true : nil }
        }
        await device.close()
        return isAcknowledged
    }

    /// Puts the records back to what was synced.
    private func cut(_ records: DeviceFolder, _ disk: FaultyDisk) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: records.path)
        where name.hasPrefix("device.sqlite") {
            try FileManager.default.removeItem(atPath: records.path + "/" + name)
        }
        #expect(disk.saveSynced(to: records.path))
    }

    private func expectGrantedAsSold(_ home: Home, _ when: Comment) async throws {
        let device = try await home.launch()
        try await home.until(device) {
            let sold = try await home.salesCount()
            let coins = try await device.balances().coins
            return try await device.queuedPayments().isEmpty && coins == Int64(sold * 10)
        }
        try await home.untilFinished()
        #expect(try await device.balances().coins == Int64(home.salesCount() * 10), when)
        #expect(try await home.salesCount() <= 1, when)
        await device.close()
        #expect(FaultyDisk.isWhole(try home.deviceFolder().databasePath), when)
    }
}
