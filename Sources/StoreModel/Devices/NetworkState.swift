/// Whether a device reaches its store. A person cuts the network on purpose, to try an app offline.
package enum NetworkState: Codable, Hashable, Sendable {
    case on
    /// Nothing reaches the store, and no answer of the store reaches the device.
    ///
    /// - Parameter remaining: milliseconds of elapsed time until the network is on again by itself;
    ///   nil if it is off until a person turns it on.
    case off(remaining: Int64?)
    /// On until the next payment has reached the store. Before the store's answer arrives, the
    /// network goes off, for `milliseconds` of elapsed time or, if that is nil, until a person
    /// turns it on.
    case offAfterPayment(milliseconds: Int64?)
    /// On, and what a customer waits for takes longer: products, purchases, a restore and the
    /// status of subscriptions.
    case slow(milliseconds: Int64)

    /// The store's server does not answer. Like a network that is off, but nobody can turn it on here.
    case serverAway

    package var isOff: Bool {
        switch self {
        case .off, .serverAway: true
        case .on, .offAfterPayment, .slow: false
        }
    }
}

/// A change of a device's network.
package enum NetworkChange: Codable, Hashable, Sendable {
    case on
    /// Off at once, for `milliseconds` of elapsed time; nil: until a person turns it on.
    case off(milliseconds: Int64?)
    /// Off as soon as the next payment has reached the store (`NetworkState.offAfterPayment`).
    case offAfterPayment(milliseconds: Int64?)
    /// On, with this much more elapsed time before each answer (`NetworkState.slow`).
    case slow(milliseconds: Int64)

    /// The longest cut of a network: 30 days, in milliseconds.
    package static let millisecondsMax: Int64 = 30 * 24 * 60 * 60 * 1000
    /// The longest delay of an answer: a minute, in milliseconds.
    package static let delayMax: Int64 = 60_000
    /// The delay of a slow network unless a person gives another: long enough to be watched.
    package static let usualDelay: Int64 = 3_000
}

/// An answer that a device gives with or without its network.
package struct DeviceAnswer<Value: Sendable>: Sendable {
    /// The store's answer, or the device's own copy of it while the store cannot be reached.
    package var value: Value
    /// The store's time at which the value was true: now, or when the device last reached the
    /// store.
    package var asOf: Timestamp
    /// Whether the store answered just now; otherwise the value comes from the device's own
    /// records.
    package var isFresh: Bool

    package init(_ value: Value, asOf: Timestamp, isFresh: Bool) {
        self.value = value
        self.asOf = asOf
        self.isFresh = isFresh
    }
}

extension StoreError {
    /// The error of every call to a store while the device's network is cut: `networkError`
    /// (StoreKit: `StoreKitError.networkError`; StoreKit 1: `SKError` 7). Nothing reached the
    /// store.
    package static let networkIsOff = StoreError(.networkError, reason: .network)

    /// `networkIsOff` with the device's name in `found`, so that a person learns which network to
    /// turn on.
    package static func networkIsOff(on device: DeviceName) -> StoreError {
        var error = networkIsOff
        error.found = device.rawValue.figure
        return error
    }

    /// Whether nothing reached the store: the device's network is cut, or the store's server cannot
    /// be reached. Not a fault that the operator set.
    package var isNetworkOff: Bool {
        code == .networkError && reason == .network || code == .storeUnreachable
    }
}

/// A clock that gives the state from which it computes the store's time, so that a device without a
/// network can go on from the state that it read last.
package protocol StatefulClock: StoreClock {
    /// The clock's state at this instant.
    func reading() -> KeptClock
}

/// The store's clock as a device read it last.
package struct KeptClock: Codable, Hashable, Sendable {
    /// Whether the clock ran, and its distance from the system's clock.
    package var state: ClockState
    /// Milliseconds by which the store's time was ahead of the time that `state` gives, because the
    /// system's clock had been set back.
    package var aheadMilliseconds: Int64
    /// The store's time.
    package var at: Timestamp

    package init(state: ClockState, aheadMilliseconds: Int64, at: Timestamp) {
        self.state = state
        self.aheadMilliseconds = aheadMilliseconds
        self.at = at
    }

    /// The store's time when the system's is `system`, if the operator has not set the clock since.
    /// Never before `at`.
    package func time(system: Timestamp) -> Timestamp {
        let reckoned = state.time(system: system)
        return max(
            at, state.isStopped ? reckoned : reckoned.advanced(byMilliseconds: aheadMilliseconds))
    }
}
