package import StoreModel

/// Guides a person through a purchase in the roles of customer and operator. It only reads the
/// shop's state: the person presses the shop's own keys, all of which keep their actions.
package struct Tour: Hashable, Sendable {
    /// Nil until the shop can sell.
    package internal(set) var step: TourStep?
    /// The first buyable product with content to download, otherwise the first that the account
    /// keeps, chosen when the shop can sell. Nil if there is none.
    package internal(set) var product: ProductID?
    /// The products whose purchases waited last, up to the step that answers them.
    private var asked: Set<ProductID> = []
    /// Whether the present step was done when a person moved to it (`move`); nil after a step that
    /// the tour took itself.
    private var wasDoneAtMove: Bool?

    package init() {}

    /// What became of the purchases that waited for an answer.
    enum Answer: Hashable {
        case nothingWaited, waiting, sold
        /// Declined, withdrawn, or approved when it could no longer be sold.
        case notSold
    }

    func answer(in state: ShopState) -> Answer {
        guard !asked.isEmpty else { return .nothingWaited }
        let left = asked.compactMap { state.snapshot.queued[$0]?.state }
        if left.contains(.deferred) { return .waiting }
        return left.isEmpty && asked.isDisjoint(with: state.snapshot.delivered) ? .notSold : .sold
    }

    /// To another step, where the tour stays until the person does what the step says or undoes it.
    mutating func move(by steps: Int, in state: ShopState) {
        guard let step else { return }
        let last = TourStep.allCases.count - 1
        self.step = TourStep(rawValue: min(max(step.rawValue + steps, 0), last))
        wasDoneAtMove = self.step?.isDone(in: state, buying: product)
    }

    /// From the first step, with a product that can be bought now.
    mutating func restart(in state: ShopState) {
        guard step != nil else { return }
        self = Tour()
        product = Self.product(in: state)
        step = .open
        move(by: 0, in: state)
    }

    /// Advances past every completed step, or returns to the step on which the present one depends.
    /// Must be called after each action: a state that lasts only between two calls is missed.
    package mutating func follow(_ state: ShopState) {
        if step == nil {
            guard state.isReady else { return }
            product = Self.product(in: state)
            step = .open
        }
        noteRequests(in: state)
        if let wasDone = wasDoneAtMove {
            guard step?.isDone(in: state, buying: product) != wasDone else { return }
            wasDoneAtMove = nil
        }
        while let now = step, now.isDone(in: state, buying: product), let next = now.next {
            step = next
        }
        while let now = step, now.dependsOnPrevious, let previous = now.previous,
            !previous.isDone(in: state, buying: product)
        {
            step = previous
        }
    }

    private mutating func noteRequests(in state: ShopState) {
        let waiting = state.snapshot.queued.filter { $0.value.state == .deferred }.keys
        guard let step, step.rawValue <= TourStep.approve.rawValue, !waiting.isEmpty else { return }
        asked = Set(waiting)
    }

    private static func product(in state: ShopState) -> ProductID? {
        let buyable = state.productList.products.lazy.filter { product in
            guard product.type == .nonConsumable else { return false }
            return switch state.status(of: product) {
            case .buyable, .included(_, _, isHere: false): true
            default: false
            }
        }
        let hosted = buyable.first { if case .hosted = $0.delivery { true } else { false } }
        return (hosted ?? buyable.first)?.id
    }
}

extension TourStep {
    fileprivate var next: TourStep? { TourStep(rawValue: rawValue + 1) }
    fileprivate var previous: TourStep? { TourStep(rawValue: rawValue - 1) }
}
