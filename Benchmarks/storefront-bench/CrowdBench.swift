import BenchTable
import Crypto
import Foundation
import SQLiteLedger
import StoreDevice
import StoreModel
import StoreSigning

/// 64 purchases at once, bounded by the slower of two baselines: the disk with 64 rows in one
/// commit, and swift-crypto with a signature made and one verified per purchase on one thread.
enum CrowdBench {
    private static let crowd = 64

    static func run(_ table: inout Table) async throws {
        let store = try await BenchStore("crowd")
        let bare = BareDatabase(folder: BenchFolder.make("crowd-bare"))
        try await sales(store, bare, &table)
        try await fullPurchases(store, &table)
    }

    /// Up to the buyer's verification: decide, commit, sign, verify.
    private static func sales(
        _ store: BenchStore, _ bare: BareDatabase, _ table: inout Table
    ) async throws {
        let session = store.session("crowd")
        let verifier = try TransactionVerifier(
            rootCertificate: store.keys.rootCertificateDER, bundleID: "com.example.bench",
            environment: .sandbox)
        let key = P256.Signing.PrivateKey()
        let message = Data(repeating: 65, count: 3_000)
        let signature = try key.signature(for: message)
        let before = store.ledger.commits
        let (rounds, atATime) = (10, 8)
        let (sold, disk, crypto) = try await Measure.inTurn(rounds: rounds, atATime: atATime) {
            try await atOnce { payment in
                let outcome = try await session.purchase(payment)
                guard case .purchased(let signed, _, _) = outcome,
                    case .verified = await verifier.verify(signed)
                else { throw StoreError(.unknown) }
            }
        } _: {
            bare.commitTogether(crowd)
        } _: {
            for _ in 0..<crowd {
                _ = try key.signature(for: message)
                _ = key.publicKey.isValidSignature(signature, for: message)
            }
        }
        let commits = Double(store.ledger.commits - before) / Double(crowd * rounds * (atATime + 1))
        table.add(
            "64 at once: commits each", commits, 1, unit: "", ratio: commits,
            goal: .atMost(0.25))
        let count = Double(crowd)
        let ceiling = min(count / disk, count / crypto)
        table.add(
            "64 at once: sold, signed, verified, of the ceiling", count / sold, ceiling,
            unit: "/s", ratio: count / sold / ceiling, goal: .atLeast(0.6))
    }

    /// Queue, decide, deliver, finish: 64 at once and one after the other.
    private static func fullPurchases(_ store: BenchStore, _ table: inout Table) async throws {
        let device = try await store.device("crowd-full")
        let buyer = FullPurchase(device)
        try await device.launch()
        try await buyer.buy(BenchStore.payment())
        let before = store.ledger.commits + device.commits
        let rounds = 15
        let (together, oneByOne) = try await Measure.inTurn(rounds: rounds) {
            try await atOnce { try await buyer.buy($0) }
        } _: {
            for _ in 0..<8 { try await buyer.buy(BenchStore.payment()) }
        }
        let purchases = Double((crowd + 8) * (rounds + 1))
        let alone = Double(8 * (rounds + 1) * 4)
        let commits =
            (Double(store.ledger.commits + device.commits - before) - alone)
            / (purchases - Double(8 * (rounds + 1)))
        table.add(
            "64 full purchases at once: commits each, all databases", commits, 4, unit: "",
            ratio: commits, goal: .atMost(0.25))
        table.add(
            "64 full purchases at once, beside one by one", Double(crowd) / together,
            8 / oneByOne, unit: "/s", ratio: Double(crowd) / together / (8 / oneByOne))
        await device.close()
    }

    private static func atOnce(
        _ buy: @escaping @Sendable (Payment) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<crowd { group.addTask { try await buy(BenchStore.payment()) } }
            try await group.waitForAll()
        }
    }
}
