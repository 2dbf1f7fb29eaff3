import Basics
import Crypto
import Foundation

/// The name of the app's own user, of which only a digest leaves the app (StoreKit 1:
/// `SKMutablePayment.applicationUsername`; Apple asks for a one-way hash).
package enum ApplicationUsername {
    /// The SHA-256 of the name's UTF-8 bytes, 64 hexadecimal digits in lower case.
    package static func hash(_ name: String) -> String {
        HexText.of(SHA256.hash(data: Data(name.utf8)))
    }
}
