#if os(Linux)
import Foundation
import StoreModel
import StoreSigning

/// A payload of the store with the text that it was signed in.
package protocol SignedValue: Sendable {
    /// The compact JWS.
    var signedText: String { get }
    /// Its claims, as Apple's payloads name them.
    var claims: SignedClaims { get }
}

/// The claims that every signed value has.
package struct SignedClaims: Sendable {
    var signedDate: Timestamp
    var deviceVerification: String?
    var nonce: UUID?
}

extension SignedValue {
    /// The parts of the text as they were encoded.
    private var parts: [Substring] {
        signedText.split(separator: ".", omittingEmptySubsequences: false)
    }

    /// A part of the text, decoded; empty if there is none.
    func part(_ index: Int) -> Data {
        guard parts.indices.contains(index) else { return Data() }
        let text = String(parts[index])
        return Base64URL.decode(text.utf8Span.span).map { Data($0) } ?? Data()
    }

    /// Header and payload as they were signed.
    var signedBytes: Data { Data(parts.prefix(2).joined(separator: ".").utf8) }

    var deviceDigest: Data {
        claims.deviceVerification.flatMap { Data(base64Encoded: $0) } ?? Data()
    }

    var nonce: UUID { claims.nonce ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}
#endif
