/// A word in the command lines that messages advise.
package enum ShellWord {
    /// The word as a shell takes it: in quotes where the shell would read something else into it,
    /// such as the `?` and `&` of an address.
    package static func quoted(_ word: String) -> String {
        guard word.isEmpty || word.hasPrefix("~") || !word.unicodeScalars.allSatisfy(isPlain)
        else { return word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return scalar.properties.isAlphabetic }
        return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
            || "-_./:@%+=,~".unicodeScalars.contains(scalar)
    }
}
