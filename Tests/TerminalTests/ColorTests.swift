import Terminal
import Testing

@Suite struct ColorTests {
    @Test(
        "a text that is no colour is refused",
        arguments: [
            "", "rgb", "rgb:", "rgb:0/0", "rgb:0/0/0/0", "rgba:0/0/0", "rgb:0//0", "rgb:0/0/g",
            "rgb:00000/0/0", "rgb:-1/0/0", "#", "#ff", "#ffff", "#gggggg", "#fffffffffffffff",
            "rgb:٣/0/0", "red",
        ])
    func whatIsNoColorIsRefused(_ text: String) {
        #expect(RGB(specification: text) == nil)
    }

    @Test("contrast ratios are those of WCAG")
    func contrastsAreThoseOfWCAG() {
        #expect(RGB(0).contrast(with: RGB(0xFFFFFF)) == 21)
        #expect(RGB(0xFFFFFF).contrast(with: RGB(0xFFFFFF)) == 1)
        // #767676 is often cited as the lightest grey that is readable on white (WCAG: contrast
        // 4.5).
        #expect(abs(RGB(0x767676).contrast(with: RGB(0xFFFFFF)) - 4.54) < 0.01)
    }

    @Test("the palette is that of xterm")
    func thePaletteIsThatOfXterm() {
        let known: [(UInt8, String)] = [
            (0, "#000000"), (9, "#ff0000"), (16, "#000000"), (39, "#00afff"), (203, "#ff5f5f"),
            (231, "#ffffff"), (232, "#080808"), (255, "#eeeeee"),
        ]
        for (number, hex) in known { #expect(XtermPalette.color(number).hex == hex) }
    }

    @Test(
        "a background is dark or light by which text can be read on it",
        arguments: [
            (0x000000, .dark), (0x1E1E1E, .dark), (0x002B36, .dark), (0xFDF6E3, .light),
            (0xFFFFFF, .light), (0x0000FF, .dark), (0x00FF00, .light),
        ] as [(UInt32, Background)])
    func aBackgroundIsDarkOrLight(_ color: UInt32, _ background: Background) {
        #expect(Background(RGB(color)) == background)
    }

    @Test(
        "COLORFGBG tells the background by its last number",
        arguments: [
            ("15;0", .dark), ("0;15", .light), ("12;8", .dark), ("0;default;7", .light),
            ("15;default", nil), ("", nil), ("0;256", nil), ("x", nil),
        ] as [(String, Background?)])
    func environmentTellsTheBackground(_ value: String, _ background: Background?) {
        #expect(Background(colorFGBG: value) == background)
    }

    @Test(
        "an unlock gives the theme that it names",
        arguments: [
            ("theme.sepia", .sepia), ("theme.sea", .sea),
            ("theme.high-contrast", .highContrast), ("theme.solarized", .solarized),
            ("theme.night", .night), ("theme.sports", .sports), ("theme.dark", nil),
            ("theme.mono", nil), ("sepia", nil),
            ("lantern.theme.sepia", nil), ("theme.sepia.2", nil), ("theme.", nil),
            ("", nil),
        ] as [(String, ThemeName?)])
    func anUnlockGivesATheme(_ unlock: String, _ theme: ThemeName?) {
        #expect(ThemeName(unlockedBy: unlock) == theme)
    }
}
