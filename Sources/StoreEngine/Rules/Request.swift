package import Foundation
package import StoreCatalog
package import StoreModel

/// A request that may change the ledger: which keys it looks up, how it is decided from what was
/// found, and what it answers.
package protocol Request: Sendable {
    /// The result for the caller when the request is not refused.
    associatedtype Answer: Sendable

    /// Adds this request's keys to the lookup of a batch.
    ///
    /// - Parameter catalog: the catalog in force.
    func addDependencies(to query: inout LedgerQuery, catalog: CatalogIndex)

    /// Adds keys that are known only from the result of a lookup, such as the account of a request
    /// for approval. Called after each lookup until no request adds a key. Adds none by default.
    func addDependencies(
        of found: LedgerSnapshot, to query: inout LedgerQuery, catalog: CatalogIndex)

    /// The keys of everything that this request and another of its batch must not both touch. Two
    /// requests with a key in common are decided one after the other, from different snapshots; all
    /// others are independent, even on the same account.
    func collisions(in context: RuleContext) -> [CollisionKey]

    /// Decides the request. A pure function of the context: reads no clock, no random numbers, no
    /// ledger.
    func decide(in context: RuleContext) -> Verdict<Answer>
}

extension Request {
    /// Adds nothing.
    package func addDependencies(
        of found: LedgerSnapshot, to query: inout LedgerQuery, catalog: CatalogIndex
    ) {}
}

/// How a rule decides a request.
package enum Verdict<Answer: Sendable>: Sendable {
    /// Record the decision; the recorded entries give the answer.
    case record(Decision, answer: @Sendable ([RecordedEntry]) throws(StoreError) -> Answer)
    /// Record nothing: the requested state is in force already.
    case answer(Answer)
    /// Throw this error and record nothing.
    case refuse(StoreError)
}

/// The sender of a customer's request: an account on a device.
package struct Customer: Hashable, Sendable {
    /// The account that buys.
    package var account: AccountName
    /// The device it buys on.
    package var device: DeviceName
    /// The territory of an account that has no settings yet, ISO 3166-1 alpha-3.
    package var homeTerritory: String

    /// Memberwise.
    package init(account: AccountName, device: DeviceName, homeTerritory: String) {
        self.account = account
        self.device = device
        self.homeTerritory = homeTerritory
    }

    /// An entry about this account by this device, in effect now.
    func entry(
        _ fact: Entry.Fact, in context: RuleContext, number: Entry.Number = .none
    ) -> Entry {
        Entry(
            account: account, device: device, effectiveAt: context.now, number: number, fact: fact)
    }
}

/// Everything a rule decides from, as values: the ledger's state, the catalog and the time.
package struct RuleContext: Sendable {
    /// The rows that the batch's lookup found.
    package var snapshot: LedgerSnapshot
    /// The catalog in force.
    package var catalog: CatalogIndex
    /// The store's time.
    package var now: Timestamp
    /// The system's time, from which a running store clock is reckoned.
    package var systemNow: Timestamp

    /// - Parameter systemNow: nil for a store whose clock is the system's.
    package init(
        snapshot: LedgerSnapshot, catalog: CatalogIndex, now: Timestamp,
        systemNow: Timestamp? = nil
    ) {
        self.snapshot = snapshot
        self.catalog = catalog
        self.now = now
        self.systemNow = systemNow ?? now
    }

    /// The account's settings; for an account that has none yet those of the catalog, else the
    /// defaults.
    func settings(of account: AccountName, home territory: String) -> AccountSettings {
        snapshot.accounts[account]
            ?? AccountSettings(new: account, home: territory, catalog: catalog.catalog.settings)
    }

    /// The versions of the streams that a decision about this account depends on: its own and the
    /// store's.
    func reads(_ account: AccountName) -> [StreamID: Int64] {
        reads([.account(account), .store])
    }

    /// The versions of these streams (`Decision.reads`).
    func reads(_ streams: [StreamID]) -> [StreamID: Int64] {
        Dictionary(
            streams.map { ($0, snapshot.version($0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// The store's environment; that of a new store before it was opened first.
    var environment: StoreEnvironment { snapshot.identity?.environment ?? .sandbox }

    /// An entry about the whole store, in effect now.
    func storeEntry(_ fact: Entry.Fact, by device: DeviceName? = nil) -> Entry {
        Entry(account: nil, device: device, effectiveAt: now, fact: fact)
    }
}

/// A thing that two requests of one batch must not both touch.
package enum CollisionKey: Hashable, Sendable {
    /// A payment's outcome.
    case payment(PaymentID)
    /// An account's settings.
    case account(AccountName)
    /// A transaction, or a request for approval.
    case transaction(TransactionID)
    /// An account's purchase of a non-consumable.
    case product(AccountName, ProductID)
    /// An account's subscription in a group.
    case group(AccountName, SubscriptionGroupID)
    /// The signature of an offer, by its nonce.
    case offerSignature(UUID)
    /// How often an offer code was redeemed.
    case offerCode(String)
    /// The faults in force.
    case faults
    /// A row that every other decision depends on. Such a request shares its batch with no other.
    case everything
}
