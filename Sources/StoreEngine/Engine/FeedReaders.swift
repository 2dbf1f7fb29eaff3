import StoreModel
import Synchronization

/// What the readers of devices' feeds in this process share, so that a fault of
/// `Fault.Call.updates` disturbs the readers of one device alike, and so that a purchase and its
/// update can be put in order.
final class FeedReaders: Sendable {
    /// A counted fault that a reader has used up once for these updates, named by their positions.
    struct Use: Hashable {
        var fault: Int64
        var customer: Customer
        var updates: Set<Int64>
        var error: StoreError.Code
    }

    /// One reader. It leaves when this is released.
    final class Reader: Sendable {
        private let readers: FeedReaders
        private let id: Int

        fileprivate init(_ readers: FeedReaders, _ id: Int) { (self.readers, self.id) = (readers, id) }

        deinit { readers.move { $0.waiting[id] = nil } }

        /// - Parameter cursor: the reader has taken everything at or before it; nil if it cannot
        ///   take more, because its feed holds an update back.
        func hasTaken(_ cursor: FeedCursor?) { readers.move { $0.waiting[id]?.cursor = cursor } }
    }

    private struct State {
        var nextID = 0
        /// By the readers' ids. The cursor is nil for a reader that cannot be waited for.
        var waiting: [Int: (customer: Customer, cursor: FeedCursor?)] = [:]
        var unanswered: Set<PaymentID> = []
        /// The latest ones.
        var uses: [Use] = []
    }
    private let state = Mutex(State())
    private let moves = ChangeSignal()
    /// After each answer of a purchase.
    let answers = ChangeSignal()
    private static let usesMax = 16

    private func move(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        moves.notify()
    }

    func reader(of customer: Customer, after cursor: FeedCursor) -> Reader {
        let id = state.withLock { state in
            state.nextID += 1
            state.waiting[state.nextID] = (customer, cursor)
            return state.nextID
        }
        return Reader(self, id)
    }

    var unanswered: Set<PaymentID> { state.withLock { $0.unanswered } }

    func noteSent(_ payment: PaymentID) {
        state.withLock { _ = $0.unanswered.insert(payment) }
    }

    func noteAnswered(_ payment: PaymentID) {
        state.withLock { _ = $0.unanswered.remove(payment) }
        answers.notify()
    }

    /// Returns when every reader of this customer's feed in this process has taken everything up to
    /// a cursor, or cannot; at once if there is none.
    func wait(for customer: Customer, toTake end: FeedCursor) async {
        for await _ in moves.subscribe() {
            let isBehind = state.withLock { state in
                state.waiting.values.contains { reader in
                    guard reader.customer == customer, let cursor = reader.cursor else {
                        return false
                    }
                    return cursor.epoch == end.epoch && cursor.position < end.position
                }
            }
            if !isBehind { return }
        }
    }

    /// The use of a fault for one of these updates; nil if none was used up for them.
    func use(of updates: Set<Int64>, by customer: Customer) -> Use? {
        state.withLock { state in
            state.uses.last { $0.customer == customer && !$0.updates.isDisjoint(with: updates) }
        }
    }

    func note(_ use: Use) {
        state.withLock { $0.uses = ($0.uses + [use]).suffix(Self.usesMax) }
    }

    /// The fault could not be used up.
    func forget(_ use: Use) { state.withLock { $0.uses.removeAll { $0 == use } } }
}
