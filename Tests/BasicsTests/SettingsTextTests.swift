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
            ("theme", .notALine("theme")), ("= 1", .notALine("= 1")),
            ("\"theme\" = 1", .notALine("\"theme\" = 1")), ("a.b = 1", .notALine("a.b = 1")),
            ("[keys", .notALine("[keys")), ("[[keys]]", .notALine("[[keys]]")),
            ("[]", .notALine("[]")), ("[keys] x", .rest("x")), ("x =", .notAValue("")),
            ("x = yes", .notAValue("yes")), ("x = 1.5", .notAValue("1.5")),
            ("x = 1_000", .notAValue("1_000")), ("x = { a = 1 }", .notAValue("{")),
            ("x = 2027-01-31", .notAValue("2027-01-31")), ("x = TRUE", .notAValue("TRUE")),
            ("x = 99999999999999999999", .notAValue("99999999999999999999")),
            ("x = \"a", .unended("\"a")), ("x = \"a'", .unended("\"a'")),
            ("x = 'a\"", .unended("'a\"")), ("x = \"a\\", .escape("\\")),
            ("x = [\"a\"", .unended("[\"a\"")), ("x = [", .unended("[")),
            ("x = [1]", .notAValue("1]")), ("x = [\"a\" \"b\"]", .rest("\"b\"]")),
            ("x = \"\"\"a\"\"\"", .rest("\"a\"\"\"")), ("x = \"\\n\"", .escape("\\n")),
            ("x = \"a\" b", .rest("b")), ("x = true, false", .notAValue("true,")),
            ("x = \"a\u{1B}[2J\"", .control("the control character U+1B")),
            ("# \u{0}", .control("the control character U+0")),
            ("before = 2", .repeated("before", first: 1)),
        ] as [(String, SettingsText.Fault)])
    func faults(line: String, fault: SettingsText.Fault) {
        let read = Self.read("before = 1\n\(line)\n[after]\nafter = true\n")
        #expect(read.problems.map(\.line) == [2], "\(line): \(read.problems)")
        #expect(read.problems.map(\.fault) == [fault], "\(line)")
        #expect(read.entries.map(\.value) == [.number(1), .flag(true)], "\(line)")
    }

    @Test("lines below a table whose line cannot be read are left out up to the next table")
    func lostTable() {
        let read = Self.read("[keys\nbuy = \"x\"\n[keys]\nbuy = \"y\"\n[keys]\nsort = \"z\"")
        #expect(read.problems.map(\.line) == [1, 5])
        #expect(read.problems.map(\.fault).last == .repeated("[keys]", first: 3))
        #expect(read.entries.map(\.value) == [.text("y"), .text("z")])
    }

    @Test("a line that is not UTF-8 is a problem of this line alone")
    func notUTF8() {
        let read = SettingsText(Array("a = 1\nb = \"".utf8) + [0xFF] + Array("\"\nc = 3".utf8))
        #expect(read.problems.map(\.line) == [2] && read.problems.map(\.fault) == [.notUTF8])
        #expect(read.entries.map(\.name) == ["a", "c"])
    }
}
