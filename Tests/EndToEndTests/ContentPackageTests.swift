import Foundation
import Testing

/// The commands that make, check and host packages of content.
@Suite("content packages", .withProgram, .inTurn)
struct ContentPackageTests {
    private let book = "lantern.book.lighthouse.1"

    /// Writes a folder with chapters, and packs it.
    private func pack(_ box: Sandbox, _ version: String = "1.1") async throws -> String {
        let folder = box.work + "/chapters"
        try FileManager.default.createDirectory(
            atPath: folder + "/ja", withIntermediateDirectories: true)
        try Data("The boat, as it was \(version).".utf8)
            .write(to: URL(filePath: folder + "/01.txt"))
        try Data("船".utf8).write(to: URL(filePath: folder + "/ja/01.txt"))
        let file = box.work + "/chapters-\(version).zip"
        let answer = try await box.succeed(
            "content", "pack", folder, "--product", book, "--version", version, "--output", file)
        #expect(answer.output.hasPrefix("Packed 2 files, "))
        return file
    }

    @Test(
        "what is approved is not approved anew, and what is up to date or given up is told as that")
    func nothingToDo() async throws {
        let box = try Sandbox()
        let package = try await pack(box)
        try await box.succeed("content", "host", package, "--approve")
        let again = try await box.succeed("content", "host", package, "--approve")
        #expect(again.lines.count == 1 && again.output.contains("already"), "\(again.whole)")
        try await box.succeed("buy", book, "--bandwidth", "unlimited")
        let upToDate = try await box.succeed("downloads", "update", "--all")
        #expect(upToDate.errors == "Everything on this device is up to date.\n")
        // A cancelled download is not shown in the progress of another one.
        try await box.succeed("content", "remove", book)
        let run = try await box.succeed("downloads", "run")
        #expect(!run.whole.contains(book), "\(run.whole)")
    }

    @Test("a package is packed, inspected, hosted, walked to approved, bought and unpacked [B8]")
    func life() async throws {
        let box = try Sandbox()
        let file = try await pack(box)
        let inspected = try await box.succeed("content", "inspect", file)
        #expect(inspected.lines.last == "Valid: \(book), package 1.1, 2 files, 27 B.")
        let facts = try await box.succeed("content", "inspect", file, "--json").object
        #expect(facts["version"].text == "1.1" && facts["problems"].items.isEmpty)
        let hosted = try await box.succeed("content", "host", file)
        #expect(hosted.output == "\(book): package text 1.1 is uploaded now.\n")
        let before = try await box.succeed("products", book, "--json").object
        let offered = before["products"].items.first?["hostedContent"].items.first
        #expect(offered?["version"].text == "1.0")
        for state in ["validated", "ready", "inTest", "approved"] {
            let walked = try await box.succeed("content", "publish", book, "1.1", state)
            #expect(walked.output == "\(book): package text 1.1 is \(state) now.\n")
        }
        #expect(
            try await box.succeed("content", "publish", book, "1.1", "approved").output
                == "\(book): package text 1.1 was approved already.\n")
        let release = try await box.succeed("content", "hosted", "--json").object
        #expect(release["sha256"].text == facts["sha256"].text)
        #expect(release["state"].text == "approved")
        let history = ["history", "--all-accounts", "--kind", "catalogRevised"]
        #expect(
            try await box.run(history).rows.first?.hasSuffix("package text 1.1 approved") == true)
        let ofProduct = try await box.run("history", "--all-accounts", "--product", book, "--json")
        #expect(
            ofProduct.json.map { $0["release"]["state"].text }
                == ["approved", "inTest", "ready", "validated", "uploaded"])
        let events = try await box.succeed("operator", "events").json
            .filter { $0["release"]["state"].text == "approved" }
        #expect(events.map { $0["productId"].text } == [book])
        let past = try await box.run(history + ["--json"]).object
        #expect(past["productId"].text == book && past["release"]["state"].text == "approved")

        try await box.succeed("buy", book, "--bandwidth", "unlimited")
        let row = try await box.succeed("downloads", "--json").object
        #expect(row["state"].text == "finished" && row["version"].text == "1.1")
        let path = try #require(row["path"].text)
        #expect(FolderContents(path + "/Contents") == FolderContents(box.work + "/chapters"))
        let info = try String(contentsOfFile: path + "/ContentInfo.plist", encoding: .utf8)
        #expect(info.contains("<string>1.1</string>") && info.contains("<string>\(book)</string>"))
        for command in ["content", "downloads"] {
            #expect(try await box.succeed(command, "path", book).output == path + "\n")
        }
    }

    @Test("--approve does all states at once; an older version is refused with the last one")
    func approve() async throws {
        let box = try Sandbox()
        let file = try await pack(box, "2.0")
        let hosted = try await box.succeed("content", "host", file, "--approve")
        #expect(hosted.lines.last == "\(book): package text 2.0 is approved now.")
        let older = try await box.run("content", "host", try await pack(box, "1.9"))
        #expect(older.code == 12)
        #expect(
            older.errors.contains("its version is 1.9") && older.errors.contains("Expected > 2.0."))
        #expect(try await box.succeed("content", "hosted").lines.count == 2)
    }

    @Test("a newer version of what was downloaded is listed and fetched in its place [E3]")
    func update() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", book, "--bandwidth", "unlimited")
        #expect(
            try await box.succeed("downloads", "update").errors
                == "Everything on this device is up to date.\n")
        try await box.succeed("content", "host", try await pack(box), "--approve")
        let listed = try await box.succeed("downloads", "update")
        #expect(listed.output.hasPrefix("\(book) text: 1.0 → 1.1, "))
        try await box.succeed("downloads", "update", "--all", "--bandwidth", "unlimited")
        let row = try await box.succeed("downloads", "--json").object
        #expect(row["state"].text == "finished" && row["installedVersion"].text == "1.1")
        let path = try #require(row["path"].text)
        #expect(FolderContents(path + "/Contents") == FolderContents(box.work + "/chapters"))
        let package = (path as NSString).deletingLastPathComponent
        #expect(try FileManager.default.contentsOfDirectory(atPath: package) == ["1.1"])
    }

    @Test(
        "an update that failed is told beside the version that is here, which stays if it is cancelled"
    )
    func besideUpdate() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", book, "--bandwidth", "unlimited")
        let bytes = try #require(
            try await box.succeed("downloads", "--json").object["bytesExpected"].number)
        try await box.succeed("content", "host", try await pack(box), "--approve")
        try await box.succeed("operator", "download-faults", "terminal", "--disconnect-at", "100")
        #expect(try await box.run("downloads", "update", "--all").code == 12)
        let here = try await box.succeed("content", "list").lines.last ?? ""
        #expect(here.contains("downloaded; 1.1 failed"))
        #expect(here.contains(#/ [0-9.]+ kB of [0-9.]+ kB /#) && here.hasSuffix("/text/1.0"))
        let installed = try await box.succeed("content", "list", "--json").object
        #expect(installed["version"].text == "1.0" && installed["state"].text == "finished")
        #expect(installed["bytesReceived"].number == bytes)
        #expect(installed["path"].text?.hasSuffix("/text/1.0") == true)
        #expect(installed["update"]["version"].text == "1.1")
        #expect(installed["update"]["state"].text == "failed")
        let row = try await box.succeed("downloads", "--json").object
        #expect(row["version"].text == "1.1" && row["path"].text == nil)
        #expect(row["installedVersion"].text == "1.0" && row["installedBytes"].number == bytes)
        #expect(row["installedPath"] == installed["path"])
        let listed = try await box.succeed("downloads")
        #expect(listed.output.contains("1.0 → 1.1") && !listed.output.contains("/text/1.0"))
        let cancelled = try await box.succeed("downloads", "cancel", book)
        #expect(cancelled.errors.contains("Update of \(book) cancelled; version 1.0 stays."))
        let after = try await box.succeed("downloads", "--json").object
        #expect(after["version"].text == "1.0" && after["bytesExpected"].number == bytes)
        #expect(after["path"] == installed["path"])
    }

    @Test("finishing a sale again while its update is held up keeps the version that is here")
    func finishDuringUpdate() async throws {
        let box = try Sandbox()
        let bought = try await box.succeed("buy", book, "--bandwidth", "unlimited", "--json")
        let sale = try #require(bought.object["transactionId"].text)
        try await box.succeed("content", "host", try await pack(box), "--approve")
        try await box.succeed("operator", "download-faults", "terminal", "--disconnect-at", "100")
        #expect(try await box.run("downloads", "update", "--all").code == 12)
        let finished = try await box.succeed("finish", sale)
        #expect(finished.errors.contains("Finishing cancels the download of \(book) text"))
        let row = try await box.succeed("downloads", "--json").object
        #expect(row["state"].text == "finished" && row["version"].text == "1.0")
        let path = try #require(row["path"].text)
        #expect(
            FolderContents(path + "/Contents") == FolderContents(Program.content + "/lighthouse-1"))
        #expect(box.partialFiles.isEmpty)
        try await box.succeed("restore")
        #expect(
            FolderContents(path + "/Contents") == FolderContents(Program.content + "/lighthouse-1"))
    }

    @Test("content is listed, found, removed for room and fetched again [E6]")
    func space() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", book, "--bandwidth", "unlimited")
        let path = try await box.succeed("content", "path", book).lines.first ?? ""
        #expect(
            FolderContents(path + "/Contents") == FolderContents(Program.content + "/lighthouse-1"))
        #expect(try await box.succeed("content", "list").lines.count == 2)
        let freed = try await box.succeed("content", "space", "--free", "1")
        #expect(freed.errors.hasPrefix("Removed \(book) text 1.0, 20 kB."))
        #expect(freed.output.hasPrefix("0 packages, 0 B; "))
        #expect(try await box.run("content", "path", book).code == 12)
        try await box.succeed("downloads", "resume", book, "--bandwidth", "unlimited")
        try await box.succeed("content", "remove", book)
        #expect(try await box.succeed("content", "space", "--json").object["packages"].number == 0)
    }

    @Test("a download that lost its connection fails, and goes on without a screen [E5]")
    func faults() async throws {
        let box = try Sandbox()
        try await box.succeed("products")
        try await box.succeed("downloads")
        try await box.succeed("operator", "download-faults", "terminal", "--disconnect-at", "9000")
        let bought = try await box.run("buy", book, "--bandwidth", "unlimited")
        #expect(bought.code == 14)
        let failed = try await box.succeed("downloads", "--json").object
        #expect(failed["state"].text == "failed" && failed["bytesReceived"].number == 9000)
        #expect(try await box.run("downloads", "run").code == 12)
        try await box.succeed("downloads", "resume", book, "--no-wait")
        try await box.succeed("downloads", "run", "--bandwidth", "unlimited")
        #expect(try await box.succeed("downloads", "--json").object["state"].text == "finished")
        let path = try await box.succeed("content", "path", book).lines.first ?? ""
        #expect(
            FolderContents(path + "/Contents") == FolderContents(Program.content + "/lighthouse-1"))
        #expect(box.partialFiles.isEmpty)
    }

    @Test("what could not be hosted is not packed; what is no package is named with its rule [E1]")
    func refused() async throws {
        let box = try Sandbox()
        let folder = box.work + "/bad"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: folder + "/run"))
        let output = box.work + "/bad.zip"
        let packed = try await box.run(
            "content", "pack", folder, "--product", book, "--version", "1.1", "--output", output)
        #expect(packed.code == 65 && packed.errors.contains("a script (#!)"))
        #expect(!FileManager.default.fileExists(atPath: output))
        let text = try box.file("text.zip", "no zip")
        for command in ["inspect", "host"] {
            let answer = try await box.run("content", command, text)
            #expect(answer.code == 65)
            #expect(answer.errors.contains("6 bytes"), "\(answer.errors)")
        }
        // A missing file or folder is named in the error instead of the store.
        let missing = box.work + "/none.zip"
        let pack = ["--product", book, "--version", "1.1", "--output"]
        for (command, code, path) in [
            (["inspect", missing], 65, missing), (["host", missing], 65, missing),
            (["pack", missing] + pack + [output], 65, missing),
            (["pack", box.work] + pack + [missing + "/x.zip"], 74, missing + "/x.zip"),
        ] {
            let answer = try await box.run(["content"] + command)
            #expect(answer.code == code, "\(answer.whole)")
            #expect(answer.errors.contains("\"\(path)\" cannot be "), "\(answer.errors)")
            #expect(!answer.errors.contains("The store") && !answer.errors.contains("charged"))
        }
        for command in [["content", "remove", "no.such"], ["downloads", "resume", "no.such"]] {
            let answer = try await box.run(command)
            #expect(answer.code == 12 && !answer.errors.contains("charged"), "\(answer.errors)")
        }
        let version = try await box.run(
            "content", "pack", folder, "--product", book, "--version", "new", "--output", output)
        #expect(version.code == 64)
    }
}
