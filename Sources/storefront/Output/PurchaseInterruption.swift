import ShopText
import Synchronization

/// Reports the payment under way if a signal ends the command that waits for it: with `--json` as
/// the one JSON document that the command would have written at its end, otherwise as a sentence. A
/// command has one of these for all its purchases.
final class PurchaseInterruption: Sendable {
    /// The state of a payment whose end is not reported yet.
    struct Known {
        var line: PurchaseLine
        /// The sentence for a person; nil if the command has said everything already.
        var text: PurchaseLineText?
    }

    private let known = Mutex<Known?>(nil)

    init(isJSON: Bool) {
        SignalEnd.before(SignalEnd.requests) { [self] _ in
            say { known in
                if isJSON { try? Output.json(known.line) }
                if let text = known.text { Output.note(text) }
            }
        }
    }

    /// Takes the outcome as far as it is known now; nil once the report was written.
    func note(_ known: Known?) { self.known.withLock { $0 = known } }

    /// Writes the known outcome, whole and once: the report and the signal's thread both call this,
    /// and the second caller waits for the first.
    func say(_ write: (Known) -> Void) {
        known.withLock { known in
            if let known { write(known) }
            known = nil
        }
    }
}
