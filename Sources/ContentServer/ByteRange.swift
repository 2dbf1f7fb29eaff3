/// The bytes that a `Range` field asks for (RFC 9110, 14.1.2).
enum ByteRange: Equatable {
    /// The whole file: there is no `Range` field, it is not understood, or it has several ranges,
    /// which a server need not support.
    case whole
    case part(Range<Int64>)
    /// No byte of the file.
    case unsatisfiable

    init(_ field: String?, of length: Int64) {
        self = .whole
        guard let field, field.lowercased().hasPrefix("bytes=") else { return }
        let bounds = field.dropFirst("bytes=".count)
            .split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return }
        switch (Self.number(bounds[0]), Self.number(bounds[1])) {
        case (let first?, let last?):
            guard first <= last else { return }
            self =
                first < length
                ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
        case (let first?, nil):
            guard bounds[1].isEmpty else { return }
            self = first < length ? .part(first..<length) : .unsatisfiable
        case (nil, let count?):
            guard bounds[0].isEmpty else { return }
            self =
                count > 0 && length > 0
                ? .part(max(0, length - count)..<length) : .unsatisfiable
        case (nil, nil): return
        }
    }

    /// At most 18 digits, so that adding 1 cannot overflow; nil for any other text.
    private static func number(_ text: Substring) -> Int64? {
        guard (1...18).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int64(text)
    }
}

/// A list of entity tags (RFC 9110, 8.8.3), as in `If-Match`.
struct EntityTags {
    private let tags: [Substring]
    private let isAny: Bool

    init?(_ field: String?) {
        guard let field else { return nil }
        let text = field.trimmingPrefix(while: \.isWhitespace)
        isAny = text == "*"
        tags = text.split(separator: ",").map {
            let tag = $0.drop(while: \.isWhitespace)
            return tag.prefix(through: tag.lastIndex { !$0.isWhitespace } ?? tag.startIndex)
        }
    }

    /// Strong comparison.
    func contain(_ tag: String) -> Bool { isAny || tags.contains { $0 == tag } }

    /// Weak comparison.
    func containWeakly(_ tag: String) -> Bool {
        isAny || tags.contains { $0 == tag || $0 == "W/" + tag }
    }
}
