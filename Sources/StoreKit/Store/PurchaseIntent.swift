#if os(Linux)
import StoreDevice
import StoreModel
import Synchronization

/// A purchase that a person has begun outside the app, and that the app may continue.
public struct PurchaseIntent: Equatable, Sendable, Identifiable {
    /// The type of `id`.
    public typealias ID = Product.ID

    /// The product to buy.
    public let product: Product
    /// Always nil: what is begun outside the app names no offer.
    public let offer: Product.SubscriptionOffer?
    /// Of the product.
    public var id: Product.ID { product.id }

    /// Purchases begun outside the app, each once, from the first that nobody was told of. Endless.
    public static var intents: PurchaseIntents { PurchaseIntents() }

    /// Purchases begun outside the app, one after the other.
    public struct PurchaseIntents: AsyncSequence, Sendable {
        /// One of them.
        public typealias Element = PurchaseIntent
        /// None is thrown.
        public typealias Failure = Never

        /// A new reader, which misses nothing from now on.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(updates: AppStoreProcess.updates())
        }

        /// One reader's position.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var updates: AppUpdateReader
            /// Nil until they are read.
            fileprivate var waiting: [WaitingIntents.Intent]?
            fileprivate var last: FeedCursor?

            /// The next one; nil for a reader that was cancelled.
            public mutating func next() async -> PurchaseIntent? {
                while let next = await nextWaiting() {
                    if let intent = await PurchaseIntent.take(next) { return intent }
                }
                return nil
            }

            private mutating func nextWaiting() async -> WaitingIntents.Intent? {
                if waiting == nil {
                    waiting = (try? await AppStoreProcess.current())?.intents.all ?? []
                }
                if let first = waiting?.first {
                    waiting?.removeFirst()
                    last = first.cursor ?? last
                    return first
                }
                while let update = await updates.next() {
                    guard let intent = WaitingIntents.Intent(update), isNew(intent) else {
                        continue
                    }
                    last = intent.cursor
                    return intent
                }
                return nil
            }

            /// One that waited is in the stream, too, if the reader is older than it.
            private func isNew(_ intent: WaitingIntents.Intent) -> Bool {
                guard let last, let cursor = intent.cursor, last.epoch == cursor.epoch else {
                    return true
                }
                return cursor.position > last.position
            }
        }
    }

    /// Nil if the product is not for sale.
    private static func take(_ intent: WaitingIntents.Intent) async -> PurchaseIntent? {
        guard let session = try? await AppStoreProcess.current() else { return nil }
        session.intents.remove(intent)
        await session.dropPromoted(intent.product)
        let products = try? await session.device.products([intent.product]).value.products
        return products?.first.map { PurchaseIntent(product: Product($0), offer: nil) }
    }
}

extension AppStoreSession {
    /// Lets no later launch tell of a purchase begun outside the app that was told of now.
    func dropPromoted(_ product: ProductID) async {
        // The device may not have read of it yet, and would hold it when it does.
        try? await device.takeInChanges()
        _ = try? await device.dropPromoted(product)
    }
}

/// The purchases begun outside the app that a session has told nobody. Safe from any thread.
final class WaitingIntents: Sendable {
    /// A purchase begun outside the app.
    struct Intent: Equatable, Sendable {
        var product: ProductID
        /// Of its event; nil if the device holds it from before the session.
        var cursor: FeedCursor?
    }
    private let intents = Mutex<[Intent]>([])

    /// Those that the device holds. None of them is told twice.
    func begin(with held: [PromotedPurchase]) {
        intents.withLock { $0 = held.map { Intent(product: $0.productID) } }
    }

    func note(_ update: AppUpdate) {
        guard let intent = Intent(update) else { return }
        intents.withLock { $0.append(intent) }
    }

    func remove(_ intent: Intent) { intents.withLock { $0.removeAll { $0 == intent } } }

    func remove(_ product: ProductID) {
        intents.withLock { $0.removeAll { $0.product == product } }
    }

    var all: [Intent] { intents.withLock { $0 } }
}

extension WaitingIntents.Intent {
    /// Nil for any other update.
    fileprivate init?(_ update: AppUpdate) {
        guard case .event(let event, _, _) = update, case .promoted(let product) = event.change
        else { return nil }
        self.init(product: product, cursor: event.cursor)
    }
}
#endif
