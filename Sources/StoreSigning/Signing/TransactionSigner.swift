import Crypto
import Foundation
package import StoreModel

/// Signs what a store says: compact JWS, ES256, the certificates in the header (RFC 7515, RFC 7518
/// §3.4). A value made once per store; signing is safe from any task, and never gives the same text
/// twice, for an ECDSA signature has chance in it.
package struct TransactionSigner: Sendable {
    private let key: P256.Signing.PrivateKey
    /// The header's text and the dot after it. The same for everything a store signs, so it is
    /// encoded and hashed once.
    private let header: [UInt8]
    private let headerHash: SHA256

    package init(keys: StoreKeys) {
        key = keys.leafKey
        let certificates = keys.chain.map { "\"\(Data($0).base64EncodedString())\"" }
        let json =
            #"{"alg":"ES256","kid":"\#(keys.keyID)","typ":"JWT","#
            + #""x5c":[\#(certificates.joined(separator: ","))]}"#
        header = Array((Base64URL.encode(Array(json.utf8).span) + ".").utf8)
        var hash = SHA256()
        hash.update(data: header)
        headerHash = hash
    }

    /// The signed form of a payload, in the field names and units of Apple's
    /// `JWSTransactionDecodedPayload`. `signedDate` is the payload's own; nothing is filled in.
    /// Throws `systemError` when the key cannot sign.
    package func sign(_ payload: TransactionPayload) throws(StoreError) -> SignedTransaction {
        SignedTransaction(try sign(bytes: payload.jsonBytes().span))
    }

    private func sign(bytes payload: Span<UInt8>) throws(StoreError) -> String {
        let payloadEnd = header.count + Base64URL.encodedCount(payload.count)
        let count = payloadEnd + 1 + Base64URL.encodedCount(Self.signatureByteCount)
        do {
            return try String(unsafeUninitializedCapacity: count) { text in
                _ = text.update(fromContentsOf: header)
                let payloadText = UnsafeMutableBufferPointer(
                    rebasing: text[header.count..<payloadEnd])
                Base64URL.encode(payload, into: payloadText)

                var hash = headerHash
                hash.update(bufferPointer: UnsafeRawBufferPointer(payloadText))
                let signature = try key.signature(for: hash.finalize()).rawRepresentation

                text[payloadEnd] = UInt8(ascii: ".")
                Base64URL.encode(
                    signature.span,
                    into: UnsafeMutableBufferPointer(rebasing: text[(payloadEnd + 1)...]))
                return count
            }
        } catch {
            throw StoreError(.systemError, subject: "signature", cause: "\(error)")
        }
    }

    /// r and s, 32 bytes each (RFC 7518 §3.4).
    private static let signatureByteCount = 64
}
