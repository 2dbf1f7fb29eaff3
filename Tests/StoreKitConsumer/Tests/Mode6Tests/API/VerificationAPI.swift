import StoreKit

/// The declarations of `VerificationResult`, each with its type.
enum VerificationAPI {
    /// As in the guides. Frozen: the cases are all there are.
    static func checkVerified<Value>(_ result: VerificationResult<Value>) throws -> Value {
        switch result {
        case .unverified(_, let error): throw error
        case .verified(let value): return value
        }
    }

    static func values<Value>(_ result: VerificationResult<Value>) throws -> [Value] {
        [try result.payloadValue, result.unsafePayloadValue]
    }

    static func error(_ error: VerificationResult<Transaction>.VerificationError) -> String? {
        isValue(VerificationResult<Transaction>.VerificationError.self)
        isError(VerificationResult<AppTransaction>.VerificationError.self)
        let _: any LocalizedError = error
        switch error {
        case .revokedCertificate, .invalidCertificateChain: return error.errorDescription
        case .invalidDeviceVerification, .invalidEncoding: return error.failureReason
        case .invalidSignature, .missingRequiredProperties: return error.recoverySuggestion
        @unknown default: return nil
        }
    }

    static func parts(_ result: VerificationResult<Transaction>) {
        isValue(VerificationResult<Transaction>.self)
        let _: String = result.jwsRepresentation
        let _: Data = result.signedData
        let _: Data = result.headerData
        let _: Data = result.payloadData
        let _: Data = result.signatureData
        // Of swift-crypto, which the app need not import to read it.
        let _: Data = result.signature.rawRepresentation
        let _: Date = result.signedDate
        let _: Data = result.deviceVerification
        let _: UUID = result.deviceVerificationNonce
        let _: String = result.debugDescription
    }

    static func parts(_ result: VerificationResult<Product.SubscriptionInfo.RenewalInfo>) {
        isValue(VerificationResult<Product.SubscriptionInfo.RenewalInfo>.self)
        let _: String = result.jwsRepresentation
        let _: [Data] = [
            result.signedData, result.headerData, result.payloadData, result.signatureData,
            result.signature.rawRepresentation, result.deviceVerification,
        ]
        let _: (Date, UUID) = (result.signedDate, result.deviceVerificationNonce)
    }

    static func parts(_ result: VerificationResult<AppTransaction>) {
        isValue(VerificationResult<AppTransaction>.self)
        let _: String = result.jwsRepresentation
        let _: [Data] = [
            result.signedData, result.headerData, result.payloadData, result.signatureData,
            result.signature.rawRepresentation, result.deviceVerification,
        ]
        let _: (Date, UUID) = (result.signedDate, result.deviceVerificationNonce)
    }
}
