package import Foundation
package import StoreModel

/// The parts of a request to the content server on which the answer depends.
package struct ContentRequest: Sendable {
    /// The method in upper case.
    package var method: String
    /// The path as it was sent, percent-encoded, possibly with a query.
    package var target: String
    /// The fields by name in lower case. If a name occurs several times, the first one counts.
    package var fields: [String: String]
    /// The body; nil if it is longer than `ContentServer.bodyBytesMax`.
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

    /// The decoded steps of the path. Nil for a path that is not canonical: with empty steps, `.`,
    /// `..`, control characters, or bytes that are not UTF-8.
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

    /// The path steps of an address, without a slash at its end; nil if the path is not canonical.
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
        /// A part of a package's file, read while it is sent.
        case part(ServedFile, Range<Int64>)
    }

    /// The status code.
    package var status: Int
    /// The fields as names and values, in the order in which they are sent.
    package var fields: [(name: String, value: String)]
    /// The body, which is not sent in reply to HEAD.
    package var body: Body

    /// The length of the body in bytes.
    package var length: Int64 {
        switch body {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .part(_, let range): range.upperBound - range.lowerBound
        }
    }

    /// The value of a field; its name is compared without regard to case.
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

    /// An answer in JSON with sorted keys, so that equal answers have equal bytes.
    init(
        _ status: Int, json value: some Encodable, _ fields: [(name: String, value: String)] = []
    ) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.init(
            status, [("Content-Type", "application/json")] + fields,
            body: .bytes((try? encoder.encode(value)) ?? Data("{}".utf8)))
    }

    /// A refusal, with a code for programs and a sentence for people.
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

/// A file of a package that the server may send.
package struct ServedFile: Hashable, Sendable {
    /// The product that the package belongs to.
    package var product: ProductID
    /// The package's identifier.
    package var contentID: String
    /// The file's path in the package.
    package var path: String
    /// The length of the whole file in bytes.
    package var length: Int64
    /// SHA-256 of the whole file in lower-case hexadecimal, which is also its ETag.
    package var sha256: String
}
