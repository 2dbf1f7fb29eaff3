import ShopText
package import StoreModel

/// What the account's products unlock in the app, and the theme that a person has chosen.
extension ShopState {
    /// The unlocks of the products that this device has delivered and that the account still owns.
    /// A delivery is verified each time it is read, so that an altered record unlocks nothing.
    package var activeUnlocks: Set<UnlockID> {
        var unlocks: Set<UnlockID> = []
        for id in snapshot.delivered where isOwned(id) {
            unlocks.formUnion(productList.product(id)?.unlocks ?? [])
        }
        return unlocks
    }

    /// The chosen theme while it is unlocked; nil for the standard theme.
    package var theme: UnlockID? {
        guard let chosen = snapshot.settings.theme.map({ UnlockID($0) }),
            shop.themes.contains(chosen), activeUnlocks.contains(chosen)
        else { return nil }
        return chosen
    }

    /// The themes that products unlock and the app can draw, in the catalog's order.
    package var themes: [UnlockID] {
        productList.unlocks.filter { shop.themes.contains($0) }
    }

    /// Nil if it unlocks none that the app can draw.
    package func theme(of product: Product) -> UnlockID? {
        product.unlocks.first { shop.themes.contains($0) }
    }

    /// The product that has an unlock: an owned one, otherwise the first that is for sale.
    package func product(unlocking unlock: UnlockID) -> Product? {
        let products = productList.products(unlocking: unlock)
        return products.first { isOwned($0.id) } ?? products.first
    }

    /// Whether `--theme` overrides the chosen theme.
    package var isThemeForced: Bool { viewport.isThemeForced }

    /// Uses it, or opens the page of the product that unlocks it.
    mutating func chooseTheme(_ theme: UnlockID?, _ moment: ShopMoment) -> [ShopEffect] {
        if let theme, !activeUnlocks.contains(theme) {
            if let product = product(unlocking: theme) { openPage(product.id) }
            return []
        }
        return use(theme, moment)
    }

    /// Drawn at once, unless `--theme` overrides it, and stored; nil is the standard theme.
    mutating func use(_ theme: UnlockID?, _ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        guard snapshot.settings.theme != theme?.rawValue else { return [] }
        snapshot.settings.theme = theme?.rawValue
        if viewport.isThemeForced { _ = announce(.themeKept, moment) }
        return [.saveSettings(snapshot.settings)]
    }
}
