package import StoreCatalog
package import StoreModel

/// Something asked of the store that may change the ledger: what it has to look up, how it is
/// decided from what was found, and what its caller is told.
package protocol Request: Sendable {
    associatedtype Answer: Sendable

    /// Adds this request's keys to a batch's lookup.
    func addDependencies(to query: inout LedgerQuery, catalog: CatalogIndex)

    /// Adds the keys that are known only from what the first lookup found: whose payment a request
    /// for approval is, say. Called after each lookup until it adds nothing.
    func addDependencies(
        of found: LedgerSnapshot, to query: inout LedgerQuery, catalog: CatalogIndex)

    /// Two requests with a key in common are decided one after the other, never from the same
    /// snapshot. Everything else of a batch is independent, even on the same account.
    func collisions(in context: RuleContext) -> [CollisionKey]

    /// Pure: no clock, no chance, no reading.
    func decide(in context: RuleContext) -> Verdict<Answer>
}

extension Request {
    package func addDependencies(
        of found: LedgerSnapshot, to query: inout LedgerQuery, catalog: CatalogIndex
    ) {}
}

/// What a rule makes of a request.
package enum Verdict<Answer: Sendable>: Sendable {
    /// Record this; what was recorded gives the answer.
    case record(Decision, answer: @Sendable ([RecordedEntry]) throws(StoreError) -> Answer)
    /// Nothing changes; this is so already.
    case answer(Answer)
    /// Refused; nothing changes.
    case refuse(StoreError)
}

/// Who asks: an account on a device.
package struct Customer: Hashable, Sendable {
    package var account: AccountName
    package var device: DeviceName
    /// Where an account buys that the store has not met yet.
    package var homeTerritory: String

    package init(account: AccountName, device: DeviceName, homeTerritory: String) {
        self.account = account
        self.device = device
        self.homeTerritory = homeTerritory
    }

    /// An entry about this customer, in effect now.
    func entry(
        _ fact: Entry.Fact, in context: RuleContext, number: Entry.Number = .none
    ) -> Entry {
        Entry(
            account: account, device: device, effectiveAt: context.now, number: number, fact: fact)
    }
}

/// Everything a rule may know: values, the instant included.
package struct RuleContext: Sendable {
    package var snapshot: LedgerSnapshot
    package var catalog: CatalogIndex
    /// The store's time.
    package var now: Timestamp
    /// The system's time, which a running clock is reckoned from.
    package var systemNow: Timestamp

    package init(
        snapshot: LedgerSnapshot, catalog: CatalogIndex, now: Timestamp,
        systemNow: Timestamp? = nil
    ) {
        self.snapshot = snapshot
        self.catalog = catalog
        self.now = now
        self.systemNow = systemNow ?? now
    }

    /// The account as it is, or as it will be when it first buys.
    func settings(of account: AccountName, home territory: String) -> AccountSettings {
        snapshot.accounts[account] ?? AccountSettings(name: account, territory: territory)
    }

    /// The versions a decision about this account rests on.
    func reads(_ account: AccountName) -> [StreamID: Int64] {
        reads([.account(account), .store])
    }

    func reads(_ streams: [StreamID]) -> [StreamID: Int64] {
        Dictionary(
            streams.map { ($0, snapshot.version($0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// An entry that concerns the whole store, in effect now.
    func storeEntry(_ fact: Entry.Fact, by device: DeviceName? = nil) -> Entry {
        Entry(account: nil, device: device, effectiveAt: now, fact: fact)
    }
}

/// What two requests of one batch must not both touch.
package enum CollisionKey: Hashable, Sendable {
    case payment(PaymentID)
    case account(AccountName)
    case transaction(TransactionID)
    case product(AccountName, ProductID)
    case group(AccountName, SubscriptionGroupID)
    case faults
    /// Changes what every other decision rests on: alone in its batch.
    case everything
}
