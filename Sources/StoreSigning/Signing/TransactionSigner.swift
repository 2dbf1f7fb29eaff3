import Crypto
import Foundation
package import StoreModel

/// Signs transactions and the store's other texts as compact JWS with ES256 and the certificates in
/// the header (RFC 7515, RFC 7518 §3.4). One value serves a whole store, from any task. Signing the
/// same payload twice gives two different texts, because ECDSA signatures are randomized.
package struct TransactionSigner: Sendable {
    let keys: StoreKeys
    private let jws: JWSSigner

    package init(keys: StoreKeys) {
        self.keys = keys
        jws = JWSSigner(keys.signing)
    }

    /// Signs a payload as it is, including its date, in the names and units of Apple's payloads.
    /// Throws `systemError` if the key cannot sign.
    package func sign<Payload: SignedPayload>(
        _ payload: Payload
    ) throws(StoreError) -> Signed<Payload> {
        Signed(try jws.sign(payload))
    }
}

/// Makes compact JWS with the key and the certificates of one chain.
struct JWSSigner: Sendable {
    private let key: P256.Signing.PrivateKey
    private let refusal: StoreError?
    /// With the dot after it. All texts of a chain have the same header, so it is encoded and
    /// hashed once.
    private let header: [UInt8]
    private let headerHash: SHA256

    init(_ chain: SigningChain) {
        key = chain.leafKey
        refusal = chain.refusal
        let certificates = chain.certificates.map { "\"\(Data($0).base64EncodedString())\"" }
        let json =
            #"{"alg":"ES256","kid":"\#(chain.keyID)","typ":"JWT","#
            + #""x5c":[\#(certificates.joined(separator: ","))]}"#
        header = Array((Base64URL.encode(Array(json.utf8).span) + ".").utf8)
        var hash = SHA256()
        hash.update(data: header)
        headerHash = hash
    }

    /// Throws `systemError` if the key cannot sign, and the error of a chain that signs nothing.
    func sign(_ payload: some SignedPayload) throws(StoreError) -> String {
        try sign(bytes: try payload.jsonBytes())
    }

    func sign(bytes payload: [UInt8]) throws(StoreError) -> String {
        if let refusal { throw refusal }
        let payloadEnd = header.count + Base64URL.encodedCount(payload.count)
        let count = payloadEnd + 1 + Base64URL.encodedCount(Self.signatureByteCount)
        do {
            return try String(unsafeUninitializedCapacity: count) { text in
                _ = text.update(fromContentsOf: header)
                let payloadText = UnsafeMutableBufferPointer(
                    rebasing: text[header.count..<payloadEnd])
                Base64URL.encode(payload.span, into: payloadText)

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
