/// The colour and weight of a cell.
package struct Style: Hashable, Sendable {
    /// Nil for the terminal's default colour.
    package var color: Color?
    package var weight: Weight

    /// Attributes of a cell beside its colour. The raw values are those of `CT_BOLD`,
    /// `CT_DIM`, `CT_REVERSE` and `CT_UNDERLINE`.
    package struct Weight: OptionSet, Hashable, Sendable {
        /// One bit for each attribute.
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// SGR 1.
        package static let bold = Weight(rawValue: 1)
        /// SGR 2.
        package static let dim = Weight(rawValue: 2)
        /// SGR 7.
        package static let reverse = Weight(rawValue: 4)
        /// SGR 4.
        package static let underline = Weight(rawValue: 8)
    }

    package init(color: Color? = nil, weight: Weight = []) {
        self.color = color
        self.weight = weight
    }

    package static let plain = Style()
}

/// A text colour in two palettes: for terminals with 256 colours, and for terminals with fewer.
package struct Color: Hashable, Sendable {
    /// A colour of xterm's palette, 0...255.
    package var rich: UInt8
    /// One of the first 16 colours, whose shades users can change, 0...15. A terminal with eight
    /// colours shows 8...15 as 0...7 in bold.
    package var basic: UInt8

    package init(rich: UInt8, basic: UInt8) {
        self.rich = rich
        self.basic = basic
    }
}

/// The colours of all cells of a screen that do not set their own.
package struct PageColors: Hashable, Sendable {
    /// For text without a colour.
    package var text: Color
    /// For every cell.
    package var background: Color

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
