import StoreKitTest
import Testing

/// The products of Consumer.storekit, and what tests do with them.
enum Shop {
    static let configuration = "Consumer"
    static let coins = "consumer.coins"
    static let theme = "consumer.theme"
    static let pass = "consumer.pass"
    static let yearly = "consumer.yearly"
    static let monthly = "consumer.monthly"
    static let group = "C0FFEE03"

    struct Failure: Error {
        let text: String
    }

    static func product(_ id: String) async throws -> Product {
        guard let product = try await Product.products(for: [id]).first else {
            throw Failure(text: "no \(id)")
        }
        return product
    }

    @discardableResult
    static func buy(
        _ id: String, _ options: Set<Product.PurchaseOption> = []
    ) async throws -> Transaction {
        let result = try await product(id).purchase(options: options)
        guard case .success(let verification) = result else { throw Failure(text: "\(result)") }
        return try verification.payloadValue
    }

    static func isPending(_ id: String) async throws -> Bool {
        if case .pending = try await product(id).purchase() { true } else { false }
    }

    /// The products of the transactions, in their order.
    static func list(_ transactions: Transaction.Transactions) async throws -> [String] {
        var ids: [String] = []
        for await result in transactions { ids.append(try result.payloadValue.productID) }
        return ids
    }

    /// Of the account's only subscription.
    static func status() async throws -> Product.SubscriptionInfo.Status {
        guard let status = try await Product.SubscriptionInfo.status(for: group).first else {
            throw Failure(text: "no subscription")
        }
        return status
    }

    static func renewalInfo() async throws -> Product.SubscriptionInfo.RenewalInfo {
        try await status().renewalInfo.payloadValue
    }
}

/// The session that a suite's trait has opened for the test.
func currentSession() throws -> SKTestSession { try #require(SKTestSession.current) }
