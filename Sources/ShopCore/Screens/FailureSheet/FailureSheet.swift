package import StoreModel

/// The choice of the error with which the next purchases fail.
package struct FailureSheet: Hashable, Sendable {
    /// The errors to choose from, those that customers meet most often first. All of
    /// `Fault.Call.purchase.errors`.
    package static let choices: [StoreError.Code] = [
        .paymentDeclined, .networkError, .userCancelled, .productUnavailable, .purchaseNotAllowed,
        .unknown, .systemError, .notAvailableInStorefront, .invalidQuantity, .paymentInvalid,
        .notEntitled, .unsupported, .ineligibleForOffer, .invalidOfferIdentifier,
        .invalidOfferPrice, .missingOfferParameters, .invalidOfferSignature,
    ]
    /// How many purchases can be made to fail at once.
    package static let counts = 1...9

    /// An index in `choices`.
    package var chosen = 0
    /// How many purchases fail, within `counts`.
    package var count = 1
}

/// The actions of the failure sheet.
package enum FailureSheetAction: ComponentAction, Hashable {
    /// How many purchases fail; cut to `FailureSheet.counts`.
    case countChosen(Int)
    /// A click on an error, by its place in `FailureSheet.choices`.
    case pointed(Int)

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard shop.focus == .failureSheet, case .failure(var sheet) = shop.sheet else { return [] }
        switch self {
        case .countChosen(let count):
            let range = FailureSheet.counts
            sheet.count = min(max(range.lowerBound, count), range.upperBound)
        case .pointed(let choice):
            guard FailureSheet.choices.indices.contains(choice) else { return [] }
            // A click on the chosen error does what Enter does.
            if choice == sheet.chosen { return FailureSheet.confirm(in: &shop, moment) }
            sheet.chosen = choice
        }
        shop.sheet = .failure(sheet)
        return []
    }
}

extension ShopAction {
    /// An action of the failure sheet.
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
        sheet.chosen = min(max(0, next), choices.count - 1)
        shop.sheet = .failure(sheet)
        return []
    }

    static func choose(_ step: Int, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    { move(step > 0 ? .down : .up, in: &shop, moment) }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard case .failure(let sheet) = shop.sheet else { return [] }
        shop.sheet = nil
        return [
            .perform(.failNext(.purchase, error: choices[sheet.chosen], count: sheet.count))
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
