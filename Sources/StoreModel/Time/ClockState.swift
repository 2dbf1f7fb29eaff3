/// The state of the store's clock. Recorded in the ledger, so that it is the same for all processes
/// and devices.
package enum ClockState: Codable, Hashable, Sendable {
    /// Store time is the system's time plus this many milliseconds.
    case running(offset: Int64)
    case stopped(at: Timestamp)

    /// The store's time when the system's is `system`.
    package func time(system: Timestamp) -> Timestamp {
        switch self {
        case .running(let offset): system.advanced(byMilliseconds: offset)
        case .stopped(let instant): instant
        }
    }

    package var isStopped: Bool { if case .stopped = self { true } else { false } }

    /// The clock of a new store: the system's time.
    package static let system = ClockState.running(offset: 0)
}

/// The store's time and clock settings, and the next due item.
package struct ClockReading: Codable, Hashable, Sendable {
    /// The next step that the store takes by itself, such as a renewal.
    package struct Next: Codable, Hashable, Sendable {
        /// In store time.
        package var at: Timestamp
        package var account: AccountName
        package var productID: ProductID
        package var kind: UpcomingItem.Kind

        package init(
            at: Timestamp, account: AccountName, productID: ProductID,
            kind: UpcomingItem.Kind = .renewal
        ) {
            self.at = at
            self.account = account
            self.productID = productID
            self.kind = kind
        }
    }

    package var now: Timestamp
    package var state: ClockState
    package var renewals: RenewalSettings
    /// By how many milliseconds the system's clock is behind a time that the store has already
    /// recorded; 0 if it is not. Store time continues from the recorded time.
    package var systemBehindMilliseconds: Int64
    /// Nil if the store has no step to take.
    package var next: Next?

    package init(
        now: Timestamp, state: ClockState, renewals: RenewalSettings,
        systemBehindMilliseconds: Int64 = 0, next: Next? = nil
    ) {
        self.now = now
        self.systemBehindMilliseconds = systemBehindMilliseconds
        self.state = state
        self.renewals = renewals
        self.next = next
    }
}
