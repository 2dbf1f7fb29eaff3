import Basics

/// Finds the paths and lines of nodes, for problems. It runs once after reading and only for the
/// nodes with problems, so that valid values cost nothing.
struct JSONSourceMap {
    /// A path such as `products[3].prices.JPN`, and its line, counted from 1.
    struct Location {
        var path: String
        var line: Int
    }

    private enum Step {
        case key(Int)
        case element(Int)
    }

    private let document: JSONDocument
    private let wanted: [Int]
    private var done = 0
    private var steps: [Step] = []
    private var line = 1
    private var lineOffset = 0
    private var locations: [Int: Location] = [:]

    static func find(_ nodes: some Sequence<Int>, in document: JSONDocument) -> [Int: Location] {
        var search = JSONSourceMap(document, Set(nodes).sorted())
        search.visit(0)
        return search.locations
    }

    /// Counted from 1; columns are characters.
    static func position(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes[..<min(offset, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return (line, String(decoding: before[start...], as: UTF8.self).count + 1)
    }

    private init(_ document: JSONDocument, _ wanted: [Int]) {
        self.document = document
        self.wanted = wanted
    }

    private mutating func visit(_ node: Int) {
        note(node)
        let value = document.nodes[node]
        let after = Int(value.next)
        guard value.kind == .object || value.kind == .array else { return }
        var child = node + 1
        var count = 0
        while child < after, done < wanted.count, wanted[done] < after {
            let isKey = value.kind == .object
            steps.append(isKey ? .key(child) : .element(count))
            if isKey { note(child) }
            let content = isKey ? child + 1 : child
            let next = Int(document.nodes[content].next)
            if done < wanted.count, wanted[done] < next { visit(content) }
            steps.removeLast()
            child = next
            count += 1
        }
    }

    private mutating func note(_ node: Int) {
        guard done < wanted.count, wanted[done] == node else { return }
        done += 1
        let start = Int(document.nodes[node].start)
        line += document.bytes[lineOffset..<start].count { $0 == 0x0A }
        lineOffset = start
        locations[node] = Location(path: path, line: line)
    }

    private var path: String {
        var path = ""
        for step in steps {
            switch step {
            case .element(let number): path += "[\(number)]"
            case .key(let node):
                path += Self.step(
                    JSONValue(document: document, index: node).text, isFirst: path.isEmpty)
            }
        }
        return path
    }

    /// `.key`, `key` at the beginning, or `["a key"]` in quotes.
    static func step(_ key: String, isFirst: Bool) -> String {
        let isPlain = key.utf8.allSatisfy {
            ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 >= 0x30 && $0 <= 0x39
                || [0x5F, 0x24, 0x2D].contains($0)
        }
        if isPlain, !key.isEmpty, key.utf8.count <= 60 { return isFirst ? key : "." + key }
        return "[\(UntrustedText.quote(key))]"
    }
}
