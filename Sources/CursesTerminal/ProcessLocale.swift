import CTerminal

/// The locale of the environment: whether it has only ASCII, and the columns of a character.
package enum ProcessLocale {
    /// C, POSIX, or a locale whose charset is not UTF-8.
    package static let asksForASCII = ct_asks_for_ascii()

    /// wcwidth(3); 0 for a scalar that cannot be printed. Needs a UTF-8 locale.
    package static func columns(of scalar: Unicode.Scalar) -> Int {
        max(0, Int(ct_columns(scalar.value)))
    }
}
