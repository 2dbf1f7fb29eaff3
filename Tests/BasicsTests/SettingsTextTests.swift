import Basics
import Testing

@Suite("settings files")
struct SettingsTextTests {
    private static func read(_ text: String) -> SettingsText { SettingsText(Array(text.utf8)) }

    @Test(
        "a line sets a name to a value",
        arguments: [
            ("theme = \"sepia\"", .text("sepia")), ("theme='a\\b'", .text("a\\b")),
            ("theme = \"a\\\"b\\\\\" # why", .text("a\"b\\")), ("theme = \"#\"", .text("#")),
            ("\ttheme\t=\ttrue\t", .flag(true)), ("theme = false#", .flag(false)),
            ("theme = -42", .number(-42)), ("theme = []", .list([])),
            ("theme = [ \"a\" , 'b', ] # c", .list(["a", "b"])),
            ("theme = \"日本 🎉\"", .text("日本 🎉")),
        ] as [(String, SettingsText.Value)])
    func values(line: String, value: SettingsText.Value) {
        for text in [line, "\u{FEFF}" + line, line + "\r\n", "# first\n\n" + line] {
            let read = Self.read(text)
            #expect(read.problems.isEmpty, "\(read.problems)")
            #expect(read.entries.map(\.value) == [value])
            #expect(read.entries.first?.name == "theme" && read.entries.first?.table == nil)
        }
    }

    @Test("names below a table's line are in the table, with their lines")
    func tables() {
        let read = Self.read("a = 1\n[keys] # mine\nb = 2\r\nc-d_1 = 3\n[other]\na = 4\n")
        #expect(read.problems.isEmpty)
        #expect(read.entries.map(\.table) == [nil, "keys", "keys", "other"])
        #expect(read.entries.map(\.name) == ["a", "b", "c-d_1", "a"])
        #expect(read.entries.map(\.line) == [1, 3, 4, 6])
        #expect(read.tables.map(\.line) == [2, 5])
    }

    @Test(
        "whatever else a line holds is a problem of it, and the lines around it hold",
        arguments: [
            ("theme", "theme", .line), ("= 1", "= 1", .line),
            ("\"theme\" = 1", "\"theme\" = 1", .line), ("a.b = 1", "a.b = 1", .line),
            ("[keys", "[keys", .line), ("[[keys]]", "[[keys]]", .line),
            ("[]", "[]", .line), ("[keys] x", "x", .lineEnd), ("x =", "", .value),
            ("x = yes", "yes", .value), ("x = 1.5", "1.5", .value),
            ("x = 1_000", "1_000", .value), ("x = { a = 1 }", "{", .value),
            ("x = 2027-01-31", "2027-01-31", .value), ("x = TRUE", "TRUE", .value),
            ("x = 99999999999999999999", "99999999999999999999", .value),
            ("x = \"a", "\"a", .end), ("x = \"a'", "\"a'", .end),
            ("x = 'a\"", "'a\"", .end), ("x = \"a\\", "\\", .escape),
            ("x = [\"a\"", "[\"a\"", .end), ("x = [", "[", .end),
            ("x = [1]", "1]", .value), ("x = [\"a\" \"b\"]", "\"b\"]", .lineEnd),
            ("x = \"\"\"a\"\"\"", "\"a\"\"\"", .lineEnd), ("x = \"\\n\"", "\\n", .escape),
            ("x = \"a\" b", "b", .lineEnd), ("x = true, false", "true,", .value),
            ("x = \"a\u{1B}[2J\"", "the control character U+1B", .noControl),
            ("# \u{0}", "the control character U+0", .noControl),
            ("before = 2", "before", .once(first: 1)),
        ] as [(String, String, SettingsText.Expected)])
    func faults(line: String, found: String, expected: SettingsText.Expected) {
        let read = Self.read("before = 1\n\(line)\n[after]\nafter = true\n")
        #expect(read.problems.map(\.line) == [2], "\(line): \(read.problems)")
        #expect(read.problems.first?.fault.found == found, "\(line)")
        #expect(read.problems.first?.fault.expected == expected, "\(line)")
        #expect(read.entries.map(\.value) == [.number(1), .flag(true)], "\(line)")
    }

    @Test("lines below a table whose line cannot be read are left out up to the next table")
    func lostTable() {
        let read = Self.read("[keys\nbuy = \"x\"\n[keys]\nbuy = \"y\"\n[keys]\nsort = \"z\"")
        #expect(read.problems.map(\.line) == [1, 5])
        #expect(read.problems.last?.fault.found == "[keys]")
        #expect(read.problems.last?.fault.expected == .once(first: 3))
        #expect(read.entries.map(\.value) == [.text("y"), .text("z")])
    }

    @Test("a line that is not UTF-8 is a problem of this line alone")
    func notUTF8() {
        let read = SettingsText(Array("a = 1\nb = \"".utf8) + [0xFF] + Array("\"\nc = 3".utf8))
        #expect(read.problems.map(\.line) == [2])
        #expect(read.problems.first?.fault.expected == .utf8)
        #expect(read.entries.map(\.name) == ["a", "c"])
    }
}
