import Basics
import ShopText
import StoreCatalog
import StoreEngine
import StoreModel

/// The heading of the list: app, environment, territory and device, such as "Lantern    SANDBOX
/// Japan, JPY   aoi · phone".
enum ShopHeading {
    static func text(_ store: OpenStore, _ settings: AccountSettings) -> String {
        let storefront = Storefront.find(settings.territory)
        let place = Output.strings.territory(
            settings.territory, currency: storefront?.currency)
        return [
            UntrustedText.clean(store.appName ?? Output.strings[.shopName]),
            store.engine.identity.environment.rawValue.uppercased(), place,
            "\(store.account) · \(store.deviceName)",
        ].joined(separator: "   ")
    }
}

/// The product list as plain lines: by section, in the order given, prices aligned right. On a
/// terminal with a header, and fitted to its columns.
struct ProductTable {
    private(set) var lines: [String] = []

    private static let indent = "   "
    private static let nameColumnsMax = 40
    private static let titles: [ColumnText] = [
        .columnProduct, .columnPrice, .columnPeriod, .columnIdentifier, .columnState,
    ]

    /// - Parameter columns: those of the terminal; nil for none.
    init(
        _ products: [Product], owned: Set<ProductID>, pending: Set<ProductID>,
        columns: Int? = Output.columns
    ) {
        let rows = products.map { product in
            Self.cells(
                of: product, isOwned: owned.contains(product.id),
                isPending: pending.contains(product.id))
        }
        let titles = Self.titles.map { Output.strings[$0] }
        let header = columns == nil || products.isEmpty ? [] : [titles]
        let widths = (header + rows).reduce(into: titles.map { _ in 0 }) { widths, row in
            for (number, cell) in row.enumerated() {
                widths[number] = max(widths[number], TextColumns.count(cell))
            }
        }
        let layout = TableLayout(
            widths: widths, isRight: [false, true, false, false, false],
            mayBeCut: [true, false, false, false, false],
            within: columns.map { $0 - Self.indent.count })
        func add(_ cells: [String]) {
            lines += layout.lines(of: cells).map { Self.indent + $0 }
        }
        header.forEach(add)
        var section: String?
        for (product, cells) in zip(products, rows) {
            if product.section != section {
                section = product.section
                lines.append("")
                if !product.section.isEmpty { lines.append(product.section.uppercased()) }
            }
            add(cells)
        }
    }

    private static func cells(of product: Product, isOwned: Bool, isPending: Bool) -> [String] {
        let strings = Output.strings
        var state = ""
        if isOwned { state = "✓ " + strings[.owned] }
        if isPending { state = "… " + strings[.waitingForApproval] }
        if let offer = product.subscription?.introductoryOffer {
            state +=
                (state.isEmpty ? "" : strings[.listSeparator]) + strings.terms(of: offer, product)
        }
        let name = product.displayName
        return [
            TextColumns.count(name) > nameColumnsMax
                ? TextColumns.fit(name, nameColumnsMax) : name,
            strings.price(of: product), product.subscription?.period.map(strings.perPeriod) ?? "",
            product.id.rawValue, state,
        ]
    }
}
