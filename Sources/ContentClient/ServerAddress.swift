import Foundation
import NIOCore
import StoreModel

/// The address of an app's own server, from the catalog or a person. Only numeric addresses of this
/// machine are accepted, unless a person has allowed another machine's; a host name is refused
/// before any data is sent.
struct ServerAddress: Sendable {
    /// Numeric.
    let socket: SocketAddress
    /// For the Host field and messages.
    let host: String
    /// Percent-encoded, without a slash at its end.
    let path: String
    /// As the address has it, with its question mark; empty without one.
    private let query: String

    /// - Throws: `contentServerFailed` with `addressRefused`.
    init(_ url: String, isElsewhere: Bool = false) throws(StoreError) {
        guard let address = ReachableAddress(url, isElsewhere: isElsewhere),
            let socket = try? SocketAddress(ipAddress: address.host, port: address.port)
        else { throw StoreError(.addressRefused, address: url) }
        self.socket = socket
        host =
            (address.host.contains(":") ? "[\(address.host)]" : address.host) + ":\(address.port)"
        path = address.path
        query = address.query.map { "?" + $0 } ?? ""
    }

    /// Of a request for the address itself.
    var target: String { (path.isEmpty ? "/" : path) + query }

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
