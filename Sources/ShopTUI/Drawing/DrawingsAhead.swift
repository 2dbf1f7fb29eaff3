package import ShopCore
package import StoreModel
package import Terminal

/// What the arrow keys would show next, drawn while nobody waits for anything: after a moment of
/// rest, drawing is most of the time between a key and the screen.
package struct DrawingsAhead {
    private static let movements: [ShopAction.Movement] = [.down, .up]

    private var drawings: [ShopDrawing] = []
    private var madeAt = Timestamp(milliseconds: 0)
    private var actionCount = 0
    private var reached: Int?

    package init() {}

    package var isMade: Bool { !drawings.isEmpty }

    package mutating func make(after state: ShopState, _ draw: (ShopState) -> ShopDrawing) {
        forget()
        drawings = Self.movements.map { draw(state.moved($0)) }
        madeAt = state.now
    }

    /// To be told of everything that may change the state.
    package mutating func note(_ action: ShopAction) {
        actionCount += 1
        guard actionCount == 1, case .selectionMoved(let movement) = action else { return }
        reached = Self.movements.firstIndex(of: movement)
    }

    /// The drawing of the state as it is now; nil unless a movement drawn ahead was all that
    /// happened, on the same day and the same screen.
    package func drawing(at now: Timestamp, on size: Size) -> ShopDrawing? {
        guard isMade, actionCount == 1, let reached, now.day == madeAt.day,
            drawings[reached].frame.size == size
        else { return nil }
        return drawings[reached]
    }

    package mutating func forget() {
        drawings.removeAll(keepingCapacity: true)
        (actionCount, reached) = (0, nil)
    }
}

extension Timestamp {
    fileprivate var day: Int64 { milliseconds / 86_400_000 }
}
