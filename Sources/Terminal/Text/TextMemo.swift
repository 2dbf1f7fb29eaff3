import Basics

/// A cache of measured texts. From one key to the next a screen shows mostly the same texts, and
/// reading one here costs a fraction of measuring it.
final class TextMemo: Sendable {
    private let known = Memo<Spelling, MeasuredText>(limit: 4_000)
    /// The longest text kept, in bytes. Longer texts are descriptions, which few frames show.
    private static let lengthMax = 200

    func text(_ text: String, _ measure: () -> MeasuredText) -> MeasuredText {
        guard text.utf8.count <= Self.lengthMax else { return measure() }
        return known.value(Spelling(text: text), measure)
    }
}

/// A text compared by its bytes. Swift's `==` also equates strings that are only canonically
/// equivalent, which a terminal may show differently.
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
