package import StoreModel

/// The products for sale, and the rows of the list that shows them. A row is a small value that
/// refers to its product by index: moving the selection takes about as long among a hundred
/// thousand products as among twenty (`make bench`: "key at 100000 products, not 20").
package struct ProductList: Hashable, Sendable {
    /// One line of the list.
    package enum Row: Hashable, Sendable {
        /// The name of a section, by its index in `sections`.
        case heading(section: Int)
        /// An empty line between sections.
        case gap
        /// A product, by its index in `products`.
        case product(Int)
        /// The button that restores past purchases: always the last row.
        case restore

        /// Whether the selection may be on it.
        package var isSelectable: Bool {
            switch self {
            case .product, .restore: true
            case .heading, .gap: false
            }
        }
    }

    /// All products, section by section; in each section in the catalog's order.
    package private(set) var products: [Product] = []
    /// Names of the sections, in the catalog's order.
    package private(set) var sections: [String] = []
    /// The lines of the list as last arranged; never empty.
    package private(set) var rows: [Row] = [.restore]
    /// Identifiers that the store does not know (StoreKit: `invalidProductIdentifiers`).
    private(set) var invalidProductIDs: [ProductID] = []
    /// The catalog revision; nil until the store has answered.
    package private(set) var revision: Int64?
    /// Whether the store was replaced and the new one has not answered yet.
    private var isOutdated = false
    /// Whether the store that is open now has answered with these products.
    var isFromStore: Bool { revision != nil && !isOutdated }
    /// How many products are in `rows`.
    package private(set) var shownCount = 0
    /// A hash of the product identifiers. Lists of the same revision may differ, because
    /// territories sell different products.
    private(set) var fingerprint = 0
    /// The rows that are no products, in order: few, so that counting the others is quick.
    private var otherRows: [Int] = [0]
    private var sectionOf: [Int] = []
    private var indexOf: [ProductID: Int] = [:]
    private var firstOfSection: [Int] = []

    init() {}

    /// Sorts products into sections, keeping the catalog's order within each. The rows are made by
    /// `arrange`.
    init(_ response: ProductsResponse) {
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

    /// Keeps showing the products although their store was replaced.
    mutating func outdate() { isOutdated = true }

    /// The product with an identifier; nil if it is not for sale.
    package func product(_ id: ProductID) -> Product? { indexOf[id].map { products[$0] } }

    /// The first product of a section, by the section's index.
    package func firstProduct(ofSection section: Int) -> Product? {
        firstOfSection.indices.contains(section) ? products[firstOfSection[section]] : nil
    }

    /// The product of a row; nil for other rows.
    package func product(at row: Int) -> Product? {
        guard rows.indices.contains(row), case .product(let index) = rows[row] else { return nil }
        return products[index]
    }

    /// The row of a product; nil if the list does not show it. Walks the rows.
    package func row(of id: ProductID) -> Int? {
        guard let index = indexOf[id] else { return nil }
        return rows.firstIndex(of: .product(index))
    }

    /// Makes the rows.
    ///
    /// - Parameters:
    ///   - matches: the products to show, by index in `products`, in order; nil for all.
    ///   - isCompact: leaves out headings and gaps, for a screen with few rows or columns.
    mutating func arrange(matches: [Int]?, isCompact: Bool) {
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
        otherRows = rows.indices.filter { row in
            if case .product = rows[row] { false } else { true }
        }
    }

    /// How many products stand in this row and below it.
    package func productCount(fromRow row: Int) -> Int {
        rows.count - min(row, rows.count) - otherRows.reversed().prefix { $0 >= row }.count
    }

    // MARK: - Walking

    /// The first selectable row from `row` on in `direction` (negative is up); if there is none,
    /// the first in the other direction.
    func selectable(near row: Int, direction: Int) -> Int {
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
