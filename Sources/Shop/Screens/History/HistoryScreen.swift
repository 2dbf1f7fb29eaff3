/// The history: the events of the account, and of this device, newest first.
package enum HistoryScreen: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    { shop.moveInLog(movement) }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        shop.openDetails(moment)
    }

    /// Removes the marks, or ends the filter; without both, goes back to the shop.
    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        shop.clearLog() ?? shop.show(.shop, moment)
    }
}
