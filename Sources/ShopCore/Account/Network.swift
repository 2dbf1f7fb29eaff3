/// The device's network, which a person may cut to try the shop offline.
package enum NetworkAction: ComponentAction {
    /// Cuts the network, or restores it.
    case toggled
    /// Says that the connection is metered, or no more.
    case meteredToggled

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch self {
        case .toggled:
            guard shop.opening == .open else { return shop.refuse(.stillOpening, moment) }
            return [.setNetwork(isOn: shop.snapshot.isOffline)]
        case .meteredToggled: return shop.toggleMetered(moment)
        }
    }
}

extension ShopAction {
    /// An action of the device's network.
    package static func network(_ action: NetworkAction) -> ShopAction { .component(action) }
}

extension ShopState {
    /// Announces that the network went off or came back since the snapshot before, and reads again
    /// what may have changed meanwhile.
    mutating func followNetwork(from before: AccountSnapshot, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        guard snapshot.isOffline != before.isOffline else { return [] }
        _ = announce(.network(isOn: !snapshot.isOffline), moment)
        return snapshot.isOffline
            ? []
            : queries.ask(.loadProducts) + queries.ask(.refreshConsole) + rereadHistory()
    }
}
