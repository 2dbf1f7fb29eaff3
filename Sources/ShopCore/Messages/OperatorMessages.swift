import Foundation
package import StoreModel

/// What the operator is told when an action was carried out: the one place these words are made.
package enum OperatorMessages {
    /// - Parameters:
    ///   - events: what the action caused; empty where all of it was so already.
    ///   - settings: of the account the action changed, as they are now.
    ///   - clock: after an action that moved it.
    package static func done(
        _ action: OperatorAction, _ events: [StoreEvent], settings: AccountSettings? = nil,
        clock: ClockReading? = nil
    ) -> String {
        switch action {
        case .approve(let number): "Approved \(number): it is sold."
        case .decline(let number): "Declined \(number)."
        case .changeAccount(let change): changed(change, settings)
        case .failNext(_, let error, let count):
            count == 1
                ? "The next purchase will fail: \(error)."
                : "The next \(count) purchases will fail: \(error)."
        case .clearFaults: "No failures are set up any more."
        case .refund(let id, _, _): "Refunded \(id): it is taken back everywhere."
        case .revoke(let id):
            events.isEmpty
                ? "\(id) was taken back before." : "Revoked \(id): it is taken back everywhere."
        case .reverseRefund(let id): "Reversed: \(id) is given back everywhere."
        case .delete(let id, _): deleted(id, events)
        case .clock(let action): moved(action, events, clock)
        case .setRenewals: "Subscriptions bought from now on renew as you said."
        case .setAutoRenew(let id, let isOn):
            isOn
                ? "Auto-renew is on for the subscription of \(id)."
                : "Auto-renew is off for the subscription of \(id): it ends with its period."
        }
    }

    private static func changed(_ change: AccountChange, _ settings: AccountSettings?) -> String {
        let name = change.account
        if let askToBuy = change.askToBuy {
            return askToBuy
                ? "Ask to Buy is on for \(name): purchases wait for approval."
                : "Ask to Buy is off for \(name)."
        }
        if let canMakePayments = change.canMakePayments {
            return canMakePayments
                ? "\(name) may make payments." : "\(name) may not make payments."
        }
        return "\(name) buys in \(settings?.territory ?? change.territory ?? "") now."
    }

    private static func moved(
        _ action: ClockAction, _ events: [StoreEvent], _ clock: ClockReading?
    ) -> String {
        let renewed = events.count { if case .sold = $0.change { true } else { false } }
        let happened =
            switch renewed {
            case 0: ""
            case 1: " 1 subscription renewed."
            default: " \(renewed) renewals."
            }
        let now = clock.map { " It is \($0.now.date.formatted(.iso8601)) in the store." } ?? ""
        let done =
            switch action {
            case .stop: "The store's clock is stopped."
            case .resume: "The store's clock is running."
            case .advance, .to, .next: ""
            }
        return String((done + now + happened).drop { $0 == " " })
    }

    private static func deleted(_ id: TransactionID, _ events: [StoreEvent]) -> String {
        let count = events.count { if case .deleted = $0.change { true } else { false } }
        return count > 1
            ? "Deleted \(count) transactions, with everything they had granted."
            : "Deleted \(id), with everything it had granted."
    }
}
