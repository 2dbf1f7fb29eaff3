import SQLiteLedger
import Crypto
import Foundation
import StoreDevice
import StoreModel

/// 64 purchases at once. The ceiling is the lower of what the disk and the crypto package could do
/// at best: 64 rows a commit, and the signatures that each purchase needs, one after the other.
enum CrowdBench {
    static func run(_ table: inout Table) async throws {
        let store = try await BenchStore("crowd")
        let bare = BareDatabase(folder: BenchFolder.make("crowd-bare"))
        let crowd = 64
        let rounds = 10
        let key = P256.Signing.PrivateKey()
        let message = Data(repeating: 65, count: 3_000)
        let signature = try key.signature(for: message)

        let session = store.session("crowd")
        let beforeSale = store.ledger.commits
        let (sold, disk) = try await Measure.inTurn(rounds: 5) {
            for _ in 0..<rounds { try await atOnce(crowd) { _ = try await session.purchase($0) } }
        } _: {
            for _ in 0..<rounds { bare.commitTogether(crowd) }
        }
        let soldCount = Double(crowd * rounds * 6)
        let count = Double(crowd * rounds)
        let signing = try await Measure.seconds {
            for _ in 0..<(crowd * rounds) { _ = try key.signature(for: message) }
        }
        let ceiling = min(count / disk, count / signing)
        table.add(
            "64 store purchases at once: commits each",
            Double(store.ledger.commits - beforeSale) / soldCount, 1, unit: "",
            ratio: Double(store.ledger.commits - beforeSale) / soldCount, goal: .atMost(0.25))
        table.add(
            "64 store purchases at once, of the ceiling (1 sign)", count / sold, ceiling,
            unit: "/s", ratio: count / sold / ceiling, goal: .atLeast(0.6))

        let device = try await store.device("crowd-full")
        let buyer = FullPurchase(device)
        try await device.launch()
        try await buyer.buy(BenchStore.payment())
        let before = store.ledger.commits + device.commits
        let (full, fullDisk) = try await Measure.inTurn(rounds: 5) {
            for _ in 0..<rounds { try await atOnce(crowd) { try await buyer.buy($0) } }
        } _: {
            for _ in 0..<(rounds * 4) { bare.commitTogether(crowd) }
        }
        let commits = Double(store.ledger.commits + device.commits - before) / soldCount
        let crypto = try await Measure.seconds {
            for _ in 0..<(crowd * rounds) {
                _ = try key.signature(for: message)
                _ = key.publicKey.isValidSignature(signature, for: message)
            }
        }
        let fullCeiling = min(count / fullDisk, count / crypto)
        table.add(
            "64 full purchases at once: commits each", commits, 4, unit: "", ratio: commits,
            goal: .atMost(0.25))
        table.add(
            "64 full purchases at once, of the ceiling (sign, verify)", count / full, fullCeiling,
            unit: "/s", ratio: count / full / fullCeiling, goal: .atLeast(0.6))
        await device.close()
    }

    private static func atOnce(
        _ count: Int, _ buy: @escaping @Sendable (Payment) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<count { group.addTask { try await buy(BenchStore.payment()) } }
            try await group.waitForAll()
        }
    }
}
