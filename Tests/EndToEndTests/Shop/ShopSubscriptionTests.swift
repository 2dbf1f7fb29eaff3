import Foundation
import Testing

@Suite("subscriptions in the shop", .withProgram, .inTurn)
struct ShopSubscriptionTests {
    @Test("a subscription is changed, cancelled, resumed, not paid and recovered by keys [D4, D6]")
    func life() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.membership.plus.month")
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            shop.press("2")
            try await shop.seeLine("Lantern Plus", "your plan, renews")
            shop.press("s")
            try await shop.see(
                "[ Turn off auto-renew ]", "OFFERS", "free for 2 weeks", "upgrade, at once")

            // The plan is selected at first, so that an Enter too many cancels nothing.
            try await shop.seeLine("▌", "Lantern Plus", "renews")

            // A cheaper plan is planned for the renewal, and then that change is cancelled.
            shop.press("Up", "Up", "Up", "Up", "Up", "Up", "Up", "Up", "Up")
            try await shop.seeLine("▌", "[ Turn off auto-renew ]")
            shop.press("Down", "Down", "Down", "Down", "Down", "Down", "Down")
            try await shop.seeLine("▌", "Lantern Basic")
            shop.press("Enter")
            try await shop.see("Charged now  nothing", "[ Change plan ]")
            shop.press("Right", "Enter")
            try await shop.see("[ Keep Lantern Plus ]", "Nothing was charged")
            shop.press("Home", "Up", "Up", "Up", "Up", "Up", "Up", "Up", "Up")
            try await shop.seeLine("▌", "[ Keep Lantern Plus ]")
            shop.press("Enter")
            try await shop.see("[ Keep this plan ]")
            shop.press("Right", "Enter")
            try await shop.see("You keep Lantern Plus")

            // After an action its button is gone, and another is selected.
            try await shop.seeLine("▌", "[ Turn off auto-renew ]")
            shop.press("Enter")
            try await shop.see("Turn off auto-renew of Lantern Plus?")
            shop.press("Right", "Enter")
            try await shop.see("[ Turn on auto-renew ]", "will not renew")
            // An Enter too many opens only a sheet: turning auto-renew on again takes another key.
            shop.press("Up")
            try await shop.seeLine("▌", "[ Turn on auto-renew ]")
            shop.press("Enter")
            try await shop.seeLine("▌", "[ Turn off auto-renew ]")
            try await shop.see("You weren't charged")

            // The renewal fails: every screen says so, and the subscription's screen offers to pay.
            try await box.succeed("operator", "renewals", "--billing", "fail", "--grace", "on")
            try await box.succeed("operator", "clock", "next")
            try await box.succeed("operator", "clock", "next")
            try await shop.see("unpaid", "The payment failed", "[ Pay now ]")
            shop.press("1")
            try await shop.see("unpaid")
            shop.press("2", "2")
            try await shop.see("NEEDS YOUR ATTENTION")
            shop.press("Home", "s")
            try await shop.seeLine("▌", "Lantern Plus")
            shop.press("Up", "Up", "Up", "Up", "Up", "Up", "Up", "Up", "Up")
            try await shop.seeLine("▌", "[ Pay now ]")
            shop.press("Enter", "Right", "Enter")
            try await shop.see("[ Turn off auto-renew ]", "renews")
            try await shop.seeLine("▌", "[ Turn off auto-renew ]")
        }
    }

    @Test("an upgrade says what is charged and given back before it begins at once")
    func upgrade() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.membership.plus.month")
        try await box.succeed("operator", "clock", "advance", "10d")
        // The page fits whole: what happened is read after the sale, so a place to scroll to moves.
        try await ShopOnTerminal.run(box, rows: 40, script: ShopOnTerminal.around) { shop in
            shop.press("2", "s")
            try await shop.see("OFFERS", "free for 2 weeks", "PLANS")
            shop.press("Up", "Up", "Up", "Up", "Up", "Up", "Up", "Up", "Up")
            try await shop.seeLine("▌", "[ Turn off auto-renew ]")
            shop.press("Down", "Down", "Down", "Down", "Down")
            try await shop.seeLine("▌", "Lantern Family")
            shop.press("Enter")
            try await shop.see("Charged now", "Given back   about $3.", "which ends now")
            shop.press("Right", "Enter")
            try await shop.seeLine("Lantern Family", "your plan, renews")
            try await shop.see("changed the plan to this")
        }
    }

    @Test("a code is redeemed by keys, and a free trial says what is charged and when")
    func offers() async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            shop.press("C")
            try await shop.see("Redeem an offer code")
            shop.press("N", "O", "Enter")
            try await shop.see("NO")
            shop.press("BSpace", "BSpace")
            for letter in "SPRING26" { shop.press(String(letter)) }
            shop.press("Enter")
            try await shop.see("SPRING26,", "Charged now", "Then")
            shop.press("Right", "Enter")
            try await shop.seeLine("Lantern Plus", "your plan, renews")
        }
        let sale = try await box.succeed("transactions", "--json").object
        #expect(sale["offerType"].number == 3)
    }
}
