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
    /// An index in `choices`.
    package var chosen = 0
    /// Within `counts`; nil for every call until the fault is removed.
    package var count: Int? = 1

    /// Likely ones first.
    package static func choices(of call: Fault.Call) -> [StoreError.Code] {
        call == .purchase ? purchaseErrors : call.errors
    }

    package var choices: [StoreError.Code] { Self.choices(of: call) }

    /// Changes to the next or previous call, in a circle, and chooses its most likely error.
    mutating func changeCall(_ step: Int) {
        let calls = Self.calls
        let at = calls.firstIndex(of: call) ?? 0
        call = calls[(at + (step > 0 ? 1 : calls.count - 1)) % calls.count]
        chosen = 0
    }
}

/// The actions of the failure sheet.
package enum FailureSheetAction: ComponentAction, Hashable {
    /// 0 is every call; a number beyond `FailureSheet.counts` is reduced.
    case countChosen(Int)
    /// A click on the arrow before or after the call.
    case callChanged(Int)
    /// A click on an error, by its place in the sheet's `choices`.
    case pointed(Int)

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard shop.focus == .failureSheet, case .failure(var sheet) = shop.sheet else { return [] }
        switch self {
        case .countChosen(let count):
            let range = FailureSheet.counts
            sheet.count = count < range.lowerBound ? nil : min(count, range.upperBound)
        case .callChanged(let step): sheet.changeCall(step)
        case .pointed(let choice):
            guard sheet.choices.indices.contains(choice) else { return [] }
            // A click on the chosen error acts as Enter.
            if choice == sheet.chosen { return FailureSheet.confirm(in: &shop, moment) }
            sheet.chosen = choice
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
        let next = sheet.chosen + movement.lines(page: max(1, moment.viewport.rows - 1))
        sheet.chosen = min(max(0, next), sheet.choices.count - 1)
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
        guard case .failure(let sheet) = shop.sheet else { return [] }
        shop.sheet = nil
        return [
            .perform(
                .failNext(
                    sheet.call, error: sheet.choices[sheet.chosen], count: sheet.count))
        ]
    }

    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        shop.sheet = nil
        return []
    }
}

extension ShopState {
    mutating func openFailureSheet() -> [ShopEffect] {
        guard sheet == nil, opening == .open else { return [] }
        sheet = .failure(FailureSheet())
        return []
    }
}
