import ShopText
import StoreModel
import Testing

/// The line that reports the effect of an operator's action.
struct OperatorMessageTests {
    private static func event(_ change: StoreEvent.Change) -> StoreEvent {
        StoreEvent(
            cursor: FeedCursor(epoch: 1, position: 1), at: Timestamp(milliseconds: 0),
            account: "aoi", device: nil, change: change)
    }

    @Test(
        "auto-renew that is turned off says whether payments of a commitment go on, and until when")
    func autoRenewOff() {
        let id = TransactionID(7)
        let end = Timestamp(milliseconds: 1_800_000_000_000)
        for locale in ["en_US", "ja_JP"] {
            let strings = Strings(locale: locale)
            func line(_ end: Timestamp?) -> String {
                strings.done(
                    OperatorDone(
                        .setAutoRenew(id, false),
                        [
                            Self.event(
                                .autoRenewChanged(
                                    chain: id, productID: "plus", isOn: false, commitmentEnds: end))
                        ]))
            }
            #expect(line(end).contains(strings.date(end)))
            #expect(!line(nil).contains(strings.date(end)))
            #expect(line(nil) != line(end))
        }
    }

    @Test(
        "a message about several of a product says how many",
        arguments: [("en_US", "3 × 10 coins"), ("ja_JP", "10 coins × 3")])
    func quantities(locale: String, words: String) {
        let strings = Strings(locale: locale)
        let item = NamedItem("10 coins", quantity: 3)
        let texts: [StatusText] = [
            .asking(name: item), .claiming(name: item), .approved(name: item),
            .declined(name: item), .outcomeUnknown(name: item, StoreError(.outcomeUnknown)),
            .failed(name: item, StoreError(.paymentDeclined)), .revised(name: item, .refunded),
        ]
        let pending = [RequestReason.askToBuy, .authentication, .interrupted].map {
            StatusText.pending(name: item, $0)
        }
        for text in texts + pending {
            #expect(strings[text].contains(words), "\(text)")
        }
        let outside = strings.done(
            OperatorDone(.buyOutside("coins", account: "aoi", quantity: 3)))
        #expect(outside.contains(words.replacing("10 coins", with: "coins")), "\(outside)")
    }

    @Test("a failure that is removed is named by its call and its error")
    func clearedFault() {
        let fault = Fault(id: 3, call: .verification, error: .invalidSignature, remaining: 2)
        for (locale, call) in [("en_US", "verification"), ("ja_JP", "検証")] {
            let line = Strings(locale: locale).done(
                OperatorDone(.clearFault(3), [Self.event(.faultCleared(fault))]))
            #expect(line.contains("3") && line.contains("invalidSignature"), "\(line)")
            #expect(line.contains(call), "\(line)")
        }
    }

    @Test("an extension for all says how many it extended, and that there may be more")
    func extendedAll() {
        let strings = Strings(locale: "en_US")
        func line(_ count: Int?, hasMore: Bool = false) -> String {
            var done = OperatorDone(.extendAll("plus", days: 3))
            done.subscriptions = count
            done.hasMore = hasMore
            return strings.done(done)
        }
        #expect(line(nil) == "No subscription is left to extend.")
        #expect(line(1) == "1 subscription is extended.")
        #expect(line(100, hasMore: true) == "100 subscriptions or more are extended.")
    }
}
