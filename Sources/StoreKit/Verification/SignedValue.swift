#if os(Linux)
import Foundation
import StoreModel
import StoreSigning

/// The device that a payload was signed for, as Apple's claims name it.
protocol SignedClaims {
    var deviceVerification: String? { get }
    var deviceVerificationNonce: UUID? { get }
}

extension TransactionPayload: SignedClaims {}
extension RenewalInfoPayload: SignedClaims {}
extension AppTransactionPayload: SignedClaims {}

/// A payload of the store with the text that it was signed in.
protocol SignedValue {
    associatedtype Payload: SignedClaims
    var payload: Payload { get }
    var signed: Signed<Payload> { get }
}

extension Transaction: SignedValue {}
extension Product.SubscriptionInfo.RenewalInfo: SignedValue {}
extension AppTransaction: SignedValue {}

extension SignedValue {
    /// The parts of the text as they were encoded.
    private var parts: [Substring] {
        signed.rawValue.split(separator: ".", omittingEmptySubsequences: false)
    }

    /// A part of the text, decoded; empty if there is none.
    func part(_ index: Int) -> Data {
        guard parts.indices.contains(index) else { return Data() }
        let text = String(parts[index])
        return Base64URL.decode(text.utf8Span.span).map { Data($0) } ?? Data()
    }

    /// Header and payload as they were signed.
    var signedBytes: Data { Data(parts.prefix(2).joined(separator: ".").utf8) }

    var deviceDigest: Data {
        payload.deviceVerification.flatMap { Data(base64Encoded: $0) } ?? Data()
    }

    var nonce: UUID {
        payload.deviceVerificationNonce
            ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
}
#endif
