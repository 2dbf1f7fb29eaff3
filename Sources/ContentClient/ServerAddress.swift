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
        guard let parts = URLComponents(string: url), parts.scheme?.lowercased() == "http",
            parts.user == nil, parts.password == nil, let named = parts.host
        else { throw StoreError(.addressRefused, address: url) }
        let port = parts.port ?? 80
        var number = named.lowercased() == "localhost" ? "127.0.0.1" : named
        if number.hasPrefix("["), number.hasSuffix("]") {
            number = String(number.dropFirst().dropLast())
        }
        guard (1...65_535).contains(port),
            let socket = try? SocketAddress(ipAddress: number, port: port), socket.isOfThisMachine
        else { throw StoreError(.addressRefused, address: url) }
        self.socket = socket
        host = (number.contains(":") ? "[\(number)]" : number) + ":\(port)"
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        self.path = path
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

extension SocketAddress {
    /// Whether it is of the loopback interface.
    fileprivate var isOfThisMachine: Bool {
        switch self {
        case .v4: return ipAddress?.hasPrefix("127.") ?? false
        case .v6: return ipAddress == "::1"
        case .unixDomainSocket: return false
        }
    }
}
