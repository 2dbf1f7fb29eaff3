/// One cell of the screen, in eight bytes: each key copies and compares a frame of thousands of
/// cells.
package struct Cell: Hashable, Sendable {
    private let code: CharacterCode
    /// From the lowest bit: 8 bits rich colour, 8 bits basic colour, 8 bits weight, 1 bit that says
    /// whether there is a colour, 2 bits width.
    private var attributes: UInt32

    init(text: String = " ", width: UInt8 = 1, style: Style = .plain) {
        self.init(CharacterCode(text), width: width, style: style)
    }

    init(_ code: CharacterCode, width: UInt8, style: Style) {
        self.code = code
        attributes = UInt32(width & 3) << 25 | Self.attributes(of: style)
    }

    /// Empty in the second half of a wide character.
    package var text: String { code.text }

    /// Nil for a character with marks, which is rare.
    package var scalar: Unicode.Scalar? { code.scalar }

    /// 1 or 2; 0 for the second half of a wide character.
    package var width: UInt8 { UInt8(attributes >> 25) }

    package var style: Style {
        get {
            let color = Color(
                rich: UInt8(truncatingIfNeeded: attributes),
                basic: UInt8(truncatingIfNeeded: attributes >> 8))
            return Style(
                color: attributes & Self.hasColor == 0 ? nil : color,
                weight: Style.Weight(rawValue: UInt8(truncatingIfNeeded: attributes >> 16)))
        }
        set { attributes = UInt32(width) << 25 | Self.attributes(of: newValue) }
    }

    private static let hasColor: UInt32 = 1 << 24

    private static func attributes(of style: Style) -> UInt32 {
        let color = style.color.map { UInt32($0.rich) | UInt32($0.basic) << 8 | hasColor } ?? 0
        return UInt32(style.weight.rawValue) << 16 | color
    }

    static let blank = Cell(.space, width: 1, style: .plain)
}
