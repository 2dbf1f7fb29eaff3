import Foundation
import StoreModel
import Testing

@Suite struct PaymentIDTests {
    /// RFC 9562, section 5.7: 48 bits of milliseconds, the version, the variant, then random bits.
    @Test("a payment id begins with its creation time")
    func itBeginsWithItsTime() throws {
        let now = Date(timeIntervalSince1970: 1_645_557_742)
        let text = PaymentID.made(at: now).description.lowercased()
        #expect(text.hasPrefix("017f22e2-79b0-7"), "\(text)")
        let variant = try #require(text.dropFirst(19).first)
        #expect("89ab".contains(variant), "\(text)")
        #expect(PaymentID(text) != nil)
    }

    @Test("payment ids sort by creation time, and no two are the same")
    func laterOnesLieBehindAndNoTwoAreTheSame() {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let ids = (0..<500).map { PaymentID.made(at: start + Double($0)).description }
        #expect(ids == ids.sorted())
        #expect(Set((0..<500).map { _ in PaymentID.made(at: start) }).count == 500)
    }

    @Test("a payment id made before 1970 has a time of zero")
    func aTimeBeforeAllTimesIsNone() {
        let text = PaymentID.made(at: .distantPast).description
        #expect(text.hasPrefix("00000000-0000-7"), "\(text)")
    }
}

@Suite struct TransactionIDTests {
    @Test("a transaction's number is read as it is written", arguments: ["0", "7", "1000001"])
    func read(text: String) {
        #expect(TransactionID(text)?.description == text)
    }

    @Test(
        "a text that is no transaction's number is refused",
        arguments: ["", "+5", "-5", "-0", "007", "5 ", "５", "9223372036854775808", "x"])
    func refused(text: String) {
        #expect(TransactionID(text) == nil)
    }
}
