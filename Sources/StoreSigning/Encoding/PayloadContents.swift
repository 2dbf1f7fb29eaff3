import Foundation
import StoreModel

/// The payload of a signed transaction, as far as it can be decoded. Untrusted.
struct PayloadContents {
    /// The whole payload; nil if a required property is missing or malformed.
    let payload: TransactionPayload?
    /// The payload's `signedDate`, even if other properties cannot be decoded.
    let signedDate: Timestamp?

    /// Nil unless the bytes are a JSON object. Unknown members are ignored.
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

    /// Decodes from any JSON object, with or without the date.
    private struct SignedDate: Decodable {
        let value: Timestamp?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            value = try? container.decode(Timestamp.self, forKey: .signedDate)
        }

        private enum Key: CodingKey { case signedDate }
    }
}
