import Foundation
@testable import StoreCatalog
import StoreModel
import Testing

/// Rules of sale that an author hardly means: each in a catalog whose neighbour is as it should be.
@Suite("what catalog check warns of, by code")
struct CatalogLintTests {
    /// A change of a good catalog after which it has one problem, with this code and place.
    struct Lint: CustomTestStringConvertible, Sendable {
        var code: CatalogProblem.Code
        var right: String
        var wrong: String
        var path: String
        var severity = CatalogProblem.Severity.warning

        init(
            _ code: CatalogProblem.Code, _ right: String, _ wrong: String, at path: String,
            _ severity: CatalogProblem.Severity = .warning
        ) {
            self.code = code
            self.right = right
            self.wrong = wrong
            self.path = path
            self.severity = severity
        }

        var testDescription: String { "\(code.rawValue): \(wrong.prefix(70))" }
    }

    private static let ours = """
        {
          "format": 1, "proceedsRate": 0.7,
          "app": {"bundleId": "com.example.harbour", "name": {"en": "Harbour"}},
          "defaults": {"territory": "JPN", "locale": "en"},
          "subscriptionGroups": [{"id": "club", "name": {"en": "Club"}}],
          "products": [
            {"id": "coins", "type": "consumable", "name": {"en": "Coins", "de": "Coins"},
             "prices": {"JPN": "160"}},
            {"id": "chart", "type": "nonConsumable", "unlocks": ["chart"],
             "name": {"en": "Chart", "fr": "Carte"}, "description": {"en": "New.", "fr": "Neuf."},
             "prices": {"JPN": "300"}},
            {"id": "plan", "type": "autoRenewable", "unlocks": ["plan"], "name": {"en": "Plan"},
             "prices": {"JPN": "480"},
             "subscription": {"group": "club", "level": 1, "period": "P1M", "offers": [
               {"kind": "introductory", "mode": "freeTrial", "period": "P1M"}]}}
          ]
        }
        """

    static let oursWrong = [
        Lint(.unlocksNothing, #""unlocks": ["chart"],"#, "", at: "products[1]"),
        Lint(
            .longTrial, #""mode": "freeTrial", "period": "P1M""#,
            #""mode": "freeTrial", "period": "P2M""#,
            at: "products[2].subscription.offers[0].period"),
        Lint(
            .longTrial, #""level": 1, "period": "P1M""#, #""level": 1, "period": "P1W""#,
            at: "products[2].subscription.offers[0].period"),
        Lint(
            .repeatedLocalization,
            #""fr": "Carte"}, "description": {"en": "New.", "fr": "Neuf."}"#,
            #""fr": "Chart"}, "description": {"en": "New.", "fr": "New."}"#,
            at: "products[1].name.fr"),
        Lint(
            .repeatedLocalization, #"{"en": "Plan"}"#, #"{"en": "Plan", "en_GB": "Plan"}"#,
            at: "products[2].name.en_GB"),
        Lint(
            .repeatedLocalization, #"{"en": "Plan"}"#, #"{"en": "Plan", "en": "Plan 2"}"#,
            at: "products[2].name.en", .error),
        Lint(
            .currencyExpires, #""prices": {"JPN": "160"}"#,
            #""prices": {"JPN": "160"}, "period": "P30D""#, at: "products[0].period", .error),
        Lint(
            .periodOutsideSubscription, #""prices": {"JPN": "300"}"#,
            #""prices": {"JPN": "300"}, "period": "P30D""#, at: "products[1].period", .error),
        Lint(
            .priceRounds, #""JPN": "160""#, #""JPN": "160.5""#, at: "products[0].prices.JPN",
            .error),
        Lint(.wrongPrice, #""JPN": "160""#, #""JPN": "x""#, at: "products[0].prices.JPN", .error),
        Lint(
            .productList, #""name": {"en": "Harbour"}"#,
            #""productList": ["coins", "chart"], "name": {"en": "Harbour"}"#,
            at: "app.productList"),
        Lint(
            .emptyCatalog, #""name": {"en": "Harbour"}"#,
            #""productList": [], "name": {"en": "Harbour"}"#, at: "app.productList"),
        Lint(.unknownKey, #""proceedsRate""#, #""proceedRate""#, at: "proceedRate"),
        Lint(.wrongValue, "0.7", "85", at: "proceedsRate", .error),
        Lint(.wrongValue, "0.7", "0.7001", at: "proceedsRate", .error),
        Lint(.wrongValue, "0.7", "-0.7", at: "proceedsRate", .error),
        Lint(.wrongValue, "0.7", #""0.7""#, at: "proceedsRate", .error),
        Lint(.wrongValue, "0.7", "null", at: "proceedsRate", .error),
        Lint(.missing, #""id": "coins", "#, "", at: "products[0].id", .error),
        Lint(
            .unknownName, #""JPN": "160""#, #""JPM": "160""#, at: "products[0].prices.JPM", .error),
        Lint(.repeated, #""id": "coins""#, #""id": "chart""#, at: "products[1].id", .error),
    ]

    @Test("in a catalog of ours", arguments: oursWrong)
    func inOurs(lint: Lint) throws {
        try Self.expect(lint, in: Self.ours) { try $0.read(native: $1) }
    }

    private static let xcodes = """
        {
          "identifier" : "8CFD4D59", "version" : {"major" : 4, "minor" : 0},
          "settings" : {"_storefront" : "USA"}, "nonRenewingSubscriptions" : [],
          "products" : [
            {"displayPrice" : "0.99", "productID" : "coins", "type" : "Consumable",
             "localizations" : []},
            {"displayPrice" : "4", "productID" : "pro", "type" : "NonConsumable",
             "localizations" : [
               {"displayName" : "Pro", "description" : "All.", "locale" : "en_US"},
               {"displayName" : "Pro", "description" : "Alles.", "locale" : "de"}]}
          ],
          "subscriptionGroups" : [{"id" : "C9E8", "name" : "Club", "subscriptions" : [
            {"displayPrice" : "10", "productID" : "plan", "type" : "RecurringSubscription",
             "groupNumber" : 1, "recurringSubscriptionPeriod" : "P1M", "localizations" : [],
             "introductoryOffer" : {"paymentMode" : "free", "subscriptionPeriod" : "P2W",
               "displayPrice" : "0.999"},
             "adHocOffers" : [{"offerID" : "half", "paymentMode" : "payAsYouGo",
               "subscriptionPeriod" : "P1M", "displayPrice" : "5"}]}
          ]}]
        }
        """

    private static let plan = "subscriptionGroups[0].subscriptions[0]"

    static let xcodesWrong = [
        Lint(
            .longTrial, #""subscriptionPeriod" : "P2W""#, #""subscriptionPeriod" : "P3M""#,
            at: plan + ".introductoryOffer.subscriptionPeriod"),
        Lint(
            .priceRounds, #""_storefront" : "USA""#, #""_storefront" : "JPN""#,
            at: "products[0].displayPrice"),
        Lint(
            .priceRounds, #""displayPrice" : "5""#, #""displayPrice" : "5.001""#,
            at: plan + ".adHocOffers[0].displayPrice"),
        Lint(
            .currencyExpires, #""type" : "Consumable","#,
            #""type" : "Consumable", "recurringSubscriptionPeriod" : "P1M","#,
            at: "products[0].recurringSubscriptionPeriod"),
        Lint(
            .periodOutsideSubscription, #""type" : "NonConsumable","#,
            #""type" : "NonConsumable", "recurringSubscriptionPeriod" : "P1M","#,
            at: "products[1].recurringSubscriptionPeriod"),
        Lint(
            .repeatedLocalization, #""description" : "Alles.""#, #""description" : "All.""#,
            at: "products[1].localizations[1]"),
        Lint(
            .repeatedLocalization, #""locale" : "de""#, #""locale" : "en_US""#,
            at: "products[1].localizations[1].locale"),
    ]

    @Test("in a file of Xcode's", arguments: xcodesWrong)
    func inXcodes(lint: Lint) throws {
        try Self.expect(lint, in: Self.xcodes) { try $0.read(storekit: $1) }
    }

    private static func expect(
        _ lint: Lint, in good: String, _ read: (CatalogFixture, String) throws -> CatalogReading
    ) throws {
        func problems(_ text: String) throws -> [CatalogProblem] {
            let folder = try CatalogFixture()
            let reading = try read(folder, text)
            return reading.problems + CatalogReader.lints(of: reading)
        }
        try #require(good.contains(lint.right))
        let before = try problems(good)
        #expect(before.isEmpty)
        let found = try problems(good.replacing(lint.right, with: lint.wrong))
        #expect(found.map(\.code) == [lint.code], "\(found)")
        #expect(found.first?.path == lint.path)
        #expect(found.first?.severity == lint.severity)
    }

    @Test("consumables alone leave nothing to restore; an empty catalog is only empty")
    func nothingToRestore() throws {
        func codes(_ products: String) throws -> [CatalogProblem.Code] {
            let folder = try CatalogFixture()
            let reading = try folder.read(
                native: #"{"format": 1, "app": {"bundleId": "a.b", "name": {"en": "A"}}, "#
                    + #""products": [\#(products)]}"#)
            return (reading.problems + CatalogReader.lints(of: reading)).map(\.code)
        }
        func product(_ id: String, _ type: String) -> String {
            #"{"id": "\#(id)", "type": "\#(type)", "name": {"en": "A"}, "prices": {"USA": "1"}"#
                + (type == "consumable" ? "}" : #", "unlocks": ["a"]}"#)
        }
        let coins = product("coins", "consumable")
        #expect(try codes(coins) == [.noRestore])
        #expect(try codes(coins + "," + product("more", "consumable")) == [.noRestore])
        #expect(try codes(coins + "," + product("pro", "nonConsumable")) == [])
        #expect(try codes(coins + "," + product("pass", "nonRenewing")) == [])
        #expect(try codes("") == [.emptyCatalog])
        #expect(CatalogReader.lints(of: CatalogReader.read(path: "/nonexistent")) == [])
    }

    @Test("the rate of proceeds is read, kept by a store, and told as lost in an export")
    func proceedsRate() throws {
        let catalog = try #require(try CatalogFixture().read(native: Self.ours).catalog)
        #expect(catalog.proceedsRate == Share(percent: 70))
        let kept = try JSONDecoder().decode(Catalog.self, from: try catalog.body())
        #expect(kept == catalog)
        let state = StoreKitExport.State(
            account: AccountSettings(new: "aoi", home: "JPN", catalog: nil), home: "JPN")
        let export = StoreKitExport.make(catalog, source: nil, state: state)
        let lost = export.omissions.first { $0.path == "proceedsRate" }
        #expect(lost?.found == "proceeds of 70 %")
        #expect(export.omissions.allSatisfy { $0.code == .lostInExport })
        for (wrong, suggestion) in [("85", "0.85"), ("7.5", "0.075"), (#""0.7""#, "0.70")] {
            let reading = try CatalogFixture().read(
                native: Self.ours.replacing("0.7,", with: wrong + ","))
            #expect(reading.problems.first?.suggestion == suggestion)
        }
    }

    @Test("the guide explains every code, each once")
    func guide() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Documentation/guide/catalogs.md")
        let rows = try String(contentsOf: page, encoding: .utf8)
            .matches(of: /\n\| `([a-z-]+)` \|/).map { String($0.1) }
        #expect(rows.sorted() == CatalogProblem.Code.allCases.map(\.rawValue).sorted())
    }
}
