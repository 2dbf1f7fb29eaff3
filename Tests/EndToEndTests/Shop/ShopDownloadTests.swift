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

    @Test("a download shows its progress and can be paused, resumed and cancelled [A9]")
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
            try await shop.see(
                "Cancel the download of The Lighthouse, part two?", "▌[ Keep downloading ]")
            shop.press("Right")
            try await shop.see("▌[ Cancel download ]")
            shop.press("Enter")
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

    @Test("a download is deleted only after a question, which preselects to keep it")
    func deleting() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.book.lighthouse.1", "--bandwidth", "unlimited")
        let downloaded = try await box.succeed("downloads", "--json").object
        let path = try #require(downloaded["path"].text)
        let isHere = { FileManager.default.fileExists(atPath: path) }
        #expect(isHere())
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            try await shop.seeLine("▌ The Lighthouse, part one", "✓ owned")
            let question = "Remove The Lighthouse, part one from this device?"
            // Enter on the default button, Esc and q keep the content.
            for answer in ["Enter", "Escape", "q"] {
                shop.press("DC")
                try await shop.see(question, "▌[ Keep ]", "[ Remove download ]")
                shop.press(answer)
                try await shop.see("the list") { !$0.contains(question) && $0.contains("q quit") }
            }
            #expect(isHere())
            #expect(!shop.screen.contains("not downloaded"))
            shop.press("DC", "Right")
            try await shop.see("▌[ Remove download ]")
            shop.press("Enter")
            try await shop.see("Removed The Lighthouse, part one from this device.")
            try await shop.seeLine("▌ The Lighthouse, part one", "✓ owned, not downloaded")
        }
        #expect(!isHere())
        #expect(try await box.succeed("transactions", "--json").json.count == 1)
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
