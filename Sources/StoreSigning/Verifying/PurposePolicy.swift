import SwiftASN1
import X509

/// The checks that RFC 5280 leaves to the application and that the App Store's verifiers make:
/// exactly leaf, intermediate and root; the marker extensions of leaf and intermediate; and that
/// each certificate permits the use of its key.
struct PurposePolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
        MarkerExtension.receiptSigning, MarkerExtension.receiptSigningIssuer,
    ]

    func chainMeetsPolicyRequirements(
        chain: UnverifiedCertificateChain
    ) -> PolicyEvaluationResult {
        guard chain.count == 3 else {
            return .failsToMeetPolicy(reason: "the chain is not leaf, intermediate, root")
        }
        let (leaf, intermediate, root) = (chain[0], chain[1], chain[2])
        guard leaf.extensions[oid: MarkerExtension.receiptSigning] != nil else {
            return .failsToMeetPolicy(reason: "the leaf is not for signing receipts")
        }
        guard intermediate.extensions[oid: MarkerExtension.receiptSigningIssuer] != nil else {
            return .failsToMeetPolicy(reason: "the intermediate is not for issuing such leaves")
        }
        guard allows(\.digitalSignature, leaf), allows(\.keyCertSign, intermediate),
            allows(\.keyCertSign, root)
        else { return .failsToMeetPolicy(reason: "a key is used for what it is not for") }
        return .meetsPolicy
    }

    /// A certificate without the key usage extension permits every use (RFC 5280 §4.2.1.3); one
    /// whose extension cannot be decoded permits none.
    private func allows(_ use: KeyPath<KeyUsage, Bool>, _ certificate: Certificate) -> Bool {
        do {
            guard let usage = try certificate.extensions.keyUsage else { return true }
            return usage[keyPath: use]
        } catch {
            return false
        }
    }
}
