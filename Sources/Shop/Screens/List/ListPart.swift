package import StoreModel

/// The product list's part of the state.
package struct ListPart: Hashable, Sendable {
    /// The index in `productList.rows`, always of a selectable row.
    package var selectedRow = 0
    /// The first row in sight, unless the selection would be out of sight with it.
    package var firstRow = 0
    /// The column by which the products are sorted; nil for the catalog's order.
    package var sort: SortColumn?
    package var search: Search?
    /// The index of the products; nil until a search needs it, and while it is being made.
    package var searchIndex: SearchIndex?
    /// The identifier most similar to the search, if that looks like one and matches no product.
    package internal(set) var nearest: ProductID?
}

/// The search of the product list.
package struct Search: Hashable, Sendable {
    package var text = ""
    /// Whether keys are typed into the search. Enter ends the typing and keeps the filter.
    package var isTyping = true
    /// The product selected before, and again after a search without a match.
    var start: ProductID?
}
