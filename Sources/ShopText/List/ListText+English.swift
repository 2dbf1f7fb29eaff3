extension English {
    static func text(_ text: ListText) -> String {
        switch text {
        case .shopName: "Shop"
        case .shopView: "Shop"
        case .console: "Console"
        case .opening: "opening"
        case .anotherShopDelivers: "another shop delivers"
        case .anotherDeliversShort: "second shop"
        case .modesSet(let count): "\(self.count(count, "mode")) set"
        case .failuresQueued(let count): count == 1 ? "1 failure set" : "\(count) failures set"
        case .signedOut: "SIGNED OUT"
        case .promotedLine(let key, let drop):
            "Begun outside the app and held here: \(key) continues, \(drop) drops it."
        case .heldLine(let key, let drop):
            "A payment was not sent, and not charged: \(key) sends it, \(drop) drops it."
        case .heldState: "not sent"
        case .promotedState: "begun outside"
        case .offline: "OFFLINE"
        case .slowNetwork: "SLOW"
        case .offlineLine(let asOf):
            "Offline. This is what this device knew at \(asOf). You keep what you own; buying needs "
                + "the store."
        case .offlineAsOf(let asOf): "offline, as of \(asOf)"
        case .loadingProducts: "Loading products"
        case .productsNotLoaded(let key): "Products not loaded. \(key) tries again."
        case .nothingForSaleIn(let place, let places, let more):
            "Nothing is for sale in \(place). This catalog sells in \(places)"
                + (more > 0 ? " and \(more) more." : ".")
        case .moveToTerritory(let code):
            "Move the account there with: storefront operator territory \(code)"
        case .nothingForSale: "Nothing is for sale here."
        case .noProductFound: "No product matches."
        case .nearestIdentifier(let id): "The nearest identifier is \(id)."
        case .choosePlan: "choose one plan"
        case .paymentsAreOff: "Payments are off. What you own stays."
        case .moreProducts(let count, let names): "\(count) more: \(names)"
        case .position(let at, let count): "\(at) of \(count)"
        case .consumables: "Consumables"
        case .oneTimePurchases: "One-time purchases"
        case .subscriptions: "Subscriptions"
        case .passes: "Passes"
        case .saving(let percent): "save \(percent)%"
        case .welcome(let buy, let help):
            "Welcome. Press Enter to look at a product, \(buy) to buy it, \(help) for all keys."
        case .welcomeShort(let buy, let help): "Enter opens, \(buy) buys, \(help) shows all keys."
        case .inPurse(let amount): "\(amount) in your purse"
        case .owed(let amount): "you owe \(amount)"
        case .owedOf(let amount, let unit): "you owe \(amount) \(unit)"
        case .restoring: "restoring"
        case .tooSmall(let size, let needed):
            "This window is too small: \(size). The shop needs \(needed). q quits."
        case .tooSmallShort(let size, let needed): "Too small: \(size). Needs \(needed). q quits."
        case .needs(let size): "Needs \(size). q quits"
        case .libraryView: "Library"
        case .needsNewerVersion: "needs a newer version"
        case .historyView: "History"
        case .nameColumn: "name"
        case .priceColumn: "price"
        case .dayColumn: "bought"
        case .kindColumn: "kind"
        }
    }
}
