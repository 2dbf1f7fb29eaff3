/// How many decimals amounts of a currency have (ISO 4217: the minor unit).
package enum CurrencyDecimals {
    /// 0, 2 or 3; 2 for an unknown currency.
    package static func count(of currency: String) -> Int {
        if none.contains(currency) { return 0 }
        return three.contains(currency) ? 3 : 2
    }

    /// In milliunits: 10 of USD, 1,000 of JPY.
    package static func smallestMilliunits(of currency: String) -> Int64 {
        switch count(of: currency) {
        case 0: 1_000
        case 3: 1
        default: 10
        }
    }

    private static let none: Set = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV",
        "XAF", "XOF", "XPF",
    ]
    private static let three: Set = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
}
