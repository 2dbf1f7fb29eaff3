import Foundation
import StoreDevice
import StoreModel
import StoreTestSupport
import TestBasics
import Testing

/// Processes that report and are killed, on disks that fail: the app's own backend gets each
/// transaction at least once, in order, and none that this device has not recorded.
@Suite("reports and failing processes", .timeLimit(.minutes(10))) struct BackendFaultTests {
    /// How often the backend has got the reports by the time a process is killed.
    enum Step: CaseIterable, Sendable {
        /// Its request has not arrived.
        case before
        /// It has the report, and its answer is lost.
        case unanswered
        /// It has answered, and the device has not written that down.
        case answered
    }

    @Test(
        "a process that is killed before, during or after a report loses none [G3]",
        arguments: Step.allCases)
    func killed(at step: Step) async throws {
        let home = try await Home()
        let folder = try home.deviceFolder().path
        let disk = try #require(FaultyDisk(folder: folder, failAt: 0, kind: .fullOn))
        let backend = FakeBackend()
        let gate = Gate()
        backend.set { [weak backend] (request: BackendRequest) async throws(StoreError) in
            switch step {
            case .before: throw FakeBackend.failure(.unreachable)
            case .unanswered:
                backend?.take(request)
                await gate.passWhenCancelled()
                throw FakeBackend.failure(.connectionLost)
            case .answered:
                await gate.pass()
                return Data()
            }
        }
        let device = try await home.open(servers: backend)
        try await device.setBackend(AppBackend.sample)
        try await device.launch()
        var sold: [TransactionID] = []
        for product in [SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.pass] {
            sold.append(try #require(try await device.buy(.of(product)).number))
        }
        try await home.untilDelivered(3, on: device)
        switch step {
        case .before: try await backend.until { !$0.asked().isEmpty }
        case .unanswered: await gate.reached()
        case .answered:
            await gate.reached()
            // From here on the device can write nothing down.
            disk.arm(failAt: 1)
            gate.open()
            try await backend.until { Set($0.toldIDs) == Set(sold) }
        }
        await device.close()
        _ = disk.stop()
        disk.end()

        let fresh = FakeBackend()
        let next = try await home.open(servers: fresh)
        try await next.launch()
        try await home.until(next) { try await next.reports().waiting == 0 }
        #expect(fresh.toldIDs == sold, "all that the backend's answer was not written down of")
        await next.close()
    }

    @Test(
        "reports survive the failure of any write, sync or truncate [G3]",
        arguments: FaultyDisk.Kind.allCases + [.fullOn])
    func failingDisk(_ kind: FaultyDisk.Kind) async throws {
        var failures = 0
        while true {
            let home = try await Home()
            let folder = try home.deviceFolder()
            let backend = FakeBackend()
            let disk = try #require(FaultyDisk(folder: folder.path, failAt: 0, kind: kind))
            let device = try await home.open(servers: backend)
            try await device.setBackend(AppBackend.sample)
            try await device.launch()
            disk.arm(failAt: failures + 1)
            let updates = device.updates()
            let sale = try? await device.buy(.of(SampleCatalog.theme)).number
            if sale != nil {
                _ = await updates.first { $0.arrived != nil || $0.trouble != nil ? true : nil }
            }
            await device.close()
            let hasFired = disk.stop()
            if kind == .powerCut {
                for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
                where name.hasPrefix("device.sqlite") {
                    try FileManager.default.removeItem(atPath: folder.path + "/" + name)
                }
                #expect(disk.saveSynced(to: folder.path))
            }
            disk.end()

            let next = try await home.open(servers: backend)
            try await next.launch()
            try await home.until(next) {
                let sold = try await home.salesCount()
                let queued = try await next.queuedPayments()
                let delivered = try await next.deliveries().count
                let waiting = try await next.reports().waiting
                return queued.isEmpty && delivered == sold && waiting == 0
            }
            let delivered = try await next.deliveries().map(\.transactionID)
            #expect(Set(backend.toldIDs) == Set(delivered), "\(kind), step \(failures + 1)")
            await next.close()
            guard hasFired else { break }
            failures += 1
        }
        #expect(failures > 3, "a payment, its delivery and its report take more steps than that")
    }

    @Test(
        "processes that end at random, with a backend that comes and goes, report everything in order [G3]",
        arguments: Array(1...8) as [UInt64])
    func simulation(seed: UInt64) async throws {
        let home = try await Home()
        var random = SplitMix64(seed: seed)
        let backend = FakeBackend()
        var running: [Device] = []
        var sold: [TransactionID] = []
        for _ in 0..<40 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<45:
                let payment = Payment.of(SampleCatalog.coins, id: PaymentID(random.uuid()))
                let outcome: PurchaseOutcome
                if let device = running.randomElement(using: &random) {
                    outcome = try await device.buy(payment)
                } else {
                    outcome = try await home.session().purchase(payment)
                }
                sold.append(try #require(outcome.number))
            case 45..<55: backend.fail(random.pick([.unreachable, .serverError, .stalled]))
            case 55..<70:
                backend.set { (_: BackendRequest) async throws(StoreError) in Data() }
            case 70..<85 where running.count < 2:
                let device = try await home.open(servers: backend)
                try await device.setBackend(AppBackend.sample)
                try await device.launch()
                running.append(device)
            default:
                guard !running.isEmpty else { continue }
                await running.remove(at: Int.random(in: 0..<running.count, using: &random)).close()
            }
        }
        for device in running { await device.close() }
        backend.set { (_: BackendRequest) async throws(StoreError) in Data() }
        let last = try await home.open(servers: backend)
        try await last.setBackend(AppBackend.sample)
        try await last.launch()
        try await home.until(last) {
            let delivered = try await last.deliveries().count
            let waiting = try await last.reports().waiting
            return delivered == sold.count && waiting == 0
        }
        // Repeated ones aside, in the order of the sales.
        var seen: Set<TransactionID> = []
        #expect(backend.toldIDs.filter { seen.insert($0).inserted } == sold, "seed \(seed)")
        await last.close()
    }
}
