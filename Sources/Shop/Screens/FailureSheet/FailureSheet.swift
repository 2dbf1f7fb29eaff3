package import StoreModel

/// The choice of a call and of the error with which the next calls fail.
package struct FailureSheet: Hashable, Sendable {
    /// The most common first.
    private static let purchaseErrors: [StoreError.Code] = [
        .paymentDeclined, .networkError, .userCancelled, .productUnavailable, .purchaseNotAllowed,
        .unknown, .systemError, .notAvailableInStorefront, .invalidQuantity, .paymentInvalid,
        .notEntitled, .unsupported, .ineligibleForOffer, .invalidOfferIdentifier,
        .invalidOfferPrice, .missingOfferParameters, .invalidOfferSignature,
        .privacyAcknowledgementRequired,
    ]
    /// The purchase first.
    package static let calls: [Fault.Call] =
        [.purchase] + Fault.Call.allCases.filter { $0 != .purchase }
    /// How many calls can be made to fail at once.
    package static let counts = 1...9

    package var call = Fault.Call.purchase
    /// The errors of the call that the typed words find; at first the most likely is chosen.
    package var list = EntryList()
    /// Within `counts`; nil for every call until the fault is removed.
    package var count: Int? = 1

    /// Likely ones first.
    package static func choices(of call: Fault.Call) -> [StoreError.Code] {
        call == .purchase ? purchaseErrors : call.errors
    }

    package var choices: [StoreError.Code] { Self.choices(of: call) }

    /// Changes to the next or previous call, in a circle, and lists all its errors.
    mutating func changeCall(_ step: Int) {
        let calls = Self.calls
        let at = calls.firstIndex(of: call) ?? 0
        call = calls[(at + (step > 0 ? 1 : calls.count - 1)) % calls.count]
        list = EntryList()
    }
}

/// The actions of the failure sheet.
package enum FailureSheetAction: ComponentAction, Hashable {
    /// 0 is every call; a number beyond `FailureSheet.counts` is reduced.
    case countChosen(Int)
    /// A click on the arrow before or after the call.
    case callChanged(Int)
    /// A click on an error.
    case pointed(Entry.ID)
    case typed(String)
    /// Backspace: the last character of the filter.
    case erased

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard shop.focus == .failureSheet, case .failure(var sheet) = shop.sheet else { return [] }
        switch self {
        case .countChosen(let count):
            let range = FailureSheet.counts
            sheet.count = count < range.lowerBound ? nil : min(count, range.upperBound)
        case .callChanged(let step): sheet.changeCall(step)
        case .typed(let text): sheet.list.type(text)
        case .erased: sheet.list.erase()
        case .pointed(let id):
            guard moment.viewport.entries.contains(where: { $0.id == id }) else { return [] }
            // A click on the chosen error acts as Enter.
            guard sheet.list.choose(id, moment.viewport) else {
                return FailureSheet.confirm(in: &shop, moment)
            }
        }
        shop.sheet = .failure(sheet)
        return []
    }
}

extension ShopAction {
    package static func failureSheet(_ action: FailureSheetAction) -> ShopAction {
        .component(action)
    }
}

extension FailureSheet: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        guard case .failure(var sheet) = shop.sheet else { return [] }
        sheet.list.move(movement, moment.viewport)
        shop.sheet = .failure(sheet)
        return []
    }

    static func choose(_ step: Int, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        guard case .failure(var sheet) = shop.sheet else { return [] }
        sheet.changeCall(step)
        shop.sheet = .failure(sheet)
        return []
    }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard case .failure(let sheet) = shop.sheet,
            case .failure(let code)? = sheet.list.chosenEntry(in: moment.viewport.entries)?.id
        else { return [] }
        shop.sheet = nil
        return [.perform(.failNext(sheet.call, error: code, count: sheet.count))]
    }
}

extension ShopState {
    mutating func openFailureSheet() -> [ShopEffect] {
        guard sheet == nil, opening == .open else { return [] }
        sheet = .failure(FailureSheet())
        return []
    }
}
