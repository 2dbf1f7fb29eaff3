import Foundation
import Testing

@Suite("catalog export, and settings of .storekit files", .withProgram, .inTurn)
struct CatalogExportTests {
    /// A key as Xcode writes it: 32 random bytes in base64.
    private static let key = "9dT3vKq0m1n5o7r8s2uXyZaBcDeFgHiJkLmNoPqRsT4="

    private static let file = """
        {
          "identifier" : "A1B2C3D4",
          "nonRenewingSubscriptions" : [

          ],
          "products" : [
            {
              "displayPrice" : "1.99",
              "familyShareable" : false,
              "internalID" : "1",
              "localizations" : [

              ],
              "productID" : "lamp",
              "referenceName" : "Lamp",
              "shade" : "green",
              "type" : "Consumable"
            }
          ],
          "settings" : {
            "_askToBuyEnabled" : true,
            "_storefront" : "DEU"
          },
          "subscriptionGroups" : [

          ],
          "subscriptionOffersKeyPair" : {
            "id" : "1",
            "privateKey" : "\(key)"
          },
          "version" : {
            "major" : 4,
            "minor" : 0
          }
        }
        """

    /// The file in the form in which an export writes it.
    private static var withoutKey: String {
        file.replacing(
            """
              "subscriptionOffersKeyPair" : {
                "id" : "1",
                "privateKey" : "\(key)"
              },

            """, with: "")
    }

    @Test("the settings of a .storekit file are told once, and take effect for all accounts")
    func settings() async throws {
        let box = try Sandbox()
        let file = try box.file("Shop.storekit", Self.file)
        let first = try await box.succeed("products", "--catalog", file)
        #expect(first.errors.contains("Ask to Buy on; storefront DEU"), "\(first.errors)")
        let second = try await box.succeed("products", "--catalog", file)
        #expect(!second.errors.contains("Ask to Buy"), "\(second.errors)")
        #expect(second.output.contains("1,99") || second.output.contains("1.99"))
        let bought = try await box.run("buy", "lamp", "--catalog", file, "--account", "kai")
        #expect(bought.code == 10, "\(bought.output)\(bought.errors)")

        // The operator's change stays until the value in the file changes.
        try await box.succeed(
            "operator", "ask-to-buy", "off", "--account", "kai", "--catalog", file)
        _ = try box.file("Shop.storekit", Self.file.replacing("\"1.99\"", with: "\"2.99\""))
        let after = try await box.run("buy", "lamp", "--catalog", file, "--account", "kai")
        #expect(after.code == 0, "\(after.output)\(after.errors)")

        _ = try box.file(
            "Shop.storekit",
            Self.file.replacing(
                "\"_askToBuyEnabled\" : true", with: "\"_failTransactionsEnabled\" : true"))
        let failed = try await box.run("buy", "lamp", "--catalog", file, "--account", "kai")
        #expect(failed.code == 12, "\(failed.output)\(failed.errors)")
        _ = try box.file(
            "Shop.storekit",
            Self.file.replacing(
                "\"_askToBuyEnabled\" : true", with: "\"_failTransactionsEnabled\" : false"))
        let mended = try await box.run("buy", "lamp", "--catalog", file, "--account", "kai")
        #expect(mended.code == 0, "\(mended.output)\(mended.errors)")
    }

    @Test("locale and dialogs of a .storekit file are told, recorded, and changed by the operator")
    func localeAndDialogs() async throws {
        let box = try Sandbox()
        let set = Self.file.replacing(
            "\"_askToBuyEnabled\" : true",
            with: "\"_disableDialogs\" : true, \"_locale\" : \"en_US\"")
        let file = try box.file("Shop.storekit", set)
        let first = try await box.succeed("products", "--catalog", file)
        #expect(first.errors.contains("payment without a sheet"), "\(first.errors)")
        #expect(first.output.contains("1,99") && !first.output.contains("€1,99"))
        try await box.succeed("buy", "lamp", "--catalog", file)
        func changes() async throws -> [JSON] {
            try await box.succeed("operator", "events", "--catalog", file).json
                .filter { $0["event"].text == "accountChanged" }.map { $0["settings"] }
        }
        let told = try await changes()
        #expect(told.map { $0["locale"].text } == ["en_US"])
        #expect(told.map { $0["disablesDialogs"] } == [.bool(true)])

        let japanese = try await box.succeed("operator", "locale", "ja-jp", "--catalog", file)
        #expect(japanese.output.contains("reads names and prices in ja_JP."))
        let on = try await box.succeed("operator", "dialogs", "on", "--catalog", file)
        #expect(on.output.contains("is asked by a payment sheet"))
        _ = try box.file("Shop.storekit", set.replacing("\"1.99\"", with: "\"2.99\""))
        #expect(try await box.succeed("products", "--catalog", file).output.contains("€2,99"))
        let asked = try await box.succeed("products", "--catalog", file, "--locale", "de_DE")
        #expect(asked.output.contains("2,99") && !asked.output.contains("€2,99"))
        #expect(try await changes().last?["locale"].text == "ja_JP")
        #expect(try await changes().last?["disablesDialogs"] == .bool(false))
        // The notes name the file's value of a setting that the operator has changed since.
        _ = try box.file("Shop.storekit", set.replacing("\"1.99\"", with: "\"3.99\""))
        let notes = try await box.succeed("products", "--catalog", file).errors
        #expect(notes.contains("Changed in the store since, and left so"), "\(notes)")
        #expect(notes.contains("still has: payment without a sheet; locale "), "\(notes)")
        #expect(notes.contains("The catalog's settings: storefront DEU."), "\(notes)")
        let history = try await box.succeed("history", "--catalog", file)
        #expect(history.output.contains("locale ja_JP"))

        _ = try box.file("Shop.storekit", set.replacing("en_US", with: "de_DE"))
        #expect(!(try await box.succeed("products", "--catalog", file)).output.contains("€1,99"))
        let none = try await box.succeed("operator", "locale", "none", "--catalog", file)
        #expect(none.output.contains("customer's own language"))
        let wrong = try await box.run("operator", "locale", "qq_XX", "--catalog", file)
        #expect(wrong.code == 64 || wrong.code == 12, "\(wrong.whole)")
        #expect(wrong.errors.contains("qq_XX"))
    }

    @Test(
        "a .storekit file is exported as it was, less its private key, which no file of the store has"
    )
    func export() async throws {
        let box = try Sandbox()
        let file = try box.file("Shop.storekit", Self.file)
        let target = box.work + "/Out.storekit"
        let told = try await box.succeed("catalog", "export", target, "--catalog", file)
        #expect(told.output.contains("a private key in the catalog's file"), "\(told.output)")
        #expect(told.output.hasSuffix("Exported 1 product to \(target).\n"))
        #expect(try String(contentsOfFile: target, encoding: .utf8) == Self.withoutKey)

        let raw = try #require(Data(base64Encoded: Self.key))
        var files = 0
        let store = box.folder + "/data"
        for case let name as String in FileManager.default.enumerator(atPath: store) ?? .init() {
            guard let bytes = FileManager.default.contents(atPath: store + "/" + name) else {
                continue
            }
            files += 1
            #expect(bytes.firstRange(of: Data(Self.key.utf8)) == nil, "\(name)")
            #expect(bytes.firstRange(of: raw) == nil, "\(name)")
        }
        #expect(files > 3)

        let again = try await box.run("catalog", "export", target, "--catalog", file)
        #expect(again.code == 74)
        let refusal = "exists already. Nothing was changed. Give --force to replace it."
        #expect(again.errors.contains(refusal) && !again.errors.contains("Usage"))
        let missing = box.work + "/no/folder.storekit"
        let nowhere = try await box.run("catalog", "export", missing, "--catalog", file)
        #expect(nowhere.code == 74 && !nowhere.errors.contains("Usage"), "\(nowhere.errors)")
        let reason = "\(missing)\" cannot be written (No such file or directory)."
        #expect(nowhere.errors.contains(reason), "\(nowhere.errors)")
        try await box.succeed("operator", "ask-to-buy", "off", "--catalog", file)
        try await box.succeed(
            "operator", "renewals", "--rate", "monthlyRenewalEveryFiveMinutes", "--catalog", file)
        try await box.succeed("catalog", "export", target, "--catalog", file, "--force")
        #expect(
            try String(contentsOfFile: target, encoding: .utf8)
                == Self.withoutKey
                .replacing("_askToBuyEnabled\" : true", with: "_askToBuyEnabled\" : false")
                .replacing(
                    "\"_storefront\" : \"DEU\"",
                    with: "\"_storefront\" : \"DEU\",\n    \"_timeRate\" : 13"))
        #expect(
            try await box.succeed("catalog", "check", target).output.contains("Valid: 1 product"))
    }

    @Test("the demo catalog is exported complete, and what a .storekit file cannot hold is listed")
    func demo() async throws {
        let box = try Sandbox()
        let target = box.work + "/Lantern.storekit"
        let told = try await box.succeed("catalog", "export", target)
        #expect(told.output.contains("hosted content ("), "\(told.output)")
        let check = try await box.succeed("catalog", "check", target)
        #expect(check.output.contains("21 products, 0 warnings"), "\(check.output)")
        // Lantern Plus, yearly has a monthly billing plan, which version 5 of the format can hold.
        let text = try String(contentsOfFile: target, encoding: .utf8)
        #expect(text.contains("\"major\" : 5") && text.contains("\"MONTHLY\""), "\(text)")
        let bought = try await box.succeed(
            "buy", "lantern.membership.plus.year", "--billing-plan", "monthly", "--store",
            box.work + "/exported", "--catalog", target)
        #expect(bought.output.contains("Lantern Plus, yearly"), "\(bought.output)")
        let json = try await box.succeed("catalog", "export", target, "--force", "--json")
        #expect(json.json.allSatisfy { $0["severity"].text == "warning" })
    }
}
