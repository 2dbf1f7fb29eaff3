package import StoreModel

/// The console's part of the state.
package struct ConsolePart: Hashable, Sendable {
    /// Requests that wait for approval, oldest first.
    package var requests: [ApprovalRequest] = []
    /// An index in `requests`; -1 if none is chosen.
    package var chosenRequest = 0
    /// The request being answered. No other is answered meanwhile, however often the key repeats.
    var answering: TransactionID?
    /// Whether a change of the account's settings is under way.
    var isChangingAccount = false
    /// The settings of the shop's account as the store has them, which the device does not know
    /// while it is offline; nil until the store was asked.
    package var settings: AccountSettings?
    /// The next steps that the store takes without anybody's action, in order of time; at most
    /// `upcomingMax`.
    package var upcoming: [UpcomingItem] = []
    /// How subscriptions renew; nil until it is known.
    package var renewals: RenewalSettings?
    /// Whether the store's clock is stopped; nil until it is known.
    package var clock: ClockState?
    /// The state of the clock that was announced last, so that it is announced once: a change made
    /// here arrives from the store, too.
    var announcedClock: ClockState?
    /// The family of the shop's account; nil if it is in none.
    package var family: Family?
    /// The tokens, user names and devices that more accounts use than is usual.
    package var notices: [AccountNotice] = []
    /// The packages of content that were put into the store, oldest first.
    package var releases: [PackageRelease] = []
    /// The events of all accounts.
    package internal(set) var log = EventLog(.store)
    /// The section that a person moved the selection to. It may be empty by now.
    var section = Section.requests
    /// The `Fault.id` of the selected fault, and the chain of the selected item that is due.
    var chosenFault: Int64?
    var chosenChain: TransactionID?
    /// The selected note.
    var chosenNote: Note.ID?

    static let upcomingMax = 50

    /// The parts that the selection moves through, from the top.
    package enum Section: Hashable, Sendable, CaseIterable {
        case notes, requests, faults, upcoming, events
    }

    /// A line below the switches: a fact that no key of the console changes.
    package enum Note: Hashable, Sendable {
        case family(Family)
        case notice(AccountNotice)
        /// The faults of this device's downloads.
        case downloadFaults(DownloadFaults)

        /// Tells a note from the others, also when its text changes.
        enum ID: Hashable, Sendable {
            case family, downloadFaults
            case notice(AccountNotice.Kind, subject: String)
        }

        var id: ID {
            switch self {
            case .family: .family
            case .notice(let notice): .notice(notice.kind, subject: notice.subject)
            case .downloadFaults: .downloadFaults
            }
        }

        /// The name by which a person would look it up; nil if it has none.
        var identifier: String? {
            switch self {
            case .family(let family): family.organizer.rawValue
            case .notice(let notice): notice.subject
            case .downloadFaults: nil
            }
        }
    }

    /// The selected item.
    package enum Item: Hashable, Sendable {
        case note(Note)
        case request(ApprovalRequest)
        case fault(Fault)
        case upcoming(UpcomingItem)
        case line(LogLine)
    }
}
