import Foundation
@testable import StoreCatalog
import StoreEngine
import StoreModel
import StoreTestSupport
import TestBasics
import Testing

/// Ten simulated years of weekly renewals with everything that can happen to them. The audit shares
/// no code with the rules: it reads the sales and their revisions.
@Suite("ten years of weekly renewals") struct TenYearsTests {
    private static let weekly = SampleCatalog.monthly
    /// A higher level of the same group.
    private static let premium = SampleCatalog.yearly
    private static let day: Int64 = 86_400_000
    private static let week = SubscriptionPeriod(unit: .week, value: 1)

    /// The number of subscribers: `STOREFRONT_SUBSCRIBERS`, 100 by default.
    private static let subscribers =
        ProcessInfo.processInfo.environment["STOREFRONT_SUBSCRIBERS"].flatMap(Int.init) ?? 100

    private static func catalog() -> Catalog {
        var catalog = SampleCatalog.catalog()
        for index in catalog.products.indices
        where [weekly, premium].contains(catalog.products[index].id) {
            let isWeekly = catalog.products[index].id == weekly
            catalog.products[index].subscription?.period = week
            catalog.products[index].subscription?.offers = [
                .init(
                    kind: .introductory, mode: isWeekly ? .payAsYouGo : .freeTrial, period: week,
                    periodCount: isWeekly ? 2 : 1,
                    prices: isWeekly ? .everywhere(milliunits: 990) : nil),
                .init(
                    kind: .promotional, id: "half", mode: isWeekly ? .payAsYouGo : .payUpFront,
                    period: isWeekly ? week : SubscriptionPeriod(unit: .week, value: 2),
                    periodCount: isWeekly ? 3 : 1, prices: .everywhere(milliunits: 1_990)),
                .init(kind: .winBack, id: "back", mode: .freeTrial, period: week),
            ]
        }
        return catalog
    }

    @Test("every chain is without gap or overlap, except where the rules say so [D1, D2]")
    func chains() async throws {
        let ledger = InMemoryLedger()
        let store = try await TestStore(ledger: ledger, elapsed: nil, catalog: Self.catalog())
        var random = SplitMix64(seed: 12)
        let accounts = (0..<Self.subscribers).map { AccountName("subscriber\($0)") }
        var last: [AccountName: TransactionID] = [:]
        for account in accounts {
            last[account] = try await store.session(account: account).purchase(.of(Self.weekly))
                .number
        }
        for _ in 0..<(10 * 12) {
            try await change(store, accounts, &last, &random)
            _ = try await store.console.perform(
                .clock(.advance(.calendar(SubscriptionPeriod(unit: .month, value: 1)))))
        }
        let rows = await ledger.projections()
        #expect(try await Projections(folding: store.entries()) == rows)
        let audit = Audit(entries: try await store.entries())
        #expect(audit.findings == [])
        #expect(audit.chains == accounts.count)
        #expect(audit.renewals > accounts.count * 200)
        #expect(audit.upgrades > 0 && audit.downgrades > 0)
        #expect(audit.introductions > accounts.count / 2)
        #expect(audit.promotions > 0 && audit.winBacks > 0 && audit.laterOffers > 0)
        #expect(audit.recoveries > 0 && audit.lapses > 0 && audit.refunds > 0 && audit.moves > 0)
    }

    /// Makes one month's random changes of the store's settings and of some subscriptions.
    private func change(
        _ store: TestStore, _ accounts: [AccountName],
        _ last: inout [AccountName: TransactionID], _ random: inout SplitMix64
    ) async throws {
        let settings = RenewalsChange(
            failsBilling: random.chance(15), hasGracePeriod: random.chance(50))
        _ = try await store.console.perform(.setRenewals(settings))
        for account in accounts where random.chance(15) {
            guard let id = last[account] else { continue }
            let session = store.session(account: account)
            switch Int.random(in: 0..<11, using: &random) {
            case 0: try await perform(.setAutoRenew(id, false), store)
            case 1: try await perform(.setAutoRenew(id, true), store)
            case 2:
                try await perform(.extend(id, days: Int.random(in: 1...90, using: &random)), store)
            case 3: try await perform(.renew(id), store)
            case 4: try await perform(.expire(id), store)
            case 5: try await perform(.resolveBilling(id), store)
            case 6: try await perform(.cancelSubscription(id), store)
            case 7:
                let periods = try await store.ledger.transactions(
                    of: account, before: nil, kinds: [.autoRenewable], entitlingOnly: true, limit: 2
                )
                if let period = periods.last {
                    try await perform(.refund(period.id, .rest, reason: .app), store)
                }
            case 8: try await perform(.priceIncrease(id, .ask), store)
            default:
                // An upgrade, a downgrade, or the plan that the account has.
                let plan = random.chance(50) ? Self.weekly : Self.premium
                let payment =
                    random.chance(50)
                    ? .of(plan)
                    : try await store.signed("half", of: plan, isJWS: random.chance(50))
                last[account] = try await buy(payment, session)
            }
            if try await session.entitlements().isEmpty {
                var payment = Payment.of(Self.weekly)
                let offers = try await session.offers(of: Self.weekly)
                if random.chance(50),
                    offers.contains(where: { $0.offer.kind == .winBack && $0.refusal == nil })
                {
                    payment.offer = PaymentOffer(kind: .winBack, id: "back")
                }
                last[account] = try await session.purchase(payment).number
            }
        }
    }

    /// Without the offer if charging fails, because the overdue renewal has to be paid first.
    private func buy(_ payment: Payment, _ session: some Store) async throws -> TransactionID? {
        let offers = try await session.offers(of: payment.productID)
        let half = offers.first { $0.offer.id == payment.offer?.id }
        guard half?.refusal == .paymentFails else {
            return try await session.purchase(payment).number
        }
        await #expect(throws: StoreError.self) { try await session.purchase(payment) }
        return try await session.purchase(.of(payment.productID)).number
    }

    /// Carries out an action that the store may refuse.
    private func perform(_ action: OperatorAction, _ store: TestStore) async throws {
        do throws(StoreError) { _ = try await store.console.perform(action) } catch {
            #expect(
                [
                    .noSubscription, .noBillingIssue, .alreadyRefunded, .periodJustBegun,
                    .nextPeriodCharged,
                ].contains(error.code),
                "\(action): \(error.code)")
        }
    }

    /// Reads only the entries, and finds the periods of each chain that break the rules.
    private struct Audit {
        struct Period {
            var id: TransactionID
            var begin: Timestamp
            var end: Timestamp
            var soldAt: Timestamp
            var product: ProductID
            var isRenewal: Bool
            var offer: SoldOffer?
            var price: Int64
            var isRevoked = false
        }

        var findings: [String] = []
        var chains = 0
        var renewals = 0
        var recoveries = 0
        var lapses = 0
        var refunds = 0
        var moves = 0
        var upgrades = 0
        var downgrades = 0
        var introductions = 0
        var promotions = 0
        var winBacks = 0
        /// Counts the offers that were redeemed during a running plan.
        var laterOffers = 0

        init(entries: [RecordedEntry]) {
            var periods: [TransactionID: [Period]] = [:]
            var chainOf: [TransactionID: TransactionID] = [:]
            /// The chains with a failed charge, and the times at which others expired.
            var failed: Set<TransactionID> = []
            var expired: [TransactionID: Timestamp] = [:]
            /// The offer that applies from a chain's next renewal on.
            var waiting: [TransactionID: SoldOffer] = [:]
            var introduced: Set<AccountName> = []
            var nonces: Set<UUID> = []
            for entry in entries {
                switch entry.entry.fact {
                case .sold(let sale):
                    guard let id = entry.number, let end = sale.expiresDate else { continue }
                    let chain = sale.original?.id ?? id
                    chainOf[id] = chain
                    let period = Period(
                        id: id, begin: sale.purchaseDate, end: end,
                        soldAt: entry.entry.effectiveAt, product: sale.productID,
                        isRenewal: sale.cause == .renewal, offer: sale.offer,
                        price: sale.price.milliunits)
                    if let before = periods[chain, default: []].last {
                        check(period, after: before, chain, failed: failed, expired: expired)
                        checkOffer(period, after: before, chain, waiting: waiting[chain])
                    }
                    // A purchase while a renewal is unpaid pays that renewal, with the rest of the
                    // renewal's offer, so no other offer begins.
                    if !period.isRenewal, !failed.contains(chain), let offer = sale.offer {
                        switch offer.kind {
                        case .introductory:
                            introductions += 1
                            if let account = entry.entry.account,
                                !introduced.insert(account).inserted
                            {
                                findings.append("\(chain) \(id): a second introductory offer")
                            }
                        case .promotional: promotions += 1
                        case .winBack: winBacks += 1
                        case .code: findings.append("\(chain) \(id): a code out of nowhere")
                        }
                        if let nonce = offer.nonce, !nonces.insert(nonce).inserted {
                            findings.append("\(chain) \(id): a signature used twice")
                        }
                    }
                    checkPrice(period, chain)
                    waiting[chain] = nil
                    periods[chain, default: []].append(period)
                    failed.remove(chain)
                    expired[chain] = nil
                case .revised(let revision):
                    guard let id = entry.number, let chain = chainOf[id],
                        let index = periods[chain]?.firstIndex(where: { $0.id == id })
                    else { continue }
                    if revision.change == .expiryMoved { moves += 1 }
                    if case .refunded = revision.change { refunds += 1 }
                    if case .upgraded = revision.change { upgrades += 1 }
                    if let end = revision.state.expiresDate { periods[chain]?[index].end = end }
                    periods[chain]?[index].isRevoked = revision.state.revocation != nil
                case .autoRenewChanged(let change):
                    waiting[change.chain] = change.state.nextOffer
                case .subscriptionChanged(let change):
                    let chain = change.event.chain
                    waiting[chain] = change.state.nextOffer
                    if let nonce = change.state.nextOffer?.nonce, nonces.insert(nonce).inserted {
                        laterOffers += 1
                    }
                    switch change.event.kind {
                    case .billingRetryBegan, .graceBegan, .graceEnded: failed.insert(chain)
                    case .expired:
                        lapses += 1
                        expired[chain] = entry.entry.effectiveAt
                    default: break
                    }
                default: break
                }
            }
            chains = periods.count
        }

        /// A renewal begins at the end of the period before it. If it was paid after a failure, it
        /// begins when it was paid. It is sold at most a day before it begins. A purchase begins
        /// when it is sold, after the previous period is over or revoked.
        private mutating func check(
            _ period: Period, after before: Period, _ chain: TransactionID,
            failed: Set<TransactionID>, expired: [TransactionID: Timestamp]
        ) {
            func find(_ what: String) { findings.append("\(chain) \(period.id): \(what)") }
            if period.end <= period.begin { find("no length") }
            if period.isRenewal {
                renewals += 1
                if period.product != before.product { downgrades += 1 }
                if before.isRevoked { find("renewed what was taken back") }
                if expired[chain] != nil { find("renewed after its expiry") }
                if period.begin == before.end {
                    if period.soldAt.milliseconds < period.begin.milliseconds - day {
                        find("charged too early")
                    }
                } else {
                    recoveries += 1
                    if !failed.contains(chain) { find("a gap or overlap without a failure") }
                    if period.begin != period.soldAt { find("a new run that begins otherwise") }
                    if period.begin < before.end { find("an overlap") }
                }
            } else {
                if period.begin != period.soldAt { find("bought for another time") }
                if period.begin < before.end, !before.isRevoked { find("bought beside another") }
            }
            let weeks = Int64(period.offer?.period.value ?? 1)
            let length = period.end.milliseconds - period.begin.milliseconds
            if length != weeks * 7 * day { find("not \(weeks) weeks") }
        }

        /// An offer gives its price to as many periods in a row as it was sold for. An offer that
        /// is redeemed meanwhile replaces it at the next renewal, and a change of plan ends it.
        private mutating func checkOffer(
            _ period: Period, after before: Period, _ chain: TransactionID, waiting: SoldOffer?
        ) {
            guard period.isRenewal else { return }
            func find(_ what: String) { findings.append("\(chain) \(period.id): \(what)") }
            if let waiting {
                if period.offer?.nonce != waiting.nonce { find("without the redeemed offer") }
            } else if let offer = before.offer, offer.periodsLeft > 0,
                period.product == before.product
            {
                if period.offer?.kind != offer.kind { find("the offer ended too early") }
                if period.offer?.periodsLeft != offer.periodsLeft - 1 { find("a period too many") }
            } else if period.offer != nil {
                find("an offer out of nowhere")
            }
        }

        private mutating func checkPrice(_ period: Period, _ chain: TransactionID) {
            let expected: Int64 =
                switch period.offer?.kind {
                case nil: SampleCatalog.dollars(period.product)
                case .introductory?: period.product == weekly ? 990 : 0
                case .promotional?: 1_990
                case .winBack?, .code?: 0
                }
            if period.price != expected {
                findings.append("\(chain) \(period.id): \(period.price), not \(expected)")
            }
        }
    }
}
