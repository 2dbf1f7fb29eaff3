/// The help's part of the state.
package struct HelpPart: Hashable, Sendable {
    package var list = EntryList()
}

/// The actions of the help.
package enum HelpAction: ComponentAction, Hashable {
    case typed(String)
    /// Backspace: the last character of the filter.
    case erased
    case pointed(Entry.ID)

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch self {
        case .typed(let text): shop.help?.list.type(text)
        case .erased: shop.help?.list.erase()
        case .pointed(let id):
            guard moment.viewport.entries.contains(where: { $0.id == id }) else { return [] }
            // A click on the chosen line acts as Enter.
            if shop.help?.list.choose(id, moment.viewport) == false {
                return Help.confirm(in: &shop, moment)
            }
        }
        return []
    }
}

extension ShopAction {
    package static func help(_ action: HelpAction) -> ShopAction { .component(action) }
}

/// The list of all keys, which covers the screen. Typed text filters it. Enter carries out the
/// chosen key's action, if the key belongs to the covered component.
package enum Help: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        shop.help?.list.move(movement, moment.viewport)
        return []
    }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        // The help hides the payment sheet and its price, so it never presses the sheet's buttons.
        if case .payment = shop.sheet { return [] }
        guard let help = shop.help, let entry = help.list.chosenEntry(in: moment.viewport.entries)
        else { return [] }
        if case .inPalette(let line) = entry.id {
            shop.help = nil
            return shop.openPalette(list: EntryList(filter: help.list.filter, chosen: line))
        }
        guard let action = entry.action else { return [] }
        shop.help = nil
        // The chosen key would open the help again, and the help has just been closed.
        if case .helpToggled = action { return [] }
        return shop.follow(action, moment)
    }

    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        shop.help = nil
        return []
    }
}
