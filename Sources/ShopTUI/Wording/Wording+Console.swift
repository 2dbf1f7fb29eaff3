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
            line(revision(kind), sale(product, id), theme.waiting)
        case .deleted(let product, let id):
            line(.eventDeleted, sale(product, id), theme.waiting)
        case .autoRenewChanged(let product, let isOn):
            line(.eventRenews, "\(state.name(of: product))  \(self[isOn ? .on : .off])")
        case .clockSet(let clock):
            line(.eventClock, self[clock.isStopped ? .stopped : .running])
        case .renewalsSet(let settings): line(.eventRenewals, settings.rate.name)
        case .unknown(let kind): line(.eventUnknown, self[.unknownKind(kind)], theme.bad)
        case .deferred(let product, let request):
            line(.eventDeferred, sale(product, request), theme.waiting)
        case .failed(let product, let error, _):
            line(.eventFailed, "\(state.name(of: product))  \(error.code)", theme.bad)
        case .finished(let id): line(.eventFinished, "\(id)")
        case .claimed(let id, let device):
            line(
                .eventClaimed,
                self[.claimedBy(transaction: id.description, device: device.rawValue)])
        case .catalogRevised(let revision): line(.eventCatalog, self[.revision(revision)])
        case .accountChanged(let settings):
            line(
                .eventAccount,
                self[
                    .accountSettings(
                        askToBuy: settings.askToBuy, canPay: settings.canMakePayments,
                        territory: settings.territory)])
        case .faultSet(let fault):
            line(
                .eventFailure,
                self[.failureForNext(error: fault.error.rawValue, count: fault.remaining)],
                theme.bad)
        case .faultCleared(let fault):
            line(
                .eventFailure,
                fault.remaining == 0
                    ? self[.failureUsedUp(error: fault.error.rawValue)]
                    : self[.failureLeft(error: fault.error.rawValue, count: fault.remaining)])
        }
    }

    private func revision(_ kind: RevisionKind) -> ScreenText {
        switch kind {
        case .refunded: .eventRefunded
        case .revoked: .eventRevoked
        case .refundReversed: .eventReversed
        }
    }
}
