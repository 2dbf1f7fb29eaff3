import Foundation
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

@Suite("texts that the store breaks on purpose")
struct BrokenTextTests {
    private let keys: StoreKeys
    private let device = DeviceVerification(
        bundleID: Samples.bundleID, account: "aoi", device: "phone")
    private let payload: TransactionPayload

    init() throws {
        keys = try StoreKeys.generate()
        let nonce = UUID()
        let digest = device.text(nonce: nonce)
        payload = Samples.changed {
            $0.deviceVerificationNonce = nonce
            $0.deviceVerification = digest
        }
    }

    private func verifier(of keys: StoreKeys, hasList: Bool = true) async throws
        -> TransactionVerifier
    {
        let verifier = try TransactionVerifier(
            rootCertificate: keys.rootCertificateDER, bundleID: Samples.bundleID,
            environment: .sandbox, device: device)
        if hasList { _ = try await verifier.use(try keys.revocationList(at: payload.signedDate)) }
        return verifier
    }

    @Test("each way is refused for its reason, and only for it", arguments: BrokenText.allCases)
    func ways(way: BrokenText) async throws {
        let verifier = try await verifier(of: keys)
        let signer = TransactionSigner(keys: keys)
        let broken = try signer.sign(payload, broken: way)
        #expect(await verifier.verify(broken).error == way.reason)
        #expect(await verifier.verify(try signer.sign(payload)).payload == payload)
        #expect(await verifier.verify(broken).error == way.reason)
    }

    @Test("every reason can be had [C4]", arguments: VerificationError.allCases)
    func reasons(reason: VerificationError) async throws {
        let broken = try TransactionSigner(keys: keys).sign(payload, broken: reason)
        #expect(await (try verifier(of: keys)).verify(broken).error == reason)
    }

    @Test("the names of StoreKit are its six")
    func storeKitNames() {
        #expect(
            Set(VerificationError.allCases.map(\.rawValue)).subtracting([
                "wrongApp", "wrongEnvironment",
            ]) == [
                "revokedCertificate", "invalidCertificateChain", "invalidDeviceVerification",
                "invalidEncoding", "invalidSignature", "missingRequiredProperties",
            ])
    }

    @Test("the revoked leaf is one of the store's own: only the list tells it apart")
    func revokedLeafIsGenuine() async throws {
        let verifier = try await verifier(of: keys, hasList: false)
        let revoked = try TransactionSigner(keys: keys).sign(
            payload, broken: .revokedCertificate)
        #expect(await verifier.verify(revoked).payload == payload)
        // The verifier knows the chain now, and still refuses the text.
        #expect(try await verifier.use(try keys.revocationList(at: payload.signedDate)))
        #expect(verifier.knowsChain(of: revoked))
        #expect(await verifier.verify(revoked).error == .revokedCertificate)
    }

    @Test("a text without a device is accepted only where that is allowed")
    func operatorsText() async throws {
        let verifier = try await verifier(of: keys)
        let signed = try TransactionSigner(keys: keys).sign(payload, broken: .noDevice)
        #expect(await verifier.verify(signed).error == .invalidDeviceVerification)
        #expect(await verifier.verify(signed, allowingNoDevice: true).payload != nil)
        let others = try TransactionSigner(keys: keys).sign(payload, broken: .otherDevice)
        #expect(
            await verifier.verify(others, allowingNoDevice: true).error
                == .invalidDeviceVerification)
    }

    // MARK: Key folders

    @Test("the revoked leaf of a key folder stays the same")
    func kept() async throws {
        try await withTemporaryFolder { folder in
            let made = try StoreKeys.open(folder: folder)
            let broken = try TransactionSigner(keys: made).sign(payload, broken: .revokedLeaf)
            let verifier = try await verifier(of: try StoreKeys.open(folder: folder))
            #expect(await verifier.verify(broken).error == .revokedCertificate)
        }
    }
}
