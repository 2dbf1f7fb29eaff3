package import Foundation

/// The payload of a receipt: an account's purchases in the app. Untrusted: the type does not prove
/// a signature. Names follow those of Apple's receipts (`verifyReceipt`) in the spelling of its
/// signed payloads.
package struct ReceiptPayload: Codable, Hashable, Sendable {
    package var bundleId: String
    /// Base64 of the SHA-384 of nonce and device identifier: the device it was made for.
    package var deviceVerification: String?
    package var deviceVerificationNonce: UUID?
    package var environment: StoreEnvironment
    /// `SKReceiptPropertyIsExpired`; nil for a receipt that does not expire.
    package var expirationDate: Timestamp?
    /// The transactions, by number: consumables until they are finished, everything else for good,
    /// revoked ones with their revocation. Their `signedDate` is `receiptCreationDate`.
    package var inApp: [TransactionPayload]
    /// When the receipt was made and signed. The certificates must be valid at this date.
    package var receiptCreationDate: Timestamp
    /// `Production` or `ProductionSandbox`, or the name of another environment. For a volume
    /// purchase `VPP` follows `Production`, or the name.
    package var receiptType: String
    /// Of the receipt as a whole (`SKReceiptPropertyIsRevoked`); nil if it was not revoked.
    package var revocationDate: Timestamp?

    /// The app decides how to treat an expired receipt.
    package func isExpired(at now: Timestamp) -> Bool { expirationDate.map { $0 <= now } ?? false }

    package var isVolumePurchase: Bool { receiptType.contains("VPP") }
}

extension ReceiptPayload {
    package init(
        receiptType: String, _ identity: AppIdentity, inApp: [TransactionPayload],
        at now: Timestamp
    ) {
        self.receiptType = receiptType
        bundleId = identity.bundleID
        receiptCreationDate = now
        environment = identity.environment
        self.inApp = inApp
    }
}

/// The states that a refreshed receipt is asked to be in, for trials (StoreKit 1: the properties of
/// `SKReceiptRefreshRequest`). All are false in a usual receipt.
package struct ReceiptOptions: Hashable, Sendable {
    /// `SKReceiptPropertyIsExpired`.
    package var isExpired: Bool
    /// `SKReceiptPropertyIsRevoked`.
    package var isRevoked: Bool
    /// `SKReceiptPropertyIsVolumePurchase`.
    package var isVolumePurchase: Bool

    package init(
        isExpired: Bool = false, isRevoked: Bool = false, isVolumePurchase: Bool = false
    ) {
        self.isExpired = isExpired
        self.isRevoked = isRevoked
        self.isVolumePurchase = isVolumePurchase
    }
}

/// A signed text that a device keeps as a file, with the result of verifying it when the device
/// read it.
package struct KeptSignedText<Payload: Sendable & Hashable>: Sendable, Hashable {
    /// As it is in the file.
    package var signed: Signed<Payload>
    package var path: String
    /// Or the first check that failed.
    package var verified: Result<Payload, VerificationError>

    package init(
        signed: Signed<Payload>, path: String, verified: Result<Payload, VerificationError>
    ) {
        self.signed = signed
        self.path = path
        self.verified = verified
    }
}

/// The receipt that a device keeps.
package typealias KeptReceipt = KeptSignedText<ReceiptPayload>
