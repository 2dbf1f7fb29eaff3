import ShopText
package import StoreModel

extension UnlockID {
    /// Copying passages of a book out of the reader.
    package static let copyPassages = UnlockID("reader.copy")
}

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

    /// The owned product that opens the content of one that the account has not bought; nil if none
    /// does, and for a product that this device has delivered.
    func opener(of product: Product) -> Product? {
        guard let unlock = product.unlockedBy, !snapshot.delivered.contains(product.id) else {
            return nil
        }
        return productList.products(unlocking: unlock).first {
            snapshot.delivered.contains($0.id) && isOwned($0.id)
        }
    }

    /// Whether the account may read the product's content on this device.
    func isOpen(_ product: Product) -> Bool {
        snapshot.delivered.contains(product.id) || opener(of: product) != nil
    }

    /// Whether content is on this device that nothing opens any more, because a plan has ended.
    package func isClosed(_ product: Product) -> Bool {
        product.unlockedBy != nil && !isOpen(product)
            && snapshot.downloads[product.id]?.installed.isEmpty == false
    }

    /// The product to buy for content that a product unlocks; nil if it is open, or nothing for
    /// sale unlocks it.
    package func offeredOpener(of product: Product) -> Product? {
        guard let unlock = product.unlockedBy, !isOpen(product) else { return nil }
        let openers = productList.products(unlocking: unlock)
        return openers.first { snapshot.delivered.contains($0.id) } ?? openers.first
    }

    /// The owned product that unlocks everything that this one would; nil if something would be
    /// new, or this one is owned itself.
    package func alreadyUnlocked(by product: Product) -> Product? {
        guard let first = product.unlocks.first, !isOwned(product.id),
            activeUnlocks.isSuperset(of: product.unlocks)
        else { return nil }
        return self.product(unlocking: first)
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

    /// Whether another theme is drawn than the account's.
    package var isThemeForced: Bool { own.hiding[.theme] != nil }

    /// The language of the words: the account's, unless a setting hides it.
    package var language: String {
        own.hiding[.language] == nil ? snapshot.settings.language ?? shop.language : shop.language
    }

    /// Uses it, or opens the page of the product that unlocks it.
    mutating func chooseTheme(_ theme: UnlockID?, _ moment: ShopMoment) -> [ShopEffect] {
        if let theme, !activeUnlocks.contains(theme) {
            if let product = product(unlocking: theme) { openPage(product.id) }
            return []
        }
        return use(theme, moment)
    }

    /// Drawn at once, unless a setting hides it, and stored; nil is the standard theme.
    mutating func use(_ theme: UnlockID?, _ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        snapshot.settings.theme = theme?.rawValue
        return keep(
            .theme, AccountValue(key: AccountValue.themeKey, value: theme?.rawValue), moment)
    }

    /// The words of the screens change at once, unless a setting hides them.
    mutating func use(language: String, _ moment: ShopMoment) -> [ShopEffect] {
        guard opening == .open else { return refuse(.stillOpening, moment) }
        snapshot.settings.language = language
        return keep(
            .language, AccountValue(key: AccountValue.languageKey, value: language), moment)
    }

    private mutating func keep(
        _ setting: PersonSetting, _ value: AccountValue, _ moment: ShopMoment
    ) -> [ShopEffect] {
        if let source = own.hiding[setting] {
            _ = announce(.settings(.keptForAccount(source)), moment)
        }
        return [.setValue(value)]
    }
}
