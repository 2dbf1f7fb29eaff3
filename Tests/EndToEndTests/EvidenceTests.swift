import Foundation
import Testing

/// Lists that a tester hands to other people, who open them in a spreadsheet.
@Suite("lists as evidence", .withProgram, .inTurn)
struct EvidenceTests {
    /// The lines of a list of values, each with the same number of them. None of these values is in
    /// quotation marks.
    private static func table(
        _ answer: RunningProgram.Answer, at location: SourceLocation = #_sourceLocation
    ) -> [[String]] {
        #expect(answer.code == 0, "\(answer.errors)", sourceLocation: location)
        #expect(answer.output.hasSuffix("\r\n"), sourceLocation: location)
        let lines = answer.output.components(separatedBy: "\r\n").dropLast()
        #expect(
            !lines.contains { $0.contains("\n") || $0.contains("\"") }, sourceLocation: location)
        let table = lines.map { $0.components(separatedBy: ",") }
        #expect(Set(table.map(\.count)).count == 1, "\(table)", sourceLocation: location)
        return table
    }

    /// The values of a column, without its heading.
    private static func column(_ name: String, of table: [[String]]) -> [String] {
        guard let index = table.first?.firstIndex(of: name) else { return ["no \(name)"] }
        return table.dropFirst().map { $0[index] }
    }

    @Test(
        "transactions and history as values: a line each, amounts as numbers, days as in the table")
    func sales() async throws {
        let box = try Sandbox(["TZ": "Asia/Tokyo"])
        try await box.succeed("buy", "lantern.coins.10", "--quantity", "3")
        try await box.succeed("buy", "lantern.theme.sepia")
        try await box.succeed("operator", "refund", "1000002")
        try await box.succeed("operator", "reverse-refund", "1000002")

        let sold = Self.table(try await box.run("transactions", "--csv"))
        #expect(
            sold.first == [
                "TRANSACTION", "DATE", "PRODUCT", "ID", "QUANTITY", "PRICE", "CURRENCY", "STATE",
            ])
        #expect(Self.column("TRANSACTION", of: sold) == ["1000002", "1000001"])
        #expect(Self.column("PRODUCT", of: sold) == ["Sepia", "10 coins"])
        #expect(Self.column("QUANTITY", of: sold) == ["1", "3"])
        #expect(Self.column("PRICE", of: sold) == ["0.99", "2.97"])
        #expect(Self.column("DATE", of: sold).allSatisfy { $0.hasSuffix("+09:00") })

        // Details of other kinds have commas, so they are in quotation marks.
        let history = Self.table(
            try await box.run(
                "history", "--all-accounts", "--csv", "--kind", "refunded", "--kind",
                "refundReversed"))
        let refunds = zip(
            Self.column("EVENT", of: history), Self.column("REFUNDED", of: history)
        ).filter { !$0.1.isEmpty }.map { "\($0) \($1)" }
        #expect(refunds == ["reversed -0.99", "refunded 0.99"])
        #expect(Set(Self.column("ACCOUNT", of: history)).contains("me"))

        let none = try await box.run("transactions", "--csv", "--product", "lantern.coins.550")
        #expect(Self.table(none).count == 1, "the headings")
        let empty = try await box.run("history", "--csv", "--since", "2099-01-01")
        #expect(Self.table(empty).count == 1, "the headings")
        let japanese = try await box.run("transactions", "--csv", "--language", "ja")
        #expect(japanese.output.hasPrefix("取引番号,日付,"), "\(japanese.output)")
    }

    @Test("a name that a spreadsheet would run is only text, and one with a comma is in quotes")
    func formulas() async throws {
        let box = try Sandbox()
        try box.copyContent()
        let text = try String(contentsOfFile: Program.catalog, encoding: .utf8)
        let file = try box.file(
            "formulas.json",
            text.replacing(#""en": "Sepia""#, with: #""en": "=1+1""#)
                .replacing(#""en": "10 coins""#, with: #""en": "Coins, \"ten\"""#))
        try await box.succeed("buy", "lantern.theme.sepia", "--catalog", file)
        try await box.succeed("buy", "lantern.coins.10", "--catalog", file)
        for words in [["transactions", "--csv"], ["operator", "takings", "--csv"]] {
            let answer = try await box.run(words + ["--catalog", file])
            #expect(answer.output.contains(",'=1+1,lantern.theme.sepia,"), "\(answer.output)")
            #expect(
                answer.output.contains(",\"Coins, \"\"ten\"\"\",lantern.coins.10,"),
                "\(answer.output)")
        }
    }

    @Test("takings are divided as asked, and say the proceeds at the catalog's rate")
    func takings() async throws {
        let box = try Sandbox()
        try box.copyContent()
        try await box.succeed("buy", "lantern.coins.10", "lantern.theme.sepia")
        try await box.succeed("operator", "territory", "JPN", "--account", "aoi")
        try await box.succeed("buy", "lantern.coins.10", "--account", "aoi")
        try await box.succeed("operator", "refund", "1000002")
        let table = try await box.succeed("operator", "takings")
        #expect(table.lines.first?.contains("PROCEEDS") == false, "\(table.output)")
        let byTerritory = try await box.succeed(
            "operator", "takings", "--by", "territory", "--json")
        #expect(byTerritory.json.compactMap { $0["storefront"].text } == ["JPN", "USA"])
        #expect(byTerritory.json.allSatisfy { $0["productId"].text == nil })

        let text = try String(contentsOfFile: Program.catalog, encoding: .utf8)
        let file = try box.file(
            "rate.json",
            text.replacing(
                "\"content\": \"Content\"",
                with: "\"proceedsRate\": 0.7, \"content\": \"Content\""))
        let csv = Self.table(try await box.run("operator", "takings", "--csv", "--catalog", file))
        #expect(
            csv.first == [
                "DAY", "PRODUCT", "ID", "TERRITORY", "CURRENCY", "SOLD", "SALES", "REFUNDED",
                "PROCEEDS",
            ])
        #expect(Self.column("ID", of: csv).last == "lantern.theme.sepia")
        #expect(Self.column("TERRITORY", of: csv) == ["JPN", "USA", "USA"])
        #expect(Self.column("SOLD", of: csv) == ["160", "0.99", "0.99"])
        #expect(Self.column("PROCEEDS", of: csv) == ["112", "0.693", "0.00"])
        #expect(Self.column("DAY", of: csv).allSatisfy { $0.count == 10 })
        let wrong = try await box.run("operator", "takings", "--by", "week")
        #expect(wrong.code == 64)
        #expect(try await box.run("operator", "takings", "--csv", "--json").code == 64)
        #expect(try await box.run("transactions", "--csv", "--signed").code == 64)
    }

    @Test("a device's log is listed by itself: what the store does not record, with its product")
    func deviceLog() async throws {
        let box = try Sandbox()
        let none = try await box.succeed("history", "--device-log")
        #expect(none.output.isEmpty && none.errors.contains("Nothing"), "\(none.whole)")
        try await box.succeed("buy", "lantern.book.fieldguide", "--bandwidth", "unlimited")
        try await box.succeed("buy", "lantern.theme.sepia")
        try await box.succeed("restore", "--device", "tablet", "--bandwidth", "unlimited")
        let json = try await box.succeed("history", "--device-log", "--json").json
        #expect(json.compactMap { $0["event"].text }.contains("downloaded"), "\(json)")
        #expect(json.allSatisfy { $0["number"].number != nil && $0["at"].number != nil })
        let csv = try await box.succeed(
            "history", "--device-log", "--csv", "--product", "lantern.book.fieldguide", "--limit",
            "1")
        let lines = csv.output.components(separatedBy: "\r\n")
        #expect(lines.count == 3, "\(csv.output)")
        #expect(lines.first == "DATE,EVENT,NUMBER,ACCOUNT,DEVICE,ID,DETAIL")
        #expect(csv.output.contains(",me,terminal,lantern.book.fieldguide,"), "\(csv.output)")
        let tablet = try await box.succeed("history", "--device-log", "--device", "tablet")
        #expect(tablet.rows.contains { $0.contains("restored") }, "\(tablet.output)")
        for words in [["--all-accounts"], ["--kind", "sold"]] {
            let refused = try await box.run(["history", "--device-log"] + words)
            #expect(refused.code == 64 && refused.errors.contains("--device-log"))
        }
    }

    @Test("what is worth a look at accounts is a list, and values for a spreadsheet")
    func notices() async throws {
        let box = try Sandbox()
        let token = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
        for account in ["kai", "nia"] {
            try await box.succeed(
                "buy", "lantern.coins.10", "--account", account, "--app-account-token", token)
        }
        let shown = try await box.succeed("operator", "notices")
        #expect(shown.cells == ["one token", token, "kai, nia"], "\(shown.output)")
        let csv = try await box.succeed("operator", "notices", "--csv")
        #expect(csv.output == "NOTICE,VALUE,ACCOUNTS\r\none token,\(token),\"kai, nia\"\r\n")
    }

    @Test("each problem of a catalog has its code, and --strict refuses what is only warned of")
    func codes() async throws {
        let box = try Sandbox()
        let file = try box.file(
            "coins.json",
            #"{"format": 1, "app": {"bundleId": "a.b", "name": {"en": "A"}}, "products": ["#
                + #"{"id": "a", "type": "consumable", "name": {"en": "A"}, "#
                + #""prices": {"USA": "1"}}]}"#)
        let lenient = try await box.succeed("catalog", "check", file)
        #expect(lenient.lines.first?.hasPrefix("warning: products (line 1)") == true)
        #expect(lenient.lines.first?.hasSuffix(" [no-restore]") == true, "\(lenient.output)")
        #expect(lenient.lines.last == "Valid: 1 product, 1 warning.")
        let strict = try await box.run("catalog", "check", file, "--strict")
        #expect(strict.code == 65)
        #expect(strict.lines.first?.hasPrefix("error: products") == true, "\(strict.output)")
        #expect(strict.lines.last == "Invalid: 1 error, 0 warnings.")
        let json = try await box.run("catalog", "check", file, "--strict", "--json")
        #expect(json.code == 65)
        #expect(json.object["code"].text == "no-restore")
        #expect(json.object["severity"].text == "error")
        try await box.succeed("catalog", "check", Program.catalog, "--strict")
    }
}
