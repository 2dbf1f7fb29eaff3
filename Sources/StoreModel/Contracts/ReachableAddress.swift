import Foundation

/// The address of an app's own server that a device connects to: over http, on this machine, by a
/// numeric address or as localhost. A catalog may name other addresses; devices do not connect to
/// them.
package struct ReachableAddress: Hashable, Sendable {
    /// A numeric address, of the loopback interface unless it may be elsewhere; without brackets.
    package let host: String
    /// TCP, 1 to 65,535.
    package let port: Int
    /// Percent-encoded, without a slash at its end.
    package let path: String
    /// Percent-encoded; nil for an address without one.
    package let query: String?

    /// Nil for an address that devices do not connect to.
    ///
    /// - Parameter isElsewhere: whether a person has allowed another machine; its address must be
    ///   numeric, too, because a name may lead anywhere.
    package init?(_ url: String, isElsewhere: Bool = false) {
        guard let parts = URLComponents(string: url), parts.scheme?.lowercased() == "http",
            parts.user == nil, parts.password == nil, let named = parts.host
        else { return nil }
        var host = named.lowercased() == "localhost" ? "127.0.0.1" : named
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        let port = parts.port ?? 80
        guard (1...65_535).contains(port),
            Self.isOfThisMachine(host) || isElsewhere && Self.isNumeric(host)
        else { return nil }
        var path = parts.percentEncodedPath
        // Two addresses in one, as when a pasted one was added to another.
        guard !path.contains("://") else { return nil }
        while path.hasSuffix("/") { path.removeLast() }
        self.host = host
        self.port = port
        self.path = path
        query = parts.percentEncodedQuery
    }

    /// The same address for every way to write it, without its query.
    package var text: String {
        "http://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)"
    }

    private static func isNumeric(_ host: String) -> Bool {
        var (four, six) = (in_addr(), in6_addr())
        return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
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
