import Shop
import StoreModel

/// A message to the shop's loop from a task, the store or the terminal.
enum ShopMessage: Sendable {
    case action(ShopAction)
    /// The store is open, so the worker can carry out effects.
    case ready(OpenShop)
    case couldNotOpen(any Error)
    /// A demo is about to open. The failed payment for this product is its filling's last event.
    case opensQuietly(until: ProductID)
    /// An effect has ended, with or without success.
    case effectEnded(ShopEffect)
}
