import Testing

@Suite struct HelpTests {
    @Test func placeholder() { #expect(1 + 1 == 2) }
}
