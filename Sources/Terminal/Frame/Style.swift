/// How a cell looks beside its character.
package struct Style: Hashable, Sendable {
    /// Nil is the terminal's own colour, which every terminal can show.
    package var color: Color?
    package var weight: Weight

    package struct Weight: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Weight(rawValue: 1)
        package static let dim = Weight(rawValue: 2)
        package static let reverse = Weight(rawValue: 4)
        package static let underline = Weight(rawValue: 8)
    }

    package init(color: Color? = nil, weight: Weight = []) {
        self.color = color
        self.weight = weight
    }

    package static let plain = Style()
}

/// A text colour, said twice: for terminals with xterm's palette and for those with sixteen.
package struct Color: Hashable, Sendable {
    /// 0...255, xterm's palette.
    package var rich: UInt8
    /// 0...15, the palette every colour terminal has; the person may have chosen its shades.
    package var basic: UInt8

    package init(rich: UInt8, basic: UInt8) {
        self.rich = rich
        self.basic = basic
    }
}

/// How many colours a terminal shows. State is never told by colour alone, so `mono` loses nothing.
package enum ColorLevel: String, Hashable, Sendable, CaseIterable {
    case mono, basic, rich
}
