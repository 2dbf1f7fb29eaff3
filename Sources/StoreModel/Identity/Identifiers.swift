package import Foundation

/// An identifier that is a text; each kind of identifier is a separate type. Any text is accepted.
/// Encoded as the bare string: `"productId": "lantern.sepia"`. Ordered by the text.
package protocol TextIdentifier: RawRepresentable<String>, Codable, Hashable, Sendable, Comparable,
    CustomStringConvertible, ExpressibleByStringLiteral
{
    /// Takes any text: a name is checked where it is used, a signed text by a verifier.
    init(rawValue: String)
}

extension TextIdentifier {
    package init(_ text: String) { self.init(rawValue: text) }
    package init(stringLiteral text: String) { self.init(rawValue: text) }

    package init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    package var description: String { rawValue }
}

/// A value that is encoded as its text, its `description`. To decode another text throws.
package protocol TextCoded: Codable, LosslessStringConvertible {}

extension TextCoded {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "no \(Self.self): \(text)")
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// A product's identifier in the catalog (StoreKit: `Product.ID`).
package struct ProductID: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// A subscription group, of which an account holds one subscription at a time (StoreKit:
/// `subscriptionGroupID`).
package struct SubscriptionGroupID: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// A feature of the app that owning a product unlocks, such as `theme.sepia`. The app gives it its
/// meaning; the store only passes it on.
package struct UnlockID: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// A customer's name, for people. It never leaves the store in signed data; payloads carry
/// `appTransactionId` and `appAccountToken` instead.
package struct AccountName: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// A device of an account: a phone, tablet or terminal. Unique within the account.
package struct DeviceName: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// The identity of a payment, made by the customer's side before anything is sent, so that sending
/// it again is harmless. Encoded as a lower-case UUID.
package struct PaymentID: Hashable, Sendable, TextCoded {
    /// Version 7 if made by `made(at:)`; any version is accepted.
    package let uuid: UUID
    package init(_ uuid: UUID) { self.uuid = uuid }

    /// A new id: a UUID that begins with the time (RFC 9562, version 7). Ids made at about the same
    /// time are neighbours in an index, so many payments at once change one page of the database
    /// instead of one page each.
    package static func made(at now: Date) -> PaymentID {
        let random = UUID().uuid
        let time = UInt64(max(0, now.timeIntervalSince1970 * 1000)).bigEndian
        return withUnsafeBytes(of: time) { time in
            PaymentID(
                UUID(
                    uuid: (
                        time[2], time[3], time[4], time[5], time[6], time[7],
                        0x70 | random.6 & 0x0F, random.7,
                        0x80 | random.8 & 0x3F, random.9, random.10, random.11, random.12,
                        random.13, random.14, random.15
                    )))
        }
    }

    /// The text form of a UUID (RFC 9562), in either case; nil for anything else.
    package init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.uuid = uuid
    }

    package var description: String { uuid.uuidString.lowercased() }
}

/// The number of a transaction (App Store Server API: `transactionId`), counted by the store's
/// ledger and never reused. An approval request takes its number from the same counter and keeps it
/// as the transaction when it is approved. Encoded as a decimal string, as in Apple's payloads.
package struct TransactionID: Hashable, Sendable, Comparable, TextCoded {
    /// Not negative when read from text.
    package let number: Int64
    /// Not checked.
    package init(_ number: Int64) { self.number = number }

    /// Reads a decimal number of at least 0 as `description` writes it, so that one number has one
    /// text; nil for anything else, a sign or a leading zero included.
    package init?(_ text: String) {
        guard let number = Int64(text), number >= 0, String(number) == text else { return nil }
        self.number = number
    }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
    package var description: String { String(number) }
}

/// The environment a store belongs to (App Store Server API: `environment`). Open: a value this
/// program does not know survives decoding and encoding.
package struct StoreEnvironment: TextIdentifier {
    package let rawValue: String
    /// Any name is accepted: another version of the program may know more environments.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// Of new stores.
    package static let sandbox = StoreEnvironment("Sandbox")
    /// Apple's production environment, as a value of payloads.
    package static let production = StoreEnvironment("Production")
    /// Apple's StoreKit testing in Xcode.
    package static let xcode = StoreEnvironment("Xcode")
    /// Unit tests, as in Apple's App Store Server Library.
    package static let localTesting = StoreEnvironment("LocalTesting")

    /// A store can be opened in these.
    package static let known = [sandbox, production, xcode, localTesting]
}

/// The app and environment a store belongs to. A store keeps the identity it was made with; opening
/// it with another fails with `storeOfAnotherApp`.
package struct AppIdentity: Codable, Hashable, Sendable {
    package var bundleID: String
    /// The number App Store Connect gives an app (App Store Server API: `appAppleId`); nil in most
    /// test environments.
    package var appAppleID: Int64?
    /// Signed into every transaction.
    package var environment: StoreEnvironment

    /// As the App Store's server tells it to a backend, in answers and notifications: nil except in
    /// production. A signed app transaction has it everywhere.
    package var servedAppleID: Int64? { environment == .production ? appAppleID : nil }

    package init(
        bundleID: String, appAppleID: Int64? = nil, environment: StoreEnvironment = .sandbox
    ) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.environment = environment
    }
}

/// A position in the store's feed, opaque to everything but the ledger that made it. Once a cursor
/// was handed out, no entry at or before it appears later. A cursor of another epoch than the
/// ledger's is refused with `storeReplaced`.
package struct FeedCursor: Codable, Hashable, Sendable {
    /// The number of the store's history; always 1 today.
    package let epoch: Int64
    /// The entry's position in the ledger; 0 before the first.
    package let position: Int64

    package init(epoch: Int64, position: Int64) {
        self.epoch = epoch
        self.position = position
    }
}

/// Tells one history of a store from another: a digest of the last entries up to a cursor. A device
/// keeps one beside its cursor. If the store's mark at that cursor differs, the store was restored
/// from an old copy and has recorded other entries since.
package struct FeedMark: RawRepresentable, Codable, Hashable, Sendable {
    /// Opaque to everything but the ledger that made it.
    package let rawValue: String

    /// Any text is accepted: one that no ledger made equals no mark.
    package init(rawValue: String) { self.rawValue = rawValue }
}
