import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

@Suite("verifying on request", .timeLimit(.minutes(10))) struct VerifyTests {
    @Test("a device verifies a text by its pinned root certificate, and records nothing")
    func verify() async throws {
        let home = try await Home()
        let device = try await home.open()
        let id = try #require(try await home.session().purchase(.of(SampleCatalog.theme)).number)
        let signed = try await home.session().transaction(id)
        guard case .verified(let payload) = await device.verify(signed) else {
            Issue.record("not verified")
            return
        }
        #expect(payload.transactionId == id)
        let altered = SignedTransaction(signed.rawValue.dropLast(8) + "AAAAAAAA")
        #expect(
            await device.verify(altered) == .unverified(payload, .invalidSignature))
        #expect(await device.verify("no.signed.text") == .unverified(nil, .invalidEncoding))
        #expect(try await device.latestDeliveries().isEmpty)
        #expect(try await home.store.ledger.unfinished(of: "aoi").count == 1)
    }
}
