import CTerminal
package import Terminal

extension TextMeasure {
    /// The measure that ncurses uses: wcwidth(3) of the current locale, which must be UTF-8.
    ///
    /// - Parameters:
    ///   - isASCII: whether to replace every character outside ASCII.
    ///   - ambiguousWidth: the columns that the terminal gives to characters of ambiguous width, 1
    ///     or 2. With 2 they are replaced by near characters in ASCII, because wcwidth(3) says 1.
    package static func ofTerminal(isASCII: Bool, ambiguousWidth: Int = 1) -> TextMeasure {
        let columns: Columns = { Int(ct_columns($0.value)) }
        guard ambiguousWidth == 2 else { return TextMeasure(isASCII: isASCII, columns: columns) }
        return TextMeasure(
            isASCII: isASCII, isDoubtful: AmbiguousWidth.contains, columns: columns)
    }
}
