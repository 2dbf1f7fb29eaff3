import Foundation

/// The address of an app's own server that a device downloads from: over http, on this machine, by
/// a numeric address or as localhost. A catalog may name other addresses; devices do not connect to
/// them.
package struct ReachableAddress: Hashable, Sendable {
    /// A numeric address of the loopback interface, without brackets.
    package let host: String
    /// TCP, 1 to 65,535.
    package let port: Int
    /// Percent-encoded, without a slash at its end.
    package let path: String

    /// Nil for an address that devices do not connect to.
    package init?(_ url: String) {
        guard let parts = URLComponents(string: url), parts.scheme?.lowercased() == "http",
            parts.user == nil, parts.password == nil, let named = parts.host
        else { return nil }
        var host = named.lowercased() == "localhost" ? "127.0.0.1" : named
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        let port = parts.port ?? 80
        guard (1...65_535).contains(port), Self.isOfThisMachine(host) else { return nil }
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        self.host = host
        self.port = port
        self.path = path
    }

    /// A numeric address of the loopback interface (RFC 1122, RFC 4291).
    private static func isOfThisMachine(_ host: String) -> Bool {
        var four = in_addr()
        if inet_pton(AF_INET, host, &four) == 1 { return host.hasPrefix("127.") }
        var six = in6_addr()
        guard inet_pton(AF_INET6, host, &six) == 1 else { return false }
        return withUnsafeBytes(of: &six) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }
}
