import Foundation
import TestBasics
import Testing

@Suite("stores of other versions", .withProgram, .inTurn)
struct KeptStoreTests {
    private static func kept(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Kept/" + name).path
    }

    /// A sandbox with a copy of a folder of `Tests/Kept` as its store.
    private func box(_ name: String = "version-1") throws -> Sandbox {
        let box = try Sandbox()
        try FileManager.default.createDirectory(
            atPath: URL(filePath: box.store).deletingLastPathComponent().path,
            withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Self.kept(name), toPath: box.store)
        return box
    }

    @Test("a store of version 1 opens, delivers a sale that it claims and goes on selling")
    func opens() async throws {
        let box = try box()
        try await box.succeed("claim", "1000013")
        let purse = try await box.succeed("purse", "--json")
        #expect(purse.json.first?["amount"].number == 126, "116, and ten that waited")
        let sold = try await box.succeed("transactions", "--json").json
        #expect(sold.count == 10)
        try await box.succeed("operator", "faults", "--clear")
        try await box.succeed("buy", "lantern.coins.10")
        let signed = try await box.succeed("transactions", "--signed", "--limit", "1")
        #expect(signed.output.split(separator: ".").count == 3, "its keys still sign")
    }

    @Test("an interrupted download of a store of version 1 continues, and its request is approved")
    func goesOn() async throws {
        let box = try box()
        try await box.succeed("restore", "--device", "tablet", "--bandwidth", "unlimited")
        let downloads = try await box.succeed("downloads", "--device", "tablet", "--json")
        #expect(downloads.output.contains("\"finished\""), "\(downloads.output)")
        try await box.succeed("operator", "approve", "1000012")
        try await box.succeed("restore", "--account", "child", "--device", "handheld")
        let purse = try await box.succeed(
            "purse", "--account", "child", "--device", "handheld", "--json")
        #expect(purse.json.first?["amount"].number == 10)
    }

    /// The kill comes at a random instant of a whole run.
    @Test("a store of version 1 killed at any instant of its first start loses nothing [E7]")
    func killed() async throws {
        let environment = ProcessInfo.processInfo.environment
        let rounds = environment["STOREFRONT_KILLS"].flatMap { Int($0) }.map { $0 / 4 } ?? 8
        var random = SplitMix64(seed: UInt64.random(in: 1...999_999))
        let start = ContinuousClock.now
        try await box().succeed("claim", "1000013")
        let whole = start.duration(to: .now)
        for _ in 0..<rounds {
            let box = try box()
            let seconds = whole / .seconds(1) * Double.random(in: 0...1, using: &random)
            _ = try await box.start("claim", "1000013").endKilled(afterSeconds: seconds)
            // A claim that was recorded is delivered and finished by a restore.
            _ = try await box.run("claim", "1000013")
            try await box.succeed("restore")
            let purse = try await box.succeed("purse", "--json")
            #expect(purse.json.first?["amount"].number == 126, "killed after \(seconds) s")
            #expect(try await box.succeed("transactions", "--json").json.count == 10)
            let place = "/devices/terminal/me/content/lantern.book.lighthouse.1/text/1.0"
            #expect(
                FolderContents(box.store + place + "/Contents")
                    == FolderContents(Self.kept("version-1") + place),
                "killed after \(seconds) s")
            let check = try Database(box.ledger).rows("PRAGMA integrity_check")
            #expect(check == [["ok"]], "killed after \(seconds) s")
            let leftovers = try FileManager.default.contentsOfDirectory(atPath: box.store)
                .filter { $0.contains(".replaced") }
            #expect(leftovers.isEmpty)
        }
    }

    @Test(
        "a store of version 1 that cannot be written says what to do, and no byte changes",
        .withMounts)
    func onlyRead() async throws {
        let box = try box()
        // Empty files that every store in use has.
        let device = "devices/terminal/me/"
        for name in ["store.sqlite.bell", device + "device.sqlite.bell", device + "senders"] {
            #expect(FileManager.default.createFile(atPath: box.store + "/" + name, contents: nil))
        }
        let before = try box.files()
        for words in ["transactions", "purse", "buy lantern.coins.10"] {
            let answer = try await MountNamespace.readOnly(words + " --json", in: box)
            #expect(answer.code == 69, "\(answer.whole)")
            #expect(answer.object["error"]["code"].text == "storeOlder", "\(answer.whole)")
            #expect(answer.errors.contains("made by an earlier version"), "\(answer.whole)")
            #expect(answer.errors.contains("copy its folder"), "\(answer.whole)")
        }
        #expect(try box.files() == before)
        // Brought up to date, it is read.
        try await box.succeed("operator", "requests")
        let purse = try await MountNamespace.readOnly("purse --json", in: box)
        #expect(purse.object["amount"].number == 116, "\(purse.whole)")
    }

    @Test(
        "a store from before the first release is refused, and no byte of it changes",
        arguments: ["schema-1", "schema-6", "schema-7", "schema-8"])
    func older(_ name: String) async throws {
        let box = try box(name)
        let before = try box.files()
        for command in [["transactions"], ["buy", "lantern.coins.10"], ["operator", "requests"]] {
            let answer = try await box.run(command + ["--json"])
            #expect(answer.code == 69, "\(command)")
            #expect(answer.object["error"]["code"].text == "storeOlder", "\(command)")
            #expect(answer.errors.contains("from before its first release"), "\(command)")
        }
        #expect(try box.files() == before)
    }
}

extension Sandbox {
    /// The bytes, rights and time of change of every file; nil for the bytes of a folder.
    fileprivate func files() throws -> [String: [String]] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: store)
        return try Dictionary(
            uniqueKeysWithValues: (names + ["."]).map { name in
                let path = store + "/" + name
                let facts = try FileManager.default.attributesOfItem(atPath: path)
                let bytes = FileManager.default.contents(atPath: path)?.base64EncodedString() ?? ""
                return (
                    name,
                    [bytes, "\(facts[.posixPermissions] ?? 0)", "\(facts[.modificationDate] ?? 0)"]
                )
            })
    }
}
