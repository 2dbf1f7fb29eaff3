import Foundation
import StoreCatalog
@testable import StoreEngine
@testable import StoreModel
import StoreTestSupport
import Testing

@Suite struct CatalogSettingsRulesTests {
    private typealias Failure = CatalogSettings.Failure

    /// The settings of the present catalog and of the next one, and the new settings of an account
    /// that had Ask to Buy off and bought in the USA; nil if they do not change.
    struct Change: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var before: CatalogSettings?
        var after: CatalogSettings?
        var account: AccountSettings?
    }

    static let aoi = AccountSettings(name: "aoi", territory: "USA")

    static let changes = [
        Change(
            testDescription: "a value that is new", before: nil,
            after: CatalogSettings(askToBuy: true),
            account: AccountSettings(name: "aoi", territory: "USA", askToBuy: true)),
        Change(
            testDescription: "a value that has changed", before: CatalogSettings(territory: "USA"),
            after: CatalogSettings(territory: "JPN"),
            account: AccountSettings(name: "aoi", territory: "JPN")),
        Change(
            testDescription: "interrupted purchases", before: nil,
            after: CatalogSettings(interruptsPurchases: true),
            account: AccountSettings(
                name: "aoi", territory: "USA", interruptsPurchases: true)),
        Change(
            testDescription: "a value as before: what the operator has changed stays",
            before: CatalogSettings(askToBuy: true, territory: "JPN"),
            after: CatalogSettings(askToBuy: true, territory: "JPN")),
        Change(
            testDescription: "a value that is gone", before: CatalogSettings(askToBuy: true),
            after: CatalogSettings()),
        Change(
            testDescription: "settings that are gone", before: CatalogSettings(askToBuy: true),
            after: nil),
        Change(
            testDescription: "a new value that the account has already", before: nil,
            after: CatalogSettings(askToBuy: false, territory: "USA")),
        Change(
            testDescription: "locale and dialogs", before: CatalogSettings(locale: "en_US"),
            after: CatalogSettings(locale: "ja_JP", disablesDialogs: true),
            account: AccountSettings(
                name: "aoi", territory: "USA", disablesDialogs: true, locale: "ja_JP")),
        Change(
            testDescription: "a locale and dialogs as before",
            before: CatalogSettings(locale: "ja_JP", disablesDialogs: true),
            after: CatalogSettings(locale: "ja_JP", disablesDialogs: true)),
        Change(
            testDescription: "a locale that is gone", before: CatalogSettings(locale: "ja_JP"),
            after: CatalogSettings()),
    ]

    private func revise(_ bench: Bench, to settings: CatalogSettings?) -> Decision? {
        var next = bench.catalog
        next.settings = settings
        return bench.decide(ReviseCatalogRequest(catalog: next, digest: "new", body: Data()))
            .decision
    }

    private func bench(_ settings: CatalogSettings?) -> Bench {
        var bench = Bench()
        bench.catalog.settings = settings
        bench.snapshot.catalog = CatalogRevision(number: 1, digest: "old", productCount: 1)
        bench.snapshot.versions[.store] = 8
        return bench
    }

    @Test(
        "a catalog's setting is applied to every account with the revision that first has it",
        arguments: changes)
    func settingsOfAccounts(change: Change) throws {
        var bench = bench(change.before)
        bench.know(Self.aoi)
        bench.snapshot.versions[.account("aoi")] = 5
        let decision = try #require(revise(bench, to: change.after))
        #expect(
            Array(decision.entries.map(\.fact).dropFirst())
                == (change.account.map { [.accountChanged($0)] } ?? []))
        #expect(
            decision.reads
                == (change.account == nil ? [.store: 8] : [.store: 8, .account("aoi"): 5]),
            "a change at the same time is a conflict")
        var next = bench.catalog
        next.settings = change.after
        var lookup = Lookup(catalog: CatalogIndex(bench.catalog))
        ReviseCatalogRequest(catalog: next, digest: "new", body: Data()).addKeys(to: &lookup)
        #expect(lookup.query.wantsAllAccounts || change.account == nil)
    }

    @Test("an account that is new gets the settings of the catalog in force")
    func newAccount() {
        var bench = Bench()
        bench.catalog.settings = CatalogSettings(askToBuy: true, territory: "USA")
        let verdict = bench.buy(.of(SampleCatalog.theme))
        let settings = AccountSettings(name: "aoi", territory: "USA", askToBuy: true)
        #expect(verdict.facts.first == .accountChanged(settings))
        #expect(verdict.facts.contains { if case .deferred = $0 { true } else { false } })
    }

    @Test(
        "a failure is set with the revision that first has it, and removed with the one that drops it"
    )
    func faults() throws {
        let failing = CatalogSettings(failures: [
            Failure(interface: .purchase, error: .networkError)
        ])
        var bench = bench(nil)
        bench.snapshot.faults = [
            Fault(id: 3, call: .purchase, error: .networkError, remaining: 2)
        ]
        let set = Fault(id: 9, call: .purchase, error: .networkError, remaining: nil)
        #expect(
            revise(bench, to: failing)?.entries.map(\.fact).dropFirst() == [.faultSet(set)])

        // The operator's failures stay; those of the file stay while their value does.
        bench = self.bench(failing)
        bench.snapshot.faults = [
            Fault(id: 3, call: .purchase, error: .networkError, remaining: 2), set,
        ]
        #expect(revise(bench, to: failing)?.entries.count == 1)
        #expect(
            revise(bench, to: CatalogSettings(failures: []))?.entries.map(\.fact).dropFirst()
                == [.faultsCleared([set])])
        let other = CatalogSettings(failures: [Failure(interface: .purchase, error: .unknown)])
        #expect(
            revise(bench, to: other)?.entries.map(\.fact).dropFirst() == [
                .faultsCleared([set]),
                .faultSet(Fault(id: 9, call: .purchase, error: .unknown, remaining: nil)),
            ])

        // A failure that the operator removed is not set again until the file's value changes.
        bench.snapshot.faults = []
        #expect(revise(bench, to: failing)?.entries.count == 1)
        #expect(revise(bench, to: CatalogSettings(failures: []))?.entries.count == 1)
    }

    @Test("the text of the file is kept under its own key")
    func source() throws {
        let bench = Bench()
        let request = ReviseCatalogRequest(
            catalog: bench.catalog, digest: "d", body: Data([1]), source: Data([2]))
        let decision = try #require(bench.decide(request).decision)
        guard case .catalogRevised(let revision) = decision.entries.first?.fact else {
            Issue.record("no revision")
            return
        }
        let key = try #require(revision.source)
        #expect(decision.attachments == ["d": Data([1]), key: Data([2])])
    }
}

@Suite struct CatalogSettingsLifeTests {
    @Test("settings reach accounts, faults and new customers, and what the operator changes stays")
    func settingsTakeEffect() async throws {
        let ledger = InMemoryLedger()
        let first = try await TestStore(ledger: ledger)
        _ = try await first.session().purchase(.of(SampleCatalog.coins))
        var catalog = SampleCatalog.catalog()
        catalog.settings = CatalogSettings(
            askToBuy: true, failures: [.init(interface: .purchase, error: .networkError)])
        let second = try await TestStore(ledger: ledger, catalog: catalog, digest: "two")
        #expect(second.engine.adoptedCatalog)
        #expect(try await second.session().settings().askToBuy)
        #expect(try await second.session(account: "kai").settings().askToBuy)
        let outcome = try await second.session().purchase(.of(SampleCatalog.coins))
        #expect(outcome.failure?.code == .networkError)
        _ = try await second.console.perform(.clearFaults)
        _ = try await second.console.perform(
            .changeAccount(AccountChange(account: "aoi", askToBuy: false)))

        // The same value in another revision changes nothing; the same catalog records nothing.
        catalog.products.removeLast()
        let third = try await TestStore(ledger: ledger, catalog: catalog, digest: "three")
        #expect(try await third.session().settings().askToBuy == false)
        #expect(try await third.session(account: "kai").settings().askToBuy)
        #expect(try await third.console.faults().isEmpty)
        let head = await ledger.head()
        let fourth = try await TestStore(ledger: ledger, catalog: catalog, digest: "three")
        #expect(!fourth.engine.adoptedCatalog)
        #expect(await ledger.head() == head)
    }

    @Test("a locale and dialogs of a file are each applied once, and told as an event")
    func localeAndDialogs() async throws {
        let ledger = InMemoryLedger()
        let first = try await TestStore(ledger: ledger)
        _ = try await first.session().purchase(.of(SampleCatalog.coins))
        func open(_ settings: CatalogSettings?, _ digest: String) async throws -> TestStore {
            var catalog = SampleCatalog.catalog()
            catalog.settings = settings
            return try await TestStore(ledger: ledger, catalog: catalog, digest: digest)
        }
        func settings(_ store: TestStore) async throws -> String {
            let settings = try await store.session().settings()
            return "\(settings.locale ?? "none") \(settings.disablesDialogs)"
        }
        let file = CatalogSettings(locale: "ja_JP", disablesDialogs: true)
        let second = try await open(file, "two")
        #expect(try await settings(second) == "ja_JP true")
        #expect(try await second.session(account: "kai").settings().locale == "ja_JP", "new")
        let told = try await ledger.allEntries().compactMap { recorded -> AccountSettings? in
            guard case .accountChanged(let settings) = recorded.entry.fact else { return nil }
            return settings
        }
        #expect(told.map(\.locale) == [nil, "ja_JP"])
        #expect(told.map(\.disablesDialogs) == [false, true])

        _ = try await second.console.perform(
            .changeAccount(AccountChange(account: "aoi", disablesDialogs: false, locale: "")))
        #expect(try await settings(second) == "none false")
        #expect(try await settings(open(nil, "three")) == "none false")
        let changed = CatalogSettings(locale: "en_GB", disablesDialogs: false)
        #expect(try await settings(open(changed, "four")) == "en_GB false")
        #expect(try await settings(open(file, "five")) == "ja_JP true")
    }

    @Test("names and prices follow the locale that was asked for, else the account's, else $LANG's")
    func localeOfProducts() async throws {
        var catalog = SampleCatalog.catalog()
        let index = try #require(catalog.products.firstIndex { $0.id == SampleCatalog.theme })
        catalog.products[index].name = ["en": "Sepia", "ja": "セピア"]
        let store = try await TestStore(catalog: catalog)
        func names(isAsked: Bool = false) async throws -> [String] {
            let session = store.engine.session(
                account: "aoi", device: "phone", locale: "en_US", isLocaleAsked: isAsked)
            let product = try #require(
                try await session.products([SampleCatalog.theme]).products.first)
            return [product.displayName, product.priceLocale]
        }
        #expect(try await names() == ["Sepia", "en_US"])
        _ = try await store.console.perform(
            .changeAccount(AccountChange(account: "aoi", locale: "ja-jp")))
        #expect(try await names() == ["セピア", "ja_US"], "in the account's territory")
        #expect(try await names(isAsked: true) == ["Sepia", "en_US"])
        _ = try await store.console.perform(
            .changeAccount(AccountChange(account: "aoi", locale: "")))
        #expect(try await names() == ["Sepia", "en_US"])
    }
}
