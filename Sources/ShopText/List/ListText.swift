/// The list of products, and the header above every screen.
package enum ListText: Hashable, Sendable {
    case shopName, shopView, console, opening, anotherShopDelivers, anotherDeliversShort
    case failuresQueued(Int), modesSet(Int), signedOut, promotedState, offline
    case promotedLine(continue: String, drop: String), productsNotLoaded(key: String)
    case heldLine(send: String, drop: String), heldState
    case slowNetwork
    case offlineLine(asOf: String), offlineAsOf(String), loadingProducts
    /// With the names of territories; `more` is how many others have something for sale.
    case nothingForSaleIn(String, soldIn: String, more: Int), moveToTerritory(code: String)
    case nothingForSale, noProductFound, nearestIdentifier(String), choosePlan, paymentsAreOff
    case moreProducts(Int, names: String), position(Int, of: Int), consumables, oneTimePurchases
    case subscriptions, passes, saving(percent: Int), welcome(buy: String, help: String)
    case welcomeShort(buy: String, help: String), inPurse(Int64)
    case owed(Int64), owedOf(Int64, unit: String), restoring, tooSmall(size: String, needed: String)
    case tooSmallShort(size: String, needed: String), needs(String), libraryView, needsNewerVersion
    case historyView, nameColumn, priceColumn, dayColumn, kindColumn
}
