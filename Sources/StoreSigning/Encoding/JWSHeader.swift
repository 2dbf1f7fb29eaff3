import Foundation
import StoreModel

/// The certificates in the header of a signed text (RFC 7515 §4.1): what is left of it once it is
/// known to be ES256 with a chain of three. Untrusted.
struct JWSHeader {
    /// DER, leaf first.
    let leaf: [UInt8]
    let intermediate: [UInt8]
    let root: [UInt8]

    init(_ bytes: [UInt8]) throws(VerificationError) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(bytes)) else {
            throw .invalidEncoding
        }
        // A header that marks a member as critical asks to be refused by those who do not
        // understand it (RFC 7515 §4.1.11).
        guard fields.alg == "ES256", fields.crit == nil, let x5c = fields.x5c else {
            throw .unsupportedAlgorithm
        }
        guard x5c.count == 3 else { throw .invalidChainLength }
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
