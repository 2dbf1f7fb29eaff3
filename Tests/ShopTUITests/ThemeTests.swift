import ShopTUI
import Terminal
import Testing

@Suite struct ThemeTests {
    @Test func nothingIsToldByColourAlone() { #expect(Theme.plain.color == nil) }
}
