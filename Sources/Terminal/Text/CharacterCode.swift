import Synchronization

/// A character of a cell in four bytes.
///
/// One scalar stands for itself. A character with marks is kept in a table of the process; the few
/// that written languages need stay there.
struct CharacterCode: Hashable, Sendable {
    private let raw: UInt32

    static let space = CharacterCode(raw: 0x20)
    /// Nothing at all: the second half of a wide character.
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

    /// Nil for nothing, and for a character with marks.
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

        /// A full table shows the letter without its marks.
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
