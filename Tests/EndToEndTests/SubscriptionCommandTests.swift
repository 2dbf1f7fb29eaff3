import Foundation
import Testing

/// The answers of commands about subscriptions, plans, shares and the settings of renewals.
@Suite("subscriptions by command", .withProgram, .inTurn)
struct SubscriptionCommandTests {
    private static let month = "lantern.membership.plus.month"
    private static let year = "lantern.membership.plus.year"

    private func stopped() async throws -> Sandbox {
        let box = try Sandbox()
        try await box.succeed("operator", "clock", "to", "2027-01-31T09:00:00Z")
        try await box.succeed("operator", "clock", "stop")
        return box
    }

    private static let familyPlan = "lantern.membership.family.month"

    /// The family of mum and dad, of whom mum has a plan that she shares.
    private func family() async throws -> Sandbox {
        let box = try await stopped()
        try await box.succeed("operator", "family", "create", "mum")
        try await box.succeed("operator", "family", "join", "dad", "--organizer", "mum")
        try await box.succeed("buy", Self.familyPlan, "--account", "mum")
        return box
    }

    /// In the ledger, so that no process records what has become due.
    private func pass(to milliseconds: Int, in box: Sandbox) throws {
        let state = "{\"stopped\":{\"at\":\(milliseconds)}}"
        try Database(box.ledger).rows(
            "UPDATE meta SET value = CAST('\(state)' AS BLOB) WHERE name = 'clock'")
    }

    /// 2027-03-05T09:00:00Z, in the second period of the subscriptions bought on January 31.
    private static let afterRenewal = 1_804_237_200_000

    @Test("after the clock passed while the store was closed, each list is of now")
    func closed() async throws {
        let closed = try await stopped()
        try await closed.succeed("buy", Self.month)
        try await closed.succeed("unlocks")
        /// A copy of that store, whose clock is moved past the renewal.
        func box() throws -> Sandbox {
            let box = try Sandbox()
            try FileManager.default.copyItem(
                atPath: closed.folder + "/data", toPath: box.folder + "/data")
            try pass(to: Self.afterRenewal, in: box)
            return box
        }
        let sold = try await box().succeed("transactions", "--product", Self.month)
        #expect(sold.rows.count == 2, "\(sold.whole)")
        let waiting = try await box().succeed("transactions", "--unfinished")
        #expect(waiting.rows.count == 1, "\(waiting.whole)")
        let history = try await box().succeed("history", "--kind", "sold", "--json")
        #expect(history.json.count == 2, "\(history.whole)")
        let takings = try await box().succeed("operator", "takings", "--json").object
        #expect(takings["sales"].number == 2, "\(takings)")
        let next = try await box().succeed("operator", "clock", "--json").object["next"]
        #expect(next["at"].number ?? 0 > Self.afterRenewal, "\(next)")
        let record = try await box().succeed("unlocks", "--json").object
        #expect(record["products"].items.count == 1, "\(record)")
        #expect(record["validUntil"].number ?? 0 > Self.afterRenewal, "\(record)")
        #expect(try await box().succeed("entitlements").rows.count == 1)
    }

    @Test("of a store that cannot be written the clock says what is overdue", .withMounts)
    func overdue() async throws {
        let box = try await stopped()
        try await box.succeed("buy", Self.month)
        try pass(to: Self.afterRenewal, in: box)
        let clock = try await MountNamespace.readOnly("operator clock", in: box)
        #expect(clock.output.contains("overdue: renewal of"), "\(clock.whole)")
        let next = try await box.succeed("operator", "clock").output
        #expect(next.contains("next: renewal of"), "\(next)")
    }

    @Test("a member's lists have the renewals of what is shared, in a store that was closed")
    func closedFamily() async throws {
        let box = try await family()
        try pass(to: Self.afterRenewal, in: box)
        let history = try await box.succeed(
            "history", "--account", "dad", "--kind", "sold", "--json")
        #expect(history.json.count == 2, "\(history.whole)")
        #expect(try await box.succeed("transactions", "--account", "dad").rows.count == 2)
    }

    @Test("renewals without an option prints how subscriptions renew")
    func settings() async throws {
        let box = try Sandbox()
        let first = try await box.succeed("operator", "renewals", "--json").object
        #expect(first["rate"].text == "realTime" && first["billing"].text == "succeed")
        try await box.succeed(
            "operator", "renewals", "--rate", "monthlyRenewalEveryHour", "--billing", "fail",
            "--grace", "on", "--limit-per-day", "6")
        let line = try await box.succeed("operator", "renewals").output
        for part in ["monthlyRenewalEveryHour", "12 renewals", "6 in 24 hours", "fail", "grace"] {
            #expect(line.contains(part), "\(part) in \(line)")
        }
        let set = try await box.succeed("operator", "renewals", "--json").object
        #expect(set["billing"].text == "fail" && set["limit"].number == 12)
        #expect(try await box.run("operator", "renewals", "--rate", "quickly").code == 64)
    }

    @Test(
        "a planned change names both plans and its date, and buying the own plan says what it does")
    func plans() async throws {
        let box = try await stopped()
        try await box.succeed("buy", Self.year)
        try await box.succeed("buy", Self.month)
        let screen = try await box.succeed("screenshot", "--keys", "3").output
        #expect(screen.contains("Lantern Plus, yearly, then Lantern Plus  from "), "\(screen)")
        let timeline = try await box.succeed("subscriptions", Self.year, "--timeline").output
        let planned = try #require(timeline.split(separator: "\n").first { $0.contains("planned") })
        #expect(planned.contains(", then ") && planned.contains("from "), "\(planned)")
        let history = try await box.succeed("history").output
        #expect(history.contains(", then "), "\(history)")
        try await box.succeed("operator", "auto-renew", "off", "1000001")
        let again = try await box.succeed("buy", Self.year)
        #expect(again.output.contains("Auto-renew of"), "\(again.output)")
        #expect(!(try await box.succeed("buy", Self.year).output.contains("Auto-renew of")))
        try await box.succeed("operator", "expire", "1000001")
        #expect(try await box.succeed("subscriptions", Self.month).output.contains("expired"))
        #expect(try await box.run("subscriptions", "lantern.coins.10").code == 12)
        try await box.succeed("operator", "clock", "advance", "5d")
        try await box.succeed("buy", Self.month)
        let lapsed = try await box.succeed("subscriptions", "--timeline").output
        #expect(lapsed.contains("subscribed again") && !lapsed.contains("changed the plan"))
    }

    @Test("buying the own plan says that it takes a planned change back, and JSON names both")
    func takenBack() async throws {
        let box = try await stopped()
        try await box.succeed("buy", Self.year)
        let planned = try await box.succeed("buy", Self.month, "--json").object
        #expect(planned["planChange"].text == "planned" && planned["outcome"].text == "purchased")
        let kept = try await box.succeed("buy", Self.year)
        #expect(
            kept.output.contains(
                "You keep Lantern Plus, yearly: the change to Lantern Plus is withdrawn."),
            "\(kept.output)")
        let words = try await box.succeed("buy", Self.month).output
        #expect(words.contains(/begins on 20\d\d-\S+; 1000001 continues until then/), "\(words)")
        let line = try await box.succeed("buy", Self.year, "--json").object
        #expect(line["planChange"].text == "takenBack", "\(line)")
        #expect(try await box.succeed("buy", Self.year, "--json").object["planChange"] == .null)
    }

    @Test("what was revoked, replaced by another plan, or never ends is called so [D3]")
    func ends() async throws {
        let box = try await stopped()
        try await box.succeed("buy", Self.month)
        try await box.succeed("buy", "lantern.membership.family.month")
        let replaced = try await box.succeed("transactions", "--product", Self.month).output
        #expect(replaced.contains("plan changed 2027-"), "\(replaced)")
        try await box.succeed("operator", "revoke", "1000002")
        let revoked = try await box.succeed("subscriptions").output
        #expect(revoked.contains("  revoked  2027-") && !revoked.contains("refunded"), "\(revoked)")
        try await box.succeed("operator", "reverse-refund", "1000002")
        try await box.succeed("operator", "refund", "1000002")
        #expect(try await box.succeed("subscriptions").output.contains("  refunded  2027-"))
        try await box.succeed("buy", "lantern.letters.month", "--no-wait")
        #expect(
            try await box.succeed("subscriptions", "lantern.letters.month").output
                .contains("never ends"))
    }

    @Test("a product that is no subscription, one off sale, and an unknown number are told apart")
    func named() async throws {
        let box = try await stopped()
        try await box.succeed("buy", Self.month)
        let coins = try await box.run("subscriptions", "lantern.coins.10")
        #expect(coins.code == 12 && coins.errors.contains("is no subscription"), "\(coins.errors)")
        try await box.succeed("operator", "publish", Self.month, "uploaded")
        #expect(try await box.succeed("subscriptions", Self.month).rows.count >= 1)
        for words in [["expire", "99"], ["refund", "99"], ["extend", "3", "99"]] {
            let unknown = try await box.run(["operator"] + words)
            #expect(unknown.code == 12 && unknown.errors.contains("The store has no transaction"))
        }
    }

    @Test("advice about an account names the account")
    func advice() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "payments", "off", "--account", "kai")
        let refused = try await box.run("buy", Self.month, "--account", "kai", "--json")
        let command = "storefront operator payments on --account kai"
        #expect(refused.code == 12 && refused.errors.contains(command), "\(refused.errors)")
        #expect(refused.object["message"].text?.contains(command) == true)
        try await box.succeed("operator", "network", "terminal", "off", "--account", "kai")
        let offline = try await box.run("restore", "--account", "kai")
        #expect(offline.errors.contains("operator network terminal on --account kai"))
    }

    @Test("a period that has just begun, and one charged ahead, are told as they are")
    func ahead() async throws {
        let box = try await stopped()
        try await box.succeed("buy", Self.month)
        let early = try await box.run("operator", "renew", "1000001")
        #expect(early.code == 12 && early.errors.contains("this very instant"), "\(early.errors)")
        try await box.succeed("operator", "clock", "next")
        let entitled = try await box.succeed("entitlements", "--json").object
        let line = try await box.succeed("subscriptions").output
        #expect(line.contains("already charged"), "\(line)")
        let ahead = try await box.run("operator", "renew", "1000001")
        #expect(ahead.code == 12 && ahead.errors.contains("charged already"), "\(ahead.errors)")
        let advice = try #require(ahead.errors.firstMatch(of: /storefront (operator clock to \S+)/))
        let status = try await box.succeed("subscriptions", "--json").object
        #expect(status["transaction"]["expiresDate"].number == entitled["expiresDate"].number)
        try await box.succeed("operator", "price-increase", "ask", "1000001")
        let twice = try await box.succeed("operator", "price-increase", "ask", "1000001")
        #expect(twice.output.contains("already"), "\(twice.output)")
        // With auto-renew off it ends with the last paid period, not with the present one.
        try await box.succeed("operator", "auto-renew", "off", "1000001")
        let ending = try await box.succeed("subscriptions").output
        #expect(ending.contains("ends on 2027-03-31"), "\(ending)")
        let paid = try await box.succeed("subscriptions", "--json").object["paidUntil"]
        #expect(paid.number.map { $0 / 60_000 } == 30_108_060)
        // The command that the refusal advises leads into the next period.
        let followed = try await box.run(advice.1.split(separator: " ").map(String.init))
        #expect(followed.code == 0, "\(followed.errors)")
        let next = try await box.succeed("entitlements", "--json").object
        #expect(next["transactionId"].text == "1000002")
    }

    @Test(
        "a higher price is asked, and the renewal follows the answer",
        arguments: [true, false, nil])
    func priceIncrease(consents: Bool?) async throws {
        let box = try await stopped()
        try await box.succeed("buy", Self.month)
        try await box.succeed("operator", "price-increase", "ask", "1000001")
        let asked = try await box.succeed("subscriptions").output
        #expect(asked.contains("price-increase consent 1000001"), "\(asked)")
        let info = try await box.succeed("subscriptions", "--json").object["renewalInfo"]
        #expect(info["priceIncreaseStatus"].number == 0)
        if let consents {
            let word = consents ? "consent" : "decline"
            try await box.succeed("operator", "price-increase", word, "1000001")
        }
        try await box.succeed("operator", "clock", "advance", "40d")
        let after = try await box.succeed("subscriptions", "--json").object
        if consents == true {
            #expect(after["state"].text == "subscribed")
            #expect(try await box.succeed("transactions", "--json").json.count == 2)
        } else {
            #expect(after["state"].text == "expired")
            #expect(after["renewalInfo"]["expirationIntent"].number == 3)
            #expect(try await box.succeed("transactions", "--json").json.count == 1)
        }
        let again = try await box.run("operator", "price-increase", "consent", "1000001")
        #expect(consents == true || again.code == 12)
    }

    @Test("managing subscriptions can be made to fail, once")
    func manage() async throws {
        let box = try await stopped()
        try await box.succeed("buy", Self.month)
        try await box.succeed(
            "operator", "fail-next", "networkError", "--call", "manageSubscriptions")
        #expect(try await box.run("subscriptions", "--manage").code != 0)
        #expect(try await box.succeed("subscriptions", "--manage").output.contains("active"))
    }

    @Test("an extension for all with an id is not made twice; an unknown product changes nothing")
    func extendAll() async throws {
        let box = try await stopped()
        // The first use of a request id counts even if it extends no subscription.
        let early = UUID().uuidString
        let before = ["operator", "extend-all", "3", Self.month, "--request-id", early]
        #expect(try await box.run(before).output.contains("No subscription is left"))
        try await box.succeed("operator", "clock", "advance", "1m")
        try await box.succeed("buy", Self.month)
        #expect(try await box.run(before).output.contains("No subscription is left"))
        let id = UUID().uuidString
        let words = ["operator", "extend-all", "3", Self.month, "--request-id", id]
        #expect(try await box.run(words).output.contains("1 subscription is extended"))
        #expect(try await box.run(words).output.contains("No subscription is left"))
        #expect(try await box.run("operator", "extend-all", "3", "no.such").code == 12)
        for words in [["extend-all", "3", "no.such"], ["publish", "no.such", "approved"]] {
            let refused = try await box.run(["operator"] + words)
            #expect(refused.code == 12 && !refused.errors.contains("charged"), "\(refused.errors)")
        }
    }

    @Test("what a family shares says by whom, is not bought by accident, and is not refunded")
    func shares() async throws {
        let box = try await family()
        for command in ["transactions", "entitlements", "subscriptions"] {
            let list = try await box.succeed(command, "--account", "dad").output
            #expect(list.contains("shared by mum"), "\(command): \(list)")
        }
        let json = try await box.succeed("subscriptions", "--account", "dad", "--json").object
        #expect(json["sharedBy"].text == "mum")
        let share = try #require(
            try await box.succeed("transactions", "--account", "dad", "--json").object[
                "transactionId"
            ].text)
        let bought = try await box.run("buy", Self.familyPlan, "--account", "dad")
        #expect(bought.code == 12 && bought.errors.contains("--again"), "\(bought.errors)")
        try await box.succeed("buy", Self.familyPlan, "--account", "dad", "--again")
        let refund = try await box.run("request-refund", share, "--account", "dad")
        #expect(refund.code == 12 && refund.errors.contains("Only \"mum\" can ask"))
        // An extension of a shared period counts one renewal, not two.
        let renewed = try await box.succeed("operator", "clock", "advance", "1mo").output
        #expect(renewed.contains("2 renewals."), "\(renewed)")
        try await box.succeed("operator", "family", "share", "mum", "off")
        let revoked = try await box.succeed("subscriptions", "--account", "dad")
        #expect(revoked.rows.count == 2, "\(revoked.whole)")
        #expect(
            revoked.rows.contains {
                $0.contains("revoked") && $0.contains("no longer shared by mum")
            },
            "\(revoked.whole)")
        let one = try await box.succeed("operator", "family", "share", "mum", Self.familyPlan, "on")
        #expect(one.output.contains("shares none of its purchases"), "\(one.output)")
        let joined = try await box.run(
            "operator", "family", "join", "kai", "--organizer", "dad")
        #expect(joined.code == 12 && joined.errors.contains("--organizer mum"), "\(joined.errors)")
        let alone = try await box.run(
            "operator", "family", "join", "kai", "--organizer", "zoe")
        #expect(alone.errors.contains("operator family create zoe"), "\(alone.errors)")
    }

    @Test("in a grace period the renewal is unpaid, and access has its end, for a member too")
    func grace() async throws {
        let box = try await family()
        try await box.succeed("operator", "renewals", "--billing", "fail", "--grace", "on")
        try await box.succeed("operator", "clock", "advance", "35d")
        for (account, words) in [("mum", ""), ("dad", "shared by mum, ")] {
            let list = try await box.succeed("entitlements", "--account", account).output
            #expect(
                list.contains(words + "payment failed; access until 2027-03-16"), "\(list)")
            #expect(!list.contains("renews"), "\(list)")
            let json = try await box.succeed("entitlements", "--account", account, "--json").object
            let grace = try #require(json["gracePeriodExpiresDate"].number)
            #expect(grace == (json["expiresDate"].number ?? 0) + 16 * 86_400_000)
        }
        func status() async throws -> (line: String, json: JSON) {
            let words = ["subscriptions", "--account", "dad"]
            return (
                try await box.run(words).output, try await box.run(words + ["--json"]).object
            )
        }
        let grace = try await status()
        #expect(grace.json["state"].text == "inGracePeriod")
        #expect(grace.json["sharedBy"].text == "mum")
        let words = "shared by mum, payment failed; access until 2027-03-16"
        #expect(grace.line.contains("grace period") && grace.line.contains(words), "\(grace)")
        try await box.succeed("operator", "clock", "advance", "20d")
        let unpaid = try await status()
        #expect(unpaid.json["state"].text == "inBillingRetryPeriod")
        #expect(unpaid.line.contains("shared by mum, no access"), "\(unpaid)")
    }

    @Test(
        "a restore that fails half-way lists what came back, and brings the rest when repeated [A3]"
    )
    func halfRestore() async throws {
        let box = try Sandbox()
        for product in ["lantern.theme.sepia", "lantern.theme.contrast"] {
            try await box.succeed("buy", product)
        }
        let set = try await box.succeed(
            "operator", "fail-next", "networkError", "--call", "appStoreSync", "--after", "1")
        #expect(set.output == "The next restore will fail after 1 purchase: networkError.\n")
        #expect(try await box.succeed("operator", "faults").output.contains("after 1 purchase"))
        let failed = try await box.run("restore", "--device", "tablet")
        #expect(failed.code != 0)
        #expect(failed.output.contains("1 purchase came back"), "\(failed.whole)")
        #expect(failed.output.contains("lantern.theme."))
        let whole = try await box.succeed("restore", "--device", "tablet", "--json").object
        #expect(whole["restored"].items.count == 1 && whole["alreadyHere"].items.count == 1)
        let wrong = try await box.run("operator", "fail-next", "networkError", "--after", "1")
        #expect(wrong.code == 64 && wrong.errors.contains("--call appStoreSync"))
    }

    @Test("in a commitment a change of plan is told with the day on which the commitment ends")
    func planAfterCommitment() async throws {
        let box = try await stopped()
        try await box.succeed("buy", Self.year, "--billing-plan", "monthly")
        // The free trial comes before the period of the commitment.
        try await box.succeed("operator", "clock", "to", "2027-02-08T09:00:00Z")
        let change = try await box.succeed("buy", "lantern.membership.basic.month")
        #expect(change.output.contains("begins on 2028-02-07"), "\(change.output)")
        let list = try await box.succeed("subscriptions").output
        #expect(list.contains("renews on 2027-03-07") && list.contains("then Lantern Basic"))
        let json = try await box.succeed("buy", "lantern.membership.basic.month", "--json").object
        #expect(json["planChange"].text == "planned" && json["planStartDate"].number != nil)

        let way = try await box.succeed("buy", Self.year, "--billing-plan", "upFront")
        #expect(way.output.contains("is paid up front from 2028-02-07"), "\(way.output)")
        #expect(!way.output.contains("Already owned"))
        #expect(try await box.succeed("subscriptions").output.contains("then paid up front"))
        let timeline = try await box.succeed("subscriptions", "--timeline").output
        #expect(timeline.contains("payment up front  from 2028-02-07"), "\(timeline)")
        let kept = try await box.succeed("buy", Self.year).output
        #expect(kept.contains("the change to payment up front is withdrawn"), "\(kept)")

        try await box.succeed("operator", "ask-to-buy", "on")
        let asked = try await box.run("buy", "lantern.membership.basic.month", "--json")
        let request = try #require(asked.object["requestId"].text)
        let approved = try await box.succeed("operator", "approve", request).output
        #expect(approved.contains("begins on 2028-02-07"), "\(approved)")
        #expect(!approved.contains("next renewal"), "\(approved)")
    }

    @Test("a plan that is no longer sold ends with its period, and is not said to renew")
    func noLongerSold() async throws {
        let box = try await stopped()
        try await box.succeed("buy", Self.month)
        try await box.succeed("operator", "publish", Self.month, "uploaded")
        let list = try await box.succeed("subscriptions").output
        #expect(list.contains("ends on 2027-02-28") && list.contains("no longer sold"), "\(list)")
        #expect(!list.contains("renews on"), "\(list)")
        #expect(list.contains("storefront operator publish \(Self.month) approved"), "\(list)")
        try await box.succeed("operator", "publish", Self.month, "approved")
        #expect(try await box.succeed("subscriptions").output.contains("renews on 2027-02-28"))
    }

    @Test(
        "a subscription that ended at the limit of renewals says so, and not that the store ended it"
    )
    func atTheLimit() async throws {
        let box = try await stopped()
        try await box.succeed("buy", Self.month)
        try await box.succeed("operator", "renewals", "--limit", "1")
        try await box.succeed("operator", "clock", "advance", "1y")
        let list = try await box.succeed("subscriptions").output
        #expect(list.contains("ended: the limit of renewals was reached"), "\(list)")
        let json = try await box.succeed("subscriptions", "--json").object
        #expect(json["isAtRenewalLimit"].bool == true, "\(json)")
        try await box.succeed("operator", "renewals", "--limit", "none")
        try await box.succeed("buy", Self.month)
        let last = try #require(
            try await box.succeed("transactions", "--json").json.last?["transactionId"].text)
        try await box.succeed("operator", "expire", last)
        let ended = try await box.succeed("subscriptions").output
        #expect(ended.contains("ended") && !ended.contains("limit"), "\(ended)")
    }

    @Test("issues come with a subscription, are downloaded, arrive by date, stay after it [D5, D9]")
    func issues() async throws {
        let box = try Sandbox()
        let letters = "lantern.letters.month"
        try await box.succeed("operator", "clock", "to", "2027-01-15T09:00:00Z")
        try await box.succeed("operator", "clock", "stop")
        let before = try await box.succeed("issues", letters, "--json").json
        #expect(before.map { $0["id"].text } == ["2027-01", "2026-12", "2026-11", "2026-10"])
        #expect(before.allSatisfy { $0["isOwned"].bool == false })
        try await box.succeed("buy", letters, "--bandwidth", "unlimited")
        let active = try await box.succeed("subscriptions", "--json").object["active"]
        #expect(active[0]["from"].number != nil && active[0]["until"].number == nil)
        let timeline = try await box.succeed("subscriptions", "--timeline").output
        #expect(timeline.contains("active from 2027-01-15T09:"), "\(timeline)")
        #expect(timeline.contains("Z, without an end"), "\(timeline)")
        func owned() async throws -> [String?] {
            try await box.succeed("issues", letters, "--json").json
                .filter { $0["isOwned"].bool == true }.map { $0["id"].text }
        }
        #expect(try await owned() == ["2027-01"])
        let path = try #require(
            try await box.succeed("downloads", "--json").json.first?["path"].text)
        let text = try String(contentsOfFile: path + "/Contents/letter.txt", encoding: .utf8)
        #expect(text.hasPrefix("Lantern Letters"))
        try await box.succeed("operator", "clock", "to", "2027-02-02T09:00:00Z")
        #expect(try await owned() == ["2027-02", "2027-01"])
        try await box.succeed("downloads", "resume", letters)
        let list = try await box.succeed("downloads", "--json").json
        #expect(list.map { $0["contentId"].text ?? $0["contentID"].text }.count == 2)
        #expect(try await box.run("issues", "no.such").code == 12)
    }
}
