import Foundation
import Testing

@Suite("bad input: one clear message, and nothing changed", .withProgram, .inTurn)
struct BadInputTests {
    /// Buys one product, then expects the command to be refused and the store to be unchanged.
    private func refused(
        _ arguments: [String], code: Int32, saying words: [String],
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let before = box.storeContents
        let answer = try await box.run(arguments)
        #expect(answer.code == code, "\(answer.errors)", sourceLocation: location)
        for word in words {
            #expect(
                answer.errors.contains(word), "\(word) in: \(answer.errors)",
                sourceLocation: location)
        }
        #expect(answer.output.isEmpty, "\(answer.output)", sourceLocation: location)
        let changed = before.differences(box.storeContents)
        #expect(changed.isEmpty, "\(changed)", sourceLocation: location)
    }

    @Test(
        "a quantity outside 1 to 10 is refused",
        arguments: ["0", "11", "-1", "9223372036854775807"])
    func quantity(text: String) async throws {
        try await refused(
            ["buy", "lantern.coins.10", "--quantity=\(text)"], code: 64,
            saying: ["quantity of \(text)", "You weren't charged.", "1 to 10"])
    }

    @Test(
        "a quantity that is not a whole number is refused",
        arguments: ["abc", "", "1.5", "99999999999999999999"])
    func noNumber(text: String) async throws {
        try await refused(
            ["buy", "lantern.coins.10", "--quantity=\(text)"], code: 64, saying: ["quantity"])
    }

    @Test("an unknown product is refused, suggesting the nearest one [C6]")
    func product() async throws {
        try await refused(
            ["buy", "lantern.coins.1O"], code: 12,
            saying: ["no product \"lantern.coins.1O\"", "Did you mean \"lantern.coins.10\"?"])
        try await refused(
            ["buy", "something.else.entirely"], code: 12, saying: ["storefront products"])
        try await refused(["buy", "../../etc/passwd"], code: 12, saying: ["no product"])
        try await refused(["buy", ""], code: 12, saying: ["no product"])
    }

    @Test("a list of products names the nearest one of an unknown identifier [C6]")
    func listedProduct() async throws {
        let box = try Sandbox()
        let sentence = "lantern.coins.1O is not sold here. Did you mean lantern.coins.10?"
        #expect(try await box.succeed("shop", "lantern.coins.1O").errors.contains(sentence))
        let answer = try await box.succeed(
            "products", "lantern.coins.1O", "lantern.coins.10", "something.else.entirely")
        #expect(answer.errors.contains(sentence))
        #expect(!answer.errors.contains("entirely is not sold here. Did you mean"))
    }

    @Test("an unknown product among valid ones stops the whole purchase")
    func productAmongOthers() async throws {
        try await refused(
            ["buy", "lantern.coins.10", "lantern.coins.1O"], code: 12, saying: ["Did you mean"])
    }

    @Test("an unknown command, error name or key is refused, suggesting the nearest one")
    func words() async throws {
        try await refused(["byu"], code: 64, saying: ["\"byu\"", "Did you mean \"buy\"?"])
        try await refused(["help", "byu"], code: 64, saying: ["\"byu\"", "Did you mean \"buy\"?"])
        try await refused(
            ["operator", "fail-next", "networkeror"], code: 64,
            saying: ["'networkeror'", "Did you mean 'networkError'?"])
        try await refused(
            ["operator", "fail-next", "gravity"], code: 64, saying: ["The help lists them all."])
        try await refused(
            ["screenshot", "--keys=down,entr"], code: 64,
            saying: ["no key 'entr'", "Did you mean 'enter'?"])
        try await refused(
            ["operator", "fail-next", "\u{1B}[31mred"], code: 64, saying: ["There is no error"])
    }

    @Test("an unknown subcommand or subtype is refused, suggesting the nearest one")
    func subcommands() async throws {
        // Also where the group has a default one.
        for (words, nearest) in [
            (["operator", "api-keys", "lst"], "operator api-keys list"),
            (["device", "bakend"], "device backend"),
            (["operator", "clok"], "operator clock"),
        ] {
            try await refused(
                words, code: 64,
                saying: ["\"\(words.joined(separator: " "))\"", "Did you mean \"\(nearest)\"?"])
        }
        let unlike = try await Sandbox().run("operator", "api-keys", "seventeen")
        #expect(unlike.code == 64 && !unlike.errors.contains("Did you mean"), "\(unlike.errors)")
        try await refused(
            ["trigger", "REFUND.FOO"], code: 64, saying: ["'REFUND.FOO'", "There is REFUND."])
        try await refused(
            ["trigger", "EXPIRED.VOLUNTRY"], code: 64,
            saying: ["Did you mean 'EXPIRED.VOLUNTARY'?"])
    }

    @Test("a date where a step is meant, and a port below 0, are refused with what is meant")
    func dateAndPort() async throws {
        try await refused(
            ["operator", "clock", "advance", "2027-03-01T09:00:00Z"], code: 64,
            saying: ["is a date", "storefront operator clock to 2027-03-01T09:00:00Z"])
        for command in [["serve"], ["content", "serve"]] {
            try await refused(
                command + ["--port", "-1"], code: 64, saying: ["a number from 0 to 65535"])
        }
        for command in [["listen", "--forward-to"], ["operator", "notifications", "url"]] {
            try await refused(
                command + ["ftp://127.0.0.1"], code: 64, saying: ["its port (else 80)"])
        }
    }

    @Test("a mistake that a command finds itself points at that command's help")
    func ownHelp() async throws {
        for (words, command) in [
            ("trials nope", "trials list"), ("history --csv --json", "history"),
            ("operator takings --customer", "operator takings"),
        ] {
            let answer = try await Sandbox().run(words.split(separator: " ").map(String.init))
            #expect(answer.code == 64)
            let advice = "See 'storefront \(command) --help' for more information."
            #expect(answer.errors.contains(advice), "\(answer.errors)")
        }
    }

    @Test("an option's unknown territory is refused", arguments: ["JPX", "Japan", "", "12"])
    func territory(code: String) async throws {
        try await refused(
            ["products", "--territory", code], code: 64, saying: ["The territory \"\(code)\""])
    }

    @Test(
        "an option's name that is no plain file name is refused",
        arguments: ["../me", "a/b", "..", ".", "-x", "a b", "a\u{0301}b", "\u{1B}[31m", "日本"])
    func names(name: String) async throws {
        for option in ["account", "device"] {
            try await refused(
                ["buy", "lantern.coins.10", "--\(option)=\(name)"], code: 64,
                saying: ["The \(option) \"", "is not possible. Expected 1 to 64 letters"])
        }
        try await refused(
            ["products", "--bundle-id=\(name)"], code: 64, saying: ["The bundle id \""])
    }

    @Test("an empty name is refused", arguments: ["account", "device", "bundle-id", "locale"])
    func emptyName(option: String) async throws {
        try await refused(["products", "--\(option)="], code: 64, saying: ["--\(option)"])
    }

    @Test("an unknown environment is refused, listing the valid ones")
    func environment() async throws {
        try await refused(
            ["products", "--environment", "sandbx"], code: 64,
            saying: ["environment", "Sandbox, Production, Xcode, LocalTesting"])
    }

    @Test(
        "an option's unknown locale is refused",
        arguments: ["xx", "xx_YY", "nonsense", "aaaaaaaaaaaa", "../en"])
    func locale(name: String) async throws {
        try await refused(
            ["products", "--locale=\(name)"], code: 64, saying: ["--locale", "no such language"])
    }

    @Test("a count that is zero, negative or too large is refused")
    func counts() async throws {
        for count in ["0", "-1"] {
            try await refused(["watch", "--count=\(count)"], code: 64, saying: ["--count"])
        }
        for count in ["0", "1001", "9223372036854775807"] {
            try await refused(
                ["operator", "fail-next", "networkError", "--count=\(count)"], code: 64,
                saying: ["--count"])
        }
    }

    @Test(
        "control characters in an argument are not echoed",
        arguments: [
            ["finish", "\u{1B}[31mred"], ["operator", "approve", "\u{1B}[31mred"],
            ["operator", "ask-to-buy", "\u{1B}[31mred"],
            ["paths", "--store", "/tmp/\u{1B}[31mred"],
            ["\u{1B}[31mred"], ["products", "\u{1B}[31mred"], ["buy", "--\u{1B}[31mred"],
            ["catalog", "check", "\u{1B}[31mred"], ["products", "--catalog", "\u{1B}[31mred"],
            ["products", "--store", "/proc/\u{1B}[31mred"],
        ])
    func echoes(arguments: [String]) async throws {
        let answer = try await Sandbox().run(arguments)
        #expect(!answer.whole.contains("\u{1B}"), "\(answer.whole.debugDescription)")
    }

    @Test("a payment id that is no UUID, or is given for several products, is refused")
    func paymentForm() async throws {
        try await refused(
            ["buy", "lantern.coins.10", "--payment", "12"], code: 64, saying: ["wants a UUID"])
        try await refused(
            [
                "buy", "lantern.coins.10", "lantern.coins.10", "--payment", UUID().uuidString,
            ], code: 64, saying: ["one product"])
        try await refused(
            ["buy", "lantern.coins.10", "--app-account-token", "me"], code: 64,
            saying: ["wants a UUID"])
    }

    @Test("with --json, an error is one object with the same message")
    func json() async throws {
        let box = try Sandbox()
        let answer = try await box.run("buy", "lantern.coins.1O", "--json")
        #expect(answer.json.count == 1)
        #expect(answer.object["error"]["code"].text == "productUnavailable")
        #expect(answer.errors == "storefront: \(answer.object["message"].text ?? "")\n")
    }
}
