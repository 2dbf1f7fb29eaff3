import Basics
import Crypto
import Foundation
import StoreModel

/// A request of the App Store Server API, after its token was accepted.
struct APICall: Sendable {
    /// The steps of the path that stand in place of its `{}`.
    var values: [String]
    /// In the order in which they were sent, decoded.
    var query: [(name: String, value: String)]
    /// Nil if it is too long.
    var body: Data?
    /// The transaction that the path names, as `ServerReading` has it.
    var known: (@Sendable () throws(StoreError) -> ServedTransaction?)?

    init(values: [String], target: String, body: Data?) {
        self.values = values
        self.body = body
        query = Self.query(of: target)
    }

    /// `application/x-www-form-urlencoded`; what cannot be decoded is kept as it is, and no filter
    /// takes it.
    private static func query(of target: String) -> [(name: String, value: String)] {
        guard let start = target.firstIndex(of: "?") else { return [] }
        func decoded(_ text: Substring) -> String {
            let spaced = text.replacing("+", with: " ")
            return String(spaced).removingPercentEncoding ?? String(spaced)
        }
        return target[target.index(after: start)...].prefix { $0 != "#" }.split(separator: "&")
            .map { field in
                let parts = field.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (decoded(parts[0]), parts.count > 1 ? decoded(parts[1]) : "")
            }
    }

    func all(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }

    /// Nil without it; throws `error` if it was sent several times.
    func one(_ name: String, or error: APIError) throws(APIError) -> String? {
        let values = all(name)
        guard values.count <= 1 else { throw error }
        return values.first
    }

    /// A value out of a table; throws `error` for another text.
    func one<Value>(
        _ name: String, of table: [String: Value], or error: APIError
    ) throws(APIError) -> Value? {
        guard let text = try one(name, or: error) else { return nil }
        guard let value = table[text] else { throw error }
        return value
    }

    /// `true` or `false` in any case: Apple's library for Python sends Python's words.
    func flag(_ name: String, or error: APIError) throws(APIError) -> Bool? {
        guard let text = try one(name, or: error) else { return nil }
        guard let value = Bool(text.lowercased()) else { throw error }
        return value
    }

    /// Each of the values of a filter that may be repeated.
    func each<Value: Hashable>(
        _ name: String, or error: APIError, _ make: (String) -> Value?
    ) throws(APIError) -> Set<Value> {
        var values: Set<Value> = []
        for text in all(name) {
            guard let value = make(text) else { throw error }
            values.insert(value)
        }
        return values
    }

    /// In milliseconds since 1970.
    func date(_ name: String, or error: APIError) throws(APIError) -> Timestamp? {
        guard let text = try one(name, or: error) else { return nil }
        guard let number = Int64(text), number >= 0, text.utf8.allSatisfy({ $0 != 0x2B }) else {
            throw error
        }
        return Timestamp(milliseconds: number)
    }

    /// The members of the body; throws `generalBadRequest` for another one.
    func members() throws(APIError) -> [String: AnyJSON] {
        guard let body,
            case .object(let members)? = try? JSONDecoder().decode(
                AnyJSON.self, from: body)
        else { throw .generalBadRequest }
        return members
    }
}

extension [String: AnyJSON] {
    /// Throws `error` for a missing value, and for one outside the range.
    func integer(
        _ name: String, in range: ClosedRange<Int64>, or error: APIError
    ) throws(APIError) -> Int {
        guard case .integer(let value)? = self[name], range.contains(value) else { throw error }
        return Int(value)
    }

    func flag(_ name: String, or error: APIError) throws(APIError) -> Bool {
        guard case .flag(let value)? = self[name] else { throw error }
        return value
    }

    func text(_ name: String, or error: APIError) throws(APIError) -> String {
        guard case .text(let value)? = self[name] else { throw error }
        return value
    }

    /// Whether the member is missing, or null.
    func lacks(_ name: String) -> Bool { self[name] == nil || self[name] == .null }
}

extension UUID {
    /// The UUID that a request's identifier is, or one that is derived from it.
    init(ofRequest identifier: String) {
        self =
            UUID(uuidString: identifier)
            ?? UUID(digest: SHA256.hash(data: Data(identifier.utf8)))
    }
}
