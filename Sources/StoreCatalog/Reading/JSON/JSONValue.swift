import Basics

/// A value of a document, or a key of one of its objects.
struct JSONValue {
    let document: JSONDocument
    let index: Int

    private var node: JSONNode { document.nodes[index] }
    var kind: JSONNode.Kind { node.kind }
    var isText: Bool { kind == .string || kind == .escapedString }

    /// The decoded text of a string; of any other value, its JSON text.
    var text: String {
        let node = node
        let raw = document.bytes[Int(node.start)..<Int(node.end)]
        guard node.kind == .escapedString else { return String(decoding: raw, as: UTF8.self) }
        return JSONEscapes.resolve(raw)
    }

    /// Nil for other values, fractions, exponents, and numbers beyond 64 bits.
    var integer: Int64? { kind == .number ? Int64(text) : nil }

    var boolean: Bool? {
        switch kind {
        case .true: true
        case .false: false
        case .object, .array, .string, .escapedString, .number, .null: nil
        }
    }

    /// In the file's order; never for a value that is no object.
    func forEachMember(_ body: (_ key: JSONValue, _ value: JSONValue) -> Void) {
        guard kind == .object else { return }
        let after = Int(node.next)
        var key = index + 1
        while key < after {
            body(JSONValue(document: document, index: key), at(key + 1))
            key = Int(document.nodes[key + 1].next)
        }
    }

    /// In order; none for a value that is no array.
    var elements: [JSONValue] {
        var elements: [JSONValue] = []
        forEachElement { elements.append($0) }
        return elements
    }

    /// In order; never for a value that is no array.
    func forEachElement(_ body: (JSONValue) -> Void) {
        guard kind == .array else { return }
        let after = Int(node.next)
        var element = index + 1
        while element < after {
            body(at(element))
            element = Int(document.nodes[element].next)
        }
    }

    /// Nil also if the value is no object.
    func member(_ name: String) -> JSONValue? {
        var found: JSONValue?
        forEachMember { key, value in
            if found == nil, key.text == name { found = value }
        }
        return found
    }

    var inWords: String {
        switch kind {
        case .object: "an object"
        case .array: "a list"
        case .string, .escapedString: UntrustedText.quote(text)
        case .number: "the number \(UntrustedText.short(text))"
        case .true: "true"
        case .false: "false"
        case .null: "null"
        }
    }

    private func at(_ index: Int) -> JSONValue { JSONValue(document: document, index: index) }
}
