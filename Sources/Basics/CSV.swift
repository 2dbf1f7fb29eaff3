/// Lines of comma-separated values (RFC 4180), as spreadsheets read them.
package enum CSV {
    /// One value of a line.
    package enum Field: Hashable, Sendable {
        case text(String)
        /// Digits, with a point before decimals and a minus before a negative number.
        case number(String)

        package static let empty = Field.text("")
    }

    /// With its line end, CR and LF.
    package static func line(_ fields: [Field]) -> String {
        fields.map { written($0) }.joined(separator: ",") + "\r\n"
    }

    private static func written(_ field: Field) -> String {
        switch field {
        case .number(let digits): return digits
        case .text(let text):
            let harmless = isFormula(text) ? "'" + text : text
            guard harmless.unicodeScalars.contains(where: { quoted.contains($0) }) else {
                return harmless
            }
            // By scalars: a sign that combines with a quotation mark would hide it.
            var whole = "\""
            for scalar in harmless.unicodeScalars {
                if scalar == "\"" { whole.unicodeScalars.append(scalar) }
                whole.unicodeScalars.append(scalar)
            }
            return whole + "\""
        }
    }

    private static let quoted: Set<Unicode.Scalar> = ["\"", ",", "\r", "\n"]

    /// Whether a spreadsheet might run the text. Japanese ones take full-width signs, too.
    private static func isFormula(_ text: String) -> Bool {
        text.unicodeScalars.first.map { formulaSigns.contains($0) } ?? false
    }

    private static let formulaSigns: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠",
    ]
}
