import Basics

/// Texts that were measured before: a screen shows mostly the same ones from key to key, and looking
/// one up costs a fraction of measuring it. The same text always measures the same, so remembering
/// changes nothing but the time it takes.
final class TextMemo: Sendable {
    private let known = Memo<Spelling, MeasuredText>(limit: 4_000)
    /// Longer ones are wrapped once, not drawn key after key.
    private static let lengthMax = 120

    func text(_ text: String, _ measure: () -> MeasuredText) -> MeasuredText {
        guard text.utf8.count <= Self.lengthMax else { return measure() }
        return known.value(Spelling(text: text), measure)
    }
}

/// A text as it is spelled: strings that only mean the same are equal to Swift, and not to a
/// terminal.
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
