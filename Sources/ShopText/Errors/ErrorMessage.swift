/// A message about an error, for a person: what happened, what was not lost, what to do next.
package struct ErrorMessage: Hashable, Sendable {
    /// The first sentence: the thing that happened.
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

    /// All of it on one line: the cause first, so that what is cut off at the end is worth least.
    package var line: String {
        [happened, kept, next].filter { !$0.isEmpty }.joined(separator: separator)
    }
}

/// The reader of an error message. Advice differs: a shell takes commands, a screen keys.
package enum ErrorReader: Hashable, Sendable {
    /// At a shell: products have identifiers, and commands help. `account` is the one that the command
    /// named, which advice must name too; nil where it named none.
    case shell(account: String? = nil)
    /// In the shop: the product has a name, and keys help. `namesConsole` where the console may be
    /// spoken of: not to a customer, and not to an audience.
    case screen(product: String?, namesConsole: Bool)
}
