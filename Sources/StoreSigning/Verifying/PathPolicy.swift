import SwiftASN1
import X509

/// The rules of RFC 5280 for the certificates of a chain, but not their dates: `ChainVerifier`
/// compares those with the signed date, and X509's own `RFC5280Policy` with the present time, at
/// which the certificates of an old text may be over.
struct PathPolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [
        .X509ExtensionID.basicConstraints, .X509ExtensionID.keyUsage,
    ]

    /// `PurposePolicy` checks the use of the keys, and that the chain has three certificates.
    func chainMeetsPolicyRequirements(
        chain: UnverifiedCertificateChain
    ) -> PolicyEvaluationResult {
        guard chain.allSatisfy({ $0.version == .v3 }) else {
            return .failsToMeetPolicy(reason: "a certificate is not of version 3")
        }
        // No issuer of such chains limits names, so a limit is refused instead of understood.
        guard chain.allSatisfy({ $0.extensions[oid: .X509ExtensionID.nameConstraints] == nil })
        else { return .failsToMeetPolicy(reason: "a certificate limits names") }
        for (below, issuer) in chain.dropFirst().enumerated() {
            guard mayIssue(issuer, above: below) else {
                return .failsToMeetPolicy(reason: "a certificate is no issuer of those below it")
            }
        }
        return .meetsPolicy
    }

    /// - Parameter count: the issuers between this one and the leaf.
    private func mayIssue(_ issuer: Certificate, above count: Int) -> Bool {
        guard case .isCertificateAuthority(let most)? = try? issuer.extensions.basicConstraints
        else { return false }
        return most.map { $0 >= count } ?? true
    }
}
