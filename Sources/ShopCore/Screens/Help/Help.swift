/// The help's part of the state.
package struct HelpPart: Hashable, Sendable {
    /// How far it is scrolled, in rows; nil until a person scrolls: it then begins with the keys of
    /// the present screen.
    package var scroll: Int?

    package init(scroll: Int? = nil) { self.scroll = scroll }
}

/// The list of all keys. It covers the screen, and keys only scroll or close it.
enum Help: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        let scroll = shop.viewport.scrolled(from: shop.help?.scroll, by: movement)
        shop.help?.scroll = scroll
        return []
    }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        goBack(in: &shop, moment)
    }

    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        shop.help = nil
        return []
    }
}
