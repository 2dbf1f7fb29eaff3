package import StoreModel
package import Terminal

/// The styles of the shop. The accent marks the selection and the names of keys. Most text has the
/// page's text colour, which is the terminal's default unless the theme sets one.
///
/// With 16 colours, whose shades each terminal's user may configure, every theme except `mono`
/// looks like `dark` or `light`. No text is dim where there are colours, because each terminal
/// chooses how dim text looks.
package struct Theme: Hashable, Sendable {
    /// The number of colours in use: the terminal's, or none in the theme `mono`.
    package let level: ColorLevel
    /// The background for which the colours are chosen.
    package let background: Background
    private let palette: ThemeColors?

    /// - Parameter name: nil for the theme that fits the background. The themes `dark` and `light`
    ///   ignore `background`, the terminal's own.
    package init(name: ThemeName?, level: ColorLevel, background: Background) {
        let background = name?.background ?? background
        let suited: ThemeName = background == .dark ? .dark : .light
        let palette = ThemeColors(name ?? suited, on: background)
        self.background = background
        self.palette = palette
        self.level = palette == nil ? .mono : level
    }

    /// - Parameter chosen: the unlock of the theme that the customer has chosen and owns. A theme
    ///   that `capabilities` names takes precedence.
    package init(_ capabilities: Capabilities, chosen: UnlockID? = nil) {
        self.init(
            name: capabilities.themeName ?? chosen.flatMap { ThemeName(unlockedBy: $0.rawValue) },
            level: capabilities.colors,
            background: capabilities.background)
    }

    // MARK: - Styles

    /// The style of most text.
    package var plain: Style { .plain }
    /// The style of headings and selected lines.
    package var strong: Style { Style(weight: .bold) }
    /// The style of less important text.
    package var quiet: Style {
        level == .mono
            ? Style(weight: .dim) : Style(color: color(palette?.quiet, dark: nil, light: nil))
    }
    /// The style of the selection's marker and of the names of keys.
    package var accent: Style {
        Style(color: color(palette?.accent, dark: 6, light: 4), weight: .bold)
    }
    /// The style of success, and of products that are owned.
    package var good: Style { Style(color: color(palette?.good, dark: 2, light: nil)) }
    /// The style of requests and payments that are not decided yet.
    package var waiting: Style { Style(color: color(palette?.waiting, dark: 3, light: nil)) }
    package var bad: Style { Style(color: badColor) }
    package var bar: Style { Style(color: color(palette?.accent, dark: 6, light: 4)) }
    /// Reversed, so that faults stand out without colours, too.
    package var fault: Style { Style(color: badColor, weight: .reverse) }
    /// The style of the number of the tour's step.
    package var badge: Style {
        Style(color: color(palette?.accent, dark: 6, light: 4), weight: .reverse)
    }

    // MARK: - Colours

    /// For `Frame`; nil for the terminal's defaults, also with fewer than 256 colours.
    package var page: PageColors? {
        guard isRich, let page = palette?.page else { return nil }
        return PageColors(text: color(page.text), background: color(page.background))
    }

    /// The RGB value with which one of the theme's colours is shown.
    package func rgb(of color: Color) -> RGB {
        switch level {
        case .mono: pageText
        case .basic: XtermPalette.color(color.basic)
        case .rich: XtermPalette.color(color.rich)
        case .trueColor: tone(of: color)?.rgb ?? XtermPalette.color(color.rich)
        }
    }

    /// The colour of text without a colour, in a recording, which has no terminal with a default.
    package var pageText: RGB {
        if let page { return rgb(of: page.text) }
        return background == .dark ? RGB(0xD7DAE0) : RGB(0x1F2328)
    }

    /// The background colour in a recording, which has no terminal with a default.
    package var pageBackground: RGB {
        if let page { return rgb(of: page.background) }
        return background == .dark ? RGB(0x16181D) : RGB(0xFFFFFF)
    }

    private var isRich: Bool { level == .rich || level == .trueColor }

    private func tone(of color: Color) -> ThemeColors.Tone? {
        guard let palette else { return nil }
        if let page = palette.page, color.rich == page.background.rich { return page.background }
        return palette.tones.first { $0.rich == color.rich }
    }

    private func color(_ tone: ThemeColors.Tone) -> Color {
        Color(rich: tone.rich, basic: background == .dark ? 7 : 0)
    }

    // In xterm's first 16 colours, the reds are too dark to read on a dark background, so failures
    // are bright magenta there.
    private var badColor: Color? { color(palette?.bad, dark: 13, light: 1) }

    /// `dark` and `light` are the numbers with 16 colours on such a background; nil if none of them
    /// is readable there: then the terminal's text colour is used.
    private func color(
        _ tone: ThemeColors.Tone?, dark: UInt8?, light: UInt8?
    ) -> Color? {
        guard let tone, level != .mono else { return nil }
        let basic = background == .dark ? dark : light
        if level == .basic, basic == nil { return nil }
        let color = color(tone)
        return Color(rich: color.rich, basic: basic ?? color.basic)
    }
}
