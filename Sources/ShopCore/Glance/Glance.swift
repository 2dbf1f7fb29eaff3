import Foundation
import StoreModel

/// What the shop looked like when it was last seen: shown while the store is being opened, so that a
/// person has the list before the store has said a word. Nothing can be bought from it, the screen
/// says that it is opening, and the store's own answer takes its place.
///
/// Written as lines of fields rather than through `Codable`: reading it is the first thing a shop
/// does, and has to take less time than a frame.
package struct Glance: Hashable, Sendable {
    package var state: ShopState
    /// Prices, territories and dates in words; see `LocalTexts`.
    package var texts: [String: String]

    package init(state: ShopState, texts: [String: String]) {
        self.state = state
        self.texts = texts
    }

    static let title = "storefront glance 1"
    /// More than a screen shows; the rest arrives with the store's answer.
    static let productsMax = 300
    static let textsMax = 600

    // MARK: - Writing

    package var text: String {
        var lines = [Self.title]
        func add(_ kind: String, _ fields: [String]) {
            let clean = fields.map { field in
                String(String.UnicodeScalarView(field.unicodeScalars.filter { $0.value >= 0x20 }))
            }
            lines.append(([kind] + clean).joined(separator: "\u{1F}"))
        }
        let shop = state.shop
        add(
            "shop",
            [
                shop.appName, shop.environment.rawValue, shop.account.rawValue,
                shop.device.rawValue, shop.locale,
            ])
        if let settings = state.settings {
            add(
                "settings",
                [settings.territory, "\(settings.askToBuy)", "\(settings.canMakePayments)"])
        }
        for fault in state.faults {
            add("fault", ["\(fault.id)", fault.error.rawValue, "\(fault.remaining)"])
        }
        for product in state.shelf.products.prefix(Self.productsMax) {
            add("product", Self.fields(product))
        }
        for (id, entitled) in state.standing.entitlements {
            add(
                "entitled",
                [
                    id.rawValue, "\(entitled.transactionID)",
                    entitled.until.map { "\($0.milliseconds)" } ?? "",
                ])
        }
        for id in state.standing.delivered {
            let at = state.standing.deliveredAt[id]?.milliseconds ?? 0
            add("delivered", [id.rawValue, "\(at)"])
        }
        add("now", ["\(state.now.milliseconds)"])
        for (id, queued) in state.standing.queued where queued.state == .deferred {
            add("deferred", [id.rawValue])
        }
        for balance in state.standing.balances {
            add("balance", [balance.unit, "\(balance.amount)"])
        }
        for (id, download) in state.standing.downloads {
            add(
                "download",
                [
                    id.rawValue, download.state.rawValue, "\(download.received)",
                    "\(download.expected)",
                ])
        }
        for (key, text) in texts.prefix(Self.textsMax) { add("text", [key, text]) }
        return lines.joined(separator: "\n")
    }

    private static func fields(_ product: Product) -> [String] {
        let subscription = product.subscription
        return [
            product.id.rawValue, product.type.rawValue, product.section, product.displayName,
            "\(product.price.milliunits)", product.price.currency, product.priceLocale,
            deliveryKind(product), "\(product.hostedContent.reduce(0) { $0 + $1.length })",
            product.nonRenewingPeriod?.iso8601 ?? "", subscription?.groupID.rawValue ?? "",
            subscription?.groupName ?? "",
            "\(subscription?.level ?? 0)", subscription?.period?.iso8601 ?? "",
            product.grant?.unit ?? "", "\(product.grant?.amount ?? 0)",
        ]
    }

    private static func deliveryKind(_ product: Product) -> String {
        switch product.delivery {
        case .embedded: "embedded"
        case .hosted: "hosted"
        case .ownServer: "ownServer"
        }
    }
}
