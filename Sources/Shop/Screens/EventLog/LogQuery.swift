package import StoreModel

/// One query of an event log: for a page of the store's events, or of the device's log.
package struct LogQuery: Hashable, Sendable {
    /// The accounts whose events are read.
    package enum Scope: Hashable, Sendable {
        /// The account's own events, and this device's log.
        case account
        /// The events of all accounts, for the operator.
        case store
    }

    /// The page to read, and its start.
    package enum Part: Hashable, Sendable {
        case events(before: FeedCursor?, limit: Int)
        case entries(before: Int64?, limit: Int)
    }

    package var scope: Scope
    /// The filter that the store's index applies; empty for the device's log, which has no index.
    package var filter: HistoryFilter
    package var part: Part

    /// Whether the page begins with the newest event or entry.
    var isOfNewest: Bool {
        switch part {
        case .events(let before, _): before == nil
        case .entries(let before, _): before == nil
        }
    }

    var isOfEntries: Bool { if case .entries = part { true } else { false } }
}

/// The answer to a `LogQuery`. Newest first.
package struct LogPage: Hashable, Sendable {
    /// Newest first; empty for a page of the device's log.
    package var events: [StoreEvent] = []
    /// Newest first; empty for a page of events.
    package var entries: [DeviceLogEntry] = []
    /// Nil after the last page.
    package var next: FeedCursor?
    /// The time as of which the events hold, if the device is offline; nil if the store sent them.
    package var asOf: Timestamp?
}

/// A transaction's signed text in its newest state, with the result of the device's verification.
package struct SignedDetails: Hashable, Sendable {
    package var id: TransactionID
    /// In the newest state, as the store signed it for this reading.
    package var signed: SignedTransaction
    /// Why the device does not accept the signature; nil if it does.
    package var problem: VerificationError?
    /// The payload as indented JSON, a line each; empty if it cannot be read.
    package var payload: [String]
}
