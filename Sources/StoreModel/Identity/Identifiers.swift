package import Foundation

/// A text that names one thing and nothing else. Encoded as the bare string, so JSON shows
/// `"productId": "lantern.sepia"` and never a wrapper object.
package protocol TextIdentifier: RawRepresentable<String>, Codable, Hashable, Sendable, Comparable,
    CustomStringConvertible, ExpressibleByStringLiteral
{
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

/// What a catalog calls one thing that is sold (StoreKit: `Product.ID`).
package struct ProductID: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// A set of subscriptions of which an account holds one at a time (StoreKit:
/// `subscriptionGroupID`).
package struct SubscriptionGroupID: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// The customer. A name for people; what leaves the store is never this name but a token.
package struct AccountName: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// One phone, tablet or terminal of an account.
package struct DeviceName: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// Made by the customer's side before anything is sent, so that sending it again is harmless.
package struct PaymentID: Hashable, Codable, Sendable, CustomStringConvertible {
    package let uuid: UUID
    package init(_ uuid: UUID) { self.uuid = uuid }

    /// A new one: a UUID that begins with the time (RFC 9562, version 7). Ids of one time lie side by
    /// side wherever they are looked up by, so that a crowd of payments changes one page and not one
    /// each.
    package static func made(at now: Date = Date()) -> PaymentID {
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

    /// Reads the usual text form of a UUID; nil for anything else.
    package init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        self.uuid = uuid
    }

    package init(from decoder: any Decoder) throws {
        uuid = try decoder.singleValueContainer().decode(UUID.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    package var description: String { uuid.uuidString.lowercased() }
}

/// The number of a transaction. Counted by the store's ledger, never reused; an approval request
/// takes its number from the same counter and becomes that transaction when it is approved.
/// Encoded as a decimal string, as in Apple's signed payloads.
package struct TransactionID: Hashable, Codable, Sendable, Comparable, CustomStringConvertible {
    package let number: Int64
    package init(_ number: Int64) { self.number = number }

    /// Reads a decimal number; nil for anything else.
    package init?(_ text: String) {
        guard let number = Int64(text), number >= 0 else { return nil }
        self.number = number
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = TransactionID(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a transaction number is decimal digits")
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
    package var description: String { String(number) }
}

/// Where a store belongs (App Store Server API: `environment`). Open: a value nobody has heard of
/// survives a round trip.
package struct StoreEnvironment: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let sandbox = StoreEnvironment("Sandbox")
    package static let production = StoreEnvironment("Production")
    package static let xcode = StoreEnvironment("Xcode")
    package static let localTesting = StoreEnvironment("LocalTesting")

    /// The environments a store can be opened in.
    package static let known = [sandbox, production, xcode, localTesting]
}

/// Whose store it is. One store belongs to exactly one app in one environment.
package struct AppIdentity: Codable, Hashable, Sendable {
    package var bundleID: String
    /// The number App Store Connect gives an app; absent in most test environments.
    package var appAppleID: Int64?
    package var environment: StoreEnvironment

    package init(
        bundleID: String, appAppleID: Int64? = nil, environment: StoreEnvironment = .sandbox
    ) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.environment = environment
    }
}

/// A place in the store's feed. Opaque to everyone but the ledger that made it: once a position
/// was handed out, nothing at or before it will ever appear later. A new epoch begins when a saved
/// store is loaded; a cursor of an older epoch is refused.
package struct FeedCursor: Codable, Hashable, Sendable {
    package let epoch: Int64
    package let position: Int64

    package init(epoch: Int64, position: Int64) {
        self.epoch = epoch
        self.position = position
    }
}
