import Foundation
@testable import StoreCatalog
@testable import StoreModel
import Testing

struct StoreKitExportTests {
    private static func state(
        of catalog: Catalog, territory: String? = nil, askToBuy: Bool? = nil,
        rate: RenewalRate? = nil, failures: [CatalogSettings.Failure]? = nil
    ) -> StoreKitExport.State {
        var account = AccountSettings(new: "aoi", home: "USA", catalog: catalog.settings)
        account.territory = territory ?? account.territory
        account.askToBuy = askToBuy ?? account.askToBuy
        return StoreKitExport.State(
            renewals: (rate ?? catalog.renewalRate).map {
                RenewalSettings(
                    rate: $0, failsBilling: catalog.settings?.entersBillingRetry ?? false,
                    hasGracePeriod: catalog.settings?.hasGracePeriod ?? false)
            }, account: account, home: "USA",
            failures: failures ?? catalog.settings?.failures ?? [])
    }

    private static func export(_ reading: CatalogReading) throws -> StoreKitExport {
        let catalog = try #require(reading.catalog)
        return StoreKitExport.make(catalog, source: reading.source, state: state(of: catalog))
    }

    private static func json(_ bytes: some Sequence<UInt8>) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private static func isEqual(_ bytes: [UInt8], _ expected: [String: Any]) throws -> Bool {
        NSDictionary(dictionary: try json(bytes)) == NSDictionary(dictionary: expected)
    }

    @Test(
        "a configuration that is exported unchanged is the same JSON, less its private key",
        arguments: [(1, 0), (1, 2), (3, 0), (4, 0), (5, 0)])
    func readWriteRead(major: Int, minor: Int) throws {
        let text = StoreKitFixture.file(major: major, minor: minor)
        let export = try Self.export(try CatalogFixture().read(storekit: text))
        var expected = try Self.json(text.utf8)
        let hadKey = expected.removeValue(forKey: "subscriptionOffersKeyPair") != nil
        #expect(try Self.isEqual(export.bytes, expected))
        #expect(
            export.omissions.map(\.path) == (hadKey ? ["subscriptionOffersKeyPair"] : []),
            "its absence is told")
        #expect(hadKey || export.bytes == Array(text.utf8))
    }

    @Test(
        "a whole configuration is exported as it was read, less its private key",
        arguments: ConfigurationFiles.paths)
    func wholeFile(path: String) throws {
        let reading = CatalogReader.read(path: path)
        guard reading.catalog != nil else { return }
        let export = try Self.export(reading)
        let bytes = try Data(contentsOf: URL(filePath: reading.path))
        var expected = try Self.json(bytes)
        let hadKey = expected.removeValue(forKey: "subscriptionOffersKeyPair") != nil
        #expect(try Self.isEqual(export.bytes, expected))
        #expect(hadKey || export.bytes == Array(bytes))
        #expect(export.omissions.count == (hadKey ? 1 : 0))
    }

    /// Places of a private key in a file, and the file without the key.
    static let keys = [
        (#"{"privateKey":"SECRET"}"#, "{}"),
        (#"{"a":1,"privateKey":"SECRET"}"#, #"{"a":1}"#),
        (#"{"privateKey":"SECRET", "a":1}"#, #"{"a":1}"#),
        (#"{"a":1,"privateKey":"SECRET","private_key":{"x":"SECRET"}}"#, #"{"a":1}"#),
        (#"{"a":1,"privateKey":"SECRET","b":2,"private-key":"SECRET"}"#, #"{"a":1,"b":2}"#),
        (#"{"private\u004bey":"SECRET","a":1}"#, #"{"a":1}"#),
        (
            #"{"x":[{"subscriptionOffersKeyPair":{"id":"1","privateKey":"SECRET"}},2]}"#,
            #"{"x":[{},2]}"#
        ),
        (#"{"x":"-----BEGIN PRIVATE KEY-----\nSECRET"}"#, #"{"x":""}"#),
    ]

    @Test("a private key is cut out of the text wherever it stands", arguments: keys)
    func keyIsCut(member: String, without: String) throws {
        let right = #""_locale" : "en_US""#
        let good = StoreKitFixture.file(major: 4, minor: 0, hasKey: false)
        func file(with value: String) -> String {
            good.replacing(right, with: "\"_extra\" : \(value), " + right)
        }
        let reading = try CatalogFixture().read(storekit: file(with: member))
        let source = String(decoding: try #require(reading.source), as: UTF8.self)
        #expect(source == file(with: without))
        #expect(reading.catalog?.hadPrivateKey == true)
    }

    /// A change in the store, and the file's settings that it changes, before and after.
    struct Change: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var before: String
        var after: String
        var state: @Sendable (Catalog) -> StoreKitExport.State
    }

    static let changes = [
        Change(
            testDescription: "a new key is placed in alphabetical order",
            before: "{\n    \"_locale\" : \"en_US\",\n    \"_storefront\" : \"JPN\"\n  }",
            after: "{\n    \"_askToBuyEnabled\" : true,\n    \"_locale\" : \"en_US\",\n"
                + "    \"_storefront\" : \"JPN\"\n  }"
        ) { state(of: $0, askToBuy: true) },
        Change(
            testDescription: "a new key at the end",
            before: "\"_storefront\" : \"JPN\"\n  }",
            after: "\"_storefront\" : \"JPN\",\n    \"_timeRate\" : 13\n  }"
        ) { state(of: $0, rate: .monthlyRenewalEveryFiveMinutes) },
        Change(
            testDescription: "a known key keeps its place", before: "\"JPN\"", after: "\"DEU\""
        ) { state(of: $0, territory: "DEU") },
        Change(
            testDescription: "a rate of real time, where the file has none, is not written",
            before: "\"JPN\"", after: "\"JPN\""
        ) { state(of: $0, rate: .realTime) },
    ]

    @Test("an export changes only the settings that the store has changed", arguments: changes)
    func onlyOwnKeys(change: Change) throws {
        let text = StoreKitFixture.file(major: 4, minor: 0, hasKey: false)
        try #require(text.contains(change.before))
        let reading = try CatalogFixture().read(storekit: text)
        let catalog = try #require(reading.catalog)
        let export = StoreKitExport.make(
            catalog, source: reading.source, state: change.state(catalog))
        #expect(
            String(decoding: export.bytes, as: UTF8.self)
                == text.replacing(change.before, with: change.after))
    }

    @Test("locale, dialogs and interruptions of the account are exported, and read again")
    func accountSettings() throws {
        let fixture = try CatalogFixture()
        let native = try fixture.read(native: CatalogFixture.good)
        let text = StoreKitFixture.file(major: 4, minor: 0, hasKey: false)
        let other = text.replacing(
            "\"_locale\" :", with: "\"_interruptedPurchasesEnabled\" : false,\n    \"_locale\" :")
        for reading in [
            native, try fixture.read(storekit: text), try fixture.read(storekit: other),
        ] {
            let catalog = try #require(reading.catalog)
            var state = Self.state(of: catalog)
            state.account.disablesDialogs = true
            state.account.interruptsPurchases = true
            state.account.locale = "ja_JP"
            let export = StoreKitExport.make(catalog, source: reading.source, state: state)
            let again = try fixture.read(storekit: String(decoding: export.bytes, as: UTF8.self))
            #expect(again.problems.isEmpty)
            #expect(again.catalog?.settings?.disablesDialogs == true)
            #expect(again.catalog?.settings?.interruptsPurchases == true)
            #expect(again.catalog?.settings?.locale == "ja_JP")
        }
    }

    @Test("settings that a configuration has no place for are told")
    func untoldSettings() throws {
        let fixture = try CatalogFixture()
        let native = try fixture.read(native: CatalogFixture.good)
        let text = StoreKitFixture.file(major: 4, minor: 0, hasKey: false)
        for reading in [native, try fixture.read(storekit: text)] {
            let catalog = try #require(reading.catalog)
            var state = Self.state(of: catalog, rate: .realTime)
            func told() -> Int {
                StoreKitExport.make(catalog, source: reading.source, state: state)
                    .omissions.count { $0.path == "settings" }
            }
            #expect(told() == 0)
            state.renewals?.limit = 4
            state.renewals?.limitPerDay = 2
            state.account.asksBank = true
            state.account.canMakePayments = false
            #expect(told() == 4)
        }
    }

    @Test("a failure that is switched on or off is exported, and read again")
    func failures() throws {
        let fixture = try CatalogFixture()
        let text = StoreKitFixture.file(major: 4, minor: 0, hasKey: false)
        let reading = try fixture.read(storekit: text)
        let catalog = try #require(reading.catalog)
        let failures = [CatalogSettings.Failure(interface: .purchase, error: .networkError)]
        let failing = StoreKitExport.make(
            catalog, source: reading.source, state: Self.state(of: catalog, failures: failures))
        let second = try fixture.read(storekit: String(decoding: failing.bytes, as: UTF8.self))
        #expect(second.problems.isEmpty)
        #expect(second.catalog?.settings?.failures == failures)
        let again = try #require(second.catalog)
        let mended = StoreKitExport.make(
            again, source: second.source, state: Self.state(of: again, failures: []))
        let third = try fixture.read(storekit: String(decoding: mended.bytes, as: UTF8.self))
        #expect(third.problems.isEmpty)
        #expect(third.catalog?.settings?.failures == [])
    }

    @Test("a catalog of our own is exported complete, and says what it could not take along")
    func fromScratch() throws {
        let fixture = try CatalogFixture()
        let own = try fixture.read(native: CatalogFixture.good)
        let catalog = try #require(own.catalog)
        let export = StoreKitExport.make(
            catalog, source: own.source, state: Self.state(of: catalog, askToBuy: true))
        let file = String(decoding: export.bytes, as: UTF8.self)
        let reading = try fixture.read(storekit: file)
        #expect(reading.problems.isEmpty, "\(reading.problems)")
        #expect(reading.format == .storekit(major: 3, minor: 0))
        let read = try #require(reading.catalog)
        #expect(Set(read.products.map(\.id)) == Set(catalog.products.map(\.id)))
        #expect(export.productCount == catalog.products.count)
        #expect(read.groups.map(\.id) == catalog.groups.map(\.id))
        for product in catalog.products {
            let same = try #require(read.products.first { $0.id == product.id })
            #expect(same.type == product.type)
            #expect(same.name == product.name)
            #expect(same.description == product.description)
            #expect(same.subscription == product.subscription)
            #expect(same.isFamilyShareable == product.isFamilyShareable)
            #expect(same.price(in: .usa) == product.price(in: .usa))
        }
        #expect(
            read.settings
                == CatalogSettings(askToBuy: true, territory: "USA", locale: "en_US", failures: []))
        #expect(
            export.omissions.map(\.found) == [
                "the app com.example.lantern", "hosted content (book)",
                "content of the app's own server (atlas)",
                "prices in other territories than USA (coins)", "a grant (coins)",
                "unlocks (season)", "a section (book)",
                "the length of a non-renewing subscription (season)",
            ])
        #expect(file.hasPrefix("{\n  \"identifier\" : \""))
    }

    @Test("a product that is not sold in the account's storefront is left out, and told")
    func otherStorefront() throws {
        let catalog = try #require(try CatalogFixture().read(native: CatalogFixture.good).catalog)
        let export = StoreKitExport.make(
            catalog, source: nil, state: Self.state(of: catalog, territory: "JPN"))
        #expect(export.productCount == 1)
        #expect(export.omissions.contains { $0.found == "no price in JPN (book and 3 more)" })
        #expect(String(decoding: export.bytes, as: UTF8.self).contains(#""displayPrice" : "160""#))
    }

    @Test("of two failures of one call the one that strikes is written, and the other is told")
    func twoFailures() throws {
        let fixture = try CatalogFixture()
        let native = try fixture.read(native: CatalogFixture.good)
        let text = StoreKitFixture.file(major: 4, minor: 0, hasKey: false)
        let first = CatalogSettings.Failure(interface: .purchase, error: .networkError)
        let second = CatalogSettings.Failure(interface: .purchase, error: .unsupported)
        for reading in [native, try fixture.read(storekit: text)] {
            let catalog = try #require(reading.catalog)
            let export = StoreKitExport.make(
                catalog, source: reading.source,
                state: Self.state(of: catalog, failures: [first, second]))
            #expect(
                export.omissions.filter { $0.path == "settings" }.map(\.found)
                    == ["purchase fails with unsupported, set second"])
            let again = try fixture.read(storekit: String(decoding: export.bytes, as: UTF8.self))
            #expect(again.catalog?.settings?.failures == [first])
        }
    }

    @Test(
        "every failure of every call is written and read again; errors that Xcode lacks are told"
    )
    func everyFailure() throws {
        let fixture = try CatalogFixture()
        let catalog = try #require(try fixture.read(native: CatalogFixture.good).catalog)
        var told: Set<StoreError.Code> = []
        for call in Fault.Call.ofStoreKitTest {
            for error in call.errors {
                let failure = CatalogSettings.Failure(interface: call, error: error)
                let export = StoreKitExport.make(
                    catalog, source: nil, state: Self.state(of: catalog, failures: [failure]))
                let again = try fixture.read(
                    storekit: String(decoding: export.bytes, as: UTF8.self))
                #expect(again.problems.isEmpty, "\(call) \(error)")
                #expect(again.catalog?.settings?.failures == [failure])
                // Xcode identifies each error by its own type and a number.
                let settings = try Self.json(export.bytes)["settings"] as? [String: Any]
                let list = try #require(settings?["_storeKitErrors"] as? [[String: Any]])
                let current = list.compactMap { $0["current"] as? [String: Any] }
                #expect(current.count == 1 && current[0]["index"] is Int)
                if export.omissions.contains(where: { $0.path == "settings" }) {
                    told.insert(error)
                }
            }
        }
        #expect(
            told == [.paymentInvalid, .privacyAcknowledgementRequired, .paymentDeclined],
            "errors of StoreKit 1 and of the bank")
    }

    /// A catalog in the native format with every value that a configuration can hold.
    private static let rich = CatalogFixture.good
        .replacing(
            #""prices": {"USA": "4.99"}"#, with: #""prices": {"USA": "4.99", "JPN": "700"}"#
        )
        .replacing(#""name": {"en": "Club"}"#, with: #""name": {"en": "Club", "ja": "クラブ"}"#)
        .replacing(
            #""level": 2, "period": "P1M"}"#,
            with: """
                "level": 2, "period": "P1M", "offers": [
                  {"kind": "introductory", "mode": "freeTrial", "period": "P1W"},
                  {"kind": "promotional", "id": "half", "mode": "payAsYouGo", "period": "P1M", \
                "periods": 3, "prices": {"USA": "2.49", "JPN": "300"}},
                  {"kind": "code", "id": "spring", "mode": "freeTrial", "period": "P1M", \
                "eligibility": ["new"], "codes": ["SPRING26"]},
                  {"kind": "winBack", "id": "back", "mode": "payUpFront", "period": "P3M", \
                "prices": {"USA": "5.99"}}]}},
                {
                  "id": "yearly", "type": "autoRenewable", "name": {"en": "Yearly"},
                  "prices": {"USA": "39.99", "JPN": "4000"},
                  "subscription": {"group": "club", "level": 1, "period": "P1Y", \
                "monthlyPayments": {"USA": "3.99"}, "offers": [
                    {"kind": "introductory", "mode": "freeTrial", "period": "P1W"},
                    {"kind": "promotional", "id": "half", "mode": "payUpFront", "period": "P1Y", \
                "prices": {"USA": "19.99"}}]}
                """)

    @Test("our own files say whether subscribers keep their price, which Xcode's cannot [D11]")
    func preservedPrice() throws {
        let kept = CatalogFixture.good.replacing(
            #""level": 2, "period": "P1M"}"#,
            with: #""level": 2, "period": "P1M", "preserveCurrentPrice": true}"#)
        let fixture = try CatalogFixture()
        let reading = try fixture.read(native: kept)
        #expect(reading.problems == [])
        let catalog = try #require(reading.catalog)
        #expect(catalog.products.compactMap(\.subscription?.preservesPrice) == [true])
        let export = StoreKitExport.make(
            catalog, source: reading.source,
            state: Self.state(of: catalog))
        #expect(export.omissions.contains { $0.found.hasPrefix("a price that is kept") })
        let bad = try fixture.read(
            native: kept.replacing(
                #""preserveCurrentPrice": true"#, with: #""preserveCurrentPrice": "yes""#))
        #expect(bad.errors.map(\.path) == ["products[2].subscription.preserveCurrentPrice"])
    }

    @Test("what is read again is written again as it was, and no two things share an internal id")
    func roundTrip() throws {
        let fixture = try CatalogFixture()
        let own = try fixture.read(native: Self.rich)
        #expect(own.problems == [])
        let catalog = try #require(own.catalog)
        let failures = [CatalogSettings.Failure(interface: .purchase, error: .paymentDeclined)]
        let export = StoreKitExport.make(
            catalog, source: own.source, state: Self.state(of: catalog, failures: failures))
        let text = String(decoding: export.bytes, as: UTF8.self)
        let reading = try fixture.read(storekit: text)
        #expect(reading.problems == [])
        let read = try #require(reading.catalog)
        #expect(read.groups == catalog.groups)
        for product in catalog.products {
            let same = try #require(read.products.first { $0.id == product.id })
            #expect(
                same.offers.map { $0.offer(in: .usa) } == product.offers.map { $0.offer(in: .usa) })
        }
        let again = StoreKitExport.make(read, source: nil, state: Self.state(of: read))
        #expect(String(decoding: again.bytes, as: UTF8.self) == text)

        let ids = text.matches(of: /"internalID" : "([0-9A-F]{8})"/).map { String($0.1) }
        // Six products, six offers, and the two billing plans of one product.
        #expect(ids.count == 14 && Set(ids).count == ids.count, "\(ids)")
    }

    @Test("products whose digests begin alike have internal ids of their own")
    func internalIDs() throws {
        let text = CatalogFixture.good.replacing(#""id": "coins""#, with: #""id": "p19847""#)
            .replacing(#""id": "atlas""#, with: #""id": "p42256""#)
        let catalog = try #require(try CatalogFixture().read(native: text).catalog)
        let export = StoreKitExport.make(catalog, source: nil, state: Self.state(of: catalog))
        let file = String(decoding: export.bytes, as: UTF8.self)
        #expect(file.matches(of: /"internalID" : "2B7A706F"/).count == 1)
        let ids = file.matches(of: /"internalID" : "([0-9A-F]{8})"/).map { String($0.1) }
        #expect(ids.count == 5 && Set(ids).count == 5)
    }

    @Test("offers, prices of offers and lists that are left out are told")
    func leftOut() throws {
        let fixture = try CatalogFixture()
        let text = Self.rich.replacing(
            #""appAppleId": 1234567890,"#,
            with: #""appAppleId": 1234567890, "productList": ["yearly", "coins", "book", "#
                + #""monthly", "season", "atlas"],"#)
        let reading = try fixture.read(native: text)
        #expect(reading.problems == [])
        let catalog = try #require(reading.catalog)
        func told(in territory: String) -> [String] {
            StoreKitExport.make(
                catalog, source: reading.source,
                state: Self.state(of: catalog, territory: territory)
            ).omissions.map(\.found)
        }
        #expect(told(in: "USA").contains("a list of 6 products"))
        #expect(told(in: "USA").contains("prices in other territories than USA (coins and 2 more)"))
        #expect(told(in: "JPN").contains("offers without a price in JPN (monthly and 1 more)"))
        #expect(!told(in: "USA").contains { $0.hasPrefix("offers without") })
    }

    @Test("states and packages that an operator gave products of a configuration are told")
    func operatorsStates() throws {
        let text = StoreKitFixture.file(major: 4, minor: 0, hasKey: false)
        let reading = try CatalogFixture().read(storekit: text)
        let catalog = try #require(reading.catalog)
        let first = try #require(catalog.products.first)
        let changed = try #require(catalog.publishing(first.id, as: .inTest))
        let export = StoreKitExport.make(
            changed, source: reading.source, state: Self.state(of: changed))
        #expect(export.omissions.map(\.found) == ["a state that is not approved (\(first.id))"])
        #expect(export.bytes == Array(text.utf8))
    }

    // MARK: - Billing plans

    /// A yearly subscription with both billing plans, and an introductory offer of each.
    private static let plansFile = StoreKitFixture.file(major: 5, minor: 0, hasKey: false)
        .replacing(
            "\"billingPlans\" : [\n\n          ]",
            with: """
                "billingPlans" : [{"billingPlanType" : "BILLED_UPFRONT", \
                "commitmentDisplayPrice" : "9.99", "displayPrice" : "9.99", "internalID" : "A", \
                "isEnabled" : true}, {"billingPlanType" : "MONTHLY", \
                "commitmentDisplayPrice" : "11.00", "displayPrice" : "0.95", "internalID" : "B", \
                "isEnabled" : true}]
                """
        )
        .replacing(
            "\"introductoryOffers\" : [\n\n          ]",
            with: """
                "introductoryOffers" : [{"billingPlanType" : "BILLED_UPFRONT", \
                "internalID" : "C", "numberOfPeriods" : 1, "paymentMode" : "free", \
                "subscriptionPeriod" : "P1M"}, {"billingPlanType" : "MONTHLY", \
                "displayPrice" : "0.5", "internalID" : "D", "numberOfPeriods" : 2, \
                "paymentMode" : "payAsYouGo", "subscriptionPeriod" : "P1M"}]
                """
        )
        .replacing(
            #""recurringSubscriptionPeriod" : "P1M""#,
            with: #""recurringSubscriptionPeriod" : "P1Y""#)

    /// Expects the only subscriptions of two files to have the same plans in a storefront.
    private static func expectSamePlans(
        _ file: Catalog, _ expected: Catalog, in storefront: Storefront
    ) throws {
        let product = try #require(file.products.first { $0.subscription != nil })
        let same = try #require(expected.products.first { $0.id == product.id })
        let now = Timestamp(milliseconds: 0)
        let plans = same.billingPlans(in: storefront, at: now)
        #expect(plans.map(\.type) == [.upFront, .monthly])
        #expect(product.billingPlans(in: storefront, at: now) == plans)
        #expect(
            product.subscription?.billingPlans?.map(\.isEnabled)
                == same.subscription?.billingPlans?.map(\.isEnabled))
        #expect(product.offers.map(\.billingPlan) == same.offers.map(\.billingPlan))
        #expect(
            product.offers.map { $0.price(in: storefront) }
                == same.offers.map { $0.price(in: storefront) })
    }

    @Test("billing plans of a configuration stay as they were, also where a setting is written")
    func plansOfAConfiguration() throws {
        let reading = try CatalogFixture().read(storekit: Self.plansFile)
        #expect(reading.problems == [])
        let catalog = try #require(reading.catalog)
        #expect(try Self.export(reading).bytes == Array(Self.plansFile.utf8))
        let changed = StoreKitExport.make(
            catalog, source: reading.source, state: Self.state(of: catalog, askToBuy: true))
        var expected = try Self.json(Self.plansFile.utf8)
        var settings = try #require(expected["settings"] as? [String: Any])
        settings["_askToBuyEnabled"] = true
        expected["settings"] = settings
        #expect(try Self.isEqual(changed.bytes, expected))
    }

    @Test(
        "a catalog with billing plans is written as version 5, and sells the same",
        arguments: ["JPN", "USA"])
    func plansFromScratch(territory: String) throws {
        let fixture = try CatalogFixture()
        let catalog = try #require(try fixture.read(storekit: Self.plansFile).catalog)
        let storefront = try #require(Storefront.find(territory))
        let export = StoreKitExport.make(
            catalog, source: nil, state: Self.state(of: catalog, territory: territory))
        let reading = try fixture.read(storekit: String(decoding: export.bytes, as: UTF8.self))
        #expect(reading.problems == [])
        #expect(reading.format == .storekit(major: 5, minor: 0))
        try Self.expectSamePlans(try #require(reading.catalog), catalog, in: storefront)
    }

    @Test("a catalog of our own with monthly payments is written as version 5")
    func ownPlans() throws {
        let fixture = try CatalogFixture()
        let yearly = CatalogFixture.good
            .replacing(
                #""prices": {"USA": "4.99"}"#, with: #""prices": {"USA": "4.99", "JPN": "800"}"#
            )
            .replacing(
                #""level": 2, "period": "P1M"}"#,
                with: #""level": 2, "period": "P1Y", "monthlyPayments": {"USA": "0.49"}}"#)
        let own = try fixture.read(native: yearly)
        #expect(own.problems == [])
        let catalog = try #require(own.catalog)
        let export = StoreKitExport.make(
            catalog, source: own.source, state: Self.state(of: catalog))
        let reading = try fixture.read(storekit: String(decoding: export.bytes, as: UTF8.self))
        #expect(reading.problems == [])
        #expect(reading.format == .storekit(major: 5, minor: 0))
        try Self.expectSamePlans(try #require(reading.catalog), catalog, in: .usa)

        let abroad = StoreKitExport.make(
            catalog, source: own.source, state: Self.state(of: catalog, territory: "JPN"))
        #expect(
            abroad.omissions.contains {
                $0.found == "monthly payments without a price in JPN (monthly)"
            })
        let text = String(decoding: abroad.bytes, as: UTF8.self)
        #expect(!text.contains("MONTHLY"))
        #expect(try fixture.read(storekit: text).problems == [])
    }
}
