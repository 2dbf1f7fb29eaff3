package import Foundation
package import StoreModel

/// The parts of a request on which the answer depends.
package struct ContentRequest: Sendable {
    /// In upper case.
    package var method: String
    /// As it was sent, percent-encoded, possibly with a query.
    package var target: String
    /// By name in lower case. If a name occurs several times, the first one counts.
    package var fields: [String: String] = [:]
    /// Nil if it is longer than `HTTPServer.bodyBytesMax`.
    package var body: Data? = Data()
    package var hasSeveralHosts = false

    /// The text that authorizes it (RFC 6750); nil for any other scheme than Bearer.
    package var bearer: String? {
        let scheme = "bearer "
        guard let field = fields["authorization"],
            field.prefix(scheme.count).lowercased() == scheme
        else { return nil }
        return String(field.dropFirst(scheme.count))
    }

    /// The request with a path as its target: of an absolute target the host counts, and the Host
    /// field does not (RFC 9112, 3.2.2).
    var withPath: ContentRequest {
        let scheme = "http://"
        guard target.prefix(scheme.count).lowercased() == scheme else { return self }
        var request = self
        let rest = target.dropFirst(scheme.count)
        let path = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        request.fields["host"] = String(rest[..<path])
        request.target = (rest[path...].first == "/" ? "" : "/") + rest[path...]
        return request
    }

    /// Nil for a path that is not canonical: with empty steps, `.`, `..`, control characters, or
    /// bytes that are not UTF-8.
    var steps: [String]? {
        guard target.utf8.first == UInt8(ascii: "/") else { return nil }
        let path = target.prefix { $0 != "?" && $0 != "#" }.dropFirst()
        var steps: [String] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            // Foundation looks at each byte of a step, although few have an encoded one.
            let isEncoded = part.utf8.contains(UInt8(ascii: "%"))
            let decoded = isEncoded ? String(part).removingPercentEncoding : String(part)
            guard let step = decoded, !step.isEmpty, step != ".",
                step != "..", !step.utf8.contains(where: { $0 < 32 || $0 == 127 })
            else { return nil }
            steps.append(step)
        }
        return steps
    }

    /// Without a slash at the end; nil if the path is not canonical.
    static func steps(ofAddress url: String) -> [String]? {
        guard var path = URLComponents(string: url)?.percentEncodedPath else { return nil }
        while path.hasSuffix("/") { path.removeLast() }
        guard !path.isEmpty else { return [] }
        return ContentRequest(method: "GET", target: path).steps
    }
}

/// Lets requests for this machine pass, to canonical paths.
package struct RequestGate: Sendable {
    private let hosts: Set<String>

    /// What becomes of a request at the gate.
    package enum Passage: Sendable {
        /// The request with a path as its target, and the steps of the path.
        case passed(ContentRequest, steps: [String])
        case refused(ContentAnswer)
    }

    /// - Parameter host: the numeric address on which the server listens.
    package init(host: String) {
        hosts = ["127.0.0.1", "localhost", "[::1]", Self.name(ofAddress: host)]
    }

    /// How a Host field or a URL names a numeric address (RFC 3986, 3.2.2).
    static func name(ofAddress host: String) -> String {
        host.contains(":") ? "[\(host)]" : host
    }

    package func pass(_ sent: ContentRequest) -> Passage {
        guard !sent.hasSeveralHosts else {
            return .refused(ContentAnswer(400, code: "badHost", "Send one Host field."))
        }
        let request = sent.withPath
        // Refuses a browser page from another host name that resolves to this machine (DNS
        // rebinding).
        guard let host = request.fields["host"], hosts.contains(Self.name(host)) else {
            return .refused(
                ContentAnswer(
                    421, code: "misdirected",
                    "The Host field names another machine than this one."))
        }
        guard let steps = request.steps else {
            return .refused(ContentAnswer(400, code: "badPath", "The path is not canonical."))
        }
        return .passed(request, steps: steps)
    }

    /// Without the port.
    private static func name(_ host: String) -> String {
        guard let colon = host.lastIndex(of: ":"),
            host[host.index(after: colon)...].allSatisfy(\.isNumber)
        else { return host.lowercased() }
        return host[..<colon].lowercased()
    }
}

/// The answer to a request.
package struct ContentAnswer: Sendable {
    /// The part of an answer that follows the head.
    package enum Body: Sendable {
        case none
        case bytes(Data)
        /// Read while it is sent.
        case part(ServedFile, Range<Int64>)
    }

    package var status: Int
    /// In the order in which they are sent.
    package var fields: [(name: String, value: String)]
    /// Not sent in reply to HEAD.
    package var body: Body
    /// Whether the connection ends in the middle of the body, on purpose.
    package var isCutOff = false
    /// Of an error of the App Store Server API, its seven digits; nil for any other answer.
    package var errorCode: Int?
    /// Why the request's token is refused, for the server's own side: it is not sent.
    package var tokenRefusal: TokenRefusal?

    /// In bytes.
    package var length: Int64 {
        switch body {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .part(_, let range): range.upperBound - range.lowerBound
        }
    }

    /// Names are compared without regard to case.
    package subscript(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    package init(
        _ status: Int, _ fields: [(name: String, value: String)] = [], body: Body = .none
    ) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// With sorted keys, so that equal answers have equal bytes.
    package init(
        _ status: Int, json value: some Encodable, _ fields: [(name: String, value: String)] = []
    ) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.init(
            status, [("Content-Type", "application/json")] + fields,
            body: .bytes((try? encoder.encode(value)) ?? Data("{}".utf8)))
    }

    /// That the store could not be asked. Trying again helps, unless the store is gone.
    package static func unanswered(_ error: StoreError) -> ContentAnswer {
        guard error.code != .storeReplaced else {
            return ContentAnswer(
                503, code: error.code.rawValue,
                "The store of this server was deleted, moved or replaced.")
        }
        return ContentAnswer(
            503, code: error.code.rawValue, "The store could not be read. Try again.",
            [("Retry-After", "1")])
    }

    /// `code` is for programs, `message` for people.
    package init(
        _ status: Int, code: String, _ message: String,
        _ fields: [(name: String, value: String)] = []
    ) {
        self.init(status, json: Problem(code: code, message: message), fields)
    }

    private struct Problem: Encodable {
        var code: String
        var message: String
    }
}

/// A file of a package that the server may send.
package struct ServedFile: Hashable, Sendable {
    package var product: ProductID
    package var contentID: String
    package var path: String
    /// Of the whole file, in bytes.
    package var length: Int64
    /// Of the whole file in lower-case hexadecimal, also its ETag.
    package var sha256: String
}
