import Foundation
import StoreKit

#if canImport(os)
import os
#endif

/// The app's purchases: what is for sale, what the customer owns, and how it is bought. An app makes
/// one when it starts, and its views watch it.
@MainActor
public final class Store: ObservableObject {
    /// What is for sale, cheapest first.
    @Published public private(set) var products: [Product] = []
    /// Why the products could not be loaded; nil if they could.
    @Published public private(set) var loadingError: (any Error)?
    /// What the customer may use now, subscriptions too.
    @Published public private(set) var owned: Set<Product.ID> = []
    /// What waits for somebody's approval.
    @Published public private(set) var waiting: Set<Product.ID> = []
    /// The customer's subscription to the club; nil without one.
    @Published public private(set) var membership: Product.SubscriptionInfo.Status?
    @Published public private(set) var wallet: Wallet

    private let logger = Logger(subsystem: "com.example.bookshop", category: "Store")
    private let walletFile: URL
    private var listening: [Task<Void, Never>] = []

    /// - Parameter walletFile: where the coins are kept.
    public init(walletFile: URL) {
        self.walletFile = walletFile
        wallet = Wallet(contentsOf: walletFile)
        // Before anything is bought, so that no transaction is missed. The tasks follow the store
        // of whoever makes this one; a test has its own.
        listening = [
            Task { [weak self] in
                for await update in Transaction.updates { await self?.receive(update) }
            },
            // A subscription that ends is no transaction.
            Task { [weak self] in
                for await _ in Product.SubscriptionInfo.Status.updates { await self?.refresh() }
            },
        ]
    }

    deinit {
        for task in listening { task.cancel() }
    }

    /// Loads the products. Without a network the customer keeps what is owned.
    public func load() async {
        do {
            products = try await Product.products(for: Goods.all).sorted { $0.price < $1.price }
            loadingError = nil
        } catch {
            loadingError = error
            logger.error("No products: \(error.localizedDescription)")
        }
        // What the app was ended before it could deliver.
        for await transaction in Transaction.unfinished { await receive(transaction) }
        await refresh()
    }

    /// Buys a product.
    ///
    /// - Returns: false if the purchase waits or was cancelled.
    /// - Throws: the error of the purchase; that of a transaction that cannot be trusted.
    @discardableResult
    public func buy(
        _ product: Product, options: Set<Product.PurchaseOption> = []
    ) async throws -> Bool {
        switch try await product.purchase(options: options) {
        case .success(let verification):
            let transaction = try verification.payloadValue
            try deliver(transaction)
            await transaction.finish()
            await refresh()
            return true
        case .pending:
            waiting.insert(product.id)
            return false
        case .userCancelled:
            return false
        @unknown default:
            return false
        }
    }

    /// Brings back what the customer bought on another device. For a button: usually everything is
    /// there by itself.
    public func restore() async throws {
        try await AppStore.sync()
        await refresh()
    }

    /// Whether the club is open to the customer, also while a renewal waits to be paid.
    public var isMember: Bool {
        membership?.state == .subscribed || membership?.state == .inGracePeriod
    }

    /// Spends a coin.
    ///
    /// - Returns: false without a coin.
    public func spendCoin() throws -> Bool {
        guard wallet.coins > 0 else { return false }
        try change { $0.spent += 1 }
        return true
    }

    private func receive(_ update: VerificationResult<Transaction>) async {
        // What cannot be trusted unlocks nothing, and comes again.
        guard case .verified(let transaction) = update else { return }
        do { try deliver(transaction) } catch { return }
        waiting.remove(transaction.productID)
        await transaction.finish()
        await refresh()
    }

    /// The store does not know what a coin is for; everything else is in the entitlements.
    private func deliver(_ transaction: Transaction) throws {
        guard transaction.productType == .consumable else { return }
        try change { $0.grant(transaction) }
    }

    private func change(_ body: (inout Wallet) -> Void) throws {
        var changed = wallet
        body(&changed)
        try changed.write(to: walletFile)
        wallet = changed
    }

    private func refresh() async {
        var owned: Set<Product.ID> = []
        for await entitlement in Transaction.currentEntitlements {
            guard case .verified(let transaction) = entitlement else { continue }
            owned.insert(transaction.productID)
        }
        self.owned = owned
        membership = try? await Product.SubscriptionInfo.status(for: Goods.club).first
    }
}
