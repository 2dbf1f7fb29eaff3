import Foundation
import StoreModel

/// The certificates of a signed text's header (RFC 7515 §4.1), after checking that it names ES256
/// and a chain of three. Untrusted: no certificate has been verified.
struct JWSHeader {
    /// DER.
    let leaf: [UInt8]
    let intermediate: [UInt8]
    let root: [UInt8]

    init(_ bytes: [UInt8]) throws(VerificationError) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(bytes)) else {
            throw .invalidEncoding
        }
        // A verifier must refuse a header that marks members as critical if it does not understand
        // them (RFC 7515 §4.1.11); this one understands none.
        guard fields.crit == nil else { throw .invalidEncoding }
        guard fields.alg == "ES256" else { throw .invalidSignature }
        guard let x5c = fields.x5c, x5c.count == 3 else { throw .invalidCertificateChain }
        let chain = x5c.compactMap { Data(base64Encoded: $0) }
        guard chain.count == 3 else { throw .invalidCertificateChain }
        leaf = Array(chain[0])
        intermediate = Array(chain[1])
        root = Array(chain[2])
    }

    private struct Fields: Decodable {
        let alg: String?
        let crit: [String]?
        let x5c: [String]?
    }
}
