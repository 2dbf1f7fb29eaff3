import Basics

/// A cache of measured texts. Successive frames show mostly the same texts, and a lookup takes a
/// fraction of the time of measuring.
final class TextMemo: Sendable {
    private let known = Memo<Spelling, MeasuredText>(limit: 4_000)
    /// In bytes. Longer texts are descriptions, which few frames show.
    private static let lengthMax = 200

    func text(_ text: String, _ measure: () -> MeasuredText) -> MeasuredText {
        guard text.utf8.count <= Self.lengthMax else { return measure() }
        return known.value(Spelling(text: text), measure)
    }
}

/// A text that is compared by its bytes. Swift's `==` also equates canonically equivalent strings,
/// which a terminal may show differently.
private struct Spelling: Hashable {
    let text: String

    static func == (left: Spelling, right: Spelling) -> Bool {
        var (left, right) = (left.text, right.text)
        return left.withUTF8 { left in
            right.withUTF8 { right in left.count == right.count && left.elementsEqual(right) }
        }
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
