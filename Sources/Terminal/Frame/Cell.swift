/// One character's place on the screen, in eight bytes: a frame of thousands of cells is copied and
/// compared for every key, and its size decides how long that takes.
package struct Cell: Hashable, Sendable {
    private let code: CharacterCode
    private var look: UInt32

    package init(text: String = " ", width: UInt8 = 1, style: Style = .plain) {
        self.init(CharacterCode(text), width: width, style: style)
    }

    init(_ code: CharacterCode, width: UInt8, style: Style) {
        self.code = code
        look = UInt32(width & 3) << 25 | Self.look(of: style)
    }

    /// What stands here: one character that takes `width` columns. Empty in the second half of a
    /// wide one.
    package var text: String { code.text }

    /// The same where it is one Unicode scalar, as it nearly always is; nil where it is not.
    package var scalar: Unicode.Scalar? { code.scalar }

    /// 1 or 2; 0 for the second half of a wide character.
    package var width: UInt8 { UInt8(look >> 25) }

    package var style: Style {
        get {
            let color = Color(
                rich: UInt8(truncatingIfNeeded: look), basic: UInt8(truncatingIfNeeded: look >> 8))
            return Style(
                color: look & Self.hasColor == 0 ? nil : color,
                weight: Style.Weight(rawValue: UInt8(truncatingIfNeeded: look >> 16)))
        }
        set { look = UInt32(width) << 25 | Self.look(of: newValue) }
    }

    private static let hasColor: UInt32 = 1 << 24

    private static func look(of style: Style) -> UInt32 {
        let color = style.color.map { UInt32($0.rich) | UInt32($0.basic) << 8 | hasColor } ?? 0
        return UInt32(style.weight.rawValue) << 16 | color
    }

    package static let blank = Cell(.space, width: 1, style: .plain)
}
