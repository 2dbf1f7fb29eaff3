package import ShopCore
package import StoreModel
package import Terminal

/// What the arrow keys would show next, drawn while nobody waits for anything: after a moment of
/// rest, drawing is most of the time between a key and the screen.
package struct DrawingsAhead {
    private static let movements: [ShopAction.Movement] = [.down, .up]

    private var drawings: [ShopDrawing] = []
    /// Where the first action since they were made has led.
    private var reached: ShopDrawing?
    private var madeAt = Timestamp(milliseconds: 0)

    /// Nothing has happened since they were made.
    package private(set) var isMade = false

    package init() {}

    package mutating func make(after state: ShopState, _ draw: (ShopState) -> ShopDrawing) {
        drawings = Self.movements.map { draw(state.moved($0)) }
        reached = nil
        madeAt = state.now
        isMade = true
    }

    /// To be told of everything that may change the state.
    package mutating func note(_ action: ShopAction) {
        let isFirst = isMade
        (isMade, reached) = (false, nil)
        guard isFirst, case .selectionMoved(let movement) = action,
            let number = Self.movements.firstIndex(of: movement)
        else { return }
        reached = drawings[number]
    }

    /// The drawing of the state as it is now; nil unless a movement drawn ahead was all that
    /// happened, on the same day and the same screen.
    package func drawing(at now: Timestamp, on size: Size) -> ShopDrawing? {
        guard let reached, reached.frame.size == size, now.day == madeAt.day else { return nil }
        return reached
    }

    package mutating func forget() {
        drawings = []
        (isMade, reached) = (false, nil)
    }
}

extension Timestamp {
    fileprivate var day: Int64 { milliseconds / 86_400_000 }
}
