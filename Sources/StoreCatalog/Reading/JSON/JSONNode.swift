/// One value or key of a JSON text, as a stretch of its bytes. A document is a flat list of these
/// in the file's order: reading a large catalog allocates one array and not a tree.
struct JSONNode: Sendable {
    enum Kind: UInt8, Sendable {
        case object, array, string, escapedString, number, `true`, `false`, null
    }

    var kind: Kind
    /// The first byte; of a text, the one after the quote.
    var start: UInt32
    /// After the last byte; of a text, the closing quote.
    var end: UInt32
    /// The node after this one and everything in it.
    var next: UInt32
}
