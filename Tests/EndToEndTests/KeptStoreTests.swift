import Foundation
import Testing

@Suite("a store an earlier version made", .withProgram, .inTurn)
struct KeptStoreTests {
    /// `Tests/Kept/schema-1`, in the place the program looks for its store.
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

    @Test("opens, delivers what waited, and sells on")
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

    @Test("a download cut off goes on, and the request is approved")
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
}
