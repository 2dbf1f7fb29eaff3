package import ShopText
import StoreModel

extension ShopState {
    /// Whether purchases go differently from a usual store's because of the mode.
    package func isSet(_ mode: ConsoleMode) -> Bool {
        switch mode {
        case .account(let setting):
            // Payments are the only setting that is usually on.
            settingsInStore.map { $0[setting] != (setting == .canMakePayments) } ?? false
        case .failures: !faults.isEmpty
        case .downloadFaults: !snapshot.downloadFaults.isEmpty
        case .clock: console.clock?.isStopped == true
        case .network: snapshot.isNetworkCut
        case .slowNetwork: snapshot.networkDelay != nil
        case .renewals: console.renewals?.failsBilling == true
        }
    }

    /// Beside the failures, which are counted one by one, and the network, which has a note of its
    /// own. An unsafe setting of the store's database is one, too. Every screen that names the
    /// console shows their number.
    package var modesSet: Int {
        guard showsCodes else { return 0 }
        let modes = ConsoleMode.allCases.count { mode in
            switch mode {
            case .account, .clock, .renewals: isSet(mode)
            case .failures, .downloadFaults, .network, .slowNetwork: false
            }
        }
        return modes + snapshot.unsafeSettings.count
    }

    /// Removes the faults of this device's downloads; without any, lists those that can be set.
    mutating func toggleDownloadFaults(_ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard isSet(.downloadFaults) else { return openPalette(in: .downloadFaults) }
        return announce(.downloadFaults(.none), moment) + [.setDownloadFaults(.none)]
    }
}
