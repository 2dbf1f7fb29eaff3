import Foundation
import ShopCore
import StoreModel

/// Owns the shop's state: hands actions to the reducer and effects to the worker. For one thread.
final class ShopRunner {
    private(set) var state: ShopState
    private(set) var shop: OpenShop?
    private(set) var failure: (any Error)?
    private(set) var hasQuit = false
    private var effectsUnderWay = 0
    private let setPointer: (Bool) -> Void
    /// Leaves this store and opens the one that is there now.
    var reopen: (OpenShop) -> Void = { _ in }

    init(_ state: ShopState, setPointer: @escaping (Bool) -> Void = { _ in }) {
        self.state = state
        self.setPointer = setPointer
    }

    /// Nothing is being opened or done that would answer by itself.
    var isQuiet: Bool { shop != nil && state.opening == .open && effectsUnderWay == 0 }

    func take(_ letter: Letter) {
        switch letter {
        case .action(let action): take(action)
        case .effectEnded: effectsUnderWay -= 1
        case .couldNotOpen(let error): failure = error
        case .ready(let shop):
            self.shop = shop
            state.shop = shop.identity
        }
    }

    func take(_ action: ShopAction) {
        let moment = ShopMoment(now: Timestamp(Date()), paymentID: PaymentID(UUID()))
        for effect in state.reduce(action, moment) { perform(effect) }
    }

    private func perform(_ effect: ShopEffect) {
        switch effect {
        case .quit: hasQuit = true
        case .setPointer(let isOn): setPointer(isOn)
        case .reopen:
            if let shop { reopen(shop) }
            shop = nil
        default:
            // Without a store the reducer asks for nothing but looks it will ask for again.
            guard let shop else { return }
            effectsUnderWay += 1
            shop.worker.perform(effect)
        }
    }
}
