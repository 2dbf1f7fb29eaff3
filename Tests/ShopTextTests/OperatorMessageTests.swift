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

    @Test(
        "a refund of a part says how much of how much",
        arguments: [
            ("en_US", "Refunded: 9 of 30 coins.", "Refunded: 33.333 % of 3 × 10 coins."),
            ("ja_JP", "30 coinsのうち9が返金", "10 coins × 3のうち33.333 %が返金"),
        ])
    func partsRefunded(locale: String, known: String, unknown: String) {
        let strings = Strings(locale: locale)
        let item = NamedItem("10 coins", quantity: 3)
        func text(_ grant: Grant?) -> String {
            strings[
                StatusText.revised(
                    name: item, .refunded, taken: Share(millipercent: 33_333), granting: grant)]
        }
        #expect(text(Grant(unit: "coins", amount: 10)).hasPrefix(known))
        #expect(text(nil).hasPrefix(unknown))
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

    @Test(
        "a feed that is disturbed is said to be so, with the delay of a late update",
        arguments: [
            (
                "en_US", "Every update: deliveredLate by 10 min.",
                "Disturb every update by 10 min: Late.",
                "deliveredLate by 10 min for the next 2 updates", "An update comes late."
            ),
            (
                "ja_JP", "すべての更新の配信が乱れます: deliveredLate 10分遅れ",
                "すべての更新の配信を乱す 10分遅れ: Late.",
                "次の2回の更新の配信の乱れ: deliveredLate 10分遅れ", "更新が遅れて届きます。"
            ),
        ])
    func disturbedFeed(
        locale: String, done: String, offer: String, fact: String, sentence: String
    ) {
        let strings = Strings(locale: locale)
        let action = OperatorAction.failNext(
            .updates, error: .deliveredLate, count: nil, delayMilliseconds: 600_000)
        #expect(strings.done(OperatorDone(action)) == done)
        #expect(strings.offer(action, "Late.") == offer)
        let fault = Fault(
            id: 3, call: .updates, error: .deliveredLate, remaining: 2, delayMilliseconds: 600_000)
        #expect(strings.faultSet(fault) == fact)
        let message = strings.message(for: StoreError(.deliveredLate, subject: "updates"))
        #expect(message.happened == sentence && message.next.contains("failures --clear"))
    }

    @Test(
        "a failure of what the backend asks or is sent has its words, and its time",
        arguments: [
            (
                "en_US", "Every notification: TIMED_OUT for 2 days.",
                "Disturb every notification for 2 days: Away.",
                "TIMED_OUT until DATE for every notification",
                "A notification ends with TIMED_OUT.",
                "The server says that it is asked too often.",
                "Disturb the next 2 server requests"
            ),
            (
                "ja_JP", "すべての通知が乱れます: TIMED_OUT 2日間", "すべての通知を乱す 2日間: Away.",
                "すべての通知の乱れ: TIMED_OUT DATEまで", "通知の送信はTIMED_OUTで終わります。",
                "サーバーは要求が多すぎると答えます。", "次の2回のサーバーへの要求を乱す"
            ),
        ])
    func server(
        locale: String, done: String, offer: String, fact: String, result: String, error: String,
        heading: String
    ) {
        let strings = Strings(locale: locale)
        let days: Int64 = 2 * 86_400_000
        let action = OperatorAction.failNext(
            .notification, error: "TIMED_OUT", count: nil, delayMilliseconds: days)
        #expect(strings.done(OperatorDone(action)) == done)
        #expect(strings.offer(action, "Away.") == offer)
        let fault = Fault(
            id: 3, call: .notification, error: "TIMED_OUT", remaining: nil,
            until: Timestamp(milliseconds: days))
        let date = strings.date(Timestamp(milliseconds: days))
        #expect(strings.faultSet(fault) == fact.replacing("DATE", with: date))
        for (code, sentence): (StoreError.Code, String) in [
            ("TIMED_OUT", result), ("4290000", error),
        ] {
            let message = strings.message(for: StoreError(code, subject: fault.call.rawValue))
            #expect(message.happened == sentence)
        }
        #expect(strings[.failNextCalls(.anyEndpoint, 2)] == heading)
    }

    @Test("clearing the failures says how many were removed, or that none are set")
    func clearedFaults() {
        let failures = (1...2).map { number in
            Self.event(
                .faultCleared(
                    Fault(id: number, call: .purchase, error: .networkError, remaining: 1)))
        }
        for (locale, two, one, none) in [
            ("en_US", "Removed 2 failures.", "Removed 1 failure.", "No failures are set."),
            ("ja_JP", "障害を2件解除しました。", "障害を1件解除しました。", "障害設定はありません。"),
        ] {
            let strings = Strings(locale: locale)
            #expect(strings.done(OperatorDone(.clearFaults, failures)) == two)
            #expect(strings.done(OperatorDone(.clearFaults, [failures[0]])) == one)
            #expect(strings.done(OperatorDone(.clearFaults)) == none)
        }
    }

    @Test("an event of changed renewals says what changed, and only that")
    func renewals() {
        let usual = RenewalSettings.standard
        func set(_ change: (inout RenewalSettings) -> Void) -> RenewalSettings {
            var settings = usual
            change(&settings)
            return settings
        }
        for (before, after, english, japanese) in [
            (usual, set { $0.failsBilling = true }, "payments fail", "支払い失敗"),
            (set { $0.failsBilling = true }, usual, "payments succeed", "支払い成功"),
            (usual, set { $0.hasGracePeriod = true }, "grace period", "猶予期間"),
            (set { $0.hasGracePeriod = true }, usual, "no grace period", "猶予期間なし"),
            (set { $0.rate = .oneSecondIsOneDay }, usual, "real time", "実時間"),
            (usual, set { $0.limit = 3 }, "at most 3 renewals", "更新は最大3回"),
            (set { $0.limit = 3 }, usual, "the rate's limit of renewals", "更新回数はレートの制限どおり"),
            (usual, set { $0.isEndless = true }, "renewals without end", "更新回数に制限なし"),
            (usual, set { $0.limitPerDay = 1 }, "at most 1 renewal in 24 hours", "更新は24時間に最大1回"),
            (
                set { $0.limitPerDay = 1 }, usual, "any number of renewals in 24 hours",
                "24時間の更新回数に制限なし"
            ),
            (nil, set { $0.failsBilling = true }, "real time, payments fail", "実時間、支払い失敗"),
        ] as [(RenewalSettings?, RenewalSettings, String, String)] {
            #expect(Strings(locale: "en_US").event(after, before: before) == english)
            #expect(Strings(locale: "ja_JP").event(after, before: before) == japanese)
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

    @Test("what became of the attempts to send a notification is told in words")
    func attempts() {
        func line(_ count: Int, _ last: SendAttemptResult, _ status: Int? = nil) -> [String] {
            let text = NotificationText.attempts(count, last: last, status: status)
            return ["en_US", "ja_JP"].map { Strings(locale: $0)[StoreLineText.notification(text)] }
        }
        #expect(
            line(1, .socketIssue) == [
                "tried once: no connection (SOCKET_ISSUE)", "送信1回: 接続できない (SOCKET_ISSUE)",
            ])
        #expect(
            line(3, .success, 200) == [
                "tried 3 times: received (SUCCESS 200)", "送信3回: 受信済み (SUCCESS 200)",
            ])
    }
}
