/// A parsed JSON text: its bytes, and the ranges of its values in them.
final class JSONDocument: Sendable {
    let bytes: [UInt8]
    let nodes: [JSONNode]

    init(bytes: [UInt8], nodes: [JSONNode]) {
        self.bytes = bytes
        self.nodes = nodes
    }

    var root: JSONValue { JSONValue(document: self, index: 0) }
}
