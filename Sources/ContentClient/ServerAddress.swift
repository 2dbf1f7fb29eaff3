import Foundation
import NIOCore
import StoreModel

/// The address of an app's own server, as a catalog names it. Only this machine is reached: a name
/// that is looked up, or another machine, is refused before anything is sent.
struct ServerAddress: Sendable {
    /// Numeric, of this machine.
    let socket: SocketAddress
    /// Of the field Host, and in messages.
    let host: String
    /// Percent-encoded, without a slash at its end.
    let path: String

    /// - Throws: `contentServerFailed` with `addressRefused`.
    init(_ url: String) throws(StoreError) {
        guard let address = ReachableAddress(url),
            let socket = try? SocketAddress(ipAddress: address.host, port: address.port)
        else { throw StoreError(.addressRefused, address: url) }
        self.socket = socket
        host =
            (address.host.contains(":") ? "[\(address.host)]" : address.host) + ":\(address.port)"
        path = address.path
    }

    /// The target of a request for something below the address.
    func target(_ steps: [String]) -> String {
        steps.reduce(path) {
            $0 + "/"
                + ($1.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? $1)
        }
    }

    /// The unreserved characters of RFC 3986.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
