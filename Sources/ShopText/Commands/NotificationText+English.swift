import StoreModel

extension English {
    static func text(_ text: NotificationText) -> String {
        switch text {
        case .sentTo(let address?): "Notifications are sent to \(address)."
        case .sentTo(nil):
            "Notifications are sent nowhere. Set an address with: storefront operator notifications "
                + "url http://127.0.0.1:3000/apple/notifications"
        case .retries(true): "A failed notification is sent again after 1, 12, 24, 48 and 72 hours."
        case .retries(false): "A notification is sent once, as in the field's sandbox."
        case .obstacle(.noAddress, let count): "No address is set: \(notifications(count)) waiting."
        case .obstacle(.otherHost, let count):
            "The address was set on another machine: \(notifications(count)) waiting. Set it here "
                + "to send them from here."
        case .waiting(let count, let holder):
            "\(notifications(count)) due and not sent: \(holder ?? "another process") has the "
                + "right to send and did not try for 35 seconds."
        case .clockWaits(let count, let address):
            "The clock waits: \(notifications(count)) being sent to \(address), each for 30 seconds "
                + "at most."
        case .nobodySends(let count):
            "\(notifications(count)) due. They are sent while a server runs: storefront serve. "
                + "Moving the clock sends them, too."
        case .noNotifications: "There are no notifications."
        case .unknown(let id): "There is no notification \(id)."
        case .queued(let id): "Notification \(id) is to be sent."
        case .dueAgain(let count): "\(notifications(count)) due again now."
        case .state(let state):
            switch state {
            case .waiting: "waiting"
            case .sent: "sent"
            case .failing: "will be sent again"
            case .failed: "failed"
            case .noAddress: "no address"
            }
        case .attempts(_, nil, _): ""
        case .attempts(let count, let last?, let status):
            "\(times(count)): " + self.text(NotificationText.attempt(last, status: status))
        case .attempt(let last, let status): "\(result(last)) (\(code(last, status)))"
        case .next(let date): "next \(date)"
        case .listening(let address):
            "Forwarding notifications to \(address). End with Ctrl-C."
        case .notListed(let count):
            "\(notifications(count)) forwarded, but not listed: this output was not read in time."
        case .sending(let count, let address):
            "\(notifications(count)) being sent to \(address), each for 30 seconds at most."
        case .triggered(let kind): "\(kind) is caused."
        case .notCaused(let kind): "The steps were made, but no \(kind) followed."
        case .needs(let need):
            switch need {
            case .subscription: "The catalog has no subscription that renews."
            case .twoPlans: "The catalog has no group with plans of two levels."
            case .otherProduct: "The catalog has no product that is charged once."
            case .shareableProduct: "The catalog has no product that families share."
            case .offer: "The catalog has no promotional offer or offer code."
            }
        case .whyNever(let type):
            switch type {
            case .externalPurchaseToken: "this store sells nothing outside the App Store"
            default: "it belongs to Apple's Advanced Commerce"
            }
        }
    }

    private static func times(_ count: Int) -> String {
        count == 1 ? "tried once" : "tried \(count) times"
    }

    /// A result in the field's word, and the status of the answer.
    private static func code(_ result: SendAttemptResult, _ status: Int?) -> String {
        guard let status else { return result.rawValue }
        return "\(result.rawValue) \(status)"
    }

    private static func result(_ result: SendAttemptResult) -> String {
        switch result {
        case .success: "received"
        case .timedOut: "no answer in time"
        case .tlsIssue: "no secure connection"
        case .circularRedirect: "redirected"
        case .noResponse: "closed without an answer"
        case .socketIssue: "no connection"
        case .unsupportedCharset: "an answer in unknown characters"
        case .invalidResponse: "an answer that cannot be read"
        case .prematureClose: "closed within the answer"
        case .unsuccessfulStatus: "not accepted"
        case .other: "another failure"
        }
    }

    private static func notifications(_ count: Int) -> String {
        count == 1 ? "1 notification is" : "\(count) notifications are"
    }
}
