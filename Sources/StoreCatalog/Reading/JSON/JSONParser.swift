import Basics

/// Parses JSON (RFC 8259) into nodes. Foundation's readers do not keep the line of a value, which a
/// catalog's author needs for every mistake, and are several times slower.
struct JSONParser {
    /// A catalog needs six levels.
    static let depthMax = 100

    private let bytes: [UInt8]
    private var at: Int
    private var nodes: [JSONNode] = []

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        nodes.reserveCapacity(Self.nodesMax(bytes))
    }

    /// An upper bound for the number of nodes, and close to it: one of these characters precedes
    /// every value and key but the first. With it the array of a large catalog is allocated once
    /// and never copied.
    private static func nodesMax(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var signs = 1
            for byte in bytes {
                let isSign =
                    byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
                    || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
                signs &+= isSign ? 1 : 0
            }
            return signs
        }
    }

    /// For a text shorter than 4 GiB, since nodes hold 32-bit offsets. The parser compares ASCII
    /// bytes only and does not check that the text is valid UTF-8.
    static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONDocument {
        var parser = JSONParser(bytes)
        try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.at == bytes.count else {
            throw parser.error("nothing after the end of the first value")
        }
        return JSONDocument(bytes: parser.bytes, nodes: parser.nodes)
    }

    private var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func skipSpace() {
        while at < bytes.count {
            switch bytes[at] {
            case 0x20, 0x0A, 0x0D, 0x09: at += 1
            default: return
            }
        }
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) {
        skipSpace()
        switch byte {
        case UInt8(ascii: "\""): try text(expected: "a value")
        case UInt8(ascii: "{"): try object(depth: depth + 1)
        case UInt8(ascii: "["): try array(depth: depth + 1)
        case UInt8(ascii: "t"): try word("true", .true)
        case UInt8(ascii: "f"): try word("false", .false)
        case UInt8(ascii: "n"): try word("null", .null)
        case UInt8(ascii: "-"), .some(0x30...0x39): try number()
        default: throw error("a value")
        }
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) {
        let node = try open(.object, depth: depth)
        skipSpace()
        if byte == UInt8(ascii: "}") { return close(node) }
        while true {
            skipSpace()
            try text(expected: "a key in double quotes")
            skipSpace()
            guard byte == UInt8(ascii: ":") else { throw error("`:` after the key") }
            at += 1
            try value(depth: depth)
            skipSpace()
            if byte == UInt8(ascii: "}") { return close(node) }
            guard byte == UInt8(ascii: ",") else { throw error("`,` or `}`") }
            at += 1
        }
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) {
        let node = try open(.array, depth: depth)
        skipSpace()
        if byte == UInt8(ascii: "]") { return close(node) }
        while true {
            try value(depth: depth)
            skipSpace()
            if byte == UInt8(ascii: "]") { return close(node) }
            guard byte == UInt8(ascii: ",") else { throw error("`,` or `]`") }
            at += 1
        }
    }

    private mutating func open(_ kind: JSONNode.Kind, depth: Int) throws(JSONSyntaxError) -> Int {
        guard depth <= Self.depthMax else {
            throw error("at most \(Self.depthMax) objects and lists inside each other")
        }
        nodes.append(JSONNode(kind: kind, start: UInt32(at), end: 0, next: 0))
        at += 1
        return nodes.count - 1
    }

    private mutating func close(_ node: Int) {
        at += 1
        nodes[node].end = UInt32(at)
        nodes[node].next = UInt32(nodes.count)
    }

    private mutating func text(expected: String) throws(JSONSyntaxError) {
        guard byte == UInt8(ascii: "\"") else { throw error(expected) }
        at += 1
        let start = at
        var kind = JSONNode.Kind.string
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") {
                append(kind, from: start)
                at += 1
                return
            }
            if byte == UInt8(ascii: "\\") {
                kind = .escapedString
                try escape()
            } else if byte < 0x20 {
                throw error("the closing quote of the text (a line break is written \\n)")
            } else {
                at += 1
            }
        }
        throw error("the closing quote of the text")
    }

    private mutating func escape() throws(JSONSyntaxError) {
        at += 1
        switch byte {
        case UInt8(ascii: "u"):
            at += 1
            for _ in 0..<4 {
                guard let byte, Character(Unicode.Scalar(byte)).isHexDigit else {
                    throw error("four hexadecimal digits after \\u")
                }
                at += 1
            }
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            at += 1
        default: throw error("one of \" \\ / b f n r t u after a backslash")
        }
    }

    private mutating func number() throws(JSONSyntaxError) {
        let start = at
        if byte == UInt8(ascii: "-") { at += 1 }
        let isZero = byte == UInt8(ascii: "0")
        let whole = at
        try digits()
        if isZero, at > whole + 1 {
            at = whole + 1
            throw error("a number without zeros in front")
        }
        if byte == UInt8(ascii: ".") {
            at += 1
            try digits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            at += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { at += 1 }
            try digits()
        }
        append(.number, from: start)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        guard let byte, byte >= 0x30, byte <= 0x39 else { throw error("a digit") }
        while at < bytes.count, bytes[at] >= 0x30, bytes[at] <= 0x39 { at += 1 }
    }

    private mutating func word(_ word: String, _ kind: JSONNode.Kind) throws(JSONSyntaxError) {
        let start = at
        for letter in word.utf8 {
            guard byte == letter else { throw error("`\(word)`") }
            at += 1
        }
        append(kind, from: start)
    }

    private mutating func append(_ kind: JSONNode.Kind, from start: Int) {
        let next = UInt32(nodes.count + 1)
        nodes.append(JSONNode(kind: kind, start: UInt32(start), end: UInt32(at), next: next))
    }

    private func error(_ expected: String) -> JSONSyntaxError {
        guard at < bytes.count else {
            return JSONSyntaxError(offset: at, found: "the end of the file", expected: expected)
        }
        let rest = String(decoding: bytes[at..<min(at + 16, bytes.count)], as: UTF8.self)
        let sign = rest.unicodeScalars.first.map(UntrustedText.name) ?? "nothing"
        return JSONSyntaxError(offset: at, found: sign, expected: expected + hint)
    }

    /// A hint for habits from other notations: comments, single quotes, trailing commas.
    private var hint: String {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "#"): return "; JSON has no comments"
        case UInt8(ascii: "'"): return "; JSON quotes with \" only"
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            let before = bytes[..<at].last { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
            let isTrailing = before == UInt8(ascii: ",")
            return isTrailing ? "; JSON allows no comma after the last one" : ""
        default: return ""
        }
    }
}
