import Foundation
import Testing

/// The twelve trials that are recommended for every shop, walked by key: what each shows, and its
/// tick in the shop's list of trials, which nobody ticks by hand.
@Suite("trials, by key", .withProgram, .inTurn)
struct TrialKeyTests {
    /// By their names, as the list shows them.
    private static let titles: [String: String] = {
        let text = try? String(
            contentsOfFile: Program.root + "/Documentation/trials.json", encoding: .utf8)
        let trials = JSON(line: text ?? "")["trials"].items
        return trials.reduce(into: [:]) { $0[$1["id"].text ?? ""] = $1["title"]["en"].text }
    }()

    @Test("the recommended trials happen by key alone, and the shop's list ticks each of them")
    func walk() async throws {
        let box = try Sandbox()
        // What a restore brings back was bought on another device, and counts for no other trial.
        try await box.succeed("buy", "lantern.tool.lamp", "--device", "tablet")
        try await box.succeed("trials", "reset", "--device", "tablet")
        // The list of trials fits whole.
        let unlimited = ["--bandwidth", "unlimited"]
        try await ShopOnTerminal.run(
            box, unlimited, rows: 70, script: ShopOnTerminal.around
        ) { shop in
            try await openTrials(shop)
            try await shop.see("Trials  0 of 48 seen", Self.shown("request"))
            try await buyAndCancel(shop)
            try await waitForAnswers(shop)
            try await restore(shop)
            try await failOnPurpose(shop)
            shop.press("q")
            try await shop.see("ended 0, mode kept")
        }
        try await ShopOnTerminal.run(
            box, unlimited, rows: 70, script: ShopOnTerminal.around
        ) { shop in
            try await seeTick(of: "interrupted-delivery", shop)
            // After all areas comes the first one.
            shop.press("e")
            try await shop.see("Trials  10 of 10 seen")
        }
        // Each purchase of coins that succeeded was granted once: 10, and 10 that came back.
        #expect(try await box.succeed("purse").output == "20  coins\n")
        #expect(try await box.succeed("transactions", "--unfinished").output.isEmpty)
    }

    // MARK: - The trials

    private func buyAndCancel(_ shop: ShopOnTerminal) async throws {
        try await openSheet(of: "lantern.coins.10", called: "10 coins", shop)
        shop.press("Escape")
        try await shop.see("Cancelled. You weren't charged.")
        try await seeTick(of: "cancelled", shop)

        try await buy("lantern.coins.10", called: "10 coins", shop)
        try await shop.see("Bought 10 coins for $0.99.")
        try await seeTick(of: "request", shop)

        try await buy("lantern.theme.sepia", called: "Sepia", shop)
        try await shop.see("Bought Sepia for $0.99.", "Owned.")
        try await seeTick(of: "recorded", shop)

        try await buy("lantern.book.lighthouse.1", called: "The Lighthouse, part one", shop)
        try await shop.see("Owned and downloaded.")
        try await seeTick(of: "downloaded", shop)

        try await openPage(of: "lantern.theme.contrast", called: "High contrast", shop)
        shop.type(":buy-outside")
        try await shop.see("▌ Sell High contrast outside the app")
        shop.press("Enter")
        try await shop.see("lantern.theme.contrast", "Owned.")
        try await seeTick(of: "observer", shop)
    }

    private func waitForAnswers(_ shop: ShopOnTerminal) async throws {
        shop.press("4", "t")
        try await shop.see("Ask to Buy: on")
        try await openSheet(of: "lantern.tool.export", called: "Export notes", shop)
        try await shop.see("Your family organizer must approve this")
        shop.press("Right", "Enter")
        try await shop.see("Waiting for approval: Export notes. You haven't been charged.")
        shop.press("4")
        try await shop.see("APPROVALS 1")
        shop.press("a")
        try await shop.see("No requests.")
        shop.press("1")
        try await shop.see("lantern.tool.export", "Owned.")
        try await seeTick(of: "deferred", shop)

        try await buy("lantern.coins.550", called: "550 coins", shop)
        try await shop.see("Waiting for approval: 550 coins. You haven't been charged.")
        shop.press("4")
        try await shop.see("APPROVALS 1")
        shop.press("d")
        try await shop.see("No requests.")
        shop.press("1", "1")
        try await shop.seeLine("550 coins", "declined; not charged")
        try await seeTick(of: "declined", shop)
        shop.press("4", "t")
        try await shop.see("Ask to Buy: off")
    }

    private func restore(_ shop: ShopOnTerminal) async throws {
        try await failNext("restore", steps: 3, "▌ The store could not be reached.", shop)
        shop.press("1", "1")
        try await shop.seeLine("Reading lamp", "owned; r restores it")
        shop.press("r")
        try await shop.see("Restore failed; what came back so far stays.")
        try await seeTick(of: "restore-fails", shop)

        shop.press("1", "r")
        try await shop.see("Restored 1 purchase.")
        try await shop.seeLine("Reading lamp", "✓ restored")
        try await seeTick(of: "restored", shop)
    }

    /// The last purchase stays unfinished for the next launch.
    private func failOnPurpose(_ shop: ShopOnTerminal) async throws {
        try await failNext("purchase", steps: 0, "▌ The payment was declined.", shop)
        try await buy("lantern.coins.10", called: "10 coins", shop)
        try await shop.see("lantern.coins.10", "The payment was declined.")
        try await seeTick(of: "failed", shop)

        try await failNext("verification", steps: 2, "invalidSignature", shop)
        try await buy("lantern.coins.10", called: "10 coins", shop)
        try await shop.see("A transaction could not be verified (invalidSignature).")
        try await seeTick(of: "unverified", shop)
        try await shop.see("a trial without a tick") { screen in
            screen.contains(Self.shown("interrupted-delivery"))
                && !screen.contains("✓ \(Self.shown("interrupted-delivery"))")
        }
    }

    // MARK: - Keys

    /// The part of a trial's title that the list has room for.
    private static func shown(_ trial: String) -> String {
        String((titles[trial] ?? "no trial \(trial)").prefix(36))
    }

    private func openTrials(_ shop: ShopOnTerminal) async throws {
        shop.press("1")
        shop.type(":trials")
        try await shop.see("▌ Show the trials")
        shop.press("Enter")
        try await shop.see("of 48 seen", "all areas")
    }

    private func seeTick(
        of trial: String, _ shop: ShopOnTerminal, at location: SourceLocation = #_sourceLocation
    ) async throws {
        try await openTrials(shop)
        try await shop.see("✓ \(Self.shown(trial))", at: location)
    }

    private func openPage(
        of product: String, called name: String, _ shop: ShopOnTerminal
    ) async throws {
        shop.press("1")
        shop.type(":" + product)
        try await shop.see("▌ Open \(name)")
        shop.press("Enter")
    }

    private func openSheet(
        of product: String, called name: String, _ shop: ShopOnTerminal
    ) async throws {
        try await openPage(of: product, called: name, shop)
        shop.press("b")
        try await shop.see("▌[ Cancel ]")
    }

    private func buy(
        _ product: String, called name: String, _ shop: ShopOnTerminal
    ) async throws {
        try await openSheet(of: product, called: name, shop)
        shop.press("Right", "Enter")
    }

    /// - Parameters:
    ///   - steps: from the failures of a purchase, which the sheet shows at first, to the call's.
    ///   - chosen: what the sheet says of the call's most likely failure.
    private func failNext(
        _ call: String, steps: Int, _ chosen: String, _ shop: ShopOnTerminal
    ) async throws {
        shop.press("4", "f")
        try await shop.see("Fail the next purchase")
        for _ in 0..<steps { shop.press("Right") }
        try await shop.see("Fail the next \(call)", chosen)
        shop.press("Enter")
        try await shop.see("FAILURES QUEUED 1", "The next \(call) will fail")
    }
}
