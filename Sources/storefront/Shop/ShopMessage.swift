import ShopCore

/// What reaches the shop from outside.
enum ShopMessage: Sendable {
    case action(ShopAction)
    /// The store is open: from here on effects can be done.
    case ready(OpenShop)
    case couldNotOpen(any Error)
    /// An effect has been done, whatever came of it.
    case effectEnded(ShopEffect)
}
