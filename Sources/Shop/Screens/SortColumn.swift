/// A column by which a person sorts the list, the library or an event log.
package enum SortColumn: Hashable, Sendable {
    case name
    /// From the lowest.
    case price
    /// Of the latest purchase, from the newest.
    case day
    /// Of the lines of an event log.
    case kind

    /// Those of equal keys stay in their order.
    static func sorted<Element, Key: Comparable>(
        _ elements: [Element], by key: (Element) -> Key
    ) -> [Element] {
        elements.map { (key($0), $0) }.enumerated()
            .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
            .map(\.element.1)
    }

    /// The one after `current` in the order of `columns`; after the last, nil: the own order.
    static func next(after current: SortColumn?, in columns: [SortColumn]) -> SortColumn? {
        let at = current.flatMap { columns.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        return columns.indices.contains(at) ? columns[at] : nil
    }
}

/// Sorts by the next column of the screen that has the focus.
package struct SortCycled: ComponentAction, Hashable {
    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        if shop.focusedLog != nil { return shop.sortLog(moment) }
        switch shop.screen {
        case .list:
            shop.list.sort = SortColumn.next(after: shop.list.sort, in: [.name, .price])
            shop.arrangeProductList()
        case .library:
            shop.library.sort = SortColumn.next(after: shop.library.sort, in: [.name, .day])
            shop.arrangeLibrary()
        default: break
        }
        return []
    }
}
