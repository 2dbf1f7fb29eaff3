import SQLiteLedger
import StoreCatalog
import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct StoreLifeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var dearer: Catalog {
        var catalog = SampleCatalog.catalog()
        catalog.products = catalog.products.filter { $0.id != SampleCatalog.theme }
        for index in catalog.products.indices
        where catalog.products[index].id == SampleCatalog.coins {
            catalog.products[index].prices = .byTerritory(["USA": 1_990])
        }
        return catalog
    }

    // MARK: - Catalogs

    @Test(
        "a catalog revision by another process applies at once [B1, F1]",
        arguments: LedgerKind.allCases)
    func aCatalogRevisedByAnotherProcessHoldsAtOnce(_ kind: LedgerKind) async throws {
        let handles = try kind.handles(in: folder)
        let first = try await TestStore(ledger: handles.ledger)
        let session = first.session()
        var feed = session.updates(after: try await session.head()).makeAsyncIterator()
        _ = try await TestStore(ledger: handles.other, catalog: dearer, digest: "two")

        let change = try await feed.next()?.events.first?.change
        guard case .catalogRevised(revision: 2, _, let takesOffSale) = change else {
            Issue.record("no catalogRevised event: \(String(describing: change))")
            return
        }
        #expect(takesOffSale == true)
        let answer = try await session.products([SampleCatalog.coins, SampleCatalog.theme])
        #expect(answer.catalogRevision == 2)
        #expect(answer.products.map(\.price.milliunits) == [1_990])
        #expect(answer.invalidProductIDs == [SampleCatalog.theme])
        let error = await #expect(throws: StoreError.self) {
            try await session.purchase(.of(SampleCatalog.coins))
        }
        #expect(error?.code == .priceChanged)
    }

    @Test(
        "a product dropped from the catalog keeps the name under which it was sold",
        arguments: LedgerKind.allCases)
    func aDroppedProductKeepsItsName(_ kind: LedgerKind) async throws {
        let handles = try kind.handles(in: folder)
        let first = try await TestStore(ledger: handles.ledger)
        let name = try #require(
            try await first.session().products([SampleCatalog.theme]).products.first?.displayName)
        #expect(try await first.session().products(nil).pastNames == nil)
        _ = try await first.session().purchase(.of(SampleCatalog.theme))
        let second = try await TestStore(ledger: handles.other, catalog: dearer, digest: "two")
        for store in [first, second] {
            let session = store.session()
            #expect(try await session.products(nil).pastNames == [SampleCatalog.theme: name])
            let asked = try await session.products([SampleCatalog.theme, "never.sold"])
            #expect(asked.pastNames == [SampleCatalog.theme: name])
            #expect(try await session.products([SampleCatalog.coins]).pastNames == nil)
        }
    }

    /// A catalog that turns the sold theme into a consumable.
    private var spoiled: Catalog {
        var catalog = SampleCatalog.catalog()
        for index in catalog.products.indices
        where catalog.products[index].id == SampleCatalog.theme {
            catalog.products[index].type = .consumable
        }
        return catalog
    }

    @Test(
        "a catalog that changes a sold product's type is refused, and the last one stays",
        arguments: LedgerKind.allCases)
    func aSoldProductStaysWhatItIs(_ kind: LedgerKind) async throws {
        let handles = try kind.handles(in: folder)
        let first = try await TestStore(ledger: handles.ledger)
        _ = try await first.session().purchase(.of(SampleCatalog.theme))

        let second = try await TestStore(ledger: handles.other, catalog: spoiled, digest: "two")
        #expect(second.engine.catalogRefusal?.code == .soldProductChanged)
        #expect(second.engine.catalogRefusal?.productID == SampleCatalog.theme)
        let again = try await second.session().purchase(.of(SampleCatalog.theme))
        guard case .purchased(_, _, alreadyOwned: true) = again else {
            Issue.record("sold a second time: \(again)")
            return
        }
        #expect(try await second.session().products(nil).catalogRevision == 1)
        let refusal = await #expect(throws: StoreError.self) {
            try await first.engine.sell(spoiled, digest: "two")
        }
        #expect(refusal?.code == .soldProductChanged)

        try await second.engine.sell(dearer, digest: "three")
        #expect(try await first.session().products(nil).catalogRevision == 2)
    }

    @Test("a sale stays as it was when the catalog changes")
    func whatWasSoldStaysAsItWasSold() async throws {
        let ledger = InMemoryLedger()
        let store = try await TestStore(ledger: ledger)
        _ = try await store.session().purchase(.of(SampleCatalog.theme))
        let later = try await TestStore(ledger: ledger, catalog: dearer, digest: "two")
        let entitled = try await later.session().entitlements()
        #expect(entitled.map(\.productID) == [SampleCatalog.theme])
        let verified = try await TestStore.verifier().verify(
            try #require(entitled.first).transaction)
        guard case .verified(let transaction) = verified else {
            Issue.record("not verified")
            return
        }
        #expect(transaction.payload.price == 1_990)
    }

    // MARK: - The clock

    @Test(
        "no entry is dated before an earlier one when the clock goes back",
        arguments: LedgerKind.allCases)
    func aClockGoingBackNeverDatesAnythingEarlier(_ kind: LedgerKind) async throws {
        let store = try await TestStore(ledger: kind.make(in: folder))
        for step: Int64 in [0, -60_000, 1, -86_400_000, 120_000] {
            store.clock.advance(byMilliseconds: step)
            _ = try await store.session().purchase(.of(SampleCatalog.coins))
        }
        let entries = try await store.entries()
        for (earlier, later) in zip(entries, entries.dropFirst()) {
            #expect(earlier.recordedAt <= later.recordedAt)
            #expect(earlier.entry.effectiveAt <= later.entry.effectiveAt)
        }
    }

    @Test(
        "a clock outside the certificates' validity is refused",
        arguments: [
            Timestamp.earliest.advanced(byMilliseconds: -1),
            Timestamp.latest.advanced(byMilliseconds: 1),
            Timestamp(milliseconds: 0), Timestamp(milliseconds: .min),
            Timestamp(milliseconds: .max),
        ])
    func aClockOutsideTheCertificatesYearsIsRefused(_ time: Timestamp) async throws {
        let store = try await TestStore()
        let before = try await store.ledger.head()
        store.clock.set(time)
        let error = await #expect(throws: StoreError.self) {
            try await store.session().purchase(.of(SampleCatalog.coins))
        }
        #expect(error?.code == .clockOutOfRange)
        #expect(try await store.ledger.head() == before)
        let opening = await #expect(throws: StoreError.self) {
            try await TestStore(clock: ManualClock(time))
        }
        #expect(opening?.code == .clockOutOfRange)
    }

    @Test("reading goes on after the certificates' validity, and buying is refused")
    func readingGoesOn() async throws {
        let store = try await TestStore()
        let session = store.session()
        _ = try await session.purchase(.of(SampleCatalog.monthly))
        store.clock.set(.latest.advanced(byMilliseconds: 86_400_000))
        #expect(try await session.products(nil).products.isEmpty == false)
        _ = try await session.history(before: nil, limit: 10)
        _ = try await session.entitlements()
        _ = try await session.subscriptionStatuses()
        _ = try await store.console.takings()
        let history = try await store.console.history(before: nil, filter: .init(), limit: 10)
        #expect(!history.events.isEmpty)
        let error = await #expect(throws: StoreError.self) {
            try await session.purchase(.of(SampleCatalog.coins))
        }
        #expect(error?.code == .clockOutOfRange)
    }

    @Test("moving the clock says that it moved where what is due cannot be recorded")
    func movedButNotRecorded() async throws {
        let month = ClockAction.advance(.calendar(SubscriptionPeriod(unit: .month, value: 2)))
        var movedUnrecorded = 0
        var counts: Set<Int> = []
        for call in 1... {
            let ledger = InMemoryLedger()
            do {
                let store = try await TestStore(ledger: ledger)
                _ = try await store.session().purchase(.of(SampleCatalog.monthly))
            }
            let faulty = FaultyLedger(
                ledger, failAt: call, moment: .before, error: StoreError(.storeFull))
            guard let store = try? await TestStore(ledger: faulty) else { continue }
            do throws(StoreError) {
                _ = try await store.console.perform(.clock(month))
                if faulty.calls < call { break }
            } catch {
                let hasMoved = await ledger.snapshot(LedgerQuery()).clock != nil
                #expect((error.code == .dueNotRecorded) == hasMoved, "call \(call): \(error)")
                movedUnrecorded += hasMoved ? 1 : 0
                guard hasMoved else { continue }
                // Says how far it came, and the next command goes on from there.
                let entries = try await ledger.allEntries()
                let recorded = entries.reversed().prefix { entry in
                    if case .clockSet = entry.entry.fact { false } else { true }
                }.count
                #expect(error.expected?.number == Int64(recorded), "call \(call)")
                counts.insert(recorded)
                let again = try await TestStore(ledger: ledger).console
                _ = try await again.takings()
                let reading = try await again.clock()
                #expect(try #require(reading.next).at > reading.now)
            }
        }
        #expect(movedUnrecorded > 0)
        #expect(counts.isSuperset(of: [0, 1]))
    }

    @Test(
        "the first and last valid instants are accepted",
        arguments: [Timestamp.earliest, Timestamp.latest])
    func theFirstAndLastInstantAreGood(_ time: Timestamp) async throws {
        let store = try await TestStore(clock: ManualClock(time))
        #expect(try await store.session().purchase(.of(SampleCatalog.coins)).isPurchased)
    }

    @Test("an expired subscription stays expired when the clock goes back [A7]")
    func whatHasExpiredStaysExpiredWhereverTheClockGoes() async throws {
        let store = try await TestStore()
        let session = store.session()
        let sold = try #require(try await session.purchase(.of(SampleCatalog.monthly)).number)
        _ = try await store.console.perform(.setAutoRenew(sold, false))
        #expect(try await session.entitlements().count == 1)
        let year: Int64 = 365 * 86_400_000
        store.clock.advance(byMilliseconds: year)
        _ = try await session.purchase(.of(SampleCatalog.coins))
        store.clock.advance(byMilliseconds: -year)
        #expect(try await session.entitlements().isEmpty)
        #expect(try await session.purchase(.of(SampleCatalog.yearly)).isPurchased)
    }

    // MARK: - Subscriptions and approvals together

    @Test("a subscription approved later is the active one [F2]", arguments: LedgerKind.allCases)
    func aSubscriptionApprovedLateIsTheOneInForce(_ kind: LedgerKind) async throws {
        let store = try await TestStore(ledger: kind.make(in: folder))
        let (session, console) = (store.session(), store.console)
        func askToBuy(_ isOn: Bool) async throws {
            _ = try await console.changeAccount(
                "aoi", askToBuy: isOn, canMakePayments: nil, territory: nil)
        }
        try await askToBuy(true)
        let request = try #require(try await session.purchase(.of(SampleCatalog.yearly)).number)
        try await askToBuy(false)
        let sold = try #require(try await session.purchase(.of(SampleCatalog.monthly)).number)
        _ = try await console.perform(.setAutoRenew(sold, false))
        store.clock.advance(byMilliseconds: 40 * 86_400_000)
        _ = try await console.approve(request)
        #expect(try await session.entitlements().map(\.transactionID) == [request])
        // A lower plan waits for the renewal: the store answers with the present transaction.
        let lower = try await session.purchase(.of(SampleCatalog.monthly))
        #expect(lower.number == request)
        #expect(try await session.entitlements().map(\.transactionID) == [request])
    }
}
