import Crypto
import Foundation
import StoreModel
import StoreSigning
import Synchronization

/// From a sale in the ledger to what is handed out: payload, then signature.
struct Payloads: Sendable {
    private let identity: AppIdentity
    private let signer: TransactionSigner
    private let clock: any StoreClock
    private let recent = RecentSignatures()
    private let accountNumbers = AccountNumbers()

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
            appTransactionId: appTransactionID(of: row.account),
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

    /// The same for every transaction of an account in this app, and different elsewhere (App Store
    /// Server API: `appTransactionId`). A one-way digest: the account's name never travels.
    private func appTransactionID(of account: AccountName) -> String {
        accountNumbers.number(of: account) { make(account) }
    }

    private func make(_ account: AccountName) -> String {
        let digest = SHA256.hash(data: Data("\(identity.bundleID)\u{0}\(account)".utf8))
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return "7" + String(number % 1_000_000_000_000_000)
    }

    /// Signed now, or a moment ago: an answer and its event carry the same text.
    func signed(_ row: TransactionRow) throws(StoreError) -> SignedTransaction {
        if let known = recent[row.id] { return known }
        let signed = try signer.sign(payload(of: row))
        recent[row.id] = signed
        return signed
    }
}

/// Numbers worked out before, one for each account this process has served.
private final class AccountNumbers: Sendable {
    private let known = Mutex<[AccountName: String]>([:])

    func number(of account: AccountName, make: () -> String) -> String {
        if let number = known.withLock({ $0[account] }) { return number }
        let number = make()
        known.withLock { known in
            if known.count >= StoreLimits.accountsKept { known = [:] }
            known[account] = number
        }
        return number
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
