/// A message about an error, for a person: the cause, the things that are not lost, the next step.
package struct ErrorMessage: Hashable, Sendable {
    package var happened: String
    /// Empty if nothing could be lost.
    package var kept: String
    /// Empty if no step is left.
    package var next: String
    var separator: String

    package init(_ happened: String, kept: String = "", next: String = "", separator: String = " ")
    {
        self.happened = happened
        self.kept = kept
        self.next = next
        self.separator = separator
    }

    /// The whole message on one line, the cause first, because a narrow screen cuts the end.
    package var line: String {
        [happened, kept, next].filter { !$0.isEmpty }.joined(separator: separator)
    }
}

/// The reader of an error message. Advice differs: a shell takes commands, a screen keys.
package enum ErrorReader: Hashable, Sendable {
    /// A person at a shell: products have identifiers, and advice names commands. `account` is the
    /// account that the command named, which the advice must repeat; nil if the command named none.
    case shell(account: String? = nil)
    /// A person in the shop: products have names, and advice names keys. `namesConsole` tells
    /// whether the text may mention the console: false for a customer and for an audience.
    case screen(product: String?, namesConsole: Bool)
}
