import Foundation
import Testing

/// Small values of the app that follow the account, by command.
@Suite("values, by command", .withProgram, .inTurn)
struct ValueCommandTests {
    @Test("a value is set on one device and read on another, also after time offline [A16]")
    func twoDevices() async throws {
        let box = try Sandbox()
        #expect(try await box.succeed("values").errors == "There is no such value.\n")
        let set = try await box.succeed("values", "chapter", "7")
        #expect(set.output == "Every device of the account has the new chapter.\n")
        let read = try await box.succeed("values", "chapter", "--device", "tablet")
        #expect(read.output == "7\n")
        let missing = try await box.succeed("values", "page", "--device", "tablet")
        #expect(missing.output.isEmpty && missing.errors == "There is no such value.\n")

        try await box.succeed("operator", "network", "tablet", "off")
        let kept = try await box.succeed("values", "chapter", "8", "--device", "tablet", "--json")
        #expect(kept.object["isSent"].bool == false)
        let told = try await box.succeed("values", "page", "1", "--device", "tablet")
        #expect(told.output.contains("the others get it when it reaches the store again"))
        #expect(try await box.succeed("values", "chapter").output == "7\n")
        try await box.succeed("operator", "network", "tablet", "on")
        let sent = try await box.succeed("values", "--device", "tablet", "--json").json
        #expect(sent.map { $0["value"].text } == ["8", "1"])
        #expect(try await box.succeed("values").output == "chapter  8\npage  1\n")

        try await box.succeed("values", "page", "")
        #expect(try await box.succeed("values", "--device", "tablet").output == "chapter  8\n")
        let events = try await box.succeed("history", "--kind", "valueChanged", "--json").json
        #expect(events.map { $0["key"].text } == ["page", "page", "chapter", "chapter"])
        #expect(events.first?["value"] == .null && events.last?["value"].text == "7")
    }

    @Test("what breaks a limit is refused with the limit, and nothing is changed [A16]")
    func refused() async throws {
        let box = try Sandbox()
        let key = try await box.run("values", String(repeating: "k", count: 65), "1")
        #expect(key.code == 64 && key.errors.contains("1 to 64 bytes"), "\(key.errors)")
        for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            let most = String(repeating: name, count: 120_000)
            try await box.succeed("values", name, most)
        }
        let full = try await box.run("values", "more", String(repeating: "x", count: 120_000))
        #expect(full.code == 12, "\(full.errors)")
        #expect(full.errors.contains("1080000 bytes; 1000000 are allowed"), "\(full.errors)")
        #expect(try await box.succeed("values", "--json").json.count == 8)
    }
}
