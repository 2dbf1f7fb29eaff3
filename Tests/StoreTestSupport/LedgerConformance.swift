import Foundation
@testable package import StoreEngine
@testable import StoreModel
import Testing

/// The behaviours of a ledger, one `Check` for each; every `Ledger` must pass all `checks`.
package enum LedgerConformance {
    /// Two handles of one new, empty ledger, as two processes have them if it can be shared.
    package struct Handles: Sendable {
        package var ledger: any Ledger
        /// Another handle of the same ledger; the same object if it cannot be shared.
        package var other: any Ledger

        package init(ledger: any Ledger, other: any Ledger) {
            self.ledger = ledger
            self.other = other
        }
    }

    /// One behaviour, checked on the handles of a new ledger.
    package struct Check: Sendable, CustomTestStringConvertible {
        package let testDescription: String
        /// Records an issue for each violation, and throws the errors of the ledger.
        package let run: @Sendable (Handles) async throws -> Void

        init(_ sentence: String, _ run: @escaping @Sendable (Handles) async throws -> Void) {
            testDescription = sentence
            self.run = run
        }
    }

    /// All checks; each needs a new ledger.
    package static let checks =
        appending + reading + histories + lookups + sales + revisions + due + subscriptions
        + unknownFacts + sharing + families + offers + outbox

    /// Expects every lookup through both handles to equal the fold of all entries.
    static func expectFolded(_ handles: Handles) async throws {
        for ledger in [handles.ledger, handles.other] {
            let entries = try await ledger.allEntries()
            let rows = try Projections(folding: entries)
            if let shown = ledger as? any InspectableLedger {
                #expect(try await shown.projections() == rows)
            }
            let accounts = Set(entries.compactMap(\.entry.account))
            for account in accounts { try await expectFolded(account, rows, ledger) }
            #expect(
                try await ledger.takings()
                    == rows.takings.values.sorted { $0.currency < $1.currency })
            #expect(
                try await ledger.pending() == rows.pending.values.sorted { $0.number < $1.number })
            #expect(try await ledger.allDue() == rows.sortedDue)
            #expect(
                try await ledger.refundRequests()
                    == rows.refundRequests.values.sorted {
                        ($0.askedAt, $0.transactionID) < ($1.askedAt, $1.transactionID)
                    })
            let found = try await ledger.query { query in
                query.accounts = accounts
                query.payments = Set(rows.payments.keys)
                query.sales = Set(rows.transactions.keys)
                query.pending = Set(rows.pending.keys)
                query.waiting = accounts
                query.values = accounts
                query.refundRequests = Set(rows.transactions.keys)
                query.subscriptions = Set(
                    rows.subscriptions.values.map { .init(account: $0.account, id: $0.chain) })
                query.wantsSoldProducts = true
                query.nextDue = true
                query.shares = Set(rows.shares.values.map(\.shared))
                query.offerUses = Set(rows.offerUses.keys)
                query.extensions = Set(rows.extensions.keys)
            }
            #expect(found.values == rows.values)
            #expect(found.families == rows.families.filter { accounts.contains($0.key) })
            for (id, shares) in found.shares {
                #expect(
                    shares
                        == rows.shares.values.filter { $0.shared == id }
                        .compactMap { rows.transactions[$0.id] }.sorted { $0.id < $1.id })
            }
            #expect(try await ledger.notices() == [AccountNotice](rows.uses))
            #expect(found.accounts == rows.accounts)
            for id in rows.payments.keys {
                #expect(found.payments[id] == rows.payment(id))
            }
            #expect(found.payments.count == rows.payments.count)
            #expect(found.refundRequests == rows.refundRequests)
            for account in accounts {
                #expect(
                    found.waiting[account]
                        == rows.pending.values.filter { $0.account == account }
                        .sorted { $0.number < $1.number })
            }
            #expect(found.transactions == rows.transactions)
            #expect(found.pending == rows.pending)
            #expect(found.subscriptions == rows.subscriptions)
            #expect(Set(found.due.values) == Set(rows.due.values))
            #expect(found.soldProducts == rows.soldProducts)
            #expect(found.nextDue == rows.sortedDue.first)
            #expect(found.faults == rows.faults.values.sorted { $0.id < $1.id })
            #expect(found.clock == rows.clock)
            #expect(found.renewals == rows.renewals)
            #expect(found.offerUses == rows.offerUses)
            #expect(found.extensions == rows.extensions)
            #expect(found.catalog == rows.catalog)
            #expect(found.identity == rows.identity)
            for query in OutboxQuery.samples(rows) {
                let page = try await ledger.outbox(query)
                #expect(page == rows.outboxPage(query, version: page.version))
            }
        }
    }

    private static func expectFolded(
        _ account: AccountName, _ rows: Projections, _ ledger: any Ledger
    ) async throws {
        let own = rows.transactions.values.filter { $0.account == account }
            .sorted { $0.id > $1.id }
        #expect(try await ledger.history(of: account) == own.filter { !$0.state.isDeleted })
        #expect(
            try await ledger.history(of: account, entitlingOnly: true)
                == own.filter { !$0.state.isRevoked })
        let waiting = rows.unfinished.values.filter { $0.account == account }
            .sorted { $0.id < $1.id }
        let found = try await ledger.unfinished(of: account)
        #expect(found.map(\.0) == waiting)
        #expect(found.map(\.1) == waiting.compactMap { rows.transactions[$0.id] })
        #expect(
            try await ledger.allDue(of: account)
                == rows.sortedDue.filter { $0.account == account })
    }
}

extension Projections {
    /// The due items in the order in which they are carried out.
    fileprivate var sortedDue: [DueItem] {
        due.values.sorted { ($0.at, $0.chain) < ($1.at, $1.chain) }
    }
}

extension Ledger {
    @discardableResult
    func record(_ entries: Entry..., at now: Timestamp = Sample.now) async throws
        -> [RecordedEntry]
    {
        let decision = Decision(reads: [:], entries: entries)
        let results = try await append([decision], at: now)
        return try #require(results.first?.recorded)
    }

    /// All sales of an account, newest first.
    func history(of account: AccountName, entitlingOnly: Bool = false) async throws
        -> [TransactionRow]
    {
        try await transactions(
            of: account, before: nil, kinds: Set(ProductType.allCases),
            entitlingOnly: entitlingOnly, limit: .max)
    }

    func allDue(of account: AccountName? = nil) async throws -> [DueItem] {
        try await due(through: .latest, of: account, limit: .max)
    }

    package func query(
        _ ask: (inout LedgerQuery) -> Void = { _ in }
    ) async throws -> LedgerSnapshot { try await snapshot(LedgerQuery(ask)) }
}

extension AppendResult {
    /// The recorded entries; nil if the append was a conflict.
    var recorded: [RecordedEntry]? {
        if case .recorded(let entries) = self { entries } else { nil }
    }

    var isConflict: Bool { recorded == nil }
}

/// Entries to record.
enum Sample {
    static let now = Timestamp(milliseconds: 1_800_000_000_000)
    static let start = FeedCursor(epoch: 1, position: 0)

    static func sold(
        _ product: ProductID = SampleCatalog.coins, _ type: ProductType = .consumable,
        to account: AccountName = "aoi", on device: DeviceName = "phone",
        payment: Payment? = nil, group: SubscriptionGroupID? = nil,
        expires: Timestamp? = nil, price: Money? = nil, isHosted: Bool = false,
        number: Entry.Number = .next
    ) -> Entry {
        let payment = payment ?? .of(product)
        let sale = Sale(
            payment: payment, type: type, groupID: group, purchaseDate: now, expiresDate: expires,
            storefront: "USA", price: price ?? payment.shownPrice, isHosted: isHosted)
        return entry(.sold(sale), of: account, on: device, number: number)
    }

    /// A sale without a payment or a device.
    static func given(
        _ cause: Sale.Cause, _ product: ProductID = SampleCatalog.theme,
        to account: AccountName = "aoi", price: Int64 = 1_990
    ) -> Entry {
        let sale = Sale(
            cause: cause, productID: product, type: .nonConsumable, purchaseDate: now,
            storefront: "USA", price: Money(milliunits: price, currency: "USD"))
        return entry(.sold(sale), of: account, on: nil, number: .next)
    }

    /// The first period of a renewing subscription is a purchase, each later one a renewal of
    /// `chain`. The next charge is due after half of it, because it is shorter than two days.
    static func period(
        _ ordinal: Int = 1, of chain: TransactionID? = nil, to account: AccountName = "aoi",
        group: SubscriptionGroupID = SampleCatalog.group, dueAfter seconds: Int64
    ) -> Entry {
        let payment = Payment.of(SampleCatalog.monthly)
        let term = SubscriptionTerm(
            period: SubscriptionPeriod(unit: .month, value: 1), rate: .realTime, anchor: now,
            index: ordinal - 1, ordinal: ordinal)
        let sale = Sale(
            cause: chain == nil ? .payment(payment.id, shownPrice: payment.shownPrice) : .renewal,
            productID: SampleCatalog.monthly, type: .autoRenewable, groupID: group,
            original: chain.map { Sale.Original(id: $0, purchaseDate: now) }, purchaseDate: now,
            expiresDate: after(2 * seconds), storefront: "USA", price: payment.shownPrice,
            term: term)
        return entry(
            .sold(sale), of: account, on: chain == nil ? "phone" : nil, number: .next)
    }

    static func billingFailed(_ chain: TransactionID, next: DueItem?) -> Entry.Fact {
        .subscriptionChanged(
            SubscriptionChange(
                event: SubscriptionEvent(
                    kind: .billingFailed, chain: chain, productID: SampleCatalog.monthly,
                    until: after(9)),
                autoRenews: true,
                state: SubscriptionState(
                    billing: BillingIssue(since: now, retryUntil: after(99), attempts: 2),
                    priceIncrease: .agreed, nextProductID: SampleCatalog.monthly),
                next: next))
    }

    static func after(_ seconds: Int64) -> Timestamp {
        now.advanced(byMilliseconds: seconds * 1_000)
    }

    static func entry(
        _ fact: Entry.Fact, of account: AccountName? = "aoi", on device: DeviceName? = "phone",
        number: Entry.Number = .none
    ) -> Entry {
        Entry(account: account, device: device, effectiveAt: now, number: number, fact: fact)
    }

    static func refund(
        of id: TransactionID, _ product: ProductID = SampleCatalog.coins,
        by account: AccountName = "aoi", at instant: Timestamp = now
    ) -> RefundRequest {
        RefundRequest(
            transactionID: id, account: account, device: "phone", productID: product,
            reason: .broken, askedAt: instant)
    }

    static let extended = ExtensionOutcome(
        request: ExtensionRequest(
            id: UUID(), productID: SampleCatalog.monthly, days: 3, name: "spring",
            storefronts: ["USA"], reason: 1),
        succeeded: 2, failed: 1, failures: [TransactionID(1_000_002)], completedAt: now)

    static func consumption(of id: TransactionID) -> ConsumptionAnswer {
        ConsumptionAnswer(
            transactionID: id, productID: SampleCatalog.coins, answeredAt: now,
            deliveryStatus: .qualityIssue, sampleContentProvided: true,
            consumptionPercentage: 50_000, refundPreference: .grantProrated,
            firstForm: ["playTime": 3])
    }

    static let server: ServerSettings = {
        var server = ServerSettings()
        server.issuer = UUID()
        server.keys = [
            APIKey(
                id: "ABCDE12345", name: "backend", publicKey: "BAEC", createdAt: now,
                revokedAt: after(1))
        ]
        return server
    }()

    static func tokenSet(revision: Int) -> TransactionRevision {
        var state = TransactionState(revision: revision)
        state.appAccountToken = UUID()
        return TransactionRevision(
            state: state, change: .tokenSet, productID: SampleCatalog.coins, type: .consumable)
    }

    static func settings(_ account: AccountName) -> Entry {
        entry(
            .accountChanged(AccountSettings(name: account, territory: "USA")), of: account,
            on: nil)
    }
}
