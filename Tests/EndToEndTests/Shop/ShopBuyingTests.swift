import Foundation
import Testing

@Suite("buying in the shop", .withProgram, .inTurn)
struct ShopBuyingTests {
    @Test("a product is bought from its page, through a sheet that preselects Cancel [A12]")
    func buy() async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            shop.press("Down", "Down", "Down", "Down", "Enter")
            try await shop.see("Themes ›", "lantern.theme.sepia", "▌[ Buy for $0.99 ]")
            shop.press("Enter")
            try await shop.see(
                "───", "One-time purchase", "Pays", "Sandbox: you won't be charged",
                "▌[ Cancel ]", "Cancel is chosen")
            // Cancel is chosen at first, so Enter alone buys nothing.
            shop.press("Enter")
            try await shop.see("Cancelled. You weren't charged.", "lantern.theme.sepia")
            #expect(try await box.succeed("transactions").output.isEmpty)

            shop.press("Enter")
            try await shop.see("▌[ Cancel ]")
            shop.press("Right")
            try await shop.see("▌[ Buy for $0.99 ]", "[ Cancel ]")
            shop.press("Enter")
            try await shop.see(
                "✓ Bought Sepia for $0.99.", "Transaction 1000001, verified.", "Owned.")
            shop.press("Escape")
            try await shop.seeLine("▌ Sepia", "$0.99", "✓ owned")
            let sale = try await box.succeed("transactions", "--json").json
            #expect(sale.map { $0["productId"].text } == ["lantern.theme.sepia"])
            #expect(try await box.succeed("transactions", "--unfinished").output.isEmpty)
            shop.press("b")
            try await shop.see("You already own Sepia.")
        }
    }

    @Test("the quantity can be typed as a number")
    func typedQuantity() async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            shop.type("jjjjjjjb")
            try await shop.see("‹ 1 ›", "1 to 10; type a number", "▌[ Cancel ]")
            shop.type("10")
            try await shop.see("‹ 10 ›", "10 × 10 coins", "[ Buy for $9.90 ]")
            // The largest quantity is ten; erasing all digits begins a new number.
            shop.type("\u{7F}\u{7F}3")
            try await shop.see("‹ 3 ›", "30 coins for your purse: 0 now, 30 after")
            shop.press("Right")
            try await shop.see("▌[ Buy for $2.97 ]")
            shop.press("Enter")
            try await shop.see("✓ Bought 3 × 10 coins for $2.97.", "30 in your purse")
        }
        #expect(try await box.succeed("purse").output == "30  coins\n")
    }

    @Test("q in the payment sheet closes the sheet and not the shop")
    func quitInSheet() async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            shop.press("b", "Right")
            try await shop.see("▌[ Buy for $3.99 ]")
            shop.press("q")
            try await shop.see("Cancelled. You weren't charged.", "BOOKS", "q quit")
            #expect(!shop.screen.contains("[ Buy for $3.99 ]"))
            shop.press("j", "b", "Right")
            try await shop.see("▌[ Buy for $3.99 ]")
            shop.press("Enter")
            try await shop.see("✓ Bought The Lighthouse, part two for $3.99.")
            shop.press("q")
            try await shop.see("ended 0, mode kept")
        }
        #expect(try await box.succeed("transactions", "--json").json.count == 1)
    }

    @Test("a message leaves its row by itself")
    func fading() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            try await shop.seeLine("▌ The Lighthouse, part one", "[ $3.99 ]")
            try await shop.seeNoMessage()
            shop.press("b")
            try await shop.see("▌[ Cancel ]")
            shop.press("Escape")
            try await shop.see("Cancelled. You weren't charged.")
            // The message fades without a key.
            try await shop.seeNoMessage()
            shop.type("jjjjjjjb")
            try await shop.see("Quantity", "▌[ Cancel ]")
            shop.press("Right", "Enter")
            try await shop.see("✓ Bought 10 coins for $0.99.", "verified.")
            // Both rows of the message are empty: the upper one shows the selected product again.
            try await shop.seeNoMessage()
            try await shop.see("Ten coins for your purse")
            #expect(!shop.screen.contains("Bought"))
        }
    }

    @Test("holding Enter on the Buy button buys once", arguments: [2, 30])
    func held(times: Int) async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(box) { shop in
            shop.type("jjjjjjjb")
            try await shop.see("Quantity", "▌[ Cancel ]")
            shop.type("\u{1B}[C")
            try await shop.see("▌[ Buy for $0.99 ]")
            let watching = try await box.watch()
            shop.type(String(repeating: "\r", count: times))
            #expect(await watching.next { $0["event"].text == "finished" } != nil)
            await watching.end(by: SIGTERM)
            shop.kill(SIGTERM)
            #expect(await shop.end() == -SIGTERM)
        }
        try await box.succeed("restore")
        #expect(try await box.succeed("transactions", "--json").json.count == 1)
        #expect(try await box.succeed("purse").output == "10  coins\n")
    }

    @Test("a request approved in another process changes its row by itself [F3]")
    func approved() async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            shop.press("o", "t")
            try await shop.see("Ask to Buy: on")
            shop.type("ojjjjb")
            try await shop.see("Your family organizer must approve this")
            shop.press("Right", "Enter")
            try await shop.see("Waiting for approval: Sepia. You haven't been charged.")
            try await shop.seeLine("▌ Sepia", "… waiting for approval")
            try await box.succeed("operator", "approve", "--all")
            try await shop.seeLine("▌ Sepia", "✓ owned")
        }
        #expect(try await box.succeed("transactions", "--json").json.count == 1)
    }

    @Test("a restore brings another device's purchases and says how many [B6]")
    func restore() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia", "lantern.coins.10", "lantern.tool.lamp")
        try await ShopOnTerminal.run(box, ["--device", "tablet"], script: ShopOnTerminal.around) {
            shop in
            try await shop.seeLine("Sepia", "owned; r restores it")
            shop.press("r")
            try await shop.see("Restored 2 purchases.")
            try await shop.seeLine("Sepia", "✓ restored")
            shop.press("End", "Enter")
            try await shop.see("There is nothing new to restore.")
        }
    }

    @Test("a payment sheet keeps its selection while the window is resized")
    func resized() async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            shop.press("b", "Right")
            try await shop.see("▌[ Buy for $3.99 ]")
            shop.resize(40, 12)
            try await shop.see("Pays", "▌[ Buy for $3.99 ]")
            try await shop.seeLine("The Lighthouse, part one         $3.99")
            shop.resize(20, 5)
            try await shop.see("Needs 40×12")
            shop.resize(150, 50)
            try await shop.see("Sandbox: you won't be charged", "▌[ Buy for $3.99 ]")
            shop.press("Enter")
            try await shop.see("Bought The Lighthouse, part one")
        }
        #expect(try await box.succeed("transactions", "--json").json.count == 1)
    }
}
