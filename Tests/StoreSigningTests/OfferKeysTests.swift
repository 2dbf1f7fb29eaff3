import Crypto
import Foundation
import StoreModel
import StoreSigning
import Testing

/// The keys that sign promotional offers, and their folder.
@Suite("the keys of promotional offers") struct OfferKeysTests {
    private static let claim = OfferClaim(
        bundleID: "com.example.test", productID: "p", offerID: "o", customer: "")
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)

    private static func folder() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "offer-keys-\(UUID())/offers")
    }

    private static func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test("a key is kept in a file of its own that only the user may read")
    func files() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
        let keys = OfferKeys(folder: folder)
        let id = try await keys.standard()
        #expect(try await keys.standard() == id, "made once")
        let file = folder.path + "/\(id).key"
        #expect(try Self.mode(file) == 0o600)
        #expect(try Self.mode(folder.path) == 0o700)
        // Another process signs and verifies with the same key.
        let other = OfferKeys(folder: folder)
        #expect(try await other.standard() == id)
        let signature = try await keys.sign(Self.claim, nonce: UUID(), at: Self.now)
        guard case .good = try await other.verify(signature, of: Self.claim) else {
            Issue.record("not verified")
            return
        }
    }

    @Test("keys are in the order in which they were written, however fast that was")
    func order() async throws {
        let folder = Self.folder().deletingLastPathComponent().path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let keys = FolderKeys(path: folder)
        #expect(try keys.ids().isEmpty)
        let ids = (0..<50).map { "K\(($0 * 7) % 50)" }
        for id in ids { try keys.write("text", as: id) }
        #expect(try keys.ids() == ids)
        try keys.write("again", as: ids[3])
        #expect(try await keys.latest() == ids[3])
    }

    @Test("a key of the app's signs in place of the store's own [F8]")
    func added() async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
        let keys = OfferKeys(folder: folder)
        let key = P256.Signing.PrivateKey()
        try await keys.add(id: "5509FCF1", pem: key.pemRepresentation)
        let nonce = UUID()
        guard
            case .parameters("5509FCF1", nonce, Self.now, let bytes) = try await keys.sign(
                Self.claim, nonce: nonce, at: Self.now)
        else {
            Issue.record("another key")
            return
        }
        // The signed text in the form that Apple's documentation gives.
        let line = [
            "com.example.test", "5509FCF1", "p", "o", "", nonce.uuidString.lowercased(),
            "1800000000000",
        ].joined(separator: "\u{2063}")
        #expect(
            key.publicKey.isValidSignature(
                try P256.Signing.ECDSASignature(derRepresentation: bytes), for: Data(line.utf8)))
    }

    static let badNames = ["../x", "", "a/b", String(repeating: "a", count: 65), "a.b"]

    @Test("a name that could lead out of the folder is refused", arguments: badNames)
    func names(id: String) async throws {
        let folder = Self.folder()
        defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
        let keys = OfferKeys(folder: folder)
        let pem = P256.Signing.PrivateKey().pemRepresentation
        await #expect(throws: StoreError.self) { try await keys.add(id: id, pem: pem) }
        let proof = try await keys.verify(
            .parameters(keyID: id, nonce: UUID(), timestamp: Self.now, signature: Data()),
            of: Self.claim)
        #expect(proof == .refused(.unknownKey))
    }

    @Test("an error about a key does not show it")
    func secret() async throws {
        let keys = OfferKeys()
        let text = "-----BEGIN PRIVATE KEY-----\nSECRET\n-----END PRIVATE KEY-----"
        do {
            try await keys.add(id: "A", pem: text)
            Issue.record("taken")
        } catch {
            #expect(!"\(error)".contains("SECRET"))
        }
    }
}
