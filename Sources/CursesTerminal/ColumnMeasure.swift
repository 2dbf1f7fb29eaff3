import CTerminal
package import Terminal

extension TextMeasure {
    /// The measure that ncurses uses: wcwidth(3) of the current locale, which must be UTF-8. If the
    /// terminal gives characters of ambiguous width 2 columns, they are replaced by near characters
    /// in ASCII, because wcwidth(3) says 1.
    package static func ofTerminal(isASCII: Bool, ambiguousWidth: Int = 1) -> TextMeasure {
        let columns: Columns = { Int(ct_columns($0.value)) }
        guard ambiguousWidth == 2 else { return TextMeasure(isASCII: isASCII, columns: columns) }
        return TextMeasure(
            isASCII: isASCII, isDoubtful: AmbiguousWidth.contains, columns: columns)
    }
}
