import Foundation
import StoreModel

/// What the payload of a signed transaction says, as far as it can be made out. Untrusted.
struct PayloadContents {
    /// The whole payload; nil when a property that must be there is missing or makes no sense.
    let payload: TransactionPayload?
    /// When it says it was signed, also where the rest cannot be made out.
    let signedDate: Timestamp?

    /// Nil unless the bytes are a JSON object. Members nobody knows do no harm.
    init?(_ bytes: [UInt8]) {
        let data = Data(bytes)
        if let payload = try? Self.decoder.decode(TransactionPayload.self, from: data) {
            self.payload = payload
            signedDate = payload.signedDate
        } else if let date = try? Self.decoder.decode(SignedDate.self, from: data) {
            payload = nil
            signedDate = date.value
        } else {
            return nil
        }
    }

    private static let decoder = JSONDecoder()

    /// Decodes from any JSON object.
    private struct SignedDate: Decodable {
        let value: Timestamp?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            value = try? container.decode(Timestamp.self, forKey: .signedDate)
        }

        private enum Key: CodingKey { case signedDate }
    }
}
