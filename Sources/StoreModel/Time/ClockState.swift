/// Where the store's clock stands: a fact of the store, the same for every process and device.
package enum ClockState: Codable, Hashable, Sendable {
    /// Store time is the system's time and so many milliseconds.
    case running(offset: Int64)
    /// Store time stands still at this instant.
    case stopped(at: Timestamp)

    /// The store's time while the system's is `system`.
    package func time(system: Timestamp) -> Timestamp {
        switch self {
        case .running(let offset): system.advanced(byMilliseconds: offset)
        case .stopped(let instant): instant
        }
    }

    package var isStopped: Bool { if case .stopped = self { true } else { false } }

    /// A new store's clock.
    package static let system = ClockState.running(offset: 0)
}

/// What the store's clock says, and what it comes to next.
package struct ClockReading: Codable, Hashable, Sendable {
    /// Something that will happen by itself.
    package struct Next: Codable, Hashable, Sendable {
        package var at: Timestamp
        package var account: AccountName
        package var productID: ProductID

        package init(at: Timestamp, account: AccountName, productID: ProductID) {
            self.at = at
            self.account = account
            self.productID = productID
        }
    }

    package var now: Timestamp
    package var state: ClockState
    package var renewals: RenewalSettings
    /// How far the system's clock was set back behind what the store has recorded; 0 where it was not.
    /// The store's time runs on all the same.
    package var systemBehindMilliseconds: Int64
    /// Nil while nothing is due.
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
