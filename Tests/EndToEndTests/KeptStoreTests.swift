import Foundation
import TestBasics
import Testing

@Suite("a store made by version 0.1.0", .withProgram, .inTurn)
struct KeptStoreTests {
    /// A sandbox with a copy of `Tests/Kept/schema-1` as its store.
    private func box() throws -> Sandbox {
        let box = try Sandbox()
        let kept = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Kept/schema-1")
        try FileManager.default.createDirectory(
            atPath: URL(filePath: box.store).deletingLastPathComponent().path,
            withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: kept.path, toPath: box.store)
        return box
    }

    @Test("a 0.1.0 store opens, delivers its unfinished sale and goes on selling")
    func opens() async throws {
        let box = try box()
        try await box.succeed("restore")
        let purse = try await box.succeed("purse", "--json")
        #expect(purse.json.first?["amount"].number == 140, "130, and ten that waited")
        let sold = try await box.succeed("transactions", "--json").json
        #expect(sold.count == 9)
        try await box.succeed("operator", "faults", "--clear")
        try await box.succeed("buy", "lantern.coins.10")
        let signed = try await box.succeed("transactions", "--signed", "--limit", "1")
        #expect(signed.output.split(separator: ".").count == 3, "its keys still sign")
    }

    @Test("an interrupted download of a 0.1.0 store continues, and its request is approved")
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

    /// The kill comes at a random instant of a whole run: before, during or after the migration of
    /// the ledger and of the device's records.
    @Test("a 0.1.0 store that is killed at any instant of its first start loses nothing")
    func killed() async throws {
        let environment = ProcessInfo.processInfo.environment
        let rounds = environment["STOREFRONT_KILLS"].flatMap { Int($0) }.map { $0 / 4 } ?? 8
        var random = SplitMix64(seed: UInt64.random(in: 1...999_999))
        let start = ContinuousClock.now
        try await box().succeed("restore")
        let whole = start.duration(to: .now)
        for _ in 0..<rounds {
            let box = try box()
            let seconds = whole / .seconds(1) * Double.random(in: 0...1, using: &random)
            _ = try await box.start("restore").endKilled(afterSeconds: seconds)
            try await box.succeed("restore")
            let purse = try await box.succeed("purse", "--json")
            #expect(purse.json.first?["amount"].number == 140, "killed after \(seconds) s")
            #expect(try await box.succeed("transactions", "--json").json.count == 9)
            let check = try Database(box.ledger).rows("PRAGMA integrity_check")
            #expect(check == [["ok"]], "killed after \(seconds) s")
            let leftovers = try FileManager.default.contentsOfDirectory(atPath: box.store)
                .filter { $0.contains(".replaced") }
            #expect(leftovers.isEmpty)
        }
    }
}
