import ShopText
import Synchronization

/// The last words about the payment under way when a signal ends the command that waits for it: in
/// JSON one document, as the end of the purchase would have written one, and otherwise a sentence.
/// A command has one of these, however many products it buys.
final class PurchaseInterruption: Sendable {
    /// The state of a payment whose end is not reported yet.
    struct Known {
        /// The JSON document, with the outcome as far as it is known.
        var line: PurchaseLine
        /// The sentence for a person; nil if everything was said already.
        var text: CommandText?
    }

    private let known = Mutex<Known?>(nil)

    /// - Parameter isJSON: whether the document is written to standard output, too.
    init(isJSON: Bool) {
        SignalEnd.before(SignalEnd.requests) { [self] _ in
            say { known in
                if isJSON { try? Output.json(known.line) }
                if let text = known.text { Output.note(text) }
            }
        }
    }

    /// Takes the outcome as far as it is known now; nil when the report has been written.
    func note(_ known: Known?) { self.known.withLock { $0 = known } }

    /// Writes the known outcome, unless it was written before. The report and the signal both call
    /// this; the second waits for the first, so that the outcome is written whole and once.
    func say(_ write: (Known) -> Void) {
        known.withLock { known in
            if let known { write(known) }
            known = nil
        }
    }
}
