import Foundation
import TestBasics
import Testing

@Suite("bad stores: one clear message, and nothing changed", .withProgram, .inTurn)
struct BadStoreTests {
    /// Makes a store, damages it, and expects a command to be refused.
    private func refused(
        _ arguments: [String] = [], code: Int32 = 69, saying words: [String],
        after spoil: (Sandbox) throws -> Void, at location: SourceLocation = #_sourceLocation
    ) async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try spoil(box)
        let before = box.storeContents
        for command in [["buy", "lantern.coins.10"], ["restore"], ["watch"], ["purse"]] {
            let answer = try await box.run(command + arguments)
            #expect(
                answer.code == code, "\(command): \(answer.errors)", sourceLocation: location)
            for word in words {
                #expect(
                    answer.errors.contains(word), "\(word) in: \(answer.errors)",
                    sourceLocation: location)
            }
            let lines = answer.errors.split(separator: "\n")
            #expect(lines.count == 1, "\(answer.errors)", sourceLocation: location)
            #expect(answer.output.isEmpty, "\(answer.output)", sourceLocation: location)
        }
        let changed = before.differences(box.storeContents)
        #expect(changed.isEmpty, "\(changed)", sourceLocation: location)
    }

    private func write(_ text: String, over path: String) throws {
        for companion in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + companion)
        }
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private static let garbage = String(repeating: "This is no database at all.\n", count: 400)

    @Test("a store path that is a file is refused")
    func file() async throws {
        let box = try Sandbox()
        let file = try box.file("file", "mine")
        for store in [file, file + "/below"] {
            let answer = try await box.run("buy", "lantern.coins.10", "--store", store)
            #expect(answer.code == 69)
            #expect(answer.errors.contains(file), "\(answer.errors)")
            #expect(answer.errors.contains("choose another"), "\(answer.errors)")
        }
        #expect(FileManager.default.contents(atPath: file) == Data("mine".utf8))
    }

    @Test("an entry with an impossible time is told as damage", arguments: [Int64.max, .min])
    func impossibleTime(_ time: Int64) async throws {
        func set(_ column: String, in box: Sandbox) throws {
            let database = try Database(box.ledger)
            let triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            for trigger in try database.rows(triggers) {
                try database.rows("DROP TRIGGER \(trigger[0])")
            }
            try database.rows("UPDATE entries SET \(column) = \(time)")
        }
        try await refused(saying: ["cannot be read", "store.sqlite"]) { box in
            try set("recorded_at", in: box)
        }
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try set("effective_at", in: box)
        let history = try await box.run("history")
        #expect(history.code == 69 && history.errors.contains("cannot be read"))
    }

    @Test("an entry that cannot be read is told by every answer about its account; products list")
    func unknownEntry() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try Database(box.ledger).rows(
            """
            INSERT INTO entries
            SELECT (SELECT max(position) + 1 FROM entries), account, device, NULL, 0, recorded_at,
              effective_at, 99, x'00', next_number
            FROM entries WHERE account = 'me' ORDER BY position DESC LIMIT 1
            """)
        for command in [
            ["restore"], ["transactions"], ["receipt", "show"], ["unlocks"], ["requests"],
            ["entitlements"], ["history"], ["downloads"], ["subscriptions"],
        ] {
            let answer = try await box.run(command)
            #expect(answer.code == 69, "\(command): \(answer.whole)")
            #expect(answer.errors.contains("newer"), "\(command): \(answer.errors)")
            #expect(try await box.run(command + ["--account", "kai"]).code != 69, "\(command)")
        }
        let products = try await box.succeed("products")
        #expect(products.output.contains("lantern.theme.sepia"))
        #expect(products.errors.contains("newer"), "\(products.errors)")
    }

    @Test("a store of a newer program version is refused")
    func newer() async throws {
        try await refused(saying: ["newer version", "schema 99", "--store"]) { box in
            try Database(box.ledger).rows("PRAGMA user_version = 99")
        }
    }

    @Test("device records of a newer program version are refused")
    func newerDevice() async throws {
        try await refused(saying: ["newer version", "schema 99", "device.sqlite"]) { box in
            let path = box.store + "/devices/terminal/me/device.sqlite"
            try Database(path).rows("PRAGMA user_version = 99")
        }
    }

    @Test("a store with another bundle id, App Apple ID or environment is refused")
    func otherApp() async throws {
        let others = [
            (
                ["--bundle-id", "com.example.other"],
                ["belongs to another app", "com.example.other", "another folder with --store"]
            ),
            (
                ["--app-apple-id", "7"],
                ["made for the App Apple ID", "cannot be opened for 7", "--app-apple-id"]
            ),
            (
                ["--environment", "Production"],
                [
                    "made for the environment Sandbox", "cannot be opened for Production",
                    "--environment Sandbox",
                ]
            ),
        ]
        for (options, words) in others {
            let box = try Sandbox()
            try await box.succeed("buy", "lantern.theme.sepia")
            let before = box.storeContents
            let answer = try await box.run(
                ["buy", "lantern.coins.10", "--store", box.store] + options)
            #expect(answer.code == 69)
            for word in words { #expect(answer.errors.contains(word), "\(answer.errors)") }
            #expect(before.differences(box.storeContents).isEmpty)
        }
    }

    @Test("a private key in a certificate's file is never printed, not even as JSON")
    func keyInPlaceOfACertificate() async throws {
        let box = try Sandbox()
        try await box.succeed("products")
        let chain = box.store + "/keys/chain/"
        let key = try String(contentsOfFile: chain + "leaf.key", encoding: .utf8)
        try key.write(toFile: chain + "leaf.pem", atomically: false, encoding: .utf8)
        let answer = try await box.run("products", "--json")
        #expect(answer.code == 69)
        #expect(answer.errors.contains("a private key in place of a certificate"))
        for secret in key.split(separator: "\n") {
            #expect(!(answer.errors + answer.output).contains(secret))
        }
    }

    @Test("a folder with other files and no store is refused, and left as it is")
    func notAStore() async throws {
        let box = try Sandbox()
        let folder = box.work + "/papers"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try "mine".write(toFile: folder + "/letter.txt", atomically: true, encoding: .utf8)
        let answer = try await box.run("products", "--store", folder)
        #expect(answer.code == 69)
        #expect(answer.errors.contains("is not a store"), "\(answer.errors)")
        #expect(answer.errors.contains("letter.txt"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["letter.txt"])
    }

    @Test("a ledger file that is no database is refused")
    func garbage() async throws {
        try await refused(saying: ["cannot be read", "store.sqlite", "--store"]) { box in
            try write(Self.garbage, over: box.ledger)
        }
    }

    @Test("a device file that is no database is refused")
    func garbageDevice() async throws {
        try await refused(
            saying: ["records cannot be read", "device.sqlite", "restore --device NAME"]
        ) { box in
            try write(Self.garbage, over: box.store + "/devices/terminal/me/device.sqlite")
        }
    }

    @Test("a lock that another process keeps is reported while waiting, then refused")
    func heldLock() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let holder = try ShellCommand.holdingLock(box.ledger + ".lock")
        defer {
            kill(holder.process, SIGKILL)
            holder.command.end()
        }
        let answer = try await box.run("products")
        #expect(answer.code == 69)
        let words = "process \(holder.process) (sleep)"
        #expect(answer.errors.contains("Waiting for \(words)"), "\(answer.errors)")
        #expect(answer.errors.contains("kept busy by \(words)"), "\(answer.errors)")
    }

    @Test("reads wait once for a device that another process locks, say so, and ask the store")
    func heldDevice() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let records = box.store + "/devices/terminal/me/device.sqlite"
        let holder = try ShellCommand.holdingLock(records + ".lock")
        defer {
            kill(holder.process, SIGKILL)
            holder.command.end()
        }
        // Four reads of which each opened the device for itself.
        let answer = try await box.run("entitlements")
        #expect(answer.code == 0)
        #expect(answer.output.contains("lantern.theme.sepia"), "\(answer.output)")
        let waits = answer.errors.components(separatedBy: "Waiting for process \(holder.process)")
        #expect(waits.count == 2, "\(answer.errors)")
    }

    @Test("a world-writable store folder, or a link in place of a store file, is refused")
    func openToOthers() async throws {
        try await refused(saying: ["others may write into it (mode 777)", "chmod go-w"]) { box in
            #expect(chmod(box.store, 0o777) == 0)
        }
        let box = try Sandbox()
        let victim = try box.file("victim", "mine")
        try FileManager.default.createDirectory(
            atPath: box.store, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: box.store + "/store.sqlite.bell", withDestinationPath: victim)
        let answer = try await box.run("buy", "lantern.coins.10")
        #expect(answer.code == 69)
        #expect(FileManager.default.contents(atPath: victim) == Data("mine".utf8))
    }

    @Test("another program's database is refused")
    func otherProgram() async throws {
        try await refused(saying: ["another program's database", "--store"]) { box in
            for end in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: box.ledger + end)
            }
            let database = try Database(box.ledger)
            try database.rows("CREATE TABLE songs (title TEXT)")
            try database.rows("INSERT INTO songs VALUES ('Fidelio')")
        }
    }

    @Test(
        "damaged or missing signing keys are refused",
        arguments: ["root.pem", "leaf.pem", "leaf.key"])
    func keys(name: String) async throws {
        try await refused(saying: ["signing keys", name, "Restore the folder"]) { box in
            try Data("-----BEGIN NONSENSE-----\n".utf8)
                .write(to: URL(filePath: box.store + "/keys/chain/" + name))
        }
        try await refused(saying: ["signing keys", "Restore the folder"]) { box in
            try FileManager.default.removeItem(atPath: box.store + "/keys/chain/" + name)
        }
    }

    @Test("a device refuses a store with new signing keys")
    func otherKeys() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try FileManager.default.removeItem(atPath: box.store + "/keys")
        let answer = try await box.run("buy", "lantern.coins.10")
        #expect(answer.code == 69)
        #expect(answer.errors.contains("another root certificate"), "\(answer.errors)")
        #expect(try await box.succeed("transactions").rows.count == 1)
    }

    @Test("a read-only store answers what needs no writing, from what stands", .withMounts)
    func readOnlyReads() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia", "lantern.coins.10")
        for (command, word) in [
            ("products", "Sepia"), ("entitlements", "lantern.theme.sepia"),
            ("history", "purchased"), ("transactions", "lantern.coins.10"),
            ("operator takings", "USD"), ("history --all-accounts", "catalog"),
        ] {
            let answer = try await MountNamespace.readOnly(command, in: box)
            #expect(answer.code == 0, "\(command): \(answer.whole)")
            #expect(answer.output.contains(word), "\(command): \(answer.whole)")
        }
        // A catalog that the store cannot adopt is reported.
        try box.copyContent()
        let catalog = try String(contentsOfFile: Program.catalog, encoding: .utf8)
        _ = try box.file(
            "new.json",
            catalog.replacingOccurrences(of: "The Lighthouse", with: "The Lightship"))
        let other = try await MountNamespace.readOnly("products --catalog new.json", in: box)
        #expect(
            other.code == 0 && other.output.contains("The Lighthouse")
                && other.errors.contains("answers with the catalog it has, not with "),
            "\(other.whole)")
        // Another program that closes the database removes its WAL after a checkpoint.
        let before = box.storeContents
        let without = try await MountNamespace.readOnly("entitlements", in: box)
        #expect(without.output.contains("lantern.theme.sepia"), "\(without.whole)")
        let bought = try await MountNamespace.readOnly("buy lantern.coins.10", in: box)
        #expect(bought.code == 69, "\(bought.whole)")
        #expect(bought.errors.contains("cannot be written: \(box.store)"), "\(bought.errors)")
        #expect(bought.errors.contains("Make the folder writable"))
        #expect(before.differences(box.storeContents).isEmpty)
    }

    @Test(
        "a read-only store answers from its device's records, where it has the device", .withMounts)
    func readOnlyDevice() async throws {
        let box = try Sandbox()
        let plan = "lantern.membership.plus.month"
        let book = "lantern.book.lighthouse.1"
        try await box.succeed(
            "buy", plan, "lantern.coins.10", book, "--bandwidth", "unlimited", "--account", "aoi")
        try await box.succeed("operator", "ask-to-buy", "on", "--account", "aoi")
        _ = try await box.run("buy", "lantern.theme.sepia", "--account", "aoi")
        for (command, word) in [
            ("purse", "10  coins"), ("subscriptions", "renews on"),
            ("subscriptions \(plan) --timeline", "active from"), ("downloads", "downloaded"),
            ("content list", book), ("requests", "Sepia"), ("payments", "Sepia"),
            ("history", "purchased"), ("entitlements", book), ("family", ""), ("issues", ""),
        ] {
            let answer = try await MountNamespace.readOnly("\(command) --account aoi", in: box)
            #expect(answer.code == 0, "\(command): \(answer.whole)")
            #expect(answer.output.contains(word) || word.isEmpty, "\(command): \(answer.whole)")
        }
        // A device that is not registered has no purse; the store still knows the subscriptions.
        let purse = try await MountNamespace.readOnly(
            "purse --account aoi --device tablet", in: box)
        #expect(purse.code == 0 && purse.errors == "Nothing in it yet.\n", "\(purse.whole)")
        let plans = try await MountNamespace.readOnly(
            "subscriptions --account aoi --device tablet --json", in: box)
        #expect(plans.object["renewalInfo"]["autoRenewProductId"].text == plan, "\(plans.whole)")
        // The command reports a transaction that the device could not read from the feed.
        let coins = try #require(
            try await box.succeed("transactions", "--account", "aoi", "--json").json
                .first { $0["productId"].text == "lantern.coins.10" })
        try await box.succeed("operator", "refund", try #require(coins["transactionId"].text))
        let old = try await MountNamespace.readOnly("purse --account aoi", in: box)
        #expect(
            old.code == 0 && old.output == "10  coins\n"
                && old.errors.contains("is still counted"), "\(old.whole)")
        let spent = try await MountNamespace.readOnly(
            "purse spend coins 1 --for hint --account aoi", in: box)
        #expect(spent.code == 69 && spent.errors.contains("cannot be written"), "\(spent.whole)")
    }

    @Test("a store cannot be created in a read-only folder", .withMounts)
    func readOnlyParent() async throws {
        let box = try Sandbox()
        let answer = try await MountNamespace.run(
            """
            mkdir -p "$store" && mount -t tmpfs -o ro tmpfs "$store" || exit 99
            exec "$program" buy lantern.coins.10 --store "$store/below"
            """, in: box)
        #expect(answer.code == 69)
        #expect(answer.errors.contains("cannot be written"), "\(answer.errors)")
    }

    @Test(
        "a disk too small for a store is reported, and with room the purchase works", .withMounts,
        arguments: ["8k", "32k", "64k", "128k"])
    func tooSmall(size: String) async throws {
        let box = try Sandbox()
        let answer = try await MountNamespace.run(
            """
            mkdir -p "$store" && mount -t tmpfs -o mode=700,size=\(size) tmpfs "$store" || exit 99
            "$program" buy lantern.coins.10; code=$?
            mount -o remount,size=8m "$store"
            "$program" buy lantern.coins.10 --json || exit 98
            exit $code
            """, in: box)
        #expect(answer.code == 69, "\(answer.errors)")
        #expect(answer.errors.contains("full"), "\(answer.errors)")
        #expect(answer.errors.contains("Make room, then try again."), "\(answer.errors)")
        #expect(answer.object["finished"].bool == true, "with room, it goes on")
    }

    @Test("a disk that fills up loses no acknowledged purchase", .withMounts)
    func fillsUp() async throws {
        let box = try Sandbox()
        let coins = Array(repeating: "lantern.coins.10", count: 10).joined(separator: " ")
        let answer = try await MountNamespace.run(
            """
            mkdir -p "$store" && mount -t tmpfs -o mode=700,size=2m tmpfs "$store" || exit 99
            code=0; times=0
            while [ $code -eq 0 ] && [ $times -lt 200 ]; do
                "$program" buy \(coins) --json; code=$?; times=$((times + 1))
            done
            mount -o remount,size=64m "$store"
            "$program" restore >/dev/null || exit 97
            echo '{"purse":'; "$program" purse --json; echo '}'
            "$program" transactions --json | sed 's/^/{"sold":/; s/$/}/'
            "$program" transactions --unfinished
            exit $code
            """, in: box)
        // Refused, or sold and delivered later, as the store's file or the device's is full first.
        #expect([69, 14].contains(answer.code), "\(answer.errors.suffix(400))")
        #expect(answer.errors.contains("is full"), "\(answer.errors)")
        let promised = Set(
            answer.json.filter { $0["outcome"].text == "purchased" }
                .compactMap { $0["transactionId"].text })
        let sold = answer.json.compactMap { $0["sold"]["transactionId"].text }
        #expect(promised.count > 10)
        #expect(promised.isSubset(of: sold))
        #expect(Set(sold).count == sold.count)
        let purse = answer.json.first { $0["unit"].text == "coins" }
        #expect(purse?["amount"].number == sold.count * 10)
    }
}
