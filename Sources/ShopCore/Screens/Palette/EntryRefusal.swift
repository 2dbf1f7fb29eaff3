import Foundation
package import StoreModel

/// Why a line of the palette would do nothing now.
package enum EntryRefusal: Hashable, Sendable {
    /// By the shop's own rules.
    case shop(Refusal)
    /// By the store's answer to `ShopEffect.findRefusals`.
    case store(StoreError)

    var message: StatusMessage.What {
        switch self {
        case .shop(let reason): .refused(reason)
        case .store(let error): .trouble(error)
        }
    }
}

extension Entry {
    /// Whether it takes something away for good, so that the palette asks first. For a key that
    /// deletes, the question sheet asks.
    var isDestructive: Bool {
        switch id {
        case .perform(let action): return action.isDestructive
        case .key, .everywhere, .missing, .fault: return false
        }
    }
}

extension ShopState {
    /// Why a line of the open palette would do nothing now; nil if it would do something.
    package func refusal(of entry: Entry) -> EntryRefusal? {
        switch entry.id {
        case .key, .everywhere:
            return entry.action.flatMap { refusal(of: $0) }.map { .shop($0) }
        case .missing(let kind):
            guard case .palette(let palette) = sheet else { return nil }
            return palette.gaps.first { $0.kind == kind }.map { .shop($0.reason) }
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

    /// Why an action of the present screen would be refused. Applies it to a copy of the state
    /// without the palette, so that the same rules decide here and when it is done.
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
    /// Whether it acts on the selected product, and does nothing if none is.
    fileprivate var needsProduct: Bool {
        switch self {
        case .buyChosen, .downloadToggled, .downloadCancelled, .contentDeleted: true
        case .selectionMoved, .choiceMoved, .confirmed, .wentBack, .component, .viewChosen,
            .consoleToggled, .helpToggled, .searchOpened, .restoreChosen, .pointerToggled,
            .quitChosen, .resized,
            .shown, .opened, .relaunched, .productsArrived, .productsFailed, .accountArrived,
            .accountFailed, .consoleArrived, .consoleFailed, .scheduleArrived, .logArrived,
            .logFailed, .transactionArrived, .transactionFailed, .searchIndexMade, .timePassed,
            .clockWasSetBack, .catalogOpened, .deviceChanged, .updateArrived, .eventsArrived,
            .purchaseAnswered,
            .purchaseFailed, .restoreEnded, .restoreFailed,
            .operatorPerformed, .operatorRefused, .refusalsFound, .refusalsFailed,
            .messageFaded, .focusMoved, .attemptFailed, .catalogRefused,
            .copyFailed, .watchingFailed:
            false
        }
    }
}
