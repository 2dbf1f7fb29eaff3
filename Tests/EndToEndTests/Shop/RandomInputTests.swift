import Foundation
import TestBasics
import Testing

/// Random input: the shop does not crash or hang, restores the terminal, and afterwards the store's
/// and the device's records agree. `STOREFRONT_SEED` repeats a run's random choices.
@Suite("random input", .withProgram, .inTurn)
struct RandomInputTests {
    private static let inputs = 10_000
    private static let seeds: [UInt64] = {
        let chosen = ProcessInfo.processInfo.environment["STOREFRONT_SEED"].flatMap { UInt64($0) }
        return chosen.map { [$0] } ?? [1, UInt64(Date().timeIntervalSince1970)]
    }()

    @Test(
        "random keys, clicks, bytes and resizes break nothing, and every sale is delivered",
        arguments: seeds)
    func storm(seed: UInt64) async throws {
        let box = try Sandbox()
        var random = SplitMix64(seed: seed)
        var round = 0
        while round < Self.inputs / 100 {
            try await ShopOnTerminal.run(box, ["--bandwidth", "20k"], columns: 100, rows: 30) {
                shop in
                try await rounds(of: &round, in: shop, box, seed, &random)
            }
        }
        try await expectAgreement(box, seed)
    }

    /// Rounds of random inputs, until all are done or an input leaves the shop: a click on the
    /// footer or a line of the palette may.
    private func rounds(
        of round: inout Int, in shop: ShopOnTerminal, _ box: Sandbox, _ seed: UInt64,
        _ random: inout SplitMix64
    ) async throws {
        while round < Self.inputs / 100 {
            round += 1
            for _ in 0..<100 { Self.input(to: shop, &random) }
            // On every screen, a window that is too small shows its size. The test does not look
            // for the sign ×: after a Ctrl-Z the tty echoes half of a character, and the emulator
            // keeps that half until the next character outside ASCII.
            shop.resize(20 + round % 10, 3 + round % 7)
            let isThere = await shop.seeUnlessLeft { $0.contains("Needs 40") }
            shop.resize(100, 30)
            guard isThere else { return shop.expectGivenBack() }
            try await shop.see("seed \(seed): the shop") { !$0.contains("Needs 40") }
            // Console keys may have switched payments off and Ask to Buy on: undo that.
            if round % 10 == 9 {
                try await box.succeed("operator", "payments", "on")
                try await box.succeed("operator", "ask-to-buy", "off")
            }
        }
        shop.kill(SIGTERM)
        #expect(await shop.end() == -SIGTERM, "seed \(seed)")
        shop.expectGivenBack()
    }

    private static let keys = [
        "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\u{1B}OA", "\u{1B}OB", "\r", "\r", "\r",
        "\u{1B}", "\t", "\u{1B}[Z", " ", "\u{7F}", "\u{1B}[5~", "\u{1B}[6~", "\u{1B}[H", "\u{1B}[F",
        "\u{1B}[3~", "\u{1B}OP", "\u{1B}[999~", "\u{1B}[1;5C", "\u{C}", "日本", "e\u{301}", "👩‍🚀",
        "\u{1B}[C\r", "b\u{1B}[C\r", "b\u{1B}[C\r", "b\u{1B}[C++\r",
        "\u{1B}[200~b\rbuy everything\r\u{1B}[201~", "\u{1B}[?2026;1$y", "\u{1B}]0;title\u{7}",
    ]
    private static let letters = Array("abcdefghijklmnoprstuvwxyz/?:+-0123456789GRSZ")

    /// One random input, except q, Ctrl-C and Ctrl-\, which end the shop.
    private static func input(to shop: ShopOnTerminal, _ random: inout SplitMix64) {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<50: shop.type(keys.randomElement(using: &random) ?? "")
        case ..<80: shop.type(letters.randomElement(using: &random).map { String($0) } ?? "")
        case ..<90:
            let button = [0, 0, 0, 2, 64, 65].randomElement(using: &random) ?? 0
            let column = Int.random(in: 1...110, using: &random)
            let row = Int.random(in: 1...35, using: &random)
            shop.type("\u{1B}[<\(button);\(column);\(row)M")
        case ..<98:
            let count = Int.random(in: 1...6, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            shop.send(bytes.filter { ![0x03, 0x1C, UInt8(ascii: "q")].contains($0) })
        default:
            shop.resize(
                Int.random(in: 1...220, using: &random), Int.random(in: 1...70, using: &random))
        }
    }

    /// A product whose content comes from the app's own server, which does not run here.
    private static let fromServer = "lantern.tool.charts"

    /// Every sale is finished and in the totals, and every sold coin is in the purse.
    private func expectAgreement(_ box: Sandbox, _ seed: UInt64) async throws {
        // Random keys may have cut the network, signed the account out, or set up a failing restore
        // or stalling downloads, which last until they are cleared.
        try await box.succeed("operator", "faults", "--clear")
        try await box.succeed("operator", "download-faults", "terminal", "--clear")
        try await box.succeed("operator", "network", "terminal", "on")
        try await box.succeed("sign-in")
        try await box.succeed("restore")
        // A paused download waits for a person, and its transaction stays unfinished.
        for line in try await box.succeed("downloads", "list", "--json").json
        where line["state"].text == "paused" && line["productId"].text != Self.fromServer {
            let product = line["productId"].text ?? ""
            try await box.succeed("downloads", "resume", product, "--bandwidth", "unlimited")
        }
        _ = try await box.run("downloads", "run", "--bandwidth", "unlimited")
        let unfinished = try await box.succeed("transactions", "--unfinished", "--json").json
            .compactMap { $0["productId"].text }
        #expect(unfinished.allSatisfy { $0 == Self.fromServer })
        let sales = try await box.succeed("transactions", "--json").json
        let sold = sales.reduce(0) { sum, sale in
            let product = sale["productId"].text ?? ""
            let each = product.hasPrefix("lantern.coins.") ? Int(product.dropFirst(14)) ?? 0 : 0
            return sum + each * (sale["quantity"].number ?? 0)
        }
        let purse = try await box.succeed("purse").lines
        let granted = purse.first { $0.hasSuffix("coins") }
            .flatMap { Int($0.prefix { $0.isNumber }) }
        #expect(sold == granted ?? 0, "seed \(seed)")
        let paid = try await box.succeed("operator", "takings", "--json").json
        #expect(paid.reduce(0) { $0 + ($1["sales"].number ?? 0) } == sales.count, "seed \(seed)")
        print("Random input: seed \(seed), \(sales.count) sales, \(sold) coins.")
    }
}
