import BenchTable
import Crypto
import Foundation
import StoreModel
import StoreSigning

/// Signing and verifying a transaction (JWS, RFC 7515), compared with the crypto package's P-256
/// signature over the same bytes.
enum SigningBench {
    static func run(_ table: inout Table) async throws {
        let keys = try StoreKeys.generate()
        let signer = TransactionSigner(keys: keys)
        let verifier = try TransactionVerifier(
            rootCertificate: keys.rootCertificateDER, bundleID: "com.example.bench",
            environment: .sandbox)
        let payload = payload()
        let signed = try signer.sign(payload)
        let message = Data(signed.rawValue.utf8.prefix(while: { _ in true }))
        let body = message[..<(message.lastIndex(of: UInt8(ascii: ".")) ?? message.endIndex)]
        let key = P256.Signing.PrivateKey()
        let signature = try key.signature(for: body)

        let many = 2_000
        let (jwsSign, rawSign) = try await Measure.inTurn(rounds: 7) {
            for _ in 0..<many { _ = try signer.sign(payload) }
        } _: {
            for _ in 0..<many { _ = try key.signature(for: body) }
        }
        _ = await verifier.verify(signed)
        let (jwsVerify, rawVerify) = await Measure.inTurn(rounds: 7) {
            for _ in 0..<many { _ = await verifier.verify(signed) }
        } _: {
            for _ in 0..<many { _ = key.publicKey.isValidSignature(signature, for: body) }
        }
        let count = Double(many)
        table.add(
            "JWS sign", count / jwsSign, count / rawSign, unit: "/s", ratio: rawSign / jwsSign,
            goal: .atLeast(0.7))
        table.add(
            "JWS verify, known chain", count / jwsVerify, count / rawVerify, unit: "/s",
            ratio: rawVerify / jwsVerify, goal: .atLeast(0.7))
    }

    static func payload() -> TransactionPayload {
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        var payload = TransactionPayload(
            transactionId: TransactionID(1_000_001),
            originalTransactionId: TransactionID(1_000_001),
            bundleId: "com.example.bench", productId: BenchStore.coins, type: .consumable,
            purchaseDate: now, originalPurchaseDate: now, quantity: 1,
            environment: .sandbox, storefront: "USA", storefrontId: "143441", price: 990,
            currency: "USD", signedDate: now)
        payload.appAccountToken = UUID()
        return payload
    }
}
