/// Selects the events of a history: those that fit every part of the filter. An empty filter
/// selects all events.
package struct HistoryFilter: Codable, Hashable, Sendable {
    /// All if empty.
    package var kinds: Set<EventKind>
    /// Shows only events about this product: its sales and their later changes, and payments for it
    /// that wait or failed.
    package var product: ProductID?
    /// Shows only events about this account. Events of the whole store, such as a new catalog, are
    /// about no account.
    package var account: AccountName?
    /// In the store's time, this instant included.
    package var since: Timestamp?

    package init(
        kinds: Set<EventKind> = [], product: ProductID? = nil, account: AccountName? = nil,
        since: Timestamp? = nil
    ) {
        self.kinds = kinds
        self.product = product
        self.account = account
        self.since = since
    }
}

extension HistoryFilter {
    package func shows(_ event: StoreEvent) -> Bool {
        (kinds.isEmpty || kinds.contains(event.kind))
            && (product == nil || event.productID == product)
            && (account == nil || event.account == account)
            && since.map { event.at >= $0 } ?? true
    }
}

/// One page of a history.
package struct HistoryPage: Codable, Hashable, Sendable {
    /// Newest first. Events of one entry are never divided between pages.
    package var events: [StoreEvent]
    /// The cursor to pass as `before`, with the same filter, for the next page; nil for the last
    /// page.
    package var next: FeedCursor?

    package init(events: [StoreEvent], next: FeedCursor?) {
        self.events = events
        self.next = next
    }
}

/// A step that the store will take by itself at an instant of its time.
package struct UpcomingItem: Codable, Hashable, Sendable {
    /// The next step of a subscription, which needs no action of a customer or an operator.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// The store charges for a subscription's next period, before the present one ends.
        case renewal
        /// The store charges again after a charge that failed.
        case billingRetry
        /// A subscription ends with its period.
        case expiry
    }

    /// In store time.
    package var at: Timestamp
    package var account: AccountName
    /// Of the subscription's present period.
    package var productID: ProductID
    /// The first transaction of the subscription. An item is identified by chain and kind.
    package var chain: TransactionID
    package var kind: Kind

    package init(
        at: Timestamp, account: AccountName, productID: ProductID, chain: TransactionID, kind: Kind
    ) {
        self.at = at
        self.account = account
        self.productID = productID
        self.chain = chain
        self.kind = kind
    }
}
