/// The symbols of the shop, for terminals with and without Unicode. A text always says the same.
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
    var times: String { isASCII ? "x" : "×" }

    /// A progress bar of this many columns, in steps of an eighth of a column; of a whole column in
    /// ASCII. `progress` is clamped to 0...1.
    func bar(_ progress: Double, columns: Int) -> String {
        guard columns > 0 else { return "" }
        let part = min(max(progress, 0), 1)
        if isASCII {
            let filled = Int((part * Double(columns)).rounded(.down))
            return String(repeating: "#", count: filled)
                + String(repeating: ".", count: columns - filled)
        }
        let eighths = Int((part * Double(columns) * 8).rounded(.down))
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        let text = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
        return text + String(repeating: " ", count: max(0, columns - text.count))
    }
}
