import Basics
import Crypto
package import Foundation
package import StoreModel

/// The digest by which a manifest of content is signed, recorded and found.
package enum ManifestDigest {
    /// JSON with members in alphabetical order, without the manifest's signature. Throws
    /// `systemError` if it cannot be encoded.
    package static func bytes(of manifest: ContentManifest) throws(StoreError) -> Data {
        var manifest = manifest
        manifest.signed = nil
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try encoder.encode(manifest) } catch {
            throw StoreError(.systemError, subject: "manifest", cause: String(describing: error))
        }
    }

    /// SHA-256 of `bytes(of:)`, lower-case hexadecimal.
    package static func of(_ manifest: ContentManifest) throws(StoreError) -> String {
        HexText.of(SHA256.hash(data: try bytes(of: manifest)))
    }
}

extension TransactionSigner {
    /// - Throws: `systemError` if the key cannot sign.
    package func sign(
        _ manifest: ContentManifest, of product: ProductID, identity: AppIdentity,
        at date: Timestamp
    ) throws(StoreError) -> ContentManifest {
        var manifest = manifest
        manifest.signed = try sign(
            ManifestPayload(
                of: manifest, sha256: try ManifestDigest.of(manifest), product: product,
                identity: identity, at: date))
        return manifest
    }
}

extension TransactionVerifier {
    /// Checks the signature, and that it is for this product and these files. Nil for a verified
    /// manifest.
    package func failure(
        of manifest: ContentManifest, of product: ProductID
    ) async -> VerificationError? {
        guard let signed = manifest.signed else { return .missingRequiredProperties }
        let payload: ManifestPayload
        do throws(VerificationError) { payload = try await verify(signed) } catch { return error }
        let isOfIt =
            payload.productId == product && payload.contentId == manifest.contentID
            && payload.contentVersion == manifest.version
            && payload.manifestSha256 == (try? ManifestDigest.of(manifest))
            && payload.contentLength == manifest.length
        return isOfIt ? nil : .invalidSignature
    }
}
