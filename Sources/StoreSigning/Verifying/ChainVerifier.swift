import Crypto
import Foundation
import StoreModel
import SwiftASN1
import X509

/// Verifies the certificates of a header against one pinned root: the path (`PathPolicy`) with its
/// dates at the signed date, and the purpose (`PurposePolicy`).
struct ChainVerifier: Sendable {
    private let root: Certificate
    private let rootDER: [UInt8]

    /// Throws unless the bytes are DER.
    init(rootDER: [UInt8]) throws {
        root = try Certificate(derEncoded: rootDER)
        self.rootDER = rootDER
    }

    /// `text` is the header as encoded in the signed text, `date` the payload's signed date. A
    /// revoked certificate is reported as such even if the chain is invalid too.
    func trustedChain(
        header text: [UInt8], at date: Timestamp, revoked: RevokedCertificates
    ) async throws(VerificationError) -> TrustedChain {
        guard let json = Base64URL.decode(text.span) else { throw .invalidEncoding }
        let header = try JWSHeader(json)
        guard header.root == rootDER,
            let leaf = try? Certificate(derEncoded: header.leaf),
            let intermediate = try? Certificate(derEncoded: header.intermediate),
            let leafKey = P256.Signing.PublicKey(leaf.publicKey)
        else { throw .invalidCertificateChain }
        let serials = [leaf, intermediate].map { CertificateSerial($0.serialNumber) }
        guard !revoked.contains(anyOf: serials) else { throw .revokedCertificate }

        let validity = ValidityWindow(of: [leaf, intermediate, root])
        guard validity.contains(date) else { throw .invalidCertificateChain }

        var verifier = Verifier(rootCertificates: CertificateStore([root])) {
            PathPolicy()
            PurposePolicy()
        }
        let result = await verifier.validate(
            leaf: leaf, intermediates: CertificateStore([intermediate]))
        guard case .validCertificate = result else { throw .invalidCertificateChain }
        return TrustedChain(
            header: text, leafKey: leafKey, serials: serials, validity: validity)
    }
}
