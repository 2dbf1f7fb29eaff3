import Shop
import StoreModel

/// A message to the shop's loop from a task, the store or the terminal.
enum ShopMessage: Sendable {
    case action(ShopAction)
    /// The store is open, so the worker can carry out effects.
    case ready(OpenShop)
    case couldNotOpen(any Error)
    /// A demo is about to open. The last event of filling its store is the failed payment for this
    /// product.
    case opensQuietly(until: ProductID)
    /// An effect has ended, with or without success.
    case effectEnded(ShopEffect)
}
