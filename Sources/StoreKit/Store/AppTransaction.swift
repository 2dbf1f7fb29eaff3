#if os(Linux)
public import Foundation
import StoreDevice
package import StoreModel

/// That the account has the app.
public struct AppTransaction: Hashable, Sendable, CustomDebugStringConvertible {
    package let payload: AppTransactionPayload
    package let signed: SignedAppTransaction

    /// The one on this device, else a new one.
    public static var shared: VerificationResult<AppTransaction> {
        get async throws {
            try await get { session in
                // The kept one cannot fail: a call that is made to fail asks the store.
                let faults = (try? await session.console.faults()) ?? []
                if faults.contains(where: { $0.call == .appTransaction }) {
                    return try await session.device.refreshAppTransaction()
                }
                return try await session.device.appTransaction()
            }
        }
    }

    /// A new one, which replaces the one on this device.
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        try await get { try await $0.device.refreshAppTransaction() }
    }

    private static func get(
        _ call: @Sendable (AppStoreSession) async throws -> KeptAppTransaction
    ) async throws -> VerificationResult<AppTransaction> {
        try await throwingStoreKit { session in
            let kept = try await call(session)
            let payload = try kept.verified.get()
            return .verified(AppTransaction(payload: payload, signed: kept.signed))
        }
    }

    /// The app's number in App Store Connect; nil in most tests.
    public var appID: UInt64? { payload.appAppleId.map { UInt64(clamping: $0) } }
    /// Identifies the account in this app.
    public var appTransactionID: String { payload.appTransactionId }
    /// Of the app that runs.
    public var appVersion: String { payload.applicationVersion }
    /// Always nil: the store records no versions of apps.
    public var appVersionID: UInt64? { nil }
    /// Of the app that the account got first.
    public var originalAppVersion: String { payload.originalApplicationVersion }
    /// When the account got the app.
    public var originalPurchaseDate: Date { payload.originalPurchaseDate.date }
    /// Always nil: nothing is sold before it is there.
    public var preorderDate: Date? { nil }
    /// Of the app.
    public var bundleID: String { payload.bundleId }
    /// Where the account got it.
    public var environment: AppStore.Environment { .init(rawValue: payload.environment.rawValue) }
    /// Where the account got it: `Linux`, which none of Apple's constants is.
    public var originalPlatform: AppStore.Platform { AppStore.Platform(rawValue: "Linux") }
    /// `originalPlatform`, as text.
    @available(*, deprecated, renamed: "originalPlatform.rawValue")
    public var originalPlatformStringRepresentation: String { originalPlatform.rawValue }
    /// When the store signed it.
    public var signedDate: Date { payload.receiptCreationDate.date }
    /// The digest of nonce and device identifier.
    public var deviceVerification: Data { deviceDigest }
    /// The nonce in `deviceVerification`.
    public var deviceVerificationNonce: UUID { nonce }
    /// The JSON of the signed payload.
    public var jsonRepresentation: Data { part(1) }

    /// App and version.
    public var debugDescription: String { "\(bundleID) \(appVersion)" }
}
#endif
