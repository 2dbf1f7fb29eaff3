import Foundation
import StoreModel

// Uses only Foundation, so that the code under test does not check itself.

extension Data {
    var base64URL: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    init?(base64URL text: String) {
        var plain = text.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        while !plain.count.isMultiple(of: 4) { plain += "=" }
        self.init(base64Encoded: plain)
    }
}

extension SignedTransaction {
    /// The three parts, encoded.
    var parts: [String] {
        rawValue.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    func replacing(part index: Int, with text: String) -> SignedTransaction {
        var parts = parts
        parts[index] = text
        return SignedTransaction(parts.joined(separator: "."))
    }

    func changing(part index: Int, _ change: (inout Data) -> Void) throws -> SignedTransaction {
        var bytes = try decoded(part: index)
        change(&bytes)
        return replacing(part: index, with: bytes.base64URL)
    }

    func decoded(part index: Int) throws -> Data {
        guard let bytes = Data(base64URL: parts[index]) else { throw NotBase64URL() }
        return bytes
    }

    struct NotBase64URL: Error {}
}
