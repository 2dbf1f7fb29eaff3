import Synchronization

/// A cell's character in four bytes: the value of its scalar, or for a character with marks its
/// number in a table of the process. Entries of the table are never removed, because written
/// languages need only a few.
struct CharacterCode: Hashable, Sendable {
    private let raw: UInt32

    static let space = CharacterCode(raw: 0x20)
    /// The second half of a wide character.
    static let nothing = CharacterCode(raw: .max)

    private init(raw: UInt32) { self.raw = raw }

    init(_ text: String) {
        var scalars = text.unicodeScalars.makeIterator()
        guard let first = scalars.next() else {
            self = .nothing
            return
        }
        self.init(raw: scalars.next() == nil ? first.value : Self.clusters.code(of: text, first))
    }

    var text: String {
        if raw == Self.nothing.raw { return "" }
        if raw >= Clusters.start { return Self.clusters.text(of: raw) }
        return scalar.map { String($0) } ?? ""
    }

    /// Nil for no character and for one with marks.
    var scalar: Unicode.Scalar? { Unicode.Scalar(raw) }

    private static let clusters = Clusters()

    private final class Clusters: Sendable {
        /// Above every Unicode scalar.
        static let start: UInt32 = 0x100_0000
        private static let countMax = 100_000

        private struct Table {
            var codes: [String: UInt32] = [:]
            var texts: [String] = []
        }
        private let table = Mutex(Table())

        /// The number of a character with marks. If the table is full, the value of the first
        /// scalar, so that the character is shown without its marks.
        func code(of text: String, _ first: Unicode.Scalar) -> UInt32 {
            table.withLock { table in
                if let code = table.codes[text] { return code }
                guard table.texts.count < Self.countMax else { return first.value }
                let code = Self.start + UInt32(table.texts.count)
                table.texts.append(text)
                table.codes[text] = code
                return code
            }
        }

        func text(of code: UInt32) -> String {
            table.withLock { $0.texts[Int(code - Self.start)] }
        }
    }
}
