import Basics
import Foundation
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

/// The product list as plain lines: by section, in the catalog's order, prices aligned right.
struct ProductTable {
    let lines: [String]

    init(_ products: [Product], owned: Set<ProductID>, pending: Set<ProductID>) {
        let names = products.map { TextColumns.count($0.displayName) }.max() ?? 0
        let nameColumns = min(max(names, 8), 40)
        let idColumns = min(products.map { $0.id.rawValue.count }.max() ?? 0, 40)
        let strings = Output.strings
        let prices = products.map { TextColumns.count(strings.price(of: $0)) }.max() ?? 0

        var lines: [String] = []
        var section: String?
        for product in products {
            if product.section != section {
                section = product.section
                lines.append("")
                if !product.section.isEmpty { lines.append(product.section.uppercased()) }
            }
            var state = ""
            if owned.contains(product.id) { state = "✓ " + strings[.owned] }
            if pending.contains(product.id) { state = "… " + strings[.waitingForApproval] }
            if let offer = product.subscription?.introductoryOffer {
                state +=
                    (state.isEmpty ? "" : strings[.listSeparator])
                    + strings.terms(of: offer, product)
            }
            let line = [
                " ", TextColumns.fit(product.displayName, nameColumns),
                TextColumns.fit(strings.price(of: product), prices, alignRight: true),
                TextColumns.fit(product.subscription?.period.map(strings.perPeriod) ?? "", 9),
                TextColumns.fit(product.id.rawValue, idColumns), state,
            ].joined(separator: "  ")
            lines.append(
                String(line.reversed().drop { $0 == " " }.reversed()))
        }
        self.lines = lines
    }
}
