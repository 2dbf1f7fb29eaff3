import CTerminal
package import Terminal

extension TextMeasure {
    /// The measure ncurses itself uses: wcwidth(3) of the current locale. Where the terminal gives
    /// two columns to characters of ambiguous width, near ones in ASCII stand for them.
    package static func ofTerminal(isASCII: Bool, ambiguousWidth: Int = 1) -> TextMeasure {
        let columns: Columns = { Int(ct_columns($0.value)) }
        guard ambiguousWidth == 2 else { return TextMeasure(isASCII: isASCII, columns: columns) }
        return TextMeasure(
            isASCII: isASCII, isDoubtful: AmbiguousWidth.contains, columns: columns)
    }
}
