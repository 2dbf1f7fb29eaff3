package import StoreModel
package import Terminal

/// The styles of the shop. The accent marks the selection and the names of keys. Most text has the
/// colour of the page, which is the terminal's own unless the theme has one.
///
/// With 16 colours, whose shades users choose themselves, every theme but `mono` looks like `dark`
/// or `light`. No text is dim where there are colours: how far dim text fades is the terminal's
/// choice.
package struct Theme: Hashable, Sendable {
    /// The colours in use: those of the terminal, or none in the theme `mono`.
    package let level: ColorLevel
    /// The background that the colours are made for.
    package let background: Background
    private let palette: ThemeColors?

    /// - Parameters:
    ///   - name: nil for the theme that suits the background.
    ///   - level: the colours of the terminal.
    ///   - background: the terminal's own. The themes `dark` and `light` ignore it.
    package init(name: ThemeName?, level: ColorLevel, background: Background) {
        let background = name?.background ?? background
        let suited: ThemeName = background == .dark ? .dark : .light
        let palette = ThemeColors(name ?? suited, on: background)
        self.background = background
        self.palette = palette
        self.level = palette == nil ? .mono : level
    }

    /// The theme on this terminal.
    ///
    /// - Parameter chosen: the unlock of the theme that the person has chosen and owns; the theme
    ///   that `capabilities` names comes before it.
    package init(_ capabilities: Capabilities, chosen: UnlockID? = nil) {
        self.init(
            name: capabilities.themeName ?? chosen.flatMap { ThemeName(unlockedBy: $0.rawValue) },
            level: capabilities.colors,
            background: capabilities.background)
    }

    // MARK: - Styles

    /// Most text.
    package var plain: Style { .plain }
    /// Headings and selected lines.
    package var strong: Style { Style(weight: .bold) }
    /// The style of less important text.
    package var quiet: Style {
        level == .mono ? Style(weight: .dim) : Style(color: color(\.quiet, dark: nil, light: nil))
    }
    /// The marker of the selection, and the names of keys.
    package var accent: Style {
        Style(color: color(\.accent, dark: 6, light: 4), weight: .bold)
    }
    /// The style of success, and of products that are owned.
    package var good: Style { Style(color: color(\.good, dark: 2, light: nil)) }
    /// The style of requests and payments that are not decided yet.
    package var waiting: Style { Style(color: color(\.waiting, dark: 3, light: nil)) }
    /// The style of failures.
    package var bad: Style { Style(color: badColor) }
    /// Progress bars.
    package var bar: Style { Style(color: color(\.accent, dark: 6, light: 4)) }
    /// For faults that the operator has set. Reversed, so that they are noticed without colours
    /// too.
    package var fault: Style { Style(color: badColor, weight: .reverse) }
    /// The button that Enter presses.
    package var chosenButton: Style {
        Style(color: color(\.accent, dark: 6, light: 4), weight: .reverse)
    }

    /// Every style, by its name.
    package var styles: [(name: String, style: Style)] {
        [
            ("plain", plain), ("strong", strong), ("quiet", quiet), ("accent", accent),
            ("good", good), ("waiting", waiting), ("bad", bad), ("bar", bar), ("fault", fault),
            ("chosenButton", chosenButton),
        ]
    }

    // MARK: - Colours

    /// The colours of the page, for `Frame`; nil for the terminal's own, as with fewer than 256
    /// colours.
    package var page: PageColors? {
        guard isRich, let page = palette?.page else { return nil }
        return PageColors(text: color(page.text), background: color(page.background))
    }

    /// The colour that one of the theme's colours is shown as.
    package func rgb(of color: Color) -> RGB {
        switch level {
        case .mono: pageText
        case .basic: XtermPalette.color(color.basic)
        case .rich: XtermPalette.color(color.rich)
        case .trueColor: tone(of: color)?.rgb ?? XtermPalette.color(color.rich)
        }
    }

    /// The colour of text without a colour, where there is no terminal to choose it.
    package var pageText: RGB {
        if let page { return rgb(of: page.text) }
        return background == .dark ? RGB(0xD7DAE0) : RGB(0x1F2328)
    }

    /// The background, where there is no terminal to choose it.
    package var pageBackground: RGB {
        if let page { return rgb(of: page.background) }
        return background == .dark ? RGB(0x16181D) : RGB(0xFFFFFF)
    }

    private var isRich: Bool {
        switch level {
        case .rich, .trueColor: true
        case .mono, .basic: false
        }
    }

    private func tone(of color: Color) -> ThemeColors.Tone? {
        guard let palette else { return nil }
        if let page = palette.page, color.rich == page.background.rich { return page.background }
        return palette.tones.first { $0.rich == color.rich }
    }

    private func color(_ tone: ThemeColors.Tone) -> Color {
        Color(rich: tone.rich, basic: background == .dark ? 7 : 0)
    }

    // On dark backgrounds the reds of xterm's first 16 colours are too dark to be read, so it is
    // the bright magenta.
    private var badColor: Color? { color(\.bad, dark: 13, light: 1) }

    /// A colour of the palette.
    ///
    /// - Parameters:
    ///   - dark: its number with 16 colours on a dark background.
    ///   - light: its number with 16 colours on a light background. Nil, here and for `dark`, for
    ///     the terminal's own text colour, where none of the 16 like it can be read.
    private func color(
        _ tone: KeyPath<ThemeColors, ThemeColors.Tone>, dark: UInt8?, light: UInt8?
    ) -> Color? {
        guard let palette, level != .mono else { return nil }
        let basic = background == .dark ? dark : light
        if level == .basic, basic == nil { return nil }
        let color = color(palette[keyPath: tone])
        return Color(rich: color.rich, basic: basic ?? color.basic)
    }
}
