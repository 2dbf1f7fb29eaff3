import Foundation
import Testing

@Suite("what waits, what is asked back, and what happens outside the app", .withProgram, .inTurn)
struct RequestsTests {
    @Test("a bank is asked, says no, then yes; the app is told which [C4]")
    func bank() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "ask-bank", "on")
        let first = try await box.run("buy", "lantern.theme.sepia", "--json")
        #expect(first.code == 10)
        #expect(first.object["reason"].text == "authentication")
        let request = try #require(first.object["requestId"].text)
        let requests = try await box.succeed("operator", "requests").output
        #expect(requests.contains("  the bank  ") && !requests.contains("authentication"))
        let japanese = try await box.succeed("operator", "requests", "--language", "ja").output
        #expect(japanese.contains("銀行の確認待ち"), "\(japanese)")
        try await box.succeed("operator", "decline", request)
        let history = try await box.succeed("history", "--json").output
        #expect(history.contains("paymentDeclined"))
        #expect(try await box.run("buy", "lantern.theme.sepia").code == 10)
        try await box.succeed("operator", "approve", "--all")
        try await box.succeed("restore")
        #expect(try await box.succeed("entitlements").output.contains("lantern.theme.sepia"))
    }

    @Test("an interrupted purchase is resolved by the customer, and by nobody else")
    func interrupted() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "interrupt-purchases", "on")
        let bought = try await box.run("buy", "lantern.coins.10")
        #expect(bought.code == 10)
        #expect(bought.output.contains("storefront requests resolve"))
        let request = try await box.succeed("requests", "--json").object["requestId"].text ?? ""
        let approved = try await box.run("operator", "approve", request)
        #expect(approved.code == 12)
        #expect(approved.errors.contains("storefront requests resolve \(request)"))
        try await box.succeed("requests", "resolve", request)
        #expect(try await box.succeed("transactions").output.contains(request))
        #expect(try await box.succeed("requests").output.isEmpty)
    }

    @Test("a change of plan for later is asked for, and an answer plans it and sells nothing")
    func laterPlan() async throws {
        let (month, year) = ("lantern.membership.plus.month", "lantern.membership.plus.year")
        for isResolved in [false, true] {
            let box = try Sandbox()
            try await box.succeed("buy", year)
            let takings = try await box.succeed("operator", "takings", "--json").output
            try await box.succeed(
                "operator", isResolved ? "interrupt-purchases" : "ask-to-buy", "on")
            let asked = try await box.run("buy", month, "--json")
            #expect(asked.code == 10)
            let request = try #require(asked.object["requestId"].text)
            let payment = try #require(asked.object["paymentId"].text)
            let answered = try await box.succeed(
                isResolved ? "requests" : "operator", isResolved ? "resolve" : "approve", request)
            #expect(
                answered.output.contains(/begins on 20\d\d-/)
                    && answered.output.contains("Nothing was charged"), "\(answered.output)")
            // A second answer changes nothing, as for a request that was sold.
            let words = isResolved ? ["requests", "resolve"] : ["operator", "approve"]
            let twice = try await box.run(words + [request])
            #expect(
                twice.code == 0 && twice.output.contains("\(request) was answered already"),
                "\(twice.whole)")
            let json = try await box.run(words + [request, "--json"]).object
            #expect(json["answeredBefore"].text == request, "\(json)")
            let late = try await box.run("operator", "decline", request)
            #expect(late.code == 12, "\(late.whole)")
            #expect(try await box.succeed("operator", "takings", "--json").output == takings)
            #expect(try await box.succeed("requests").output.isEmpty)
            let again = try await box.succeed("buy", month, "--payment", payment, "--json").object
            #expect(again["planChange"].text == "planned", "\(again)")
            let event = try #require(
                try await box.succeed("history", "--json").json.first {
                    $0["requestId"].text == request && $0["event"].text == "planChange"
                })
            #expect(event["paymentId"].text == payment)
            #expect(event["subscription"]["autoRenewProductId"].text == month)
            let subscriptions = try await box.succeed("subscriptions").output
            #expect(subscriptions.contains("as Lantern Plus for $4.99"), "\(subscriptions)")
        }
    }

    @Test("resolving says what became of the purchase, also where it could not be sold any more")
    func resolvedInVain() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "interrupt-purchases", "on")
        for product in ["lantern.theme.sepia", "lantern.theme.contrast"] {
            #expect(try await box.run("buy", product).code == 10)
        }
        let requests = try await box.succeed("requests", "--json").json
            .compactMap { $0["requestId"].text }
        try #require(requests.count == 2)
        try await box.succeed("operator", "publish", "lantern.theme.sepia", "uploaded")
        let failed = try await box.run("requests", "resolve", requests[0])
        #expect(failed.code == 12 && !failed.whole.contains("it is sold"), "\(failed.whole)")
        #expect(failed.errors.contains("not for sale") && failed.errors.contains("charged"))
        let sold = try await box.succeed("requests", "resolve", requests[1], "--json").object
        #expect(sold["resolved"].text == requests[1] && sold["outcome"].text == "sold")
        let again = try await box.succeed("requests", "resolve", requests[1])
        #expect(again.output.contains("is sold already"), "\(again.output)")
        let unknown = try await box.run("requests", "withdraw", "1000099")
        #expect(unknown.code == 12 && unknown.errors.contains("storefront requests;"))
    }

    @Test("a request is withdrawn once, and approving it later says why not")
    func withdrawn() async throws {
        let box = try Sandbox()
        // A sale without Ask to Buy has no request.
        let sold = try await box.succeed("buy", "lantern.coins.10", "--json").object
        let sale = try #require(sold["transactionId"].text)
        let never = try await box.run("requests", "withdraw", sale)
        #expect(never.code == 12 && never.errors.contains("No request \(sale) is waiting"))
        try await box.succeed("operator", "ask-to-buy", "on")
        #expect(try await box.run("buy", "lantern.theme.sepia").code == 10)
        let again = try await box.run("buy", "lantern.theme.sepia", "--json")
        let requests = try await box.succeed("requests").rows
        #expect(requests.count == 1, "the second payment joins the request that waits")
        let request = try #require(again.object["requestId"].text)
        let withdrawn = try await box.succeed("requests", "withdraw", request)
        #expect(withdrawn.output == "Withdrew request \(request). Nothing was charged.\n")
        #expect(try await box.run("requests", "withdraw", request).code == 12)
        #expect(try await box.run("operator", "approve", request).code == 12)
        try await box.succeed("restore")
        #expect(try await box.succeed("payments").output.isEmpty, "both payments have left")
        #expect(try await box.run("requests", "withdraw", "x").code == 64)
    }

    @Test("a refund is asked for, declined, asked for again and granted")
    func refund() async throws {
        let box = try Sandbox()
        let sale = try await box.succeed("buy", "lantern.theme.sepia", "--json")
        let id = try #require(sale.object["transactionId"].text)
        let asked = try await box.succeed("request-refund", id, "--reason", "broken", "--json")
        #expect(asked.object["reason"].text == "broken")
        #expect(try await box.run("request-refund", id).code == 12, "once at a time")
        #expect(try await box.succeed("operator", "refund-requests").output.contains(id))
        try await box.succeed("operator", "decline-refund", id)
        #expect(try await box.run("operator", "decline-refund", id).code == 12)
        try await box.succeed("request-refund", id)
        try await box.succeed("operator", "refund", id)
        #expect(try await box.succeed("operator", "refund-requests").output.isEmpty)
        #expect(try await box.succeed("entitlements").output.isEmpty)
        #expect(try await box.run("request-refund", id, "--reason", "mood").code == 64)
    }

    @Test("a refund that is asked for is approved and declined by its number, but not by --all")
    func refundByAnswer() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try await box.succeed("operator", "ask-to-buy", "on")
        _ = try await box.run("buy", "lantern.coins.10")
        try await box.succeed("request-refund", "1000001")
        for answer in ["decline", "approve"] {
            let all = try await box.succeed("operator", answer, "--all")
            #expect(!all.output.contains("1000001"), "\(all.output)")
        }
        let declined = try await box.succeed("operator", "decline", "1000001")
        #expect(declined.output == "Declined the refund of 1000001.\n")
        try await box.succeed("request-refund", "1000001")
        let approved = try await box.succeed("operator", "approve", "1000001")
        #expect(approved.output.contains("Refunded 1000001, $0.99 in all"), "\(approved.output)")
        #expect(try await box.succeed("entitlements").output.isEmpty)
    }

    @Test("a refund that is asked for names the quantity of its sale")
    func refundOfSeveral() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.coins.10", "--quantity", "4")
        let asked = try await box.succeed("request-refund", "1000001", "--json")
        #expect(asked.object["quantity"].number == 4)
        for list in ["refund-requests", "requests"] {
            let listed = try await box.succeed("operator", list).output
            #expect(listed.contains("4 × 10 coins"), "\(listed)")
        }
    }

    @Test("a refund of a part of consumables takes as much from the purse, and says so")
    func partOfCoins() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.coins.10", "--quantity", "4")
        let refunded = try await box.succeed("operator", "refund", "1000001", "--percent", "50")
        #expect(refunded.output.contains("leaves the purse"), "\(refunded.output)")
        #expect(try await box.succeed("purse").output == "20  coins\n")
    }

    @Test(
        "what is bought outside the app arrives on the next launch; a begun purchase is told [C5]")
    func outside() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "buy-outside", "lantern.theme.sepia")
        try await box.succeed("operator", "promote", "lantern.coins.10")
        try await box.succeed("restore")
        #expect(try await box.succeed("entitlements").output.contains("lantern.theme.sepia"))
        let again = try await box.run("operator", "buy-outside", "lantern.theme.sepia")
        #expect(again.code == 12)
        #expect(try await box.run("operator", "promote", "no.such").code == 12)
        let events = try await box.succeed("history", "--json").output
        #expect(events.contains("\"promoted\""))
    }

    @Test("what was sold and is not delivered here is said by what shows the device, and delivered")
    func undelivered() async throws {
        let box = try Sandbox()
        try await box.succeed("products")
        try await box.succeed("operator", "ask-to-buy", "on")
        _ = try await box.run("buy", "lantern.coins.10", "--quantity", "3")
        try await box.succeed("operator", "approve", "--all")
        try await box.succeed("operator", "buy-outside", "lantern.coins.100")
        try await box.succeed("operator", "buy-outside", "lantern.theme.sepia")
        let note = "3 purchases not delivered on this device yet. Deliver with: storefront restore"
        for shows in ["purse", "unlocks", "entitlements", "transactions"] {
            let answer = try await box.succeed(shows)
            #expect(answer.errors.contains(note + "\n"), "\(answer.whole)")
            #expect(try await box.succeed(shows, "--json").errors.isEmpty)
        }
        let restored = try await box.succeed("restore")
        #expect(restored.rows[0].hasPrefix("delivered  1000001 "), "\(restored.output)")
        #expect(restored.rows[0].contains("  3 × 10 coins  "), "\(restored.output)")
        #expect(restored.output.contains("restored"), "it came to this device for the first time")
        #expect(!restored.output.contains("was here") && !restored.output.contains("Nothing new"))
        #expect(restored.output.contains("Restored 1 purchase.\nDelivered 2 purchases."))
        #expect(try await box.succeed("purse").whole == "130  coins\n")
        let again = try await box.succeed("restore")
        #expect(again.output.contains("was here"))
        #expect(again.output.contains("Nothing new to restore."))
        // Another device could take the next one, so each says that it waits.
        try await box.succeed("restore", "--device", "tablet")
        let sold = try await box.succeed("operator", "buy-outside", "lantern.coins.10", "--json")
        let id = try #require(sold.object["transactionId"].text)
        let waits = try await box.succeed("purse", "--device", "tablet")
        #expect(waits.errors.contains("storefront claim \(id) --device tablet"), "\(waits.whole)")
        try await box.succeed("claim", id, "--device", "tablet")
        #expect(try await box.succeed("purse", "--device", "tablet").whole == "10  coins\n")
    }

    @Test("a purchase outside the app carries the app's token, and counts as a use of it")
    func outsideWithToken() async throws {
        let box = try Sandbox()
        let token = "7b51e2b0-3f0c-4ef5-9d52-0b7f3c6a1f11"
        func sell(_ account: String, _ token: String) async throws -> RunningProgram.Answer {
            try await box.run(
                "operator", "buy-outside", "lantern.theme.sepia", "--account", account,
                "--app-account-token", token)
        }
        let wrong = try await sell("aoi", "7b51")
        #expect(wrong.code == 64 && wrong.errors.contains("wants a UUID"), "\(wrong.whole)")
        for account in ["aoi", "kai"] {
            let sold = try await sell(account, token.uppercased())
            #expect(sold.code == 0, "\(sold.whole)")
            let sale = try await box.succeed("transactions", "--account", account, "--json")
            #expect(sale.object["appAccountToken"].text?.lowercased() == token)
        }
        let notices = try await box.succeed("operator", "notices")
        #expect(notices.output.contains(token), "\(notices.output)")
    }

    @Test("each call fails only with its errors, as often as was asked, or every time [C4]")
    func failures() async throws {
        let box = try Sandbox()
        try await box.succeed("products")
        try await box.succeed("operator", "fail-next", "networkError", "--call", "loadProducts")
        let failed = try await box.run("products", "--json")
        #expect(failed.code != 0)
        try await box.succeed("products")
        try await box.succeed(
            "operator", "fail-next", "systemError", "--call", "appStoreSync", "--every")
        for _ in 0..<2 { #expect(try await box.run("restore").code != 0) }
        #expect(try await box.succeed("operator", "faults").output.contains("appStoreSync"))
        try await box.succeed("operator", "faults", "--clear")
        try await box.succeed("restore")
        let wrong = try await box.run(
            "operator", "fail-next", "paymentDeclined", "--call", "loadProducts")
        #expect(wrong.code == 64)
        let both = try await box.run(
            "operator", "fail-next", "networkError", "--count", "2", "--every")
        #expect(both.code == 64)
        let late = try await box.succeed(
            "operator", "fail-next", "deliveredLate", "--call", "updates", "--delay", "10m",
            "--json")
        #expect(late.object["delayMilliseconds"].number == 600_000)
        for delay in [
            ["deliveredLate", "--delay", "0s"], ["deliveredLate", "--delay", "soon"],
            ["deliveredTwice", "--delay", "10m"],
        ] {
            let answer = try await box.run(["operator", "fail-next", "--call", "updates"] + delay)
            #expect(answer.code == 64 && answer.errors.contains("--delay"), "\(answer.whole)")
        }
        let away = try await box.succeed(
            "operator", "fail-next", "TIMED_OUT", "--call", "notification", "--for", "2d", "--json")
        #expect(away.object["until"].number != nil && away.object["remaining"].number == nil)
        for wrong in [
            ["networkError", "--for", "2d"],
            ["deliveredLate", "--call", "notification", "--for", "2d"],
            ["TIMED_OUT", "--call", "notification", "--for", "soon"],
        ] {
            let answer = try await box.run(["operator", "fail-next"] + wrong)
            #expect(answer.code == 64 && answer.errors.contains("--for"), "\(answer.whole)")
        }
        let list = try await box.succeed("operator", "failures").output
        #expect(list.contains("notification") && list.contains("TIMED_OUT until "))
    }
}
