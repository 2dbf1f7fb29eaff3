/// What a person does with the tour itself.
package enum TourAction: ComponentAction, Hashable {
    case wentBack, wentOn, restarted, ended

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard var tour = shop.tour else { return [] }
        switch self {
        case .wentBack: tour.move(by: -1, in: shop)
        case .wentOn: tour.move(by: 1, in: shop)
        case .restarted: tour.restart(in: shop)
        case .ended:
            shop.tour = nil
            return []
        }
        shop.tour = tour
        return []
    }
}

extension ShopAction {
    package static func tour(_ action: TourAction) -> ShopAction { .component(action) }
}

extension ShopState {
    mutating func followTour() {
        guard var tour else { return }
        tour.follow(self)
        self.tour = tour
    }
}
