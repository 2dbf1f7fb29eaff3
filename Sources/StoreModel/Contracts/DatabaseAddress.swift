import Basics
import Foundation

/// The address of a store in a PostgreSQL database: a URI of libpq, whose parameter `store` names the
/// store in the database. It never has a password, so it may be shown.
package struct DatabaseAddress: Hashable, Sendable {
    /// For libpq, without `store`.
    package let uri: String
    /// A schema of the database.
    package let store: String

    /// The store of an address that names none.
    package static let usualStore = "storefront"

    /// The longest identifier of PostgreSQL, in bytes; it would cut a longer one.
    package static let storeBytesMax = 63

    /// Whether a text is meant to be such an address, and not a folder.
    package static func isAddress(_ text: String) -> Bool {
        ["postgresql:", "postgres:"].contains { text.lowercased().hasPrefix($0) }
    }

    /// - Throws: `invalidName` for a text that is no such address, one that has a password, and a
    ///   store that cannot have the name.
    package init(_ text: String) throws(StoreError) {
        // All of a URI is ASCII. What is not understood is not repeated: it may be a password.
        guard let colon = text.range(of: "://"), Self.isAddress(text),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw Self.refusal(found: "postgresql:…", expected: Self.form) }
        let rest = String(text[colon.upperBound...])
        try Self.refusePassword(inUserOf: rest)
        let (place, parameters) = Self.parts(of: rest)
        var store: String?
        var kept: [Substring] = []
        for parameter in parameters {
            let name = parameter.prefix { $0 != "=" }
            guard let decoded = name.removingPercentEncoding else {
                throw Self.refusal(found: "postgresql:…", expected: Self.form)
            }
            // The password of the key of a certificate is one, too.
            guard !["password", "sslpassword"].contains(decoded) else { throw Self.hasPassword }
            if decoded == "store", store == nil {
                store = parameter.dropFirst(name.count + 1).removingPercentEncoding ?? ""
            } else {
                kept.append(parameter)
            }
        }
        let name = store ?? Self.usualStore
        try Self.check(name)
        self.store = name
        uri =
            "postgresql://" + place + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }

    /// As a person would give it.
    package var text: String {
        guard store != Self.usualStore else { return uri }
        let name = store.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? store
        return uri + (uri.contains("?") ? "&" : "?") + "store=" + name
    }

    /// The place and the parameters. A user's name may have a question mark before its `@`.
    private static func parts(of rest: String) -> (place: String, parameters: [Substring]) {
        let start = rest.index(rest.startIndex, offsetBy: user(of: rest)?.count ?? 0)
        guard let mark = rest[start...].firstIndex(of: "?") else { return (rest, []) }
        let parameters = rest[rest.index(after: mark)...].split(separator: "&")
        return (String(rest[..<mark]), parameters)
    }

    /// The part that libpq takes for user and password: all up to an `@` before the first slash.
    private static func user(of rest: String) -> Substring? {
        let end = rest.firstIndex { $0 == "@" || $0 == "/" }
        return end.flatMap { rest[$0] == "@" ? rest[..<$0] : nil }
    }

    private static func refusePassword(inUserOf rest: String) throws(StoreError) {
        if user(of: rest)?.contains(":") == true { throw hasPassword }
    }

    private static func check(_ store: String) throws(StoreError) {
        let isGood =
            (1...storeBytesMax).contains(store.utf8.count) && UntrustedText.isPlain(store)
            && !store.hasPrefix("pg_") && store != "information_schema"
        guard isGood else {
            throw refusal(
                found: UntrustedText.short(store),
                expected: "a store's name of 1 to \(storeBytesMax) bytes, not PostgreSQL's own")
        }
    }

    private static let plain = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")

    private static let form =
        "postgresql://[USER@]HOST[:PORT]/DATABASE[?store=NAME], other characters as %XX"

    private static var hasPassword: StoreError {
        refusal(
            found: "an address with a password",
            expected: "one without: others could read it in the list of processes. It belongs into "
                + "~/.pgpass, the file of $PGPASSFILE, or a service file (?service=NAME)")
    }

    private static func refusal(found: String, expected: String) -> StoreError {
        StoreError(.invalidName, subject: "store", found: found, expected: expected)
    }
}
