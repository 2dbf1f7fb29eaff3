import Basics
import StoreModel

/// An error, and the words from it that its sentences need.
package struct ErrorFacts {
    let error: StoreError
    let reader: ErrorReader
    let formatters: LocalizedFormatters
    /// As `Strings.key`.
    let key: (KeyName) -> String

    /// The product in the reader's terms: its name on a screen, its identifier at a shell.
    var product: String {
        if case .screen(let name?, _) = reader { return name }
        return error.productID.map { "\"\($0)\"" } ?? "?"
    }
    /// The account that the advice names; nil for the reader's own.
    var account: String? { if case .shell(let account) = reader { account } else { nil } }
    var isOnScreen: Bool { if case .screen = reader { true } else { false } }
    /// An advice that names a command; empty on a screen.
    func atShell(_ advice: String) -> String { isOnScreen ? "" : advice }
    var isForCustomers: Bool {
        if case .screen(_, namesConsole: false) = reader { true } else { false }
    }
    var place: String { error.subject ?? "?" }
    /// In a command that a shell reads.
    var placeWord: String { ShellWord.quoted(place) }
    var found: String { error.found?.text ?? "?" }
    var expected: String { error.expected?.text ?? "?" }
    /// `found` as a date, if it is a number of milliseconds.
    var foundDate: String { foundDate(later: 0) }
    /// The first whole second not before `found`: the formatted date has no fraction of a second.
    var reachableDate: String { foundDate(later: 999) }
    private func foundDate(later: Int64) -> String {
        guard let milliseconds = error.found?.number else { return found }
        return formatters.iso8601(
            Timestamp(milliseconds: milliseconds).advanced(byMilliseconds: later))
    }
    var payment: String { error.paymentID?.description ?? "?" }
    var transaction: String { error.transactionID?.description ?? "?" }
}
