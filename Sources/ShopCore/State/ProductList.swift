package import StoreModel

/// What is for sale, as the list shows it. Rows are cheap to make and to walk: a hundred thousand
/// products cost a screen no more than twenty.
package struct ProductList: Hashable, Sendable {
    /// One line of the list.
    package enum Row: Hashable, Sendable {
        case heading(section: Int)
        /// An empty line between sections.
        case gap
        case product(Int)
        /// The button that brings back past purchases: always the last one.
        case restore

        package var isSelectable: Bool {
            switch self {
            case .product, .restore: true
            case .heading, .gap: false
            }
        }
    }

    package private(set) var products: [Product] = []
    /// Names of the sections, in the catalog's order.
    package private(set) var sections: [String] = []
    package private(set) var rows: [Row] = [.restore]
    /// Identifiers that nobody sells; left out of the list.
    package private(set) var invalidProductIDs: [ProductID] = []
    package private(set) var revision: Int64?
    /// True after the store was replaced, until the one that is there now has answered.
    private var isOutdated = false
    /// The store that is open has said it.
    package var isFromStore: Bool { revision != nil && !isOutdated }
    /// How many products the list shows now.
    package private(set) var shownCount = 0
    /// Tells shelves with other products apart, also of the same revision: territories differ.
    package private(set) var fingerprint = 0
    private var sectionOf: [Int] = []
    private var indexOf: [ProductID: Int] = [:]
    private var firstOfSection: [Int] = []

    package init() {}

    /// Sorts products into sections, keeping the catalog's order within each.
    package init(_ response: ProductsResponse) {
        invalidProductIDs = response.invalidProductIDs
        revision = response.catalogRevision
        var numbers: [String: Int] = [:]
        var groups: [[Product]] = []
        for product in response.products {
            if let number = numbers[product.section] {
                groups[number].append(product)
            } else {
                numbers[product.section] = groups.count
                sections.append(product.section)
                groups.append([product])
            }
        }
        products.reserveCapacity(response.products.count)
        sectionOf.reserveCapacity(response.products.count)
        for (number, group) in groups.enumerated() {
            firstOfSection.append(products.count)
            for product in group {
                indexOf[product.id] = products.count
                products.append(product)
                sectionOf.append(number)
            }
        }
        fingerprint = Self.fingerprint(of: products)
    }

    static func fingerprint(of products: [Product]) -> Int {
        var hasher = Hasher()
        for product in products { hasher.combine(product.id) }
        return hasher.finalize()
    }

    /// Keeps the products in sight although the store that named them is gone.
    mutating func outdate() { isOutdated = true }

    package func product(_ id: ProductID) -> Product? { indexOf[id].map { products[$0] } }

    package func firstProduct(ofSection section: Int) -> Product? {
        firstOfSection.indices.contains(section) ? products[firstOfSection[section]] : nil
    }

    package func product(at row: Int) -> Product? {
        guard rows.indices.contains(row), case .product(let index) = rows[row] else { return nil }
        return products[index]
    }

    package func row(of id: ProductID) -> Int? {
        guard let index = indexOf[id] else { return nil }
        return rows.firstIndex(of: .product(index))
    }

    /// Makes the rows anew.
    ///
    /// - Parameters:
    ///   - matches: the products to show, by their places in `products`; nil shows all.
    ///   - isCompact: leaves out headings and gaps, where rows are dear.
    package mutating func arrange(matches: [Int]?, isCompact: Bool) {
        rows.removeAll(keepingCapacity: true)
        let shown = matches ?? Array(products.indices)
        shownCount = shown.count
        var section: Int?
        for index in shown {
            if !isCompact, sectionOf[index] != section {
                section = sectionOf[index]
                if !rows.isEmpty { rows.append(.gap) }
                if !sections[sectionOf[index]].isEmpty {
                    rows.append(.heading(section: sectionOf[index]))
                }
            }
            rows.append(.product(index))
        }
        if !isCompact, !rows.isEmpty { rows.append(.gap) }
        rows.append(.restore)
    }

    // MARK: - Walking

    /// The selectable row nearest to `row`, looking in `direction` first.
    package func selectable(near row: Int, direction: Int) -> Int {
        let start = min(max(row, 0), rows.count - 1)
        let step = direction < 0 ? -1 : 1
        var at = start
        while rows.indices.contains(at) {
            if rows[at].isSelectable { return at }
            at += step
        }
        at = start
        while rows.indices.contains(at) {
            if rows[at].isSelectable { return at }
            at -= step
        }
        return rows.count - 1
    }
}
