import CTerminal

/// The locale of the environment: whether it has only ASCII, and the columns of a character.
package enum ProcessLocale {
    /// Whether the environment names a locale in which only ASCII is shown: C, POSIX, or a locale
    /// whose charset is not UTF-8.
    package static let asksForASCII = ct_asks_for_ascii()

    /// The columns a character takes in a terminal (wcwidth(3)); 0 for one that cannot be printed.
    /// Needs a UTF-8 locale.
    package static func columns(of scalar: Unicode.Scalar) -> Int {
        max(0, Int(ct_columns(scalar.value)))
    }
}
