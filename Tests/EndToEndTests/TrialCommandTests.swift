import Foundation
import Testing

/// The list of trials in the program, each made to happen by its own commands, and what `trials`
/// does with a list.
@Suite("trials, by command", .withProgram, Turns())
struct TrialCommandTests {
    /// The list's file, which the program contains.
    private static let list: JSON = {
        let text = try? String(
            contentsOfFile: Program.root + "/Documentation/trials.json", encoding: .utf8)
        return JSON(line: text ?? "")
    }()

    static let trials = list["trials"].items.compactMap { $0["id"].text }

    private static func commands(_ id: String) -> [[String]] {
        let trial = list["trials"].items.first { $0["id"].text == id }
        return (trial?["commands"].items ?? []).compactMap(\.text).map(words)
    }

    private static func words(_ command: String) -> [String] {
        command.split(separator: " ").map(String.init)
    }

    private func isSeen(_ trial: String, _ box: Sandbox, on device: String = "terminal")
        async throws -> Bool?
    {
        try await box.succeed("trials", trial, "--json", "--device", device).object["isSeen"].bool
    }

    @Test("the list has every area, and both languages say each trial")
    func whole() {
        #expect(Self.trials.count >= 40)
        let areas = Self.list["areas"].items.compactMap { $0["id"].text }
        #expect(Set(Self.list["trials"].items.compactMap { $0["area"].text }) == Set(areas))
        for trial in Self.list["trials"].items {
            #expect(trial["title"].names == ["en", "ja"] && trial["how"].names == ["en", "ja"])
            #expect(!trial["commands"].items.isEmpty && trial["opens"] != .null, "\(trial)")
        }
    }

    @Test(
        "a trial is ticked by the commands that it names, with its evidence [A12, I1]",
        arguments: trials)
    func ticks(_ id: String) async throws {
        let box = try Sandbox()
        try box.copyContent()
        let before = try await box.succeed("trials", id, "--json").object
        #expect(before["isSeen"].bool == false && before["evidence"].items.isEmpty)
        for command in Self.commands(id) { _ = try await box.run(command) }
        let after = try await box.succeed("trials", id, "--json").object
        #expect(after["isSeen"].bool == true, "\(after)")
        #expect(after["evidence"].items.count == after["seenBy"].items.count)
        for line in after["evidence"].items {
            #expect((line["position"].number ?? line["logNumber"].number ?? 0) > 0, "\(line)")
        }
        for signed in after["signedTransactionInfo"].items {
            #expect(signed.text?.split(separator: ".").count == 3)
        }
        // JSON tells what the filter asks for.
        let last = after["evidence"].items.last
        switch id {
        case "catalog": #expect(last?["takesOffSale"].bool == true)
        case "downgrade": #expect(last?["subscription"]["isDowngrade"].bool == true)
        case "code": #expect(last?["offerKind"].text == "code")
        default: break
        }
    }

    private static let puzzles =
        Program.root + "/Tests/CatalogTests/Configurations/Puzzles-5.0.storekit"

    @Test(
        "beside another catalog a trial names what that sells, and is ticked by it [A12, I1]",
        arguments: ["consumable", "recorded", "pass", "trial", "ended", "failed"])
    func elsewhere(_ id: String) async throws {
        let box = try Sandbox(["STOREFRONT_CATALOG": Self.puzzles])
        let before = try await box.succeed("trials", id, "--json").object
        let commands = before["commands"].items.compactMap(\.text)
        #expect(!commands.isEmpty)
        for command in commands {
            #expect(command.hasPrefix("storefront ") && !command.contains("lantern."))
            _ = try await box.run(Array(Self.words(command).dropFirst()))
        }
        #expect(try await isSeen(id, box) == true)
    }

    @Test("a trial that another app's catalog cannot show says what is not sold [I1]")
    func notElsewhere() async throws {
        let box = try Sandbox(["STOREFRONT_CATALOG": Self.puzzles])
        let hosted = try await box.succeed("trials", "downloaded")
        #expect(
            hosted.output == """
                Hosted content is downloaded, then its purchase is finished (Content and downloads): not seen
                How:
                  This catalog sells no non-consumable with hosted content.
                Seen by:
                  kind:sold
                  is:downloaded

                """)
        let all = try await box.succeed("trials", "--json")
        #expect(all.json.count == Self.trials.count && !all.output.contains("lantern."))
    }

    /// What is only like a trial: the filters of what happens instead, and the commands.
    static let neighbours: [(String, [String], [String])] = [
        ("request", ["kind:sold is:outside"], ["operator buy-outside lantern.theme.sepia"]),
        ("restored", ["kind:sold", "kind:restored"], ["buy lantern.coins.10", "restore"]),
        ("campaign", ["kind:sold is:free"], ["buy lantern.letters.month"]),
        (
            "payments-off", ["kind:failed is:purchaseNotAllowed"],
            ["operator fail-next purchaseNotAllowed", "buy lantern.coins.10"]
        ),
        (
            "payments-off", ["kind:accountChanged", "kind:failed is:purchaseNotAllowed"],
            [
                "operator payments off --account kai", "trials reset",
                "operator ask-to-buy on --account kai", "buy lantern.coins.10 --account kai",
            ]
        ),
        (
            "catalog", ["kind:catalogRevised is:laterRevision"],
            ["operator publish lantern.theme.sepia inTest"]
        ),
        ("territory", ["kind:accountChanged"], ["operator ask-to-buy on --account JPN"]),
        (
            "territory", ["kind:accountChanged"],
            [
                "operator territory JPN --account kai", "trials reset",
                "operator ask-to-buy on --account kai",
            ]
        ),
        (
            "twice", ["account:me kind:sold", "account:mum kind:sold"],
            ["buy lantern.coins.10", "buy lantern.coins.10 --account mum"]
        ),
        (
            "downgrade", ["kind:planChange is:planChangePlanned"],
            ["buy lantern.membership.plus.month", "buy lantern.membership.plus.year"]
        ),
        ("free", ["kind:sold is:freeTrial"], ["buy lantern.membership.plus.year"]),
        (
            "damaged", ["is:downloadFailed", "is:downloaded"],
            [
                "operator download-failures terminal --disconnect-at 100",
                "buy lantern.book.lighthouse.1 --bandwidth unlimited",
                "downloads resume lantern.book.lighthouse.1 --bandwidth unlimited",
            ]
        ),
        (
            "resumed", ["is:contentRemoved", "is:downloadResumed", "is:downloaded"],
            [
                "buy lantern.book.lighthouse.1 --bandwidth unlimited",
                "downloads remove lantern.book.lighthouse.1",
                "downloads resume lantern.book.lighthouse.1 --bandwidth unlimited",
            ]
        ),
    ]

    @Test("what is only like a trial happens, and does not tick it [I1]", arguments: neighbours)
    func alike(trial: String, instead: [String], commands: [String]) async throws {
        let box = try Sandbox()
        try box.copyContent()
        let trials = instead.enumerated().map { number, filter in
            """
            {"id": "\(number)", "area": "own", "title": {"en": "A"}, "how": {"en": "B."},
             "seen": ["\(filter)"]}
            """
        }
        let list = try box.file(
            "instead.json",
            """
            {"areas": [{"id": "own", "name": {"en": "Own"}}],
             "trials": [\(trials.joined(separator: ", "))]}
            """)
        for command in commands {
            let answer = try await box.run(Self.words(command))
            #expect(answer.code != 64, "\(command): \(answer.errors)")
        }
        let happened = try await box.succeed("trials", "--list", list, "--json").json
        #expect(happened.map { $0["isSeen"].bool } == instead.map { _ in true })
        #expect(try await isSeen(trial, box) == false)
    }

    @Test("a purchase that another device claims does not come back at that device's launch [I1]")
    func claimed() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.coins.10", "--leave-unfinished")
        try await box.succeed("claim", "1000001", "--device", "tablet")
        #expect(try await isSeen("interrupted-delivery", box, on: "tablet") == false)
        #expect(try await isSeen("claimed", box) == true)
    }

    @Test(
        "a purchase whose verification failed comes back at the next launch, as its trial says [I1]"
    )
    func unverifiedOnce() async throws {
        let box = try Sandbox()
        try await box.succeed(
            "operator", "fail-next", "invalidSignature", "--call", "verification")
        _ = try await box.run("buy", "lantern.theme.sepia")
        #expect(try await isSeen("interrupted-delivery", box) == false)
        try await box.succeed("restore")
        #expect(try await isSeen("interrupted-delivery", box) == true)
    }

    @Test("a consumable whose verification failed is left for a claim, as its trial says [I1]")
    func claimedUnverified() async throws {
        let trial = Self.list["trials"].items.first { $0["id"].text == "claimed" }
        #expect(trial?["how"]["en"].text?.contains("a signature that is not valid") == true)
        let box = try Sandbox()
        try await box.succeed(
            "operator", "fail-next", "invalidSignature", "--call", "verification")
        _ = try await box.run("buy", "lantern.coins.10")
        try await box.succeed("claim", "1000001", "--device", "tablet")
        #expect(try await isSeen("claimed", box) == true)
    }

    @Test("a subscription that is bought again by request answers it, too [I1]")
    func requestInAChain() async throws {
        let box = try Sandbox()
        let plan = "lantern.membership.plus.month"
        try await box.succeed("buy", plan)
        try await box.succeed("operator", "expire", "1000001")
        try await box.succeed("operator", "ask-to-buy", "on")
        _ = try await box.run("buy", plan)
        #expect(try await isSeen("deferred", box) == false)
        try await box.succeed("operator", "approve", "--all")
        #expect(try await isSeen("deferred", box) == true)
    }

    @Test("while the clock stands still, the device's log ticks after another device's reset [I1]")
    func stoppedClock() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "clock", "stop")
        try await box.succeed("buy", "lantern.theme.sepia", "--device", "tablet")
        try await box.succeed("trials", "reset", "--device", "tablet")
        try await box.succeed("restore")
        #expect(try await isSeen("restored", box) == true)
        try await box.succeed("trials", "reset")
        #expect(try await isSeen("restored", box) == false)
    }

    @Test("the table names what is seen and what is missing, by area, in both languages [I1]")
    func table() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.coins.10")
        let all = try await box.succeed("trials", "--area", "buying")
        #expect(
            all.cells.prefix(4) == [
                "consumable", "Buying", "seen", "A consumable is bought and finished",
            ])
        #expect(all.errors == "1 of 12 seen\n")
        let missing = try await box.succeed("trials", "--missing", "--area", "buying")
        #expect(missing.rows.count == 11 && !missing.output.contains("consumable"))
        let japanese = try await box.succeed("trials", "--area", "buying", "--language", "ja")
        #expect(japanese.output.contains("消耗型の商品が購入され、完了する"))
        #expect(japanese.errors == "12件中1件を確認\n")
        let one = try await box.succeed("trials", "quantity")
        #expect(
            one.output == """
                Several pieces are bought at once (Buying): not seen
                How:
                  On the payment sheet type the quantity.
                Commands:
                  storefront buy lantern.coins.10 --quantity 3
                Seen by:
                  kind:sold is:several

                """)
        let none = try await box.run("trials", "xylophone")
        #expect(none.errors.contains("See them all with: storefront trials"))
        let noArea = try await box.run("trials", "--area", "xylophone")
        #expect(noArea.errors.contains("The list has delivery, shop, buying, "))
        let wrong = try await box.run("trials", "quantitty")
        #expect(wrong.code == 64 && wrong.errors.contains("Did you mean 'quantity'?"))
        let area = try await box.run("trials", "--area", "byuing")
        #expect(area.code == 64 && area.errors.contains("Did you mean 'buying'?"))
        let customer = try await box.run("trials", "--customer")
        #expect(customer.code == 64)
    }

    @Test("after a reset only what happens later ticks, also what only the device knows [I1]")
    func reset() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        func failToRestore() async throws {
            try await box.succeed(
                "operator", "fail-next", "networkError", "--call", "appStoreSync")
            _ = try await box.run("restore")
        }
        try await failToRestore()
        func seen() async throws -> Set<String> {
            let lines = try await box.succeed("trials", "--json").json
            return Set(lines.filter { $0["isSeen"].bool == true }.compactMap { $0["trial"].text })
        }
        #expect(try await seen() == ["request", "recorded", "restore-fails"])
        let reset = try await box.succeed("trials", "reset")
        #expect(reset.output.hasPrefix("Trials count anew from now on."))
        #expect(try await seen().isEmpty)
        try await failToRestore()
        #expect(try await seen() == ["restore-fails"])
        // A value that an app gives to the key is the app's.
        try await box.succeed("values", "trials", "9 lives")
        try await box.succeed("values", "trials", "9")
        #expect(try await seen() == ["restore-fails", "value"])
        try await box.succeed("buy", "lantern.coins.10", "--device", "tablet")
        #expect(try await seen() == ["restore-fails", "value", "request", "consumable"])
        try await box.succeed("trials", "reset", "--device", "tablet")
        #expect(try await seen().isEmpty)
    }

    @Test("a reset is the device's at once, and without a network it counts once it is sent")
    func resetOffline() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let reset = try await box.succeed("trials", "reset", "--json").object
        #expect(reset["isSent"].bool == true)
        try await box.succeed("operator", "network", "terminal", "off")
        let known = try await box.succeed("values", "trials").output
        #expect(known.contains("-"))
        try await box.succeed("buy", "lantern.coins.10", "--device", "tablet")
        let offline = try await box.succeed("trials", "reset")
        #expect(
            offline.output
                == "Trials count anew from when this device reaches the store again.\n")
        #expect(try await box.succeed("values", "trials").output != known)
        let before = try await box.succeed("trials", "consumable", "--json").object
        #expect(before["isSeen"].bool == true)
        try await box.succeed("operator", "network", "terminal", "on")
        try await box.succeed("values", "trials")
        let after = try await box.succeed("trials", "consumable", "--json").object
        #expect(after["isSeen"].bool == false)
    }

    @Test("a device that is signed out counts nothing anew, and says why")
    func resetSignedOut() async throws {
        let box = try Sandbox()
        try await box.succeed("sign-out")
        let refused = try await box.run("trials", "reset", "--json")
        #expect(refused.code == 12)
        #expect(refused.object["error"]["code"].text == "notSignedIn")
        try await box.succeed("sign-in")
        #expect(try await box.succeed("values", "--json").output.isEmpty)
    }

    @Test("a report has every trial, its evidence and nothing that a reader would obey [I1]")
    func report() async throws {
        let box = try Sandbox()
        let list = try box.file(
            "own.json",
            """
            {"areas": [{"id": "own", "name": {"en": "A|B"}}], "trials": [
              {"id": "coins", "area": "own", "title": {"en": "<b>Coins</b> & *more*"},
               "how": {"en": "Buy \\"them\\"."}, "seen": ["kind:sold is:consumable"]},
              {"id": "never", "area": "own", "title": {"en": "Never"},
               "how": {"en": "No <way>."}, "seen": ["kind:deleted"]}]}
            """)
        try await box.succeed("buy", "lantern.coins.10")
        let wrote = try await box.succeed("trials", "--list", list, "--report", "report.md")
        #expect(wrote.output == "Wrote report.md.\n")
        func text(_ name: String) throws -> String {
            try String(contentsOfFile: box.work + "/" + name, encoding: .utf8)
                .replacing(/\d{4}-\d\d-\d\dT[\d:]+Z/, with: "DATE")
                .replacing(/ey[\w-]+\.[\w-]+\.[\w-]+/, with: "JWS")
                .replacing(/event \d+/, with: "event N")
        }
        #expect(
            try text("report.md") == #"""
                # Trials of Lantern

                Sandbox, DATE in the store

                1 of 2 seen

                | STATE | AREA | TITLE | EVIDENCE |
                | --- | --- | --- | --- |
                | seen | A\|B | \<b\>Coins\</b\> & \*more\* | event N |
                | not seen | A\|B | Never | No \<way\>. |

                ## \<b\>Coins\</b\> & \*more\*

                ```
                event N  DATE  sold  lantern.coins.10  1000001
                JWS
                ```

                """#)
        try await box.succeed("trials", "--list", list, "--report", "report.xml")
        #expect(
            try text("report.xml") == #"""
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuite name="Trials of Lantern" tests="2" failures="0" errors="0" skipped="1" timestamp="DATE">
                  <testcase classname="coins" name="&lt;b&gt;Coins&lt;/b&gt; &amp; *more*">
                    <system-out>event N  DATE  sold  lantern.coins.10  1000001
                JWS</system-out>
                  </testcase>
                  <testcase classname="never" name="Never">
                    <skipped message="No &lt;way&gt;."/>
                  </testcase>
                </testsuite>

                """#)
        let nowhere = try await box.run("trials", "--report", "none/report.md")
        #expect(nowhere.code == 74 && nowhere.errors.contains("report.md\" cannot be written"))
        let other = try await box.run("trials", "--report", "report.txt")
        #expect(other.code == 64 && other.errors.contains("must end in .md or .xml"))
    }

    @Test("a list with mistakes is refused with the place of each and the nearest right word [I1]")
    func mistakes() async throws {
        let box = try Sandbox()
        let list = try box.file(
            "own.json",
            """
            {"areas": [{"id": "own", "name": {"en": "Own"}}], "trials": [
              {"id": "coins", "area": "owm", "title": {"en": "Coins"}, "how": {"en": "Buy."},
               "seen": ["kind:sould", "is:freetrail", "knd:sold"],
               "opens": {"view": "consol"}}]}
            """)
        let refused = try await box.run("trials", "--list", list)
        #expect(refused.code == 65 && refused.output.isEmpty)
        for part in [
            "trials[0].area", "Did you mean own?", "trials[0].seen[0]", "Did you mean sold?",
            "Did you mean freeTrial?", "Did you mean kind:?", "Did you mean console?",
            "is no list of trials: 5 errors",
        ] {
            #expect(refused.errors.contains(part), "\(part): \(refused.errors)")
        }
        let named = try await box.run(["trials"], changing: ["STOREFRONT_TRIALS": list])
        #expect(named.code == 65)
        let words = try box.file(
            "words.json",
            """
            {"areas": [{"id": "own", "name": {"en": "Own"}}], "trials": [
              {"id": "list", "area": "own", "title": {"en": "A"}, "how": {"en": "B."},
               "seen": ["kind:", "kind:sold", "is:downloaded"]}]}
            """)
        let unusable = try await box.run("trials", "--list", words)
        #expect(unusable.code == 65)
        for part in [
            "words.json: trials[0].id (line 2): found \"list\"", "found nothing after kind:",
            "whose lines have no transaction, expected as `link`: product or nothing",
        ] {
            #expect(unusable.errors.contains(part), "\(part): \(unusable.errors)")
        }
        let shown = try await box.run(
            ["screenshot", "--keys", ":,t,r,i,a,l,s,enter", "--size", "200x40"],
            changing: ["STOREFRONT_TRIALS": words])
        #expect(shown.output.contains("The list of trials has a mistake at"))
        let missing = try await box.run("trials", "--list", "nowhere.json")
        #expect(missing.code == 65 && missing.errors.contains("no such file"))
    }
}
