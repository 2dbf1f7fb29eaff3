import CTerminal
package import Terminal

extension TextMeasure {
    /// The measure ncurses itself uses: wcwidth(3) of the current locale.
    package static func ofTerminal(isASCII: Bool) -> TextMeasure {
        TextMeasure(isASCII: isASCII) { Int(ct_columns($0.value)) }
    }
}
