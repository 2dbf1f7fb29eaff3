import Foundation
import TestBasics
import Testing

@testable import StoreSigning

@Suite("base64url")
struct Base64URLTests {
    /// RFC 4648 §10, without padding.
    @Test(
        "the test vectors of RFC 4648 are encoded and decoded",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
        ])
    func vectors(plain: String, text: String) {
        #expect(Base64URL.encode(Array(plain.utf8).span) == text)
        #expect(Base64URL.decode(Array(text.utf8).span) == Array(plain.utf8))
    }

    @Test("random bytes of every length up to 599 are encoded as Foundation does")
    func agreesWithFoundation() {
        var random = SplitMix64(seed: 1)
        for count in 0..<600 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = Data(bytes).base64URL
            #expect(Base64URL.encode(bytes.span) == text)
            #expect(Base64URL.decode(Array(text.utf8).span) == bytes)
        }
    }

    @Test(
        "a text that is not canonical base64url is refused",
        arguments: [
            "A", "Zg==", "Zm8=", "Zm9v\n", " Zm9v", "Zm+v", "Zm/v", "Zm.v", "Zmév", "Zh", "Zm9",
            "A===",
            "ZZZZZ", "\u{0}m9v",
        ])
    func refuses(text: String) {
        #expect(Base64URL.decode(Array(text.utf8).span) == nil)
    }

    @Test("no two texts decode to the same bytes")
    func isCanonical() {
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var seen: Set<[UInt8]> = []
        for first in alphabet {
            for second in alphabet {
                guard let bytes = Base64URL.decode([first, second].span) else { continue }
                #expect(seen.insert(bytes).inserted)
            }
        }
        #expect(seen.count == 256)
    }
}
