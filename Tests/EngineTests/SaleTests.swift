import Foundation
import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

@Suite struct SaleTests {
    @Test("a sale is signed, and its signature verifies")
    func aSaleIsSignedAndVerifies() async throws {
        let keys = try StoreKeys.generate()
        let identity = AppIdentity(bundleID: "com.example.test")
        let engine = try await StoreEngine(
            ledger: InMemoryLedger(), identity: identity, keys: keys, clock: ManualClock(),
            catalog: SampleCatalog.catalog(), catalogDigest: "one", homeTerritory: "USA")
        let session = engine.session(account: "aoi", device: "phone", locale: "en_US")
        let payment = Payment(
            id: PaymentID(.init()), productID: SampleCatalog.coins, quantity: 3,
            shownPrice: Money(milliunits: 990, currency: "USD"))

        let outcome = try await session.purchase(payment)

        guard case .purchased(let signed, let id, alreadyOwned: false) = outcome else {
            Issue.record("not sold: \(outcome)")
            return
        }
        let verifier = try TransactionVerifier(
            rootCertificate: keys.rootCertificateDER, bundleID: identity.bundleID,
            environment: identity.environment)
        guard case .verified(let transaction) = await verifier.verify(signed) else {
            Issue.record("not verified")
            return
        }
        #expect(transaction.payload.transactionId == id)
        #expect(transaction.payload.price == 2_970)
    }
}
