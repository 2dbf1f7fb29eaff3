import Foundation
@testable import StoreCatalog
@testable import StoreEngine
@testable import StoreModel
import StoreTestSupport
import Testing

@Suite struct AccountRulesTests {
    private func change(
        _ bench: Bench = Bench(), askToBuy: Bool? = nil, canMakePayments: Bool? = nil,
        disablesDialogs: Bool? = nil, territory: String? = nil, locale: String? = nil
    ) -> Decided<[RecordedEntry]> {
        bench.perform(
            .changeAccount(
                AccountChange(
                    account: "aoi", askToBuy: askToBuy, canMakePayments: canMakePayments,
                    disablesDialogs: disablesDialogs, territory: territory, locale: locale)))
    }

    @Test("only the given account settings change")
    func whatIsGivenChangesAndTheRestStays() {
        var bench = Bench()
        bench.know(AccountSettings(name: "aoi", territory: "JPN", askToBuy: true))
        let after = AccountSettings(
            name: "aoi", territory: "JPN", askToBuy: true, canMakePayments: false)
        #expect(change(bench, canMakePayments: false).facts == [.accountChanged(after)])
    }

    @Test("account settings that are already in force record nothing")
    func nothingNewChangesNothing() {
        var bench = Bench()
        let settings = AccountSettings(name: "aoi", territory: "USA", askToBuy: true)
        bench.know(settings)
        #expect(change(bench, askToBuy: true, territory: "us").answer == [])
    }

    @Test("changing an unknown account records it")
    func anAccountNobodyMetIsMadeKnown() {
        #expect(
            change().facts == [.accountChanged(AccountSettings(name: "aoi", territory: "USA"))])
    }

    @Test("a territory is found by its two- or three-letter code", arguments: ["JP", "JPN", "jpn"])
    func aTerritoryIsFoundByItsCodes(_ code: String) {
        #expect(
            change(territory: code).facts
                == [.accountChanged(AccountSettings(name: "aoi", territory: "JPN"))])
    }

    @Test(
        "a locale is kept as catalogs write it, and an empty one is none",
        arguments: [("ja-jp", "ja_JP"), ("zh_hans", "zh_Hans"), ("", nil)] as [(String, String?)])
    func locale(code: String, kept: String?) {
        var bench = Bench()
        bench.know(AccountSettings(name: "aoi", territory: "USA", locale: "fr_FR"))
        let after = AccountSettings(name: "aoi", territory: "USA", locale: kept)
        #expect(change(bench, locale: code).facts == [.accountChanged(after)])
    }

    @Test("an unknown locale is refused", arguments: ["qq_XX", "../ja", " ", "ja_JP.UTF-8"])
    func unknownLocale(code: String) {
        let refusal = change(locale: code).refusal
        #expect(refusal?.code == .invalidName)
        #expect(refusal?.subject == "locale")
        #expect(refusal?.found?.text == code)
    }

    @Test("payment sheets are turned off and on again")
    func dialogs() {
        var bench = Bench()
        let off = AccountSettings(name: "aoi", territory: "USA", disablesDialogs: true)
        #expect(change(bench, disablesDialogs: true).facts == [.accountChanged(off)])
        bench.know(off)
        #expect(change(bench, disablesDialogs: true).answer == [])
        let on = AccountSettings(name: "aoi", territory: "USA")
        #expect(change(bench, disablesDialogs: false).facts == [.accountChanged(on)])
    }

    @Test("an unknown territory is refused")
    func aTerritoryNobodyKnowsIsRefused() {
        let refusal = change(territory: "XQZ").refusal
        #expect(refusal?.code == .invalidName)
        #expect(refusal?.subject == "territory")
        #expect(refusal?.found == "XQZ")
    }
}

@Suite struct FaultRulesTests {
    private func set(_ bench: Bench = Bench(), count: Int = 1) -> Decided<[RecordedEntry]> {
        bench.perform(.failNext(.purchase, error: .networkError, count: count))
    }

    @Test("every fault has a number of its own")
    func everyFaultHasANumberOfItsOwn() {
        var bench = Bench()
        bench.snapshot.versions[.store] = 8
        let fault = Fault(id: 9, call: .purchase, error: .networkError, remaining: 3)
        #expect(set(bench, count: 3).facts == [.faultSet(fault)])
        #expect(set(bench).decision?.reads == [.store: 8])
    }

    @Test("a fault count below one is refused", arguments: [0, -1]) func aFaultFailsAtLeastOnce(
        _ count: Int
    ) {
        #expect(set(count: count).refusal?.found?.text == String(count))
    }

    @Test("all faults are cleared at once")
    func allFaultsAreClearedAtOnce() {
        var bench = Bench()
        #expect(bench.perform(.clearFaults).facts == [])
        bench.snapshot.faults = (1...2).map {
            Fault(id: $0, call: .purchase, error: .unknown, remaining: 1)
        }
        #expect(bench.perform(.clearFaults).facts == [.faultsCleared(bench.snapshot.faults)])
    }

    @Test("one fault is cleared by its number, and one that is gone is refused")
    func oneFaultIsCleared() {
        var bench = Bench()
        bench.snapshot.versions[.store] = 8
        bench.snapshot.faults = (1...3).map {
            Fault(id: $0, call: .purchase, error: .unknown, remaining: 1)
        }
        let verdict = bench.perform(.clearFault(2))
        #expect(verdict.facts == [.faultsCleared([bench.snapshot.faults[1]])])
        #expect(verdict.decision?.reads == [.store: 8])
        #expect(bench.perform(.clearFault(4)).refusal == StoreError(.faultNotSet, found: "4"))
    }
}

@Suite struct CatalogRulesTests {
    private static let owner = AppIdentity(bundleID: "com.example.test", appAppleID: 5)

    @Test("a new store belongs to the app that opens it first")
    func aNewStoreBelongsToTheFirstApp() {
        let verdict = Bench().decide(OpenRequest(identity: Self.owner))
        #expect(verdict.facts == [.storeOpened(identity: Self.owner)])
        #expect(verdict.decision?.reads == [.store: 0])
    }

    @Test("a store can be opened again by its own app")
    func theOwnerMayOpenItAgain() {
        var bench = Bench()
        bench.snapshot.identity = Self.owner
        guard case .answer = bench.decide(OpenRequest(identity: Self.owner)).verdict else {
            Issue.record("not opened")
            return
        }
    }

    @Test(
        "another app is refused, naming the field that differs",
        arguments: [
            (AppIdentity(bundleID: "com.example.other", appAppleID: 5), "bundle id"),
            (AppIdentity(bundleID: "com.example.test"), "App Apple ID"),
            (
                AppIdentity(bundleID: "com.example.test", appAppleID: 5, environment: .production),
                "environment"
            ),
        ])
    func anotherAppIsRefusedNamingTheDifference(_ asked: AppIdentity, _ field: String) {
        var bench = Bench()
        bench.snapshot.identity = Self.owner
        let refusal = bench.decide(OpenRequest(identity: asked)).refusal
        #expect(refusal?.code == .storeOfAnotherApp)
        #expect(refusal?.subject == field)
    }

    @Test("a changed catalog is recorded as the next revision")
    func anotherCatalogIsTheNextRevision() {
        var bench = Bench()
        bench.snapshot.catalog = CatalogRevision(number: 4, digest: "old", productCount: 1)
        let decision = bench.decide(
            ReviseCatalogRequest(catalog: bench.catalog, digest: "new", body: Data([7]))
        ).decision
        let revision = CatalogRevision(
            number: 5, digest: "new", productCount: bench.catalog.products.count)
        #expect(decision?.entries.map(\.fact) == [.catalogRevised(revision)])
        #expect(decision?.attachments == ["new": Data([7])])
    }

    /// A change of a product, and the field that must not change once the product was sold.
    struct Change: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var field: String?
        var make: @Sendable (inout CatalogProduct) -> Void
    }

    static let changes = [
        Change(testDescription: "its price and name") {
            $0.prices = .byTerritory(["USA": 1])
            $0.name = ["en": "Other"]
        },
        Change(testDescription: "its type", field: "type") { $0.type = .consumable },
        Change(testDescription: "its group", field: "subscription group") {
            $0.subscription = .init(groupID: "other", level: 1, period: nil)
        },
        Change(testDescription: "its hosting", field: "hosting") {
            $0.delivery = .hosted([.init(id: "text", version: "1", path: "text")])
        },
    ]

    @Test(
        "a sold product may change, but not its type, subscription group or hosting [B8]",
        arguments: changes)
    func changeOfASoldProduct(_ change: Change) throws {
        var bench = Bench()
        let catalog = bench.catalog
        let at = try #require(catalog.products.firstIndex { $0.id == SampleCatalog.theme })
        var changed = catalog
        change.make(&changed.products[at])
        let request = ReviseCatalogRequest(catalog: changed, digest: "new", body: Data())

        // Every change is allowed if the product is still unsold when it is recorded.
        let decision = try #require(bench.decide(request).decision)
        #expect(decision.unsoldProducts == (change.field == nil ? [] : [SampleCatalog.theme]))

        bench.snapshot.soldProducts = [SampleCatalog.theme: catalog.products[at].asSold]
        let verdict = bench.decide(request)
        guard let field = change.field else {
            #expect(verdict.decision?.unsoldProducts == [])
            return
        }
        #expect(verdict.refusal?.code == .soldProductChanged)
        #expect(verdict.refusal?.productID == SampleCatalog.theme)
        #expect(verdict.refusal?.subject == field)
    }

    @Test("an unchanged catalog records nothing")
    func theSameCatalogChangesNothing() {
        var bench = Bench()
        let current = CatalogRevision(number: 4, digest: "same", productCount: 1)
        bench.snapshot.catalog = current
        let verdict = bench.decide(
            ReviseCatalogRequest(catalog: bench.catalog, digest: "same", body: Data()))
        #expect(verdict.answer == current, "a new revision")
    }
}
