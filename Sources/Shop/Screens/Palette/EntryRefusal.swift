import Foundation
package import ShopText
package import StoreModel

/// The reason why a line of the palette has no effect now.
package enum EntryRefusal: Hashable, Sendable {
    case shop(Refusal)
    /// The store refuses it, according to its answer to `ShopEffect.findRefusals`.
    case store(StoreError)

    var message: StatusText {
        switch self {
        case .shop(let reason): .refused(reason)
        case .store(let error): .trouble(error)
        }
    }
}

extension Entry {
    /// The palette asks first. For keys that delete, the question sheet asks.
    var needsConfirmation: Bool {
        if case .perform(let action) = id { action.needsConfirmation } else { false }
    }
}

extension ShopState {
    /// The reason why a line of the open palette has no effect now; nil if it has one.
    package func refusal(of entry: Entry) -> EntryRefusal? {
        switch entry.id {
        case .key, .everywhere:
            return entry.action.flatMap { refusal(of: $0) }.map { .shop($0) }
        case .missing(let kind):
            guard case .palette(let palette) = sheet else { return nil }
            return palette.gaps.first { $0.kind == kind }.map { .shop($0.reason) }
        case .choice(let choice): return refusal(of: choice)
        case .group, .inPalette, .failure: return nil
        case .fault(let offer):
            guard case .palette(let palette) = sheet else { return nil }
            return refusal(of: offer, in: palette.faultedPackage).map { .shop($0) }
        case .perform(let action):
            guard opening == .open else { return .shop(.stillOpening) }
            if let error = forbidden(action.kind) { return .store(error) }
            if action == .clearFaults, faults.isEmpty { return .shop(.noFaults) }
            guard case .palette(let palette) = sheet else { return nil }
            return palette.refusals[action].map { .store($0) }
        }
    }

    /// Nil if it would not be refused. Applies the action to a copy of the state without the
    /// palette, so that the same rules decide here and when it is carried out.
    private func refusal(of action: ShopAction) -> Refusal? {
        var copy = self
        copy.sheet = nil
        copy.statusMessage = nil
        if selectedProduct == nil, action.needsProduct { return .noProductSelected }
        let payment = PaymentID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        _ = copy.follow(action, ShopMoment(now: now, paymentID: payment, viewport: viewport))
        if case .refused(let reason)? = copy.statusMessage?.what { return reason }
        return nil
    }
}

extension ShopAction {
    /// Whether the action needs a selected product to have an effect.
    fileprivate var needsProduct: Bool {
        switch self {
        case .buyChosen, .downloadToggled, .contentChosen: true
        default: false
        }
    }
}
