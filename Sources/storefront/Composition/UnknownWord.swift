import ArgumentParser
import Basics
import StoreModel

/// A word on the command line that is none of those expected, with the one that was meant perhaps.
enum UnknownWord {
    /// - Parameter kind: what it was to be: "error", "key".
    static func error(_ kind: String, _ word: String, among known: [String]) -> ValidationError {
        let nearest = SpellingSuggestion.nearest(to: word, among: known)
        return ValidationError(
            "There is no \(kind) '\(UntrustedText.short(word))'."
                + (nearest.map { " Did you mean '\($0)'?" } ?? " The help lists them all."))
    }
}
