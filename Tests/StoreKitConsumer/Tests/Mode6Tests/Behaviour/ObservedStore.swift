// Combine comes with StoreKit, as on Apple's systems.
import StoreKit

/// A purchase manager as the guides write it.
@MainActor final class ObservedStore: ObservableObject {
    @Published private(set) var products: [Product] = []
    @Published private(set) var owned: Set<String> = []
    private var updates: Task<Void, Never>?

    init() {
        updates = Task { [weak self] in
            for await result in Transaction.updates {
                guard case .verified(let transaction) = result else { continue }
                await self?.note(transaction)
            }
        }
    }

    deinit { updates?.cancel() }

    func load() async throws {
        products = try await Product.products(for: [Shop.coins, Shop.theme])
    }

    func buy(_ product: Product) async throws {
        guard case .success(.verified(let transaction)) = try await product.purchase() else {
            return
        }
        await note(transaction)
    }

    private func note(_ transaction: Transaction) async {
        if transaction.revocationDate == nil {
            owned.insert(transaction.productID)
        } else {
            owned.remove(transaction.productID)
        }
        await transaction.finish()
    }
}
