@testable import StoreCatalog
import StoreEngine
import StoreModel
import StoreSigning
import TestBasics

/// Random actions of several accounts and devices on two engines with one ledger, determined by one
/// seed. Each answer is compared with the auditor's, and after every 20 actions the whole store is.
package struct StoreSimulation {
    /// A difference between store and auditor, with the seed and step that reproduce it.
    struct Failure: Error, CustomStringConvertible {
        var seed: UInt64
        var step: Int
        var what: String

        var description: String { "seed \(seed), step \(step): \(what)" }
    }

    private static let accounts: [AccountName] = ["aoi", "kai", "noor"]
    private static let devices: [DeviceName] = ["phone", "tablet"]
    private static let products: [ProductID] = [
        SampleCatalog.coins, SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.otherTheme,
        SampleCatalog.monthly, SampleCatalog.yearly, SampleCatalog.pass, SampleCatalog.free,
        "test.unheard",
    ]
    private static let day: Int64 = 86_400_000

    private let seed: UInt64
    private let handles: LedgerConformance.Handles
    private let clock = ManualClock()
    private var random: SplitMix64
    private var stores: [TestStore] = []
    private var auditor: SimulationAuditor
    private var hasHigherPrices = false
    private var payments: [(payment: Payment, account: AccountName)] = []
    private var step = 0
    /// A reader of the whole feed that stops and resumes at random.
    private var readerCursor = FeedCursor(epoch: 1, position: 0)
    private var readerSaw: [Int64] = []

    /// Prepares a run. `handles` must be those of a new, empty ledger.
    package init(seed: UInt64, handles: LedgerConformance.Handles) {
        self.seed = seed
        self.handles = handles
        random = SplitMix64(seed: seed)
        auditor = SimulationAuditor(catalog: Self.catalog(hasHigherPrices: false), now: clock.now())
    }

    /// Runs `steps` random actions. Throws `Failure` at the first difference.
    package mutating func run(steps: Int) async throws {
        stores = [try await open(handles.ledger), try await open(handles.other)]
        for _ in 0..<steps {
            step += 1
            try await act()
            if step.isMultiple(of: 20) { try await audit() }
        }
        try await audit()
        try await auditFeeds()
        for error in Fault.Call.updates.errors { try await auditFeeds(disturbedBy: error) }
    }

    private func open(_ ledger: any Ledger) async throws -> TestStore {
        // Without an elapsed clock the engine records nothing between actions.
        try await TestStore(
            ledger: ledger, clock: clock, elapsed: nil,
            catalog: Self.catalog(hasHigherPrices: hasHigherPrices),
            digest: hasHigherPrices ? "dearer" : "plain")
    }

    /// The one with higher prices lacks the second theme; `monthly` begins with a free week.
    private static func catalog(hasHigherPrices: Bool) -> Catalog {
        var catalog = SampleCatalog.catalog()
        for index in catalog.products.indices
        where catalog.products[index].id == SampleCatalog.monthly {
            catalog.products[index].subscription?.offers = [
                .init(
                    kind: .introductory, mode: .freeTrial,
                    period: SubscriptionPeriod(unit: .week, value: 1))
            ]
        }
        guard hasHigherPrices else { return catalog }
        catalog.products.removeAll { $0.id == SampleCatalog.otherTheme }
        for index in catalog.products.indices
        where catalog.products[index].id == SampleCatalog.coins {
            catalog.products[index].prices = .byTerritory(["USA": 1_490, "JPN": 240_000])
        }
        return catalog
    }

    // MARK: - Actions

    private mutating func act() async throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45: try await buy()
        case 45..<52: try await buyAgain()
        case 52..<62: try await answerRequest()
        case 62..<76: try await finish()
        case 76..<82: try await claim()
        case 82..<88: try await changeAccount()
        case 88..<91: try await setFault()
        case 91..<92: try await clearFaults()
        case 92..<94: try await reviseCatalog()
        case 94..<96: try await reopen()
        case 96..<98: try await readOn()
        default: moveClock()
        }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<8: try await takeBack()
        case 8..<11: try await setAutoRenew()
        case 11..<14: try await setClock()
        case 14..<26: try await changeFamily()
        case 26..<32: try await askForRefund()
        case 32..<34: try await declineRefund()
        case 34..<39: try await buyOutside()
        case 39..<44: try await setRenewals()
        default: break
        }
    }

    // MARK: - Refunds, and the clock

    private func refusal(of action: OperatorAction, by store: TestStore) async -> StoreError.Code? {
        do throws(StoreError) {
            _ = try await store.console.perform(action)
            return nil
        } catch { return error.code }
    }

    private mutating func takeBack() async throws {
        guard let id = someSale() else { return }
        let store = anyStore()
        let action: OperatorAction
        let expected: StoreError.Code?
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
            let amount = random.pick([
                RefundAmount.rest, .percent(Int.random(in: 1...100, using: &random)), .prorated,
            ])
            action = .refund(id, amount, reason: .other)
            expected = auditor.refund(id, amount, at: clock.now())
        case 4..<6:
            action = .revoke(id)
            expected = auditor.revoke(id, at: clock.now())
        case 6..<9:
            action = .reverseRefund(id)
            expected = auditor.reverse(id, at: clock.now())
        default:
            let wholeChain = random.chance(30)
            action = .delete(id, wholeChain: wholeChain)
            expected = auditor.delete(id, wholeChain: wholeChain, at: clock.now())
        }
        let found = await refusal(of: action, by: store)
        try expect(found == expected, "\(action): \(found as Any), not \(expected as Any)")
    }

    /// A random sale; revoked ones are more likely.
    private mutating func someSale() -> TransactionID? {
        let revoked = auditor.sales.filter { $0.isRevoked && !$0.isDeleted }.map(\.id)
        let all = auditor.sales.map(\.id)
        guard !all.isEmpty else { return nil }
        return revoked.isEmpty || random.chance(60) ? random.pick(all) : random.pick(revoked)
    }

    private mutating func setAutoRenew() async throws {
        let subscriptions = auditor.sales.filter { $0.type == .autoRenewable }.map(\.id)
        guard !subscriptions.isEmpty else { return }
        let id = random.pick(subscriptions)
        let isOn = random.chance(60)
        let store = anyStore()
        let expected = auditor.setAutoRenew(id, isOn, at: clock.now())
        let found = await refusal(of: .setAutoRenew(id, isOn), by: store)
        try expect(
            found == expected, "auto-renew \(id) \(isOn): \(found as Any), not \(expected as Any)")
    }

    private mutating func setRenewals() async throws {
        let failsBilling = random.chance(60)
        let hasGracePeriod = random.chance(50)
        let store = anyStore()
        auditor.setRenewals(
            failsBilling: failsBilling, hasGracePeriod: hasGracePeriod, at: clock.now())
        let found = await refusal(
            of: .setRenewals(
                RenewalsChange(failsBilling: failsBilling, hasGracePeriod: hasGracePeriod)),
            by: store)
        try expect(found == nil, "billing fails: \(found as Any)")
    }

    private mutating func setClock() async throws {
        let store = anyStore()
        let now = auditor.now(clock.now())
        let action = random.pick([
            ClockAction.stop, .stop, .resume, .resume, .next,
            .advance(.seconds(90)),
            .advance(.calendar(SubscriptionPeriod(unit: .day, value: 20))),
            .to(now.advanced(byMilliseconds: Self.day)), .to(now.advanced(byMilliseconds: -1)),
        ])
        let expected = auditor.setClock(action, at: clock.now())
        let found = await refusal(of: .clock(action), by: store)
        try expect(found == expected, "\(action): \(found as Any), not \(expected as Any)")
        auditor.ask(stores[0].engine, at: clock.now())
        let time = try await stores[0].console.clock().now
        try expect(
            time == auditor.now(clock.now()),
            "after \(action) it is \(time), not \(auditor.now(clock.now()))")
    }

    // MARK: - Requests for refunds, and purchases outside the app

    private mutating func askForRefund() async throws {
        guard let id = someSale() else { return }
        let (account, device, store) = customer(of: id)
        let expected = auditor.askForRefund(of: id, by: account, at: clock.now())
        var found: StoreError.Code?
        do throws(StoreError) {
            let session = store.session(account: account, device: device)
            _ = try await session.requestRefund(of: id, reason: .other)
        } catch { found = error.code }
        try expect(
            found == expected, "ask for \(id): \(found as Any), not \(expected as Any)")
    }

    private mutating func declineRefund() async throws {
        let waiting = auditor.refundRequests.sorted()
        let others = auditor.sales.map(\.id)
        guard !others.isEmpty else { return }
        let id = random.pick(waiting.isEmpty || random.chance(10) ? others : waiting)
        let store = anyStore()
        let expected = auditor.declineRefund(of: id, at: clock.now())
        let found = await refusal(of: .declineRefund(id), by: store)
        try expect(
            found == expected, "decline refund \(id): \(found as Any), not \(expected as Any)")
    }

    private mutating func buyOutside() async throws {
        let product = random.pick(Self.products)
        let account = random.pick(Self.accounts)
        let quantity = random.chance(20) ? Int.random(in: 0...11, using: &random) : 1
        let store = anyStore()
        let action: OperatorAction
        let expected: StoreError.Code?
        if random.chance(25) {
            action = .promote(product, account: account)
            expected = auditor.promote(product, to: account, at: clock.now())
        } else {
            action = .buyOutside(product, account: account, quantity: quantity)
            expected = auditor.buyOutside(
                product, by: account, quantity: quantity, at: clock.now())
        }
        let found = await refusal(of: action, by: store)
        try expect(found == expected, "\(action): \(found as Any), not \(expected as Any)")
    }

    private mutating func anyCustomer() -> (
        account: AccountName, device: DeviceName, store: TestStore
    ) {
        (random.pick(Self.accounts), random.pick(Self.devices), anyStore())
    }

    /// One of the two engines, at random; from now on the auditor computes this engine's time.
    private mutating func anyStore() -> TestStore {
        let store = random.pick(stores)
        auditor.ask(store.engine, at: clock.now())
        return store
    }

    private mutating func buy() async throws {
        let product = random.pick(Self.products)
        let (account, device, store) = anyCustomer()
        let territory = auditor.settings(of: account).territory
        let price =
            Storefront.find(territory).flatMap { storefront in
                auditor.catalog.product(product)?.price(in: storefront)
            } ?? Money(milliunits: 990, currency: "USD")
        var payment = Payment(
            id: PaymentID(random.uuid()), productID: product,
            quantity: random.chance(20) ? Int.random(in: 0...11, using: &random) : 1,
            shownPrice: price)
        if random.chance(4) {
            payment.shownPrice = Money(milliunits: 1, currency: price.currency)
        }
        payments.append((payment, account))
        try await send(payment, account, device, store)
    }

    private mutating func buyAgain() async throws {
        guard !payments.isEmpty else { return }
        var (payment, account) = random.pick(payments)
        if random.chance(20) { payment.quantity += 1 }
        if random.chance(20) { account = random.pick(Self.accounts) }
        let (_, device, store) = anyCustomer()
        try await send(payment, account, device, store)
    }

    private mutating func send(
        _ payment: Payment, _ account: AccountName, _ device: DeviceName, _ store: TestStore
    ) async throws {
        let expected = auditor.buy(payment, by: account, on: device, at: clock.now())
        let session = store.session(account: account, device: device)
        var signed: SignedTransaction?
        let found = await fate { () async throws(StoreError) in
            let outcome = try await session.purchase(payment)
            if case .purchased(let text, _, false) = outcome { signed = text }
            return outcome
        }
        if case .sold(let id, false) = found, let signed {
            try await verify(signed, of: id, from: session)
        }
        // `alreadyOwned` is compared only where the auditor expects it.
        if case .sold(let id, false) = expected, case .sold(id, _) = found { return }
        try expect(found == expected, "\(payment): \(found), not \(expected)")
    }

    /// The text is verified, unless the sale has consumed a fault of verification: then it is
    /// broken for the session that bought it, until a newer revision is signed.
    private func verify(
        _ signed: SignedTransaction, of id: TransactionID, from session: some Store
    ) async throws {
        guard let sale = auditor.sales.first(where: { $0.id == id }) else { return }
        let verifier = try TestStore.verifier(
            for: DeviceVerification(
                bundleID: session.identity.bundleID, account: session.account,
                device: session.device))
        _ = try await verifier.use(session.revokedCertificates())
        let isGood =
            switch await verifier.verify(signed) {
            case .verified: true
            case .unverified: false
            }
        let isBroken = sale.isBroken && !sale.isRevised
        try expect(isGood != isBroken, "\(id) is \(isGood ? "" : "not ")verified")
    }

    private func fate(
        _ body: () async throws(StoreError) -> PurchaseOutcome
    ) async -> SimulationAuditor.Fate {
        do throws(StoreError) {
            switch try await body() {
            case .purchased(_, let id, let alreadyOwned):
                return .sold(id, alreadyOwned: alreadyOwned)
            case .pending(let request, _): return .pending(request)
            case .failed(let error): return .failed(error.code)
            }
        } catch { return .refused(error.code) }
    }

    private mutating func answerRequest() async throws {
        let waiting = auditor.asked.keys.sorted()
        let sold = auditor.sales.map(\.id)
        let isOld = waiting.isEmpty || random.chance(10)
        guard !(isOld ? sold : waiting).isEmpty else { return }
        let number = random.pick(isOld ? sold : waiting)
        let store = anyStore()
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3:
            let expected = auditor.decline(number, at: clock.now())
            let found = await answer(.decline(number), by: store)
            try expect(found == expected, "decline \(number): \(found), not \(expected)")
        case 3..<5: try await withdraw(number, store)
        default:
            let isResolved = random.chance(40)
            let expected = auditor.approve(number, isResolved: isResolved, at: clock.now())
            let found = await answer(
                isResolved ? .resolve(number) : .approve(number), by: store)
            try expect(
                found == expected,
                "\(isResolved ? "resolve" : "approve") \(number): \(found), not \(expected)")
        }
    }

    private func answer(
        _ action: OperatorAction, by store: TestStore
    ) async -> SimulationAuditor.Fate {
        await fate { () async throws(StoreError) in
            let events = try await store.console.perform(action)
            for event in events {
                if case .failed(_, let error, _) = event.change { return .failed(error) }
                if case .subscriptionChanged(let change) = event.change,
                    let answered = change.answers
                {
                    return .purchased("", id: answered.transaction, alreadyOwned: true)
                }
            }
            switch action {
            case .approve(let number), .resolve(let number):
                return .purchased("", id: number, alreadyOwned: false)
            default: throw StoreError(.unknown)
            }
        }
    }

    private mutating func withdraw(_ number: TransactionID, _ store: TestStore) async throws {
        let owner = auditor.asked[number]?.account ?? random.pick(Self.accounts)
        let account = random.chance(85) ? owner : random.pick(Self.accounts)
        let expected = auditor.withdraw(number, by: account, at: clock.now())
        let found = await fate { () async throws(StoreError) in
            try await store.session(account: account).withdraw(number)
            return .failed(StoreError(.requestWithdrawn))
        }
        try expect(found == expected, "withdraw \(number): \(found), not \(expected)")
    }

    /// A random transaction, mostly an unfinished one.
    private mutating func someTransaction() -> TransactionID? {
        let waiting = auditor.sales.filter { !$0.isFinished }.map(\.id)
        let all = auditor.sales.map(\.id)
        guard !all.isEmpty else { return nil }
        return waiting.isEmpty || random.chance(20) ? random.pick(all) : random.pick(waiting)
    }

    private mutating func customer(of id: TransactionID) -> (AccountName, DeviceName, TestStore) {
        let (stranger, device, store) = anyCustomer()
        let owner = auditor.sales.first { $0.id == id }?.account ?? stranger
        return (random.chance(90) ? owner : stranger, device, store)
    }

    private mutating func finish() async throws {
        guard let id = someTransaction() else { return }
        let (account, device, store) = customer(of: id)
        let expected = auditor.finish(id, by: account, on: device, at: clock.now())
        var found: FinishOutcome?
        do throws(StoreError) {
            found = try await store.session(account: account, device: device).finish(id)
        } catch { try expect(error.code == .transactionNotFound, "finish \(id): \(error)") }
        try expect(found == expected, "finish \(id): \(found as Any), not \(expected as Any)")
    }

    private mutating func claim() async throws {
        guard let id = someTransaction() else { return }
        let (account, device, store) = customer(of: id)
        let expected = auditor.claim(id, by: account, on: device, at: clock.now())
        var found = false
        do throws(StoreError) {
            _ = try await store.session(account: account, device: device).claim(id)
            found = true
        } catch { try expect(error.code == .transactionNotFound, "claim \(id): \(error)") }
        try expect(found == expected, "claim \(id): \(found), not \(expected)")
    }

    /// A text that is no locale, which the store must refuse.
    static let noLocale = "qq_XX"

    private mutating func changeAccount() async throws {
        let (account, _, store) = anyCustomer()
        let askToBuy: Bool? = random.chance(60) ? random.chance(35) : nil
        let canPay: Bool? = random.chance(50) ? random.chance(85) : nil
        let territory: String? =
            random.chance(30) ? random.pick(["USA", "JPN", "JPN", "FRA"]) : nil
        let asksBank: Bool? = random.chance(30) ? random.chance(40) : nil
        let interrupts: Bool? = random.chance(30) ? random.chance(30) : nil
        let disablesDialogs: Bool? = random.chance(30) ? random.chance(40) : nil
        let locale: String? =
            random.chance(30) ? random.pick(["ja_JP", "en_GB", "", Self.noLocale]) : nil
        let expected = auditor.change(
            account, askToBuy: askToBuy, canMakePayments: canPay, territory: territory,
            asksBank: asksBank, interruptsPurchases: interrupts, disablesDialogs: disablesDialogs,
            locale: locale, at: clock.now())
        let refused = await refusal(
            of: .changeAccount(
                AccountChange(
                    account: account, askToBuy: askToBuy, canMakePayments: canPay,
                    asksBank: asksBank, interruptsPurchases: interrupts,
                    disablesDialogs: disablesDialogs, territory: territory, locale: locale)),
            by: store)
        try expect(refused == expected, "account: \(refused as Any), not \(expected as Any)")
        let found = try await store.console.settings(of: account)
        try expect(found == auditor.shownSettings(of: account), "settings: \(found)")
    }

    private mutating func changeFamily() async throws {
        let account = random.pick(Self.accounts)
        let action: FamilyAction
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<2: action = .create(organizer: account)
        case 2..<5:
            let role = random.chance(30) ? FamilyRole.child : .adult
            let organizers = auditor.families.keys.sorted()
            let isFound = !organizers.isEmpty && random.chance(80)
            action = .join(
                account, organizer: random.pick(isFound ? organizers : Self.accounts), role: role)
        case 5..<6: action = .leave(account)
        case 6..<7: action = .setRole(account, random.pick(FamilyRole.allCases))
        default:
            let product: ProductID? = random.chance(60) ? random.pick(Self.products) : nil
            action = .setSharing(account, product, random.chance(60))
        }
        let store = anyStore()
        let expected = auditor.change(action, at: clock.now())
        let found = await refusal(of: .family(action), by: store)
        try expect(found == expected, "\(action): \(found as Any), not \(expected as Any)")
    }

    private mutating func setFault() async throws {
        let call = random.chance(70) ? Fault.Call.purchase : .verification
        let error = random.pick(call.errors)
        let count = Int.random(in: 1...3, using: &random)
        let console = anyStore().console
        auditor.fail(call, error, count, at: clock.now())
        try await console.failNext(call, error: error, count: count)
    }

    private mutating func clearFaults() async throws {
        let console = anyStore().console
        auditor.clearFaults(at: clock.now())
        try await console.clearFaults()
    }

    private mutating func reviseCatalog() async throws {
        hasHigherPrices.toggle()
        auditor.catalog = Self.catalog(hasHigherPrices: hasHigherPrices)
        auditor.ask(nil, at: clock.now())
        auditor.recordedUntil = auditor.now(clock.now())
        try await reopen()
    }

    private mutating func reopen() async throws {
        let index = Int.random(in: stores.indices, using: &random)
        auditor.forget(stores[index].engine)
        stores[index] = try await open(index == 0 ? handles.ledger : handles.other)
        // An engine reads the last recorded time when it is opened.
        auditor.ask(stores[index].engine, at: clock.now())
    }

    private mutating func moveClock() {
        let step = random.pick([1_000, Self.day, 12 * Self.day, 40 * Self.day, -3_600_000])
        clock.advance(byMilliseconds: step)
    }

    // MARK: - Auditing

    private func expect(_ isSo: Bool, _ what: @autoclosure () -> String) throws {
        guard isSo else { throw Failure(seed: seed, step: step, what: what()) }
    }

    private mutating func audit() async throws {
        let ledger = handles.other
        let entries = try await ledger.allEntries()
        try expect(
            entries.map(\.position) == Array(1...Int64(entries.count)), "positions have gaps")
        try expect(
            zip(entries, entries.dropFirst()).allSatisfy { $0.recordedAt <= $1.recordedAt },
            "an entry is dated before an earlier one")
        let rows = try await ledger.allRows()
        try expect(try rows == Projections(folding: entries), "rows and entries differ")
        try expect(
            rows.transactions.keys.sorted() == auditor.sales.map(\.id).sorted(),
            "sales differ in "
                + "\(Set(rows.transactions.keys).symmetricDifference(auditor.sales.map(\.id)))")
        for sale in auditor.sales where sale.type == .autoRenewable && !sale.isDeleted {
            let row = rows.transactions[sale.id]
            try expect(
                row?.sale.purchaseDate == sale.bought && row?.expiresDate == sale.expires,
                "\(sale.id) runs from \(row?.sale.purchaseDate as Any) until "
                    + "\(row?.expiresDate as Any), not from \(sale.bought) until "
                    + "\(sale.expires as Any)")
        }
        try expect(Self.causes(entries).values.allSatisfy { $0 == 1 }, "a payment sold twice")
        let finished = auditor.sales.filter(\.isFinished).map(\.id)
        try expect(
            rows.unfinished.keys.sorted()
                == rows.transactions.keys.filter { !finished.contains($0) }.sorted(),
            "unfinished and finished are not all")
        let console = stores[0].console
        // The sales totals include due renewals, so these are recorded first.
        auditor.ask(stores[0].engine, at: clock.now())
        auditor.recordDueAlone(nil, at: clock.now())
        let takings = try await console.takings()
        try expect(takings == auditor.takings(), "takings \(takings)")
        let requests = try await console.pendingRequests().map(\.number)
        try expect(requests == auditor.asked.keys.sorted(), "requests \(requests)")
        let refunds = try await console.refundRequests().map(\.transactionID)
        try expect(
            refunds.sorted() == auditor.refundRequests.sorted(), "refund requests \(refunds)")
        let faults = try await console.faults()
        try expect(
            faults.map(\.call) == auditor.faults.map(\.call)
                && faults.map(\.error) == auditor.faults.map(\.error)
                && faults.map(\.remaining) == auditor.faults.map(\.remaining), "faults \(faults)")
        for account in Self.accounts { try await audit(account) }
        let families = try await console.families()
        try expect(
            families == auditor.families.values.sorted { $0.organizer < $1.organizer },
            "families \(families)")
    }

    /// The number of sales of each payment.
    private static func causes(_ entries: [RecordedEntry]) -> [PaymentID: Int] {
        var causes: [PaymentID: Int] = [:]
        for entry in entries {
            if case .sold(let sale) = entry.entry.fact, let payment = sale.payment {
                causes[payment.id, default: 0] += 1
            }
        }
        return causes
    }

    private mutating func audit(_ account: AccountName) async throws {
        auditor.ask(stores[1].engine, at: clock.now())
        auditor.recordDueAlone(account, at: clock.now())
        for device in Self.devices {
            let session = stores[1].session(account: account, device: device)
            let unfinished = try await session.unfinished(allDevices: false).map(\.id)
            try expect(
                unfinished == auditor.unfinished(of: account, on: device),
                "\(account) \(device) unfinished \(unfinished)")
        }
        auditor.ask(stores[0].engine, at: clock.now())
        auditor.recordDueForEntitlements(of: account, at: clock.now())
        let session = stores[0].session(account: account)
        let entitled = try await session.entitlements()
        try expect(
            Set(entitled.map(\.transactionID)) == auditor.entitled(account, at: clock.now()),
            "\(account) is entitled by \(entitled.map(\.transactionID)), not by "
                + "\(auditor.entitled(account, at: clock.now()).sorted())")
        try expect(
            entitled.allSatisfy { $0.type != .consumable }, "\(account) has a consumable")
        try expect(
            try await restored(session) == auditor.restorable(of: account),
            "\(account) restores others")
        let owned = auditor.sales.filter { sale in
            sale.account == account && sale.type == .nonConsumable && !sale.isRevoked
                && !sale.isDeleted && sale.shared == nil
        }
        try expect(Set(owned.map(\.product)).count == owned.count, "\(account) owns one twice")
    }

    private func restored(_ session: some Store) async throws -> [TransactionID] {
        var ids: [TransactionID] = []
        while true {
            let page = try await session.restorable(before: ids.last, limit: 3)
            let verifier = try TestStore.verifier()
            for issued in page.transactions {
                guard case .verified(let transaction) = await verifier.verify(issued.signed)
                else {
                    throw Failure(seed: seed, step: step, what: "not verified: \(issued)")
                }
                ids.append(transaction.payload.transactionId)
            }
            if page.isLast { return ids }
        }
    }

    // MARK: - Readers

    private mutating func readOn() async throws {
        let head = try await handles.ledger.head()
        guard readerCursor != head else { return }
        let feed = random.pick(stores).console.events(after: readerCursor)
        for try await batch in feed {
            readerSaw += batch.events.map(\.cursor.position)
            readerCursor = batch.cursor
            if batch.cursor == head { return }
        }
    }

    /// Every reader has seen every entry in order, also the one that stopped and resumed.
    private mutating func auditFeeds() async throws {
        try await readOn()
        let entries = try await handles.ledger.allEntries()
        let head = try await handles.ledger.head()
        let positions = entries.filter { Self.isPublished($0) }.map(\.position)
        try expect(Self.withoutRepeats(readerSaw) == positions, "the reader saw \(readerSaw)")
        for account in Self.accounts {
            let own = entries.filter {
                Self.isPublished($0) && ($0.entry.account == nil || $0.entry.account == account)
            }
            var saw: [Int64] = []
            let start = FeedCursor(epoch: 1, position: 0)
            for try await batch in stores[1].session(account: account).updates(after: start) {
                saw += batch.events.map(\.cursor.position)
                if batch.cursor == head || saw.last == own.last?.position { break }
            }
            try expect(
                Self.withoutRepeats(saw) == own.map(\.position), "\(account) saw \(saw)")
        }
    }

    /// A disturbed feed hands out all that its cursor passes, and its cursor never goes back. Call it
    /// last: the auditor does not know this fault.
    private func auditFeeds(disturbedBy error: StoreError.Code) async throws {
        let console = stores[0].console
        _ = try await console.perform(.clearFaults)
        _ = try await console.perform(.failNext(.updates, error: error, count: nil))
        let entries = try await handles.ledger.allEntries()
        let head = try await handles.ledger.head()
        for account in Self.accounts {
            let own = entries.filter {
                Self.isPublished($0) && ($0.entry.account == nil || $0.entry.account == account)
            }.map(\.position)
            var cursor = FeedCursor(epoch: 1, position: 0)
            var saw: Set<Int64> = []
            var updates = 0
            var repeats = 0
            for try await batch in stores[1].session(account: account).updates(after: cursor) {
                try expect(
                    batch.cursor.position >= cursor.position, "\(error): the cursor went back")
                let came = batch.events.filter { $0.issued != nil }.map(\.cursor.position)
                repeats += came.count { saw.contains($0) }
                updates += came.count
                cursor = batch.cursor
                saw.formUnion(batch.events.map(\.cursor.position))
                try expect(
                    own.allSatisfy { $0 > cursor.position || saw.contains($0) },
                    "\(error): \(account) misses what lies before \(cursor.position)")
                let isWhole = error != .deliveredTwice || updates == 2 * repeats
                if batch.reaches(head), isWhole { break }
            }
        }
    }

    private static func isPublished(_ entry: RecordedEntry) -> Bool {
        if case .storeOpened = entry.entry.fact { false } else { true }
    }

    /// The positions without adjacent repeats, because the events of one entry share its position.
    private static func withoutRepeats(_ positions: [Int64]) -> [Int64] {
        positions.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
}
