import StoreModel

/// The history: the events of the account, and of this device, newest first.
package enum HistoryScreen: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    { shop.moveInLog(movement) }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        shop.openDetails(moment)
    }

    /// Ends the filter; without one, goes back to the shop.
    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard !shop.history.isFiltered else {
            return shop.changeLog { log, vocabulary in log.endFilter(vocabulary) }
        }
        return shop.show(.shop, moment)
    }
}
