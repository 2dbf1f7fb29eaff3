/// One character's place on the screen.
package struct Cell: Hashable, Sendable {
    /// What stands here: one character that takes `width` columns. Empty in the second half of a
    /// wide one.
    package var text: String
    /// 1 or 2; 0 for the second half of a wide character.
    package var width: UInt8
    package var style: Style

    package init(text: String = " ", width: UInt8 = 1, style: Style = .plain) {
        self.text = text
        self.width = width
        self.style = style
    }

    package static let blank = Cell()
}
