import Foundation
package import StoreCatalog
package import StoreEngine
package import StoreModel
package import StoreSigning

/// A store to try things on: the sample catalog, keys made once for all tests, a clock moved by
/// hand, any ledger.
package struct TestStore: Sendable {
    package static let identity = AppIdentity(bundleID: "com.example.test")
    package let engine: StoreEngine
    package let ledger: any Ledger
    package let clock: ManualClock

    package init(
        ledger: any Ledger = InMemoryLedger(), clock: ManualClock = ManualClock(),
        elapsed: (any Clock<Duration>)? = ContinuousClock(),
        catalog: Catalog = SampleCatalog.catalog(), digest: String = "one",
        identity: AppIdentity = TestStore.identity
    ) async throws {
        engine = try await StoreEngine(
            ledger: ledger, identity: identity, keys: Self.keys(), clock: clock, elapsed: elapsed,
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

    /// Every entry of the ledger, from the first.
    package func entries() async throws -> [RecordedEntry] { try await ledger.allEntries() }

    package static func keys() throws -> StoreKeys { try made.get() }
    private static let made = Result { try StoreKeys.generate() }

    package static func verifier() throws -> TransactionVerifier {
        try TransactionVerifier(
            rootCertificate: keys().rootCertificateDER, bundleID: identity.bundleID,
            environment: identity.environment)
    }
}

extension Ledger {
    /// All rows as the ledger keeps them. A ledger that cannot show them fails the test: what its
    /// entries say would prove nothing about its rows.
    package func allRows() async throws(StoreError) -> Projections {
        guard let ledger = self as? any InspectableLedger else {
            throw StoreError(.unsupported, cause: "a ledger that shows no rows")
        }
        return try await ledger.projections()
    }

    /// Every entry, from the first.
    package func allEntries() async throws -> [RecordedEntry] {
        let start = FeedCursor(epoch: 1, position: 0)
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
    package static func dollars(_ product: ProductID) -> Int64 {
        guard let usa = Storefront.find("USA"),
            let price = catalog().product(product)?.price(in: usa)
        else { return 0 }
        return price.milliunits
    }
}

extension PurchaseOutcome {
    /// The number of the transaction or request it led to.
    package var number: TransactionID? {
        switch self {
        case .purchased(_, let id, _): id
        case .pending(let request): request
        case .failed: nil
        }
    }

    package var isPurchased: Bool { if case .purchased = self { true } else { false } }
    package var failure: StoreError? { if case .failed(let error) = self { error } else { nil } }
}
