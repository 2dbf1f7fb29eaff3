import Basics
import Foundation
@testable import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

@Suite("explaining signed texts")
struct ExplanationTests {
    private let keys: StoreKeys
    private let signer: TransactionSigner
    private let verifier: TransactionVerifier

    init() throws {
        keys = try StoreKeys.generate()
        signer = TransactionSigner(keys: keys)
        verifier = try TransactionVerifier(
            rootCertificate: keys.rootCertificateDER, bundleID: Samples.bundleID,
            environment: .sandbox)
    }

    private func explain(_ text: String, isPinned: Bool = true) async -> SignedTextExplanation {
        await SignedTextExplanation(
            text, verifier: isPinned ? verifier : nil,
            root: isPinned ? keys.rootCertificateDER : nil)
    }

    @Test("a transaction is explained by header, certificates, payload and verdict [F7]")
    func transaction() async throws {
        let signed = try signer.sign(Samples.renewal)
        let explained = await explain(signed.rawValue)
        #expect(explained.kind == .transaction && explained.isVerified)
        #expect(explained.header?.members["alg"] == .text("ES256"))
        #expect(explained.header?.members["x5c"] == nil)
        #expect(
            explained.payload?.members["purchaseDate"]
                == .integer(Samples.renewal.purchaseDate.milliseconds))
        let certificates = explained.certificates.compactMap(\.self)
        #expect(certificates.map(\.isPinnedRoot) == [false, false, true])
        #expect(certificates.map(\.markers.count) == [1, 1, 0])
        #expect(certificates.first?.subject.contains("Receipt Signing") == true)
        #expect(certificates.first?.notBefore == .earliest)
        let list = try await verifier.verify(try keys.revocationList(at: .earliest))
        let revoked = await explain(
            try signer.sign(Samples.renewal, broken: .revokedLeaf).rawValue)
        #expect(revoked.certificates.first??.serialNumber == list.revokedSerials.first)
    }

    @Test(
        "a broken text is explained with its first reason [F7]",
        arguments: BrokenText.allCases.filter {
            // Explaining those would need a device, or a list of revoked certificates.
            ![.otherDevice, .noDevice, .revokedLeaf].contains($0)
        })
    func broken(way: BrokenText) async throws {
        let explained = await explain(try signer.sign(Samples.renewal, broken: way).rawValue)
        #expect(explained.failure == way.reason)
        #expect(!explained.isVerified)
    }

    @Test("without a pinned root nothing is verified, but a broken text is still told")
    func noRoot() async throws {
        let signed = try signer.sign(Samples.renewal)
        let explained = await explain(signed.rawValue, isPinned: false)
        #expect(explained.failure == nil)
        #expect(!explained.isRootPinned && !explained.isVerified)
        let broken = try signer.sign(Samples.renewal, broken: .flippedSignature)
        #expect(await explain(broken.rawValue, isPinned: false).failure == .invalidSignature)
    }

    @Test("receipts and app transactions are recognized, whatever their fields")
    func kinds() async throws {
        let receipt = ReceiptPayload(
            bundleId: Samples.bundleID, environment: .sandbox, inApp: [Samples.consumable],
            receiptCreationDate: .earliest, receiptType: "ProductionSandbox")
        let explained = await explain(try signer.sign(receipt).rawValue)
        #expect(explained.kind == .receipt && explained.isVerified)
        let fields = explained.payload?.fields().map(\.path) ?? []
        #expect(fields.contains("inApp[0].productId"))
        let app = AppTransactionPayload(
            appTransactionId: "7", applicationVersion: "1", bundleId: Samples.bundleID,
            environment: .sandbox, originalApplicationVersion: "1", originalPurchaseDate: .earliest,
            receiptCreationDate: .earliest, receiptType: "Sandbox")
        let explainedApp = await explain(try signer.sign(app).rawValue)
        #expect(explainedApp.kind == .appTransaction && explainedApp.isVerified)
        let list = await explain(try keys.revocationList(at: .earliest).rawValue)
        #expect(list.kind == .revocationList && list.isVerified)
    }

    @Test("a text as Xcode signs it is explained: one certificate, and fractions of milliseconds")
    func xcode() async throws {
        let chain = try TestAuthority().issue()
        var header = chain
        header.x5c = [chain.x5c[0]]
        let payload = Data(
            #"{"transactionId":"0","purchaseDate":1697679936049.7297,"signedDate":1697679936056.485}"#
                .utf8)
        let explained = await explain(try header.sign(payload).rawValue)
        #expect(explained.kind == .transaction)
        #expect(explained.failure == .invalidCertificateChain)
        #expect(explained.payload?.members["purchaseDate"] == .number(1_697_679_936_049.7297))
        #expect(explained.certificates.count == 1)
    }

    @Test(
        "what is no signed text is explained as such",
        arguments: ["", "a.b.c", "e30.e30", "e30.W10.AA", "..."])
    func garbage(text: String) async {
        for isPinned in [true, false] {
            let explained = await explain(text, isPinned: isPinned)
            #expect(explained.failure == .invalidEncoding)
            #expect(explained.certificates.isEmpty)
        }
    }
}
