import ShopCore
import StoreModel

/// A message to the shop from outside: from a task, the store or the terminal.
enum ShopMessage: Sendable {
    case action(ShopAction)
    /// The store is open: from here on effects can be done.
    case ready(OpenShop)
    case couldNotOpen(any Error)
    /// A demo is about to open. The failed payment for this product is the last thing that happened
    /// while its store was filled.
    case opensQuietly(until: ProductID)
    /// An effect has been done, whatever came of it.
    case effectEnded(ShopEffect)
}
