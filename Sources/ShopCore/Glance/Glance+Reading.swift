import Foundation
import StoreModel

extension Glance {
    /// Reads what `text` wrote; nil for anything else, since a glance that cannot be read is only a
    /// glance less.
    package init?(reading text: String) {
        let lines = text.split(separator: "\n")
        guard lines.first.map({ $0 == Self.title }) == true else { return nil }
        var reader = GlanceReader()
        for line in lines.dropFirst() {
            let fields = line.split(separator: "\u{1F}", omittingEmptySubsequences: false)
            reader.read(kind: fields[0], fields.dropFirst().map(String.init))
        }
        guard let glance = reader.glance else { return nil }
        self = glance
    }
}

/// Gathers the lines of a glance.
private struct GlanceReader {
    private var shop: ShopIdentity?
    private var settings: AccountSettings?
    private var faults: [Fault] = []
    private var products: [Product] = []
    private var standing = Standing()
    private var texts: [String: String] = [:]
    private var now = Timestamp(milliseconds: 0)

    var glance: Glance? {
        guard let shop, !products.isEmpty else { return nil }
        var state = ShopState(shop: shop)
        state.settings = settings
        state.now = now
        state.faults = faults
        state.standing = standing
        state.shelf = Shelf(
            ProductsResponse(
                products: products, invalidProductIDs: [], catalogRevision: Shelf.revisionOfGlance))
        state.arrangeShelf()
        state.reckonEnds()
        return Glance(state: state, texts: texts)
    }

    mutating func read(kind: Substring, _ fields: [String]) {
        switch (kind, fields.count) {
        case ("shop", 5):
            shop = ShopIdentity(
                appName: fields[0], environment: StoreEnvironment(fields[1]),
                account: AccountName(fields[2]), device: DeviceName(fields[3]), locale: fields[4])
        case ("settings", 3):
            settings = AccountSettings(
                name: shop?.account ?? "", territory: fields[0], askToBuy: fields[1] == "true",
                canMakePayments: fields[2] == "true")
        case ("fault", 3):
            faults.append(
                Fault(
                    id: Int64(fields[0]) ?? 0, call: .purchase, error: StoreError.Code(fields[1]),
                    remaining: Int(fields[2]) ?? 0))
        case ("product", 16): if let product = product(fields) { products.append(product) }
        case ("text", 2): texts[fields[0]] = fields[1]
        default: readStanding(kind, fields)
        }
    }

    private mutating func readStanding(_ kind: Substring, _ fields: [String]) {
        switch (kind, fields.count) {
        case ("entitled", 3):
            standing.entitlements[ProductID(fields[0])] = Standing.Entitled(
                transactionID: TransactionID(fields[1]) ?? TransactionID(0),
                until: Int64(fields[2]).map { Timestamp(milliseconds: $0) })
        case ("delivered", 2):
            standing.delivered.insert(ProductID(fields[0]))
            standing.deliveredAt[ProductID(fields[0])] = Int64(fields[1]).map {
                Timestamp(milliseconds: $0)
            }
        case ("now", 1): now = Timestamp(milliseconds: Int64(fields[0]) ?? 0)
        case ("deferred", 1):
            let product = ProductID(fields[0])
            // Only its state is looked at: what waits is asked of the queue, never of a glance.
            standing.queued[product] = QueuedPayment(
                payment: Payment(
                    id: PaymentID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
                    productID: product, shownPrice: Money(milliunits: 0, currency: "")),
                state: .deferred, queuedAt: Timestamp(milliseconds: 0))
        case ("balance", 2):
            standing.balances.append(Balance(unit: fields[0], amount: Int64(fields[1]) ?? 0))
        case ("download", 4):
            let product = ProductID(fields[0])
            standing.downloads[product] = ProductDownload(
                [
                    Download(
                        transactionID: TransactionID(0), productID: product, contentID: "",
                        version: "", state: Download.State(rawValue: fields[1]) ?? .finished,
                        bytesReceived: Int64(fields[2]) ?? 0, bytesExpected: Int64(fields[3]) ?? 0)
                ], at: Timestamp(milliseconds: 0))
        default: break
        }
    }

    private func product(_ fields: [String]) -> Product? {
        guard let type = ProductType(rawValue: fields[1]), let price = Int64(fields[4]) else {
            return nil
        }
        let length = Int64(fields[8]) ?? 0
        let delivery: Delivery =
            switch fields[7] {
            case "hosted": .hosted([HostedContent(id: "", version: "", length: length)])
            case "ownServer": .ownServer(url: "")
            default: .embedded
            }
        let subscription =
            fields[10].isEmpty
            ? nil
            : SubscriptionInfo(
                groupID: SubscriptionGroupID(fields[10]), groupName: fields[11],
                level: Int(fields[12]) ?? 0, period: SubscriptionPeriod(iso8601: fields[13]))
        return Product(
            id: ProductID(fields[0]), type: type, section: fields[2], displayName: fields[3],
            price: Money(milliunits: price, currency: fields[5]), priceLocale: fields[6],
            subscription: subscription,
            nonRenewingPeriod: SubscriptionPeriod(iso8601: fields[9]),
            grant: fields[14].isEmpty ? nil : Grant(unit: fields[14], amount: Int(fields[15]) ?? 0),
            delivery: delivery)
    }
}
