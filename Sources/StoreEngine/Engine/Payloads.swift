import StoreModel
import StoreSigning
import Synchronization

/// From a sale in the ledger to what is handed out: payload, then signature.
struct Payloads: Sendable {
    private let identity: AppIdentity
    private let signer: TransactionSigner
    private let clock: any StoreClock
    private let recent = RecentSignatures()

    init(identity: AppIdentity, signer: TransactionSigner, clock: any StoreClock) {
        self.identity = identity
        self.signer = signer
        self.clock = clock
    }

    func payload(of row: TransactionRow) -> TransactionPayload {
        let sale = row.sale
        let storefront = Storefront.find(sale.storefront)
        return TransactionPayload(
            transactionId: row.id,
            originalTransactionId: row.originalID,
            webOrderLineItemId: sale.type == .autoRenewable ? row.id.description : nil,
            bundleId: identity.bundleID,
            productId: sale.payment.productID,
            subscriptionGroupIdentifier: sale.groupID,
            type: sale.type,
            purchaseDate: sale.purchaseDate,
            originalPurchaseDate: sale.original?.purchaseDate ?? sale.purchaseDate,
            expiresDate: sale.expiresDate,
            quantity: sale.payment.quantity,
            appAccountToken: sale.payment.appAccountToken,
            environment: identity.environment,
            storefront: sale.storefront,
            storefrontId: storefront?.id ?? "",
            price: sale.price.milliunits,
            currency: sale.price.currency,
            signedDate: max(clock.now(), sale.purchaseDate))
    }

    /// Signed now, or a moment ago: an answer and its event carry the same text.
    func signed(_ row: TransactionRow) throws(StoreError) -> SignedTransaction {
        if let known = recent[row.id] { return known }
        let signed = try signer.sign(payload(of: row))
        recent[row.id] = signed
        return signed
    }
}

/// The last signatures made, bounded: two generations, the older one dropped when the newer is full.
private final class RecentSignatures: Sendable {
    private struct Generations {
        var newer: [TransactionID: SignedTransaction] = [:]
        var older: [TransactionID: SignedTransaction] = [:]
    }
    private let generations = Mutex(Generations())

    subscript(id: TransactionID) -> SignedTransaction? {
        get { generations.withLock { $0.newer[id] ?? $0.older[id] } }
        set {
            generations.withLock { generations in
                if generations.newer.count >= StoreLimits.signaturesKept {
                    generations.older = generations.newer
                    generations.newer = [:]
                }
                generations.newer[id] = newValue
            }
        }
    }
}
