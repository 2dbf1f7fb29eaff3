import Foundation
import Testing

@Suite("approval and faults", .withProgram, .inTurn)
struct ApprovalTests {
    private func waiting() async throws -> (box: Sandbox, request: String) {
        let box = try Sandbox()
        let on = try await box.succeed("operator", "ask-to-buy", "on")
        #expect(on.output == "Ask to Buy is on for account \"me\": purchases wait for approval.\n")
        let sale = try await box.run("buy", "lantern.theme.sepia", "--json")
        #expect(sale.code == 10)
        #expect(sale.object["outcome"].text == "pending")
        return (box, try #require(sale.object["requestId"].text))
    }

    @Test("with Ask to Buy, a purchase waits with exit code 10 and nothing is sold yet")
    func pending() async throws {
        let (box, request) = try await waiting()
        #expect(try await box.succeed("transactions").output.isEmpty)
        let requests = try await box.succeed("operator", "requests").rows
        #expect(requests.count == 1)
        #expect(requests[0].hasPrefix(request))
        #expect(requests[0].contains("lantern.theme.sepia"))
        let words = try await box.run("buy", "lantern.theme.contrast")
        #expect(words.code == 10)
        #expect(words.output.contains("waiting for approval as request"))
        #expect(words.output.contains("You haven't been charged."))
    }

    @Test("what waits, is declined or sold outside names its quantity")
    func quantity() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "ask-to-buy", "on")
        let pending = try await box.run("buy", "lantern.coins.10", "--quantity", "3")
        #expect(pending.output.hasPrefix("Pending: 3 × 10 coins, waiting for approval"))
        for lists in [["requests"], ["operator", "requests"], ["history"]] {
            #expect(try await box.run(lists).output.contains("3 × 10 coins"), "\(lists)")
        }
        let outside = try await box.succeed(
            "operator", "buy-outside", "lantern.coins.10", "--quantity", "2")
        #expect(outside.output.hasPrefix("Sold 2 × lantern.coins.10 outside the app"))
    }

    @Test("a payment that joins a waiting request says so")
    func joins() async throws {
        let (box, request) = try await waiting()
        let second = try await box.run("buy", "lantern.theme.sepia", "--json")
        #expect(second.code == 10)
        #expect(second.object["requestId"].text == request)
        #expect(second.object["joined"].bool == true)
        let words = try await box.run("buy", "lantern.theme.sepia", "--device", "tablet")
        #expect(words.output.contains("It was asked for before"))
        let other = try await box.run("buy", "lantern.coins.10", "--json")
        #expect(other.object["joined"] == .null)
    }

    @Test("an approved request is sold under its own number and delivered")
    func approve() async throws {
        let (box, request) = try await waiting()
        let approved = try await box.succeed("operator", "approve", request)
        #expect(approved.output == "Approved \(request): it is sold.\n")
        try await box.succeed("restore")
        let sale = try await box.succeed("transactions", "--json").object
        #expect(sale["transactionId"].text == request)
        #expect(try await box.succeed("transactions", "--unfinished").output.isEmpty)
        #expect(try await box.succeed("operator", "requests").output.isEmpty)
        // Approving again is harmless; declining comes too late.
        try await box.succeed("operator", "approve", request)
        let late = try await box.run("operator", "decline", request)
        #expect(late.code == 12)
        #expect(late.errors.contains("Request \(request) of me ended in a sale, at "))
        #expect(late.errors.contains("storefront operator refund \(request)"))
        let never = try await box.run("operator", "decline", "1000099")
        #expect(never.errors.contains("No request 1000099 is waiting."))
    }

    @Test("approving all requests goes on after one that can no longer be sold")
    func approveAll() async throws {
        let (box, _) = try await waiting()
        #expect(try await box.run("buy", "lantern.coins.10").code == 10)
        // The theme is bought outside the app, so its request can no longer become a sale.
        try await box.succeed("operator", "buy-outside", "lantern.theme.sepia")
        let approved = try await box.run("operator", "approve", "--all")
        #expect(approved.code == 12)
        #expect(approved.output.split(separator: "\n").count == 1)
        #expect(approved.errors.contains("was not sold"))
        #expect(try await box.succeed("operator", "requests").output.isEmpty)
    }

    @Test("a declined request charges nothing")
    func decline() async throws {
        let (box, request) = try await waiting()
        let declined = try await box.succeed("operator", "decline", request, "--json")
        #expect(declined.object["declined"].text == request)
        try await box.succeed("restore")
        #expect(try await box.succeed("transactions").output.isEmpty)
        #expect(try await box.run("operator", "approve", request).code == 12)
        #expect(try await box.run("operator", "approve", "abc").code == 64)
        #expect(try await box.run("operator", "approve").code == 64)
        let none = try await box.succeed("operator", "approve", "--all")
        #expect(none.errors == "Nothing was waiting.\n")
    }

    @Test("answering a request that is over says what became of it, and the others are answered")
    func several() async throws {
        let (box, first) = try await waiting()
        let second = try #require(
            try await box.run("buy", "lantern.coins.10", "--json").object["requestId"].text)
        let third = try #require(
            try await box.run("buy", "lantern.coins.100", "--json").object["requestId"].text)
        try await box.succeed("operator", "decline", first)
        let approved = try await box.run("operator", "approve", first, second)
        #expect(approved.code == 12)
        #expect(approved.errors.contains("Request \(first) of me was declined, at "))
        #expect(approved.output == "Approved \(second): it is sold.\n")
        let withdrawn = try await box.run("requests", "withdraw", first, third)
        #expect(withdrawn.code == 12)
        #expect(withdrawn.errors.contains("Request \(first) of me was declined, at "))
        #expect(withdrawn.output.contains(third))
        let late = try await box.run("operator", "approve", third)
        #expect(late.errors.contains("me withdrew request \(third), at "))
        #expect(late.errors.contains("Buying again asks anew."))
    }

    @Test(
        "declining a refund a second time, or after it was given, says what was answered and when")
    func refundAnsweredBefore() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.coins.10")
        let list = try await box.succeed("transactions", "--json").object
        let id = try #require(list["transactionId"].text)
        let never = try await box.run("operator", "decline-refund", id)
        #expect(never.errors.contains("No refund of transaction \(id) was asked for."))
        try await box.succeed("request-refund", id)
        try await box.succeed("operator", "decline-refund", id)
        let twice = try await box.run("operator", "decline-refund", id)
        #expect(twice.code == 12 && twice.output.isEmpty)
        #expect(
            twice.errors.contains("The refund of transaction \(id) was declined, at "),
            "\(twice.errors)")
        #expect(twice.errors.contains("storefront operator refund \(id)"))
        try await box.succeed("request-refund", id)
        try await box.succeed("operator", "refund", id)
        let late = try await box.run("operator", "decline-refund", id)
        #expect(late.code == 12)
        #expect(late.errors.contains("Transaction \(id) was refunded, at "), "\(late.errors)")
    }

    @Test("the errors of calls that are no purchase speak of no purchase and no charge")
    func otherCalls() async throws {
        let box = try Sandbox()
        for error in ["notAvailableInStorefront", "notEntitled", "userCancelled", "unknown"] {
            try await box.succeed("operator", "fail-next", error, "--call", "loadProducts")
            let failed = try await box.run("products")
            #expect(failed.code != 0)
            for word in ["?", "charged", "purchase was", "purchase failed", "don't own"] {
                #expect(!failed.errors.contains(word), "\(error): \(failed.errors)")
            }
        }
        try await box.succeed("buy", "lantern.theme.sepia")
        let owned = try await box.run("operator", "buy-outside", "lantern.theme.sepia")
        #expect(owned.errors.contains("already own"))
    }

    @Test("an account with payments turned off cannot buy [B5]")
    func noPayments() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "payments", "off")
        let refused = try await box.run("buy", "lantern.theme.sepia")
        #expect(refused.code == 12)
        #expect(refused.errors.contains("Payments are off for your account. You weren't charged."))
        #expect(try await box.succeed("products").output.contains("Payments are off for account"))
        try await box.succeed("operator", "payments", "on")
        try await box.succeed("buy", "lantern.theme.sepia")
    }

    @Test(
        "the next purchase fails once with the chosen error, and says nothing was charged",
        arguments: [
            "unknown", "userCancelled", "paymentInvalid", "purchaseNotAllowed",
            "productUnavailable", "notAvailableInStorefront", "notEntitled", "unsupported",
            "networkError", "systemError", "ineligibleForOffer", "invalidOfferIdentifier",
            "invalidOfferPrice", "missingOfferParameters", "invalidOfferSignature",
            "invalidQuantity", "privacyAcknowledgementRequired", "paymentDeclined",
        ])
    func failNext(error: String) async throws {
        let box = try Sandbox()
        let set = try await box.succeed("operator", "fail-next", error)
        #expect(set.output == "The next purchase will fail: \(error).\n")
        let failed = try await box.run("buy", "lantern.coins.10", "--json")
        let code: Int32 =
            switch error {
            case "userCancelled": 11
            case "invalidQuantity": 64
            default: 12
            }
        #expect(failed.code == code)
        #expect(failed.json.count == 1)
        #expect(
            failed.object["outcome"].text == (error == "userCancelled" ? error : "failed"))
        #expect(failed.object["error"]["code"].text == error)
        #expect(failed.object["skError"]["code"].number == Outcome.skErrors[error])
        let message = try #require(failed.object["message"].text)
        #expect(message.contains("You weren't charged."), "\(message)")
        #expect(!message.contains("of that"), "\(message)")
        #expect(try await box.succeed("transactions").output.isEmpty)
        try await box.succeed("buy", "lantern.coins.10")
        #expect(try await box.succeed("purse").output == "10  coins\n")
    }

    @Test("faults are counted, listed and cleared")
    func faults() async throws {
        let box = try Sandbox()
        let two = try await box.succeed("operator", "fail-next", "networkError", "--count", "2")
        #expect(two.output == "The next 2 purchases will fail: networkError.\n")
        #expect(
            try await box.succeed("operator", "faults").cells.dropFirst()
                == ["2", "purchase", "networkError"])
        #expect(try await box.run("buy", "lantern.coins.10").code == 12)
        #expect(
            try await box.succeed("operator", "faults", "--json").object["remaining"].number == 1)
        #expect(
            try await box.succeed("operator", "faults", "--clear").output == "Removed 1 failure.\n")
        try await box.succeed("buy", "lantern.coins.10")
        let wrong = try await box.run("operator", "fail-next", "netwrokError")
        #expect(wrong.code == 64)
        #expect(wrong.errors.contains("Did you mean 'networkError'?"))
        #expect(try await box.run("operator", "fail-next", "unknown", "--count", "0").code == 64)
        // The error's name is right, but it belongs to another call, so `--call` is missing.
        let other = try await box.run("operator", "fail-next", "invalidSignature")
        #expect(other.code == 64)
        #expect(other.errors.contains("Give --call verification."), "\(other.errors)")
        #expect(!other.errors.contains("Did you mean"), "\(other.errors)")
        let call = try await box.run(
            "operator", "fail-next", "invalidSignatur", "--call", "verification")
        #expect(call.errors.contains("Did you mean 'invalidSignature'?"), "\(call.errors)")
    }

    @Test("one of several faults is cleared by its number")
    func oneFault() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "fail-next", "networkError")
        try await box.succeed("operator", "fail-next", "unknown")
        let faults = try await box.succeed("operator", "faults", "--json").json
        let number = try #require(faults.first?["id"].number)
        let name = String(Int(number))
        let cleared = try await box.succeed("operator", "clear-fault", name)
        #expect(cleared.output == "Removed failure \(name): networkError for the next purchase.\n")
        let left = try await box.succeed("operator", "faults", "--json").json
        #expect(left.compactMap { $0["error"].text } == ["unknown"])
        let again = try await box.run("operator", "clear-fault", name)
        #expect(again.code != 0)
        #expect(again.errors.contains("Failure \(name) is not set any more"), "\(again.errors)")
    }

    @Test("a store that has sold nothing says so, instead of its takings")
    func noTakings() async throws {
        let answer = try await Sandbox().run("operator", "takings")
        #expect(answer.code == 0 && answer.output.isEmpty)
        #expect(answer.errors.contains("Nothing was sold yet."), "\(answer.errors)")
    }

    @Test("the takings and the events show every sale")
    func console() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.coins.10", "lantern.coins.100", "--quantity", "2")
        let takings = try await box.succeed("operator", "takings", "--json").object
        #expect(takings["currency"].text == "USD")
        #expect(takings["soldMilliunits"].number == 2 * (990 + 7990))
        #expect(takings["sales"].number == 2)
        let events = try await box.succeed("operator", "events")
        #expect(events.json.allSatisfy { $0["event"] != .null && $0["position"] != .null })
        #expect(events.json.count { $0["event"].text == "sold" } == 2)
        #expect(events.json.count { $0["event"].text == "finished" } == 2)
    }
}
