/// Reads a price as catalogs write it: digits, with a point before the decimals.
enum PriceText {
    enum Outcome: Equatable {
        case milliunits(Int64)
        case fault(expected: String, suggestion: String?)
    }

    /// In units of the currency; a higher price is taken for a mistake.
    static let unitsMax: Int64 = 1_000_000_000

    /// In milliunits. `decimalsMax` is the number of decimals of `currency`, if it is given.
    static func read(_ text: String, currency: String? = nil, decimalsMax: Int = 3) -> Outcome {
        var units: Int64 = 0
        var decimals = 0
        var hasPoint = false
        var hasDigit = false
        var scale: Int64 = 1000
        for byte in text.utf8 {
            if byte == UInt8(ascii: "."), !hasPoint, hasDigit {
                hasPoint = true
                continue
            }
            guard byte >= 0x30, byte <= 0x39 else {
                return malformed(text, currency, decimalsMax)
            }
            hasDigit = true
            if hasPoint {
                decimals += 1
                scale /= 10
                if decimals <= 3 { units += Int64(byte - 0x30) * scale }
            } else {
                units = units * 10 + Int64(byte - 0x30) * 1000
                if units > unitsMax * 1000 { return tooLarge }
            }
        }
        guard hasDigit, !hasPoint || decimals > 0 else {
            return malformed(text, currency, decimalsMax)
        }
        if units > unitsMax * 1000 { return tooLarge }
        if decimals > decimalsMax { return tooFine(text, currency, decimals, decimalsMax) }
        return .milliunits(units)
    }

    private static let tooLarge = Outcome.fault(
        expected: "a price of at most \(unitsMax)", suggestion: nil)

    private static func tooFine(
        _ text: String, _ currency: String?, _ decimals: Int, _ decimalsMax: Int
    ) -> Outcome {
        let zeros = text.reversed().prefix { $0 == "0" }.count
        // Also drops the point if no decimals remain.
        let kept = text.dropLast(decimals - decimalsMax + (decimalsMax == 0 ? 1 : 0))
        let whose = currency.map { " (\($0))" } ?? ""
        let count = decimalsMax == 0 ? "no decimals" : "at most \(decimalsMax) decimals"
        return .fault(
            expected: "a price with \(count)\(whose)",
            suggestion: zeros >= decimals - decimalsMax ? String(kept) : nil)
    }

    private static func malformed(
        _ text: String, _ currency: String?, _ decimalsMax: Int
    ) -> Outcome {
        let example = currency == nil ? "3.99" : ["480", "3.9", "3.99", "1.250"][decimalsMax]
        let hint = decimalsMax == 0 ? "" : ", with a point before the decimals"
        return .fault(
            expected: "a price such as \(example)\(hint)",
            suggestion: plain(text, decimalsMax))
    }

    /// The price that the author probably meant by a text with a comma, a space, or a point without
    /// a zero before it.
    private static func plain(_ text: String, _ decimalsMax: Int) -> String? {
        guard text.utf8.count <= 20 else { return nil }
        var digits = text.filter { !$0.isWhitespace && $0 != "'" }
        let commas = digits.count { $0 == "," }
        if let comma = digits.lastIndex(of: ",") {
            let behind = digits.distance(from: comma, to: digits.endIndex) - 1
            // The comma in `3,99` separates decimals; in `1,234` and `1,234.50` it separates
            // thousands.
            let isDecimal = commas == 1 && !digits.contains(".") && behind != 3
            digits = isDecimal ? digits.replacing(",", with: ".") : digits.filter { $0 != "," }
        }
        if digits.hasPrefix(".") { digits = "0" + digits }
        if digits.hasSuffix(".") { digits.removeLast() }
        guard digits != text else { return nil }
        if case .milliunits = read(digits, decimalsMax: decimalsMax) { return digits }
        return nil
    }
}
