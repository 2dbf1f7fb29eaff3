/// The number of an order on a customer's receipt, such as `M7Q0PZ3XK41B` (App Store Server API:
/// `orderId`). It is the number of the order's transaction in another form, so that neither has to
/// be looked up for the other, and that one order number does not tell the next one.
package struct OrderID: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(of transaction: TransactionID, in bundleID: String) {
        var number = Self.mixed(
            UInt64(bitPattern: transaction.number) & Self.mask, by: Self.keys(bundleID))
        var digits: [UInt8] = []
        for _ in 0..<Self.digitCount {
            digits.append(Self.alphabet[Int(number & 31)])
            number >>= 5
        }
        description = Self.prefix + String(decoding: digits.reversed(), as: UTF8.self)
    }

    /// The transaction that an order number stands for, whether the store has it or not; nil for a
    /// text of another form.
    package static func transaction(_ text: String, in bundleID: String) -> TransactionID? {
        guard text.hasPrefix(prefix), text.utf8.count == digitCount + prefix.utf8.count else {
            return nil
        }
        var number: UInt64 = 0
        for digit in text.utf8.dropFirst(prefix.utf8.count) {
            guard let value = alphabet.firstIndex(of: digit) else { return nil }
            number = number << 5 | UInt64(value)
        }
        guard number <= mask else { return nil }
        return TransactionID(Int64(mixed(number, by: keys(bundleID).reversed(), isBack: true)))
    }

    private static let prefix = "M"
    private static let digitCount = 11
    /// Digits and capital letters without those that are read as others (Crockford's base 32).
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    /// Of each half. Transactions have at most 53 bits.
    private static let halfBits: UInt64 = 27
    private static let halfMask: UInt64 = (1 << halfBits) - 1
    private static let mask: UInt64 = (1 << (2 * halfBits)) - 1

    /// A Feistel network: it maps the numbers of 54 bits onto each other, whatever its round
    /// function is.
    private static func mixed(_ number: UInt64, by keys: [UInt64], isBack: Bool = false) -> UInt64 {
        var (left, right) = (number >> halfBits, number & halfMask)
        if isBack { swap(&left, &right) }
        for key in keys {
            (left, right) = (right, left ^ (scrambled(right &+ key) & halfMask))
        }
        if isBack { swap(&left, &right) }
        return left << halfBits | right
    }

    /// One for each round, different in each app.
    private static func keys(_ bundleID: String) -> [UInt64] {
        // FNV-1a.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bundleID.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (1...6).map { scrambled(hash &+ $0) }
    }

    /// SplitMix64.
    private static func scrambled(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
