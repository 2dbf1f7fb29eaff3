import ArgumentParser
import Basics

/// The error for a word on the command line that is not expected; it suggests the most similar.
enum UnknownWord {
    /// Throws the error for a word that is no case of an enum.
    static func check<Word: RawRepresentable<String> & CaseIterable>(
        _ kind: String, _ word: String, among _: Word.Type
    ) throws {
        guard Word(rawValue: word) == nil else { return }
        throw error(kind, word, among: Word.allCases.map(\.rawValue))
    }

    /// - Parameters:
    ///   - kind: names what the word should be, such as "error" or "key".
    ///   - advice: how to see the words that there are.
    static func error(
        _ kind: String, _ word: String, among known: [String],
        advice: String = "The help lists them all."
    ) -> ValidationError {
        let nearest = SpellingSuggestion.nearest(to: word, among: known)
        return ValidationError(
            "There is no \(kind) '\(UntrustedText.short(word))'."
                + (nearest.map { " Did you mean '\($0)'?" } ?? " " + advice))
    }
}
