/// The rule for names that become part of a path.
package enum NameRule {
    /// Accepts ASCII letters, digits and `. - _ @ +`, beginning with a letter, a digit or `_`, and
    /// not ending with `.`.
    ///
    /// - Parameters:
    ///   - subject: the kind of thing that has this name, for the error.
    ///   - lengthMax: the most bytes the name may have.
    /// - Throws: `invalidName`.
    package static func check(
        _ name: String, for subject: String, lengthMax: Int = 64
    ) throws(StoreError) {
        let isGood =
            (1...lengthMax).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: ".-_@+".utf8.contains(byte)
                }
            } && !".-@+".contains(name.first ?? ".") && name.last != "."
        guard !isGood else { return }
        throw StoreError(
            .invalidName, subject: subject, found: name,
            expected:
                "1 to \(lengthMax) letters, digits or . - _ @ +, beginning with a letter, a digit or _, "
                + "not ending with .")
    }
}
