import Foundation
import StoreModel
import StoreSigning

/// Checks a device's proof of purchase before a package is sent: first its signature, then its
/// account, device and product, then whether the purchase is still valid, by the text and by the
/// store's present state. The first check that fails decides the answer.
struct PurchaseCheck: Sendable {
    private let store: any ContentServerStore
    private let verifier: TransactionVerifier

    /// Throws `keysUnreadable` for the store's root certificate.
    init(store: any ContentServerStore) throws(StoreError) {
        self.store = store
        verifier = try TransactionVerifier(
            rootCertificate: store.rootCertificate, bundleID: store.identity.bundleID,
            environment: store.identity.environment)
    }

    /// A verified text, with the transaction that it proves.
    enum Shown: Sendable {
        case transaction(TransactionPayload)
        case receipt(ReceiptPayload)

        var device: (digest: String?, nonce: UUID?) {
            switch self {
            case .transaction(let payload):
                (payload.deviceVerification, payload.deviceVerificationNonce)
            case .receipt(let payload):
                (payload.deviceVerification, payload.deviceVerificationNonce)
            }
        }
    }

    /// Takes a transaction or a receipt.
    func verify(_ signed: String) async throws(ContentRefusal) -> Shown {
        let transaction = SignedTransaction(signed)
        if !verifier.knowsChain(of: transaction) { await useRevocations() }
        switch await verifier.verify(transaction, allowingNoDevice: true) {
        case .verified(let transaction): return .transaction(transaction.payload)
        case .unverified(let claimed, let error):
            guard error == .missingRequiredProperties || error == .invalidEncoding else {
                throw refusal(error, claiming: claimed)
            }
        }
        let receipt = SignedReceipt(signed)
        do throws(VerificationError) { return .receipt(try await verifier.verify(receipt)) } catch {
            throw refusal(error, claiming: TransactionVerifier.unverifiedPayload(of: receipt))
        }
    }

    /// Returns when the entitlement ends; nil if it has no end. `device` is the identifier in the
    /// request.
    func check(
        _ signed: String, device: UUID?, for product: ProductID
    ) async throws(CheckFailure) -> Timestamp? {
        let shown: Shown
        do throws(ContentRefusal) { shown = try await verify(signed) } catch {
            throw .refused(error)
        }
        guard Self.isFor(device, shown) else { throw .refused(.wrongAccount) }
        let claimed: TransactionPayload
        switch shown {
        case .transaction(let payload):
            guard payload.productId == product else { throw .refused(.wrongProduct) }
            claimed = payload
        case .receipt(let receipt):
            guard receipt.revocationDate == nil else { throw .refused(.revoked) }
            guard !receipt.isExpired(at: store.now) else { throw .refused(.expired) }
            let ofProduct = receipt.inApp.filter { $0.productId == product }
            guard
                let payload = ofProduct.last(where: { $0.revocationDate == nil })
                    ?? ofProduct.last
            else { throw .refused(.wrongProduct) }
            claimed = payload
        }
        let current: TransactionPayload?
        do throws(StoreError) { current = try await store.transaction(claimed.transactionId) } catch
        {
            throw .store(error)
        }
        if let refusal = refusal(of: claimed, current) { throw .refused(refusal) }
        return current?.expiresDate
    }

    /// Nil while the transaction is valid. `current` is its present state in the store; nil if the
    /// store has none.
    func refusal(
        of claimed: TransactionPayload, _ current: TransactionPayload?
    ) -> ContentRefusal? {
        if claimed.revocationDate != nil { return .revoked }
        guard let current else { return .unknownTransaction }
        if current.revocationDate != nil { return .revoked }
        if let end = current.expiresDate, end <= store.now { return .expired }
        return nil
    }

    /// False for a text without a device, which was signed for the operator.
    private static func isFor(_ device: UUID?, _ shown: Shown) -> Bool {
        guard let device, let digest = shown.device.digest, let nonce = shown.device.nonce else {
            return false
        }
        return DeviceVerification(identifier: device).text(nonce: nonce) == digest
    }

    /// The refusal for a verification error.
    ///
    /// - Parameter claim: what the text says. A text of another app or environment comes from
    ///   another store, whose certificate chain is not trusted here. Its unverified claim is used
    ///   only to explain the refusal.
    private func refusal(
        _ error: VerificationError, claiming claim: (some SignedPayload)?
    ) -> ContentRefusal {
        switch error {
        case .invalidEncoding, .missingRequiredProperties: return .notSigned
        case .invalidSignature: return .tampered
        case .revokedCertificate: return .certificateRevoked
        case .wrongApp: return .wrongApp
        case .wrongEnvironment: return .wrongEnvironment
        case .invalidDeviceVerification: return .wrongAccount
        case .invalidCertificateChain:
            guard let claim else { return .untrusted }
            if claim.signedBundleID != store.identity.bundleID { return .wrongApp }
            let isOfHere = claim.signedEnvironment == store.identity.environment
            return isOfHere ? .untrusted : .wrongEnvironment
        }
    }

    /// Call it before a text with a new chain is verified.
    private func useRevocations() async {
        guard let list = try? await store.revokedCertificates() else { return }
        _ = try? await verifier.use(list)
    }
}

/// Why the server sends no package.
enum CheckFailure: Error {
    case refused(ContentRefusal)
    case store(StoreError)
}

extension ContentRefusal: Error {}

extension ContentRefusal {
    /// 401 if nothing was proven, 403 if the proven purchase does not suffice.
    var status: Int {
        switch self {
        case .authorizationMissing, .notSigned, .tampered, .untrusted, .certificateRevoked: 401
        case .wrongApp, .wrongEnvironment, .wrongAccount, .wrongProduct, .unknownTransaction,
            .revoked, .expired:
            403
        }
    }

    /// For the app's developer.
    var message: String {
        switch self {
        case .authorizationMissing:
            "Send the signed transaction or receipt as Authorization: Bearer, and the device it was "
                + "signed for as Device-Identifier."
        case .notSigned: "This is no signed transaction or receipt."
        case .tampered: "The text was changed after it was signed."
        case .untrusted: "Another store signed the text."
        case .certificateRevoked: "The certificate that signed the text was revoked."
        case .wrongApp: "The text is of another app."
        case .wrongEnvironment: "The text is of another environment."
        case .wrongAccount: "The text was signed for another account or device."
        case .wrongProduct: "The text is about another product."
        case .unknownTransaction: "The store has no such transaction."
        case .revoked: "The purchase was refunded or revoked."
        case .expired: "The subscription or receipt has expired."
        }
    }

    /// App Store: `verifyReceipt` status codes.
    var receiptStatus: Int {
        switch self {
        case .authorizationMissing, .notSigned: 21002
        case .tampered, .untrusted, .certificateRevoked, .wrongApp, .wrongAccount,
            .wrongProduct:
            21003
        case .wrongEnvironment: 21007
        case .unknownTransaction, .revoked: 21010
        case .expired: 21006
        }
    }
}
