import Foundation
import Testing

@Suite("downloads", .withProgram, .inTurn)
struct DownloadsTests {
    private let book = "lantern.book.lighthouse.1"

    @Test("downloaded content is the hosted content, byte for byte")
    func content() async throws {
        let box = try Sandbox()
        let answer = try await box.succeed("buy", book, "--bandwidth", "unlimited")
        #expect(answer.errors.contains("\(book) text: downloaded, "))
        let row = try await box.succeed("downloads", "--json").object
        #expect(row["state"].text == "finished")
        #expect(row["bytesReceived"] == row["bytesExpected"])
        let path = try #require(row["path"].text)
        #expect(
            FolderContents(path + "/Contents")
                == FolderContents(Program.content + "/lighthouse-1"))
        #expect(try await box.succeed("downloads").output.contains("downloaded"))
        #expect(box.partialFiles.isEmpty)
    }

    @Test(
        "product information has the digest of a folder's manifest once the store has made it [E2]")
    func manifestDigest() async throws {
        let box = try Sandbox()
        let content = { () async throws in
            try await box.succeed("products", book, "--json").object["products"].items.first?[
                "hostedContent"
            ].items.first
        }
        let before = try await content()
        #expect(before?["version"].text == "1.0" && before?["manifestSha256"].text == nil)
        try await box.succeed("buy", book, "--bandwidth", "unlimited")
        let after = try await content()
        #expect(after?["manifestSha256"].text?.count == 64)
        #expect(after?["length"] == before?["length"])
    }

    private static func untilDigestsAreThere(_ box: Sandbox) async throws {
        var missing = 1
        while missing > 0 {
            let listed = try await box.succeed("products", "--json").object["products"].items
            let content = listed.flatMap { $0["hostedContent"].items }
            #expect(content.count > 3)
            missing = content.count { $0["manifestSha256"].text == nil }
        }
    }

    @Test(
        "a process that lives long makes the digests of all folders, of which nothing was asked for"
    )
    func manifestDigestsInTheBackground() async throws {
        let box = try Sandbox()
        let watching = try await box.watch()
        try await Self.untilDigestsAreThere(box)
        await watching.end(by: SIGTERM)
    }

    @Test("content serve makes manifests too, also those that were kept without a digest")
    func manifestsOfTheServer() async throws {
        let box = try Sandbox()
        func serve() async throws {
            let serving = try box.start("content", "serve", "--port", "0", "--json")
            #expect(await serving.next { $0["port"].number != nil } != nil)
            try await Self.untilDigestsAreThere(box)
            await serving.end(by: SIGTERM)
        }
        try await serve()
        // Remove the digests, as if the process had been killed before it wrote them.
        let folder = box.store + "/packages/manifests"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let digests = names.filter { $0.hasSuffix(".digest") }
        #expect(digests.count > 3 && names.count == 2 * digests.count)
        for name in digests { try FileManager.default.removeItem(atPath: folder + "/" + name) }
        try await serve()
    }

    @Test("a download paused by another process stops, and continues there when resumed [A9]")
    func pauseAndResume() async throws {
        let box = try Sandbox()
        let buying = try box.start("buy", book, "--bandwidth", "1k", "--json")
        let watching = try box.start("watch", "--bandwidth", "1k")
        let active = await watching.next { $0["download"]["state"].text == "active" }
        #expect(active != nil)
        var received = 0
        while received == 0 {
            let row = try await box.succeed("downloads", "--json").object
            received = row["bytesReceived"].number ?? 0
        }
        let paused = try await box.succeed("downloads", "pause", book)
        #expect(paused.errors == "Paused \(book).\n")
        let bought = await buying.end()
        #expect(bought.code == 14, "sold, not complete yet")
        #expect(bought.object["message"].text?.contains("its download is paused") == true)
        #expect(bought.object["outcome"].text == "purchased")
        #expect(bought.object["finished"].bool == false)
        #expect(try await box.succeed("transactions", "--unfinished").rows.count == 1)

        let row = try await box.succeed("downloads", "--json").object
        #expect(row["state"].text == "paused")
        let before = try #require(row["bytesReceived"].number)
        #expect(before >= received)
        await watching.end(by: SIGKILL)
        // A launch does not resume a download that a person paused.
        try await box.succeed("restore")
        #expect(
            try await box.succeed("downloads", "--json").object["bytesReceived"].number
                == before)

        let kept = try largestPartial(box)
        try await box.succeed("downloads", "resume", book, "--bandwidth", "unlimited")
        let file = try #require(try finishedFile(box, named: kept.name))
        #expect(file.inode == kept.inode, "the same file was gone on with, not fetched anew")
        #expect(try await box.succeed("downloads").output.contains("downloaded"))
        try await box.succeed("restore")
        #expect(try await box.succeed("transactions", "--unfinished").output.isEmpty)
        #expect(box.partialFiles.isEmpty)
    }

    private func largestPartial(_ box: Sandbox) throws -> (name: String, inode: UInt64) {
        let names = box.partialFiles.filter { $0.hasSuffix(".txt") }
        let path = try #require(names.sorted().first)
        let attributes = try FileManager.default.attributesOfItem(
            atPath: box.store + "/devices/" + path)
        let inode = try #require(attributes[.systemFileNumber] as? NSNumber)
        return ((path as NSString).lastPathComponent, inode.uint64Value)
    }

    private func finishedFile(
        _ box: Sandbox, named name: String
    ) throws -> (name: String, inode: UInt64)? {
        let names = FileManager.default.enumerator(atPath: box.store + "/devices")
        let all = names?.allObjects as? [String] ?? []
        guard
            let path = all.first(where: {
                $0.contains("/content/") && $0.hasSuffix("1.0/Contents/" + name)
            })
        else { return nil }
        let attributes = try FileManager.default.attributesOfItem(
            atPath: box.store + "/devices/" + path)
        return (name, (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0)
    }

    @Test("one package is resumed, paused and cancelled by its name; no other changes [E7]")
    func onePackage() async throws {
        let box = try Sandbox()
        let book = "lantern.book.lighthouse.2"
        let tablet = ["--device", "tablet"]
        try await box.succeed("buy", book, "--bandwidth", "unlimited")
        #expect(try await box.run(["restore", "--downloads", "none"] + tablet).code == 0)
        func states() async throws -> [String: String] {
            let rows = try await box.run(["downloads", "--json"] + tablet).json
            return Dictionary(
                rows.map { ($0["contentId"].text ?? "", $0["state"].text ?? "") },
                uniquingKeysWith: { $1 })
        }
        func change(_ words: String...) async throws -> RunningProgram.Answer {
            try await box.run(
                ["downloads", words[0], book, "--package"] + words.dropFirst() + tablet)
        }
        #expect(try await change("resume", "pictures", "--bandwidth", "unlimited").code == 0)
        #expect(try await states() == ["pictures": "finished"])
        #expect(try await change("resume", "text", "--no-wait").code == 0)
        let paused = try await change("pause", "text", "--json")
        #expect(paused.json.map { $0["contentId"].text } == ["text"])
        #expect(try await states() == ["pictures": "finished", "text": "paused"])
        let cancelled = try await change("cancel", "text")
        #expect(cancelled.errors.hasPrefix("Cancelled \(book) text;"), "\(cancelled.whole)")
        #expect(try await states() == ["pictures": "finished", "text": "cancelled"])
        for command in ["pause", "resume", "cancel"] {
            let refused = try await change(command, "maps")
            #expect(
                refused.code == 12
                    && refused.errors.contains("no package of the name or version maps"),
                "\(refused.whole)")
        }
    }

    @Test("a cancelled download finishes its purchase and can be fetched again")
    func cancel() async throws {
        let box = try Sandbox()
        let buying = try box.start("buy", book, "--bandwidth", "1k", "--json")
        let watching = try box.start("watch", "--bandwidth", "1k")
        #expect(await watching.next { $0["download"]["state"].text == "active" } != nil)
        let cancelled = try await box.succeed("downloads", "cancel", book)
        #expect(cancelled.errors.contains("it can be downloaded again"))
        #expect(await buying.end().object["outcome"].text == "purchased")
        await watching.end(by: SIGKILL)
        #expect(try await box.succeed("downloads").output.contains("cancelled"))
        #expect(try await box.succeed("transactions", "--unfinished").output.isEmpty)
        #expect(box.partialFiles.isEmpty)
        try await box.succeed("downloads", "resume", book, "--bandwidth", "unlimited")
        #expect(try await box.succeed("downloads").output.contains("downloaded"))
    }

    @Test("on a metered connection a person is asked before a large download; y fetches it [E5]")
    func metered() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", book, "--bandwidth", "unlimited")
        try await box.succeed("content", "remove", book)
        try await box.succeed("downloads", "settings", "--metered", "on", "--ask-from", "1")
        let resume = ["downloads", "resume", book, "--bandwidth", "unlimited"]
        // Without a terminal the command cannot ask, and says how to continue the download.
        let waits = try await box.run(resume)
        #expect(waits.code == 12 && waits.errors.contains("downloads resume \(book) --metered"))
        for (answer, state) in [("n", "waiting"), ("", "waiting"), ("y", "finished")] {
            try await ShopOnTerminal.run(
                box, resume, script: ShopOnTerminal.around, waiting: false
            ) { terminal in
                try await terminal.see(
                    "The connection is metered. Download 20 kB for \(book)? [y/N]")
                terminal.type(answer + "\r")
                try await terminal.see("ended 0, mode kept")
            }
            let row = try await box.succeed("downloads", "--json").object
            #expect(row["state"].text == state, "\(answer)")
            #expect(row["needsConsent"].bool == (state == "waiting"), "\(answer)")
        }
    }

    @Test("a full disk names the command that makes room, which fetches the content [A9]")
    func fullDisk() async throws {
        let box = try Sandbox()
        let second = "lantern.book.lighthouse.2"
        try await box.succeed("buy", book, "--bandwidth", "unlimited")
        // The disk has room for the installed book, and for little more.
        try await box.succeed("operator", "download-faults", "terminal", "--disk", "40000")
        let full = try await box.run("buy", second, "--bandwidth", "unlimited")
        #expect(full.code == 14)
        #expect(full.output.hasPrefix("Bought "))
        #expect(full.errors.contains("You own The Lighthouse, part two"), "\(full.errors)")
        let command = "storefront downloads resume \(second) --make-room"
        #expect(full.errors.contains(command), "\(full.errors)")
        let made = try await box.run(
            "downloads", "resume", second, "--make-room", "--bandwidth", "unlimited")
        #expect(made.errors.contains("Removed \(book) text 1.0, 20 kB."), "\(made.whole)")
    }

    @Test("without a process a download still says that the disk is full; run ends and says so")
    func fullDiskIsKnownLater() async throws {
        let box = try Sandbox()
        try await box.succeed("products")
        try await box.succeed("downloads")
        try await box.succeed("operator", "download-faults", "terminal", "--disk", "9000")
        #expect(try await box.run("buy", book, "--bandwidth", "unlimited").code == 14)
        let listed = try await box.succeed("downloads")
        #expect(listed.output.contains("  waiting (disk full)  "))
        #expect(listed.errors.contains("storefront downloads cancel \(book)"))
        let row = try await box.succeed("downloads", "--json").object
        #expect(row["state"].text == "waiting" && row["isWorkedOn"].bool == false)
        #expect(row["error"]["code"].text == "deviceFull")
        #expect(row["timeRemaining"].number == -1)
        let full = try await box.run("downloads", "run")
        #expect(full.code == 12 && full.errors.contains("the disk is full"), "\(full.whole)")
        // With no other content on the device, the message does not advise to remove any.
        let made = try await box.run("downloads", "resume", book, "--make-room")
        #expect(made.code == 12 && made.errors.contains("No other content is left to remove"))
        #expect(!made.errors.contains("--make-room"), "\(made.errors)")
        try await box.succeed("operator", "download-faults", "terminal", "--clear")
        try await box.succeed("downloads", "run", "--bandwidth", "unlimited")
        #expect(try await box.succeed("downloads", "--json").object["error"].text == nil)
        #expect(try await box.succeed("downloads").output.contains("  downloaded  "))
    }

    @Test(
        "run says what waits for a person: consent, and what is paused; --json prints the paused one"
    )
    func runEnds() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", book, "--bandwidth", "unlimited")
        try await box.succeed("content", "remove", book)
        try await box.succeed("downloads", "settings", "--metered", "on", "--ask-from", "1")
        try await box.succeed("downloads", "resume", book, "--no-wait")
        let metered = try await box.run("downloads", "run")
        #expect(metered.code == 12)
        #expect(metered.errors.contains("downloads resume \(book) --metered"))
        let json = try await box.succeed("downloads", "pause", book, "--json")
        #expect(json.object["state"].text == "paused" && json.errors.isEmpty, "\(json.whole)")
        let paused = try await box.succeed("downloads", "run")
        #expect(paused.errors.contains("\(book) stays paused."))
    }

    @Test("run ends at once where one package is here and the other has failed or is paused [E5]")
    func runEndsWithHalfAProduct() async throws {
        let box = try Sandbox()
        let two = "lantern.book.lighthouse.2"
        try await box.succeed("products")
        try await box.succeed(
            "operator", "download-faults", "terminal", "--disconnect-at", "10000")
        #expect(try await box.run("buy", two, "--bandwidth", "unlimited").code == 14)
        let states = try await box.succeed("downloads", "--json").json.map { $0["state"].text }
        #expect(Set(states) == ["finished", "failed"])
        let failed = try await box.run("downloads", "run", "--patience", "1")
        #expect(failed.code == 12 && failed.errors.contains("resume \(two)"), "\(failed.whole)")
        #expect(!failed.errors.contains("could not be completed"), "\(failed.whole)")
        try await box.succeed("downloads", "resume", two, "--no-wait")
        try await box.succeed("downloads", "pause", two)
        let paused = try await box.succeed("downloads", "run", "--patience", "1")
        #expect(paused.errors.contains("\(two) stays paused."), "\(paused.whole)")
    }

    @Test("run ends when nothing moves any more, in this process or in another, and says for whom")
    func runEndsAtStandstill() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", book, "--bandwidth", "unlimited")
        try await box.succeed("content", "remove", book)
        try await box.succeed("operator", "download-faults", "terminal", "--stall-at", "9000")
        try await box.succeed("downloads", "resume", book, "--no-wait")
        let stalled = try await box.run("downloads", "run", "--patience", "1")
        #expect(stalled.code == 12, "\(stalled.whole)")
        #expect(stalled.errors.contains("No data of \(book) for 1 s."))
        let watching = try box.start("watch")
        #expect(await watching.next { $0["download"]["state"].text == "active" } != nil)
        let elsewhere = try await box.run("downloads", "run", "--patience", "1")
        #expect(elsewhere.code == 12, "\(elsewhere.whole)")
        #expect(elsewhere.errors.contains("Another process of this device downloads \(book)"))
        await watching.end(by: SIGKILL)
        try await box.succeed("operator", "download-faults", "terminal", "--clear")
        try await box.succeed("operator", "network", "terminal", "off")
        let offline = try await box.run("downloads", "run", "--patience", "1")
        #expect(offline.code == 12, "\(offline.whole)")
        #expect(offline.errors.contains("this device is offline"))
    }

    @Test("a download that a killed process has left running waits once, and runs then")
    func leftRunning() async throws {
        let box = try Sandbox()
        try await box.succeed("products")
        try await box.succeed("operator", "download-faults", "terminal", "--stall-at", "9000")
        let buying = try box.start("buy", book, "--bandwidth", "unlimited", "--json")
        var received = 0
        while received < 9000 {
            received =
                try await box.succeed("downloads", "--json").object["bytesReceived"].number ?? 0
        }
        for round in 0..<2 {
            let watching = try box.start("watch")
            #expect(await watching.next { $0["download"]["state"].text == "active" } != nil)
            if round == 0 {
                await buying.end(by: SIGKILL)
                #expect(await watching.next { $0["event"].text == "delivering" } != nil)
            }
            // No byte came for a second, so the reported states are complete.
            _ = try await box.run("downloads", "run", "--patience", "1")
            watching.stop(SIGKILL)
            let states = await watching.end().json.compactMap { $0["download"]["state"].text }
            guard round > 0 else { continue }
            #expect(!states.drop { $0 != "active" }.contains("waiting"), "\(states)")
        }
    }

    @Test("resume says truthfully what it did: already here, queued, or given up elsewhere")
    func resumeSaysTheTruth() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", book, "--bandwidth", "unlimited")
        let here = try await box.succeed("downloads", "resume", book)
        #expect(here.errors == "\(book) is downloaded already.\n")
        try await box.succeed("content", "remove", book)
        let queued = try await box.succeed("downloads", "resume", book, "--no-wait")
        #expect(queued.errors.contains("No process downloads for this device now."))
        for (command, words) in [("cancel", "Cancelled \(book)"), ("pause", "stays paused")] {
            let resuming = try box.start("downloads", "resume", book, "--bandwidth", "1k")
            var state: String?
            while state != "active" {
                state = try await box.succeed("downloads", "--json").object["state"].text
            }
            try await box.succeed("downloads", command, book)
            let ended = await resuming.end()
            #expect(ended.code == 12 && ended.errors.contains(words), "\(ended.whole)")
        }
    }

    @Test("deleted content is listed as deleted, stays owned and can be downloaded again [A10]")
    func delete() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", book, "--bandwidth", "unlimited")
        let path = try #require(
            try await box.succeed("downloads", "--json").object["path"].text)
        let deleted = try await box.succeed("downloads", "delete", book, "--json")
        #expect(deleted.object["state"].text == "deleted")
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try await box.succeed("entitlements").output.contains(book))
        let list = try await box.succeed("downloads").output
        #expect(list.contains("  removed  ") && list.contains("to download again"), "\(list)")
        #expect(!list.contains(" 0 of "), "\(list)")
        try await box.succeed("downloads", "resume", book, "--bandwidth", "unlimited")
        #expect(FileManager.default.fileExists(atPath: path + "/Contents/01-the-boat.txt"))
    }

    @Test("a package that a revised catalog dropped after it was removed keeps nothing from ending")
    func droppedPackage() async throws {
        let box = try Sandbox()
        func revise(_ packages: String...) throws -> [String] {
            let offered = packages.map { #"{"id": "\#($0)", "version": "1.0", "path": "\#($0)"}"# }
            let catalog = try box.file(
                "catalog.json",
                """
                {"format": 1, "app": {"bundleId": "com.example.lantern", "name": {"en": "Books"}},
                 "defaults": {"territory": "USA", "locale": "en_US"}, "content": "Content",
                 "sections": [{"id": "books", "name": {"en": "Books"}}],
                 "products": [{"id": "two.parts", "type": "nonConsumable", "section": "books",
                  "name": {"en": "Book"}, "prices": {"USA": "0.99"}, "delivery": {"kind": "hosted",
                  "packages": [\(offered.joined(separator: ", "))]}}]}
                """)
            return ["--catalog", catalog]
        }
        for part in ["notes", "text"] {
            let folder = box.work + "/Content/" + part
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try Data(part.utf8).write(to: URL(filePath: folder + "/1.txt"))
        }
        let both = try revise("notes", "text")
        #expect(try await box.run(["buy", "two.parts"] + both).code == 0)
        #expect(try await box.run(["downloads", "remove", "two.parts"] + both).code == 0)
        let one = try revise("text")
        let resumed = try await box.run(["downloads", "resume", "two.parts"] + one)
        #expect(resumed.code == 0, "\(resumed.whole)")
        let again = try await box.run(["downloads", "resume", "two.parts"] + one)
        #expect(again.code == 0 && again.errors == "two.parts is downloaded already.\n")
        let rows = try await box.run(["downloads", "--json"] + one).json
        #expect(rows.map { $0["contentId"].text } == ["text"])
    }

    @Test("the commands to pause and to cancel refuse a finished download")
    func nothingToPause() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", book, "--bandwidth", "unlimited")
        for action in ["pause", "cancel"] {
            let answer = try await box.run("downloads", action, book)
            #expect(answer.code == 12)
            #expect(answer.errors.contains("is downloaded already"))
            let json = try await box.run("downloads", action, book, "--json")
            #expect(json.code == 12)
            #expect(json.object["error"]["code"].text == "downloadNotActive")
        }
        #expect(try await box.succeed("downloads").output.contains("  downloaded  "))
    }

    @Test("a command for a download that this device does not have is refused")
    func neverHere() async throws {
        let box = try Sandbox()
        try await box.succeed("products")
        for action in ["pause", "cancel", "delete"] {
            let answer = try await box.run("downloads", action, book)
            #expect(answer.code == 12)
            #expect(answer.errors.contains("no download of \"\(book)\" on this device"))
            #expect(!answer.errors.contains("catalog"))
        }
    }

    @Test("a download that no process runs is listed as waiting, with a note")
    func noProcessRunsIt() async throws {
        let box = try Sandbox()
        let buying = try box.start("buy", book, "--bandwidth", "1k")
        let watching = try box.start("watch", "--bandwidth", "1k")
        #expect(await watching.next { $0["download"]["state"].text == "active" } != nil)
        #expect(try await box.succeed("downloads").output.contains("  downloading  "))
        #expect(try await box.succeed("downloads", "--json").object["isWorkedOn"].bool == true)
        for program in [buying, watching] {
            await program.end(by: SIGKILL)
        }
        let list = try await box.succeed("downloads")
        #expect(list.output.contains("  waiting (not running)  "))
        #expect(list.errors.contains("No process downloads for this device now."))
        let row = try await box.succeed("downloads", "--json").object
        #expect(row["state"].text == "waiting")
        #expect(row["isWorkedOn"].bool == false)
    }

    @Test("download commands are refused for a product without hosted content")
    func nothingHosted() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        for action in ["pause", "resume", "cancel", "delete"] {
            let answer = try await box.run("downloads", action, "lantern.theme.sepia")
            #expect(answer.code == 12, "\(action)")
            #expect(answer.errors.contains("no hosted content"), "\(action)")
        }
        #expect(try await box.run("downloads", "pause", "../../x").code != 0)
    }

    @Test("what was bought without waiting is here when downloads run has ended")
    func rightAfterBuying() async throws {
        let box = try Sandbox()
        for book in [book, "lantern.book.lighthouse.2", "lantern.book.fieldguide"] {
            try await box.succeed("buy", book, "--no-wait")
            try await box.succeed("downloads", "run", "--bandwidth", "unlimited")
            let rows = try await box.succeed("downloads", "--json").json
                .filter { $0["productId"].text == book }
            #expect(!rows.isEmpty && rows.allSatisfy { $0["state"].text == "finished" }, "\(rows)")
        }
        #expect(try await box.succeed("transactions", "--unfinished", "--json").json.isEmpty)
    }

    @Test("an invalid bandwidth is refused", arguments: ["0", "-1", "fast", "k", "1.5M"])
    func bandwidth(text: String) async throws {
        let box = try Sandbox()
        let answer = try await box.run(["products", "--bandwidth=\(text)"])
        #expect(answer.code == 64)
        #expect(answer.errors.contains("bandwidth"))
    }
}
