import Foundation
package import StoreCatalog
package import StoreModel

/// A request that may change the ledger: the keys that it looks up, the rule that decides it from
/// the rows found, and its answer.
protocol Request: Sendable {
    /// The caller's result if the request is not refused.
    associatedtype Answer: Sendable

    /// Adds the keys of this request to the lookup of a batch. Called before the first read and
    /// after each one until no request adds a key, because a key may depend on rows, such as the
    /// account of a request for approval.
    func addKeys(to lookup: inout Lookup)

    /// The keys of everything that only one request of a batch may touch. Two requests that share a
    /// key are decided one after the other, from different snapshots. All others are independent,
    /// even those of the same account.
    func collisions(in context: RuleContext) -> [CollisionKey]

    /// A pure function of the context: it reads no clock, no random numbers and no ledger. Throws
    /// the error with which the request is refused.
    func decide(in context: RuleContext) throws(StoreError) -> Verdict<Answer>
}

/// The keys that the requests of a batch look up together.
struct Lookup: Sendable {
    var query = LedgerQuery()
    /// The rows found so far; none before the first read.
    var found = LedgerSnapshot()
    /// The catalog in force.
    let catalog: CatalogIndex
}

/// The result of a rule that does not refuse the request.
enum Verdict<Answer: Sendable>: Sendable {
    /// Record the decision; `answer` makes the answer from the recorded entries.
    case record(Decision, answer: @Sendable ([RecordedEntry]) throws(StoreError) -> Answer)
    /// Record nothing, because the requested state is in force already.
    case answer(Answer)
}

/// The sender of a customer's request: an account on a device.
struct Customer: Hashable, Sendable {
    var account: AccountName
    var device: DeviceName
    /// Of an account that has no settings yet, ISO 3166-1 alpha-3.
    var homeTerritory: String

    /// In effect now.
    func entry(
        _ fact: Entry.Fact, in context: RuleContext, number: Entry.Number = .none
    ) -> Entry {
        context.entry(fact, of: account, by: device, number: number)
    }
}

/// All values from which a rule decides: the ledger's rows, the catalog and the time.
package struct RuleContext: Sendable {
    /// As the batch's lookup found them.
    package var snapshot: LedgerSnapshot
    package var catalog: CatalogIndex
    package var now: Timestamp
    /// The system's time, from which the time of a running store clock is computed.
    package var systemNow: Timestamp

    /// - Parameter systemNow: nil if the store's time is the system's time.
    package init(
        snapshot: LedgerSnapshot, catalog: CatalogIndex, now: Timestamp,
        systemNow: Timestamp? = nil
    ) {
        self.snapshot = snapshot
        self.catalog = catalog
        self.now = now
        self.systemNow = systemNow ?? now
    }

    /// An account without settings has those of the catalog, or the defaults.
    func settings(of account: AccountName, home territory: String) -> AccountSettings {
        snapshot.accounts[account]
            ?? AccountSettings(new: account, home: territory, catalog: catalog.catalog.settings)
    }

    /// As if it were this time, unless that is yet to come.
    func earlier(_ date: Timestamp) -> RuleContext {
        var context = self
        context.now = min(max(date, .earliest), now)
        return context
    }

    /// Of the streams on which a decision about this account depends: the account's and the
    /// store's.
    func reads(_ account: AccountName) -> [StreamID: Int64] {
        reads([.account(account), .store])
    }

    func reads(_ streams: [StreamID]) -> [StreamID: Int64] {
        Dictionary(
            streams.map { ($0, snapshot.version($0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// Nil if the store has no catalog yet.
    var catalogInForce: Catalog? { snapshot.catalog == nil ? nil : catalog.catalog }

    /// A store that was never opened is in the sandbox.
    var environment: StoreEnvironment { snapshot.identity?.environment ?? .sandbox }

    /// In effect now.
    ///
    /// - Parameter account: nil if the fact is about the whole store.
    func entry(
        _ fact: Entry.Fact, of account: AccountName? = nil, by device: DeviceName? = nil,
        number: Entry.Number = .none
    ) -> Entry {
        Entry(account: account, device: device, effectiveAt: now, number: number, fact: fact)
    }

    /// Records facts about the whole store, decided from the store's stream alone.
    func storeDecision(_ facts: Entry.Fact...) -> Decision {
        Decision(reads: reads([.store]), entries: facts.map { entry($0) })
    }
}

/// A set of rows that only one request of a batch may change.
enum CollisionKey: Hashable, Sendable {
    case payment(PaymentID)
    case account(AccountName)
    /// A transaction, or a request for approval.
    case transaction(TransactionID)
    case product(AccountName, ProductID)
    case group(AccountName, SubscriptionGroupID)
    /// The signature of an offer, by its nonce.
    case offerSignature(UUID)
    case offerCode(String)
    case faults
    case values(AccountName)
    case notification(UUID)
    /// A row on which every other decision depends. Such a request is alone in its batch.
    case everything
}
