/// One character's place on the screen.
package struct Cell: Hashable, Sendable {
    private let code: CharacterCode
    /// 1 or 2; 0 for the second half of a wide character.
    package let width: UInt8
    package var style: Style

    package init(text: String = " ", width: UInt8 = 1, style: Style = .plain) {
        self.init(CharacterCode(text), width: width, style: style)
    }

    init(_ code: CharacterCode, width: UInt8, style: Style) {
        self.code = code
        self.width = width
        self.style = style
    }

    /// What stands here: one character that takes `width` columns. Empty in the second half of a
    /// wide one.
    package var text: String { code.text }

    package static let blank = Cell(.space, width: 1, style: .plain)
}
