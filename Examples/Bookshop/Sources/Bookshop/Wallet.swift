import Foundation
import StoreKit

/// The customer's coins. A transaction that StoreKit tells of twice counts once.
public struct Wallet: Codable, Equatable, Sendable {
    /// The coins of each transaction.
    private var granted: [Transaction.ID: Int] = [:]
    var spent = 0

    init() {}

    /// Empty if there is no file yet.
    init(contentsOf file: URL) {
        let data = try? Data(contentsOf: file)
        self = data.flatMap { try? JSONDecoder().decode(Wallet.self, from: $0) } ?? Wallet()
    }

    /// What can be spent. Less than nothing after a refund of coins that were spent.
    public var coins: Int { granted.values.reduce(0, +) - spent }

    mutating func grant(_ transaction: Transaction) {
        let isRefunded = transaction.revocationDate != nil
        granted[transaction.id] = isRefunded ? 0 : 10 * transaction.purchasedQuantity
    }

    func write(to file: URL) throws {
        try JSONEncoder().encode(self).write(to: file, options: .atomic)
    }
}
