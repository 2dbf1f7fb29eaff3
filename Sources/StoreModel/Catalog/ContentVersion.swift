/// The version of a package of hosted content (StoreKit: `contentVersion`): one to four numbers of
/// at most nine digits, such as `1.2`. Missing numbers are 0, so that `1.2` and `1.2.0` are one
/// version.
package struct ContentVersion: Hashable, Sendable, Comparable, TextCoded {
    /// The version as it was written. Comparisons use the numbers: `1.2` equals `1.2.0`.
    package let text: String
    private let numbers: [Int]

    package init?(_ text: some StringProtocol) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...4).contains(parts.count) else { return nil }
        var numbers: [Int] = []
        for part in parts {
            let isNumber =
                (1...9).contains(part.count)
                && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard isNumber, let number = Int(String(decoding: part, as: UTF8.self)) else {
                return nil
            }
            numbers.append(number)
        }
        self.text = String(text)
        self.numbers = numbers + Array(repeating: 0, count: 4 - numbers.count)
    }

    package var description: String { text }

    package static func == (one: Self, other: Self) -> Bool { one.numbers == other.numbers }
    package func hash(into hasher: inout Hasher) { hasher.combine(numbers) }
    package static func < (one: Self, other: Self) -> Bool {
        one.numbers.lexicographicallyPrecedes(other.numbers)
    }

    /// Whether a catalog's version is newer than another one. If one of them does not consist of
    /// numbers, any other text counts as newer: the catalog's author changes such a text only for
    /// new content.
    package static func isNewer(_ version: String, than other: String) -> Bool {
        guard let new = ContentVersion(version), let old = ContentVersion(other) else {
            return version != other
        }
        return new > old
    }
}
