import StoreModel

extension English {
    static func text(_ text: ConsoleText) -> String {
        switch text {
        case .mode(.account(let setting)): name(of: setting)
        case .mode(.failures): "Failures"
        case .mode(.downloadFaults): "Broken downloads"
        case .mode(.clock): "Clock"
        case .mode(.network): "Network"
        case .mode(.slowNetwork): "Slow"
        case .mode(.renewals): "Renewals"
        case .approvals: "APPROVALS"
        case .approvalKeys: "a approve  d decline"
        case .noRequests: "No requests."
        case .events: "EVENTS"
        case .failuresHeading: "FAILURES QUEUED"
        case .failureKeys: "f add  x remove  X all"
        case .failureTimes(let count, let isNext):
            switch count {
            case nil: "every one"
            case 1: isNext ? "next" : "then"
            case let count?: (isNext ? "next" : "then") + " \(count) times"
            }
        case .realTime: "real time"
        case .rateOf(let length, let time): "\(length) in \(time)"
        case .nextOnTheClock: "NEXT ON THE CLOCK"
        case .clockKeys(let isStopped):
            isStopped ? "n go there  . run  : actions" : "n go there  . stop  : actions"
        case .inTime(let time): "in \(time)"
        case .upcomingKind(let kind):
            switch kind {
            case .renewal: "renewal"
            case .billingRetry: "payment retry"
            case .expiry: "expiry"
            }
        case .failNextCalls(let call, let count) where call.isDisturbed:
            "Disturb \(next(count, call))"
        case .failNextCalls(let call, let count): "Fail \(next(count, call))"
        case .more(let count): "\(count) more"
        case .refundOf(let name): "Refund of \(name)"
        case .addressField: "Address: "
        case .addressHint: "http://127.0.0.1:3000/apple/notifications; empty sends nothing"
        case .attempt(let number): "Attempt \(number)"
        case .notificationsWait(let count, isShort: true): "\(count) unsent"
        case .notificationsWait(1, isShort: false): "1 notification waits"
        case .notificationsWait(let count, isShort: false): "\(count) notifications wait"
        case .overdue(let instant):
            "As of \(instant): the store cannot be written. What was due since happens when it can."
        }
    }
}
