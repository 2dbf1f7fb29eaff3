import Basics
import Crypto
import Foundation
import StoreModel
import StoreSigning

/// From a sale in the ledger to what is handed out: payload, then signature.
struct Payloads: Sendable {
    private let identity: AppIdentity
    private let signer: TransactionSigner
    private let clock: LedgerClock
    private let recent = Memo<SignatureKey, SignedTransaction>(limit: StoreLimits.signaturesKept)
    private let accountNumbers = Memo<AccountName, String>(limit: StoreLimits.accountsKept)

    init(identity: AppIdentity, signer: TransactionSigner, clock: LedgerClock) {
        self.identity = identity
        self.signer = signer
        self.clock = clock
    }

    func payload(of row: TransactionRow, for device: DeviceName?) -> TransactionPayload {
        let sale = row.sale
        let revocation = row.state.revocation
        let nonce = device.map { _ in UUID() }
        let storefront = Storefront.find(sale.storefront)
        return TransactionPayload(
            transactionId: row.id,
            originalTransactionId: row.originalID,
            webOrderLineItemId: sale.type == .autoRenewable ? row.id.description : nil,
            appTransactionId: appTransactionID(of: row.account),
            bundleId: identity.bundleID,
            productId: sale.productID,
            subscriptionGroupIdentifier: sale.groupID,
            type: sale.type,
            purchaseDate: sale.purchaseDate,
            originalPurchaseDate: sale.original?.purchaseDate ?? sale.purchaseDate,
            expiresDate: sale.expiresDate,
            quantity: sale.quantity,
            appAccountToken: sale.appAccountToken,
            inAppOwnershipType: sale.ownership,
            transactionReason: sale.cause == .renewal ? .renewal : .purchase,
            revocationDate: revocation?.date,
            revocationReason: revocation?.reason.rawValue,
            revocationPercentage: revocation?.takenBack.millipercent,
            revocationType: revocation?.type,
            environment: identity.environment,
            storefront: sale.storefront,
            storefrontId: storefront?.id ?? "",
            price: sale.price.milliunits,
            currency: sale.price.currency,
            signedDate: max(clock.now(), sale.purchaseDate),
            deviceVerification: device.flatMap { device in
                nonce.map {
                    DeviceVerification(
                        bundleID: identity.bundleID, account: row.account, device: device
                    ).text(nonce: $0)
                }
            },
            deviceVerificationNonce: nonce)
    }

    /// The same for every transaction of an account in this app, and different elsewhere (App Store
    /// Server API: `appTransactionId`). A one-way digest: the account's name never travels.
    private func appTransactionID(of account: AccountName) -> String {
        accountNumbers.value(account) { make(account) }
    }

    private func make(_ account: AccountName) -> String {
        let digest = SHA256.hash(data: Data("\(identity.bundleID)\u{0}\(account)".utf8))
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return "7" + String(number % 1_000_000_000_000_000)
    }

    /// Signed now, or a moment ago: an answer and its event carry the same text.
    func signed(_ row: TransactionRow, for device: DeviceName?) throws(StoreError)
        -> SignedTransaction
    {
        let key = SignatureKey(id: row.id, revision: row.state.revision, device: device)
        return try recent.value(key) { () throws(StoreError) in
            try signer.sign(payload(of: row, for: device))
        }
    }

    func issued(_ row: TransactionRow, for device: DeviceName?) throws(StoreError)
        -> IssuedTransaction
    {
        IssuedTransaction(
            id: row.id, productID: row.sale.productID, type: row.sale.type,
            revision: row.state.revision, signed: try signed(row, for: device),
            payment: row.sale.payment?.id, grant: row.sale.grant)
    }
}

extension Sale {
    fileprivate var ownership: TransactionPayload.Ownership {
        if case .familyShare = cause { .familyShared } else { .purchased }
    }
}

extension Revocation {
    /// Absent where no money was given back.
    fileprivate var type: TransactionPayload.RevocationType? {
        refunded == .none ? nil : refunded == .all ? .full : .prorated
    }
}

/// What one signed text stands for: it names the device it was signed for, and says what held at one
/// revision.
private struct SignatureKey: Hashable {
    var id: TransactionID
    var revision: Int
    var device: DeviceName?
}
