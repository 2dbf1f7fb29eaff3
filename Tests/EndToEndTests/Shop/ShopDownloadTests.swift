import Foundation
import Testing

@Suite("downloads in the shop", .withProgram, .inTurn)
struct ShopDownloadTests {
    private func buyTheBook(_ shop: ShopOnTerminal) async throws {
        shop.press("Down", "b", "Right")
        try await shop.see("▌[ Buy for $3.99 ]")
        shop.press("Enter")
        try await shop.see("a bar") { Self.percent($0) != nil }
    }

    /// The percentage shown in the row of the second part.
    private static func percent(_ screen: String) -> Int? {
        screen.split(separator: "\n").first { $0.contains("part two") }?
            .firstMatch(of: /([0-9]+)%/).flatMap { Int($0.1) }
    }

    @Test("a download shows its progress and can be paused, resumed and cancelled")
    func walk() async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(box, ["--bandwidth", "4k"], script: ShopOnTerminal.around) {
            shop in
            try await buyTheBook(shop)
            try await shop.see("progress") { (Self.percent($0) ?? 0) > 0 }
            shop.press("Space")
            try await shop.seeLine("part two", "paused at")
            shop.press("Space")
            try await shop.seeLine("part two", "█")
            shop.press("c")
            try await shop.see("cancelled. You still own it")
            try await shop.seeLine("part two", "✓ owned, not downloaded")
        }
        try await ShopOnTerminal.run(
            box, ["--bandwidth", "unlimited"], script: ShopOnTerminal.around
        ) { shop in
            shop.press("Down", "Space")
            try await shop.seeLine("part two", "✓ owned")
            try await shop.see("Downloaded ")
        }
        #expect(box.partialFiles.isEmpty)
    }

    @Test("a download of a killed shop continues where it was")
    func killed() async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(box, ["--bandwidth", "8k"], script: ShopOnTerminal.around) {
            shop in
            try await buyTheBook(shop)
            try await shop.see("a fifth") { (Self.percent($0) ?? 0) >= 20 }
            kill(try shop.processID(), SIGKILL)
            try await shop.see("ended 137")
        }
        try await ShopOnTerminal.run(box, ["--bandwidth", "8k"], script: ShopOnTerminal.around) {
            shop in
            let screen = try await shop.see("a bar") { Self.percent($0) != nil }
            #expect((Self.percent(screen) ?? 0) >= 10)
            try await shop.seeLine("part two", "✓ owned")
        }
        #expect(try await box.succeed("transactions", "--json").json.count == 1)
        #expect(box.partialFiles.isEmpty)
    }
}
