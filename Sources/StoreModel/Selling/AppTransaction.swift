package import Foundation

/// The payload of an app transaction: that an account has the app (StoreKit: `AppTransaction`; App
/// Store Server API: `JWSAppTransactionDecodedPayload`). Untrusted: the type does not prove a
/// signature. Names and units are Apple's.
package struct AppTransactionPayload: Codable, Hashable, Sendable {
    /// Nil in most test environments.
    package var appAppleId: Int64?
    /// An identifier of the account in this app, the same as in its transactions.
    package var appTransactionId: String
    /// Of the app that runs.
    package var applicationVersion: String
    package var bundleId: String
    /// Base64 of the SHA-384 of nonce and device identifier: the device it was made for.
    package var deviceVerification: String?
    package var deviceVerificationNonce: UUID?
    package var environment: StoreEnvironment
    /// Of the app that the account got first.
    package var originalApplicationVersion: String
    /// When the account got the app. The store records no downloads of apps, so it is always the
    /// beginning of 2000; Xcode writes one fixed date too.
    package var originalPurchaseDate: Timestamp
    /// When the store made and signed it. The certificates must be valid at this date.
    package var receiptCreationDate: Timestamp
    /// The environment's name; Apple's verifiers read the environment from this member.
    package var receiptType: String
}

extension AppTransactionPayload {
    /// - Parameter version: of the app.
    package init(
        _ identity: AppIdentity, version: String, appTransactionId: String, at now: Timestamp
    ) {
        receiptType = identity.environment.rawValue
        appAppleId = identity.appAppleID
        bundleId = identity.bundleID
        applicationVersion = version
        originalApplicationVersion = version
        originalPurchaseDate = .earliest
        receiptCreationDate = now
        self.appTransactionId = appTransactionId
        environment = identity.environment
    }
}

/// The app transaction that a device keeps.
package typealias KeptAppTransaction = KeptSignedText<AppTransactionPayload>
