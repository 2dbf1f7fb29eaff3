import Foundation
import StoreCatalog
import Testing

/// Files from which no catalog can be read: each gives one clear problem and never a crash.
struct UnreadableFileTests {
    private static let json = "JSON in UTF-8: a catalog, or a StoreKit configuration"

    static let texts: [(text: String, found: String, line: Int?, column: Int?)] = [
        ("", "an empty file (0 bytes)", nil, nil),
        ("  \n ", "the end of the file", 2, 2),
        ("<?xml version=\"1.0\"?>\n<!DOCTYPE plist>", "an XML property list", 1, nil),
        ("bplist00\u{1}", "a binary property list", 1, nil),
        ("<!DOCTYPE html><html>", "a web page", 1, nil),
        ("[1, 2]", "a list", 1, nil),
        ("null", "null", 1, nil),
        ("{}", "neither `format` nor `version`", 1, nil),
        ("{\"format\": 1,\n  // no\n}", "`/`", 2, 3),
        ("{\"format\": 1,\n}", "`}`", 2, 1),
        ("{'format': 1}", "`'`", 1, 2),
        ("{\"format\" 1}", "`1`", 1, 11),
        ("{\"format\": 01}", "`1`", 1, 13),
        ("{\"a\": \"é\n\"}", "a line break", 1, 9),
        ("{\"a\": \"\u{1B}[2J\"}", "the control character U+1B", 1, 8),
        ("{\"a\": \"\\x\"}", "`x`", 1, 9),
        ("{\"a\": tru}", "`}`", 1, 10),
        ("{\"a\": 1} x", "`x`", 1, 10),
        ("{\"format\": 99}", "format 99", 1, nil),
        (String(repeating: "[", count: 5000), "`[`", 1, 101),
    ]

    @Test("a file that is no catalog gives one problem, with its line and column", arguments: texts)
    func oneClearProblem(text: String, found: String, line: Int?, column: Int?) throws {
        let fixture = try CatalogFixture()
        let reading = CatalogReader.read(path: try fixture.write("catalog.json", text))
        #expect(reading.catalog == nil)
        #expect(reading.problems.count == 1)
        let problem = try #require(reading.problems.first)
        #expect(problem.severity == .error)
        #expect(problem.path.isEmpty)
        #expect(problem.found == found)
        #expect(problem.line == line)
        #expect(problem.column == column)
        #expect(!problem.expected.isEmpty)
    }

    @Test(
        "bytes that are not valid UTF-8 give one clear problem",
        arguments: [
            ([0xFF, 0xFE, 0x7B, 0x00], "UTF-16 text"),
            ([0x7B, 0x22, 0x61, 0x22, 0x3A, 0x22, 0xE9, 0x22, 0x7D], "bytes that are not UTF-8"),
            ([0x7B, 0x22, 0x61, 0x22, 0x3A, 0x22, 0xE3, 0x81], "the end of the file"),
        ] as [([UInt8], String)])
    func foreignBytes(bytes: [UInt8], found: String) throws {
        let fixture = try CatalogFixture()
        let reading = CatalogReader.read(path: try fixture.write("catalog.json", Data(bytes)))
        #expect(reading.problems.map(\.found) == [found])
    }

    @Test("a byte order mark is ignored")
    func byteOrderMarkIsForgiven() throws {
        let fixture = try CatalogFixture()
        let reading = try fixture.read(
            storekit: "\u{FEFF}" + StoreKitFixture.file(major: 3, minor: 0, hasKey: false))
        #expect(reading.problems.isEmpty)
    }

    @Test("a path that leads to no catalog file gives one clear problem")
    func pathsWithoutACatalogFile() throws {
        let fixture = try CatalogFixture()
        try fixture.write("Empty.storekit/readme.txt", "")
        let missing = CatalogReader.read(path: fixture.folder + "/nothing.json")
        #expect(missing.problems.map(\.found) == ["no such file"])
        #expect(missing.sourceDigest.isEmpty)
        let folder = CatalogReader.read(path: fixture.folder + "/Empty.storekit")
        #expect(folder.problems.map(\.found) == ["a folder without a Configuration.storekit"])
        let device = CatalogReader.read(path: "/dev/null")
        #expect(device.problems.map(\.found) == ["something that is not a file"])
        #expect([missing, folder, device].allSatisfy { $0.catalog == nil })
    }

    // Root can read every file, whatever its permissions.
    @Test("a file without read permission gives one clear problem", .enabled(if: geteuid() != 0))
    func fileWithoutPermission() throws {
        let fixture = try CatalogFixture()
        let path = try fixture.write("catalog.json", "{}")
        chmod(path, 0)
        let found = CatalogReader.read(path: path).problems.map(\.found)
        #expect(found == ["a file that may not be read: permission denied"])
    }

    @Test("a half-written file is reported as ending too early", arguments: [true, false])
    func halfWrittenFileIsAlwaysToldAsSuch(isNative: Bool) throws {
        let good = isNative ? CatalogFixture.good : StoreKitFixture.file(major: 5, minor: 0)
        let bytes = Data(good.utf8)
        let fixture = try CatalogFixture()
        for length in stride(from: 0, to: bytes.count - 1, by: 97) {
            let path = try fixture.write("half", bytes.prefix(length))
            let reading = CatalogReader.read(path: path)
            #expect(reading.catalog == nil)
            #expect(reading.problems.count == 1)
            let found = reading.problems.first?.found
            #expect(found == (length == 0 ? "an empty file (0 bytes)" : "the end of the file"))
            #expect(length == 0 || reading.problems.first?.line != nil)
        }
    }

    /// Flips each byte in turn: reading gives a catalog or an error, and never crashes.
    @Test("any damaged byte gives a catalog or an error, never a crash")
    func everyDamagedByteIsSurvived() throws {
        let bytes = Array(CatalogFixture.good.utf8)
        let fixture = try CatalogFixture()
        for position in stride(from: 0, to: bytes.count, by: 3) {
            var damaged = bytes
            damaged[position] = [0x00, 0x22, 0x7B, 0x5D, 0xFF, 0x5C][position % 6]
            let reading = CatalogReader.read(path: try fixture.write("damaged", Data(damaged)))
            #expect((reading.catalog == nil) == !reading.errors.isEmpty)
        }
    }
}
