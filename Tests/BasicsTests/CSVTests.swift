import Basics
import Testing

@Suite("lines of comma-separated values")
struct CSVTests {
    @Test(
        "a text is quoted where it must be, and never runs as a formula",
        arguments: [
            ("", ""), ("10 coins", "10 coins"), ("銀河鉄道の夜", "銀河鉄道の夜"), (" a ", " a "),
            ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("\"", "\"\"\"\""),
            ("a\"\u{301},=1", "\"a\"\"\u{301},=1\""),
            ("two\nlines", "\"two\nlines\""), ("two\r\nlines", "\"two\r\nlines\""),
            ("=1+1", "'=1+1"), ("+49", "'+49"), ("-3.99", "'-3.99"), ("@home", "'@home"),
            ("\tx", "'\tx"), ("\nx", "\"'\nx\""), ("\r\nx", "\"'\r\nx\""), ("\r", "\"'\r\""),
            ("=HYPERLINK(\"a\",\"b\")", "\"'=HYPERLINK(\"\"a\"\",\"\"b\"\")\""),
            ("＝1", "'＝1"), ("a=1", "a=1"), ("'x", "'x"),
        ])
    func text(text: String, written: String) {
        #expect(CSV.line([.text(text)]) == written + "\r\n")
    }

    @Test("numbers stay numbers, negative ones too", arguments: ["0", "3.99", "-3.99", "1000001"])
    func number(digits: String) {
        #expect(CSV.line([.number(digits)]) == digits + "\r\n")
    }

    @Test("a line has a comma between two values, and ends with CR and LF")
    func line() {
        #expect(CSV.line([.text("a"), .number("-1"), .empty]) == "a,-1,\r\n")
        #expect(CSV.line([]) == "\r\n")
    }
}
