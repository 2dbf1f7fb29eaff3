extension English {
    static func text(_ text: ServerText) -> String {
        switch text {
        case .notificationsTitle: "Notifications"
        case .requestsTitle: "Requests"
        case .readingServer: "Reading..."
        case .noNotificationsYet:
            "No notifications yet. Set an address, and your backend is told what happens from then on."
        case .noRequestsYet:
            "No requests yet. Your backend's appear here while storefront serve runs."
        case .sentTo(let address?): "Sent to \(address)"
        case .sentTo(nil): "No address is set"
        case .ofOtherHost(let address): "Set on another machine, not sent from here: \(address)"
        case .addressField: "Address: "
        case .addressHint: "http://127.0.0.1:3000/apple/notifications; empty sends nothing"
        case .addressRefused:
            "That is no address to send to, so nothing changed. Give http, localhost or an address of "
                + "this machine, and a port."
        case .noAddressSet: "Nothing was sent: no address is set. Set one first."
        case .notificationsWait(let count, isShort: true): "\(count) unsent"
        case .notificationsWait(1, isShort: false): "1 notification waits"
        case .notificationsWait(let count, isShort: false): "\(count) notifications wait"
        case .sending(let kind): "Sending \(kind). The list shows what comes of it."
        case .notTried(let count, let holder):
            "\(self.count(count, "notification")) due and not sent yet: \(holder ?? "another process") "
                + "has the right to send and did not try."
        case .stateFact: "State"
        case .uuidFact: "UUID"
        case .attemptFact(let number): "Attempt \(number)"
        case .nextFact: "Next"
        case .statusFact: "Status"
        case .timeFact: "Took"
        case .payloadPart: "PAYLOAD"
        case .transactionPart: "TRANSACTION"
        case .renewalPart: "RENEWAL"
        case .nextAttempt(let date): "next \(date)"
        case .tries(let count): "tried \(count) times"
        case .milliseconds(let milliseconds): "\(milliseconds) ms"
        }
    }
}
