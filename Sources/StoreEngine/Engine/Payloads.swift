import Basics
import Crypto
import Foundation
import StoreModel
import StoreSigning

/// Makes signed transactions for devices and the operator from transactions in the ledger.
struct Payloads: Sendable {
    let identity: AppIdentity
    let signer: TransactionSigner
    private let clock: LedgerClock
    private let recent = Memo<SignatureKey, SignedTransaction>(limit: StoreLimits.signaturesKept)
    private let accountNumbers = Memo<AccountName, String>(limit: StoreLimits.accountsKept)

    init(identity: AppIdentity, signer: TransactionSigner, clock: LedgerClock) {
        self.identity = identity
        self.signer = signer
        self.clock = clock
    }

    /// The payload of a transaction for a device. For the operator (nil) it has no device
    /// verification.
    func payload(of row: TransactionRow, for device: DeviceName?) -> TransactionPayload {
        let sale = row.sale
        let revocation = row.state.revocation
        let nonce = device.map { _ in UUID() }
        let storefront = Storefront.find(sale.storefront)
        var payload = TransactionPayload(
            transactionId: row.id, originalTransactionId: row.originalID,
            bundleId: identity.bundleID, productId: sale.productID, type: sale.type,
            purchaseDate: sale.purchaseDate,
            originalPurchaseDate: sale.original?.purchaseDate ?? sale.purchaseDate,
            quantity: sale.quantity, environment: identity.environment,
            storefront: sale.storefront, storefrontId: storefront?.id ?? "",
            price: sale.price.milliunits, currency: sale.price.currency,
            signedDate: row.signedDate(at: clock.now()))
        payload.webOrderLineItemId = sale.type == .autoRenewable ? row.id.description : nil
        payload.appTransactionId = appTransactionID(of: row.account)
        payload.subscriptionGroupIdentifier = sale.groupID
        payload.expiresDate = row.expiresDate
        payload.appAccountToken = row.appAccountToken
        payload.applicationUsernameHash = sale.applicationUsernameHash
        payload.inAppOwnershipType = sale.ownership
        payload.transactionReason = sale.reason
        payload.isUpgraded = row.state.isUpgraded ? true : nil
        payload.revocationDate = revocation?.date
        payload.revocationReason = revocation?.reason.rawValue
        // An upgrade revokes a whole period but refunds only its unused part.
        let revoked = row.state.isUpgraded ? revocation?.refunded : revocation?.takenBack
        payload.revocationPercentage = revoked?.millipercent
        payload.revocationType = revocation.flatMap {
            sale.ownership == .familyShared ? .family : $0.type
        }
        payload.offerType = sale.offer?.kind.number
        payload.offerIdentifier = sale.offer?.id?.rawValue
        payload.offerDiscountType = sale.offer?.mode.rawValue
        payload.offerPeriod = sale.offer?.period.iso8601
        if let device, let nonce {
            let verification = DeviceVerification(
                bundleID: identity.bundleID, account: row.account, device: device)
            payload.deviceVerification = verification.text(nonce: nonce)
            payload.deviceVerificationNonce = nonce
        }
        payload.billingPlanType = sale.billingPlan?.rawValue
        if let commitment = sale.commitment, let end = row.commitmentEnd {
            payload.commitmentInfo = TransactionCommitmentInfo(
                billingPeriodNumber: commitment.number, totalBillingPeriods: commitment.count,
                commitmentPrice: commitment.price.milliunits, commitmentExpiresDate: end)
        }
        return payload
    }

    /// The account's identifier in this app, the same in all its transactions and different in
    /// other apps (App Store Server API: `appTransactionId`). A one-way digest, so that payloads do
    /// not reveal the account's name.
    func appTransactionID(of account: AccountName) -> String {
        accountNumbers.value(account) { deriveNumber(account) }
    }

    /// That an account has the app, for no device.
    func appTransaction(of account: AccountName, at instant: Timestamp) -> AppTransactionPayload {
        AppTransactionPayload(
            identity, version: AppIdentity.appVersion,
            appTransactionId: appTransactionID(of: account), at: instant)
    }

    private func deriveNumber(_ account: AccountName) -> String {
        let digest = SHA256.hash(data: Data("\(identity.bundleID)\u{0}\(account)".utf8))
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return "7" + String(number % 1_000_000_000_000_000)
    }

    /// Cached by transaction, revision and device, so that an answer and its event have the same
    /// text.
    ///
    /// - Parameter broken: how the text's verification is to fail; nil for a valid text.
    func signed(
        _ row: TransactionRow, for device: DeviceName?, broken: VerificationError? = nil
    ) throws(StoreError) -> SignedTransaction {
        let key = SignatureKey(
            id: row.id, revision: row.state.revision, device: device, broken: broken)
        return try recent.value(key) { () throws(StoreError) in
            let payload = payload(of: row, for: device)
            if let broken { return try signer.sign(payload, broken: broken) }
            return try signer.sign(payload)
        }
    }

    func issued(
        _ row: TransactionRow, for device: DeviceName?, broken: VerificationError? = nil
    ) throws(StoreError) -> IssuedTransaction {
        IssuedTransaction(
            id: row.id, productID: row.sale.productID, type: row.sale.type,
            revision: row.state.revision, signed: try signed(row, for: device, broken: broken),
            payment: row.sale.payment?.id, grant: row.sale.grant)
    }
}

extension TransactionRow {
    /// The date of the signed text: now, but not before a purchase that another process made. A
    /// renewal that was recorded ahead of its period is dated now.
    func signedDate(at now: Timestamp) -> Timestamp {
        sale.cause == .renewal ? now : max(now, sale.purchaseDate)
    }
}

extension Sale {
    var ownership: TransactionPayload.Ownership {
        if case .familyShare = cause { .familyShared } else { .purchased }
    }

    /// A share has the reason of the owner's transaction.
    var reason: TransactionPayload.Reason {
        cause == .renewal || share?.isRenewal == true ? .renewal : .purchase
    }
}

extension Revocation {
    /// App Store Server API: `revocationType`. Nil if no money was given back.
    fileprivate var type: TransactionPayload.RevocationType? {
        refunded == .none ? nil : refunded == .all ? .full : .prorated
    }
}

/// The key of a cached signed text, which is of one revision and names one device.
private struct SignatureKey: Hashable {
    var id: TransactionID
    var revision: Int
    var device: DeviceName?
    var broken: VerificationError?
}

extension [Fault] {
    /// How the verification of every text for a device fails, while a fault for every verification
    /// is in force; nil while there is none.
    var verificationErrorInForce: VerificationError? {
        first { $0.call == .verification && $0.remaining == nil }?.error.verificationError
    }
}
