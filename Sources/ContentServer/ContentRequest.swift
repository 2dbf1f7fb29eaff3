package import Foundation
package import StoreModel

/// A request to the content server, as far as its answer depends on it.
package struct ContentRequest: Sendable {
    /// In upper case.
    package var method: String
    /// The path as it was sent, percent-encoded; may end with a query.
    package var target: String
    /// By name in lower case; of several with one name the first.
    package var fields: [String: String]
    /// Nil if it is longer than `ContentServer.bodyBytesMax`.
    package var body: Data?

    /// Memberwise: the values are not checked.
    package init(
        method: String, target: String, fields: [String: String] = [:], body: Data? = Data()
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }

    /// The steps of the path, decoded; nil for a path that is not canonical: empty steps, `.`, `..`,
    /// control characters, or bytes that are no UTF-8.
    var steps: [String]? {
        guard target.utf8.first == UInt8(ascii: "/") else { return nil }
        let path = target.prefix { $0 != "?" && $0 != "#" }.dropFirst()
        var steps: [String] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            guard let step = String(part).removingPercentEncoding, !step.isEmpty, step != ".",
                step != "..", !step.utf8.contains(where: { $0 < 32 || $0 == 127 })
            else { return nil }
            steps.append(step)
        }
        return steps
    }

    /// The steps of an address's path without a slash at its end; nil if the path is not canonical.
    static func steps(ofAddress url: String) -> [String]? {
        guard var path = URLComponents(string: url)?.percentEncodedPath else { return nil }
        while path.hasSuffix("/") { path.removeLast() }
        guard !path.isEmpty else { return [] }
        return ContentRequest(method: "GET", target: path).steps
    }
}

/// The answer to a request.
package struct ContentAnswer: Sendable {
    /// The part of an answer that follows the head.
    package enum Body: Sendable {
        case none
        case bytes(Data)
        /// A part of a file of a package, read while it is sent.
        case part(ServedFile, Range<Int64>)
    }

    /// The status code.
    package var status: Int
    /// Name and value, in this order.
    package var fields: [(name: String, value: String)]
    /// The part that follows the head, unless the request was HEAD.
    package var body: Body

    /// The length of the body.
    package var length: Int64 {
        switch body {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .part(_, let range): range.upperBound - range.lowerBound
        }
    }

    /// The value of a field, named in any case.
    package subscript(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    init(
        _ status: Int, _ fields: [(name: String, value: String)] = [], body: Body = .none
    ) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// JSON; sorted, so that the same answer is the same bytes.
    init(
        _ status: Int, json value: some Encodable, _ fields: [(name: String, value: String)] = []
    ) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.init(
            status, [("Content-Type", "application/json")] + fields,
            body: .bytes((try? encoder.encode(value)) ?? Data("{}".utf8)))
    }

    /// A refusal: why, as a code for programs and a sentence for people.
    init(
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

/// A file of a package that may be handed out.
package struct ServedFile: Hashable, Sendable {
    /// The product.
    package var product: ProductID
    /// The package's identifier.
    package var contentID: String
    /// The path in the package.
    package var path: String
    /// Bytes of the whole file.
    package var length: Int64
    /// SHA-256 of the whole file, lower-case hexadecimal: its ETag.
    package var sha256: String
}
