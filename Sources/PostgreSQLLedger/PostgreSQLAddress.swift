#if PostgreSQL
import CPostgreSQL
package import StoreModel

/// Where a database is: libpq's own words (`postgresql://HOST/DATABASE?…` or `host=… dbname=…`),
/// completed by libpq's own rules (`PGHOST`, `PGSSLMODE`, `.pgpass`, service files).
package struct PostgreSQLAddress: Sendable {
    /// Never shown: it may hold a password.
    let text: String
    /// The address without a password, for people and errors.
    package let place: String
    /// How long a server may be silent, in milliseconds.
    package var silence: Int32 = PostgreSQLLimits.silence
    /// Nil if the address holds none; libpq may find one elsewhere.
    private let password: String?

    /// Throws `invalidName` for an address that libpq does not understand. The error does not repeat
    /// it: what was not understood may be a password.
    package init(_ text: String) throws(StoreError) {
        try self.init(text, shownAs: nil)
    }

    /// Throws as `init(_:)`.
    init(_ address: DatabaseAddress) throws(StoreError) {
        try self.init(address.uri, shownAs: address.text)
    }

    private init(_ text: String, shownAs shown: String?) throws(StoreError) {
        var message: UnsafeMutablePointer<CChar>?
        let parsed = PQconninfoParse(text, &message)
        defer {
            PQfreemem(message)
            PQconninfoFree(parsed)
        }
        guard let parsed else {
            throw StoreError(
                .invalidName, subject: "store", found: "postgresql://…",
                expected: "postgresql://[USER@]HOST[:PORT]/DATABASE[?NAME=VALUE]")
        }
        var values: [String: String] = [:]
        var option = parsed
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                values[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        self.text = text
        password = values["password"]
        let host = values["host"] ?? values["hostaddr"] ?? ""
        let port = values["port"].map { ":" + $0 } ?? ""
        place = shown ?? "postgresql://\(host)\(port)/\(values["dbname"] ?? "")"
    }

    /// A text of libpq or the server without the password.
    func withoutPassword(_ text: String) -> String {
        guard let password, !password.isEmpty else { return text }
        return text.replacing(password, with: "…")
    }
}
#endif
