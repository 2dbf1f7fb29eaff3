package import StoreModel

/// The products for sale, and the rows of the list that shows them. A row is a small value that
/// refers to its product by index: moving the selection takes about as long among a hundred
/// thousand products as among twenty (`make bench`: "key at 100000 products, not 20").
package struct ProductList: Hashable, Sendable {
    /// A heading under which products are listed.
    package enum Section: Hashable, Sendable {
        /// The catalog's name for the section; empty for products without a section.
        case named(String)
        /// A subscription group, by its name, where the catalog has no sections.
        case group(String)
        /// All other products of a type, where the catalog has no sections.
        case kind(ProductType)

        init(kindOf product: Product) {
            self = product.subscription.map { .group($0.groupName) } ?? .kind(product.type)
        }
    }

    /// One line of the list.
    package enum Row: Hashable, Sendable {
        /// The name of a section, by its index in `sections`.
        case heading(section: Int)
        /// An empty line between sections.
        case gap
        /// A product, by its index in `products`.
        case product(Int)
        /// The button that restores past purchases: the last row, except during a search.
        case restore
        /// The button that ends the search: the last row during a search, so that every other row
        /// of a search is a product.
        case endSearch

        /// Whether the row can be selected.
        package var isSelectable: Bool {
            switch self {
            case .product, .restore, .endSearch: true
            case .heading, .gap: false
            }
        }
    }

    /// All products, section by section; in each section in the catalog's order.
    package private(set) var products: [Product] = []
    /// The sections, in the catalog's order.
    package private(set) var sections: [Section] = []
    /// The words that distinguish products of the same name, by product; a product with a unique
    /// name has no entry.
    package private(set) var distinctions: [ProductID: String] = [:]
    /// The saving of a plan in percent, compared with the shortest plan of its group and level;
    /// only where it is at least one percent.
    package private(set) var savings: [ProductID: Int] = [:]
    /// The price of a plan for one month, to compare it with other plans of its group; monthly
    /// plans have no entry.
    package private(set) var monthlyPrices: [ProductID: Money] = [:]
    /// The lines of the list as last arranged; never empty.
    package private(set) var rows: [Row] = [.restore]
    /// The catalog revision; nil until the store has answered.
    package private(set) var revision: Int64?
    /// Whether the products are of a replaced store, because the new store has not answered yet.
    private var isOutdated = false
    /// Whether the products are from the store that is open now.
    var isFromStore: Bool { revision != nil && !isOutdated }
    /// The number of products in `rows`.
    package private(set) var shownCount = 0
    /// A hash of the product identifiers. Lists of the same revision may differ, because
    /// territories sell different products.
    private(set) var fingerprint = 0
    /// The indices of the rows that are not products, ascending. There are few of them, so that
    /// counting the product rows is quick.
    private var otherRows: [Int] = [0]
    /// The features that the products unlock, each once, in the order of `products`.
    private(set) var unlocks: [UnlockID] = []
    private var unlocking: [UnlockID: [Int]] = [:]
    private var sectionOf: [Int] = []
    private var indexOf: [ProductID: Int] = [:]
    private var firstOfSection: [Int] = []

    init() {}

    /// Sorts products into sections, keeping the catalog's order within each. The rows are made by
    /// `arrange`.
    init(_ response: ProductsResponse) {
        revision = response.catalogRevision
        var numbers: [Section: Int] = [:]
        var groups: [[Product]] = []
        let hasSections = response.products.contains { !$0.section.isEmpty }
        for product in response.products {
            let section = hasSections ? .named(product.section) : Section(kindOf: product)
            if let number = numbers[section] {
                groups[number].append(product)
            } else {
                numbers[section] = groups.count
                sections.append(section)
                groups.append([product])
            }
        }
        distinctions = Self.distinctions(of: response.products)
        savings = Self.savings(of: response.products)
        monthlyPrices = Self.monthlyPrices(of: response.products)
        products.reserveCapacity(response.products.count)
        sectionOf.reserveCapacity(response.products.count)
        for (number, group) in groups.enumerated() {
            firstOfSection.append(products.count)
            for product in group {
                indexOf[product.id] = products.count
                for unlock in product.unlocks {
                    if unlocking[unlock] == nil { unlocks.append(unlock) }
                    unlocking[unlock, default: []].append(products.count)
                }
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

    /// Marks the products as those of a replaced store; they stay in the list.
    mutating func outdate() { isOutdated = true }

    /// The product with an identifier; nil if it is not for sale.
    package func product(_ id: ProductID) -> Product? { indexOf[id].map { products[$0] } }

    /// The index of a product in `products`; nil if it is not for sale.
    func position(of id: ProductID) -> Int? { indexOf[id] }

    /// The products that have an unlock, in the order of `products`.
    func products(unlocking unlock: UnlockID) -> [Product] {
        unlocking[unlock, default: []].map { products[$0] }
    }

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
                if sections[sectionOf[index]] != .named("") {
                    rows.append(.heading(section: sectionOf[index]))
                }
            }
            rows.append(.product(index))
        }
        if !isCompact, !rows.isEmpty { rows.append(.gap) }
        rows.append(matches == nil ? .restore : .endSearch)
        otherRows = rows.indices.filter { row in
            if case .product = rows[row] { false } else { true }
        }
    }

    /// The number of products in this row and the rows below it.
    package func productCount(fromRow row: Int) -> Int {
        rows.count - min(row, rows.count) - otherRows.reversed().prefix { $0 >= row }.count
    }

    /// The names of the first products from a row on, at most `count`.
    package func names(fromRow row: Int, atMost count: Int) -> [String] {
        var names: [String] = []
        for at in row..<max(row, rows.count) where names.count < count {
            if let product = product(at: at) { names.append(product.displayName) }
        }
        return names
    }

    /// The section of a product; nil if the product is not for sale.
    package func section(of id: ProductID) -> Section? {
        indexOf[id].map { sections[sectionOf[$0]] }
    }

    /// The next product with content in the same section, such as the next book; nil for the last
    /// one, and for a product that is not for sale.
    func nextWithContent(after id: ProductID) -> Product? {
        guard let place = indexOf[id] else { return nil }
        let rest = products.indices.dropFirst(place + 1).prefix {
            sectionOf[$0] == sectionOf[place]
        }
        return rest.lazy.map { products[$0] }.first { !$0.hostedContent.isEmpty }
    }

    /// The nearest product above (-1) or below (1) a row; nil at the end of the list.
    package func neighbour(of row: Int, step: Int) -> Product? {
        var at = row + step
        while rows.indices.contains(at) {
            if let product = product(at: at) { return product }
            at += step
        }
        return nil
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
