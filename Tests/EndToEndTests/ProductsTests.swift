import Foundation
import Testing

@Suite("the product list", .withProgram, .inTurn)
struct ProductsTests {
    @Test("products are listed by section in the catalog's order, in aligned columns")
    func sections() async throws {
        let box = try Sandbox()
        let answer = try await box.succeed("products")
        let headings = answer.lines.filter { $0 == $0.uppercased() && !$0.hasPrefix(" ") }
        #expect(headings == ["BOOKS", "THEMES", "COINS", "MEMBERSHIP", "TOOLS"])
        #expect(answer.lines[0].hasPrefix("Lantern   SANDBOX   United States, USD"))
        let rows = answer.lines.filter { $0.contains("lantern.") }
        #expect(rows.count == 21)
        let edges = Set(
            rows.compactMap { row in
                row.range(of: "lantern.").map {
                    row.distance(from: row.startIndex, to: $0.lowerBound)
                }
            })
        #expect(edges.count == 1, "the columns after the prices begin at the same place")
        #expect(answer.errors.isEmpty)
    }

    @Test("--json says what a product unlocks, and how long it lasts")
    func unlocks() async throws {
        let box = try Sandbox()
        let products = try await box.succeed("products", "--json").object["products"]
        var unlocks: [String: String] = [:]
        for number in 0..<21 where products[number]["unlocks"][0].text != nil {
            unlocks[products[number]["productId"].text ?? ""] =
                products[number]["unlocks"][0].text
        }
        #expect(
            unlocks == [
                "lantern.theme.sepia": "theme.sepia",
                "lantern.theme.contrast": "theme.high-contrast",
                "lantern.theme.sports.summer": "theme.sports",
                "lantern.membership.plus.month": "books", "lantern.membership.plus.year": "books",
                "lantern.membership.family.month": "books",
                "lantern.membership.family.year": "books",
                "lantern.membership.basic.month": "books.first",
                "lantern.membership.basic.week": "books.first", "lantern.season.pass": "books",
                "lantern.tool.lamp": "theme.night", "lantern.tool.export": "reader.copy",
            ])
        let pass = products.items.first { $0["productId"].text == "lantern.season.pass" }
        #expect(pass?["subscriptionPeriod"].text == "P90D")
    }

    @Test(
        "on a terminal the table has a header and fits, and no identifier or price is cut",
        arguments: [40, 60, 80, 132])
    func fitted(columns: Int) async throws {
        let box = try Sandbox()
        let long = "lantern.an.identifier.that.is.longer.than.forty.characters"
        let file = try box.file(
            "catalog.json",
            """
            {"format": 1, "app": {"bundleId": "a.b", "name": {"en": "A"}}, "products": [
              {"id": "\(long)", "type": "consumable", "prices": {"USA": "1234.99"},
               "name": {"en": "A name with many words, more than any one line has room for"}},
              {"id": "short", "type": "consumable", "prices": {"USA": "0.99"},
               "name": {"en": "Short"}}]}
            """)
        let command = ["products", "--catalog", file]
        #expect(try await box.run(command).lines.contains { $0.hasSuffix(long) })
        try await ShopOnTerminal.run(box, command, columns: columns, waiting: false) { shop in
            #expect(await shop.end() == 0)
            let lines = shop.writtenText.split(whereSeparator: \.isNewline)
                .filter { $0.hasPrefix("   ") }
            for word in ["PRODUCT", "PRICE", "ID", "$1,234.99", "Short", "$0.99"] {
                #expect(lines.contains { $0.contains(word) }, "\(word) in \(lines)")
            }
            #expect(lines.contains { $0.contains(long) })
            #expect(lines.allSatisfy { $0.count <= columns || $0.hasSuffix(long) }, "\(lines)")
        }
    }

    @Test("without a command, the program lists the products")
    func bare() async throws {
        let box = try Sandbox()
        let named = try await box.succeed("products")
        #expect(try await box.succeed().output == named.output)
    }

    @Test(
        "the territory decides the price, and the locale how it is written [B4]",
        arguments: [
            ("JP", "ja_JP", "¥480", 480_000, "JPY", "灯台 第一部"),
            ("JPN", "en_US", "¥480", 480_000, "JPY", "The Lighthouse, part one"),
            ("DEU", "de_DE", "3,99\u{A0}€", 3990, "EUR", "The Lighthouse, part one"),
            ("KW", "en_US", "1.250", 1250, "KWD", "The Lighthouse, part one"),
        ])
    func prices(
        territory: String, locale: String, shown: String, price: Int, currency: String,
        name: String
    ) async throws {
        let box = try Sandbox()
        let answer = try await box.succeed(
            "products", "lantern.book.lighthouse.1", "--json", "--territory", territory,
            "--locale", locale)
        let product = answer.object["products"][0]
        #expect(product["price"].number == price)
        #expect(product["currency"].text == currency)
        #expect(product["displayName"].text == name)
        let display = product["displayPrice"].text ?? ""
        #expect(display.replacing("￥", with: "¥").contains(shown), "\(display)")
        try await box.succeed("operator", "territory", territory)
        let plain = try await box.succeed(
            "products", "lantern.book.lighthouse.1", "--locale", locale)
        #expect(plain.output.contains(name), "the territory is kept with the account")
        #expect(plain.output.contains(display))
    }

    @Test(
        "a language is found by its old code, given or from the environment",
        arguments: [("iw_IL", "ירח"), ("in_ID", "Bulan")])
    func oldCode(locale: String, name: String) async throws {
        let box = try Sandbox(["LANG": locale + ".UTF-8"])
        let file = try box.file(
            "moon.json",
            #"{"format": 1, "app": {"bundleId": "a.b", "name": {"en": "A"}}, "products": ["#
                + #"{"id": "moon", "type": "consumable", "prices": {"USA": "1"}, "name": "#
                + #"{"en": "Moon", "he": "ירח", "id": "Bulan"}}]}"#)
        for options in [[], ["--locale", locale]] {
            let answer = try await box.run(
                ["products", "--json", "--territory", "USA", "--catalog", file] + options)
            #expect(answer.object["products"][0]["displayName"].text == name)
        }
    }

    @Test("unknown identifiers are named, and the other products are still listed [B2]")
    func invalid() async throws {
        let box = try Sandbox()
        let answer = try await box.succeed("products", "lantern.theme.sepia", "no.such.thing")
        #expect(answer.output.contains("lantern.theme.sepia"))
        #expect(answer.errors == "invalid: no.such.thing is not sold here.\n")
        let json = try await box.succeed("products", "no.such.thing", "--json").object
        #expect(json["invalidProductIds"] == .array([.text("no.such.thing")]))
        #expect(json["products"] == .array([]))
    }

    @Test("owned products and pending requests are marked in the list")
    func states() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try await box.succeed("operator", "ask-to-buy", "on")
        #expect(try await box.run("buy", "lantern.theme.contrast").code == 10)
        let lines = try await box.succeed("products").lines
        #expect(lines.contains { $0.contains("lantern.theme.sepia") && $0.hasSuffix("✓ owned") })
        #expect(
            lines.contains {
                $0.contains("lantern.theme.contrast") && $0.hasSuffix("… waiting for approval")
            })
    }

    @Test(
        "any locale in the environment is accepted",
        arguments: [
            ["LANG": "C"], ["LANG": ""], ["LANG": "ja_JP.UTF-8"], ["LANG": "xx_YY"],
            ["LANG": "no_NO.UTF-8"], ["LANG": nil, "TERM": nil], ["LC_ALL": "de_DE.UTF-8@euro"],
            ["TERM": ""],
        ] as [[String: String?]])
    func language(changes: [String: String?]) async throws {
        let box = try Sandbox(changes)
        let answer = try await box.succeed("products", "lantern.book.lighthouse.1")
        let isJapanese = changes["LANG"] == "ja_JP.UTF-8"
        #expect(answer.output.contains(isJapanese ? "灯台 第一部" : "The Lighthouse, part one"))
        #expect(answer.errors.isEmpty)
    }

    @Test("a command that looks at a territory does not move the account, and says where it sells")
    func lookedAt() async throws {
        let box = try Sandbox()
        func currency() async throws -> String? {
            try await box.succeed("products", "--json").object["products"].items
                .first?["currency"].text
        }
        #expect(try await currency() == "USD")
        for look in [["products"], ["screenshot"], ["transactions"]] {
            #expect(try await box.run(look + ["--territory", "JPN"]).code == 0)
        }
        let prices = try await box.succeed("products", "--territory", "JPN", "--json").object
        #expect(prices["products"].items.first?["currency"].text == "JPY")
        #expect(try await currency() == "USD")
        let empty = try await box.succeed("products", "--territory", "ITA")
        #expect(empty.errors.contains("Nothing is for sale in Italy. This catalog sells in "))
        #expect(empty.errors.contains("storefront products --territory AUS"))
        #expect(empty.errors.contains("storefront operator territory AUS"))
        let shot = try await box.succeed("screenshot", "--territory", "ITA")
        #expect(shot.output.contains("Nothing is for sale in Italy."), "\(shot.output)")
        #expect(try await currency() == "USD")
        try await box.succeed("operator", "territory", "JPN")
        #expect(try await currency() == "JPY")
    }
}
