import ShopCore
import ShopText
import StoreModel
import Terminal

/// The texts of a line of the console's log.
extension Wording {
    func event(_ event: ConsoleEvent, _ state: ShopState, _ theme: Theme) -> (
        kind: String, text: String, style: Style
    ) {
        func line(
            _ kind: ScreenText, _ text: String, _ style: Style = .plain
        ) -> (kind: String, text: String, style: Style) { (self[kind], text, style) }
        func sale(_ product: ProductID, _ id: TransactionID) -> String {
            "\(state.name(of: product))  \(id)"
        }
        return switch event.what {
        case .purchased(let product, let id):
            line(.eventPurchased, sale(product, id), theme.good)
        case .revised(let product, let id, let kind):
            (strings.event(kind), sale(product, id), theme.waiting)
        case .deleted(let product, let id):
            line(.eventDeleted, sale(product, id), theme.waiting)
        case .autoRenewChanged(let product, let isOn):
            line(.eventRenews, "\(state.name(of: product))  \(self[isOn ? .on : .off])")
        case .clockSet(let clock):
            line(.eventClock, strings.event(clock))
        case .renewalsSet(let settings): line(.eventRenewals, settings.rate.name)
        case .unknown(let kind): line(.eventUnknown, self[.unknownKind(kind)], theme.bad)
        case .deferred(let product, let request):
            line(.eventDeferred, sale(product, request), theme.waiting)
        case .failed(let product, let error, _):
            line(.eventFailed, "\(state.name(of: product))  \(error.code)", theme.bad)
        case .finished(let id): line(.eventFinished, "\(id)")
        case .claimed(let id, let device):
            line(.eventClaimed, strings.claimed(id, by: device))
        case .catalogRevised(let revision): line(.eventCatalog, self[.revision(revision)])
        case .accountChanged(let settings):
            line(.eventAccount, strings.event(settings))
        case .faultSet(let fault):
            line(.eventFailure, strings.faultSet(fault), theme.bad)
        case .faultCleared(let fault): line(.eventFailure, strings.faultCleared(fault))
        }
    }
}
