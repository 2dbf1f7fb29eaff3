import StoreCatalog
import Testing

/// One mistake at a time in the native format, with the path, line and text of its problem.
struct NativeDefectTests {
    private enum Expected {
        static let productKeys =
            "one of id, type, section, name, description, prices, "
            + "familyShareable, delivery, grants, subscription, period, "
            + "unlocks, unlockedBy, availability, campaigns, state, issues"
        static let price = "a price such as 3.99, with a point before the decimals"
        static let territory =
            "a territory of the App Store by its three letters, such as "
            + "USA"
        static let locale = "a locale such as en, ja, zh_Hans or en_GB"
        static let identifier = "1 to 200 letters (A-Z, a-z), digits, `.`, `_` or `-`"
        static let unlock = "1 to 64 lower-case letters (a-z), digits, `.` or `-`"
        static let types =
            "one of autoRenewable, consumable, freeSubscription, nonConsumable, "
            + "nonRenewing"
        static let noPeriod =
            "no period: only nonRenewing products have one; this type has it "
            + "inside `subscription`"
    }

    static let defects = [
        Defect(
            #""page.season""#, #""Page_Season""#,
            at: "products[3].unlocks[0]", line: 34, found: #""Page_Season""#,
            expected: Expected.unlock, suggestion: "page-season"),
        Defect(
            #""page.season""#, #""""#,
            at: "products[3].unlocks[0]", line: 34, found: #""""#, expected: Expected.unlock),
        Defect(
            #""page.season""#, "7",
            at: "products[3].unlocks[0]", line: 34, found: "the number 7", expected: "a text"),
        Defect(
            #""page.season""#, "\"\(String(repeating: "a", count: 65))\"",
            at: "products[3].unlocks[0]", line: 34,
            found: "\"\(String(repeating: "a", count: 60))…\"", expected: Expected.unlock),
        Defect(
            #""page.season""#, #""theme.ice-2""#,
            at: "products[3].unlocks[1]", line: 34,
            found: #""theme.ice-2", which is also at products[3].unlocks[0]"#,
            expected: "each unlock once"),
        Defect(
            #"["page.season", "theme.ice-2"]"#, #""page.season""#,
            at: "products[3].unlocks", line: 34, found: #""page.season""#, expected: "a list"),
        Defect(
            #"["page.season", "theme.ice-2"]"#,
            "[\((0...16).map { "\"u\($0)\"" }.joined(separator: ", "))]",
            at: "products[3].unlocks", line: 34, found: "17 unlocks",
            expected: "at most 16 unlocks"),
        Defect(
            #""grants": {"unit": "gold", "amount": 10}"#, #""unlocks": ["gold"]"#,
            at: "products[0].unlocks", line: 16, found: "a list",
            expected: "no unlocks: a consumable is used up and unlocks nothing"),
        Defect(
            #""type": "consumable""#, #""typ": "consumable""#,
            at: "products[0].type", line: 13, found: "nothing",
            expected: "`type`"),
        Defect(
            #""type": "consumable""#, #""typ": "consumable""#, .warning,
            at: "products[0].typ", line: 14, found: #"the unknown key "typ""#,
            expected: Expected.productKeys,
            suggestion: "type"),
        Defect(
            #""familyShareable": true"#, #""familySharable": true"#, .warning,
            at: "products[1].familySharable", line: 21, found: #"the unknown key "familySharable""#,
            expected: Expected.productKeys,
            suggestion: "familyShareable"),
        Defect(
            #""name": {"en": "Coins"},"#, "",
            at: "products[0].name", line: 13, found: "nothing",
            expected: "`name`"),
        Defect(
            #""0.99""#, #""0,99""#,
            at: "products[0].prices.USA", line: 15, found: #""0,99""#,
            expected: Expected.price,
            suggestion: "0.99"),
        Defect(
            #""0.99""#, #""""#,
            at: "products[0].prices.USA", line: 15, found: #""""#,
            expected: Expected.price),
        Defect(
            #""0.99""#, #""-1""#,
            at: "products[0].prices.USA", line: 15, found: #""-1""#,
            expected: Expected.price),
        Defect(
            #""0.99""#, #""abc""#,
            at: "products[0].prices.USA", line: 15, found: #""abc""#,
            expected: Expected.price),
        Defect(
            #""0.99""#, #""0.9999""#,
            at: "products[0].prices.USA", line: 15, found: #""0.9999""#,
            expected: "a price with at most 2 decimals (USD)"),
        Defect(
            #""0.99""#, #""0.990""#,
            at: "products[0].prices.USA", line: 15, found: #""0.990""#,
            expected: "a price with at most 2 decimals (USD)",
            suggestion: "0.99"),
        Defect(
            #""0.99""#, #"".99""#,
            at: "products[0].prices.USA", line: 15, found: #"".99""#,
            expected: Expected.price,
            suggestion: "0.99"),
        Defect(
            #""0.99""#, #""1,234.50""#,
            at: "products[0].prices.USA", line: 15, found: #""1,234.50""#,
            expected: Expected.price,
            suggestion: "1234.50"),
        Defect(
            #""0.99""#, "0.99", .warning,
            at: "products[0].prices.USA", line: 15, found: "the number 0.99",
            expected: "the price as a text, which keeps its decimals",
            suggestion: #""0.99""#),
        Defect(
            #""0.99""#, "null",
            at: "products[0].prices.USA", line: 15, found: "null",
            expected: #"a price as a text, such as "3.99""#),
        Defect(
            #""0.99""#, #""99999999999""#,
            at: "products[0].prices.USA", line: 15, found: #""99999999999""#,
            expected: "a price of at most 1000000000"),
        Defect(
            #""160""#, #""160.00""#,
            at: "products[0].prices.JPN", line: 15, found: #""160.00""#,
            expected: "a price with no decimals (JPY)",
            suggestion: "160"),
        Defect(
            #""160""#, #""160.5""#,
            at: "products[0].prices.JPN", line: 15, found: #""160.5""#,
            expected: "a price with no decimals (JPY)"),
        Defect(
            #""0.300""#, #""0.3005""#,
            at: "products[0].prices.KWT", line: 15, found: #""0.3005""#,
            expected: "a price with at most 3 decimals (KWD)"),
        Defect(
            #""USA": "0.99""#, #""US": "0.99""#,
            at: "products[0].prices.US", line: 15, found: #"the territory "US""#,
            expected: Expected.territory,
            suggestion: "USA"),
        Defect(
            #""JPN""#, #""JAP""#,
            at: "products[0].prices.JAP", line: 15, found: #"the territory "JAP""#,
            expected: Expected.territory,
            suggestion: "JPN"),
        Defect(
            #""territory": "USA""#, #""territory": "UK""#,
            at: "defaults.territory", line: 8, found: #"the territory "UK""#,
            expected: Expected.territory,
            suggestion: "GBR"),
        Defect(
            #""territory": "USA""#, #""territory": "Germany""#,
            at: "defaults.territory", line: 8, found: #"the territory "Germany""#,
            expected: Expected.territory,
            suggestion: "DEU"),
        Defect(
            #""territory": "USA""#, #""territory": "GBR""#, .warning,
            at: "products[0].prices", line: 15, found: "no price for GBR",
            expected: "a price for the default territory, GBR"),
        Defect(
            #""territory": "USA""#, #""territory": "GBR""#, .warning,
            at: "products[1].prices", line: 21, found: "no price for GBR",
            expected: "a price for the default territory, GBR"),
        Defect(
            #""territory": "USA""#, #""territory": "GBR""#, .warning,
            at: "products[2].prices", line: 29, found: "no price for GBR",
            expected: "a price for the default territory, GBR"),
        Defect(
            #""territory": "USA""#, #""territory": "GBR""#, .warning,
            at: "products[3].prices", line: 34, found: "no price for GBR",
            expected: "a price for the default territory, GBR"),
        Defect(
            #""territory": "USA""#, #""territory": "GBR""#, .warning,
            at: "products[4].prices", line: 38, found: "no price for GBR",
            expected: "a price for the default territory, GBR"),
        Defect(
            #"{"en": "Coins"}"#, #"{"jp": "Coins"}"#,
            at: "products[0].name.jp", line: 14, found: #"the locale "jp""#,
            expected: Expected.locale,
            suggestion: "ja"),
        Defect(
            #"{"en": "Coins"}"#, #"{"en_UK": "Coins"}"#,
            at: "products[0].name.en_UK", line: 14, found: #"the locale "en_UK""#,
            expected: Expected.locale,
            suggestion: "en_GB"),
        Defect(
            #"{"en": "Coins"}"#, #"{"english": "Coins"}"#,
            at: "products[0].name.english", line: 14, found: #"the locale "english""#,
            expected: Expected.locale,
            suggestion: "en"),
        Defect(
            #"{"en": "Coins"}"#, #"{"ja": "Coins"}"#, .warning,
            at: "products[0].name", line: 14, found: "no text in en",
            expected: "a name in the default language, en"),
        Defect(
            #"{"en": "Coins"}"#, #""Coins""#,
            at: "products[0].name", line: 14, found: #""Coins""#,
            expected: #"an object of texts by locale, such as {"en": "..."}"#),
        Defect(
            #"{"en": "Coins"}"#, #"{"en": 3}"#,
            at: "products[0].name.en", line: 14, found: "the number 3",
            expected: "a text"),
        Defect(
            #"{"en": "Coins"}"#, #"{"en": ""}"#,
            at: "products[0].name", line: 14, found: "no text",
            expected: "a name in at least one language"),
        Defect(
            #"{"en": "Coins"}"#, #"{"en": ""}"#, .warning,
            at: "products[0].name.en", line: 14, found: "an empty text",
            expected: "a name"),
        Defect(
            #"{"en": "Coins"}"#, "{}",
            at: "products[0].name", line: 14, found: "no text",
            expected: "a name in at least one language"),
        Defect(
            #"{"en": "Coins"}"#, #"{"en": "a\u001b[31mred\u202e"}"#, .warning,
            at: "products[0].name.en", line: 14,
            found: ##"control or invisible characters in "a\u{1B}[31mred\u{202E}""##,
            expected: "plain text; they are left out"),
        Defect(
            #"{"en": "Coins"}"#, #"{"zh-Hans": "a", "zh_Hans": "b", "en": "c"}"#,
            at: "products[0].name.zh_Hans", line: 14, found: "a second text for zh_Hans",
            expected: "each locale once"),
        Defect(
            #""id": "book""#, #""id": "coins""#,
            at: "products[1].id", line: 19, found: #""coins", which is also at products[0].id"#,
            expected: "a product identifier of its own"),
        Defect(
            #""id": "coins""#, #""id": """#,
            at: "products[0].id", line: 14, found: #""""#,
            expected: Expected.identifier),
        Defect(
            #""id": "coins""#, #""id": "my coins""#,
            at: "products[0].id", line: 14, found: #""my coins""#,
            expected: Expected.identifier,
            suggestion: "my_coins"),
        Defect(
            #""id": "coins""#, #""id": "..""#,
            at: "products[0].id", line: 14, found: #""..""#,
            expected: Expected.identifier),
        Defect(
            #""id": "coins""#, #""id": 7"#,
            at: "products[0].id", line: 14, found: "the number 7",
            expected: "a text"),
        Defect(
            #""type": "consumable""#, #""type": "consumible""#,
            at: "products[0].type", line: 14, found: #""consumible""#,
            expected: Expected.types,
            suggestion: "consumable"),
        Defect(
            #""type": "nonRenewing""#, #""type": "Non-Renewing Subscription""#,
            at: "products[3].type", line: 33, found: #""Non-Renewing Subscription""#,
            expected: Expected.types,
            suggestion: "nonRenewing"),
        Defect(
            #""type": "consumable""#, #""type": "item""#,
            at: "products[0].type", line: 14, found: #""item""#,
            expected: Expected.types),
        Defect(
            #""section": "books""#, #""section": "book""#,
            at: "products[1].section", line: 19, found: #"the section "book""#,
            expected: "a section of this catalog",
            suggestion: "books"),
        Defect(
            #""group": "club""#, #""group": "klub""#,
            at: "products[2].subscription.group", line: 30, found: #"the group "klub""#,
            expected: "a subscription group of this catalog",
            suggestion: "club"),
        Defect(
            #""level": 2"#, #""level": 0"#,
            at: "products[2].subscription.level", line: 30, found: "the number 0",
            expected: "a whole number from 1 to 1000"),
        Defect(
            #""level": 2"#, #""level": "2""#,
            at: "products[2].subscription.level", line: 30, found: #""2""#,
            expected: "a whole number from 1 to 1000",
            suggestion: "2"),
        Defect(
            #""P1M""#, #""P30D""#,
            at: "products[2].subscription.period", line: 30, found: #""P30D""#,
            expected: "one of P1W, P1M, P2M, P3M, P6M, P1Y",
            suggestion: "P1M"),
        Defect(
            #""P1M""#, #""P3D""#,
            at: "products[2].subscription.period", line: 30, found: #""P3D""#,
            expected: "one of P1W, P1M, P2M, P3M, P6M, P1Y"),
        Defect(
            #""P1M""#, #""monthly""#,
            at: "products[2].subscription.period", line: 30, found: #""monthly""#,
            expected: "one of P1W, P1M, P2M, P3M, P6M, P1Y"),
        Defect(
            #""P90D""#, #""90 days""#,
            at: "products[3].period", line: 34, found: #""90 days""#,
            expected: "a length such as P90D, P2W, P6M or P1Y"),
        Defect(
            #""P90D""#, #""p90d""#,
            at: "products[3].period", line: 34, found: #""p90d""#,
            expected: "a length such as P90D, P2W, P6M or P1Y",
            suggestion: "P90D"),
        Defect(
            #""subscription": {"group": "club", "level": 2, "period": "P1M"}"#, #""period": "P1M""#,
            at: "products[2].subscription", line: 27, found: "nothing",
            expected: "the group, level and period of an auto-renewable subscription"),
        Defect(
            #""type": "autoRenewable""#, #""type": "freeSubscription""#,
            at: "products[2].prices", line: 29, found: "a price",
            expected: "0 everywhere: a free subscription is free"),
        Defect(
            #""type": "autoRenewable""#, #""type": "freeSubscription""#,
            at: "products[2].subscription.period", line: 30, found: #""P1M""#,
            expected: "no period: a free subscription never ends"),
        Defect(
            #""subscription": {"group": "club", "level": 2, "period": "P1M"}"#, #""period": "P1M""#,
            at: "products[2].period", line: 30, found: #""P1M""#,
            expected: Expected.noPeriod),
        Defect(
            #""amount": 10"#, #""amount": 0"#,
            at: "products[0].grants.amount", line: 16, found: "the number 0",
            expected: "a whole number from 1 to 1000000000"),
        Defect(
            #""type": "consumable""#, #""type": "nonConsumable""#,
            at: "products[0].grants", line: 16, found: "an object",
            expected: "no grants: only consumables grant amounts"),
        Defect(
            #""type": "nonConsumable", "section""#, #""type": "consumable", "section""#,
            at: "products[1].familyShareable", line: 21, found: "true",
            expected: "false: a consumable cannot be shared"),
        Defect(
            #""type": "nonConsumable", "section""#, #""type": "consumable", "section""#,
            at: "products[1].delivery.kind", line: 23, found: #""hosted""#,
            expected: "embedded or ownServer: the store hosts only for nonConsumable"),
        Defect(
            #""kind": "hosted""#, #""kind": "hostd""#,
            at: "products[1].delivery.kind", line: 23, found: #""hostd""#,
            expected: "one of embedded, hosted, ownServer",
            suggestion: "hosted"),
        Defect(
            #""period": "P90D""#, #""period": "P90D", "unlockedBy": "club""#,
            at: "products[3].unlockedBy", line: 34, found: #""club""#,
            expected: "no unlockedBy: only hosted content is opened by an unlock"),
        Defect(
            #""kind": "ownServer""#, #""kind": "embedded""#,
            at: "products[4].delivery.url", line: 39, found: #""http://127.0.0.1:8090/atlas""#,
            expected: "no url: only ownServer delivery has one"),
        Defect(
            #""http://127.0.0.1:8090/atlas""#, #""ftp://x/atlas""#,
            at: "products[4].delivery.url", line: 39, found: #""ftp://x/atlas""#,
            expected: "an http or https address, such as http://127.0.0.1:8090/atlas"),
        Defect(
            #""path": "book-1""#, #""path": "../secret""#,
            at: "products[1].delivery.packages[0].path", line: 24,
            found: #""../secret": a path that leaves the content folder, or none"#,
            expected: "a path inside the content folder, relative and without `..`"),
        Defect(
            #""path": "book-1""#, #""path": "/etc""#,
            at: "products[1].delivery.packages[0].path", line: 24,
            found: #""/etc": a path that leaves the content folder, or none"#,
            expected: "a path inside the content folder, relative and without `..`"),
        Defect(
            #""path": "book-1""#, #""path": "book-2""#,
            at: "products[1].delivery.packages[0].path", line: 24,
            found: #""book-2": no such file or folder"#,
            expected: "a file or folder of the content folder"),
        Defect(
            #""content": "Content","#, "",
            at: "content", line: 1, found: "nothing",
            expected: "the folder with the hosted packages"),
        Defect(
            #""content": "Content""#, #""content": "../Content""#,
            at: "content", line: 9, found: #""../Content""#,
            expected: "a folder beside the catalog, relative and without `..`"),
        Defect(
            #""content": "Content""#, #""content": "Contents""#,
            at: "content", line: 9, found: #""Contents": no such folder"#,
            expected: "the folder with the hosted packages"),
        Defect(
            #""bundleId": "com.example.lantern""#, #""bundleId": "../lantern""#,
            at: "app.bundleId", line: 5, found: #""../lantern""#,
            expected: "a bundle identifier such as com.example.lantern"),
        Defect(
            #""appAppleId": 1234567890"#, #""appAppleId": "123""#,
            at: "app.appAppleId", line: 5, found: #""123""#,
            expected: "a whole number of at least 1"),
        Defect(
            #""format": 1"#, #""format": 2"#,
            at: "", line: 3, found: "format 2",
            expected: "format 1",
            suggestion: #""format": 1"#),
        Defect(
            #""format": 1,"#, "",
            at: "format", line: 1, found: "nothing",
            expected: "`format`"),
        Defect(
            #""format": 1"#, #""format": 1, "format": 1"#,
            at: "format", line: 3, found: #"the key "format", which is also at format"#,
            expected: "each key once"),
        Defect(
            #""sections": ["#, #""sections": [7, "#,
            at: "sections[0]", line: 10, found: "the number 7",
            expected: "an object"),
        Defect(
            #""products": ["#, #""products": [[], "#,
            at: "products[0]", line: 12, found: "a list",
            expected: "an object"),
        Defect(
            #""prices": {"USA": "12"}"#, #""prices": {}"#,
            at: "products[4].prices", line: 38, found: "no prices",
            expected: "at least one price"),
        Defect(
            #""prices": {"USA": "12"}"#, #""prices": "12""#,
            at: "products[4].prices", line: 38, found: #""12""#,
            expected: #"an object of prices by territory, such as {"USA": "3.99"}"#),
        Defect(
            #""prices": {"USA": "12"}"#, #""prices": {"USA": "12", "USA": "13"}"#,
            at: "products[4].prices.USA", line: 38, found: "a second price for USA",
            expected: "each territory once"),
        Defect(
            #""period": "P1M"}"#,
            #""period": "P1M"}, "availability": {"from": "2027-01-01"}, "issues": ["#
                + #"{"id": "a", "title": {"en": "A"}, "date": "2026-12-31", "#
                + #""content": "book-1"}]"#,
            at: "products[2].issues[0].date", line: 30,
            found: #""2026-12-31", before its product is for sale"#,
            expected: "a date from the product's `availability.from`"),
        Defect(
            #""period": "P1M"}"#,
            #""period": "P1M"}, "availability": {"from": "2027-01-01"}, "issues": ["#
                + #"{"id": "a", "title": {"en": "A"}, "date": "2027-02-01"}]"#,
            at: "products[2].issues[0].content", line: 30, found: "nothing", expected: "`content`"),
        Defect(
            #""period": "P1M"}"#,
            #""period": "P1M"}, "availability": {"from": "2027-01-01"}, "issues": ["#
                + #"{"id": "a", "title": {"en": "A"}, "date": "2027-02-01", "#
                + #""content": "book-9"}]"#,
            at: "products[2].issues[0].content", line: 30,
            found: #""book-9": no such file or folder"#,
            expected: "a file or folder of the content folder"),
        Defect(
            #""period": "P1M"}"#,
            #""period": "P1M"}, "availability": {"from": "2027-01-01"}, "issues": ["#
                + #"{"id": "a", "title": {"en": "A"}, "date": "2027-02-01", "#
                + #""content": "book-1"}, {"id": "a", "title": {"en": "B"}, "#
                + #""date": "2027-03-01", "content": "book-1"}]"#,
            at: "products[2].issues[1].id", line: 30,
            found: #""a", which is also at products[2].issues[0].id"#,
            expected: "an issue identifier of its own"),
        Defect(
            #""url": "http://127.0.0.1:8090/atlas""#,
            #""url": "https://cdn.example.com/atlas", "packages": [{"id": "maps", "version": "1.0", "path": "book-1"}]"#,
            .warning, at: "products[4].delivery.url", line: 39,
            found: #""https://cdn.example.com/atlas""#,
            expected:
                "http and this machine, as in http://127.0.0.1:8090/atlas: devices download from "
                + "nowhere else"),
        Defect(
            #""section": "books""#, #""section": "books", "colour\u001b[31m": 1"#, .warning,
            at: #"products[1]["colour\u{1B}[31m"]"#, line: 19,
            found: #"the unknown key "colour\u{1B}[31m""#,
            expected: Expected.productKeys),
    ]

    @Test(
        "a mistake is reported with its path, its line and what was expected [D5, D9, E2]",
        arguments: defects)
    func defectIsTold(defect: Defect) throws {
        try #require(CatalogFixture.good.contains(defect.right))
        let reading = try CatalogFixture().read(
            native: CatalogFixture.good.replacing(defect.right, with: defect.wrong))
        #expect(reading.problems.map(\.withoutCode).contains(defect.problem), "\(reading.problems)")
        #expect((reading.catalog == nil) == !reading.errors.isEmpty)
    }
}
