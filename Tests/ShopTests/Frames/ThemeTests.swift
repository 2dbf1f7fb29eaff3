@testable import Shop
import Terminal
import Testing

/// Every text of every theme is readable on the backgrounds that the theme is made for.
@Suite struct ThemeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: ThemeName?
        var level: ColorLevel
        var background: Background

        var theme: Theme { Theme(name: name, level: level, background: background) }
        var testDescription: String { "\(name?.rawValue ?? "auto") \(level) \(background)" }

        /// The theme's own background. Without one, the two extremes that the program assumes for a
        /// dark or a light terminal: black or white, and the grey with the least contrast to text.
        var backgrounds: [RGB] {
            let theme = theme
            if let page = theme.page { return [theme.rgb(of: page.background)] }
            return theme.background == .dark
                ? [RGB(0x000000), RGB(0x1E1E1E)] : [RGB(0xFFFFFF), RGB(0xEEEEEE)]
        }
    }

    static let cases: [Case] = ([nil] + ThemeName.allCases).flatMap { name in
        ColorLevel.allCases.flatMap { level in
            Background.allCases.map { Case(name: name, level: level, background: $0) }
        }
    }

    @Test("every text stands out from its background by 4.5 to 1", arguments: cases)
    func everyTextStandsOut(_ shown: Case) {
        let theme = shown.theme
        var colors = theme.styles.compactMap { name, style in style.color.map { (name, $0) } }
        if let page = theme.page { colors.append(("text", page.text)) }
        for (name, color) in colors {
            for background in shown.backgrounds {
                let contrast = theme.rgb(of: color).contrast(with: background)
                #expect(contrast >= 4.5, "\(name) on \(background.hex): \(contrast)")
            }
        }
        #expect(theme.pageText.contrast(with: theme.pageBackground) >= 4.5)
    }

    @Test("text is dim only where there are no colours", arguments: cases)
    func textIsDimOnlyWithoutColors(_ shown: Case) {
        let theme = shown.theme
        let dim = theme.styles.filter { $0.style.weight.contains(.dim) }.map(\.name)
        #expect(dim == (theme.level == .mono ? ["quiet"] : []))
    }

    @Test("without colours no style has one", arguments: cases.filter { $0.theme.level == .mono })
    func monoHasNoColor(_ shown: Case) {
        #expect(shown.theme.styles.allSatisfy { $0.style.color == nil })
        #expect(shown.theme.page == nil)
    }

    @Test("the theme mono has no colours on any terminal", arguments: ColorLevel.allCases)
    func monoIsMonoEverywhere(_ level: ColorLevel) {
        #expect(Theme(name: .mono, level: level, background: .dark).level == .mono)
    }

    @Test("without a chosen theme the background decides")
    func theBackgroundDecides() {
        for background in Background.allCases {
            let name: ThemeName = background == .dark ? .dark : .light
            let automatic = Theme(name: nil, level: .rich, background: background)
            #expect(automatic == Theme(name: name, level: .rich, background: background))
            // A chosen theme ignores the terminal's background.
            for other in Background.allCases {
                #expect(Theme(name: name, level: .rich, background: other) == automatic)
            }
        }
    }

    @Test("a cell's colour tells its true colour", arguments: cases)
    func aCellsColorTellsItsTrueColor(_ shown: Case) throws {
        let theme = Theme(name: shown.name, level: .trueColor, background: shown.background)
        guard theme.level == .trueColor else { return }
        let palette = try #require(
            ThemeColors(
                shown.name ?? (shown.background == .dark ? .dark : .light),
                on: theme.background))
        let tones = palette.tones + (palette.page.map { [$0.background] } ?? [])
        // Two tones with the same number could not be distinguished in a frame.
        #expect(Set(tones.map(\.rich)).count == tones.count)
        for tone in tones {
            #expect(theme.rgb(of: Color(rich: tone.rich, basic: 0)) == tone.rgb)
        }
    }

    @Test("themes that are sold have a page of their own, and the others have the terminal's")
    func onlySomeThemesHaveAPage() {
        let withPage = ThemeName.allCases.filter {
            Theme(name: $0, level: .rich, background: .dark).page != nil
        }
        #expect(withPage == [.sepia, .solarized, .sea, .night, .sports])
        for name in withPage {
            #expect(Theme(name: name, level: .basic, background: .dark).page == nil)
        }
    }
}

extension Theme {
    var styles: [(name: String, style: Style)] {
        [
            ("plain", plain), ("strong", strong), ("quiet", quiet), ("accent", accent),
            ("good", good), ("waiting", waiting), ("bad", bad), ("bar", bar), ("fault", fault),
            ("badge", badge),
        ]
    }
}
