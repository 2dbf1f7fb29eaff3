import Foundation
import StoreModel
import StoreSigning
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
        #expect(BrokenText(reason).reason == reason)
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

    /// A key folder from an older program: without a revoked leaf certificate.
    private func makeOlder(_ folder: URL) throws {
        _ = try StoreKeys.open(folder: folder)
        for name in ["revoked.pem", "revoked.key"] {
            try FileManager.default.removeItem(at: folder.appending(path: "chain/" + name))
        }
    }

    @Test("the revoked leaf of a key folder stays the same")
    func kept() async throws {
        try await withTemporaryFolder { folder in
            let made = try StoreKeys.open(folder: folder)
            let broken = try TransactionSigner(keys: made).sign(payload, broken: .revokedLeaf)
            let verifier = try await verifier(of: try StoreKeys.open(folder: folder))
            #expect(await verifier.verify(broken).error == .revokedCertificate)
        }
    }

    @Test("an older key folder gets a revoked leaf when it is first needed, and keeps it")
    func olderFolder() async throws {
        try await withTemporaryFolder { folder in
            try makeOlder(folder)
            let keys = try StoreKeys.open(folder: folder)
            let set = folder.appending(path: "revoked")
            let early = try await verifier(of: keys)
            #expect(!FileManager.default.fileExists(atPath: set.path(percentEncoded: false)))

            let broken = try TransactionSigner(keys: keys).sign(payload, broken: .revokedLeaf)
            #expect(try permissions(of: set) == 0o700)
            for name in ["intermediate.pem", "leaf.pem", "leaf.key"] {
                #expect(try permissions(of: set.appending(path: name)) == 0o600)
            }
            // The verifier's early list does not contain the new certificate, so the text is
            // refused for another reason. A list of the same instant contains it, and the verifier
            // takes that one.
            #expect(await early.verify(broken).payload == nil)
            #expect(try await early.use(try keys.revocationList(at: payload.signedDate)))
            #expect(await early.verify(broken).error == .revokedCertificate)

            let again = try StoreKeys.open(folder: folder)
            #expect(
                await (try verifier(of: again)).verify(broken).error == .revokedCertificate)
            #expect(again.rootCertificateDER == keys.rootCertificateDER)
        }
    }

    @Test(
        "a damaged revoked leaf of an older folder is an error, and is not replaced",
        arguments: ["intermediate.pem", "leaf.pem", "leaf.key"])
    func damaged(name: String) async throws {
        try await withTemporaryFolder { folder in
            try makeOlder(folder)
            _ = try TransactionSigner(keys: StoreKeys.open(folder: folder)).sign(
                payload, broken: .revokedLeaf)
            let file = folder.appending(path: "revoked/" + name)
            try Data("garbage".utf8).write(to: file)
            let keys = try StoreKeys.open(folder: folder)
            let error = #expect(throws: StoreError.self) {
                try TransactionSigner(keys: keys).sign(payload, broken: .revokedLeaf)
            }
            #expect(error?.code == .keysUnreadable)
            #expect(error?.subject?.hasSuffix("revoked/" + name) == true)
            #expect(throws: StoreError.self) { try keys.revocationList(at: payload.signedDate) }
            #expect(try Data(contentsOf: file) == Data("garbage".utf8))
            // The store's own signatures do not depend on the damaged file.
            #expect(
                await (try verifier(of: keys, hasList: false)).verify(
                    try TransactionSigner(keys: keys).sign(payload)
                ).payload == payload)
        }
    }
}
