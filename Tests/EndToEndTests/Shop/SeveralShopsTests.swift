import Foundation
import Testing

@Suite("a shop beside other processes", .withProgram, .inTurn)
struct SeveralShopsTests {
    @Test(
        "of two shops on one device one delivers, and the other takes over",
        arguments: [SIGTERM, SIGKILL])
    func takeOver(signal: Int32) async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { first in
            try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { second in
                try await second.seeLine("Lantern", "second shop")
                #expect(!(first.screen).contains("second shop"))
                // The second shop does not hold the lease: its purchase is delivered by the first.
                second.type("jjjjb")
                second.press("Right", "Enter")
                try await second.seeLine("Sepia", "✓ owned")
                try await first.seeLine("Sepia", "✓ owned")
                kill(try first.processID(), signal)
                try await first.see("ended")
                try await second.see("This shop delivers from now on.")
                #expect(!(second.screen).contains("second shop"))
                second.type("jb")
                second.press("Right", "Enter")
                try await second.seeLine("High contrast", "✓ owned")
            }
        }
        #expect(try await box.succeed("transactions", "--json").json.count == 2)
    }

    @Test("two windows on one device show the same progress of a download [F3]")
    func sameProgress() async throws {
        let box = try Sandbox()
        let slow = ["--bandwidth", "1k"]
        try await ShopOnTerminal.run(box, slow) { delivering in
            try await ShopOnTerminal.run(box, slow) { watching in
                try await watching.seeLine("Lantern", "second shop")
                delivering.press("b", "Right", "Enter")
                try await delivering.seeLine("part one", "%")
                // The progress bar also moves in the window without the lease.
                let first = try await watching.seeLine("part one", "%").percent(of: "part one")
                try await watching.see("a bar that has moved") { screen in
                    screen.percent(of: "part one").map { $0 > first ?? 100 } == true
                }
                delivering.press("Space")
                let paused = try await delivering.seeLine("part one", "paused at")
                let percent = try #require(paused.percent(of: "part one"))
                try await watching.seeLine("part one", "paused at \(percent)%")
            }
        }
    }

    @Test("a purchase that waits for a stopped shop says so")
    func stopped() async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            try await shop.see("Welcome.")
            let id = try shop.processID()
            // A shop that is stopped would not end with the test.
            defer { kill(id, SIGCONT) }
            var isSold = false
            for _ in 1...Self.stopsMax where !isSold {
                kill(id, SIGSTOP)
                let buying = try RunningProgram(
                    "bash",
                    ["-c", "exec \"$0\" buy lantern.coins.10 2>&1", try #require(Program.path)],
                    environment: box.environment, folder: box.work)
                let first = try #require(await buying.nextLine())
                if ["is using this device.", "kept busy by process"].contains(where: first.contains)
                {
                    // The shop was stopped while it held a lock of the device's database or of the
                    // store's: it goes on until it has answered keys, and is stopped anew.
                    kill(id, SIGCONT)
                    #expect(await buying.end().code != 0)
                    shop.type("?")
                    try await shop.see("THE SHOP")
                    shop.press("Escape")
                    try await shop.see("a closed help") { !$0.contains("THE SHOP") }
                    continue
                }
                isSold = true
                #expect(first.hasPrefix("Bought 10 coins"), "\(first)")
                let line = try #require(await buying.nextLine())
                #expect(line.contains("It is sold.") && line.contains("stopped"), "\(line)")
                kill(id, SIGCONT)
                #expect(await buying.end().code == 0)
            }
            #expect(isSold, "the shop held a lock each time that it was stopped")
            #expect(try await box.succeed("purse").output == "10  coins\n")
        }
    }

    /// More than once in a row is improbable: the shop writes for a moment after it has opened.
    private static let stopsMax = 10

    @Test("a price changed in the catalog file is shown, and must be confirmed anew [B1]")
    func edited() async throws {
        let box = try Sandbox()
        try box.copyContent()
        let text = try String(contentsOfFile: Program.catalog, encoding: .utf8)
        let file = try box.file("catalog.json", text)
        try await ShopOnTerminal.run(box, ["--catalog", file], script: ShopOnTerminal.around) {
            shop in
            try await shop.seeLine("The Lighthouse, part one", "$3.99")
            shop.press("b", "Right")
            try await shop.see("▌[ Buy for $3.99 ]")
            _ = try box.file("catalog.json", text.replacing("\"3.99\"", with: "\"4.49\""))
            // The sheet has gone back to Cancel, so the person must choose the button again.
            try await shop.see("▌[ Cancel ]", "[ Buy for $4.49 ]", "The price has changed.")
            shop.press("Escape")
            try await shop.see("Cancelled.")
            try await shop.seeLine("The Lighthouse, part one", "$4.49")

            _ = try box.file("catalog.json", "{ nonsense")
            try await shop.see("still using the last good one.")
            try await shop.seeLine("The Lighthouse, part one", "$4.49")
            shop.press("b", "Right", "Enter")
            try await shop.see("Bought The Lighthouse, part one for $4.49.")

            _ = try box.file("catalog.json", text)
            try await shop.see("The catalog has changed")
            try await shop.seeLine("The Lighthouse, part two", "$3.99")
        }
    }

    @Test("a shop whose store is deleted says so and opens a new one")
    func deleted() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            try await shop.seeLine("Sepia", "✓ owned")
            // No key is pressed: an idle shop notices that its store is gone. One rename removes
            // the whole store at once, because the shop may still be writing its receipt there.
            try FileManager.default.moveItem(atPath: box.store, toPath: box.store + ".gone")
            try? FileManager.default.removeItem(atPath: box.store + ".gone")
            try await shop.see("The store's files were replaced or removed")
            try await shop.seeLine(of: "Sepia", without: "owned")
            try await shop.see("open") { !$0.contains("opening") }
            shop.press("j", "b", "Right")
            try await shop.see("▌[ Buy for $3.99 ]")
            shop.press("Enter")
            try await shop.see("Bought The Lighthouse, part two")
        }
        #expect(
            try await box.succeed("transactions", "--json").json.map { $0["productId"].text }
                == ["lantern.book.lighthouse.2"])
    }

    /// renameat2(2) with RENAME_EXCHANGE, which Swift does not import.
    private static func exchange(_ one: String, _ other: String) async throws {
        let script = """
            from ctypes import CDLL
            from os import fsencode
            from sys import argv, exit
            exit(CDLL(None).renameat2(-100, fsencode(argv[1]), -100, fsencode(argv[2]), 2))
            """
        #expect(try await Program.tool("python3", "-c", script, one, other).code == 0)
    }

    @Test("a shop whose store is replaced shows the new one")
    func replaced() async throws {
        let box = try Sandbox()
        let other = try Sandbox()
        try await other.succeed("buy", "lantern.theme.sepia", "lantern.coins.10")
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            // A shop that is still opening would open the other store and have no message.
            try await shop.open()
            try await shop.seeLine(of: "Sepia", without: "owned")
            // Waited for from before the exchange, because the message fades, and without a key,
            // which could replace it.
            async let told = shop.see("The store's files were replaced or removed")
            // In one system call: between two renames the shop could make a new store.
            try await Self.exchange(other.store, box.store)
            _ = try await told
            try await shop.seeLine("Sepia", "✓ owned")
            try await shop.see("10 in your purse")
        }
    }

    @Test(
        "a price changed in the catalog file is shown where files cannot be watched, too",
        .withUserNamespaces)
    func unwatchedCatalog() async throws {
        let box = try Sandbox()
        try box.copyContent()
        let text = try String(contentsOfFile: Program.catalog, encoding: .utf8)
        let file = try box.file("catalog.json", text)
        let script = """
            exec unshare --user --map-root-user sh -c \
                'echo 0 > /proc/sys/user/max_inotify_instances; exec "$@"' sh "$@"
            """
        try await ShopOnTerminal.run(box, ["--catalog", file], script: script) { shop in
            try await shop.see("cannot be watched here")
            try await shop.seeLine("part one", "$3.99")
            _ = try box.file("catalog.json", text.replacing("\"3.99\"", with: "\"4.49\""))
            try await shop.seeLine("part one", "$4.49")
        }
    }
}

extension String {
    /// The percentage in the line that shows a product; nil if the line has none.
    fileprivate func percent(of product: String) -> Int? {
        let line = split(separator: "\n").first { $0.contains(product) && $0.contains("%") }
        guard let before = line?.prefix(while: { $0 != "%" }) else { return nil }
        return Int(before.suffix(while: \.isNumber))
    }
}

extension StringProtocol {
    fileprivate func suffix(while holds: (Character) -> Bool) -> String {
        String(reversed().prefix(while: holds).reversed())
    }
}
