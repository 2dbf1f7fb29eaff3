import Foundation
@testable import StoreCatalog
import StoreModel
import Testing

struct NativeCatalogTests {
    @Test("a valid catalog is read completely, without problems [A8, C1]")
    func goodCatalogIsReadWhole() throws {
        let fixture = try CatalogFixture()
        let reading = try fixture.read(native: CatalogFixture.good)
        #expect(reading.problems.isEmpty)
        #expect(reading.format == .storefront(1))
        #expect(reading.sourceDigest.count == 64)
        let catalog = try #require(reading.catalog)
        #expect(catalog.bundleID == "com.example.lantern")
        #expect(catalog.appAppleID == 1_234_567_890)
        #expect(catalog.appName == ["en": "Lantern", "ja": "ランタン"])
        #expect(catalog.defaultTerritory == "USA")
        #expect(catalog.defaultLocale == "en_US")
        #expect(catalog.sections == [.init(id: "books", name: ["en": "Books", "ja": "本"])])
        #expect(catalog.groups == [.init(id: SubscriptionGroupID("club"), name: ["en": "Club"])])
        #expect(catalog.contentFolder?.hasSuffix("/Content") == true)
        #expect(
            catalog.products == [
                CatalogProduct(
                    id: ProductID("coins"), type: .consumable, name: ["en": "Coins"],
                    prices: .byTerritory(["USA": 990, "JPN": 160_000, "KWT": 300]),
                    grant: Grant(unit: "gold", amount: 10)),
                CatalogProduct(
                    id: ProductID("book"), type: .nonConsumable, sectionID: "books",
                    name: ["en": "Book", "ja": "書籍"], description: ["en": "A book.\nLong."],
                    prices: .byTerritory(["USA": 3990]), isFamilyShareable: true,
                    delivery: .hosted([.init(id: "text", version: "1.0", path: "book-1")])),
                CatalogProduct(
                    id: ProductID("monthly"), type: .autoRenewable, name: ["en": "Monthly"],
                    prices: .byTerritory(["USA": 4990]),
                    subscription: .init(
                        groupID: SubscriptionGroupID("club"), level: 2,
                        period: SubscriptionPeriod(unit: .month, value: 1))),
                CatalogProduct(
                    id: ProductID("season"), type: .nonRenewing, name: ["en": "Season"],
                    prices: .byTerritory(["USA": 9500]),
                    nonRenewingPeriod: SubscriptionPeriod(unit: .day, value: 90),
                    unlocks: ["page.season", "theme.ice-2"]),
                CatalogProduct(
                    id: ProductID("atlas"), type: .nonConsumable, name: ["en": "Atlas"],
                    prices: .byTerritory(["USA": 12000]),
                    delivery: .ownServer(url: "http://127.0.0.1:8090/atlas")),
            ])
    }

    /// The subscription of `CatalogFixture.good`, exactly as it is written there.
    private static let monthly = """
        "id": "monthly", "type": "autoRenewable", "name": {"en": "Monthly"},
              "prices": {"USA": "4.99"},
              "subscription": {"group": "club", "level": 2, "period": "P1M"}
        """

    @Test("a free subscription is read without a level and a period [C1, D8]")
    func freeSubscription() throws {
        let free = """
            "id": "monthly", "type": "freeSubscription", "name": {"en": "Monthly"},
                  "prices": {"USA": "0.00"}, "subscription": {"group": "club"}
            """
        let text = CatalogFixture.good.replacing(Self.monthly, with: free)
        let reading = try CatalogFixture().read(native: text)
        #expect(reading.problems.isEmpty)
        let product = try #require(reading.catalog?.products.first { $0.id == "monthly" })
        #expect(product.type == .autoRenewable)
        #expect(product.isFreeSubscription)
        #expect(product.subscription == .init(groupID: "club", level: 1, period: nil))
    }

    @Test("an auto-renewable subscription at price 0 renews, with a warning to its author")
    func autoRenewableForNothing() throws {
        let text = CatalogFixture.good.replacing(#""USA": "4.99""#, with: #""USA": "0""#)
        let reading = try CatalogFixture().read(native: text)
        let problem = try #require(reading.problems.first)
        #expect(reading.problems.count == 1)
        #expect(problem.severity == .warning)
        #expect(problem.path == "products[2].type")
        #expect(problem.suggestion == #""freeSubscription""#)
        let product = try #require(reading.catalog?.products.first { $0.id == "monthly" })
        #expect(!product.isFreeSubscription)
    }

    @Test(
        "a free subscription cannot share its group with another subscription",
        arguments: [true, false])
    func groupOfItsOwn(isFirst: Bool) throws {
        let free = """
            "id": "letters", "type": "freeSubscription", "name": {"en": "Letters"},
                  "prices": {"USA": "0"}, "subscription": {"group": "club"}
            """
        let both = isFirst ? [free, Self.monthly] : [Self.monthly, free]
        let text = CatalogFixture.good.replacing(
            Self.monthly, with: both.joined(separator: "}, {"))
        let reading = try CatalogFixture().read(native: text)
        #expect(reading.catalog == nil)
        #expect(reading.problems.map(\.path) == ["products[3].subscription.group"])
    }

    @Test("a catalog that a store keeps as JSON is read back unchanged", arguments: [true, false])
    func body(hasProducts: Bool) throws {
        var catalog = try #require(try CatalogFixture().read(native: CatalogFixture.good).catalog)
        if !hasProducts { catalog.products = [] }
        catalog.contentFolder = hasProducts ? catalog.contentFolder : nil
        let body = try catalog.body()
        #expect(try JSONDecoder().decode(Catalog.self, from: body) == catalog)
        let members = try JSONSerialization.jsonObject(with: JSONEncoder().encode(catalog))
        let kept = try JSONSerialization.jsonObject(with: body)
        #expect((members as? NSDictionary) == (kept as? NSDictionary))
    }

    @Test("content may be part of the app, cost something, and be opened by an unlock [E7, A15]")
    func content() throws {
        let folder = try CatalogFixture()
        let package = #"{"id": "notes", "version": "1.0", "path": "book-1"}"#
        let text = CatalogFixture.good
            .replacing(
                #""delivery": {"kind": "ownServer", "url": "http://127.0.0.1:8090/atlas"}"#,
                with: #""delivery": {"kind": "embedded", "packages": [\#(package)]}"#
            )
            .replacing(
                #""path": "book-1"}"#,
                with: #""path": "book-1", "cost": {"unit": "gold", "amount": 3}}"#
            )
            .replacing(
                #""familyShareable": true,"#,
                with: #""familyShareable": true, "unlockedBy": "page.season","#)
        let reading = try folder.read(native: text)
        let catalog = try #require(reading.catalog, "\(reading.problems)")
        #expect(catalog.products[1].unlockedBy == "page.season")
        #expect(catalog.products[4].delivery == .embedded)
        let products = CatalogIndex(catalog).products(
            nil, in: .usa, locale: "en_US"
        ).products
        #expect(products[1].cost(of: "text") == Grant(unit: "gold", amount: 3))
        let notes = try #require(products[4].embeddedContent?.first)
        #expect(notes.cost == Grant(unit: "gold", amount: 3) && notes.length > 0)
        #expect(notes.path?.hasSuffix("/Content/book-1") == true)
        #expect(products[4].hostedContent.isEmpty, "nothing of it is downloaded")
        let kept = try JSONDecoder().decode(Catalog.self, from: try catalog.body())
        #expect(kept == catalog)
    }

    @Test("content that is part of the app is a folder, which the app reads where it is")
    func embeddedFile() throws {
        let package = #"{"id": "notes", "version": "1.0", "path": "book-1/text.txt"}"#
        let text = CatalogFixture.good.replacing(
            #""delivery": {"kind": "ownServer", "url": "http://127.0.0.1:8090/atlas"}"#,
            with: #""delivery": {"kind": "embedded", "packages": [\#(package)]}"#)
        let reading = try CatalogFixture().read(native: text)
        #expect(reading.problems.map(\.path) == ["products[4].delivery.packages[0].path"])
    }

    @Test("a lasting product that opens nothing is warned of, with its place in the file [A15]")
    func opensNothing() throws {
        let folder = try CatalogFixture()
        let reading = try folder.read(native: CatalogFixture.good)
        #expect(reading.problems.isEmpty)
        let problems = CatalogReader.lints(of: reading)
        #expect(problems.map(\.path) == ["products[2]"])
        #expect(problems.map(\.line) == [27])
        #expect(
            problems.allSatisfy {
                $0.severity == .warning && $0.code == .unlocksNothing
                    && $0.found.hasPrefix("monthly")
            })
    }

    @Test("a catalog stored before unlocks existed is read as one without them")
    func catalogKeptBeforeUnlocks() throws {
        var catalog = try #require(try CatalogFixture().read(native: CatalogFixture.good).catalog)
        for number in catalog.products.indices { catalog.products[number].unlocks = nil }
        let body = String(decoding: try catalog.body(), as: UTF8.self)
        #expect(!body.contains("unlocks"))
        #expect(try JSONDecoder().decode(Catalog.self, from: Data(body.utf8)) == catalog)
    }

    @Test("a catalog stored before free subscriptions existed is read back unchanged")
    func catalogKeptBefore() throws {
        let text = CatalogFixture.good.replacing(#""USA": "4.99""#, with: #""USA": "0""#)
        let catalog = try #require(try CatalogFixture().read(native: text).catalog)
        let kept = try JSONEncoder().encode(catalog)
        #expect(String(decoding: kept, as: UTF8.self).contains(#""period":{"#))
        #expect(try JSONDecoder().decode(Catalog.self, from: kept) == catalog)
    }

    @Test("all problems are reported, in the order of the file")
    func allProblemsAreToldInTheOrderOfTheFile() throws {
        let wrong = CatalogFixture.good
            .replacing("\"0.99\"", with: "\"0,99\"")
            .replacing("\"P1M\"", with: "\"P1X\"")
            .replacing("\"com.example.lantern\"", with: "\"\"")
        let reading = try CatalogFixture().read(native: wrong)
        #expect(
            reading.problems.map(\.path) == [
                "app.bundleId", "products[0].prices.USA", "products[2].subscription.period",
            ])
        #expect(reading.problems.map(\.line) == [5, 15, 30])
        #expect(reading.catalog == nil)
    }

    @Test("a catalog without products opens with a warning")
    func emptyCatalogOpensWithAWarning() throws {
        let text = """
            {"format": 1, "app": {"bundleId": "a.b", "name": {"en": "A"}}, "products": []}
            """
        let reading = try CatalogFixture().read(native: text)
        #expect(reading.catalog?.products.isEmpty == true)
        #expect(reading.catalog?.defaultTerritory == nil)
        #expect(reading.problems.map(\.found) == ["no products"])
        #expect(reading.problems.map(\.path) == ["products"])
    }

    @Test("a locale may be written with hyphens and in any case")
    func hyphensAndCaseOfLocalesAreForgiven() throws {
        let text = CatalogFixture.good.replacing(
            "{\"en\": \"Coins\"}",
            with: "{\"en-GB\": \"a\", \"ZH-hant-tw\": \"b\", \"es_419\": \"c\"}")
        let reading = try CatalogFixture().read(native: text)
        #expect(reading.problems.isEmpty)
        #expect(
            reading.catalog?.products.first?.name == [
                "en_GB": "a", "zh_Hant_TW": "b", "es_419": "c",
            ]
        )
    }

    @Test(
        "escape sequences, control and direction characters are removed from names",
        arguments: [
            ("Gold\\u001b[31m coins\\u001b[0m", "Gold coins"),
            ("\\u001b]0;owned\\u0007Coins", "Coins"),
            ("\\u009b2JCoins\\u0000", "Coins"),
            ("\\u202esnioC\\u2066x\\u2069", "snioCx"),
            ("Gold\\r\\ncoins\\tnow", "Gold coins now"),
        ])
    func namesLoseWhatATerminalWouldObey(raw: String, clean: String) throws {
        let text = CatalogFixture.good.replacing("\"Coins\"", with: "\"\(raw)\"")
        let reading = try CatalogFixture().read(native: text)
        #expect(reading.catalog?.products.first?.name == ["en": clean])
        #expect(reading.problems.map(\.path) == ["products[0].name.en"])
        #expect(reading.problems.map(\.severity) == [.warning])
    }

    @Test(
        "ordinary text of any script is kept as it is",
        arguments: [
            "👩‍👩‍👧‍👦 Family", "נרות", "a\u{200F}b", "क्‍ष", "İstanbul ❤️", "\u{1F3F4}\u{E0067}\u{E007F}",
        ])
    func ordinaryTextOfAnyScriptStays(name: String) throws {
        let text = CatalogFixture.good.replacing("\"Coins\"", with: "\"\(name)\"")
        let reading = try CatalogFixture().read(native: text)
        #expect(reading.problems.isEmpty)
        #expect(reading.catalog?.products.first?.name == ["en": name])
    }

    @Test(
        "JSON escape sequences are decoded",
        arguments: [
            ("\\ud83d\\ude00!", "😀!"), ("\\ud83dx", "\u{FFFD}x"),
            ("caf\\u00e9\\/\\\"q\\\"", "café/\"q\""),
            ("\\u65E5\\u672c", "日本"),
        ])
    func backslashesAreResolved(raw: String, name: String) throws {
        let text = CatalogFixture.good.replacing("\"Coins\"", with: "\"\(raw)\"")
        #expect(
            try CatalogFixture().read(native: text).catalog?.products.first?.name == ["en": name])
    }

    @Test("a very long name is kept whole, with a warning")
    func endlessNameIsKeptWholeAndWarnedOf() throws {
        let name = String(repeating: "長", count: 10_000)
        let text = CatalogFixture.good.replacing("\"Coins\"", with: "\"\(name)\"")
        let reading = try CatalogFixture().read(native: text)
        #expect(reading.catalog?.products.first?.name == ["en": name])
        #expect(reading.problems.map(\.found) == ["10000 characters"])
    }

    @Test("text quoted in a problem is cut short, and its control characters are escaped")
    func quotedTextIsShortAndHarmless() throws {
        let raw = "\\u001b[2J\\u202e" + String(repeating: "x", count: 500)
        let text = CatalogFixture.good.replacing("\"book\"", with: "\"\(raw)\"")
        let reading = try CatalogFixture().read(native: text)
        let found = try #require(reading.problems.first?.found)
        let start = #""\u{1B}[2J\u{202E}"#
        #expect(found == start + String(repeating: "x", count: 61 - start.count) + "…\"")
    }
}
