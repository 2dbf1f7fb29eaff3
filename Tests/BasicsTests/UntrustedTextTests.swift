import Basics
import Testing

@Suite("untrusted text")
struct UntrustedTextTests {
    @Test(
        "control, invisible and direction characters are removed",
        arguments: [
            "\u{1B}[31m", "\u{1B}]0;title\u{7}", "\u{9B}31m", "\u{0}", "\u{7F}", "\u{61C}",
            "\u{200B}", "\u{202E}", "\u{2060}", "\u{2064}", "\u{2066}", "\u{2069}", "\u{206F}",
            "\u{FEFF}", "\u{FFF9}", "\u{E0001}", "\u{E0041}", "\u{E007F}", "\u{AD}", "\u{34F}",
            "\u{115F}", "\u{17B4}", "\u{180E}", "\u{3164}", "\u{FFA0}", "\u{13430}", "\u{1BCA0}",
            "\u{1D173}", "\u{E0FFF}",
        ])
    func isLeftOut(sequence: String) {
        #expect(UntrustedText.clean("a" + sequence + "b") == "ab")
        #expect(UntrustedText.clean(sequence) == "")
    }

    @Test(
        "ordinary text is kept",
        arguments: [
            "Lantern", "灯台", "ö", "👩\u{200D}🚀", "س", "\u{200F}א", "🇯🇵", "‘’…",
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "󰀁", "❤\u{FE0F}",
            "\u{600}1", "ﾊ", "12\u{A0}€", "第\u{3000}章",
        ])
    func stays(text: String) {
        #expect(UntrustedText.clean(text) == text)
        #expect(UntrustedText.shown(text) == text)
    }

    @Test("what is not seen is quoted as an escape")
    func quotes() {
        #expect(UntrustedText.quote("a\u{AD}b\u{1B}[2J\u{2800}") == #""a\u{AD}b\u{1B}[2J\u{2800}""#)
        #expect(UntrustedText.clean("a\u{2800}b") == "a b")
    }

    @Test(
        "a name that looks like another one or like nothing is not plain",
        arguments: [
            "\u{AD}", "a\u{A0}b", "a\u{2009}b", "a\u{2800}b", "a\u{17B4}", "a\tb", "\u{FEFF}a",
        ])
    func names(text: String) { #expect(!UntrustedText.isPlain(text)) }

    @Test(
        "words in any writing are plain",
        arguments: ["a b.txt", "第\u{3000}章.txt", "été", "می\u{200C}خواهم"])
    func plainNames(text: String) { #expect(UntrustedText.isPlain(text)) }
}
