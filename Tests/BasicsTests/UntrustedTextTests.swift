import Basics
import Testing

@Suite("untrusted text")
struct UntrustedTextTests {
    @Test(
        "control, invisible and direction characters are removed",
        arguments: [
            "\u{1B}[31m", "\u{1B}]0;title\u{7}", "\u{9B}31m", "\u{0}", "\u{7F}", "\u{61C}",
            "\u{200B}", "\u{202E}", "\u{2060}", "\u{2064}", "\u{2066}", "\u{2069}", "\u{206F}",
            "\u{FEFF}", "\u{FFF9}", "\u{E0001}", "\u{E0041}", "\u{E007F}",
        ])
    func isLeftOut(sequence: String) {
        #expect(UntrustedText.clean("a" + sequence + "b") == "ab")
        #expect(UntrustedText.clean(sequence) == "")
    }

    @Test(
        "ordinary text is kept",
        arguments: [
            "Lantern", "灯台", "ö", "👩\u{200D}🚀", "س", "\u{200F}א", "🇯🇵", "‘’…",
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "󰀁",
        ])
    func stays(text: String) { #expect(UntrustedText.clean(text) == text) }
}
