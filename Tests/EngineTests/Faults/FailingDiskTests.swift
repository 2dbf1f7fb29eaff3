import Foundation
import SQLiteLedger
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// Every write, sync and truncate of the disk fails in turn while a store is made and sells. Every
/// acknowledged sale is recorded, and every other sale is recorded completely or not at all.
@Suite(.timeLimit(.minutes(10))) struct FailingDiskTests {
    @Test(
        "a sale survives the failure of any write, sync or truncate",
        arguments: FaultyDisk.Kind.allCases)
    func aSaleSurvivesTheFailureOfAnyWrite(_ kind: FaultyDisk.Kind) async throws {
        var failures = 0
        while true {
            let folder = try TemporaryFolder()
            let disk = try #require(
                FaultyDisk(folder: folder.path, failAt: failures + 1, kind: kind))
            let payments = [SampleCatalog.coins, SampleCatalog.theme].map { Payment.of($0) }
            let (acknowledged, refused) = await sell(payments, in: folder)
            let hasFired = disk.stop()
            #expect(hasFired || acknowledged.count == payments.count)
            let rescued = try rescue(folder, from: disk, kind)
            let when = Comment("\(kind), step \(failures + 1)")
            try await expectAbsent(refused, in: rescued, when)
            try await expectWhole(rescued, payments, acknowledged, when)
            guard hasFired else { break }
            failures += 1
        }
        #expect(failures > 20, "making a store and selling takes more steps than that")
    }

    /// The same test with so many sales that the process reserves WAL space ahead.
    @Test(
        "a sale survives any failure while WAL space is reserved",
        arguments: FaultyDisk.Kind.allCases)
    func aSaleSurvivesAFailingWALReservation(_ kind: FaultyDisk.Kind) async throws {
        let payments = (0..<14).map { _ in Payment.of(SampleCatalog.coins) }
        var step = 120
        while true {
            let folder = try TemporaryFolder()
            let disk = try #require(FaultyDisk(folder: folder.path, failAt: step, kind: kind))
            let (acknowledged, refused) = await sell(payments, in: folder)
            let hasFired = disk.stop()
            #expect(hasFired || acknowledged.count == payments.count)
            let rescued = try rescue(folder, from: disk, kind)
            try await expectAbsent(refused, in: rescued, "\(kind), step \(step)")
            try await expectWhole(rescued, payments, acknowledged, "\(kind), step \(step)")
            guard hasFired else { break }
            // Smaller than the eight writes that reserve WAL space, to hit each reservation.
            step += 5
        }
        #expect(step > 200, "selling so much takes more steps than that")
    }

    /// Returns the acknowledged payments, and the one that was certainly not recorded.
    private func sell(
        _ payments: [Payment], in folder: TemporaryFolder
    ) async -> (acknowledged: [Payment: TransactionID], refused: Payment?) {
        var acknowledged: [Payment: TransactionID] = [:]
        do {
            let ledger = try SQLiteLedger(path: folder.path + "/store.sqlite")
            let session = try await TestStore(ledger: ledger).session()
            for payment in payments {
                do throws(StoreError) {
                    if let id = try await session.purchase(payment).number {
                        acknowledged[payment] = id
                    }
                } catch {
                    return (acknowledged, error.code == .outcomeUnknown ? nil : payment)
                }
            }
        } catch {
            // The test checks only the content of the disk, so the error is ignored.
        }
        return (acknowledged, nil)
    }

    /// Expects the payment to be absent for a process that reads only the disk.
    private func expectAbsent(
        _ refused: Payment?, in folder: TemporaryFolder, _ when: Comment
    ) async throws {
        guard let refused else { return }
        let ledger = try SQLiteLedger(path: folder.path + "/store.sqlite")
        #expect(try await ledger.allRows().payments[refused.id] == nil, when)
    }

    /// The folder as the next process finds it.
    private func rescue(
        _ folder: TemporaryFolder, from disk: FaultyDisk, _ kind: FaultyDisk.Kind
    ) throws -> TemporaryFolder {
        guard kind == .powerCut else { return folder }
        let rescued = try TemporaryFolder()
        #expect(disk.saveSynced(to: rescued.path))
        return rescued
    }

    private func expectWhole(
        _ folder: TemporaryFolder, _ payments: [Payment],
        _ acknowledged: [Payment: TransactionID], _ when: Comment
    ) async throws {
        let path = folder.path + "/store.sqlite"
        let ledger = try SQLiteLedger(path: path)
        #expect(FaultyDisk.isWhole(path), when)
        let rows = try await ledger.allRows()
        let entries = try await ledger.allEntries()
        #expect(try rows == Projections(folding: entries), when)
        for (payment, id) in acknowledged {
            #expect(rows.transactions[id]?.sale.payment == payment, when)
        }
        let session = try await TestStore(ledger: ledger).session()
        for payment in payments {
            let again = try await session.purchase(payment)
            #expect(acknowledged[payment] == nil || again.number == acknowledged[payment], when)
        }
        let sold = try await ledger.allRows().transactions
        #expect(Set(sold.values.map(\.sale.payment)) == Set(payments), when)
        #expect(sold.count == payments.count, when)
    }
}
