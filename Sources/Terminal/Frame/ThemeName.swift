/// The names of the themes that a drawing can be made in, as `--theme` and the unlocks of
/// products write them.
package enum ThemeName: String, Hashable, Sendable, CaseIterable {
    /// For dark backgrounds.
    case dark
    /// For light backgrounds.
    case light
    /// Colours that stand out more, on the terminal's own background.
    case highContrast = "high-contrast"
    /// No colours.
    case mono
    /// Warm, as on old paper or by a lamp, with a background of its own.
    case sepia
    /// After the Solarized palette, with a background of its own.
    case solarized
    /// Blue and green, with a background of its own.
    case sea
    /// Muted, on black.
    case night

    /// The background that the theme is made for if there is only one such, whatever the terminal
    /// has.
    package var background: Background? {
        switch self {
        case .dark: .dark
        case .light: .light
        case .highContrast, .mono, .sepia, .solarized, .sea, .night: nil
        }
    }

    /// Whether the theme looks different on a dark and on a light terminal.
    package var followsBackground: Bool { background == nil && self != .mono }

    /// The theme that an unlock of a product gives: `sepia` for `theme.sepia`. Nil for other unlocks,
    /// and for the themes that everybody has.
    package init?(unlockedBy unlock: String) {
        guard let theme = Self.allCases.first(where: { $0.unlock == unlock }) else { return nil }
        self = theme
    }

    /// The unlock that gives the theme, such as `theme.sepia`; nil for a theme that everybody has.
    package var unlock: String? {
        switch self {
        case .dark, .light, .mono: nil
        case .highContrast, .sepia, .solarized, .sea, .night: "theme." + rawValue
        }
    }
}

/// Whether a terminal's background is dark or light.
package enum Background: String, Hashable, Sendable, CaseIterable {
    case dark, light

    /// The kind of a background of this colour: light if black text stands out from it more than
    /// white text does.
    package init(_ color: RGB) {
        self = color.contrast(with: RGB(0)) > color.contrast(with: RGB(0xFFFFFF)) ? .light : .dark
    }

    /// Reads the environment variable COLORFGBG, in which some terminals put the numbers of their
    /// text and background colours in the first 16, as "15;0" or "0;default;15". Nil if the value
    /// says nothing about the background.
    package init?(colorFGBG value: String) {
        guard let last = value.split(separator: ";").last, let number = UInt8(last), number < 16
        else { return nil }
        // Palettes differ in their shades, but white and the bright colours are light in all of
        // them, except 8, the bright black.
        self = number < 7 || number == 8 ? .dark : .light
    }
}
