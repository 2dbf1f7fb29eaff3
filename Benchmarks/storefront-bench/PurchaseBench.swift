import BenchTable
import Foundation
import SQLiteLedger
import StoreDevice
import StoreModel

/// Purchases one after the other, compared with bare commits.
enum PurchaseBench {
    static func run(_ table: inout Table) async throws {
        let store = try await BenchStore("purchase")
        let bare = BareDatabase(folder: BenchFolder.make("purchase-bare"))
        let session = store.session("alone")
        let many = 25

        let (sold, committed) = try await Measure.inTurn(rounds: 60) {
            for _ in 0..<many { _ = try await session.purchase(BenchStore.payment()) }
        } _: {
            bare.commit(many)
        }
        let count = Double(many)
        table.add(
            "store purchase (decide, one commit)", count / sold, count / committed, unit: "/s",
            ratio: committed / sold, goal: .atLeast(0.5))

        let several = 10
        let device = try await store.device("full")
        let buyer = FullPurchase(device)
        try await device.launch()
        // Unmeasured, so that the work of the launch has ended before the measurement.
        for _ in 0..<several { try await buyer.buy(BenchStore.payment()) }
        let before = store.ledger.commits + device.commits
        let counted = 50
        for _ in 0..<counted { try await buyer.buy(BenchStore.payment()) }
        let commits = Double(store.ledger.commits + device.commits - before) / Double(counted)
        table.add(
            "full purchase: commits, all databases", commits, 4, unit: "", ratio: commits,
            goal: .atMost(4))
        let perPurchase = Int(commits.rounded(.up))
        let (full, same) = try await Measure.inTurn(rounds: 60) {
            for _ in 0..<several { try await buyer.buy(BenchStore.payment()) }
        } _: {
            bare.commit(several * perPurchase)
        }
        table.add(
            "full purchase (queue, decide, deliver, finish)", Double(several) / full,
            Double(several) / same, unit: "/s", ratio: same / full, goal: .atLeast(0.5))
        await device.close()
    }
}

/// Buys, and waits for the device's update that the transaction is finished.
final class FullPurchase: Sendable {
    private let device: Device
    private let finished = FinishedSet()

    init(_ device: Device) {
        self.device = device
        let updates = device.updates()
        Task { [finished] in
            for await update in updates {
                if case .event(.finished(let id)) = update { await finished.add(id) }
            }
        }
    }

    func buy(_ payment: Payment) async throws {
        guard case .purchased(_, let id, _) = try await device.buy(payment) else {
            throw StoreError(.unknown)
        }
        await finished.wait(for: id)
    }
}

/// The finished transactions, and the tasks that wait for one. At most one task waits for each.
actor FinishedSet {
    private var finished: Set<TransactionID> = []
    private var waiting: [TransactionID: CheckedContinuation<Void, Never>] = [:]

    func add(_ id: TransactionID) {
        if let continuation = waiting.removeValue(forKey: id) {
            continuation.resume()
        } else {
            finished.insert(id)
        }
    }

    func wait(for id: TransactionID) async {
        if finished.remove(id) != nil { return }
        await withCheckedContinuation { waiting[id] = $0 }
    }
}
