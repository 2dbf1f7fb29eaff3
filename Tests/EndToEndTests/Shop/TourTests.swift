import Testing

@Suite("the tour of the demo", .withProgram, .inTurn)
struct TourTests {
    @Test("the tour's keys lead through a purchase on both sides, and every step follows")
    func wholeTour() async throws {
        let tour = ["demo", "--tour", "--bandwidth", "unlimited"]
        try await ShopOnTerminal.run(
            try Sandbox(), tour, script: ShopOnTerminal.around
        ) { shop in
            try await shop.seeLine("1 of 11", "every state")
            try await shop.seeLine("↓ Enter", "open The Keeper's Field Guide")
            shop.press("Down", "Down", "Down", "Enter")
            try await shop.see("2 of 11", "open the payment sheet")
            shop.press("b")
            try await shop.seeLine("3 of 11", "Cancel is chosen")
            shop.press("Right", "Enter")
            try await shop.seeLine("4 of 11", "each sale delivered once")
            shop.press("4")
            try await shop.seeLine("5 of 11", "waits for approval")
            try await shop.see("Field Guide", "Sepia")
            shop.press("a")
            try await shop.seeLine("6 of 11", "Approved")
            shop.press("1", "1")
            try await shop.seeLine("7 of 11", "What waited is owned now")
            try await shop.seeLine("Sepia", "owned")
            shop.press("2")
            try await shop.seeLine("8 of 11", "The library lists")
            try await shop.see("ON THIS DEVICE", "Field Guide", "Sepia")
            shop.press("Enter")
            try await shop.see("[ Read ]", "8 of 11")
            shop.press("Enter")
            try await shop.seeLine("9 of 11", "The place is kept")
            try await shop.see("The boat to Skerrow")
            shop.press("Escape")
            try await shop.seeLine("10 of 11", "can refund a purchase")
            shop.type(":refund")
            try await shop.see("Refund The Lighthouse, part one")
            shop.press("Enter")
            try await shop.see("Really?", "10 of 11")
            shop.press("Enter")
            try await shop.seeLine("11 of 11", "on no device any more")
            try await shop.seeLine("q", "thrown away")
            shop.press("q")
            try await shop.see("ended 0, mode kept")
        }
    }

    @Test(
        "the strip stays at the lower edge when the terminal is resized, and the shop works there")
    func resizing() async throws {
        try await ShopOnTerminal.run(
            try Sandbox(), ["demo", "--tour"], script: ShopOnTerminal.around
        ) { shop in
            try await shop.seeLine("1 of 11", "every state")
            shop.resize(40, 14)
            try await shop.see("the strip in the last two rows") { screen in
                let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
                return lines.count >= 14 && lines[12].contains("1 of 11")
                    && lines[12].contains("↓ Enter") && lines[13].contains("open The Keeper's")
                    && lines[11].contains("? help")
            }
            shop.press("Down", "Down", "Down", "Enter")
            try await shop.seeLine("2 of 11", "b")
            shop.resize(40, 12)
            try await shop.see("the shop alone") {
                !$0.contains("2 of 11") && $0.contains("? help")
            }
            shop.resize(120, 40)
            try await shop.seeLine("2 of 11", "The page says")
            shop.press("q")
            try await shop.see("ended 0, mode kept")
        }
    }

    @Test("a customer's shop has no tour, because it has no console")
    func customer() async throws {
        let answer = try await Sandbox().run(["demo", "--tour", "--customer"])
        #expect(answer.code == 64)
        #expect(answer.errors.contains("--customer"))
    }
}
