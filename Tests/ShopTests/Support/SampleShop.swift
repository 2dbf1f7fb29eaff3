import Basics
import Foundation
@testable import Shop
import ShopText
@testable import StoreModel

/// A shop with a product in every status, always the same: tests and golden frames begin with it.
enum SampleShop {
    /// 21 November 2026, 14:02:11 in Tokyo.
    static let now = Timestamp(milliseconds: 1_795_237_331_000)
    static let timeZone = "Asia/Tokyo"

    static func identity(locale: String = "en_US") -> ShopIdentity {
        ShopIdentity(
            appName: SampleNames(locale: locale).app, environment: .sandbox, account: "aoi",
            device: "phone", locale: locale, language: locale,
            themes: ["theme.sepia", "theme.high-contrast", "theme.night", "theme.sea"])
    }

    /// The account's settings: payments allowed, no Ask to Buy.
    static func settings(locale: String = "en_US") -> AccountSettings {
        AccountSettings(name: "aoi", territory: SampleMoney(locale: locale).territory)
    }

    static func response(locale: String = "en_US", revision: Int64 = 1)
        -> ProductsResponse
    {
        ProductsResponse(
            products: products(locale: locale), invalidProductIDs: [], catalogRevision: revision)
    }

    /// An open shop of an account without purchases.
    static func empty(
        locale: String = "en_US", viewport: Viewport = Viewport(),
        response: ProductsResponse? = nil
    ) -> ShopState {
        var state = ShopState(shop: identity(locale: locale))
        let moment = ShopMoment(now: now, paymentID: payment(0), viewport: viewport)
        let actions: [ShopAction] = [
            .opened(settings(locale: locale), holdsLease: true),
            .productsArrived(response ?? self.response(locale: locale)),
            .accountArrived(AccountSnapshot()),
            .consoleArrived(requests: [], faults: [], settings: settings(locale: locale)),
        ]
        for action in actions { _ = state.reduce(action, moment) }
        return state
    }

    static func full(locale: String = "en_US", viewport: Viewport = Viewport())
        -> ShopState
    {
        var state = empty(locale: locale, viewport: viewport)
        let moment = ShopMoment(now: now, paymentID: payment(0), viewport: viewport)
        let serif = state.productList.row(of: "theme.serif") ?? 0
        let buying: [ShopAction] = [
            .accountArrived(snapshot(at: .zero, locale: locale)), .list(.pointed(row: serif)),
            .confirmed, .buyChosen,
            .choiceMoved(1), .confirmed, .wentBack, .selectionMoved(.first),
            .selectionMoved(.down), .updateArrived(sale(of: "book.two", in: state)),
            .accountArrived(snapshot(at: .seconds(3), locale: locale)),
        ]
        for action in buying { _ = state.reduce(action, moment) }
        // Shows the purchase of the second part as one that this shop has made.
        if case .bought(var bought)? = state.statusMessage?.what {
            bought.isUnasked = false
            state.statusMessage?.what = .bought(bought)
        }
        // Lets the purse finish counting up.
        let later = ShopMoment(
            now: now, elapsed: .seconds(2), paymentID: payment(0), viewport: viewport)
        _ = state.reduce(.library(.counted), later)
        state.purchasing.failures["theme.contrast"] = StoreError(
            .approvalDeclined, productID: "theme.contrast")
        state.purchasing.restored = ["theme.night"]
        return state
    }

    private static func sale(of id: ProductID, in state: ShopState) -> DeviceUpdate {
        let price = state.productList.product(id)?.price
        var payload = payload(id, 1_000_002, price: price?.milliunits ?? 0)
        payload.currency = price?.currency ?? ""
        return .transaction(.verified(payload), signed: "a.b.c", isNew: true)
    }

    /// A verified receipt of two purchases, one of them revoked.
    static var receipt: KeptReceipt {
        var revoked = payload("theme.night", 1_000_006, price: 990)
        revoked.revocationDate = now
        return KeptReceipt(
            signed: "a.b.c", path: "/store/devices/phone/aoi/receipt.jws",
            verified: .success(
                ReceiptPayload(
                    bundleId: "com.example.lantern", environment: .sandbox,
                    inApp: [payload("book.one", 1_000_001, price: 2990), revoked],
                    receiptCreationDate: now, receiptType: "ProductionSandbox")))
    }

    /// An app transaction that was edited and so is not verified.
    static var appTransaction: KeptAppTransaction {
        KeptAppTransaction(
            signed: "a.b.c", path: "/store/devices/phone/aoi/app-transaction.jws",
            verified: .failure(.invalidSignature))
    }

    static var snapshot: AccountSnapshot { snapshot(at: .zero) }

    /// The snapshot of `full`, read this long after the program began.
    static func snapshot(at elapsed: Duration, locale: String = "en_US")
        -> AccountSnapshot
    {
        var downloads: [Download] = []
        for (product, state, received, rate) in [
            ("book.one", Download.State.finished, 3_200_000, nil),
            ("book.two", .active, 1_728_000, 210_000.0), ("book.four", .paused, 1_000_000, nil),
            ("book.five", .failed, 800_000, nil),
        ] {
            downloads.append(
                Download(
                    transactionID: TransactionID(1_000_001), productID: ProductID(product),
                    contentID: "text", version: "1.2", state: state,
                    bytesReceived: Int64(received), bytesExpected: 3_200_000,
                    bytesPerSecond: rate,
                    error: state == .failed ? StoreError(.networkError) : nil))
        }
        let owned = [
            "book.one", "book.two", "book.four", "book.five", "book.six", "theme.night",
        ]
        let day: Int64 = 86_400_000
        let prices = response(locale: locale).products.reduce(into: [ProductID: Money]()) {
            $0[$1.id] = $1.price
        }
        var snapshot = AccountSnapshot(
            queued: [waiting],
            deliveries: owned.enumerated().map { number, product in
                DeliveryRecord(
                    transactionID: TransactionID(Int64(1_000_001 + number)),
                    productID: ProductID(product), type: .nonConsumable, quantity: 1,
                    deliveredAt: now, paid: prices[ProductID(product)], isVoid: false)
            } + [
                DeliveryRecord(
                    transactionID: TransactionID(1_000_021), productID: "pass.season",
                    type: .nonRenewing, quantity: 1, deliveredAt: now, isVoid: false)
            ],
            balances: [Balance(unit: "coins", amount: 30)], downloads: downloads,
            entitlements: (owned + ["theme.paper"]).enumerated().map { number, product in
                entitlement(ProductID(product), 1_000_001 + number, .nonConsumable, until: nil)
            } + [
                entitlement(
                    "plus.month", 1_000_020, .autoRenewable,
                    until: now.advanced(byMilliseconds: 30 * day), renews: true),
                entitlement(
                    "pass.season", 1_000_021, .nonRenewing,
                    until: now.advanced(byMilliseconds: 113 * day)),
            ], at: elapsed)
        snapshot.areSubscriptionsKnown = true
        snapshot.subscriptions["plus"] = AccountSubscription(subscription(locale: locale))
        return snapshot
    }

    /// The content of a book as the reader gets it, opened at its first chapter or at `place`.
    static func opened(
        _ product: ProductID, text: String, place: ReadingPlace? = nil, isTranslated: Bool = false
    ) -> OpenedContent {
        let bytes = Data(text.utf8)
        let paths =
            ["01-the-boat.txt", "02-the-log.txt", "tower.png"]
            + (isTranslated ? ["ja/01-the-boat.txt"] : [])
        let files = paths.map { path in
            ContentFile(
                contentID: "text", version: "1.2", path: path,
                absolutePath: "/home/aoi/content/text/1.2/\(path)", length: Int64(bytes.count),
                kind: path.hasSuffix("png")
                    ? .image(.png, .init(width: 800, height: 600)) : .text)
        }
        let number = files.firstIndex { $0.path == place?.path } ?? 0
        return OpenedContent(
            product: product, files: files, number: number, text: PlainText(bytes), place: place)
    }

    static func story(paragraphs: Int) -> String {
        (1...paragraphs).map { number in
            "\(number). The boat to Skerrow went every second Thursday, if it went, and the "
                + "keeper went with it, beside the paraffin and the post."
        }.joined(separator: "\n\n")
    }

    static var waiting: QueuedPayment {
        QueuedPayment(
            payment: Payment(
                id: payment(8), productID: "theme.sepia",
                shownPrice: Money(milliunits: 1990, currency: "USD")),
            state: .deferred, queuedAt: now, request: TransactionID(1_000_008))
    }

    /// A package of a product that was hosted in the store; nil for an invalid version.
    static func release(
        of product: ProductID, contentID: String = "text", version: String = "1.3",
        _ state: PackageState
    ) -> PackageRelease? {
        ContentVersion(version).map { version in
            PackageRelease(
                productID: product, contentID: contentID, version: version, state: state,
                sha256: String(repeating: "a", count: 64), length: 3_000_000,
                unpackedLength: 4_000_000, fileCount: 3,
                manifestDigest: String(repeating: "b", count: 64))
        }
    }

    /// An approval request of another account, 31 seconds old.
    static func request(
        _ number: Int64, of product: ProductID, in state: ShopState,
        reason: RequestReason = .askToBuy
    ) -> ApprovalRequest {
        ApprovalRequest(
            number: TransactionID(number), account: "kai", device: "tablet",
            payment: Payment(
                id: payment(Int(number % 200)), productID: product,
                shownPrice: state.productList.product(product)?.price
                    ?? Money(milliunits: 0, currency: "USD")),
            reason: reason, askedAt: now.advanced(byMilliseconds: -31_000))
    }

    private static func entitlement(
        _ product: ProductID, _ number: Int, _ type: ProductType, until: Timestamp?,
        renews: Bool? = nil
    ) -> Entitlement {
        Entitlement(
            transaction: "a.b.c", transactionID: TransactionID(Int64(number)),
            productID: product, type: type, until: until, renews: renews)
    }

    /// A payment id that depends only on the number.
    static func payment(_ number: Int) -> PaymentID {
        let (low, high) = (UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF))
        return PaymentID(
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, high, low)))
    }

    /// The payload of a sale in the US store, in dollars.
    static func payload(
        _ product: ProductID, _ number: Int64, quantity: Int = 1, price: Int64 = 4990
    ) -> TransactionPayload {
        TransactionPayload(
            transactionId: TransactionID(number), originalTransactionId: TransactionID(number),
            bundleId: "lantern", productId: product, type: .nonConsumable, purchaseDate: now,
            originalPurchaseDate: now, quantity: quantity, environment: .sandbox,
            storefront: "USA", storefrontId: "143441", price: price, currency: "USD",
            signedDate: now)
    }
}
