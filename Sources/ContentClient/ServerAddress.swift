import Foundation
import NIOCore
import StoreModel

/// The address of an app's own server, from the catalog. Only numeric addresses of this machine are
/// accepted; a host name or another machine is refused before any data is sent.
struct ServerAddress: Sendable {
    /// Numeric, on this machine.
    let socket: SocketAddress
    /// For the Host field and messages.
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

    func target(_ steps: [String]) -> String {
        steps.reduce(path) {
            $0 + "/"
                + ($1.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? $1)
        }
    }

    /// RFC 3986.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
