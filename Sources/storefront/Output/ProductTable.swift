import Foundation
import ShopCore
import StoreCatalog
import StoreEngine
import StoreModel

/// "Lantern    SANDBOX   Japan, JPY   aoi · phone"
enum ShopHeading {
    static func text(_ store: OpenStore, _ settings: AccountSettings) -> String {
        let catalog = store.catalog.catalog
        let name = catalog?.appName.text(
            for: store.locale, fallback: catalog?.defaultLocale ?? "en")
        let storefront = Storefront.find(settings.territory)
        let country = Locale(identifier: store.locale).localizedString(
            forRegionCode: storefront?.regionCode ?? "")
        let place = [country ?? settings.territory, storefront?.currency ?? ""]
            .filter { !$0.isEmpty }.joined(separator: ", ")
        return [
            UntrustedText.clean(name ?? "Shop"),
            store.engine.identity.environment.rawValue.uppercased(), place,
            "\(store.account) · \(store.deviceName)",
        ].joined(separator: "   ")
    }
}

/// The list as plain lines: by section, in the catalog's order, prices on one edge.
struct ProductTable {
    let lines: [String]

    init(_ products: [Product], owned: Set<ProductID>, pending: Set<ProductID>) {
        let names = products.map { TextColumns.count($0.displayName) }.max() ?? 0
        let nameColumns = min(max(names, 8), 40)
        let idColumns = min(products.map { $0.id.rawValue.count }.max() ?? 0, 40)
        let texts = LocalTexts()
        let prices = products.map { TextColumns.count(texts.price(Price(of: $0))) }.max() ?? 0

        var lines: [String] = []
        var section: String?
        for product in products {
            if product.section != section {
                section = product.section
                lines.append("")
                if !product.section.isEmpty { lines.append(product.section.uppercased()) }
            }
            var state = ""
            if owned.contains(product.id) { state = "✓ owned" }
            if pending.contains(product.id) { state = "… waiting for approval" }
            if !product.unsoldOffers.isEmpty {
                state += (state.isEmpty ? "" : "; ") + "sold without its offers"
            }
            let line = [
                " ", TextColumns.fit(product.displayName, nameColumns),
                TextColumns.fit(texts.price(Price(of: product)), prices, alignRight: true),
                TextColumns.fit(Self.period(product), 7),
                TextColumns.fit(product.id.rawValue, idColumns), state,
            ].joined(separator: "  ")
            lines.append(
                String(line.reversed().drop { $0 == " " }.reversed()))
        }
        self.lines = lines
    }

    private static func period(_ product: Product) -> String {
        guard let period = product.subscription?.period else { return "" }
        let unit = period.unit.rawValue
        return period.value == 1 ? "/\(unit)" : "/\(period.value) \(unit)"
    }
}
