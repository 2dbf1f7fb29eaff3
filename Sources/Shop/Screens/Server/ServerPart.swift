import Foundation
package import StoreModel

/// What the screen of the store's own server shows, as of one reading.
package struct ServerSnapshot: Hashable, Sendable {
    /// The newest first.
    package var requests: [ServerRequest] = []
    /// The newest first.
    package var notifications: [OutboxItem] = []
    /// Nil if no address was ever set.
    package var settings: NotificationSettings?
    package var obstacle: NotificationObstacle? = .noAddress
}

/// A notification as it is sent: whether it is verified, and its decoded parts.
package struct NotificationDetails: Hashable, Sendable {
    var notification: QueuedNotification
    /// Nil if it is verified.
    var problem: VerificationError?
    /// Lines of JSON. The other parts are empty where they do not apply.
    var payload: [String] = []
    var transaction: [String] = []
    var renewalInfo: [String] = []
}

/// A change that a person asks for on that screen.
package enum ServerChange: Hashable, Sendable {
    indirect case resend(OutboxItem)
    case test
    /// To an address that notifications are sent to (`ReachableAddress`).
    case send(to: String)
    case stop
}

/// The server's part of the state.
package struct ServerPart: Hashable, Sendable {
    /// What the view lists.
    package enum List: Hashable, Sendable { case notifications, requests }

    /// Nil until it was read.
    package internal(set) var snapshot: ServerSnapshot?
    /// Of the last reading; nil if it succeeded.
    package internal(set) var error: StoreError?
    /// The notifications that wait because their receiver has failed; the header counts them.
    package var waiting = 0
    package internal(set) var list = List.notifications
    /// Of the notification that was selected last; nil until they are read.
    package internal(set) var details: NotificationDetails?
    /// Whether the keys move the details instead of the list.
    package internal(set) var isInspecting = false
    /// Of the details, in rows.
    var scroll = 0
    /// As typed so far; nil unless an address is being typed.
    package internal(set) var address: String?
    /// Whether that is the present address still: the first typed or pasted text takes its place.
    var isAddressUntouched = false
    /// Nil selects the newest.
    private var selected: UUID?
    private var requestRow = 0
    private var firstRow = 0

    /// The most notifications, and the most requests, that are read.
    static let rowsMax = 200

    package var notifications: [OutboxItem] { snapshot?.notifications ?? [] }
    package var requests: [ServerRequest] { snapshot?.requests ?? [] }

    package var count: Int { list == .notifications ? notifications.count : requests.count }

    /// 0 if no row is selected.
    package var selectedRow: Int {
        switch list {
        case .notifications: notifications.firstIndex { $0.id == selected } ?? 0
        case .requests: min(requestRow, max(0, requests.count - 1))
        }
    }

    /// Nil in the other list.
    package var selectedNotification: OutboxItem? {
        list == .notifications && !notifications.isEmpty ? notifications[selectedRow] : nil
    }

    /// Nil in the other list.
    package var selectedRequest: ServerRequest? {
        list == .requests && !requests.isEmpty ? requests[selectedRow] : nil
    }

    /// When `room` rows fit.
    func window(room: Int, isMarked: Bool = true) -> RowWindow {
        RowWindow(
            count: count, room: room, from: firstRow, showing: selectedRow...selectedRow,
            isMarked: isMarked)
    }

    mutating func select(row: Int, rows: Int) {
        guard count > 0 else { return }
        let row = min(max(0, row), count - 1)
        if list == .notifications { selected = notifications[row].id } else { requestRow = row }
        scroll = 0
        firstRow = window(room: rows).first
    }

    mutating func showOtherList() {
        list = list == .requests ? .notifications : .requests
        isInspecting = false
        (scroll, firstRow) = (0, 0)
    }
}
