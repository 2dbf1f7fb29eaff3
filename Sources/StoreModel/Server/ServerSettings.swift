package import Foundation

/// The settings of the store's own server: the keys of its API, and the address of notifications.
/// Every process of the store obeys the recorded ones.
package struct ServerSettings: Codable, Hashable, Sendable {
    /// The team that signs tokens (App Store Connect: `iss`). Made with the first key; it never
    /// changes.
    package var issuer: UUID?
    /// In the order in which they were made, including revoked ones.
    package var keys: [APIKey] = []
    /// Nil if they were never set.
    package var notifications: NotificationSettings?

    package init() {}

    /// A key that may sign tokens now; nil for an unknown or revoked one.
    package func validKey(_ id: String) -> APIKey? {
        keys.first { $0.id == id && $0.revokedAt == nil }
    }
}

/// The public half of a key of the App Store Server API. The private half is shown once, to the
/// operator who makes the key, and is not in the store.
package struct APIKey: Codable, Hashable, Sendable {
    /// As a token's header names it (`kid`).
    package var id: String
    /// For people.
    package var name: String
    /// P-256, Base64 of the form of ANSI X9.63.
    package var publicKey: String
    /// In store time.
    package var createdAt: Timestamp
    /// Nil while tokens of this key are accepted.
    package var revokedAt: Timestamp?

    package init(
        id: String, name: String, publicKey: String, createdAt: Timestamp,
        revokedAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.publicKey = publicKey
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }
}

/// A change of the keys of the API.
package enum APIKeyChange: Codable, Hashable, Sendable {
    /// Adds a key. `issuer` becomes the store's if it has none yet.
    case create(APIKey, issuer: UUID)
    /// Revokes a key by its id, in every process at once. A second revocation changes nothing.
    case revoke(String)
}

/// Where notifications of the store's events go.
package struct NotificationSettings: Codable, Hashable, Sendable {
    /// Nil for no address.
    package var url: String?
    /// The host that set the address: a loopback address is used from this host only.
    package var host: String?
    /// True if failed notifications are sent again in the sandbox, too; otherwise nil.
    package var retriesInSandbox: Bool?
    /// The position of the ledger after which events are told.
    package var since: Int64?

    package init() {}
}
