import Basics
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
        /// By its index in `sections`.
        case heading(section: Int)
        /// An empty line between sections.
        case gap
        /// By its index in `products`.
        case product(Int)
        /// The button that restores past purchases: the last row, except during a search.
        case restore
        /// The last row during a search, so that every other row of a search is a product.
        case endSearch

        package var isSelectable: Bool {
            switch self {
            case .product, .restore, .endSearch: true
            case .heading, .gap: false
            }
        }
    }

    /// Section by section, each in the catalog's order.
    package private(set) var products: [Product] = []
    /// In the catalog's order.
    package private(set) var sections: [Section] = []
    /// The words that distinguish products of the same name; none for a unique name.
    package private(set) var distinctions: [ProductID: String] = [:]
    /// In percent, compared with the shortest plan of its group and level; at least one percent.
    package private(set) var savings: [ProductID: Int] = [:]
    /// To compare a plan with others of its group; monthly plans have no entry.
    package private(set) var monthlyPrices: [ProductID: Money] = [:]
    /// As last arranged; never empty.
    package private(set) var rows: [Row] = [.restore]
    /// The catalog revision; nil until the store has answered.
    package private(set) var revision: Int64?
    /// Whether the products are of a replaced store, because the new store has not answered yet.
    private var isOutdated = false
    /// Whether the products are from the store that is open now.
    var isFromStore: Bool { revision != nil && !isOutdated }
    /// The number of products in `rows`.
    package private(set) var shownCount = 0
    /// A hash of the identifiers: territories sell other products in the same revision.
    private(set) var fingerprint = 0
    /// The rows that are not products, ascending; few, so that counting product rows is quick.
    private var otherRows: [Int] = [0]
    /// Each once, in the order of `products`.
    private(set) var unlocks: [UnlockID] = []
    private var unlocking: [UnlockID: [Int]] = [:]
    /// Those whose content an unlock opens (`Product.unlockedBy`).
    private var opened: [UnlockID: [Int]] = [:]
    private var sectionOf: [Int] = []
    private var indexOf: [ProductID: Int] = [:]
    private var firstOfSection: [Int] = []
    /// Products for sale that are not in the app's list, asked for by their identifiers.
    private(set) var others: [ProductID: Product] = [:]
    /// Of products that were sold before and are not for sale now.
    private var pastNames: [ProductID: String] = [:]
    /// Where the catalog sells, if it sells nothing here.
    private(set) var soldIn: [String] = []

    init() {}

    /// Keeps the catalog's order within each section. `arrange` makes the rows.
    init(_ response: ProductsResponse) {
        revision = response.catalogRevision
        pastNames = response.pastNames ?? [:]
        soldIn = response.soldIn ?? []
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
                if let unlock = product.unlockedBy {
                    opened[unlock, default: []].append(products.count)
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

    /// The products of a replaced store stay in the list.
    mutating func outdate() { isOutdated = true }

    /// Nil if it is not for sale.
    package func product(_ id: ProductID) -> Product? {
        indexOf[id].map { products[$0] } ?? others[id]
    }

    /// Keeps the store's answer about an identifier that is not in the list; nil is none for sale.
    mutating func keep(_ product: Product?, withIdentifier id: ProductID) {
        others[id] = indexOf[id] == nil ? product : nil
    }

    /// Until the store has answered about them again.
    mutating func keepOthers(of old: ProductList) {
        others = old.others.filter { indexOf[$0.key] == nil }
    }

    /// More are not compared: this happens with each key of a search.
    private static let comparedMax = 2_000

    /// The identifier for sale that is most similar to a mistyped one; nil if none is similar.
    func nearest(to text: String) -> ProductID? {
        guard products.count <= Self.comparedMax else { return nil }
        return SpellingSuggestion.nearest(to: text, among: products.lazy.map(\.id.rawValue))
            .map { ProductID($0) }
    }

    /// Whether a typed text is meant as an identifier and not as words of a name.
    static func isLikeIdentifier(_ text: String) -> Bool {
        text.contains(".") && !text.contains(where: \.isWhitespace)
    }

    /// Of a product that is not for sale the name under which it was sold; else the identifier.
    package func name(of id: ProductID) -> String {
        product(id)?.displayName ?? pastNames[id] ?? id.rawValue
    }

    /// Whether it is for sale, or was sold under a name.
    func isNamed(_ id: ProductID) -> Bool { product(id) != nil || pastNames[id] != nil }

    /// Those that are not in `products` and whose name or identifier contains every word of a text:
    /// the other ones for sale, and those that were sold before.
    func unlisted(containing text: String) -> [ProductID] {
        let words = WordFilter(text)
        let names = pastNames.merging(others.mapValues(\.displayName)) { _, now in now }
        return names.filter { words.matches([$0.value, $0.key.rawValue]) }.map(\.key)
    }

    /// In `products`; nil if it is not for sale.
    func position(of id: ProductID) -> Int? { indexOf[id] }

    /// In the order of `products`.
    func products(unlocking unlock: UnlockID) -> [Product] {
        unlocking[unlock, default: []].map { products[$0] }
    }

    /// Those whose content one of these unlocks opens, in the order of `products`.
    func products(openedBy unlocks: some Sequence<UnlockID>) -> [Product] {
        Set(unlocks).flatMap { opened[$0] ?? [] }.sorted().map { products[$0] }
    }

    /// Those whose content an unlock opens, in no order.
    var openedByUnlocks: [ProductID] { opened.values.joined().map { products[$0].id } }

    package func firstProduct(ofSection section: Int) -> Product? {
        firstOfSection.indices.contains(section) ? products[firstOfSection[section]] : nil
    }

    /// Nil for other rows.
    package func product(at row: Int) -> Product? {
        guard rows.indices.contains(row), case .product(let index) = rows[row] else { return nil }
        return products[index]
    }

    /// Nil if the list does not show it. Walks the rows.
    package func row(of id: ProductID) -> Int? {
        guard let index = indexOf[id] else { return nil }
        return rows.firstIndex(of: .product(index))
    }

    /// `matches` are indices in `products`, in order; nil for all. `isCompact` leaves out headings
    /// and gaps, for a screen with few rows or columns. Sorted products have no headings.
    mutating func arrange(matches: [Int]?, isCompact: Bool, sort: SortColumn? = nil) {
        rows.removeAll(keepingCapacity: true)
        let shown = sorted(matches ?? Array(products.indices), by: sort)
        shownCount = shown.count
        var section: Int?
        for index in shown {
            if !isCompact, sort == nil, sectionOf[index] != section {
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

    private func sorted(_ shown: [Int], by sort: SortColumn?) -> [Int] {
        switch sort {
        case .name: SortColumn.sorted(shown) { products[$0].displayName.lowercased() }
        case .price: SortColumn.sorted(shown) { products[$0].price.milliunits }
        case .day, .kind, nil: shown
        }
    }

    /// The number of products in this row and the rows below it.
    package func productCount(fromRow row: Int) -> Int {
        rows.count - min(row, rows.count) - otherRows.reversed().prefix { $0 >= row }.count
    }

    package func names(fromRow row: Int, atMost count: Int) -> [String] {
        var names: [String] = []
        for at in row..<max(row, rows.count) where names.count < count {
            if let product = product(at: at) { names.append(product.displayName) }
        }
        return names
    }

    /// Nil if the product is not for sale.
    package func section(of id: ProductID) -> Section? {
        indexOf[id].map { sections[sectionOf[$0]] }
    }

    /// Such as the next book of the section; nil for the last, and for a product not for sale.
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

    /// From `row` on in `direction` (negative is up), otherwise in the other direction.
    func selectable(near row: Int, direction: Int) -> Int {
        let start = min(max(row, 0), rows.count - 1)
        for step in direction < 0 ? [-1, 1] : [1, -1] {
            var at = start
            while rows.indices.contains(at) {
                if rows[at].isSelectable { return at }
                at += step
            }
        }
        return rows.count - 1
    }
}
