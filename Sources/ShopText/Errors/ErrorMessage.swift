/// What a person is told about an error: what happened, what was not lost, what to do next.
package struct ErrorMessage: Hashable, Sendable {
    /// What happened, as a sentence.
    package var happened: String
    /// Empty where nothing could have been lost.
    package var kept: String
    /// Empty where nothing is left to do.
    package var next: String
    private let separator: String

    /// - Parameter separator: the text between two sentences of the language.
    package init(_ happened: String, kept: String = "", next: String = "", separator: String = " ")
    {
        self.happened = happened
        self.kept = kept
        self.next = next
        self.separator = separator
    }

    /// All of it on one line.
    package var line: String { join([happened, kept, next]) }

    /// All of it on one line that may be cut at its end: what was not lost comes first.
    package var lineToCut: String { join([kept, happened, next]) }

    private func join(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: separator)
    }
}

/// The reader of an error message. Advice differs: a shell takes commands, a screen keys.
package enum ErrorReader: Hashable, Sendable {
    /// At a shell: products have identifiers, and commands help.
    case shell
    /// In the shop: the product has a name, and keys help.
    case screen(product: String?)
}
