import Foundation
import StoreCatalog
import StoreModel
import StoreSigning
import Synchronization

/// `Store` for one account on one device, served by the engine of this process.
struct StoreSession: Store {
    let engine: StoreEngine
    let customer: Customer
    let locale: String
    /// Then the locale has priority over the account's own.
    let isLocaleAsked: Bool
    /// Answers the app's backend: texts name no device, and faults of devices' calls do not count.
    var isOfBackend = false
    private let sent = SentPayments()

    var identity: AppIdentity { engine.identity }
    var account: AccountName { customer.account }
    var device: DeviceName { customer.device }
    var rootCertificate: Data { engine.keys.rootCertificateDER }

    func settings() async throws(StoreError) -> AccountSettings {
        try await engine.settings(of: account)
    }

    func products(_ identifiers: [ProductID]?) async throws(StoreError) -> ProductsResponse {
        let found = try await engine.ledger.snapshot(
            LedgerQuery {
                $0.accounts = [account]
                $0.wantsSoldProducts = true
            })
        try await failIfAsked(.loadProducts, found.faults)
        let index = try await engine.catalogs.catalog(found.catalog).index
        let settings = try await engine.settings(of: account, in: found)
        guard let storefront = Storefront.find(settings.territory) else {
            throw StoreError(.notAvailableInStorefront, found: settings.territory)
        }
        // Which products are for sale depends on the clock, which another process may have set.
        if index.nextChange(after: .earliest) != nil { try await engine.committer.refreshClock() }
        let asked = identifiers.map(Set.init)
        let publishing = index.publishing.filter { asked?.contains($0.id) ?? true }
        let issues = try await knownIssues(of: publishing, at: engine.clock.now())
        var visit = CatalogIndex.Visit(
            now: engine.clock.now(), environment: identity.environment)
        if index.hasLimits { visit.held = try await heldProducts() }
        visit.issues = issues
        visit.groupsWithoutIntroductory = try await groupsWithoutIntroductory(of: index)
        let locale = isLocaleAsked ? self.locale : settings.locale ?? self.locale
        let listed = index.products(identifiers, in: storefront, locale: locale, for: visit)
        var past = Set(found.soldProducts.keys).subtracting(listed.products.map(\.id))
        if let asked { past.formIntersection(asked) }
        let names = try await engine.catalogs.names(of: past, in: locale, index)
        var response = ProductsResponse(
            products: listed.products, invalidProductIDs: listed.invalid,
            catalogRevision: found.catalog?.number ?? 0,
            changesAt: index.nextChange(after: visit.now), pastNames: names.isEmpty ? nil : names)
        if asked == nil, listed.products.isEmpty { response.soldIn = index.territories }
        return response
    }

    /// With the state of the whole store, as of one commit.
    func accountSnapshot() async throws(StoreError) -> LedgerSnapshot {
        try await engine.ledger.snapshot(LedgerQuery { $0.accounts = [account] })
    }

    /// The products that the account may use, or of which it has an unfinished transaction.
    private func heldProducts() async throws(StoreError) -> Set<ProductID> {
        let owned = try await engine.ledger.entitling(of: account).map(\.sale.productID)
        let waiting = try await engine.ledger.unfinished(of: account).map(\.1.sale.productID)
        return Set(owned).union(waiting)
    }

    func purchase(_ payment: Payment) async throws(StoreError) -> PurchaseOutcome {
        sent.insert(payment.id)
        engine.unanswered.begin(payment.id)
        defer { engine.unanswered.end(payment.id) }
        return try await decided(payment)
    }

    /// A new payment is decided first.
    private func decided(_ payment: Payment) async throws(StoreError) -> PurchaseOutcome {
        let answer = try await engine.committer.submit(
            PurchaseRequest(
                payment: payment, customer: customer, proof: try await proof(of: payment),
                eligibility: try await eligibility(of: payment)))
        switch answer.state {
        case .deferred(let request, let reason):
            return .pending(request: request, reason: reason)
        case .failed(let error, _): return .failed(error)
        case .answered(let id):
            // Does not occur in a valid ledger: the rules answer with the transaction itself.
            throw StoreError(.storeUnreadable, paymentID: payment.id, transactionID: id)
        case .sold(let sold):
            do throws(StoreError) {
                // The answer and the sale's event have the same text, valid or broken.
                return .purchased(
                    try signed(sold, answer.broken), id: sold.id, alreadyOwned: answer.alreadyOwned)
            } catch {
                // The sale is recorded, so a failure to sign it must not look like a failed
                // purchase.
                throw StoreError(
                    .outcomeUnknown, paymentID: payment.id, transactionID: sold.id,
                    subject: error.subject, cause: error.cause ?? error.code.rawValue)
            }
        }
    }

    func outcome(of payment: Payment) async throws(StoreError) -> PurchaseOutcome? {
        let query = LedgerQuery { $0.payments = [payment.id] }
        guard try await engine.ledger.snapshot(query).payments[payment.id] != nil else {
            return nil
        }
        // The same payment sent again only returns its outcome.
        return try await decided(payment)
    }

    /// Throws the error of a fault that the operator has set for this call. A counted fault is used
    /// up by that; if two processes do this at the last count, only one of the calls fails.
    ///
    /// - Parameter faults: the faults in force, from the snapshot that the call has read anyway.
    func failIfAsked(_ call: Fault.Call, _ faults: [Fault]) async throws(StoreError) {
        guard !isOfBackend, faults.contains(where: { $0.call == call }) else { return }
        let request = SpendFaultRequest(call: call, device: device)
        if let code = try await engine.committer.submit(request) {
            throw StoreError(code, subject: call.rawValue)
        }
    }

    func requests() async throws(StoreError) -> [ApprovalRequest] {
        let query = LedgerQuery { $0.waiting = [account] }
        return try await engine.waiting(
            engine.ledger.snapshot(query).waiting[account, default: []])
    }

    func withdraw(_ request: TransactionID) async throws(StoreError) {
        try await answer(.withdraw(request, by: customer))
    }

    func resolve(_ request: TransactionID) async throws(StoreError) {
        try await answer(.resolve(request, by: customer))
    }

    /// A request that does not wait is refused with its outcome.
    private func answer(_ answer: RequestAnswer) async throws(StoreError) {
        do throws(StoreError) { try await engine.committer.submit(answer) } catch
            where error.code == .requestNotPending
        {
            throw await engine.history.explained(error, of: account)
        }
    }

    func requestRefund(of id: TransactionID, reason: RefundReason) async throws(StoreError)
        -> RefundRequest
    {
        try await engine.committer.submit(
            AskForRefund(id: id, reason: reason, customer: customer))
    }

    func noteCancelledPurchase(of product: ProductID) async throws(StoreError) {
        try await engine.committer.submit(
            CancelledPurchaseNote(product: product, customer: customer))
    }

    func values() async throws(StoreError) -> [String: String] {
        let query = LedgerQuery { $0.values = [account] }
        return try await engine.ledger.snapshot(query).values[account, default: [:]]
    }

    func setValue(_ change: AccountValue) async throws(StoreError) {
        try await engine.committer.submit(SetValue(change: change, customer: customer))
    }

    func knows(_ id: TransactionID) async throws(StoreError) -> Bool {
        let sold = LedgerQuery.Sold(account: account, id: id)
        let query = LedgerQuery { $0.finishing = [sold] }
        return try await engine.ledger.snapshot(query).soldTypes[sold] != nil
    }

    func finish(_ id: TransactionID) async throws(StoreError) -> FinishOutcome {
        try await engine.committer.submit(FinishRequest(id: id, customer: customer))
    }

    func claim(_ id: TransactionID) async throws(StoreError) -> SignedTransaction {
        try await signed(
            engine.committer.submit(ClaimRequest(id: id, customer: customer)))
    }

    func unfinished(allDevices: Bool) async throws(StoreError) -> [UnfinishedTransaction] {
        let broken = try await engine.committer.snapshotAfterDue(account).faults
            .verificationErrorInForce
        var found: [UnfinishedTransaction] = []
        let rows = try await engine.ledger.unfinished(of: account)
        try await check(rows.map(\.1))
        for (waiting, sold) in rows {
            let isOthers = sold.sale.type == .consumable && waiting.device != device
            if isOthers && !allDevices { continue }
            found.append(
                UnfinishedTransaction(
                    try engine.payloads.issued(
                        sold, for: device, broken: broken ?? ownError(of: sold)),
                    device: waiting.device))
        }
        return found
    }

    private func signed(_ row: TransactionRow) async throws(StoreError) -> SignedTransaction {
        try signed(row, await verificationErrorInForce())
    }

    private func signed(
        _ row: TransactionRow, _ broken: VerificationError?
    ) throws(StoreError) -> SignedTransaction {
        try engine.payloads.signed(row, for: device, broken: broken ?? ownError(of: row))
    }

    /// How verification fails for a sale of this session that has used up a fault: all texts of the
    /// sale in this session are broken alike, and the next launch gets a valid one. Nil for any
    /// other sale.
    private func ownError(of row: TransactionRow) -> VerificationError? {
        guard row.state.revision == 0, let error = row.sale.brokenSignature?.verificationError,
            let payment = row.sale.payment?.id, sent.contains(payment)
        else { return nil }
        return error
    }

    /// How verification fails for every text that is signed for this device now; nil if it does
    /// not.
    private func verificationErrorInForce() async throws(StoreError) -> VerificationError? {
        try await engine.ledger.snapshot(LedgerQuery()).faults.verificationErrorInForce
    }

    func restorable(before: TransactionID?, limit: Int) async throws(StoreError) -> RestorePage {
        let faults = try await accountSnapshot().faults
        let allowed = faults.first { $0.call == .appStoreSync }?.after
        if before != nil || allowed == nil { try await failIfAsked(.appStoreSync, faults) }
        if before == nil { _ = try await engine.committer.snapshotAfterDue(account) }
        // A restore that is to fail half-way returns this many sales and fails at its next page.
        let limit = min(max(limit, 1), allowed ?? StoreLimits.historyPageMax)
        let rows = try await engine.ledger.transactions(
            of: account, before: before,
            kinds: Set(ProductType.allCases).subtracting([.consumable]), entitlingOnly: true,
            limit: min(limit, StoreLimits.historyPageMax))
        try await check(rows)
        let broken = try await verificationErrorInForce()
        let issued = try rows.map { row throws(StoreError) in
            try engine.payloads.issued(row, for: device, broken: broken ?? ownError(of: row))
        }
        return RestorePage(issued, isLast: issued.count < limit && allowed == nil)
    }

    func history(before: TransactionID?, limit: Int) async throws(StoreError)
        -> [SignedTransaction]
    {
        if before == nil { _ = try await snapshotAfterDueOfFamily() }
        let rows = try await engine.ledger.transactions(
            of: account, before: before, kinds: Set(ProductType.allCases),
            entitlingOnly: false, limit: min(max(limit, 1), StoreLimits.historyPageMax))
        let broken = try await verificationErrorInForce()
        return try rows.map { row throws(StoreError) in try signed(row, broken) }
    }

    func events(before cursor: FeedCursor?, filter: HistoryFilter, limit: Int)
        async throws(StoreError) -> HistoryPage
    {
        let found = cursor == nil ? try await snapshotAfterDueOfFamily() : nil
        var own = filter
        own.account = account
        let kinds =
            filter.kinds.isEmpty ? Self.sharedKinds : filter.kinds.intersection(Self.sharedKinds)
        let shared = kinds.isEmpty ? [] : try await sharedChains(found)
        guard !shared.isEmpty else {
            return try await engine.history.page(before: cursor, filter: own, limit: limit)
        }
        // The member's history includes the owner's grace periods and expiries, because they change
        // the member's access.
        let owners = Set(shared.map(\.owner)).sorted().map { owner in
            var filter = filter
            (filter.account, filter.kinds) = (owner, kinds)
            return filter
        }
        return try await engine.history.page(of: [own] + owners, before: cursor, limit: limit) {
            event in
            event.account == account ? event : SharedChain.shown(event, to: account, shared)
        }
    }

    func transaction(_ id: TransactionID) async throws(StoreError) -> SignedTransaction {
        let row = try await engine.transaction(
            id, LedgerQuery { $0.transactions = [.init(account: account, id: id)] })
        try await check([row])
        return try await signed(row)
    }

    func entitlements() async throws(StoreError) -> [Entitlement] {
        let (found, periods) = try await entitled()
        let broken = found.faults.verificationErrorInForce
        let now = engine.clock.now()
        var current: [Entitlement] = []
        for period in periods {
            let row = period.row
            let isGrace = period.grace != nil && !row.isActive(at: now)
            current.append(
                Entitlement(
                    transaction: try signed(row, broken), transactionID: row.id,
                    productID: row.sale.productID, type: row.sale.type,
                    until: period.grace ?? row.expiresDate,
                    renews: period.subscription?.autoRenews,
                    renewalInfo: isGrace
                        ? try await renewalInfo(of: period, found, at: now) : nil))
        }
        return current
    }

    func familyStatus() async throws(StoreError) -> FamilyStatus {
        let shared = try await entitled().periods.map(\.row)
            .filter { $0.sale.sharedTransaction != nil }
        return FamilyStatus(
            family: try await engine.family(of: account),
            shares: shared.map { row in
                FamilyStatus.Share(
                    transactionID: row.id, productID: row.sale.productID,
                    owner: row.sale.share?.owner ?? row.account)
            })
    }

    func overdueSince() async throws(StoreError) -> Timestamp? {
        let due = try await accountSnapshot().firstDue[account]
        return due.flatMap { $0 <= engine.clock.now() ? $0 : nil }
    }

    func contentManifest(product: ProductID, contentID: String) async throws(StoreError)
        -> ContentManifest
    {
        try await engine.signedManifest(
            readingKey(product, contentID), in: engine.hostedReads,
            at: hosted(product, contentID))
    }

    func contentBytes(
        product: ProductID, contentID: String, path: String, offset: Int64, count: Int
    ) async throws(StoreError) -> Data {
        try await engine.contentBytes(
            readingKey(product, contentID), in: engine.hostedReads, path: path, offset: offset,
            count: count
        ) { () async throws(StoreError) in try await hosted(product, contentID) }
    }

    private func readingKey(_ product: ProductID, _ contentID: String) -> HostedReads.Key {
        HostedReads.Key(account: account, product: product, contentID: contentID)
    }

    /// Throws `notEntitled` if the account may not fetch the package, and `contentUnavailable` if
    /// the catalog in force has none.
    private func hosted(_ product: ProductID, _ contentID: String) async throws(StoreError)
        -> HostedReads.Location
    {
        let snapshot = try await engine.ledger.snapshot(
            LedgerQuery { $0.owned = [.init(account: account, product: product)] })
        if let index = try? await engine.catalogs.catalog(snapshot.catalog).index,
            !index.publishing.isEmpty, let folder = index.catalog.contentFolder,
            let package = try await issue(contentID, of: index.product(product))
        {
            return HostedReads.Location(folder: folder, package: package)
        }
        let index = try await engine.catalogs.catalog(snapshot.catalog).index
        if snapshot.owned.isEmpty {
            guard try await mayFetch(product, in: index) else {
                throw StoreError(.notEntitled, productID: product)
            }
        }
        guard case .hosted(let packages) = index.product(product)?.delivery,
            let package = packages.first(where: { $0.id == contentID }),
            package.release != nil || index.catalog.contentFolder != nil
        else { throw StoreError(.contentUnavailable, productID: product, subject: contentID) }
        return HostedReads.Location(
            folder: index.catalog.contentFolder ?? "", package: package)
    }

    /// Whether an account that has not bought the product as a non-consumable may fetch its
    /// content: it has a transaction of it that is unfinished or entitles, or is entitled to a
    /// product that unlocks it. A pass entitles for good here, because only the app knows its end.
    private func mayFetch(
        _ product: ProductID, in index: CatalogIndex
    ) async throws(StoreError) -> Bool {
        let waiting = try await engine.ledger.unfinished(of: account)
        if waiting.contains(where: { $0.1.sale.productID == product }) { return true }
        let unlock = index.product(product)?.unlockedBy
        return try await entitlements().contains { entitlement in
            if entitlement.productID == product { return true }
            guard let unlock else { return false }
            return index.product(entitlement.productID)?.unlocks?.contains(unlock) == true
        }
    }

    func head() async throws(StoreError) -> FeedCursor { try await engine.ledger.head() }

    func mark(at cursor: FeedCursor) async throws(StoreError) -> FeedMark? {
        try await engine.ledger.mark(at: cursor)
    }

    func updates(after cursor: FeedCursor) -> StoreEventStream {
        engine.eventFeed(for: device).stream(after: cursor, account: account)
    }
}

extension TransactionRow {
    /// StoreKit: `currentEntitlements`.
    func entitles(at now: Timestamp) -> Bool {
        switch sale.type {
        case .consumable: false
        case .nonConsumable, .nonRenewing: !state.isRevoked
        case .autoRenewable: isActive(at: now) && sale.purchaseDate <= now
        }
    }
}

/// The payments that this session has sent.
private final class SentPayments: Sendable {
    private let ids = Mutex<Set<PaymentID>>([])

    func insert(_ id: PaymentID) { ids.withLock { _ = $0.insert(id) } }

    func contains(_ id: PaymentID) -> Bool { ids.withLock { $0.contains(id) } }
}
