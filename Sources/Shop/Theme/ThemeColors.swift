import Terminal

/// The colours of one theme for one kind of background.
///
/// Each colour has a contrast of at least 4.5:1 (`RGB.contrast`, checked by `ThemeTests`) with the
/// palette's own background, or without one with every background from #000000 to #1e1e1e, or from
/// #ffffff to #eeeeee.
struct ThemeColors: Hashable, Sendable {
    /// An RGB colour, and the number of the colour that replaces it in xterm's 256-colour palette.
    struct Tone: Hashable, Sendable {
        let rgb: RGB
        let rich: UInt8

        init(_ rgb: UInt32, rich: UInt8) {
            self.rgb = RGB(rgb)
            self.rich = rich
        }
    }

    /// Nil for those of the terminal.
    var page: (text: Tone, background: Tone)? {
        guard let text, let background else { return nil }
        return (text, background)
    }

    private let text: Tone?
    private let background: Tone?
    let quiet: Tone
    let accent: Tone
    let good: Tone
    let waiting: Tone
    let bad: Tone

    private init(
        text: Tone? = nil, on background: Tone? = nil, quiet: Tone, accent: Tone, good: Tone,
        waiting: Tone, bad: Tone
    ) {
        self.text = text
        self.background = background
        self.quiet = quiet
        self.accent = accent
        self.good = good
        self.waiting = waiting
        self.bad = bad
    }

    /// Without the background.
    var tones: [Tone] { [text, quiet, accent, good, waiting, bad].compactMap(\.self) }

    /// Nil for `mono`.
    init?(_ name: ThemeName, on background: Background) {
        let palette: ThemeColors
        switch (name, background) {
        case (.mono, _): return nil
        case (.dark, _): palette = .dark
        case (.light, _): palette = .light
        case (.highContrast, .dark): palette = .highContrastDark
        case (.highContrast, .light): palette = .highContrastLight
        case (.sepia, .dark): palette = .sepiaDark
        case (.sepia, .light): palette = .sepiaLight
        case (.solarized, .dark): palette = .solarizedDark
        case (.solarized, .light): palette = .solarizedLight
        case (.sea, .dark): palette = .seaDark
        case (.sea, .light): palette = .seaLight
        case (.night, _): palette = .night
        case (.sports, _): palette = .sports
        }
        self = palette
    }

    // MARK: - On the terminal's own background

    private static let dark = ThemeColors(
        quiet: Tone(0xA0A4AB, rich: 246), accent: Tone(0x4DB5FF, rich: 39),
        good: Tone(0x7BC47F, rich: 71), waiting: Tone(0xE0B341, rich: 178),
        bad: Tone(0xFF7B72, rich: 203))

    private static let light = ThemeColors(
        quiet: Tone(0x59606A, rich: 241), accent: Tone(0x0A5CB8, rich: 25),
        good: Tone(0x1A6B2D, rich: 22), waiting: Tone(0x7D5200, rich: 94),
        bad: Tone(0xB3201C, rich: 124))

    private static let highContrastDark = ThemeColors(
        quiet: Tone(0xD0D0D0, rich: 252), accent: Tone(0x5FD7FF, rich: 81),
        good: Tone(0x5FFF87, rich: 84), waiting: Tone(0xFFD700, rich: 220),
        bad: Tone(0xFF9D94, rich: 217))

    private static let highContrastLight = ThemeColors(
        quiet: Tone(0x303030, rich: 236), accent: Tone(0x00358C, rich: 18),
        good: Tone(0x004D12, rich: 22), waiting: Tone(0x5C3300, rich: 52),
        bad: Tone(0x8C0000, rich: 88))

    // MARK: - On a background of their own

    private static let sepiaDark = ThemeColors(
        text: Tone(0xDCC3A1, rich: 180), on: Tone(0x211A13, rich: 234),
        quiet: Tone(0xAB9270, rich: 137), accent: Tone(0xF0A860, rich: 215),
        good: Tone(0xB5BA6C, rich: 143), waiting: Tone(0xDFB45F, rich: 179),
        bad: Tone(0xFF8F6B, rich: 209))

    private static let sepiaLight = ThemeColors(
        text: Tone(0x433422, rich: 236), on: Tone(0xF6ECD6, rich: 230),
        quiet: Tone(0x705A40, rich: 95), accent: Tone(0x8F4A06, rich: 130),
        good: Tone(0x4A5D10, rich: 58), waiting: Tone(0x7A5300, rich: 94),
        bad: Tone(0xA3261A, rich: 124))

    private static let solarizedDark = ThemeColors(
        text: Tone(0xB9C5C6, rich: 250), on: Tone(0x002B36, rich: 234),
        quiet: Tone(0x93A1A1, rich: 246), accent: Tone(0x4AA8E8, rich: 39),
        good: Tone(0xA3B300, rich: 142), waiting: Tone(0xD3A21A, rich: 178),
        bad: Tone(0xFF7A6E, rich: 203))

    private static let solarizedLight = ThemeColors(
        text: Tone(0x3B4F57, rich: 239), on: Tone(0xFDF6E3, rich: 230),
        quiet: Tone(0x576A72, rich: 241), accent: Tone(0x1A6BA8, rich: 25),
        good: Tone(0x5B6B00, rich: 58), waiting: Tone(0x8A6300, rich: 94),
        bad: Tone(0xC0281F, rich: 124))

    private static let seaDark = ThemeColors(
        text: Tone(0xCFE6EE, rich: 195), on: Tone(0x071D2E, rich: 17),
        quiet: Tone(0x8FB3C4, rich: 110), accent: Tone(0x54D1DB, rich: 80),
        good: Tone(0x6FD39A, rich: 79), waiting: Tone(0xE6C15C, rich: 179),
        bad: Tone(0xFF8F86, rich: 210))

    private static let seaLight = ThemeColors(
        text: Tone(0x12343F, rich: 23), on: Tone(0xE4F3F6, rich: 195),
        quiet: Tone(0x3F5F6B, rich: 240), accent: Tone(0x00607A, rich: 24),
        good: Tone(0x0D6338, rich: 22), waiting: Tone(0x775000, rich: 94),
        bad: Tone(0xA8201C, rich: 124))

    private static let night = ThemeColors(
        text: Tone(0xC9C2B4, rich: 187), on: Tone(0x0B0D12, rich: 16),
        quiet: Tone(0x96907F, rich: 245), accent: Tone(0xD9A55B, rich: 179),
        good: Tone(0x8FAE78, rich: 107), waiting: Tone(0xD0A94E, rich: 178),
        bad: Tone(0xE88473, rich: 173))

    private static let sports = ThemeColors(
        text: Tone(0xF4F7F0, rich: 231), on: Tone(0x123F21, rich: 22),
        quiet: Tone(0xB8D8BC, rich: 151), accent: Tone(0xFFF06A, rich: 227),
        good: Tone(0x9BF0A0, rich: 120), waiting: Tone(0xFFD98A, rich: 222),
        bad: Tone(0xFFC9C0, rich: 224))
}
