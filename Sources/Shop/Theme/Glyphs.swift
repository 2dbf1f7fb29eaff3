import ShopText

/// The symbols of the shop, for terminals with and without Unicode. A text beside a symbol always
/// says the same as the symbol.
struct Glyphs: Sendable {
    let isASCII: Bool

    var marker: String { isASCII ? ">" : "▌" }
    var done: String { isASCII ? "+" : "✓" }
    var underWay: String { isASCII ? "~" : "…" }
    var wrong: String { "!" }
    var rule: String { isASCII ? "-" : "─" }
    var divider: String { isASCII ? "|" : "│" }
    var dot: String { isASCII ? "-" : "·" }
    var down: String { isASCII ? "v" : "↓" }
    var up: String { isASCII ? "^" : "↑" }
    /// The part of a bar that is not filled.
    var track: String { isASCII ? "." : "░" }
    var less: String { isASCII ? "<" : "‹" }
    var more: String { isASCII ? ">" : "›" }
    var times: String { isASCII ? "x" : "×" }

    /// A bar of `columns` columns, filled up to `progress` (0 to 1).
    func bar(_ progress: Double, columns: Int) -> String {
        Measures.bar(progress, columns: columns, isASCII: isASCII)
    }
}
