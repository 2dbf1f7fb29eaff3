import Foundation
import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// Every write, sync and truncate of a device's disk fails in turn while the device registers, buys
/// and delivers. In the end the device has granted every sale, and nothing that was not sold.
@Suite(.timeLimit(.minutes(10))) struct FailingDeviceDiskTests {
    @Test(
        "a delivery survives the failure of any write, sync or truncate",
        arguments: FaultyDisk.Kind.allCases)
    func aDeliverySurvivesTheFailureOfAnyWrite(_ kind: FaultyDisk.Kind) async throws {
        var failures = 0
        while true {
            let home = try await Home()
            let records = try home.deviceFolder()
            let disk = try #require(
                FaultyDisk(folder: records.path, failAt: failures + 1, kind: kind))
            let said = await buy(at: home)
            let hasFired = disk.stop()
            #expect(hasFired || said == .sold)
            if said == .sold { #expect(try await home.salesCount() == 1) }
            if kind == .powerCut { try cut(records, disk) }
            disk.end()
            try await expectGrantedAsSold(home, said, "\(kind), step \(failures + 1)")
            guard hasFired else { break }
            failures += 1
        }
        #expect(failures > 15, "a registration and a delivery take more steps than that")
    }

    /// The store lists no refund again, as it does an unfinished sale: the cursor must not be
    /// recorded without it.
    @Test("a refund survives the failure of any write, sync or truncate while it is taken in")
    func aRefundSurvivesTheFailureOfAnyWrite() async throws {
        var failures = 0
        while true {
            let home = try await Home()
            let disk = try #require(
                FaultyDisk(folder: try home.deviceFolder().path, failAt: 0, kind: .fullOn))
            let device = try await home.launch()
            let sale = try #require(try await device.buy(Self.payment).number)
            try await home.until(device) { try await device.balances().coins == 10 }
            try await home.untilFinished()
            let updates = device.updates()
            disk.arm(failAt: failures + 1)
            _ = try await home.store.console.perform(.refund(sale, .rest, reason: .other))
            _ = await updates.first { $0.revisedID == sale || $0.trouble != nil ? true : nil }
            await device.close()
            let hasFired = disk.stop()
            disk.end()
            let next = try await home.launch()
            try await home.until(next) { try await next.balances().coins == 0 }
            await next.close()
            guard hasFired else { break }
            failures += 1
        }
        #expect(failures > 1, "to record a refund takes a write and a sync at least")
    }

    /// The result that the program reported to the buyer.
    private enum Said: Equatable {
        case sold
        /// The payment is not sold, and no later process will send it.
        case refused
        case unknown
    }

    /// Buys, and returns once the purchase is delivered or the first error is reported.
    private func buy(at home: Home) async -> Said {
        guard let device = try? await home.open() else { return .refused }
        let updates = device.updates()
        let said: Said
        do throws(StoreError) {
            try await device.launch()
            said = try await device.buy(Self.payment).isPurchased ? .sold : .refused
        } catch {
            said = error.code == .outcomeUnknown ? .unknown : .refused
        }
        if said == .sold {
            _ = await updates.first { $0.arrived != nil || $0.trouble != nil ? true : nil }
        }
        await device.close()
        return said
    }

    private static let payment = Payment.of(SampleCatalog.coins)

    /// Restores the records to their last synced content.
    private func cut(_ records: DeviceFolder, _ disk: FaultyDisk) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: records.path)
        where name.hasPrefix("device.sqlite") {
            try FileManager.default.removeItem(atPath: records.path + "/" + name)
        }
        #expect(disk.saveSynced(to: records.path))
    }

    private func expectGrantedAsSold(
        _ home: Home, _ said: Said, _ when: Comment
    ) async throws {
        let device = try await home.launch()
        try await home.until(device) {
            let sold = try await home.salesCount()
            let coins = try await device.balances().coins
            return try await device.queuedPayments().isEmpty && coins == Int64(sold * 10)
        }
        try await home.untilFinished()
        #expect(try await device.balances().coins == Int64(home.salesCount() * 10), when)
        #expect(try await home.salesCount() <= 1, when)
        switch said {
        case .sold: break
        case .refused: #expect(try await home.salesCount() == 0, when)
        case .unknown:
            // The message advises buying again with the same id: that charges once.
            #expect(try await device.buy(Self.payment).isPurchased, when)
            #expect(try await home.salesCount() == 1, when)
        }
        await device.close()
        #expect(FaultyDisk.isWhole(try home.deviceFolder().databasePath), when)
    }
}
