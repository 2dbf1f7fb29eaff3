package import StoreModel

/// The console's part of the state.
package struct ConsolePart: Hashable, Sendable {
    /// Requests that wait for approval, oldest first.
    package var requests: [ApprovalRequest] = []
    /// Refunds that customers ask for, oldest first; listed after the requests.
    package var refunds: [RefundRequest] = []
    /// The index in `refunds`.
    var chosenRefund = 0
    /// An index in `requests`; -1 if none is chosen.
    package var chosenRequest = 0
    /// The request being answered. While it is set, a repeated key answers no other request.
    var answering: TransactionID?
    var isChangingAccount = false
    /// Nil until the store has answered; an offline device does not know them.
    package var settings: AccountSettings?
    /// What the store does next without an action, in order of time; at most `upcomingMax`.
    package var upcoming: [UpcomingItem] = []
    /// Nil until they are known.
    package var renewals: RenewalSettings?
    /// Nil until it is known.
    package var clock: ClockState?
    /// A change made in this console arrives from the store, too, and is announced only once.
    var announcedClock: ClockState?
    /// Nil if the shop's account is in none.
    package var family: Family?
    /// The tokens, user names and devices that more accounts share than is usual.
    package var notices: [AccountNotice] = []
    /// The packages of content that the store hosts, oldest first.
    package var releases: [PackageRelease] = []
    /// The events of all accounts.
    package internal(set) var log = EventLog(.store)
    /// Where the operator moved the selection. It may have become empty since.
    var section = Section.requests
    /// The `Fault.id`, and the original transaction id of the due item.
    var chosenFault: Int64?
    var chosenChain: TransactionID?
    var chosenNote: Note.ID?

    static let upcomingMax = 50

    /// The sections through which the selection moves, from the top.
    package enum Section: Hashable, Sendable, CaseIterable {
        case notes, requests, refunds, faults, upcoming, events
    }

    /// A line below the switches, about a fact that no key of the console changes.
    package enum Note: Hashable, Sendable {
        case family(Family)
        case notice(AccountNotice)
        case downloadFaults(DownloadFaults)
        /// A download that its app's own server does not serve, with the server's address.
        case serverTrouble(ProductID, StoreError)

        /// The identity of a note, which stays the same when the note's text changes.
        enum ID: Hashable, Sendable {
            case family, downloadFaults, serverTrouble(ProductID)
            case notice(AccountNotice.Kind, subject: String)
        }

        var id: ID {
            switch self {
            case .family: .family
            case .notice(let notice): .notice(notice.kind, subject: notice.subject)
            case .downloadFaults: .downloadFaults
            case .serverTrouble(let product, _): .serverTrouble(product)
            }
        }

        /// The identifier of the note's subject, for copying; nil if it has none.
        var identifier: String? {
            switch self {
            case .family(let family): family.organizer.rawValue
            case .notice(let notice): notice.subject
            case .downloadFaults: nil
            case .serverTrouble(let product, _): product.rawValue
            }
        }
    }

    /// The selected item.
    package enum Item: Hashable, Sendable {
        case note(Note)
        case request(ApprovalRequest)
        case refund(RefundRequest)
        case fault(Fault)
        case upcoming(UpcomingItem)
        case line(LogLine)
    }
}
