package import StoreModel

/// The choice of the error with which the next purchase fails.
package struct FailureSheet: Hashable, Sendable {
    /// The errors to choose from.
    package static let choices = StoreError.Code.injectable
    /// An index in `choices`.
    package var chosen = 0
}

extension FailureSheet: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        guard case .failure(var sheet) = shop.sheet else { return [] }
        let next = sheet.chosen + movement.lines(page: 5)
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
        return [.failNext(choices[sheet.chosen])]
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
