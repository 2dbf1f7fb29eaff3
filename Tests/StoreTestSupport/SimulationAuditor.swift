import Foundation
import StoreCatalog
import StoreEngine
@testable import StoreModel

/// A second, simpler model of the store: it predicts every answer without reading the store.
struct SimulationAuditor {
    struct SaleNote {
        var id: TransactionID
        var account: AccountName
        /// The device that has to deliver it.
        var device: DeviceName
        var product: ProductID
        var type: ProductType
        var charged: Money
        var bought: Timestamp
        var expires: Timestamp?
        var isFinished = false
        /// The first transaction of its subscription; its own id for every other product.
        var chain: TransactionID
        /// The share of its price that was refunded, in thousandths of a percent.
        var refunded = 0
        var isRevoked = false
        /// When it was first revoked.
        var revokedAt: Timestamp?
        var isRevokedWhole = false
        var isDeleted = false
        /// Whether its signed text was broken by a prepared failure when it was sold.
        var isBroken = false
        /// Whether it was changed after its sale, and so signed again.
        var isRevised = false
        /// Whether it is the free week that each account gets once.
        var isTrial = false
        /// A share's sale, and the first of that sale's chain; nil for the account's own purchases.
        var shared: (sale: TransactionID, chain: TransactionID)?

        /// Rounded to the currency's decimals: those of the sample catalog have none or two.
        var refundedMilliunits: Int64 {
            let part = charged.milliunits * Int64(refunded) / 100_000
            let smallest: Int64 = charged.currency == "JPY" ? 1_000 : 10
            return (part + smallest / 2) / smallest * smallest
        }

        func isActive(at now: Timestamp) -> Bool {
            !isRevoked && !isDeleted && expires.map { $0 > now } == true
        }
    }

    /// A subscription after its latest period.
    struct Chain {
        var account: AccountName
        var product: ProductID
        var latest: TransactionID
        var period: SubscriptionPeriod
        var anchor: Timestamp
        /// Number of periods since the last purchase.
        var periods: Int
        var renews: Bool
        /// The end of the latest period, from which it renews next, if it renews.
        var end: Timestamp
        var begin: Timestamp
        /// When the store carries out its next due item for it; nil if none is due any more.
        var due: Timestamp?
        var hasExpired = false
        /// The product that it renews as, if that changes.
        var next: ProductID?
        /// The period after a trial, while the trial runs.
        var ordinary: SubscriptionPeriod?
        /// The failed charge that is being retried; nil if the last charge succeeded.
        var failure: FailedCharge?

        /// A day before the end, or when half of a shorter period is over.
        var firstCharge: Timestamp {
            let half = (end.milliseconds - begin.milliseconds) / 2
            return end.advanced(byMilliseconds: -min(86_400_000, half))
        }

        func nextCharge(after now: Timestamp) -> Timestamp {
            guard let failure else { return max(now, firstCharge) }
            return failure.nextAttempt(after: now, periodEnd: end) ?? now
        }

        /// When access ends, if the subscription does not renew.
        var lastEnd: Timestamp { max(end, failure?.graceUntil ?? end) }

        mutating func expire() {
            renews = false
            due = nil
            next = nil
            failure = nil
            hasExpired = true
        }
    }

    /// A failed charge for the next period.
    struct FailedCharge {
        var retryUntil: Timestamp
        /// Whether the period has ended.
        var isOverdue = false
        var graceUntil: Timestamp?

        func nextAttempt(after instant: Timestamp, periodEnd end: Timestamp) -> Timestamp? {
            let days: [Int64] = [0, 1, 2, 4, 8, 16, 32]
            let attempts =
                days.map { end.advanced(byMilliseconds: $0 * 86_400_000) }
                + [graceUntil, retryUntil].compactMap(\.self)
            return attempts.filter { $0 > instant && $0 <= retryUntil }.min()
        }
    }

    enum Fate: Hashable {
        case sold(TransactionID, alreadyOwned: Bool)
        case pending(TransactionID)
        case failed(StoreError.Code)
        case refused(StoreError.Code)
    }

    private struct Known {
        var payment: Payment
        var account: AccountName
        var fate: Fate
    }

    struct Asked {
        var payment: Payment
        var account: AccountName
        var device: DeviceName
        var reason = RequestReason.askToBuy
        /// Payments that joined the request and get its outcome, too.
        var joined: [PaymentID] = []
    }

    var catalog: Catalog
    var recordedUntil: Timestamp
    /// The sales in the order in which they were made.
    fileprivate(set) var sales: [SaleNote] = []
    private(set) var asked: [TransactionID: Asked] = [:]
    private var approvedNumbers: Set<TransactionID> = []
    private(set) var settings: [AccountName: AccountSettings] = [:]
    private(set) var faults: [(call: Fault.Call, error: StoreError.Code, remaining: Int)] = []
    /// The sales with a refund request that the operator has not answered.
    fileprivate(set) var refundRequests: Set<TransactionID> = []
    private var known: [PaymentID: Known] = [:]
    /// The families by their organizers.
    fileprivate(set) var families: [AccountName: Family] = [:]
    fileprivate var nextNumber = StoreLimits.firstTransactionNumber
    private var chains: [TransactionID: Chain] = [:]
    /// Whether charges fail, and whether access then goes on for 16 days of grace.
    private var renewals = RenewalSettings()
    /// The transaction by which each account got its free week, bought or shared.
    fileprivate var introduced: [AccountName: TransactionID] = [:]
    private var clockState = ClockState.system
    /// How far each engine is ahead of a system clock that was set back, until that catches up.
    private var leads: [ObjectIdentifier: Int64] = [:]
    private var askedEngine: ObjectIdentifier?

    init(catalog: Catalog, now: Timestamp) {
        self.catalog = catalog
        recordedUntil = now
    }

    /// The store's time for this time of the system, as the asked engine computes it.
    func now(_ clock: Timestamp) -> Timestamp {
        let lead = askedEngine.flatMap { leads[$0] } ?? 0
        return max(clockState.time(system: clock).advanced(byMilliseconds: lead), recordedUntil)
    }

    /// Directs the following calls to this engine, which first reads the last recorded time; nil
    /// for an engine that was just opened.
    mutating func ask(_ engine: StoreEngine?, at clock: Timestamp) {
        askedEngine = engine.map { ObjectIdentifier($0) }
        refreshLead(at: clock)
    }

    /// Updates the lead of the asked engine, which has read the clock state and the last entry.
    private mutating func refreshLead(at clock: Timestamp) {
        guard let asked = askedEngine else { return }
        let missing =
            recordedUntil.milliseconds - clockState.time(system: clock).milliseconds
        let isBehind = missing > 0 && !clockState.isStopped
        leads[asked] = isBehind ? max(leads[asked] ?? 0, missing) : 0
    }

    mutating func forget(_ engine: StoreEngine) { leads[ObjectIdentifier(engine)] = nil }

    // MARK: - Buying

    /// The expected result of a payment. The auditor then regards it as recorded.
    mutating func buy(
        _ payment: Payment, by account: AccountName, on device: DeviceName, at clock: Timestamp
    ) -> Fate {
        recordDue(account, at: clock)
        if let known = known[payment.id] {
            var sent = payment
            sent.shownPrice = known.payment.shownPrice
            let isSame = known.payment == sent && known.account == account
            guard isSame else { return .refused(.paymentMismatch) }
            if case .sold(let id, _) = known.fate, sale(id)?.isDeleted == true {
                return .refused(.transactionDeleted)
            }
            return known.fate
        }
        guard let product = catalog.product(payment.productID) else {
            return .refused(.productUnavailable)
        }
        let settings = settings(of: account)
        guard let storefront = Storefront.find(settings.territory),
            let price = product.price(in: storefront)
        else { return .refused(.notAvailableInStorefront) }
        let most = product.type == .consumable || product.type == .nonRenewing ? 10 : 1
        guard (1...most).contains(payment.quantity) else { return .refused(.invalidQuantity) }
        guard payment.shownPrice == price else { return .refused(.priceChanged) }
        if let owned = owned(product, by: account) { return .sold(owned, alreadyOwned: true) }
        let now = now(clock)
        var later: Chain?
        if isSubscribed(account, product, at: now) {
            switch planChange(account, product, at: now) {
            case .atOnce: break
            case .answered(let fate): return fate
            case .kept(let fate, let chain):
                keep(chain, at: now)
                // A payment that has changed something is known, and gets the same answer again.
                known[payment.id] = Known(payment: payment, account: account, fate: fate)
                return fate
            case .later(let chain): later = chain
            }
        }
        let isOwnedOnce = product.type == .nonConsumable || product.type == .autoRenewable
        let waiting = asked.first { _, asked in
            asked.account == account && asked.payment.productID == product.id
        }
        if isOwnedOnce, let number = waiting?.key {
            recordedUntil = now
            asked[number]?.joined.append(payment.id)
            known[payment.id] = Known(
                payment: payment, account: account, fate: .pending(number))
            return .pending(number)
        }

        self.settings[account] = settings
        recordedUntil = now
        let fate = decide(
            Asked(payment: payment, account: account, device: device), product, settings,
            later: later, at: now)
        known[payment.id] = Known(payment: payment, account: account, fate: fate)
        return fate
    }

    private mutating func decide(
        _ asked: Asked, _ product: CatalogProduct, _ settings: AccountSettings, later: Chain?,
        at now: Timestamp
    ) -> Fate {
        guard settings.canMakePayments else { return .failed(.purchaseNotAllowed) }
        if let error = spendFault(of: .purchase) { return .failed(error) }
        let asks = settings.askToBuy || family(of: asked.account)?.isChild(asked.account) == true
        let waits = asks || settings.interruptsPurchases || settings.asksBank
        if !waits, let later { return plan(later, at: now) }
        let number = TransactionID(nextNumber)
        nextNumber += 1
        if waits {
            var asked = asked
            asked.reason =
                asks
                ? .askToBuy : settings.interruptsPurchases ? .interrupted : .authentication
            self.asked[number] = asked
            return .pending(number)
        }
        let isBroken = spendFault(of: .verification) != nil
        sell(asked, product, as: number, at: now)
        if let index = sales.firstIndex(where: { $0.id == number }) {
            sales[index].isBroken = isBroken
        }
        return .sold(number, alreadyOwned: false)
    }

    /// Consumes one use of the fault; nil if the call has none.
    private mutating func spendFault(of call: Fault.Call) -> StoreError.Code? {
        guard let index = faults.firstIndex(where: { $0.call == call }) else { return nil }
        let error = faults[index].error
        faults[index].remaining -= 1
        if faults[index].remaining == 0 { faults.remove(at: index) }
        return error
    }

    fileprivate mutating func sell(
        _ asked: Asked, _ product: CatalogProduct, as id: TransactionID, at now: Timestamp
    ) {
        let payment = asked.payment
        var sale = SaleNote(
            id: id, account: asked.account, device: asked.device, product: product.id,
            type: product.type,
            charged: Money(
                milliunits: payment.shownPrice.milliunits * Int64(payment.quantity),
                currency: payment.shownPrice.currency),
            bought: now, expires: product.subscription?.period?.end(from: now), chain: id)
        if let (chain, recovered, price) = recovery(of: product, by: asked.account, at: now) {
            // The sale is the renewal whose charge had failed, without a new trial.
            sale.charged = price
            sale.bought = recovered.begin
            sale.expires = recovered.end
            sale.chain = chain
            chains[chain] = recovered
            chains[chain]?.latest = id
            chains[chain]?.renews = true
            chains[chain]?.due = max(now, recovered.firstCharge)
            sales.append(sale)
            return share(sales.count - 1, at: now)
        }
        let isTrial =
            introduced[asked.account] == nil && !isSubscribed(asked.account, at: now)
            && product.offers.contains { $0.kind == .introductory }
        if isTrial {
            introduced[asked.account] = id
            sale.isTrial = true
            sale.charged = Money(milliunits: 0, currency: sale.charged.currency)
            sale.expires = SubscriptionPeriod(unit: .week, value: 1).end(from: now)
        }
        if let period = product.subscription?.period, let end = sale.expires {
            endPresent(of: asked.account, at: now)
            sale.chain = latestSubscription(of: asked.account)?.chain ?? id
            var chain = Chain(
                account: asked.account, product: product.id, latest: id,
                period: isTrial ? SubscriptionPeriod(unit: .week, value: 1) : period,
                anchor: now, periods: 1, renews: true, end: end, begin: now)
            chain.ordinary = isTrial ? period : nil
            chain.due = chain.firstCharge
            chains[sale.chain] = chain
        }
        sales.append(sale)
        share(sales.count - 1, at: now)
    }

    // MARK: - Changes of plan

    /// The yearly plan is the higher level of the sample catalog's only group.
    fileprivate func isUpgrade(of account: AccountName, to product: CatalogProduct) -> Bool {
        guard let latest = latestSubscription(of: account) else { return false }
        return chains[latest.chain]?.latest == latest.id && product.id == SampleCatalog.yearly
            && latest.product == SampleCatalog.monthly
    }

    /// The result of buying a plan of a group with an active subscription.
    private enum Change {
        /// The plan is sold and begins at once.
        case atOnce
        /// The payment changes nothing or is refused.
        case answered(Fate)
        /// The present plan is kept.
        case kept(Fate, Chain)
        /// The plan begins with the next renewal.
        case later(Chain)
    }

    /// - Parameter again: whether to plan a change again that is planned already.
    private func planChange(
        _ account: AccountName, _ product: CatalogProduct, at now: Timestamp, again: Bool = false
    ) -> Change {
        guard let latest = latestSubscription(of: account) else { return .atOnce }
        let answer = Fate.sold(current(latest, at: now), alreadyOwned: true)
        guard var chain = chains[latest.chain], chain.latest == latest.id else {
            return .answered(
                latest.product == product.id ? answer : .refused(.subscriptionActive))
        }
        if isUpgrade(of: account, to: product) { return .atOnce }
        let next = latest.product == product.id ? nil : product.id
        let isSo = chain.renews && chain.next == next
        if isSo, next == nil || !again { return .answered(answer) }
        chain.renews = true
        chain.next = next
        chain.due = chain.nextCharge(after: now)
        return next == nil ? .kept(answer, chain) : .later(chain)
    }

    private mutating func keep(_ chain: Chain, at now: Timestamp) {
        if let latest = sale(chain.latest) { chains[latest.chain] = chain }
        recordedUntil = now
    }

    /// Plans a change for the next renewal, without a charge.
    private mutating func plan(_ chain: Chain, at now: Timestamp) -> Fate {
        keep(chain, at: now)
        let latest = sale(chain.latest)
        return .sold(latest.map { current($0, at: now) } ?? chain.latest, alreadyOwned: true)
    }

    /// The period that contains the present time, if the latest period was charged early.
    private func current(_ latest: SaleNote, at now: Timestamp) -> TransactionID {
        guard latest.bought > now else { return latest.id }
        let before = sales.last { $0.chain == latest.chain && $0.id != latest.id }
        return before.flatMap { $0.isRevoked || $0.isDeleted ? nil : $0.id } ?? latest.id
    }

    /// Refunds the rest of the present period, and the whole of one that was charged early. The
    /// present period also runs if the next one was charged early and then revoked.
    /// Whether its subscription runs or its renewal is retried: it then has no introductory offer.
    private func isSubscribed(_ account: AccountName, at now: Timestamp) -> Bool {
        guard let latest = latestSubscription(of: account), !latest.isRevoked else { return false }
        let chain = chains[latest.chain]
        return latest.isActive(at: now) || chain?.failure != nil && chain?.hasExpired == false
    }

    private mutating func endPresent(of account: AccountName, at now: Timestamp) {
        guard let latest = latestSubscription(of: account),
            latest.isActive(at: now) || latest.bought > now
        else { return }
        let current = current(latest, at: now)
        for index in sales.indices where [current, latest.id].contains(sales[index].id) {
            let sale = sales[index]
            guard let end = sale.expires, sale.isActive(at: now) else { continue }
            let whole = end.milliseconds - sale.bought.milliseconds
            sales[index].refunded = Int(
                min(end.milliseconds - now.milliseconds, whole) * 100_000 / whole)
            sales[index].isRevokedWhole = true
            takeBack(index, at: now)
            share(index, at: now)
        }
    }

    /// Revokes a sale: it entitles to nothing any more, and its refund request needs no answer.
    private mutating func takeBack(_ index: Int, at now: Timestamp) {
        sales[index].isRevoked = true
        sales[index].revokedAt = sales[index].revokedAt ?? now
        sales[index].isRevised = true
        refundRequests.remove(sales[index].id)
    }

    fileprivate func sale(_ id: TransactionID) -> SaleNote? { sales.first { $0.id == id } }

    /// The subscription period that was sold last, whatever its transaction id.
    private func latestSubscription(of account: AccountName) -> SaleNote? {
        sales.last {
            $0.account == account && $0.type == .autoRenewable && !$0.isDeleted && $0.shared == nil
        }
    }

    // MARK: - Renewals

    /// Records the due renewals that come before a decision about an account: those of the account
    /// and of its family, the earliest of each first. Nil records those of all accounts.
    mutating func recordDue(_ account: AccountName?, at clock: Timestamp) {
        guard let account else { return recordDueAlone(nil, at: clock) }
        let members = family(of: account)?.members.map(\.account) ?? [account]
        for member in members.sorted() { recordDueAlone(member, at: clock) }
    }

    /// Records the due renewals that come before a read of an account's entitlements.
    mutating func recordDueForEntitlements(of account: AccountName, at clock: Timestamp) {
        recordDueAlone(account, at: clock)
        for member in family(of: account)?.members ?? [] {
            recordDueAlone(member.account, at: clock)
        }
    }

    /// Records all due renewals of one account, or of all for nil, the earliest first.
    mutating func recordDueAlone(_ account: AccountName?, at clock: Timestamp) {
        let now = now(clock)
        while true {
            let due = chains.compactMap { id, chain in
                chain.due.map { (at: $0, id: id, chain: chain) }
            }.filter { $0.at <= now && (account == nil || account == $0.chain.account) }
            guard let first = due.min(by: { ($0.at, $0.id) < ($1.at, $1.id) }) else { return }
            recordedUntil = now
            if first.chain.renews {
                renew(first.id, first.chain, at: first.at)
            } else {
                chains[first.id]?.expire()
            }
        }
    }

    private mutating func renew(_ id: TransactionID, _ chain: Chain, at instant: Timestamp) {
        guard case (var next, let price)? = renewed(chain, at: instant) else {
            guard instant < chain.end else {
                chains[id]?.expire()
                return
            }
            chains[id]?.renews = false
            chains[id]?.next = nil
            chains[id]?.due = chain.end
            return
        }
        guard !renewals.failsBilling else { return fail(id, chain, at: instant) }
        next.latest = TransactionID(nextNumber)
        next.due = max(instant, next.firstCharge)
        nextNumber += 1
        chains[id] = next
        sales.append(
            SaleNote(
                id: next.latest, account: chain.account, device: "nobody's", product: next.product,
                type: .autoRenewable, charged: price, bought: next.begin, expires: next.end,
                chain: id))
        share(sales.count - 1, at: next.begin)
    }

    /// After a successful charge, whose sum it returns, too; nil if the plan is not for sale.
    private func renewed(_ chain: Chain, at instant: Timestamp) -> (Chain, Money)? {
        let storefront = Storefront.find(settings(of: chain.account).territory)
        guard let product = catalog.product(chain.next ?? chain.product),
            let price = storefront.flatMap({ product.price(in: $0) }),
            let period = product.subscription?.period
        else { return nil }
        var next = chain
        // A charge within the grace period keeps the dates of the period.
        next.begin = instant <= chain.lastEnd ? chain.end : instant
        next.periods += 1
        next.ordinary = nil
        next.failure = nil
        if chain.next != nil || chain.ordinary != nil || next.begin != chain.end {
            next.product = product.id
            next.period = chain.next == nil ? chain.ordinary ?? period : period
            next.anchor = next.begin
            next.periods = 1
            next.next = nil
        }
        var run = next.period
        run.value *= next.periods
        next.end = run.end(from: next.anchor)
        return (next, price)
    }

    private mutating func fail(_ id: TransactionID, _ chain: Chain, at instant: Timestamp) {
        var failure =
            chain.failure
            ?? FailedCharge(retryUntil: chain.end.advanced(byMilliseconds: 60 * 86_400_000))
        guard instant < failure.retryUntil else {
            chains[id]?.expire()
            return
        }
        if instant >= chain.end, !failure.isOverdue {
            failure.isOverdue = true
            if renewals.hasGracePeriod {
                failure.graceUntil = chain.end.advanced(byMilliseconds: 16 * 86_400_000)
            }
        }
        chains[id]?.failure = failure
        chains[id]?.due =
            failure.nextAttempt(after: instant, periodEnd: chain.end) ?? failure.retryUntil
    }

    /// The overdue renewal that a purchase of a plan pays, if its charge has failed: the first sale
    /// of the subscription, the subscription afterwards, and the sum.
    private func recovery(
        of product: CatalogProduct, by account: AccountName, at now: Timestamp
    ) -> (TransactionID, Chain, Money)? {
        guard product.subscription != nil, let latest = latestSubscription(of: account),
            !latest.isRevoked, var chain = chains[latest.chain], chain.latest == latest.id,
            !chain.hasExpired, chain.failure?.isOverdue == true
        else { return nil }
        if product.id == latest.product { chain.next = nil }
        guard product.id == chain.next ?? latest.product,
            let (next, price) = renewed(chain, at: now)
        else { return nil }
        return (latest.chain, next, price)
    }

    mutating func setRenewals(failsBilling: Bool, hasGracePeriod: Bool, at clock: Timestamp) {
        guard (failsBilling, hasGracePeriod) != (renewals.failsBilling, renewals.hasGracePeriod)
        else { return }
        renewals.failsBilling = failsBilling
        renewals.hasGracePeriod = hasGracePeriod
        recordedUntil = now(clock)
    }

    /// Whether the grace period of a failed charge follows this period and has not ended.
    private func isInGrace(_ sale: SaleNote, at now: Timestamp) -> Bool {
        let chain = chains[sale.shared?.chain ?? sale.chain]
        return chain?.latest == sale.shared?.sale ?? sale.id
            && chain?.failure?.graceUntil.map { $0 > now } == true
    }

    /// When the store carries out its next due item, of any account.
    var nextDue: Timestamp? { chains.values.compactMap(\.due).min() }

    // MARK: - The clock

    /// Moves the clock. Returns the error with which the store must refuse that, or nil.
    mutating func setClock(_ action: ClockAction, at clock: Timestamp) -> StoreError.Code? {
        let now = now(clock)
        let target: Timestamp
        switch action {
        case .stop:
            if case .stopped = clockState { break }
            clockState = .stopped(at: now)
            recordedUntil = now
        case .resume:
            guard case .stopped = clockState else { break }
            clockState = .running(offset: now.milliseconds - clock.milliseconds)
            recordedUntil = now
        case .advance(let step):
            target = step.end(from: now)
            move(to: target, from: now, system: clock)
        case .to(let instant):
            if instant < now { return .clockBackwards }
            move(to: instant, from: now, system: clock)
        case .next:
            guard let next = nextDue else { return .nothingDue }
            if next > now { move(to: next, from: now, system: clock) }
        }
        // The engine reads its own entry before it records the due renewals.
        refreshLead(at: clock)
        recordDue(nil, at: clock)
        return nil
    }

    private mutating func move(to instant: Timestamp, from now: Timestamp, system: Timestamp) {
        guard instant > now else { return }
        // The entry that moves the clock has the time before the move.
        recordedUntil = now
        switch clockState {
        case .stopped: clockState = .stopped(at: instant)
        case .running:
            clockState = .running(offset: instant.milliseconds - system.milliseconds)
        }
    }

    // MARK: - Refunds, revocations and deletions

    mutating func refund(
        _ id: TransactionID, _ amount: RefundAmount, at clock: Timestamp
    ) -> StoreError.Code? {
        change(id, at: clock) { auditor, index, now in
            let sale = auditor.sales[index]
            guard sale.refunded < 100_000 else { return .alreadyRefunded }
            let rest = 100_000 - sale.refunded
            let asked: Int
            switch amount {
            case .rest: asked = rest
            case .percent(let percent): asked = percent * 1_000
            case .prorated:
                guard let end = sale.expires, end > now else { return .nothingUnused }
                let whole = end.milliseconds - sale.bought.milliseconds
                asked = Int(
                    min(end.milliseconds - now.milliseconds, whole) * 100_000 / whole)
                guard asked > 0 else { return .nothingUnused }
            }
            guard asked <= rest else { return .refundTooLarge }
            auditor.sales[index].refunded += asked
            auditor.takeBack(index, at: now)
            if auditor.sales[index].refunded == 100_000 {
                auditor.sales[index].isRevokedWhole = true
            }
            auditor.share(index, at: now)
            auditor.endRenewal(after: id, at: now)
            return nil
        }
    }

    mutating func revoke(_ id: TransactionID, at clock: Timestamp) -> StoreError.Code? {
        change(id, at: clock) { auditor, index, now in
            guard !auditor.sales[index].isRevokedWhole else { return .unknown }
            auditor.sales[index].isRevokedWhole = true
            auditor.takeBack(index, at: now)
            auditor.share(index, at: now)
            auditor.endRenewal(after: id, at: now)
            return nil
        }
    }

    mutating func reverse(_ id: TransactionID, at clock: Timestamp) -> StoreError.Code? {
        change(id, at: clock) { auditor, index, now in
            let sale = auditor.sales[index]
            guard sale.isRevoked else { return .notRevoked }
            if sale.type == .nonConsumable,
                auditor.owner(of: sale.product, by: sale.account) != nil
            {
                return .boughtAgain
            }
            if sale.type == .autoRenewable,
                let latest = auditor.latestSubscription(of: sale.account), latest.id != id,
                sale.expires.map({ $0 > now }) == true,
                !auditor.isFollowed(sale, by: latest)
            {
                return .boughtAgain
            }
            auditor.giveBack(index, at: now)
            if let chain = auditor.chains[sale.chain], chain.latest != id,
                let next = auditor.sales.firstIndex(where: { $0.id == chain.latest }),
                auditor.isFollowed(sale, by: auditor.sales[next]),
                auditor.sales[next].isRevoked, !auditor.sales[next].isDeleted,
                let fell = auditor.sales[next].revokedAt, let date = sale.revokedAt, fell >= date
            {
                auditor.giveBack(next, at: now)
            }
            return nil
        }
    }

    mutating func delete(
        _ id: TransactionID, wholeChain: Bool, at clock: Timestamp
    ) -> StoreError.Code? {
        change(id, at: clock) { auditor, index, now in
            let chain = auditor.sales[index].chain
            let periods = auditor.sales.indices.filter {
                auditor.sales[$0].chain == chain && !auditor.sales[$0].isDeleted
            }
            guard wholeChain || periods.last == index else { return .notLastOfChain }
            let last = periods.last ?? index
            for period in wholeChain ? periods : [index] {
                auditor.sales[period].isDeleted = true
                auditor.refundRequests.remove(auditor.sales[period].id)
                auditor.sales[period].isFinished = true
                let deleted = auditor.sales[period].id
                auditor.introduced = auditor.introduced.filter { $0.value != deleted }
                auditor.share(period, at: now)
            }
            auditor.endRenewal(after: auditor.sales[last].id, at: now)
            return nil
        }
    }

    mutating func setAutoRenew(
        _ id: TransactionID, _ isOn: Bool, at clock: Timestamp
    ) -> StoreError.Code? {
        change(id, at: clock) { auditor, index, now in
            let key = auditor.sales[index].chain
            guard let chain = auditor.chains[key] else { return .noSubscription }
            guard chain.renews != isOn else { return .unknown }
            let latest = auditor.sale(chain.latest)
            let isRevoked = latest.map { $0.isRevoked || $0.isDeleted } ?? true
            let isOver = isRevoked || chain.failure == nil && latest?.isActive(at: now) != true
            if isOn, chain.hasExpired || isOver { return .noSubscription }
            auditor.chains[key]?.renews = isOn
            if !isOn { auditor.chains[key]?.next = nil }
            auditor.chains[key]?.due =
                isOn ? chain.nextCharge(after: now) : max(now, chain.lastEnd)
            return nil
        }
    }

    /// A `body` that returns `unknown` has changed nothing, which is no error.
    private mutating func change(
        _ id: TransactionID, at clock: Timestamp,
        _ body: (inout SimulationAuditor, Int, Timestamp) -> StoreError.Code?
    ) -> StoreError.Code? {
        guard let index = sales.firstIndex(where: { $0.id == id }) else {
            return .transactionNotFound
        }
        recordDue(sales[index].account, at: clock)
        if sales[index].shared != nil { return .sharedPurchase }
        guard !sales[index].isDeleted else { return .transactionNotFound }
        let now = now(clock)
        let refusal = body(&self, index, now)
        if refusal == nil { recordedUntil = now }
        return refusal == .unknown ? nil : refusal
    }

    /// Restores a revoked sale, which entitles again. A subscription expires with its last period.
    private mutating func giveBack(_ index: Int, at now: Timestamp) {
        sales[index].isRevoked = false
        sales[index].isRevokedWhole = false
        sales[index].refunded = 0
        sales[index].revokedAt = nil
        share(index, at: now)
        let key = sales[index].chain
        guard let chain = chains[key], chain.latest == sales[index].id, !chain.hasExpired else {
            return
        }
        chains[key]?.due = chain.renews ? chain.nextCharge(after: now) : max(now, chain.end)
    }

    /// Whether the later period was charged ahead and begins at the end of the other one.
    private func isFollowed(_ sale: SaleNote, by latest: SaleNote) -> Bool {
        guard chains[sale.chain]?.latest == latest.id, let end = sale.expires,
            before(latest)?.id == sale.id
        else { return false }
        return latest.bought >= end
    }

    /// The period of the same chain that was sold before this one.
    private func before(_ latest: SaleNote) -> SaleNote? {
        sales.last { $0.chain == latest.chain && $0.shared == nil && $0.id != latest.id }
    }

    /// The last period is revoked: it expires at once, unless the period before has not ended. One
    /// that was charged ahead is refunded together with the present one.
    private mutating func endRenewal(after id: TransactionID, at now: Timestamp) {
        if let sale = sale(id), let end = sale.expires, end > now, let chain = chains[sale.chain],
            let next = sales.firstIndex(where: { $0.id == chain.latest }),
            before(sales[next])?.id == id, sales[next].bought > now, !sales[next].isRevoked,
            !sales[next].isDeleted
        {
            sales[next].refunded = 100_000
            sales[next].isRevokedWhole = true
            takeBack(next, at: now)
            share(next, at: now)
            if chain.renews {
                chains[sale.chain]?.renews = false
                chains[sale.chain]?.next = nil
                chains[sale.chain]?.due = nil
            }
            return
        }
        for (key, chain) in chains where chain.latest == id && chain.renews {
            chains[key]?.renews = false
            chains[key]?.next = nil
            chains[key]?.due = chain.begin > now ? chain.begin : nil
        }
    }

    // MARK: - Approvals, settings and faults

    /// Approves a request: by the organizer or the bank, or with `isResolved` by the customer.
    mutating func approve(
        _ number: TransactionID, isResolved: Bool, at clock: Timestamp
    ) -> Fate {
        guard let waiting = asked[number] else {
            // A request that was approved before is a sale; a sale without a request never was one.
            let isSold = approvedNumbers.contains(number)
            return isSold ? .sold(number, alreadyOwned: false) : .refused(.requestNotPending)
        }
        recordDue(waiting.account, at: clock)
        guard isResolved == (waiting.reason == .interrupted) else {
            return .refused(.notAnswerable)
        }
        asked[number] = nil
        let now = now(clock)
        recordedUntil = now
        let fate = approved(waiting, number, at: now)
        settle(waiting, fate)
        return fate
    }

    /// Gives the request's payment, and every payment that joined it, the same result.
    private mutating func settle(_ waiting: Asked, _ fate: Fate) {
        for payment in [waiting.payment.id] + waiting.joined { known[payment]?.fate = fate }
    }

    mutating func withdraw(
        _ number: TransactionID, by account: AccountName, at clock: Timestamp
    ) -> Fate {
        recordDue(account, at: clock)
        guard let waiting = asked[number] else { return .refused(.requestNotPending) }
        recordDue(waiting.account, at: clock)
        guard waiting.account == account else { return .refused(.requestNotPending) }
        asked[number] = nil
        recordedUntil = now(clock)
        settle(waiting, .failed(.requestWithdrawn))
        return .failed(.requestWithdrawn)
    }

    private mutating func approved(
        _ waiting: Asked, _ number: TransactionID, at now: Timestamp
    ) -> Fate {
        guard let product = catalog.product(waiting.payment.productID) else {
            return .failed(.productUnavailable)
        }
        if owned(product, by: waiting.account) != nil { return .failed(.alreadyOwned) }
        var later: Chain?
        if isSubscribed(waiting.account, product, at: now) {
            switch planChange(waiting.account, product, at: now, again: true) {
            case .atOnce: break
            case .answered(.refused(let code)): return .failed(code)
            case .answered, .kept: return .failed(.alreadyOwned)
            case .later(let chain): later = chain
            }
        }
        let storefront = Storefront.find(settings(of: waiting.account).territory)
        guard let price = storefront.flatMap(product.price) else {
            return .failed(.notAvailableInStorefront)
        }
        guard price.currency == waiting.payment.shownPrice.currency else {
            return .failed(.priceChanged)
        }
        if let later {
            guard price == waiting.payment.shownPrice else { return .failed(.priceChanged) }
            return plan(later, at: now)
        }
        sell(waiting, product, as: number, at: now)
        approvedNumbers.insert(number)
        return .sold(number, alreadyOwned: false)
    }

    mutating func decline(_ number: TransactionID, at clock: Timestamp) -> Fate {
        guard let waiting = asked[number] else { return .refused(.requestNotPending) }
        recordDue(waiting.account, at: clock)
        guard waiting.reason != .interrupted else { return .refused(.notAnswerable) }
        asked[number] = nil
        recordedUntil = now(clock)
        let fate = Fate.failed(
            waiting.reason == .authentication ? .paymentDeclined : .approvalDeclined)
        settle(waiting, fate)
        return fate
    }

    mutating func change(
        _ account: AccountName, askToBuy: Bool?, canMakePayments: Bool?, territory: String?,
        asksBank: Bool?, interruptsPurchases: Bool?, disablesDialogs: Bool?, locale: String?,
        at clock: Timestamp
    ) -> StoreError.Code? {
        recordDue(account, at: clock)
        if askToBuy == false, family(of: account)?.isChild(account) == true {
            return .childAlwaysAsks
        }
        if locale == StoreSimulation.noLocale { return .invalidName }
        var settings = settings(of: account)
        settings.disablesDialogs = disablesDialogs ?? settings.disablesDialogs
        if let locale { settings.locale = locale.isEmpty ? nil : locale }
        settings.asksBank = asksBank ?? settings.asksBank
        settings.interruptsPurchases = interruptsPurchases ?? settings.interruptsPurchases
        settings.askToBuy = askToBuy ?? settings.askToBuy
        settings.canMakePayments = canMakePayments ?? settings.canMakePayments
        settings.territory = territory ?? settings.territory
        if self.settings[account] != settings { recordedUntil = now(clock) }
        self.settings[account] = settings
        return nil
    }

    mutating func fail(
        _ call: Fault.Call, _ error: StoreError.Code, _ count: Int, at clock: Timestamp
    ) {
        faults.append((call, error, count))
        recordedUntil = now(clock)
    }

    mutating func clearFaults(at clock: Timestamp) {
        if !faults.isEmpty { recordedUntil = now(clock) }
        faults = []
    }

    // MARK: - Finishing and claiming

    /// Finishes a transaction. Nil if the account has no such sale.
    mutating func finish(
        _ id: TransactionID, by account: AccountName, on device: DeviceName, at clock: Timestamp
    ) -> FinishOutcome? {
        recordDue(account, at: clock)
        guard let index = sales.firstIndex(where: { $0.id == id && $0.account == account })
        else { return nil }
        if sales[index].isFinished { return .alreadyFinished }
        if sales[index].type == .consumable, sales[index].device != device {
            return .claimedElsewhere
        }
        sales[index].isFinished = true
        recordedUntil = now(clock)
        return .finished
    }

    mutating func claim(
        _ id: TransactionID, by account: AccountName, on device: DeviceName, at clock: Timestamp
    ) -> Bool {
        recordDue(account, at: clock)
        guard
            let index = sales.firstIndex(where: {
                $0.id == id && $0.account == account && !$0.isFinished
            })
        else { return false }
        if sales[index].type == .consumable, sales[index].device != device {
            sales[index].device = device
            recordedUntil = now(clock)
        }
        return true
    }

    // MARK: - Expected reads

    /// The settings as the store reports them: a child always has Ask to Buy.
    func shownSettings(of account: AccountName) -> AccountSettings {
        var settings = settings(of: account)
        if family(of: account)?.isChild(account) == true { settings.askToBuy = true }
        return settings
    }

    func settings(of account: AccountName) -> AccountSettings {
        settings[account] ?? AccountSettings(name: account, territory: "USA")
    }

    fileprivate func owned(_ product: CatalogProduct, by account: AccountName) -> TransactionID? {
        product.type == .nonConsumable ? owner(of: product.id, by: account) : nil
    }

    private func owner(of product: ProductID, by account: AccountName) -> TransactionID? {
        sales.first { sale in
            sale.account == account && sale.product == product && !sale.isRevoked
                && !sale.isDeleted && sale.shared == nil
        }?.id
    }

    fileprivate func isSubscribed(
        _ account: AccountName, _ product: CatalogProduct, at now: Timestamp
    ) -> Bool {
        guard product.subscription != nil else { return false }
        return latestSubscription(of: account)?.isActive(at: now) == true
    }

    func unfinished(of account: AccountName, on device: DeviceName) -> [TransactionID] {
        sales.filter { sale in
            sale.account == account && !sale.isFinished
                && (sale.type != .consumable || sale.device == device)
        }.map(\.id).sorted()
    }

    func restorable(of account: AccountName) -> [TransactionID] {
        sales.filter { sale in
            sale.account == account && sale.type != .consumable && !sale.isRevoked
                && !sale.isDeleted
        }.map(\.id).sorted(by: >)
    }

    func entitled(_ account: AccountName, at clock: Timestamp) -> Set<TransactionID> {
        let now = now(clock)
        var entitled: [String: TransactionID] = [:]
        for sale in sales
        where sale.account == account && !sale.isRevoked && !sale.isDeleted && sale.shared == nil {
            switch sale.type {
            case .consumable: continue
            case .nonConsumable, .nonRenewing: entitled[sale.product.rawValue] = sale.id
            case .autoRenewable where sale.bought > now: continue
            case .autoRenewable:
                let isStill = sale.expires.map { $0 > now } == true || isInGrace(sale, at: now)
                entitled["group"] = isStill ? sale.id : nil
            }
        }
        let own = Set(entitled.values)
        let products = Set(own.compactMap { self.sale($0)?.product })
        return own.union(shares(of: account, besides: products, at: now))
    }

    func takings() -> [SalesTotals] {
        // A currency stays in the totals even if all its sales were deleted.
        Dictionary(grouping: sales.filter { $0.shared == nil }, by: \.charged.currency).map {
            currency, all in
            let sales = all.filter { !$0.isDeleted }
            return SalesTotals(
                currency: currency, soldMilliunits: sales.reduce(0) { $0 + $1.charged.milliunits },
                sales: Int64(sales.count),
                refundedMilliunits: sales.reduce(0) { $0 + $1.refundedMilliunits })
        }.sorted { $0.currency < $1.currency }
    }
}

// MARK: - Requests for refunds, and purchases outside the app

extension SimulationAuditor {
    /// Returns the error with which the store must refuse it, or nil.
    mutating func askForRefund(
        of id: TransactionID, by account: AccountName, at clock: Timestamp
    ) -> StoreError.Code? {
        recordDue(account, at: clock)
        guard let sale = sale(id), sale.account == account, !sale.isDeleted else {
            return .transactionNotFound
        }
        guard !sale.isRevoked, !refundRequests.contains(id) else { return .duplicateRequest }
        guard sale.shared == nil else { return .sharedPurchase }
        guard sale.charged.milliunits > 0 else { return .refundRequestFailed }
        refundRequests.insert(id)
        recordedUntil = now(clock)
        return nil
    }

    /// Declines a refund request. Returns the error with which the store must refuse that, or nil.
    mutating func declineRefund(of id: TransactionID, at clock: Timestamp) -> StoreError.Code? {
        guard refundRequests.contains(id), let sale = sale(id) else { return .refundNotRequested }
        recordDue(sale.account, at: clock)
        refundRequests.remove(id)
        recordedUntil = now(clock)
        return nil
    }

    /// A sale without a device. Returns the error with which the store must refuse it, or nil.
    mutating func buyOutside(
        _ id: ProductID, by account: AccountName, quantity: Int, at clock: Timestamp
    ) -> StoreError.Code? {
        recordDue(account, at: clock)
        let now = now(clock)
        guard let product = catalog.product(id) else { return .productUnavailable }
        let settings = settings(of: account)
        guard let price = Storefront.find(settings.territory).flatMap(product.price) else {
            return .notAvailableInStorefront
        }
        let most = product.type == .consumable || product.type == .nonRenewing ? 10 : 1
        guard (1...most).contains(quantity) else { return .invalidQuantity }
        if owned(product, by: account) != nil { return .alreadyOwned }
        var later: Chain?
        if isSubscribed(account, product, at: now) {
            switch planChange(account, product, at: now) {
            case .atOnce: break
            case .answered, .kept: return .subscriptionActive
            case .later(let chain): later = chain
            }
        }
        guard settings.canMakePayments else { return .purchaseNotAllowed }
        if let later {
            _ = plan(later, at: now)
            return nil
        }
        self.settings[account] = settings
        recordedUntil = now
        let payment = Payment(
            id: PaymentID(UUID()), productID: id, quantity: quantity, shownPrice: price)
        let number = TransactionID(nextNumber)
        nextNumber += 1
        sell(
            Asked(payment: payment, account: account, device: "nobody's"), product, as: number,
            at: now)
        return nil
    }

    /// Returns the error with which the store must refuse it, or nil.
    mutating func promote(
        _ id: ProductID, to account: AccountName, at clock: Timestamp
    ) -> StoreError.Code? {
        recordDue(account, at: clock)
        guard catalog.product(id) != nil else { return .productUnavailable }
        recordedUntil = now(clock)
        return nil
    }
}

// MARK: - Families

extension SimulationAuditor {
    func family(of account: AccountName) -> Family? {
        families.values.first { $0.member(account) != nil }
    }

    /// Changes a family. Returns the error with which the store must refuse that, or nil.
    mutating func change(_ action: FamilyAction, at clock: Timestamp) -> StoreError.Code? {
        var named: Set<AccountName> = [action.account]
        if case .join(_, let organizer, _) = action { named.insert(organizer) }
        let concerned = named.union(
            named.flatMap { family(of: $0)?.members.map(\.account) ?? [] })
        for account in concerned.sorted() { recordDueAlone(account, at: clock) }
        let now = now(clock)
        let before = families
        if let refusal = apply(action) { return refusal }
        guard families != before else { return nil }
        recordedUntil = now
        // Shared again: first the earlier members' purchases in order, then the new ones'.
        let old = before.values.first { $0.member(action.account) != nil }
        let new = family(of: action.account)
        var owners: [AccountName] = []
        for member in (old?.members ?? []) + (new?.members ?? [])
        where !owners.contains(member.account) {
            owners.append(member.account)
        }
        for owner in owners {
            for index in lasting(of: owner, at: now) { share(index, at: now) }
        }
        return nil
    }

    private mutating func apply(_ action: FamilyAction) -> StoreError.Code? {
        let mine = family(of: action.account)
        switch action {
        case .create(let organizer):
            guard mine == nil else { return .alreadyInFamily }
            families[organizer] = Family(organizer: organizer)
        case .join(let account, let organizer, let role):
            if let mine {
                let isSo = mine.organizer == organizer && mine.member(account)?.role == role
                return isSo ? nil : .alreadyInFamily
            }
            guard families[organizer] != nil else { return .notOrganizer }
            families[organizer]?.members.append(.init(account: account, role: role))
        case .leave(let account):
            guard let mine else { return .notInFamily }
            if mine.organizer == account {
                families[account] = nil
            } else {
                families[mine.organizer]?.members.removeAll { $0.account == account }
            }
        case .setRole(let account, let role):
            guard let mine else { return .notInFamily }
            if role == .child, mine.organizer == account { return .notForOrganizer }
            edit(mine.organizer, account) { $0.role = role }
        case .rescindConsent(let account):
            guard let mine else { return .notInFamily }
            guard mine.isChild(account) else { return .notAChild }
        case .setSharing(let account, let product, let isOn):
            guard let mine else { return .notInFamily }
            guard let product else {
                edit(mine.organizer, account) { $0.sharesPurchases = isOn }
                return nil
            }
            guard isShareable(product) else { return .notShareable }
            edit(mine.organizer, account) { member in
                member.keptBack.removeAll { $0 == product }
                if !isOn { member.keptBack = (member.keptBack + [product]).sorted() }
            }
        }
        return nil
    }

    private mutating func edit(
        _ organizer: AccountName, _ account: AccountName, _ change: (inout Family.Member) -> Void
    ) {
        guard let index = families[organizer]?.members.firstIndex(where: { $0.account == account })
        else { return }
        if var member = families[organizer]?.members[index] {
            change(&member)
            families[organizer]?.members[index] = member
        }
    }

    private func isShareable(_ product: ProductID) -> Bool {
        catalog.product(product)?.isFamilyShareable == true
    }

    /// In the order of the sales: one of each product, and the latest of its subscriptions.
    private func lasting(of account: AccountName, at now: Timestamp) -> [Int] {
        var latest: [String: Int] = [:]
        for (index, sale) in sales.enumerated()
        where sale.account == account && sale.shared == nil && !sale.isRevoked && !sale.isDeleted {
            switch sale.type {
            case .nonConsumable: latest[sale.product.rawValue] = index
            case .autoRenewable: latest["group"] = index
            case .consumable, .nonRenewing: continue
            }
        }
        return latest.values.sorted().flatMap { index in
            // A recorded renewal may begin later; then the period before it is the present one.
            guard sales[index].bought > now, let before = period(before: index) else {
                return [index]
            }
            return [before, index]
        }
    }

    /// The period before this one in its chain, if it is not revoked.
    private func period(before index: Int) -> Int? {
        let chain = sales[index].chain
        let before = sales.indices.last {
            $0 < index && sales[$0].chain == chain && sales[$0].shared == nil
        }
        guard let before, !sales[before].isRevoked, !sales[before].isDeleted else { return nil }
        return before
    }

    /// Gives each member a share of a sale, and revokes those of accounts that have lost theirs.
    fileprivate mutating func share(_ index: Int, at now: Timestamp) {
        let sale = sales[index]
        guard sale.type == .nonConsumable || sale.type == .autoRenewable else { return }
        let isUsable =
            !sale.isRevoked && !sale.isDeleted
            && (sale.type == .nonConsumable || sale.isActive(at: now))
        var members: [AccountName] = []
        if isUsable, let family = family(of: sale.account),
            family.member(sale.account)?.shares(sale.product) == true
        {
            members = family.members.map(\.account).filter { $0 != sale.account }
        }
        var holders: [AccountName] = []
        for other in sales.indices where sales[other].shared?.sale == sale.id {
            holders.append(sales[other].account)
            let isWanted = members.contains(sales[other].account)
            let isOver = sales[other].type == .autoRenewable && !sales[other].isActive(at: now)
            if !isWanted, sale.isRevoked || sale.isDeleted || !isOver {
                sales[other].isRevoked = true
            } else if isWanted, isShareable(sale.product) {
                sales[other].isRevoked = false
            }
        }
        guard isShareable(sale.product) else { return }
        for member in members where !holders.contains(member) {
            let first = sales.first { $0.account == member && $0.shared?.chain == sale.chain }
            let id = TransactionID(nextNumber)
            nextNumber += 1
            sales.append(
                SaleNote(
                    id: id, account: member, device: "nobody's", product: sale.product,
                    type: sale.type,
                    charged: Money(milliunits: 0, currency: sale.charged.currency),
                    bought: sale.bought, expires: sale.expires, chain: first?.id ?? id,
                    isTrial: sale.isTrial, shared: (sale.id, sale.chain)))
            if sale.isTrial, introduced[member] == nil { introduced[member] = id }
        }
    }

    /// The latest share of each product that the account has not bought itself.
    private func shares(
        of account: AccountName, besides own: Set<ProductID>, at now: Timestamp
    ) -> Set<TransactionID> {
        var latest: [TransactionID: SaleNote] = [:]
        for sale in sales
        where sale.account == account && !sale.isRevoked && sale.bought <= now {
            if let shared = sale.shared { latest[shared.chain] = sale }
        }
        var found: [ProductID: SaleNote] = [:]
        for sale in sales
        where latest[sale.shared?.chain ?? sale.id]?.id == sale.id && sale.shared != nil {
            guard !own.contains(sale.product),
                sale.type == .nonConsumable || sale.isActive(at: now)
                    || isInGrace(sale, at: now) && isStillShared(sale, with: account)
            else { continue }
            found[sale.product] = sale
        }
        return Set(found.values.map(\.id))
    }

    private func isStillShared(_ share: SaleNote, with account: AccountName) -> Bool {
        guard let sold = share.shared.flatMap({ sale($0.sale) }) else { return false }
        return family(of: account)?.member(sold.account)?.shares(sold.product) == true
    }
}
