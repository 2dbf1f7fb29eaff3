@testable import Shop
import StoreModel
import Terminal
import Testing

/// A theme and the terminal's colours change only the styles of a frame. Together with the maps of
/// styles in `Goldens` this determines every cell of every view in every theme.
@Suite struct ThemedFrameTests {
    @Test(
        "every view has the same text in every theme, and the theme's style in the same cells",
        arguments: SampleScreen.allCases)
    func themesChangeStylesOnly(_ screen: SampleScreen) throws {
        let state = screen.state(locale: "en_US", size: Screens.usual)
        let known = Screens.draw(state, Screens.usual)
        let knownTheme = Theme(Screens.capabilities())
        for shown in ThemeTests.cases {
            var capabilities = Screens.capabilities(colors: shown.level)
            capabilities.background = shown.background
            capabilities.themeName = shown.name
            let frame = ShopDrawing(
                state, size: Screens.usual, capabilities: capabilities,
                formatters: Screens.formatters
            ).frame
            #expect(frame.lines == known.lines, "\(shown)")
            #expect(frame.cursor == known.cursor, "\(shown)")
            #expect(frame.page == shown.theme.page, "\(shown)")
            for (index, (cell, other)) in zip(frame.cells, known.cells).enumerated() {
                let expected = try #require(
                    Self.style(other.style, of: knownTheme, in: shown.theme),
                    "\(screen), cell \(index) has a style of no theme: \(other.style)")
                guard cell.style != expected else { continue }
                Issue.record("\(screen), \(shown), cell \(index): \(cell.style), not \(expected)")
                return
            }
        }
    }

    /// The corresponding tone with the same weight; nil if the first theme lacks the colour.
    private static func style(_ style: Style, of theme: Theme, in other: Theme) -> Style? {
        let tones: [KeyPath<Theme, Style>] = [\.quiet, \.bar, \.good, \.waiting, \.bad]
        guard let color = style.color else { return style }
        guard let tone = tones.first(where: { theme[keyPath: $0].color == color }) else {
            return nil
        }
        var same = other[keyPath: tone]
        same.weight.formUnion(style.weight)
        return same
    }
}
