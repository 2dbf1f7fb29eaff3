import Foundation
@testable import StoreCatalog
@testable import StoreModel
import Testing

struct StoreKitFileTests {
    @Test(
        "a StoreKit configuration of any version is read completely",
        arguments: [(1, 0), (1, 1), (1, 2), (2, 0), (3, 0), (4, 0), (5, 0), (6, 3)])
    func everyVersionIsReadWhole(major: Int, minor: Int) throws {
        let text = StoreKitFixture.file(major: major, minor: minor)
        let reading = try CatalogFixture().read(storekit: text)
        let hasKey = text.contains("SECRET")
        #expect(reading.problems.map(\.path) == (hasKey ? ["subscriptionOffersKeyPair"] : []))
        #expect(reading.format == .storekit(major: major, minor: minor))
        let catalog = try #require(reading.catalog)
        let isFirst = (major, minor) == (1, 0)
        #expect(catalog.bundleID == (isFirst ? "storekit.my-shop" : "storekit.8cfd4d59"))
        #expect(catalog.appName == ["en_US": "My Shop"])
        #expect(catalog.defaultTerritory == "JPN")
        #expect(catalog.defaultLocale == "en_US")
        #expect(catalog.sections.isEmpty)
        #expect(catalog.groups == [.init(id: SubscriptionGroupID("C9E8"), name: ["en_US": "Club"])])
        let season = CatalogProduct(
            id: ProductID("season"), type: .nonRenewing, name: ["en_US": "Season"],
            prices: .everywhere(milliunits: 5990))
        let expected = [
            CatalogProduct(
                id: ProductID("coins"), type: .consumable,
                name: ["en_US": "Coins", "zh_Hans": "金币"], description: ["en_US": "Ten coins"],
                prices: .everywhere(milliunits: 990)),
            CatalogProduct(
                id: ProductID("pro"), type: .nonConsumable, name: ["en_US": "Pro"],
                prices: .everywhere(milliunits: 4000), isFamilyShareable: true),
            isFirst ? nil : season,
            CatalogProduct(
                id: ProductID("monthly"), type: .autoRenewable, name: ["en_US": "monthly"],
                prices: .everywhere(milliunits: 9990),
                subscription: .init(
                    groupID: SubscriptionGroupID("C9E8"), level: 1,
                    period: SubscriptionPeriod(unit: .month, value: 1))),
        ]
        #expect(catalog.products == expected.compactMap(\.self))
        #expect(catalog.settings == CatalogSettings(territory: "JPN", locale: "en_US"))
        #expect(catalog.hadPrivateKey == (hasKey ? true : nil))
        let source = String(decoding: try #require(reading.source), as: UTF8.self)
        #expect(!source.contains("SECRET") && !source.contains("subscriptionOffersKeyPair"))
        #expect(hasKey || source == text)
        let everything = try String(decoding: JSONEncoder().encode(reading), as: UTF8.self)
        #expect(!everything.contains("SECRET"))
    }

    private static let leftOut = "; the product is left out"

    static let defects = [
        Defect(
            #""displayPrice" : "0.99""#, #""displayPrice" : "0,99""#, .warning,
            at: "products[0].displayPrice", line: 8, found: #""0,99""#,
            expected: "a price such as 3.99, with a point before the decimals" + leftOut,
            suggestion: "0.99"),
        Defect(
            #""type" : "Consumable""#, #""type" : "Consumible""#, .warning,
            at: "products[0].type", line: 25, found: #""Consumible""#,
            expected: "one of Consumable, NonConsumable, NonRenewingSubscription, "
                + "RecurringSubscription" + leftOut, suggestion: "Consumable"),
        Defect(
            #""productID" : "coins""#, #""productID" : "pro""#, .warning,
            at: "products[1].productID", line: 34,
            found: #""pro", which is also at products[0].productID"#,
            expected: "a product identifier of its own" + leftOut),
        Defect(
            #""productID" : "coins","#, "", .warning, at: "products[0].productID", line: 7,
            found: "nothing", expected: "`productID`" + leftOut),
        Defect(
            #""subscriptionGroupID" : "C9E8""#, #""subscriptionGroupID" : "XX""#, .warning,
            at: "subscriptionGroups[0].subscriptions[0].subscriptionGroupID", line: 76,
            found: #""XX""#, expected: #"the group it stands in, "C9E8""# + leftOut),
        Defect(
            #""P1M""#, #""P5M""#, .warning,
            at: "subscriptionGroups[0].subscriptions[0].recurringSubscriptionPeriod", line: 74,
            found: #""P5M""#, expected: "one of P1W, P1M, P2M, P3M, P6M, P1Y" + leftOut),
        Defect(
            #""groupNumber" : 1"#, #""groupNumber" : 0"#, .warning,
            at: "subscriptionGroups[0].subscriptions[0].groupNumber", line: 64,
            found: "the number 0", expected: "a whole number from 1 to 1000" + leftOut),
    ]

    @Test("a product with a mistake is left out, with a warning", arguments: defects)
    func productWithADefectIsLeftOut(defect: Defect) throws {
        let good = StoreKitFixture.file(major: 4, minor: 0, hasKey: false)
        try #require(good.contains(defect.right))
        let reading = try CatalogFixture().read(
            storekit: good.replacing(defect.right, with: defect.wrong))
        #expect(reading.problems.map(\.withoutCode) == [defect.problem])
        #expect(reading.catalog?.products.count == 3)
    }

    static let oddities = [
        Defect(
            #""familyShareable" : true"#, #""familySharable" : true"#, .warning,
            at: "products[1].familySharable", line: 29, found: #"the unknown key "familySharable""#,
            expected: "", suggestion: "familyShareable"),
        Defect(
            #""_storefront" : "JPN""#, #""_storefront" : "JAP""#, .warning,
            at: "settings._storefront", line: 41, found: #"the territory "JAP""#, expected: "",
            suggestion: "JPN"),
        Defect(
            #""_locale" : "en_US""#, #""_locale" : "jp""#, .warning, at: "settings._locale",
            line: 40, found: #"the locale "jp""#, expected: "", suggestion: "ja"),
        Defect(
            #""major" : 4"#, #""major" : 7"#, .warning, at: "", line: 1, found: "version 7.0",
            expected: ""),
        Defect(
            #""displayPrice" : "4""#, #""displayPrice" : 4"#, .warning,
            at: "products[1].displayPrice", line: 28, found: "the number 4", expected: "",
            suggestion: "\"4\""),
        Defect(
            #""displayPrice" : "0.99""#, #""displayPrice" : """#, .warning,
            at: "products[0].displayPrice", line: 8, found: #""""#, expected: ""),
    ]

    @Test("an oddity is a warning, and no product is left out", arguments: oddities)
    func oddityIsToldAndNothingLost(defect: Defect) throws {
        let good = StoreKitFixture.file(major: 4, minor: 0, hasKey: false)
        try #require(good.contains(defect.right))
        let reading = try CatalogFixture().read(
            storekit: good.replacing(defect.right, with: defect.wrong))
        var problem = try #require(reading.problems.first)
        #expect(reading.problems.count == 1)
        problem.expected = ""
        #expect(problem.withoutCode == defect.problem)
        #expect(reading.catalog?.products.count == 4)
    }

    /// A setting that the program does not apply, switched on; its path, and a part of the warning.
    static let unsupported = [
        (
            #""_storeKitErrors" : [{"enabled" : false, "name" : "Purchase"}, "#
                + #"{"enabled" : true, "name" : "Verification", "#
                + #""current" : {"name" : "networkError"}}]"#,
            "_storeKitErrors[1]", "the calls fail with invalidSignature"
        ),
        (
            #""_storeKitErrors" : [{"enabled" : true, "name" : "Purchases"}]"#,
            "_storeKitErrors[0]", "Load Products"
        ),
        (
            #""_storeKitErrors" : [{"enabled" : true, "name" : "Purchase", "current" : "#
                + #"{"index" : 99, "type" : "generic"}}]"#,
            "_storeKitErrors[0].current", "by `name`"
        ),
        (#""_storeKitErrors" : {}"#, "_storeKitErrors", "a list of failures"),
        (
            #""_failTransactionsEnabled" : true, "_storeKitError" : 3"#, "_storeKitError",
            "of SKError"
        ),
        (#""_askToBuyEnabled" : "yes""#, "_askToBuyEnabled", "true or false"),
        (#""_timeRate" : 7"#, "_timeRate", "one of Xcode's rates"),
        (#""_disableDialogs" : 1"#, "_disableDialogs", "true or false"),
    ]

    @Test(
        "a setting that is not applied is a warning with its path and line",
        arguments: unsupported)
    func settingNotHonoured(text: String, place: String, instead: String) throws {
        let reading = try read(settings: text)
        let problem = try #require(reading.problems.first)
        #expect(reading.problems.count == 1)
        #expect(problem.severity == .warning)
        #expect(problem.path == "settings." + place)
        #expect(problem.line == 41)
        #expect(problem.expected.contains(instead))
        #expect(reading.catalog?.products.count == 4)
    }

    private func read(settings text: String) throws -> CatalogReading {
        try CatalogFixture().read(
            storekit: StoreKitFixture.file(major: 4, minor: 0, hasKey: false).replacing(
                #""_storefront" : "JPN""#, with: #""_storefront" : "JPN", "# + text))
    }

    /// Settings in the file, and the settings that are read from them.
    static let applied: [(String, CatalogSettings)] = [
        (#""_askToBuyEnabled" : true"#, CatalogSettings(askToBuy: true)),
        (#""_askToBuyEnabled" : false"#, CatalogSettings(askToBuy: false)),
        (#""_billingGracePeriodEnabled" : true"#, CatalogSettings(hasGracePeriod: true)),
        (#""_renewalBillingIssuesEnabled" : true"#, CatalogSettings(entersBillingRetry: true)),
        (#""_failTransactionsEnabled" : false"#, CatalogSettings(failures: [])),
        (#""_storeKitErrors" : []"#, CatalogSettings(failures: [])),
        (
            #""_failTransactionsEnabled" : true"#,
            CatalogSettings(failures: [.init(interface: .purchase, error: .unknown)])
        ),
        (
            #""_failTransactionsEnabled" : true, "_storeKitError" : 12"#,
            CatalogSettings(failures: [.init(interface: .purchase, error: .invalidOfferSignature)])
        ),
        (
            #""_storeKitErrors" : [{"current" : {"index" : 2, "type" : "generic"}, "#
                + #""enabled" : true, "name" : "Purchase"}], "_failTransactionsEnabled" : true"#,
            CatalogSettings(failures: [.init(interface: .purchase, error: .networkError)])
        ),
        (
            #""_storeKitErrors" : [{"current" : {"index" : 1, "type" : "purchase"}, "#
                + #""enabled" : true, "name" : "Purchase"}]"#,
            CatalogSettings(failures: [.init(interface: .purchase, error: .productUnavailable)])
        ),
        (
            #""_storeKitErrors" : [{"current" : {"name" : "invalidQuantity"}, "#
                + #""enabled" : true, "name" : "Purchase"}]"#,
            CatalogSettings(failures: [.init(interface: .purchase, error: .invalidQuantity)])
        ),
    ]

    @Test("a setting that takes effect is read without a word", arguments: applied)
    func settingApplied(text: String, settings: CatalogSettings) throws {
        let reading = try read(settings: text)
        #expect(reading.problems.isEmpty)
        var expected = settings
        expected.territory = "JPN"
        expected.locale = "en_US"
        #expect(reading.catalog?.settings == expected)
        // The store keeps the settings, and compares the next revision's with them.
        let body = try #require(try reading.catalog?.body())
        #expect(try JSONDecoder().decode(Catalog.self, from: body).settings == expected)
    }

    /// As declared by StoreKit: `StoreKitError`, `Product.PurchaseError`,
    /// `VerificationResult.VerificationError`, `Transaction.RefundRequestError`.
    static let errorsByIndex: [(String, String, [StoreError.Code])] = [
        (
            "generic", "Load Products",
            [
                .unknown, .userCancelled, .networkError, .systemError, .notAvailableInStorefront,
                .notEntitled, .unsupported,
            ]
        ),
        (
            "purchase", "Purchase",
            [
                .invalidQuantity, .productUnavailable, .purchaseNotAllowed, .ineligibleForOffer,
                .invalidOfferIdentifier, .invalidOfferPrice, .missingOfferParameters,
                .invalidOfferSignature,
            ]
        ),
        (
            "verification", "Verification",
            [
                .revokedCertificate, .invalidCertificateChain, .invalidDeviceVerification,
                .invalidEncoding, .invalidSignature, .missingRequiredProperties,
            ]
        ),
        ("refund request", "Refund Request Sheet", [.duplicateRequest, .refundRequestFailed]),
        ("refundRequest", "Refund Request Sheet", [.duplicateRequest, .refundRequestFailed]),
    ]

    @Test("an error is read by its type and index", arguments: errorsByIndex)
    func errorByIndex(type: String, call: String, errors: [StoreError.Code]) throws {
        for (index, error) in errors.enumerated() {
            let reading = try read(
                settings: #""_storeKitErrors" : [{"enabled" : true, "name" : "\#(call)", "#
                    + #""current" : {"index" : \#(index), "type" : "\#(type)"}}]"#)
            #expect(reading.problems.isEmpty)
            #expect(reading.catalog?.settings?.failures?.map(\.error) == [error])
        }
    }

    @Test("settings without an effect here are kept all the same")
    func settingsKept() throws {
        let settings = try read(
            settings: """
                "_billingIssuesEnabled" : true, "_disableDialogs" : true, \
                "_renewalBillingIssuesEnabled" : true, "_billingGracePeriodEnabled" : false, \
                "_storeKitErrors" : [{"enabled" : true, "name" : "Verification", "current" : \
                {"index" : 4, "type" : "verification"}}]
                """
        ).catalog?.settings
        #expect(
            settings
                == CatalogSettings(
                    territory: "JPN", locale: "en_US",
                    failures: [
                        .init(
                            interface: .verification,
                            error: StoreError.Code(rawValue: "invalidSignature"))
                    ], interruptsPurchases: true, disablesDialogs: true, entersBillingRetry: true,
                    hasGracePeriod: false))
    }

    @Test("what is met many times is one warning with a count, at its first place")
    func countedWarnings() throws {
        let file = StoreKitFixture.file(major: 4, minor: 0, hasKey: false)
            .replacing("\"internalID\"", with: "\"colour\" : 1, \"internalID\"")
        let problems = try CatalogFixture().read(storekit: file).problems
        #expect(problems.map(\.path) == ["products[0].colour"])
        #expect(problems.first?.found == #"the unknown key "colour", 4 times, here first"#)
    }

    @Test(
        "parts that the shop does not show are warnings",
        arguments: [
            (
                #""appPolicies" : {"eula" : """#, #""appPolicies" : {"eula" : "Terms""#,
                "appPolicies"
            ),
            (
                #""productID" : "coins""#, #""promotionalImageID" : "A", "productID" : "coins""#,
                "products[0].promotionalImageID"
            ),
            (
                "\"localizations\" : [\n\n      ],\n      \"name\" : \"Club\"",
                #""localizations" : [{"locale" : "en", "description" : "D"}], "name" : "Club""#,
                "subscriptionGroups[0].localizations"
            ),
            (
                #""products" : ["#, #""subscriptionBundleGroups" : [{"id" : "B"}], "products" : ["#,
                "subscriptionBundleGroups"
            ),
            (
                #""products" : ["#, #""subscriptionSuiteGroups" : [{"id" : "S"}], "products" : ["#,
                "subscriptionSuiteGroups"
            ),
        ])
    func partsNotShown(right: String, wrong: String, path: String) throws {
        let good = StoreKitFixture.file(major: 4, minor: 0, hasKey: false)
        try #require(good.contains(right))
        let problems = try CatalogFixture().read(storekit: good.replacing(right, with: wrong))
            .problems
        #expect(problems.map(\.path) == [path])
        #expect(problems.first?.severity == .warning)
    }

    @Test("the lists of bundles and suites that Xcode writes say nothing while they are empty")
    func emptyLists() throws {
        let file = StoreKitFixture.file(major: 6, minor: 3, hasKey: false).replacing(
            #""products" : ["#,
            with:
                #""subscriptionBundleGroups" : [], "subscriptionSuiteGroups" : [], "products" : ["#)
        #expect(try CatalogFixture().read(storekit: file).problems.isEmpty)
    }

    @Test("the renewal rate of the configuration is adopted", arguments: RenewalRate.allCases)
    func timeRate(_ rate: RenewalRate) throws {
        let file = StoreKitFixture.file(major: 4, minor: 0, hasKey: false).replacing(
            #""_storefront" : "JPN""#,
            with: #""_storefront" : "JPN", "_timeRate" : \#(rate.rawValue)"#)
        let reading = try CatalogFixture().read(storekit: file)
        #expect(reading.problems.isEmpty)
        #expect(reading.catalog?.renewalRate == rate)
        // The store keeps the rate with the revision, and compares the next revision's with it.
        let body = try #require(try reading.catalog?.body())
        #expect(try JSONDecoder().decode(Catalog.self, from: body).renewalRate == rate)
    }

    @Test("settings that are switched off give no warning")
    func settingsSwitchedOff() throws {
        let off = """
            "_storefront" : "JPN", "_askToBuyEnabled" : false, "_timeRate" : 0, \
            "_storeKitErrors" : [{"current" : null, "enabled" : false, "name" : "Purchase"}], \
            "_disableDialogs" : false, "_applicationInternalID" : "1", "_developerTeamID" : "T", \
            "_lastSynchronizedDate" : 1.5, "_compatibilityTimeRate" : {"3" : 6}
            """
        let file = StoreKitFixture.file(major: 4, minor: 0, hasKey: false)
            .replacing(#""_storefront" : "JPN""#, with: off)
        #expect(try CatalogFixture().read(storekit: file).problems.isEmpty)
    }

    @Test("an identifier of any length gives a bundle id of its own, of at most 64 bytes")
    func longIdentifiers() throws {
        let long = String(repeating: "Name of a file ", count: 9)
        var names: Set<String> = []
        for identifier in [long + "one", long + "two", String(repeating: "x", count: 55)] {
            let file = StoreKitFixture.file(major: 4, minor: 0, hasKey: false)
                .replacing("8CFD4D59", with: identifier)
            let reading = try CatalogFixture().read(storekit: file)
            let bundleID = try #require(reading.catalog?.bundleID)
            #expect(bundleID.utf8.count <= 64, "\(bundleID)")
            names.insert(bundleID)
        }
        #expect(names.count == 3, "different files have different stores")
        #expect(names.contains("storekit." + String(repeating: "x", count: 55)))
    }

    @Test("a .storekit folder is opened like a file")
    func folderFormIsOpened() throws {
        let fixture = try CatalogFixture()
        let text = StoreKitFixture.file(major: 1, minor: 0)
        try fixture.write("Night Shop.storekit/Configuration.storekit", text)
        for name in ["Night Shop.storekit", "Night Shop.storekit/"] {
            let reading = CatalogReader.read(path: fixture.folder + "/" + name)
            #expect(reading.problems.isEmpty)
            #expect(reading.path.hasSuffix("Night Shop.storekit/Configuration.storekit"))
            #expect(reading.catalog?.bundleID == "storekit.night-shop")
            #expect(reading.catalog?.appName == ["en_US": "Night Shop"])
        }
    }

    @Test("a file name without ASCII letters still gives a bundle id")
    func nameWithoutLettersStillNamesAStore() throws {
        let fixture = try CatalogFixture()
        let path = try fixture.write("店.storekit", StoreKitFixture.file(major: 1, minor: 0))
        let bundleID = try #require(CatalogReader.read(path: path).catalog?.bundleID)
        #expect(bundleID.wholeMatch(of: /storekit\.x[0-9a-f]{8}/) != nil)
    }
}
