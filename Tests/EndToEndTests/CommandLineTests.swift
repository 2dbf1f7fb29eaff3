import Foundation
import Testing

/// Help, version, the order of options, pipes, and where files are stored.
@Suite("the command line", .withProgram, .inTurn)
struct CommandLineTests {
    static let commands = [
        "", "products", "buy", "restore", "downloads", "downloads list", "downloads run",
        "downloads pause",
        "downloads resume", "downloads update", "downloads cancel", "downloads path",
        "downloads remove",
        "downloads settings",
        "transactions", "history",
        "finish",
        "entitlements", "subscriptions", "issues", "offers", "redeem", "purse", "purse list",
        "purse spend", "values", "watch", "catalog",
        "catalog check",
        "catalog export", "content", "content pack", "content inspect", "content host",
        "content publish", "content hosted", "content list", "content path",
        "content open",
        "content remove", "content space", "content serve",
        "certificate", "operator",
        "operator ask-to-buy", "operator payments", "operator territory", "operator requests",
        "operator dialogs", "operator locale",
        "operator approve", "operator decline", "operator ask-bank", "operator interrupt-purchases",
        "operator resolve", "operator buy-outside", "operator promote", "operator refund-requests",
        "operator decline-refund", "requests", "requests list", "requests withdraw",
        "requests resolve", "request-refund",
        "operator refund", "operator revoke", "operator reverse-refund", "operator delete",
        "operator auto-renew", "operator renew", "operator expire", "operator resolve-billing",
        "operator price-increase", "operator raise-price", "operator extend", "operator extend-all",
        "operator end",
        "operator renewals", "operator clock", "operator clock show",
        "operator clock stop", "operator clock resume", "operator clock advance",
        "operator clock to", "operator clock next", "operator fail-next", "operator failures",
        "operator clear-failure",
        "operator network", "operator download-failures", "operator publish", "operator sign-offer",
        "operator sign-eligibility",
        "unlocks", "sign-in",
        "sign-out",
        "operator takings", "operator events", "operator accept-store", "operator reset", "claim",
        "payments",
        "payments list", "payments drop", "promoted", "promoted list", "promoted continue",
        "promoted drop", "receipt", "receipt show", "receipt refresh",
        "receipt verify", "verify", "family", "operator family", "operator family show",
        "operator family create", "operator family join", "operator family leave",
        "operator family role", "operator family share", "operator rescind-consent",
        "operator notices", "paths", "shop",
        "store", "store create", "store list", "store drop", "store copy",
        "screenshot", "demo", "config", "config show", "config check", "config path", "manual",
        "trials", "trials list", "trials reset", "device", "device backend", "serve", "listen",
        "trigger", "notifications", "notifications list", "notifications show",
        "notifications resend", "operator api-keys", "operator api-keys create",
        "operator api-keys list", "operator api-keys revoke", "operator notifications",
        "operator notifications show", "operator notifications url", "operator notifications off",
        "operator notifications test", "operator notifications retry",
    ]

    @Test("every command's help says what it does and how to use it", arguments: commands)
    func help(command: String) async throws {
        let box = try Sandbox()
        let answer = try await box.run(command.split(separator: " ").map(String.init) + ["--help"])
        #expect(answer.code == 0)
        #expect(answer.output.contains("OVERVIEW: "))
        #expect(answer.output.contains("USAGE: storefront"))
        let overview = answer.lines.first ?? ""
        #expect(overview.count > 24 && overview.hasSuffix("."), "\(overview)")
        #expect(answer.lines.allSatisfy { $0.count <= 100 || $0.hasPrefix("USAGE: ") })
        // An example must stand on one line, so that a person can paste it.
        let all = answer.output.components(separatedBy: "\n")
        if let start = all.firstIndex(of: "EXAMPLES") {
            for line in all[(start + 1)...].prefix(while: { !$0.isEmpty }) {
                #expect(
                    line.hasPrefix("  ") && line.contains("storefront"), "broken: \(line)")
            }
        }
        for (line, next) in zip(answer.lines, answer.lines.dropFirst() + [""])
        where line.contains(/^  (-[a-z], )?--[a-z-]+( <[^>]+>)?\s*$/) {
            #expect(next.hasPrefix("       "), "no words for: \(line)")
        }
    }

    @Test("the list of commands in this test is complete")
    func complete() async throws {
        let box = try Sandbox()
        for parent in [
            "", "config", "device", "downloads", "operator", "operator clock", "operator family",
            "catalog",
            "content",
            "payments",
            "purse",
            "receipt", "requests", "store",
        ] {
            let arguments =
                parent.isEmpty
                ? ["--help"] : parent.split(separator: " ").map(String.init) + ["--help"]
            let lines = try await box.run(arguments).lines
            let start = try #require(lines.firstIndex { $0.hasSuffix("SUBCOMMANDS:") })
            // The two long lists have a heading for each group.
            let isLong = ["", "operator"].contains(parent)
            #expect(lines.contains("SUBCOMMANDS:") != isLong, "\(parent)")
            let names = lines[(start + 1)...]
                .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
                // A command with several names ("remove, delete") is listed by its first one.
                .compactMap { $0.split { " ,".contains($0) }.first.map(String.init) }
                .filter { $0 != "See" }
            #expect(!names.isEmpty)
            for name in names {
                let full = parent.isEmpty ? name : "\(parent) \(name)"
                #expect(Self.commands.contains(full), "\(full)")
            }
        }
    }

    @Test("--version prints the program's name and its version")
    func version() async throws {
        let box = try Sandbox()
        let version = try await box.succeed("--version").output
        #expect(version.contains(/^storefront [0-9]+\.[0-9]+\.[0-9]+\n$/), "\(version)")
    }

    @Test("the manual page has a section of each command, and explains a shared option once")
    func manual() async throws {
        let page = try await Sandbox().succeed("manual").output
        #expect(page.hasPrefix(".TH STOREFRONT 1 "))
        for command in Self.commands where !command.isEmpty {
            let name = "storefront \(command)".replacing("-", with: "\\-")
            #expect(page.contains("\n.SS \(name)\n"), "\(command)")
        }
        #expect(page.ranges(of: "\n.B \\-\\-bandwidth <rate>\n").count == 1)
        let macros = page.split(separator: "\n").filter { $0.hasPrefix(".") }
            .map { $0.prefix { $0 != " " } }
        #expect(
            Set(macros).isSubset(of: [
                ".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".RI", ".nf", ".fi",
            ]))
    }

    @Test(
        "completion scripts are generated for bash, zsh and fish",
        arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) async throws {
        let box = try Sandbox()
        let answer = try await box.succeed("--generate-completion-script", shell)
        #expect(answer.output.contains("fail-next"))
        if shell == "bash" {
            let file = try box.file("completions", answer.output)
            #expect(try await Program.tool("bash", "-n", file).code == 0)
        }
    }

    @Test(
        "names that an ASCII terminal cannot show are shown in a language it can, but not in JSON")
    func namesInASCII() async throws {
        let box = try Sandbox()
        let asked = ["--locale", "ja_JP"]
        let shop = try await box.run(["screenshot", "--ascii"] + asked).output
        let plain = try Sandbox(["LC_ALL": "C"])
        let full = try Sandbox(["LC_ALL": "C.UTF-8"])
        #expect(shop.contains("The Lighthouse") && !shop.contains("??"), "\(shop)")
        let list = try await plain.run(["products"] + asked)
        #expect(list.output.contains("The Lighthouse"), "\(list.whole)")
        let json = try await plain.run(["products", "--json"] + asked)
        #expect(!json.output.contains("The Lighthouse"), "\(json.whole)")
        let japanese = try await full.run(["products"] + asked)
        #expect(!japanese.output.contains("The Lighthouse"), "\(japanese.whole)")
    }

    @Test("global options may come before or after the subcommand")
    func order() async throws {
        let box = try Sandbox()
        let store = box.folder + "/elsewhere"
        let globals = [
            "--store", store, "--catalog", Program.catalog, "--bundle-id", "com.example.other",
            "--app-apple-id", "7", "--environment", "Xcode", "--account", "aoi", "--device",
            "tablet", "--territory", "JP", "--locale=ja_JP", "--bandwidth", "unlimited", "--json",
        ]
        // The operator's commands take no device, territory or network.
        let operators = Array(globals.prefix(12)) + ["--locale=ja_JP", "--json"]
        #expect(try await box.run(operators + ["operator", "ask-to-buy", "on"]).code == 0)
        #expect(try await box.run(["operator"] + operators + ["ask-to-buy", "off"]).code == 0)
        let before = try await box.run(globals + ["buy", "lantern.coins.10"])
        #expect(before.object["outcome"].text == "purchased", "\(before.errors)")
        let after = try await box.run(["buy", "lantern.coins.10"] + globals)
        #expect(after.object["outcome"].text == "purchased", "\(after.errors)")
        let both = try await box.run(
            Array(globals.prefix(14)) + ["transactions", "--territory", "JP", "--json"])
        #expect(both.json.count == 2)
        #expect(both.object["environment"].text == "Xcode")
        #expect(both.object["storefront"].text == "JPN")
        #expect(!FileManager.default.fileExists(atPath: box.folder + "/data"))
        let inMemory = try await box.run(["--ephemeral", "products", "lantern.coins.10"])
        #expect(inMemory.output.contains("lantern.coins.10"))
        let bare = try await box.run(
            "--json", "--store", store, "--bundle-id=com.example.other", "--app-apple-id", "7",
            "--environment", "Xcode")
        #expect(bare.object["products"].items.count == 21, "\(bare.errors)")
        let half = try await box.run("--store")
        #expect(half.code == 64)
        #expect(half.errors.contains("Missing value for '--store"))
    }

    @Test(
        "a misspelt command or option is refused with the usage",
        arguments: [
            ["bye"], ["--json", "resotre"], ["--jsn"], ["buy"],
        ])
    func misspelt(arguments: [String]) async throws {
        let box = try Sandbox()
        let answer = try await box.run(arguments)
        #expect(answer.code == 64)
        // A single word is not taken as a product of the default command.
        if arguments == ["bye"] { #expect(answer.errors.contains("no command \"bye\"")) }
        if arguments.contains("resotre") { #expect(answer.errors.contains("\"restore\"")) }
        #expect(answer.errors.contains("Usage: "))
        #expect(!FileManager.default.fileExists(atPath: box.store))
    }

    @Test(
        "a step of the clock backwards is refused as a step, not as an option",
        arguments: ["-1d", "1x", "1d 2d"])
    func stepBackwards(step: String) async throws {
        let box = try Sandbox()
        let words = step.split(separator: " ").map(String.init)
        let answer = try await box.run(["operator", "clock", "advance"] + words)
        #expect(answer.code == 64)
        #expect(answer.errors.contains("1mo or 1y, found '\(step)'"), "\(answer.errors)")
    }

    @Test("a reader that closes its pipe early does no harm")
    func closedPipe() async throws {
        let box = try Sandbox()
        let program = try #require(Program.path)
        let coins = Array(repeating: "lantern.coins.10", count: 12).joined(separator: " ")
        for command in ["products", "--help", "transactions --signed", "buy \(coins) --json"] {
            let piped = try await RunningProgram(
                "bash", ["-c", "\(program) \(command) | head -1"], environment: box.environment,
                folder: box.work
            ).end()
            #expect(piped.code == 0)
            // Only the remark about an empty list is allowed.
            let remarks = piped.errors.replacing(
                "Nothing was sold to account \"me\" yet.\n", with: "")
            #expect(remarks.isEmpty, "\(command): \(piped.errors)")
        }
        try await box.succeed("restore")
        // How many sales came before the reader closed the pipe is random; each is delivered.
        let sold = try await box.succeed("transactions").rows.count
        #expect(sold >= 1)
        #expect(try await box.succeed("purse").output == "\(sold * 10)  coins\n")
        #expect(try await box.succeed("transactions", "--unfinished").output.isEmpty)
    }

    @Test("a purchase works with standard input, output and error closed")
    func noOutput() async throws {
        let box = try Sandbox()
        let program = try #require(Program.path)
        let closed = try await RunningProgram(
            "bash", ["-c", "\(program) buy lantern.coins.10 >&- 2>&- <&-"],
            environment: box.environment, folder: box.work
        ).end()
        #expect(closed.code == 0)
        #expect(try await box.succeed("purse").output == "10  coins\n")
        #expect(try await box.succeed("transactions", "--unfinished").output.isEmpty)
    }

    @Test("the paths command lists where everything is stored and creates nothing")
    func paths() async throws {
        let box = try Sandbox()
        let json = try await box.succeed("paths", "--json").object
        #expect(json["store"].text == box.store)
        #expect(json["ledger"].text == box.ledger)
        #expect(json["catalog"].text == Program.catalog)
        #expect(json["logs"].text == box.folder + "/state/storefront")
        #expect(json["configuration"].text == box.folder + "/config/storefront")
        let words = try await box.succeed("paths")
        for name in json.names { #expect(words.output.contains(name)) }
        #expect(!FileManager.default.fileExists(atPath: box.folder + "/data"))
        let moved = try await box.run(
            ["paths", "--json"],
            changing: ["XDG_DATA_HOME": "relative", "STOREFRONT_STORE": nil])
        #expect(
            moved.object["store"].text
                == box.home + "/.local/share/storefront/com.example.lantern")
        let chosen = try await box.run(["paths", "--json"], changing: ["STOREFRONT_STORE": "here"])
        #expect(chosen.object["store"].text == box.work + "/here")
    }

    @Test(
        "the account is --account's, else the environment's",
        arguments: [([], "kai"), (["--account", "noor"], "noor")])
    func account(words: [String], account: String) async throws {
        let answer = try await Sandbox().run(
            ["transactions"] + words, changing: ["STOREFRONT_ACCOUNT": "kai"])
        #expect(answer.errors == "Nothing was sold to account \"\(account)\" yet.\n")
    }

    @Test("a tilde with an unknown user's name is taken as a folder's name")
    func noSuchHome() async throws {
        let box = try Sandbox()
        let paths = try await box.succeed("paths", "--json", "--store", "~nobodyhere/x").object
        #expect(paths["store"].text == box.work + "/~nobodyhere/x")
    }

    /// The program is one static file: loading a library named in nsswitch.conf(5) would crash it.
    @Test("the program works for a user id without a passwd entry", .withUserNamespaces)
    func strangeUser() async throws {
        let box = try Sandbox()
        var environment = box.environment
        environment["HOME"] = nil
        environment["PATH"] = Program.toolPath
        for command in [["paths", "--store", "~/x"], ["buy", "lantern.coins.10"]] {
            let answer = try await RunningProgram(
                "unshare", ["--user", "--map-user=54321", try #require(Program.path)] + command,
                environment: environment, folder: box.work
            ).end()
            #expect(answer.code == 0, "\(answer.errors)")
        }
    }

    @Test("only its owner can read the store")
    func permissions() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.book.lighthouse.1", "--bandwidth", "unlimited")
        let names = FileManager.default.enumerator(atPath: box.store)?.allObjects as? [String]
        for name in try #require(names) + ["."] {
            var status = stat()
            #expect(stat(box.store + "/" + name, &status) == 0)
            guard !name.hasSuffix("CACHEDIR.TAG") else { continue }
            #expect(status.st_mode & 0o077 == 0, "\(name)")
        }
    }

    @Test("an ephemeral store leaves nothing behind")
    func ephemeral() async throws {
        let box = try Sandbox()
        let sale = try await box.succeed(
            "buy", "lantern.book.lighthouse.1", "lantern.coins.10", "--ephemeral", "--bandwidth",
            "unlimited", "--json")
        #expect(sale.json.map { $0["finished"].bool } == [true, true])
        #expect(try await box.run("buy", "no.such", "--ephemeral").code == 12)
        let both = try await box.run("products", "--ephemeral", "--store", box.store)
        #expect(both.code == 64 && both.errors.contains("--store names a store that stays"))
        #expect(try await box.succeed("transactions", "--ephemeral").output.isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: box.temporary)
        #expect(left.isEmpty, "\(left)")
        #expect(!FileManager.default.fileExists(atPath: box.folder + "/data"))
    }

    @Test(
        "an ephemeral store that is interrupted leaves nothing behind",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupted(signal: Int32) async throws {
        let box = try Sandbox()
        let console = try box.start("operator", "events", "--follow", "--ephemeral")
        #expect(await console.nextLine() != nil)
        console.stop(signal)
        #expect(await console.end().code == -signal, "it ends by the signal, as its parent can see")
        let left = try FileManager.default.contentsOfDirectory(atPath: box.temporary)
        #expect(left.isEmpty, "\(left)")
    }

    @Test("an ephemeral store whose reader closes its pipe leaves nothing behind")
    func ephemeralPipe() async throws {
        let box = try Sandbox()
        let program = try #require(Program.path)
        let coins = Array(repeating: "lantern.coins.10", count: 12).joined(separator: " ")
        let piped = try await RunningProgram(
            "bash", ["-c", "\(program) buy --ephemeral \(coins) | head -1"],
            environment: box.environment, folder: box.work
        ).end()
        #expect(piped.code == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: box.temporary)
        #expect(left.isEmpty, "\(left)")
    }

    @Test("words follow --language, else --locale, else the environment; JSON does not")
    func languages() async throws {
        let box = try Sandbox()
        let asked = ["buy", "lantern.theme.sepia"]
        let english = try await box.succeed("entitlements", "--language", "en")
        #expect(english.errors == "No entitlements.\n")
        #expect(try await box.succeed("entitlements", "--locale", "ja_JP").errors.contains("購入"))
        let spoken = try await box.succeed("entitlements", "--locale", "ja_JP", "--language", "en")
        #expect(spoken.errors == "No entitlements.\n")
        try await box.succeed("operator", "fail-next", "networkError", "--count", "2")
        let words = try await box.run(asked + ["--language", "ja"])
        #expect(words.code == 12)
        #expect(words.errors.contains("ストアに接続できませんでした。請求はありません。"))
        let json = try await box.run(asked + ["--language", "ja", "--json"])
        #expect(json.code == 12)
        #expect(json.object["message"].text?.contains("The store could not be reached.") == true)
        let unknown = try await box.run(["entitlements", "--language", "tlh"])
        #expect(unknown.code == 64)
        #expect(unknown.errors.contains("this program speaks en and ja"))
    }

    @Test(
        "a command's own options come first in its help",
        arguments: [
            ("transactions", "--since"), ("buy", "--quantity"), ("watch", "--count"),
            ("operator refund", "--percent"), ("screenshot", "--size"),
        ])
    func ownOptionsFirst(command: String, option: String) async throws {
        let help = try await Sandbox().run(arguments(command) + ["--help"]).output
        let own = try #require(help.range(of: "\n  \(option)"))
        let global = try #require(help.range(of: "\n  --store"))
        #expect(own.lowerBound < global.lowerBound, "\(help)")
    }

    private func arguments(_ command: String) -> [String] {
        command.split(separator: " ").map(String.init)
    }

    @Test("JSON spells identifiers as Apple's payloads do, in every command")
    func spelling() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.book.lighthouse.1", "--bandwidth", "unlimited")
        try await box.succeed("buy", "lantern.membership.plus.month")
        try await box.succeed("operator", "ask-to-buy", "on")
        #expect(try await box.run("buy", "lantern.theme.sepia").code == 10)
        try await box.succeed("operator", "fail-next", "networkError")
        let refused = try await box.run("buy", "no.such.product", "--json")
        #expect(refused.object["error"]["productId"].text == "no.such.product")
        for command in [
            "products", "transactions", "history", "entitlements", "downloads", "payments",
            "restore", "purse",
            "operator requests", "operator failures", "operator events", "operator clock",
            "operator takings", "paths", "unlocks", "operator network terminal",
        ] {
            let answer = try await box.run(arguments(command) + ["--json"])
            #expect(answer.json.allSatisfy { $0 != .null }, "\(command): \(answer.output)")
            let keys = answer.output.matches(of: /"([A-Za-z]+)":/).map { String($0.1) }
            #expect(keys.filter { $0.hasSuffix("ID") || $0.hasSuffix("IDs") } == [], "\(command)")
            #expect(!answer.output.contains("\"_0\""), "\(command)")
        }
    }

    @Test("transactions are listed by product, by number and since a date")
    func transactionFilters() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.coins.10", "lantern.theme.sepia", "lantern.coins.10")
        #expect(
            try await box.succeed("transactions", "--product", "lantern.coins.10").rows.count == 2)
        let one = try await box.succeed("transactions", "--id", "1000002").rows
        #expect(one.count == 1 && one[0].contains("lantern.theme.sepia"))
        try await box.succeed("operator", "clock", "advance", "2d")
        try await box.succeed("buy", "lantern.theme.contrast")
        let clock = try await box.succeed("operator", "clock").output
        let today = String(clock.prefix(10))
        let since = try await box.succeed("transactions", "--since", today).rows
        #expect(since.count == 1 && since[0].contains("lantern.theme.contrast"))
        // A date is one in the person's time zone, as dates are printed.
        try await box.succeed("operator", "clock", "to", "2090-01-31T20:00:00Z")
        try await box.succeed("buy", "lantern.coins.550")
        for (day, count) in [("2090-02-01", 1), ("2090-02-02", 0)] {
            let listed = try await box.run(
                ["transactions", "--since", day], changing: ["TZ": "Asia/Tokyo"])
            #expect(listed.rows.count == count, "\(day): \(listed.whole)")
            let isLocal = listed.rows.allSatisfy { $0.contains("2090-02-01T05:00:") }
            #expect(isLocal && listed.rows.allSatisfy { $0.contains("+09:00") })
        }
        #expect(try await box.run("transactions", "--since", "tomorrow").code == 64)
        #expect(try await box.run("transactions", "--id", "x").code == 64)
        #expect(try await box.succeed("transactions", "--id", "7").output.isEmpty)
        // Prices stand at the right edge of their column.
        let edges = try await box.succeed("transactions").rows.compactMap { row in
            row.firstMatch(of: /\$[0-9.]+/).map {
                row.distance(from: row.startIndex, to: $0.range.upperBound)
            }
        }
        #expect(edges.count == 5 && Set(edges).count == 1, "\(edges)")
        let highest = String(Int64.max)
        #expect(try await box.succeed("transactions", "--id", highest).output.isEmpty)
    }

    @Test("every shared option may stand before a command that takes it, too")
    func globalsFirst() async throws {
        let box = try Sandbox()
        let given: [(words: [String], command: String)] = [
            (["--store", box.store], "paths"), (["--catalog", Program.catalog], "paths"),
            (["--bundle-id", "com.example.lantern"], "paths"),
            (["--environment", "Sandbox"], "paths"), (["--account", "aoi"], "paths"),
            (["--device", "phone"], "paths"), (["--locale", "ja_JP"], "paths"),
            (["--language", "en"], "paths"), (["--json"], "paths"),
            (["--app-apple-id", "1234567890"], "products"), (["--territory", "JPN"], "products"),
            (["--ephemeral", "--clock", "2027-01-31"], "products"),
            (["--bandwidth", "12s"], "restore"), (["--parallel", "4"], "restore"),
            (["--customer"], "screenshot"), (["--as", "mum"], "screenshot"),
        ]
        let help = try await box.succeed("shop", "--help").output
        let named = help.matches(of: /\n  (--[a-z-]+)/).map { String($0.1) }
        let screen = [
            "--linear", "--ascii", "--glyphs", "--colors", "--theme", "--animation",
            "--ambiguous-width", "--no-mouse", "--presenter", "--keep-downloading",
        ]
        #expect(
            Set(named).subtracting(screen + ["--version"]).isSubset(
                of: Set(given.flatMap(\.words))), "\(named)")
        for (words, command) in given {
            for line in [words + [command], [command] + words] {
                let answer = try await box.run(line)
                #expect(answer.code == 0, "\(line): \(answer.errors)")
            }
        }
    }

    @Test(
        "an option that means nothing to a command is neither in its help nor accepted",
        arguments: [
            ("purse", ["--bandwidth", "--customer"]),
            ("paths", ["--bandwidth", "--territory", "--ephemeral", "--clock", "--customer"]),
            (
                "catalog check catalog.json",
                ["--bandwidth", "--account", "--device", "--ephemeral"]
            ),
            ("catalog export x.storekit", ["--device", "--territory", "--bandwidth"]),
            ("certificate", ["--account", "--device", "--territory", "--bandwidth"]),
            ("operator clock", ["--account", "--device", "--territory", "--bandwidth"]),
            ("operator ask-to-buy on", ["--device", "--bandwidth", "--ephemeral", "--clock"]),
            ("operator publish lantern.coins.10 uploaded", ["--ephemeral", "--clock"]),
            ("operator network terminal on", ["--ephemeral", "--clock"]),
            ("content inspect a.zip", ["--store", "--ephemeral", "--account"]),
            ("transactions", ["--bandwidth"]), ("screenshot", ["--json"]),
            ("demo", ["--store", "--ephemeral", "--json", "--state"]),
        ])
    func meaningless(command: String, options: [String]) async throws {
        let box = try Sandbox()
        let help = try await box.run(arguments(command) + ["--help"]).output
        let values = ["--bandwidth": "1k", "--clock": "2027-01-31", "--store": box.store]
        let flags = ["--customer", "--ephemeral", "--json", "--state"]
        for option in options {
            #expect(!help.contains("\n  \(option) "), "\(help)")
            let words = flags.contains(option) ? [option] : [option, values[option] ?? "aoi"]
            let after = try await box.run(arguments(command) + words)
            #expect(after.code == 64)
            #expect(after.errors.contains("Unknown option '\(option)'"), "\(after.errors)")
            #expect(try await box.run(words + arguments(command)).code == 64)
        }
        #expect(!FileManager.default.fileExists(atPath: box.store))
    }
}
