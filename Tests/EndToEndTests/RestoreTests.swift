import Foundation
import Testing

@Suite("restoring", .withProgram, .inTurn)
struct RestoreTests {
    @Test("a second device gets everything but consumables back, once [F5]")
    func secondDevice() async throws {
        let box = try Sandbox()
        try await box.succeed(
            "buy", "lantern.theme.sepia", "lantern.coins.10", "lantern.book.lighthouse.1",
            "--bandwidth", "unlimited")
        let first = try await box.succeed("restore", "--device", "tablet", "--json").object
        #expect(
            Set(first["restored"].items.compactMap { $0["productId"].text }) == [
                "lantern.theme.sepia", "lantern.book.lighthouse.1",
            ])
        #expect(first["unverifiedCount"].number == 0)
        let second = try await box.succeed("restore", "--device", "tablet")
        #expect(second.output.contains("was here"))
        #expect(
            second.output.hasSuffix(
                """
                Nothing new to restore.
                Consumables, such as coins, are not restored: each belongs to the device that bought \
                it.

                """))
        #expect(try await box.succeed("purse", "--device", "tablet").output.isEmpty)
    }

    @Test("a restore lists what came back, and downloads no content by itself [A3, E4]")
    func words() async throws {
        let box = try Sandbox()
        let early = try await box.run("downloads", "resume", "lantern.book.lighthouse.1")
        #expect(early.code == 12 && early.errors.contains("storefront restore"), "\(early.whole)")
        try await box.succeed("buy", "lantern.book.lighthouse.1", "--bandwidth", "unlimited")
        let answer = try await box.succeed("restore", "--device", "tablet")
        #expect(answer.rows.first?.hasPrefix("restored  ") == true)
        #expect(answer.lines.last == "Restored 1 purchase.")
        #expect(try await box.succeed("downloads", "--device", "tablet").output.isEmpty)
        try await box.succeed(
            "downloads", "resume", "lantern.book.lighthouse.1", "--device", "tablet",
            "--bandwidth", "unlimited")
        let row = try await box.succeed("downloads", "--device", "tablet", "--json").object
        #expect(row["state"].text == "finished")
    }

    @Test(
        "--downloads fetches the content of all that came back; none and a wrong count do not [E4]")
    func downloads() async throws {
        let box = try Sandbox()
        let books = ["lantern.book.lighthouse.1", "lantern.book.lighthouse.2"]
        try await box.succeed("buy", books[0], books[1], "--bandwidth", "unlimited")
        let tablet = ["--device", "tablet"]
        for wrong in ["0", "-1", "many"] {
            #expect(try await box.run(["restore", "--downloads=\(wrong)"] + tablet).code == 64)
        }
        #expect(try await box.run(["restore", "--downloads", "none"] + tablet).code == 0)
        #expect(try await box.run(["downloads"] + tablet).output.isEmpty)
        let answer = try await box.run(
            ["restore", "--downloads", "2", "--bandwidth", "unlimited", "--json"] + tablet)
        #expect(answer.code == 0 && answer.json.count == 1, "\(answer.whole)")
        // The books were recorded here before, without their content: none counts.
        #expect(answer.object["restored"].items.isEmpty)
        let rows = try await box.run(["downloads", "--json"] + tablet).json
        #expect(Set(rows.compactMap { $0["productId"].text }) == Set(books))
        #expect(rows.allSatisfy { $0["state"].text == "finished" }, "\(rows)")
        for row in rows {
            let path = try #require(row["path"].text)
            let folder =
                row["productId"].text == books[0]
                ? "lighthouse-1" : "lighthouse-2/\(row["contentId"].text ?? "")"
            #expect(
                FolderContents(path + "/Contents") == FolderContents(Program.content + "/" + folder)
            )
        }
        #expect(box.partialFiles.isEmpty)
    }
}
