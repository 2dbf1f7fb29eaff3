package import StoreModel

/// One reading of an event log: a page of the store's events, or of the device's log.
package struct LogQuery: Hashable, Sendable {
    /// The accounts whose events are read.
    package enum Scope: Hashable, Sendable {
        /// The account's own, and this device's log.
        case account
        /// Those of all accounts, for the operator.
        case store
    }

    /// The page that is read, and where from.
    package enum Part: Hashable, Sendable {
        case events(before: FeedCursor?, limit: Int)
        case entries(before: Int64?, limit: Int)
    }

    /// The accounts whose events are read.
    package var scope: Scope
    /// The filter that the index applies; the device's log has none.
    package var filter: HistoryFilter
    /// The page that is read.
    package var part: Part

    /// Memberwise: the values are not checked.
    package init(scope: Scope, filter: HistoryFilter, part: Part) {
        self.scope = scope
        self.filter = filter
        self.part = part
    }

    /// Whether it reads from the newest.
    var isOfNewest: Bool {
        switch part {
        case .events(let before, _): before == nil
        case .entries(let before, _): before == nil
        }
    }

    /// Whether it reads the device's log.
    var isOfEntries: Bool { if case .entries = part { true } else { false } }
}

/// The answer to a `LogQuery`. Newest first.
package struct LogPage: Hashable, Sendable {
    /// The events of the page, newest first; empty for a page of the device's log.
    package var events: [PastEvent]
    /// The entries of the page, newest first; empty for a page of events.
    package var entries: [DeviceLogEntry]
    /// Where the next page of events begins; nil when nothing is left.
    package var next: FeedCursor?
    /// As of when the events are known, if the device has no network; nil if the store gave them.
    package var asOf: Timestamp?

    /// Memberwise: the values are not checked.
    package init(
        events: [PastEvent] = [], entries: [DeviceLogEntry] = [], next: FeedCursor? = nil,
        asOf: Timestamp? = nil
    ) {
        self.asOf = asOf
        self.events = events
        self.entries = entries
        self.next = next
    }
}

/// A transaction as it is signed now, with the device's verdict on the signature.
package struct SignedDetails: Hashable, Sendable {
    /// The transaction that was read.
    package var id: TransactionID
    /// Its signed text in the newest state, as the store signed it for this reading.
    package var signed: SignedTransaction
    /// Why the signature is not accepted; nil if it is.
    package var problem: VerificationError?
    /// The payload as indented JSON, a line each; empty if it cannot be read.
    package var payload: [String]

    /// Memberwise: the values are not checked.
    package init(
        id: TransactionID, signed: SignedTransaction, problem: VerificationError?,
        payload: [String]
    ) {
        self.id = id
        self.signed = signed
        self.problem = problem
        self.payload = payload
    }
}
