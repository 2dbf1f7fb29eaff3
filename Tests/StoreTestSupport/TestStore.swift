import Foundation
package import StoreCatalog
package import StoreEngine
package import StoreModel
package import StoreSigning

/// A store with the sample catalog, keys made once for all tests, and a manual clock.
package struct TestStore: Sendable {
    package static let identity = AppIdentity(bundleID: "com.example.test")
    package let engine: StoreEngine
    package let ledger: any Ledger
    /// The engine's system clock, which only the test moves.
    package let clock: ManualClock

    /// Opens a store on `ledger`; a new `digest` makes the catalog a new revision. Nil for `keys`
    /// means those of all other stores of the tests.
    package init(
        ledger: any Ledger = InMemoryLedger(), clock: ManualClock = ManualClock(),
        elapsed: (any Clock<Duration>)? = ContinuousClock(),
        catalog: Catalog = SampleCatalog.catalog(), digest: String = "one",
        identity: AppIdentity = TestStore.identity, keys: StoreKeys? = nil
    ) async throws {
        engine = try await StoreEngine(
            ledger: ledger, identity: identity, keys: try keys ?? Self.keys(), clock: clock,
            elapsed: elapsed,
            catalog: catalog, catalogDigest: digest, homeTerritory: "USA")
        self.ledger = ledger
        self.clock = clock
    }

    package func session(
        account: AccountName = "aoi", device: DeviceName = "phone"
    ) -> some Store {
        engine.session(account: account, device: device, locale: "en_US")
    }

    package var console: some StoreOperator { engine.storeOperator }

    package func entries() async throws -> [RecordedEntry] { try await ledger.allEntries() }

    private static func keys() throws -> StoreKeys { try made.get() }
    private static let made = Result { try StoreKeys.generate() }

    /// Signs with the keys of these stores.
    package static func signer() throws -> TransactionSigner { TransactionSigner(keys: try keys()) }

    package static func revocationList(at date: Timestamp) throws -> SignedRevocationList {
        try keys().revocationList(at: date)
    }

    /// A verifier that pins this store's root certificate.
    ///
    /// - Parameter device: the device that receipts must be for; nil for any device.
    package static func verifier(
        for device: DeviceVerification? = nil
    ) throws -> TransactionVerifier {
        try TransactionVerifier(
            rootCertificate: keys().rootCertificateDER, bundleID: identity.bundleID,
            environment: identity.environment, device: device)
    }
}

extension Ledger {
    /// All rows as the ledger stores them. Throws `unsupported` for a ledger that cannot show its
    /// rows, because rows folded from its entries would prove nothing about the stored ones.
    package func allRows() async throws(StoreError) -> Projections {
        guard let ledger = self as? any InspectableLedger else {
            throw StoreError(.unsupported, cause: "a ledger that shows no rows")
        }
        return try await ledger.projections()
    }

    package func allEntries() async throws -> [RecordedEntry] {
        let start = FeedCursor(epoch: try await head().epoch, position: 0)
        return try await entries(after: start, account: nil, limit: .max).entries
    }
}

extension Payment {
    /// A payment for a product of the sample catalog at its price in the USA.
    package static func of(
        _ product: ProductID, quantity: Int = 1, id: PaymentID = PaymentID(UUID())
    ) -> Payment {
        Payment(
            id: id, productID: product, quantity: quantity,
            shownPrice: Money(milliunits: SampleCatalog.dollars(product), currency: "USD"))
    }
}

extension SampleCatalog {
    /// A product's price in the USA, in thousandths of a dollar; 0 for an unknown product.
    package static func dollars(_ product: ProductID) -> Int64 {
        guard let usa = Storefront.find("USA"),
            let price = catalog().product(product)?.price(in: usa)
        else { return 0 }
        return price.milliunits
    }
}

extension PurchaseOutcome {
    /// The id of the transaction or request that the payment led to; nil for any other outcome.
    package var number: TransactionID? {
        switch self {
        case .purchased(_, let id, _): id
        case .pending(let request, _): request
        case .failed: nil
        }
    }

    /// Whether it is a purchase, new or already owned.
    package var isPurchased: Bool { if case .purchased = self { true } else { false } }
    /// The error of a recorded failure; nil for another outcome.
    package var failure: StoreError? { if case .failed(let error) = self { error } else { nil } }
}
