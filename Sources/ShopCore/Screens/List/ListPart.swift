import StoreModel

/// The product list's part of the state.
package struct ListPart: Hashable, Sendable {
    /// The index in `productList.rows`, always of a selectable row.
    package var selectedRow = 0
    /// The first row that the screen shows, unless the selection would then be out of sight.
    package var firstRow = 0
    /// Nil while nothing is searched for.
    package var search: Search?
    /// Nil until a search needs it, and while it is made for other products.
    package var searchIndex: SearchIndex?
}

/// The search of the product list.
package struct Search: Hashable, Sendable {
    /// The text that was typed.
    package var text = ""
    /// Whether keys are typed into the search. Enter ends the typing and keeps the filter.
    package var isTyping = true
    /// The product that was selected before the search: selected again after a search that found
    /// nothing.
    var start: ProductID?

    /// Memberwise: the values are not checked.
    package init(text: String = "", isTyping: Bool = true) {
        self.text = text
        self.isTyping = isTyping
    }
}
