import Synchronization

/// A queue of messages to the shop from tasks, the store and the terminal. The thread that owns the
/// shop's state takes them, in the order in which they were put in.
final class Mailbox: Sendable {
    private let letters = Mutex<[ShopMessage]>([])
    private let onFirst: @Sendable () -> Void

    /// - Parameter onFirst: called when an empty queue gets a message, on the sender's thread.
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
