#if os(Linux)
public import Crypto
public import Foundation
package import StoreModel
import StoreSigning

/// A value of the store, and whether its signature was verified on this device.
@frozen public enum VerificationResult<SignedType> {
    /// A check failed: what the value says is not proved.
    case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
    /// Signature, certificates and contents were checked.
    case verified(SignedType)

    /// The first check that failed.
    @nonexhaustive public enum VerificationError: LocalizedError, Sendable {
        /// A certificate of the chain is on the store's list of revoked certificates.
        case revokedCertificate
        /// The chain does not end in the store's root, or was not valid at the signed date.
        case invalidCertificateChain
        /// Signed for another device.
        case invalidDeviceVerification
        /// Not a compact JWS with the expected JSON.
        case invalidEncoding
        /// The leaf certificate's key did not make the signature.
        case invalidSignature
        /// A property that every value has is missing.
        case missingRequiredProperties

        /// The failed check in a sentence.
        public var errorDescription: String? {
            switch self {
            case .revokedCertificate: "A certificate of the signature was revoked."
            case .invalidCertificateChain: "The certificates do not end in the store's root."
            case .invalidDeviceVerification: "The value was signed for another device."
            case .invalidEncoding: "The signed text cannot be read."
            case .invalidSignature: "The signature does not fit the contents."
            case .missingRequiredProperties: "The signed text lacks a required property."
            }
        }

        /// Why nothing may be unlocked.
        public var failureReason: String? { "The value could not be verified on this device." }

        /// Advice for the app.
        public var recoverySuggestion: String? { "Unlock nothing, and sync with the App Store." }

        package init(_ error: StoreModel.VerificationError) {
            self =
                switch error {
                case .revokedCertificate: .revokedCertificate
                case .invalidCertificateChain: .invalidCertificateChain
                case .invalidDeviceVerification: .invalidDeviceVerification
                case .invalidEncoding: .invalidEncoding
                case .invalidSignature: .invalidSignature
                // The last two never reach an app: a store signs for one app in one environment.
                case .missingRequiredProperties, .wrongApp, .wrongEnvironment:
                    .missingRequiredProperties
                }
        }
    }

    /// The verified value. Throws the `VerificationError` of one that is not verified.
    public var payloadValue: SignedType {
        get throws {
            switch self {
            case .verified(let value): return value
            case .unverified(_, let error): throw error
            }
        }
    }

    /// The value, verified or not.
    public var unsafePayloadValue: SignedType {
        switch self {
        case .verified(let value), .unverified(let value, _): value
        }
    }
}

extension VerificationResult: Equatable where SignedType: Equatable {}
extension VerificationResult: Hashable where SignedType: Hashable {}
extension VerificationResult: Sendable where SignedType: Sendable {}

extension VerificationResult.VerificationError: Equatable, Hashable {}

extension VerificationResult: CustomDebugStringConvertible
where SignedType: CustomDebugStringConvertible {
    /// The value's, with the failed check.
    public var debugDescription: String {
        switch self {
        case .verified(let value): "verified(\(value.debugDescription))"
        case .unverified(let value, let error): "unverified(\(value.debugDescription), \(error))"
        }
    }
}

extension VerificationResult where SignedType == Transaction {
    /// The signed text: a compact JWS.
    public var jwsRepresentation: String { unsafePayloadValue.signed.rawValue }
    /// The JSON of the header.
    public var headerData: Data { unsafePayloadValue.part(0) }
    /// The JSON of the payload.
    public var payloadData: Data { unsafePayloadValue.part(1) }
    /// The bytes of the signature (RFC 7518: `r` and `s`).
    public var signatureData: Data { unsafePayloadValue.part(2) }
    /// The bytes that were signed: header and payload as encoded.
    public var signedData: Data { unsafePayloadValue.signedBytes }
    /// `signatureData` as a value of Crypto.
    public var signature: P256.Signing.ECDSASignature { unsafePayloadValue.ecdsaSignature }
    /// When the store signed the value.
    public var signedDate: Date { unsafePayloadValue.signedDate }
    /// The digest of nonce and device identifier.
    public var deviceVerification: Data { unsafePayloadValue.deviceDigest }
    /// The nonce in `deviceVerification`.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.nonce }
}

extension VerificationResult where SignedType == Product.SubscriptionInfo.RenewalInfo {
    /// The signed text: a compact JWS.
    public var jwsRepresentation: String { unsafePayloadValue.signed.rawValue }
    /// The JSON of the header.
    public var headerData: Data { unsafePayloadValue.part(0) }
    /// The JSON of the payload.
    public var payloadData: Data { unsafePayloadValue.part(1) }
    /// The bytes of the signature (RFC 7518: `r` and `s`).
    public var signatureData: Data { unsafePayloadValue.part(2) }
    /// The bytes that were signed: header and payload as encoded.
    public var signedData: Data { unsafePayloadValue.signedBytes }
    /// `signatureData` as a value of Crypto.
    public var signature: P256.Signing.ECDSASignature { unsafePayloadValue.ecdsaSignature }
    /// When the store signed the value.
    public var signedDate: Date { unsafePayloadValue.signedDate }
    /// The digest of nonce and device identifier.
    public var deviceVerification: Data { unsafePayloadValue.deviceDigest }
    /// The nonce in `deviceVerification`.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.nonce }
}

extension VerificationResult where SignedType == AppTransaction {
    /// The signed text: a compact JWS.
    public var jwsRepresentation: String { unsafePayloadValue.signed.rawValue }
    /// The JSON of the header.
    public var headerData: Data { unsafePayloadValue.part(0) }
    /// The JSON of the payload.
    public var payloadData: Data { unsafePayloadValue.part(1) }
    /// The bytes of the signature (RFC 7518: `r` and `s`).
    public var signatureData: Data { unsafePayloadValue.part(2) }
    /// The bytes that were signed: header and payload as encoded.
    public var signedData: Data { unsafePayloadValue.signedBytes }
    /// `signatureData` as a value of Crypto.
    public var signature: P256.Signing.ECDSASignature { unsafePayloadValue.ecdsaSignature }
    /// When the store signed the value.
    public var signedDate: Date { unsafePayloadValue.signedDate }
    /// The digest of nonce and device identifier.
    public var deviceVerification: Data { unsafePayloadValue.deviceDigest }
    /// The nonce in `deviceVerification`.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.nonce }
}

extension SignedValue {
    /// Of a text without a readable signature the least number that can be one: it verifies nothing.
    fileprivate var ecdsaSignature: P256.Signing.ECDSASignature {
        let least = Data(repeating: 0, count: 31) + [1]
        for bytes in [part(2), least + least] {
            if let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes) {
                return signature
            }
        }
        preconditionFailure("64 bytes are a signature")
    }
}

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
