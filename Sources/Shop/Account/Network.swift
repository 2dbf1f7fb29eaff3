import ShopText
package import StoreModel

/// Actions on the device's network, which a person may cut to try the shop offline.
package enum NetworkAction: ComponentAction {
    /// Restores the network, or asks whether to cut it.
    case toggled
    /// Restores the network, on the customer's screens; while it is on, nothing.
    case turnedOn
    /// Cuts the network for half a minute; it is then restored automatically.
    case cutForAWhile
    /// Cuts the network as soon as the store has recorded the next purchase, before its answer.
    case cutDuringPurchase

    /// Delays what the customer waits for, so that it can be watched, or ends the delay.
    case slowed

    /// How long `cutForAWhile` lasts, in seconds of elapsed time.
    package static let whileSeconds: Int64 = 30

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard shop.opening == .open else { return shop.refuse(.stillOpening, moment) }
        switch self {
        case .toggled:
            return shop.snapshot.isNetworkCut ? [.setNetwork(.on)] : shop.openQuestion(.cutNetwork)
        case .turnedOn:
            return shop.snapshot.isNetworkCut ? [.setNetwork(.on)] : []
        case .cutForAWhile:
            return [.setNetwork(.off(milliseconds: Self.whileSeconds * 1000))]
        case .cutDuringPurchase:
            return shop.announce(.networkCutsNext, moment)
                + [.setNetwork(.offAfterPayment(milliseconds: nil))]
        case .slowed:
            return [
                .setNetwork(
                    shop.snapshot.networkDelay == nil
                        ? .slow(milliseconds: NetworkChange.usualDelay) : .on)
            ]
        }
    }
}

/// Actions on the device's settings.
package enum SettingAction: ComponentAction {
    case toggled(DeviceSwitch)

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch self {
        case .toggled(let setting): shop.toggle(setting, moment)
        }
    }
}

extension ShopAction {
    package static func network(_ action: NetworkAction) -> ShopAction { .component(action) }
    package static func setting(_ action: SettingAction) -> ShopAction { .component(action) }
}

extension ShopState {
    /// The store's time as of which the listed products hold; nil while the device is online.
    package var productsAsOf: Timestamp? {
        snapshot.isOffline ? loading.asOf ?? snapshot.asOf : nil
    }

    /// The store's time of entitlements, and of a history read before the cut; nil while online.
    package var accountAsOf: Timestamp? { snapshot.isOffline ? snapshot.asOf : nil }

    /// Announces that the network was cut, restored or slowed since the previous snapshot, and
    /// queries again the data that may have changed meanwhile.
    ///
    /// - Parameter wasKnown: false for the first snapshot, whose network has not changed.
    mutating func followNetwork(
        from before: AccountSnapshot, wasKnown: Bool, _ moment: ShopMoment
    ) -> [ShopEffect] {
        guard snapshot.isOffline != before.isOffline else {
            let isChanged = wasKnown && snapshot.networkDelay != before.networkDelay
            return isChanged ? announce(.networkDelay(snapshot.networkDelay), moment) : []
        }
        let isOn = !snapshot.isOffline
        let logged =
            if let error = snapshot.whyOffline, !snapshot.isNetworkCut {
                announce(.trouble(error), moment)
            } else {
                announce(
                    .network(isOn: isOn), loggingOnce: .network(isOn: isOn),
                    isChange: wasKnown && (snapshot.isNetworkCut || before.isNetworkCut), moment)
            }
        return logged
            + (snapshot.isOffline
                ? []
                : queries.ask(.loadProducts) + queries.ask(.refreshConsole) + rereadHistory())
    }
}
