/// The names of the themes of a drawing, as in `--theme` and in the unlocks of products.
package enum ThemeName: String, Hashable, Sendable, CaseIterable {
    case dark
    case light
    /// Colours with more contrast, on the terminal's own background.
    case highContrast = "high-contrast"
    case mono
    /// Warm colours, on the theme's own background.
    case sepia
    /// The colours of the Solarized palette, on the theme's own background.
    case solarized
    /// Blue and green, on the theme's own background.
    case sea
    /// Muted colours, on black.
    case night
    /// Chalk white, on field green.
    case sports

    /// The only background for which the theme is made, whatever the terminal's; nil if it is made
    /// for both.
    package var background: Background? {
        switch self {
        case .dark: .dark
        case .light: .light
        case .highContrast, .mono, .sepia, .solarized, .sea, .night, .sports: nil
        }
    }

    /// Whether the theme differs on a dark and a light terminal.
    package var followsBackground: Bool { background == nil && self != .mono }

    /// The theme of a product's unlock: `sepia` for `theme.sepia`. Nil for other unlocks, and for
    /// the themes that need no product.
    package init?(unlockedBy unlock: String) {
        guard let theme = Self.allCases.first(where: { $0.unlock == unlock }) else { return nil }
        self = theme
    }

    /// Such as `theme.sepia`; nil for a theme that needs no product.
    package var unlock: String? {
        switch self {
        case .dark, .light, .mono: nil
        case .highContrast, .sepia, .solarized, .sea, .night, .sports: "theme." + rawValue
        }
    }
}

/// Whether a terminal's background is dark or light.
package enum Background: String, Hashable, Sendable, CaseIterable {
    case dark, light

    /// Light if black text has more contrast with the colour than white text.
    package init(_ color: RGB) {
        self = color.contrast(with: RGB(0)) > color.contrast(with: RGB(0xFFFFFF)) ? .light : .dark
    }

    /// Reads the environment variable COLORFGBG, in which some terminals store the numbers of their
    /// text and background colours, as "15;0" or "0;default;15". Nil if the value has no background
    /// from the first 16 colours.
    package init?(colorFGBG value: String) {
        guard let last = value.split(separator: ";").last, let number = UInt8(last), number < 16
        else { return nil }
        // Shades differ between palettes, but white and the bright colours are light in all of
        // them, except number 8, the bright black.
        self = number < 7 || number == 8 ? .dark : .light
    }
}
