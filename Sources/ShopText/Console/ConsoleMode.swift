package import StoreModel

/// A mode of the store, or of this device, that changes what happens to purchases: a switch of the
/// console. The header counts those that are set.
package enum ConsoleMode: Hashable, Sendable, CaseIterable {
    case account(AccountSwitch)
    case failures, downloadFaults, clock, network, slowNetwork, renewals

    package static let allCases: [ConsoleMode] =
        AccountSwitch.allCases.map { .account($0) }
        + [.failures, .downloadFaults, .clock, .network, .slowNetwork, .renewals]
}
