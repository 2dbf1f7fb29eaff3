/// A payload as signed text: a compact JWS (RFC 7515) of header, payload and signature, by the
/// store's chain. Untrusted until a verifier has verified it: any program can write such a text.
package struct Signed<Payload>: TextIdentifier {
    package let rawValue: String
    /// Any text is accepted: only a verifier tells whether it is genuine.
    package init(rawValue: String) { self.rawValue = rawValue }
}

package typealias SignedTransaction = Signed<TransactionPayload>
package typealias SignedRenewalInfo = Signed<RenewalInfoPayload>
/// The store does not make Apple's PKCS#7 form.
package typealias SignedReceipt = Signed<ReceiptPayload>
package typealias SignedAppTransaction = Signed<AppTransactionPayload>
/// The signature of a manifest: its payload has the manifest's digest.
package typealias SignedManifest = Signed<ManifestPayload>
package typealias SignedRevocationList = Signed<RevocationListPayload>
