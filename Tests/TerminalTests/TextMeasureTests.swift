import CTerminal
import Glibc
import Terminal
import Testing

/// Text measures by the machine's C library, as in the program.
enum Measures {
    private static let columns: TextMeasure.Columns = {
        setlocale(LC_CTYPE, "C.UTF-8")
        return { Int(ct_columns($0.value)) }
    }()

    static let utf8 = TextMeasure(columns: columns)
    static let ascii = TextMeasure(isASCII: true, columns: columns)
    static let wide = TextMeasure(isDoubtful: AmbiguousWidth.contains, columns: columns)
}

@Suite struct TextMeasureTests {
    @Test(
        "text is cleaned for display and measured in columns",
        arguments: [
            ("Lantern", "Lantern", 7),
            ("", "", 0),
            ("灯台", "灯台", 4),
            ("かな漢字ABC", "かな漢字ABC", 11),
            ("한국어", "한국어", 6),
            // Decomposed Hangul, as some file systems write names.
            ("\u{1112}\u{1161}\u{11AB}", "한", 2),
            ("é", "é", 1),
            ("e\u{301}", "e\u{301}", 1),
            ("a\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}", "a\u{300}\u{301}\u{302}\u{303}", 1),
            ("\u{301}x", "x", 1),
            // Terminals disagree about the width of these.
            ("👨‍👩‍👧‍👦", "👨", 2),
            ("👍🏽", "👍", 2),
            ("❤\u{FE0F}", "❤", 1),
            ("1\u{FE0F}\u{20E3}", "1", 1),
            ("🇫🇷 🇯🇵", "FR JP", 5),
            // A combining mark after a flag belongs to the same character.
            ("🇫🇷\u{301}\u{301}", "FR", 2),
            ("🍣", "🍣", 2),
            ("\u{1FAE8}", "?", 1),
            ("क्षि", "क्षि", 3),
            // Direction and control characters.
            ("a\u{200F}b\u{202E}c\u{2066}d", "abcd", 4),
            ("\u{1B}[2J", "[2J", 3),
            ("a\u{0}b\u{7}c\u{9B}d", "abcd", 4),
            ("one\ttwo\nthree\r\nfour", "one two three four", 18),
            ("soft\u{AD}hyphen", "softhyphen", 10),
            // Prices.
            ("1.234,50\u{A0}€", "1.234,50 €", 10),
            ("1\u{202F}234,50\u{A0}€", "1 234,50 €", 10),
            ("￥1,200", "￥1,200", 7),
            ("\u{200F}١٬٢٣٤٫٥٠\u{A0}ر.س.\u{200F}", "١٬٢٣٤٫٥٠ ر.س.", 13),
            ("₹12,34,567.50", "₹12,34,567.50", 13),
        ])
    func textIsShownAs(_ text: String, _ shown: String, _ columns: Int) {
        let measured = Measures.utf8.measure(text)
        #expect(Array(measured.text.unicodeScalars) == Array(shown.unicodeScalars))
        #expect(measured.columns == columns)
    }

    @Test(
        "in ASCII mode, text is replaced by ASCII",
        arguments: [
            ("Straße", "Strasse"), ("Crème brûlée", "Creme brulee"), ("“…”", "\"...\""),
            ("1.234,50\u{A0}€", "1.234,50 EUR"), ("£3.99", "GBP3.99"), ("灯台", "??"),
            ("│ ─", "| -"), ("\u{200F}١٬٢٣٤٫٥٠", "1,234.50"), ("￥１２００", "Y1200"), ("🇫🇷", "FR"),
            ("🇫🇷\u{301}\u{301}", "FR"), ("é e\u{301}", "e e"),
        ])
    func whereOnlyASCIICanBeShown(_ text: String, _ shown: String) {
        let measured = Measures.ascii.measure(text)
        #expect(measured.text == shown)
        #expect(measured.columns == shown.utf8.count)
    }

    /// Terminals draw these in one column or in two; ASCII is one column everywhere.
    @Test(
        "characters of doubtful width are replaced by ASCII",
        arguments: [
            ("│…×", "|...x"), ("灯台", "灯台"), ("Ω", "?"), ("plain", "plain"), ("→ 灯", "-> 灯"),
        ])
    func whereTheWidthIsDoubtful(_ text: String, _ shown: String) {
        #expect(Measures.wide.measure(text).text == shown)
        #expect(Measures.wide.fit("灯台へ行く", columns: 7).text == "灯台...")
    }

    @Test("a glyph never holds a control character")
    func aGlyphNeverHoldsAControlCharacter() {
        // All scalars below plane 2.
        let wrong = (UInt32(0)...0x1_FFFF).filter { value in
            guard let scalar = Unicode.Scalar(value) else { return false }
            return Measures.utf8.measure(String(scalar)).glyphs.contains { glyph in
                let first = glyph.text.unicodeScalars.first?.value ?? 0
                return first < 0x20 || (0x7F..<0xA0).contains(first)
                    || glyph.width < 1 || glyph.width > 2
            }
        }
        #expect(wrong == [])
    }

    @Test("a text of ten thousand characters is measured and fitted")
    func tenThousandCharacters() {
        let text = String(repeating: "灯a", count: 5_000)
        #expect(Measures.utf8.measure(text).columns == 15_000)
        #expect(Measures.utf8.fit(text, columns: 10).columns == 10)
    }

    @Test(
        "text that is too wide is cut with an ellipsis",
        arguments: [
            ("Lantern", 7, "Lantern"), ("Lantern", 6, "Lante…"), ("Lantern", 1, "L"),
            ("Lantern", 0, ""), ("Lantern", -1, ""), ("灯台へ", 6, "灯台へ"), ("灯台へ", 5, "灯台…"),
            ("灯台へ", 4, "灯…"), ("", 0, ""),
        ])
    func textIsFitted(_ text: String, _ columns: Int, _ shown: String) {
        #expect(Measures.utf8.fit(text, columns: columns).text == shown)
        let plain = Measures.ascii.fit(text, columns: columns)
        #expect(plain.columns <= max(0, columns))
    }

    @Test(
        "texts that would be cut to the same one keep the ends that tell them apart",
        arguments: [
            (
                ["The Lighthouse, part one", "The Lighthouse, part two"], 21,
                ["The Lighthou…part one", "The Lighthou…part two"]
            ),
            // With one more word the end would take more than half of the columns.
            (
                ["The Lighthouse, part one", "The Lighthouse, part two"], 12,
                ["The Ligh…one", "The Ligh…two"]
            ),
            // Other texts are cut at their ends, or not at all.
            (
                ["The Lighthouse, part one", "A Lighthouse in Skerrow"], 12,
                ["The Lightho…", "A Lighthous…"]
            ),
            (["Coins", "Coins"], 4, ["Coi…", "Coi…"]),
            (["part one", "part two"], 8, ["part one", "part two"]),
            // One text is the beginning of the other.
            (["Lantern Plus", "Lantern Plus, yearly"], 11, ["Lantern Pl…", "Lante…, ye…"]),
            (["Lantern Plus", "Lantern Plus, yearly"], 16, ["Lantern Plus", "Lantern Plus, y…"]),
            // Texts with too long a word, without spaces, and with wide characters.
            (["abcdefghijklmnop1", "abcdefghijklmnop2"], 9, ["abcdefg…1", "abcdefg…2"]),
            (["abcdefghi1jklmnopqrst", "abcdefghi2jklmnopqrst"], 9, ["abcd…1jk…", "abcd…2jk…"]),
            (["灯台守のいる島 第一部", "灯台守のいる島 第二部"], 12, ["灯台…第一部", "灯台…第二部"]),
            // There is no room for both ends.
            (["part one", "part two"], 4, ["par…", "par…"]),
            (["part one", "part two"], 0, ["", ""]),
        ])
    func alikeTexts(_ texts: [String], _ columns: Int, _ shown: [String]) {
        let alike = Measures.utf8.alike(texts, columns: columns)
        let fitted = texts.map { text in
            alike[text].map { Measures.utf8.fit(text, columns: columns, keepingAfter: $0) }
                ?? Measures.utf8.fit(text, columns: columns)
        }
        #expect(fitted.map(\.text) == shown)
        #expect(fitted.allSatisfy { $0.columns <= columns })
    }

    @Test(
        "text is wrapped to a width",
        arguments: [
            ("the quick brown fox", 10, ["the quick", "brown fox"]),
            ("the quick", 9, ["the quick"]),
            ("incomprehensible", 6, ["incomp", "rehens", "ible"]),
            ("灯台へ行く", 5, ["灯台", "へ行", "く"]),
            ("see 灯台へ", 7, ["see 灯", "台へ"]),
            // A line does not begin with closing punctuation, or end with an opening bracket.
            ("灯台へ行。", 8, ["灯台へ", "行。"]),
            ("灯台「行く」", 6, ["灯台", "「行", "く」"]),
            ("。。。", 4, ["。。", "。"]),
            ("one\n\ntwo", 10, ["one", "", "two"]),
            ("a  b", 2, ["a", "b"]),
            ("word ", 4, ["word", ""]),
            ("", 5, [""]),
        ])
    func textIsWrapped(_ text: String, _ columns: Int, _ lines: [String]) {
        #expect(Measures.utf8.wrap(text, columns: columns).map(\.text) == lines)
    }
}
