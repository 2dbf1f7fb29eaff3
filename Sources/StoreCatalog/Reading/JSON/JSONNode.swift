/// One value or key of a JSON text, as a range of its bytes. A document is a flat array of these in
/// the file's order, so reading a large catalog allocates one array instead of a tree.
struct JSONNode: Sendable {
    enum Kind: UInt8, Sendable {
        case object, array, string, escapedString, number, `true`, `false`, null
    }

    var kind: Kind
    /// The offset of the first byte; for strings, of the byte after the opening quote.
    var start: UInt32
    /// The offset after the last byte; for strings, of the closing quote.
    var end: UInt32
    /// The index of the node that follows this node and its contents.
    var next: UInt32
}
