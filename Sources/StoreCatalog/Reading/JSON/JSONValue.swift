import Basics
import Foundation

/// A value of a document, or a key of one of its objects.
struct JSONValue {
    let document: JSONDocument
    /// Its node.
    let index: Int

    private var node: JSONNode { document.nodes[index] }
    var kind: JSONNode.Kind { node.kind }
    var isText: Bool { kind == .string || kind == .escapedString }

    /// A text's text, or a number's digits.
    var text: String {
        let node = node
        let raw = document.bytes[Int(node.start)..<Int(node.end)]
        guard node.kind == .escapedString else { return String(decoding: raw, as: UTF8.self) }
        return JSONEscapes.resolve(raw)
    }

    /// The whole number; nil for anything else, also for one too large.
    var integer: Int64? { kind == .number ? Int64(text) : nil }

    var boolean: Bool? {
        switch kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// An object's keys and values, in the file's order; nothing for other values.
    func forEachMember(_ body: (_ key: JSONValue, _ value: JSONValue) -> Void) {
        guard kind == .object else { return }
        let after = Int(node.next)
        var key = index + 1
        while key < after {
            body(JSONValue(document: document, index: key), at(key + 1))
            key = Int(document.nodes[key + 1].next)
        }
    }

    /// A list's values, in order; nothing for other values.
    func forEachElement(_ body: (JSONValue) -> Void) {
        guard kind == .array else { return }
        let after = Int(node.next)
        var element = index + 1
        while element < after {
            body(at(element))
            element = Int(document.nodes[element].next)
        }
    }

    /// The first value under a key.
    func member(_ name: String) -> JSONValue? {
        var found: JSONValue?
        forEachMember { key, value in
            if found == nil, key.text == name { found = value }
        }
        return found
    }

    /// What it is, in words for a problem.
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
