package import StoreModel

/// What a person is told about an error: what happened, what was not lost, what to do next.
package struct ErrorMessage: Hashable, Sendable {
    package var happened: String
    /// Empty where nothing could have been lost.
    package var kept: String
    package var next: String

    package init(_ happened: String, kept: String = "", next: String = "") {
        self.happened = happened
        self.kept = kept
        self.next = next
    }

    /// All of it on one line.
    package var line: String {
        [happened, kept, next].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension StoreError {
    /// The words for this error: the one place they are made.
    package var message: ErrorMessage { ErrorMessages.message(for: self) }
}
