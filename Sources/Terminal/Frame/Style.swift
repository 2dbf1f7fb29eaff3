/// The colour and weight of a cell.
package struct Style: Hashable, Sendable {
    /// The text colour; nil for the terminal's default colour.
    package var color: Color?
    /// The attributes beside the colour.
    package var weight: Weight

    /// Attributes of a cell beside its colour. The raw values are those of `CT_BOLD`,
    /// `CT_DIM`, `CT_REVERSE` and `CT_UNDERLINE`.
    package struct Weight: OptionSet, Hashable, Sendable {
        /// One bit for each attribute.
        package let rawValue: UInt8
        /// The attributes of these bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Bold or bright text (SGR 1).
        package static let bold = Weight(rawValue: 1)
        /// Faint text (SGR 2).
        package static let dim = Weight(rawValue: 2)
        /// Text and background colour exchanged (SGR 7).
        package static let reverse = Weight(rawValue: 4)
        /// Underlined text (SGR 4).
        package static let underline = Weight(rawValue: 8)
    }

    /// Memberwise: the values are not checked.
    package init(color: Color? = nil, weight: Weight = []) {
        self.color = color
        self.weight = weight
    }

    /// The terminal's default colour, with no attribute.
    package static let plain = Style()
}

/// A text colour in two palettes: for terminals with 256 colours, and for terminals with fewer.
package struct Color: Hashable, Sendable {
    /// A colour of xterm's palette, 0...255.
    package var rich: UInt8
    /// One of the first 16 colours, whose shades users can change, 0...15. A terminal with eight
    /// colours shows 8...15 as 0...7 in bold.
    package var basic: UInt8

    /// Memberwise: the values are not checked.
    package init(rich: UInt8, basic: UInt8) {
        self.rich = rich
        self.basic = basic
    }
}

/// The colours of all cells of a screen that do not set their own.
package struct PageColors: Hashable, Sendable {
    /// The colour of text without a colour.
    package var text: Color
    /// The background of every cell.
    package var background: Color

    /// Memberwise: the values are not checked.
    package init(text: Color, background: Color) {
        self.text = text
        self.background = background
    }
}

/// The number of colours of a screen: `mono` none, `basic` at least 8, `rich` at least 256,
/// `trueColor` any. The shop never shows a state by colour alone, so `mono` loses no information.
///
/// A `CursesTerminal` shows at most `rich`, because ncurses selects colours by number: another
/// colour would need a change of the user's palette. `trueColor` is for printed frames.
package enum ColorLevel: String, Hashable, Sendable, CaseIterable {
    case mono, basic, rich, trueColor
}
