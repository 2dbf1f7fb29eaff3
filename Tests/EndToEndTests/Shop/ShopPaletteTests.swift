import Foundation
import Testing

@Suite("the palette of the shop", .withProgram, .inTurn)
struct ShopPaletteTests {
    @Test("a purchase is refunded by the palette, after a second Enter")
    func refund() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            shop.press("Down", "Down", "Down", "Down")
            try await shop.seeLine("▌ Sepia", "owned")
            shop.type(":sepia refund")
            try await shop.see("Refund Sepia", "Reverse the refund of Sepia")
            shop.press("Enter")
            try await shop.seeLine("Really? Refund Sepia", "Enter again")
            #expect(try await box.succeed("transactions").output.contains("refunded") == false)
            shop.press("Enter")
            try await shop.see("a row that can be bought") { screen in
                let row = screen.split(separator: "\n").first { $0.contains("▌ Sepia") }
                return row.map { !$0.contains("owned") } ?? false
            }
            #expect(try await box.succeed("transactions").output.contains("refunded"))
            // After the refund the palette offers to reverse it.
            shop.type(":reverse")
            try await shop.see("Reverse the refund of Sepia")
            shop.press("Enter")
            try await shop.seeLine("▌ Sepia", "owned")
        }
    }

    @Test("the shop goes on as another account, which has its own purchases, and comes back")
    func anotherAccount() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia", "--account", "aoi")
        try await ShopOnTerminal.run(
            box, ["--account", "aoi"], script: ShopOnTerminal.around
        ) { shop in
            try await shop.seeLine("Sepia", "owned")
            shop.type(":another account")
            try await shop.see("▌ Sign in as another account")
            shop.press("Enter")
            try await shop.see("type a name")
            shop.type("ren")
            try await shop.see("▌ Sign in as ren")
            shop.press("Enter")
            try await shop.seeLine("SANDBOX", "ren")
            try await shop.seeLine(of: "Sepia", without: "owned")
            shop.type(":another account")
            try await shop.see("▌ Sign in as another account")
            shop.press("Enter")
            try await shop.see("type a name")
            shop.type("aoi")
            try await shop.see("▌ Sign in as aoi")
            shop.press("Enter")
            try await shop.seeLine("Sepia", "owned")
        }
    }

    @Test("Ctrl-P opens the palette, and a letter in it is text")
    func letters() async throws {
        try await ShopOnTerminal.run(try Sandbox(), script: ShopOnTerminal.around) { shop in
            shop.send([0x10])
            try await shop.see("type to filter")
            shop.type("qqq")
            try await shop.see(":qqq", "Nothing matches.")
            shop.press("Escape")
            try await shop.see("BOOKS", "Welcome.")
        }
    }
}
