#if os(Linux)
public import Foundation
import StoreDevice
import StoreModel
import StoreSigning

/// The App Store, as this app reaches it.
public enum AppStore: Sendable {
    /// Brings the account's past purchases to this device.
    public static func sync() async throws {
        try await throwingStoreKit { session in
            _ = try await session.device.restore()
            await session.feed.catchUp()
        }
    }

    /// Whether the account may make payments; true while the store is not open yet.
    public static var canMakePayments: Bool {
        guard let session = AppStoreProcess.openSession else { return true }
        let settings = try? Blocking.run { try await session.device.accountSettings().value }
        return settings?.canMakePayments ?? true
    }

    /// The identifier in `deviceVerification`; nil while the store is not open yet.
    public static var deviceVerificationID: UUID? {
        guard let session = AppStoreProcess.openSession else { return nil }
        return DeviceVerification(
            bundleID: session.store.identity.bundleID, account: session.store.account,
            device: session.store.device
        ).identifier
    }

    /// Where a store sells.
    public struct Environment: RawRepresentable, Equatable, Hashable, Sendable {
        /// As in signed payloads.
        public let rawValue: String
        /// Any text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// To customers.
        public static let production = Self(rawValue: StoreEnvironment.production.rawValue)
        /// To testers.
        public static let sandbox = Self(rawValue: StoreEnvironment.sandbox.rawValue)
        /// To tests on the developer's machine.
        public static let xcode = Self(rawValue: StoreEnvironment.xcode.rawValue)
    }

    /// A platform that apps run on.
    public struct Platform: RawRepresentable, Equatable, Hashable, Sendable {
        /// The platform's name.
        public let rawValue: String
        /// Any text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// iPhone, iPad, and Apple Watch.
        public static let iOS = Self(rawValue: "iOS")
        /// Mac.
        public static let macOS = Self(rawValue: "macOS")
        /// Apple TV.
        public static let tvOS = Self(rawValue: "tvOS")
        /// Apple Vision Pro.
        public static let visionOS = Self(rawValue: "visionOS")
    }

    /// Always nil: no one rates the apps of this store.
    public static var ageRatingCode: Int? { get async { nil } }
}
#endif
