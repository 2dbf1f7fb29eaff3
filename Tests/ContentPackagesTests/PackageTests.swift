import ContentPackages
import Foundation
import StoreModel
import TestBasics
import Testing

@Suite("packages of content")
struct PackageTests {
    private let folder = NSTemporaryDirectory() + "storefront-test-" + UUID().uuidString
    private let info: ContentInfo

    init() throws {
        let version = try #require(ContentVersion("1.2"))
        info = ContentInfo(productID: "com.example.book", version: version, contentID: "text")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ bytes: [UInt8], _ name: String = "package.zip") throws -> String {
        let path = folder + "/" + name
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    private func make(_ files: [String: [UInt8]]) throws -> String {
        let source = folder + "/source"
        for (path, bytes) in files {
            let url = URL(filePath: source + "/" + path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: url)
        }
        return source
    }

    @Test("a package that nothing is wrong with is accepted, stored or deflated")
    func good() throws {
        defer { remove() }
        let path = try write(
            ZipForge([
                .init("Contents/", mode: 0o040755), .init("Contents/leer"),
                .init("Contents/ja/二.txt", "二"), .init("Contents/MZ.txt", "MZ is how it begins"),
            ]).bytes)
        let inspection = try PackageInspection.of(path: path)
        #expect(inspection.problems == [])
        #expect(inspection.info?.productID == "com.example.book")
        #expect(inspection.files.map(\.path) == ["MZ.txt", "ja/二.txt", "leer", "one.txt"])
        #expect(inspection.unpackedLength == 25)
        #expect(try ContentPackage(path: path).files.count == 4)
    }

    @Test("a hostile package is refused by the rule it breaks [E1]", arguments: HostilePackage.all)
    func hostile(package: HostilePackage) throws {
        defer { remove() }
        let path = try write(package.bytes)
        let problems = try PackageInspection.of(path: path).problems
        #expect(problems.map(\.rule).contains(package.rule), "\(problems)")
        // Unpacking gives an error too, at the latest in the last file.
        let error = #expect(throws: StoreError.self) {
            let opened = try ContentPackage(path: path)
            for file in opened.files { try opened.unpack(file) { _ in } }
        }
        #expect(error?.code == .packageInvalid)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["package.zip"])
    }

    @Test("there are more than 90 hostile packages, of every rule [E1]")
    func everyRule() {
        #expect(HostilePackage.all.count > 90)
        #expect(Set(HostilePackage.all.map(\.rule)) == Set(PackageProblem.Rule.allCases))
        #expect(Set(HostilePackage.all.map(\.name)).count == HostilePackage.all.count)
    }

    @Test("what was packed is unpacked byte for byte, and the same folder makes the same bytes")
    func roundTrip() throws {
        defer { remove() }
        var random = SplitMix64(seed: 7)
        let files: [String: [UInt8]] = [
            "empty": [], "a.txt": Array("text".utf8), "deep/er/b": [0, 1, 2],
            "random": (0..<300_000).map { _ in UInt8(random.below(256)) },
            "long": (0..<300_000).map { UInt8($0 % 251) },
            "ja/日本語": Array("言葉".utf8),
        ]
        let source = try make(files)
        let result = try PackagePacker.pack(source, as: info, to: folder + "/one.zip")
        _ = try PackagePacker.pack(source, as: info, to: folder + "/two.zip")
        #expect(result.files == files.count)
        let bytes = try Data(contentsOf: URL(filePath: folder + "/one.zip"))
        #expect(try bytes == Data(contentsOf: URL(filePath: folder + "/two.zip")))
        #expect(Int64(bytes.count) == result.packedLength)
        let package = try ContentPackage(path: folder + "/one.zip")
        #expect(package.info == info)
        var unpacked: [String: [UInt8]] = [:]
        for file in package.files {
            var bytes: [UInt8] = []
            try package.unpack(file) { bytes += $0 }
            unpacked[file.path] = bytes
        }
        #expect(unpacked == files)
        #expect(try PackageInspection.of(path: folder + "/one.zip").problems == [])
    }

    @Test("other programs can read a package")
    func others() throws {
        defer { remove() }
        let source = try make(["a.txt": Array("text".utf8), "ja/日本語": Array("言葉".utf8)])
        _ = try PackagePacker.pack(source, as: info, to: folder + "/one.zip")
        let python = try ShellCommand([
            "python3", "-c",
            "import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; "
                + "assert z.read('Contents/ja/日本語').decode() == '言葉'",
            folder + "/one.zip",
        ])
        let answer = python.end()
        #expect(answer.code == 0, "\(answer.output)")
    }

    enum BadFolder: String, CaseIterable {
        case link, pipe, executable, script, elf, control, empty, missing, collision

        var rule: PackageProblem.Rule? {
            switch self {
            case .link: .link
            case .pipe: .device
            case .executable, .script, .elf: .executable
            case .control: .badName
            case .empty: .contents
            case .missing: nil
            case .collision: .duplicateName
            }
        }
    }

    @Test(
        "a folder that breaks a rule is not packed, and leaves nothing [E1]",
        arguments: BadFolder.allCases)
    func badFolder(kind: BadFolder) throws {
        defer { remove() }
        let source = try make(kind == .empty ? [:] : ["good.txt": [1]])
        if kind == .empty {
            try FileManager.default.createDirectory(
                atPath: source + "/inner", withIntermediateDirectories: true)
        }
        switch kind {
        case .link: symlink("/etc/passwd", source + "/link")
        case .pipe: mkfifo(source + "/pipe", 0o644)
        case .executable: chmod(source + "/good.txt", 0o755)
        case .script: _ = try make(["run": Array("#!/bin/sh".utf8)])
        case .elf: _ = try make(["run": [0x7F, 0x45, 0x4C, 0x46]])
        case .control: _ = try make(["a\u{1B}b": [1]])
        case .collision: _ = try make(["GOOD.txt": [1]])
        case .empty: break
        case .missing: try FileManager.default.removeItem(atPath: source)
        }
        let error = #expect(throws: StoreError.self) {
            try PackagePacker.pack(source, as: info, to: folder + "/out.zip")
        }
        if let rule = kind.rule {
            #expect(error?.code == .packageInvalid)
            #expect(error?.expected?.text == rule.words)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(left == (kind == .missing ? [] : ["source"]))
    }

    @Test("a file that shrinks while it is read ends the reading with an error")
    func shrinks() throws {
        defer { remove() }
        let path = try write(ZipForge([.init("Contents/two", "two")]).bytes)
        let package = try ContentPackage(path: path)
        truncate(path, 40)
        let error = #expect(throws: StoreError.self) {
            for file in package.files { try package.unpack(file) { _ in } }
        }
        #expect(error?.code == .packageInvalid)
    }

    @Test("a version is one to four numbers, compared as numbers")
    func versions() throws {
        for good in ["1", "1.2", "0.0.0.1", "10.20.30.40", "01.2"] {
            #expect(ContentVersion(good)?.text == good)
        }
        for bad in ["", ".", "1.", ".1", "1..2", "a", "1.2.3.4.5", "-1", "1.2b", "1234567890", "１"]
        {
            #expect(ContentVersion(bad) == nil, "\(bad)")
        }
        #expect(ContentVersion("1.2") == ContentVersion("1.2.0"))
        let old = try #require(ContentVersion("1.9"))
        let new = try #require(ContentVersion("1.10"))
        #expect(old < new && !(new < old))
        #expect(ContentVersion.isNewer("1.10", than: "1.9"))
        #expect(!ContentVersion.isNewer("1.2.0", than: "1.2"))
        #expect(
            ContentVersion.isNewer("beta", than: "1.2") && !ContentVersion.isNewer("b", than: "b"))
    }

    @Test("ContentInfo.plist is read as it was written, whatever the identifiers")
    func infoRoundTrip() throws {
        defer { remove() }
        let source = try make(["a": [1]])
        for contentID in [nil, "text", "A-b_c.1"] {
            var info = info
            info.contentID = contentID
            _ = try PackagePacker.pack(source, as: info, to: folder + "/one.zip")
            #expect(try ContentPackage(path: folder + "/one.zip").info == info)
        }
    }

    /// The number of changed packages: `STOREFRONT_PACKAGES`, 400 by default.
    static let mutations =
        ProcessInfo.processInfo.environment["STOREFRONT_PACKAGES"].flatMap(Int.init) ?? 400

    @Test("a package with changed bytes is refused or accepted, never more, and never a crash")
    func mutated() throws {
        defer { remove() }
        let source = try make([
            "a.txt": Array("text".utf8), "b/c": (0..<2000).map { UInt8($0 % 7) },
        ])
        _ = try PackagePacker.pack(source, as: info, to: folder + "/good.zip")
        let packed = Array(try Data(contentsOf: URL(filePath: folder + "/good.zip")))
        let forged = ZipForge([.init("Contents/b/", mode: 0o040755), .init("Contents/b/c", "c")])
            .bytes
        for seed in 0..<Self.mutations {
            var random = SplitMix64(seed: UInt64(seed))
            let bytes = PackageMutator.mutate(random.chance(50) ? packed : forged, &random)
            let path = try write(bytes)
            let inspection = try PackageInspection.of(path: path)
            do throws(StoreError) {
                let package = try ContentPackage(path: path)
                var length: Int64 = 0
                for file in package.files {
                    try package.unpack(file) { length += Int64($0.count) }
                }
                #expect(length == package.unpackedLength, "seed \(seed)")
                #expect(inspection.problems == [], "seed \(seed)")
            } catch {
                #expect(error.code == .packageInvalid, "seed \(seed)")
                #expect(!inspection.problems.isEmpty, "seed \(seed)")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
    }
}

/// Damages a package: changes bytes, a length or a position, or cuts its end.
enum PackageMutator {
    static func mutate(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.below(4) {
            switch random.below(7) {
            case 0: bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
            case 1: bytes[random.below(bytes.count)] = UInt8(random.below(256))
            case 2:
                // A number of two or four bytes is set to an extreme value.
                let at = random.below(max(1, bytes.count - 4))
                let value = random.pick([0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF, 0xFFFE, 0x8000_0000])
                for (index, shift) in stride(from: 0, to: 32, by: 8).enumerated()
                where at + index < bytes.count {
                    bytes[at + index] = UInt8(value >> shift & 0xFF)
                }
            case 3: bytes = Array(bytes.prefix(max(1, random.below(bytes.count))))
            case 4:
                let at = random.below(bytes.count)
                bytes.insert(
                    contentsOf: (0..<random.below(50)).map { _ in UInt8(random.below(256)) },
                    at: at)
            case 5:
                let from = random.below(bytes.count)
                let part = Array(bytes[from..<min(bytes.count, from + random.below(80))])
                bytes.insert(contentsOf: part, at: random.below(bytes.count))
            default:
                let from = random.below(bytes.count)
                bytes.removeSubrange(
                    from..<max(from, min(bytes.count - 1, from + random.below(40))))
                if bytes.isEmpty { bytes = [0] }
            }
        }
        return bytes
    }
}
