package import StoreModel

/// Lines about the store's own server, for whoever runs it.
package enum ServerText: Hashable, Sendable {
    case tokenRefused(TokenRefusal)
    /// Standard output cannot be written, and the command goes on.
    case linesLost(reason: String)
    /// A key whose private half could not be shown.
    case unseenKeyRevoked(id: String), unseenKeyStays(id: String)
}
