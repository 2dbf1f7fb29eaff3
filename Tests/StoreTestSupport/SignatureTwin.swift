import Foundation
package import StoreModel

extension SignedTransaction {
    /// The same header and payload with the other signature that the same key and hash allow: for
    /// (r, s) the twin is (r, n - s), with n the order of the curve (SEC 1, 4.1.4).
    package var twin: SignedTransaction {
        get throws {
            var parts = rawValue.split(separator: ".").map(String.init)
            var text = (parts.popLast() ?? "").replacing("-", with: "+").replacing("_", with: "/")
            text += String(repeating: "=", count: (4 - text.count % 4) % 4)
            guard let signature = Data(base64Encoded: text), signature.count == 64 else {
                throw StoreError(.invalidEncoding)
            }
            var twin = Array(signature)
            var borrow = 0
            for index in (0..<32).reversed() {
                let difference = Int(Self.order[index]) - Int(twin[32 + index]) - borrow
                borrow = difference < 0 ? 1 : 0
                twin[32 + index] = UInt8(difference + 256 * borrow)
            }
            let encoded = Data(twin).base64EncodedString().replacing("+", with: "-")
                .replacing("/", with: "_").replacing("=", with: "")
            return SignedTransaction((parts + [encoded]).joined(separator: "."))
        }
    }

    /// Of P-256 (FIPS 186).
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63,
        0x25, 0x51,
    ]
}
