import Synchronization

/// The messages for the shop from tasks, store and terminal. Taken out by the one thread that owns
/// the shop's state, in the order it was put in.
final class Mailbox: Sendable {
    private let letters = Mutex<[ShopMessage]>([])
    private let onFirst: @Sendable () -> Void

    /// - Parameter onFirst: called when something comes into an empty box.
    init(onFirst: @escaping @Sendable () -> Void) { self.onFirst = onFirst }

    func put(_ letter: ShopMessage) {
        let isFirst = letters.withLock { letters in
            letters.append(letter)
            return letters.count == 1
        }
        if isFirst { onFirst() }
    }

    func takeAll() -> [ShopMessage] {
        letters.withLock { letters in
            let all = letters
            letters.removeAll()
            return all
        }
    }
}
