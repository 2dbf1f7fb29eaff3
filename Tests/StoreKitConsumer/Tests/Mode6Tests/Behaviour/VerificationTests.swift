import StoreKitTest
import Testing

@Suite(.storeKit(Shop.configuration), .timeLimit(.minutes(1))) struct VerificationTests {
    @Test("a verified value gives its parts, and its payload as JSON")
    func parts() async throws {
        guard case .success(let result) = try await Shop.product(Shop.theme).purchase(),
            case .verified(let transaction) = result
        else { throw Shop.Failure(text: "not verified") }
        #expect(try result.payloadValue == transaction && result.unsafePayloadValue == transaction)
        let parts = result.jwsRepresentation.split(separator: ".")
        #expect(parts.count == 3 && result.signedData == Data("\(parts[0]).\(parts[1])".utf8))
        #expect(result.signatureData.count == 64)
        #expect(result.signature.rawRepresentation == result.signatureData)
        #expect(result.signedDate == transaction.signedDate)
        #expect(result.deviceVerification == transaction.deviceVerification)
        let header = try JSONSerialization.jsonObject(with: result.headerData) as? [String: Any]
        #expect(header?["alg"] as? String == "ES256" && header?["x5c"] is [String])
        struct Payload: Decodable {
            var productId, bundleId, environment, type: String
            var transactionId, originalTransactionId: String
        }
        let payload = try JSONDecoder().decode(Payload.self, from: result.payloadData)
        #expect(payload.productId == Shop.theme && payload.type == "Non-Consumable")
        #expect(UInt64(payload.transactionId) == transaction.id && payload.environment == "Xcode")
        #expect(result.payloadData == transaction.jsonRepresentation)
        #expect(AppStore.deviceVerificationID != nil)
    }

    @Test("renewal info and app transaction are signed, too")
    func others() async throws {
        try await Shop.buy(Shop.monthly)
        let info = try await Shop.status().renewalInfo
        #expect(try info.payloadValue.signedDate == info.signedDate)
        #expect(info.jwsRepresentation.split(separator: ".").count == 3)
        let app = try await AppTransaction.shared
        #expect(try app.payloadValue.deviceVerificationNonce == app.deviceVerificationNonce)
        #expect(app.signatureData.count == 64)
    }

    @Test("what fails a check is unverified, with the check, and throws it [H1]")
    func unverified() async throws {
        let session = try currentSession()
        try await session.setSimulatedError(
            .verification(.invalidSignature), forAPI: .verification)
        guard case .success(let result) = try await Shop.product(Shop.coins).purchase(),
            case .unverified(let transaction, let error) = result
        else { throw Shop.Failure(text: "not unverified") }
        #expect(transaction.productID == Shop.coins && error == .invalidSignature)
        #expect(throws: VerificationResult<Transaction>.VerificationError.invalidSignature) {
            try result.payloadValue
        }
        #expect(result.unsafePayloadValue == transaction && error.errorDescription != nil)
        try await session.setSimulatedError(nil, forAPI: .verification)
        try await Shop.buy(Shop.coins)
    }
}
