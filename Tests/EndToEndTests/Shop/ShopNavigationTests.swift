import Foundation
import Testing

@Suite("navigation in the shop", .withProgram, .inTurn)
struct ShopNavigationTests {
    @Test("after a search without a match, Enter leads back to the list and restores nothing")
    func noMatch() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try await ShopOnTerminal.run(box, ["--device", "tablet"], script: ShopOnTerminal.around) {
            shop in
            try await shop.seeLine("Sepia", "owned; r restores it")
            shop.press("Down", "Down")
            try await shop.see("▌ The Lighthouse, part three")
            shop.type("/zzz")
            try await shop.see("0/21", "No product matches.", "▌ [ Clear the search ]")
            // The first Enter ends the typing, the second presses the selected row.
            shop.press("Enter")
            try await shop.see("0/21", "q quit", "? help")
            shop.press("Enter")
            try await shop.see("▌ The Lighthouse, part three", "BOOKS")
            try await shop.seeLine("Sepia", "owned; r restores it")
            #expect(!shop.screen.contains("Restor"))
            // The account has a purchase to restore.
            shop.press("r")
            try await shop.see("Restored 1 purchase.")
            try await shop.seeLine("Sepia", "✓ restored")
        }
    }

    @Test("the shop opens at the page of a product, and names the nearest to an unknown one")
    func pageByIdentifier() async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(box, ["shop", "lantern.coins.100"], waiting: false) { shop in
            try await shop.see("100 coins", "[ Buy")
        }
        try await ShopOnTerminal.run(box, ["shop", "lantern.coins.1O0"], waiting: false) { shop in
            try await shop.see("The nearest identifier is lantern.coins.10", "[ Clear the search ]")
        }
    }

    @Test("the console shows what other processes do")
    func console() async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            shop.press("o")
            try await shop.see("EVENTS", "all time")
            try await box.succeed("buy", "lantern.coins.10", "--account", "aoi")
            try await shop.seeLine("purchased", "10 coins", "aoi")
            try await shop.seeLine("finished")
            try await box.succeed("operator", "fail-next", "systemError")
            try await shop.seeLine("failure", "systemError")
            try await shop.see("FAILURES QUEUED 1", "f Failures: 1")
            shop.press("x")
            try await shop.see("f Failures: off")
        }
        #expect(try await box.succeed("operator", "faults").output.isEmpty)
    }

    @Test("a click selects a row, and m turns mouse reports off and on")
    func mouse() async throws {
        try await ShopOnTerminal.run(try Sandbox()) { shop in
            #expect(shop.writtenText.contains("\u{1B}[?1000h\u{1B}[?1006h"))
            shop.click(column: 10, row: 11)
            try await shop.see("▌ High contrast")
            shop.type("\u{1B}[<65;10;11M")
            try await shop.see("▌ 10 coins")
            let start = shop.written.count
            shop.type("m")
            try await shop.waitForOutput("\u{1B}[?1006l\u{1B}[?1000l", after: start)
            try await shop.see("Mouse off:")
            let off = shop.written.count
            // A click that arrives after the mouse was switched off is ignored.
            shop.type("\u{1B}[<0;10;5M")
            shop.type("m")
            try await shop.waitForOutput("\u{1B}[?1000h\u{1B}[?1006h", after: off)
            try await shop.see("Mouse on.")
            #expect(!shop.screen.contains("▌ The Lighthouse, part two"))
        }
        try await ShopOnTerminal.run(try Sandbox(), ["--no-mouse"]) { shop in
            #expect(!shop.writtenText.contains("?1000h"))
        }
    }
}
