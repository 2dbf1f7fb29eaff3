import ContentPackages
import Foundation
import Testing

/// A package that must be refused, and the rule that refuses it.
struct HostilePackage: Sendable, CustomTestStringConvertible {
    var name: String
    var rule: PackageProblem.Rule
    var bytes: [UInt8]
    var testDescription: String { name }

    init(_ name: String, _ rule: PackageProblem.Rule, _ forge: ZipForge) {
        self.name = name
        self.rule = rule
        bytes = forge.bytes
    }

    init(_ name: String, _ rule: PackageProblem.Rule, bytes: [UInt8]) {
        self.name = name
        self.rule = rule
        self.bytes = bytes
    }

    typealias Entry = ZipForge.Entry

    private static func with(_ entry: Entry) -> ZipForge { ZipForge([entry]) }
    /// A package with a file of these first bytes.
    private static func starting(_ bytes: [UInt8]) -> ZipForge {
        with(
            Entry(
                name: Array("Contents/file".utf8), bytes + [UInt8](repeating: 0, count: 100)))
    }
    /// A package with one property of its `ContentInfo.plist` changed.
    private static func info(_ from: String, _ to: String) -> ZipForge {
        ZipForge(info: ZipForge.info.replacingOccurrences(of: from, with: to))
    }
    private static func changed(_ change: (inout ZipForge) -> Void) -> ZipForge {
        var forge = ZipForge()
        change(&forge)
        return forge
    }
    private static func deflated(_ body: [UInt8], length: UInt32) -> Entry {
        Entry(name: Array("Contents/two".utf8), body).with {
            $0.method = 8
            $0.length = length
            $0.crc = 0
        }
    }

    static let all: [HostilePackage] = paths + kinds + programs + structures + contents + data

    private static let paths: [HostilePackage] = [
        .init("a path upwards", .badName, with(Entry("../evil", "x"))),
        .init("a path upwards in Contents", .badName, with(Entry("Contents/../../evil", "x"))),
        .init("a path upwards at its end", .badName, with(Entry("Contents/..", "x"))),
        .init("an absolute path", .badName, with(Entry("/tmp/evil", "x"))),
        .init("a backslash", .badName, with(Entry("Contents\\..\\evil", "x"))),
        .init("a drive", .badName, with(Entry("C:/evil", "x"))),
        .init("a path with an empty name", .badName, with(Entry("Contents//evil", "x"))),
        .init("a path with a dot", .badName, with(Entry("Contents/./evil", "x"))),
        .init("an empty path", .badName, with(Entry("", "x"))),
        .init("a zero in a name", .badName, with(Entry("Contents/a\0b", "x"))),
        .init("an escape sequence in a name", .badName, with(Entry("Contents/\u{1B}[2J", "x"))),
        .init("a name backwards", .badName, with(Entry("Contents/\u{202E}txt.exe", "x"))),
        .init("a name that nobody sees", .badName, with(Entry("Contents/\u{AD}", "x"))),
        .init("a name with another space", .badName, with(Entry("Contents/a\u{A0}b", "x"))),
        .init(
            "a name that is not UTF-8", .badName, with(Entry(name: [0x43, 0xFF, 0xFE], [0x78]))),
        .init(
            "a name of 300 bytes", .badName,
            with(Entry("Contents/" + String(repeating: "n", count: 300), "x"))),
        .init(
            "a path of 2,000 bytes", .badName,
            with(Entry("Contents/" + String(repeating: "ab/", count: 660), "x"))),
        .init(
            "40 folders one in another", .tooDeep,
            with(Entry("Contents/" + String(repeating: "a/", count: 40) + "x", "x"))),
        .init("a name that ends in a dot", .badName, with(Entry("Contents/evil.", "x"))),
        .init("a second file of one name", .duplicateName, with(Entry("Contents/one.txt", "two"))),
        .init("a name in other case", .duplicateName, with(Entry("Contents/ONE.TXT", "two"))),
        .init("a folder in other case", .duplicateName, with(Entry("contents/ONE.txt", "two"))),
        .init(
            "an accent encoded in two ways", .duplicateName,
            ZipForge([Entry("Contents/caf\u{E9}", "x"), Entry("Contents/cafe\u{301}", "y")])),
        .init(
            "a sharp s beside a double one", .duplicateName,
            ZipForge([Entry("Contents/stra\u{DF}e", "x"), Entry("Contents/STRASSE", "y")])),
        .init(
            "a file in a file", .duplicateName, with(Entry("Contents/one.txt/two", "x"))),
        .init(
            "a folder of a file's name", .duplicateName,
            with(Entry("Contents/one.txt/", mode: 0o040755))),
    ]

    private static let kinds: [HostilePackage] = [
        .init("a symbolic link", .link, with(Entry("Contents/link", "/etc", mode: 0o120777))),
        .init(
            "a file through a link", .link,
            ZipForge([
                Entry("Contents/link", "/tmp", mode: 0o120777), Entry("Contents/link/evil", "x"),
            ])),
        .init("a character device", .device, with(Entry("Contents/null", mode: 0o020666))),
        .init("a block device", .device, with(Entry("Contents/sda", mode: 0o060660))),
        .init("a pipe", .device, with(Entry("Contents/pipe", mode: 0o010644))),
        .init("a socket", .device, with(Entry("Contents/socket", mode: 0o140755))),
        .init(
            "a folder's mode on a file", .contradictory,
            with(Entry("Contents/file", "x", mode: 0o040755))),
        .init(
            "a folder with data", .contradictory, with(Entry("Contents/f/", "x", mode: 0o040755))),
    ]

    private static let programs: [HostilePackage] = [
        .init("an x bit", .executable, with(Entry("Contents/run", "x", mode: 0o100755))),
        .init("an x bit for others", .executable, with(Entry("Contents/run", "x", mode: 0o100645))),
        .init("a setuid bit", .executable, with(Entry("Contents/run", "x", mode: 0o104644))),
        .init("an ELF program", .executable, starting([0x7F, 0x45, 0x4C, 0x46])),
        .init("a Mach-O program of 64 bits", .executable, starting([0xCF, 0xFA, 0xED, 0xFE])),
        .init("a Mach-O program of 32 bits", .executable, starting([0xFE, 0xED, 0xFA, 0xCE])),
        .init("a fat program", .executable, starting([0xCA, 0xFE, 0xBA, 0xBE])),
        .init("a Windows program", .executable, starting([0x4D, 0x5A, 0x90])),
        .init("a script", .executable, with(Entry("Contents/s", "#!/bin/sh\nrm -rf /"))),
        .init(
            "a script behind a byte order mark", .executable,
            with(Entry("Contents/s", "\u{FEFF}#!/bin/sh\n"))),
    ]

    private static let structures: [HostilePackage] = [
        .init("no bytes", .notAPackage, bytes: []),
        .init("text", .notAPackage, bytes: Array("This is no zip file at all, is it?".utf8)),
        .init("a file that ends early", .notAPackage, changed { $0.cut = 10 }),
        .init("bytes behind the end", .notAPackage, changed { $0.after = [1, 2, 3] }),
        .init("bytes before the beginning", .notAPackage, changed { $0.entries[0].before = [7] }),
        .init("bytes between two files", .notAPackage, changed { $0.entries[1].before = [7] }),
        .init("bytes before the list", .notAPackage, changed { $0.beforeList = [7] }),
        .init("bytes behind the list", .notAPackage, changed { $0.afterList = [7] }),
        .init(
            "a file that is not in the list", .notAPackage,
            changed { $0.entries.append(Entry("x", "x").with { $0.isListed = false }) }),
        .init(
            "one file's data under two names", .notAPackage,
            changed {
                $0.entries.append(Entry("Contents/two", "one").with { $0.offset = 0 })
            }),
        .init("an entry listed twice", .notAPackage, changed { $0.entries[1].isTwice = true }),
        .init(
            "an entry beyond the end", .notAPackage,
            changed { $0.entries[1].offset = 0x7FFF_FFF0 }),
        .init(
            "data that goes into the list", .notAPackage,
            changed {
                $0.entries[1].length = 5000
                $0.entries[1].packedLength = 5000
            }),
        .init("fewer entries than it says", .notAPackage, changed { $0.count = 9 }),
        .init("more entries than it says", .notAPackage, changed { $0.count = 1 }),
        .init("65,534 entries", .tooMany, changed { $0.count = 65_534 }),
        .init("a list in another place", .notAPackage, changed { $0.listOffset = 5 }),
        .init("a list longer than the file", .notAPackage, changed { $0.listLength = 1 << 30 }),
        .init("a comment", .notAPackage, changed { $0.comment = Array("hello".utf8) }),
        .init(
            "an entry's comment", .unsupported,
            changed { $0.entries[1].comment = Array("hello".utf8) }),
        .init("several parts", .unsupported, changed { $0.part = 1 }),
        .init("an entry of another part", .unsupported, changed { $0.entries[1].part = 1 }),
        .init("64-bit counts", .unsupported, changed { $0.count = 0xFFFF }),
        .init(
            "64-bit lengths", .unsupported,
            changed { $0.entries[1].extra = [1, 0, 8, 0] + [UInt8](repeating: 0, count: 8) }),
        .init(
            "a second name", .unsupported,
            changed { $0.entries[1].extra = [0x75, 0x70, 6, 0, 1, 0, 0, 0, 0, 0x61] }),
        .init(
            "an extra field beyond its end", .contradictory,
            changed { $0.entries[1].extra = [9, 9, 0xFF, 0xFF] }),
        .init("a newer version", .unsupported, changed { $0.entries[1].version = 45 }),
        .init(
            "a newer version before the data", .unsupported,
            changed { $0.entries[1].localVersion = 84 }),
        .init(
            "a second name before the data", .unsupported,
            changed { $0.entries[1].localExtra = [0x75, 0x70, 6, 0, 1, 0, 0, 0, 0, 0x61] }),
        .init(
            "64-bit lengths before the data", .unsupported,
            changed { $0.entries[1].localExtra = [1, 0, 8, 0] + [UInt8](repeating: 0, count: 8) }),
        .init(
            "an extra field before the data that goes on in it", .contradictory,
            changed { $0.entries[1].localExtra = [9, 9, 0xFF, 0xFF] }),
        .init("an encrypted file", .unsupported, changed { $0.entries[1].flags |= 1 }),
        .init("compression by LZMA", .unsupported, changed { $0.entries[1].method = 14 }),
        .init(
            "another name before the data", .contradictory,
            changed { $0.entries[1].localName = Array("Contents/evil.x".utf8) }),
        .init(
            "another length before the data", .contradictory,
            changed { $0.entries[1].localLength = 1 }),
        .init(
            "another compression before the data", .contradictory,
            changed { $0.entries[1].localMethod = 8 }),
        .init(
            "other flags before the data", .contradictory,
            changed { $0.entries[1].localFlags = 0 }),
        .init(
            "lengths behind the data that are not there", .contradictory,
            changed { $0.entries[1].flags |= 8 }),
    ]

    private static let contents: [HostilePackage] = [
        .init("no ContentInfo.plist", .contentInfo, ZipForge(only: [Entry("Contents/a", "a")])),
        .init(
            "no file in Contents", .contents,
            ZipForge(only: [Entry("ContentInfo.plist", ZipForge.info)])),
        .init("a file beside Contents", .contents, with(Entry("other.txt", "x"))),
        .init("a ContentInfo that is no XML", .contentInfo, ZipForge(info: "bplist00")),
        .init(
            "a ContentInfo of 100 kB", .contentInfo,
            ZipForge(info: String(repeating: " ", count: 100_000))),
        .init(
            "a ContentInfo with entities", .contentInfo,
            info("<plist", "<!DOCTYPE p [<!ENTITY a \"aaaa\">]><plist")),
        .init(
            "a ContentInfo with dictionaries one in another", .contentInfo,
            info("<dict>", String(repeating: "<dict><key>a</key>", count: 500) + "<dict>")),
        .init("no product", .contentInfo, info("IAPProductIdentifier", "Other")),
        .init("a product that is a path", .contentInfo, info("com.example.book", "../evil")),
        .init("a version that is a path", .contentInfo, info("1.2", "../../evil")),
        .init("a version in words", .contentInfo, info("1.2", "one")),
        .init("a member twice", .contentInfo, info("IAPProductIdentifier", "ContentVersion")),
    ]

    private static let data: [HostilePackage] = [
        .init(
            "a file of 3 GB", .tooLarge,
            with(deflated([1, 2, 3], length: 3_000_000_000))),
        .init(
            "a bomb: 100 MB from three bytes", .tooCompressed,
            with(deflated([1, 2, 3], length: 100_000_000))),
        .init(
            "files that are 2 GB together", .tooLarge,
            ZipForge(
                (0..<3).map { number in
                    deflated([1, 2, 3], length: 900_000_000).with {
                        $0.name = Array("Contents/\(number)".utf8)
                    }
                })),
        .init("another checksum", .damaged, with(Entry("Contents/two", "x").with { $0.crc = 1 })),
        .init("data that is not deflated", .damaged, with(deflated([0xFF, 0xFF], length: 5))),
        .init("deflated data that ends early", .damaged, with(deflated([0x4B], length: 5))),
        // 0x4B 0x04 0x00 is the deflated form of the one byte "a".
        .init(
            "fewer bytes than it says", .damaged, with(deflated([0x4B, 0x04, 0x00], length: 5))),
        .init(
            "bytes behind the deflated data", .damaged,
            with(deflated([0x4B, 0x04, 0x00, 0x99], length: 1))),
        .init(
            "more bytes than it says", .damaged, with(deflated([0x4B, 0x04, 0x00], length: 0))),
    ]
}
