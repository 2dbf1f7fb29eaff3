import SwiftASN1
import X509

/// What RFC 5280 leaves open and the App Store's verifiers ask: exactly leaf, intermediate, root;
/// the markers that say what leaf and intermediate are for; and no key used for what its
/// certificate does not allow (`RFC5280Policy` does not look at key usage).
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

    /// A certificate that says nothing about the use of its key allows any (RFC 5280 §4.2.1.3); one
    /// whose words cannot be read allows none.
    private func allows(_ use: KeyPath<KeyUsage, Bool>, _ certificate: Certificate) -> Bool {
        do {
            guard let usage = try certificate.extensions.keyUsage else { return true }
            return usage[keyPath: use]
        } catch {
            return false
        }
    }
}
