import Basics
import Foundation
import ShopText
package import StoreModel

/// The actions of the screen of the store's own server.
package enum ServerAction: ComponentAction {
    case opened
    /// The store has committed, or a server has answered a request.
    case woke
    /// The snapshot is nil after a reading for the header alone; `ServerPart.waiting`.
    indirect case arrived(ServerSnapshot?, waiting: Int)
    /// Of `ShopEffect.readServer` or `inspect`.
    indirect case failed(ShopEffect, StoreError)
    indirect case inspected(NotificationDetails)
    case listCycled
    /// A click on a row, by its index in the list.
    case pointed(row: Int)
    case resendChosen
    case testChosen
    case addressChosen
    case addressTyped(String)
    /// Backspace.
    case addressErased
    /// The store has recorded a change; with the notification that is to be sent, if there is one.
    indirect case changed(ServerChange, OutboxItem?)
    /// A move of the clock waits for the app's backend.
    indirect case clockWaits(NotificationWait)
    /// A move of the clock left notifications that are due: how many, and who has the right to
    /// send them.
    case notTried(Int, holder: String?)

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        switch self {
        case .opened:
            guard shop.opening == .open else { return shop.refuse(.stillOpening, moment) }
            guard shop.shop.hasServer else { return shop.refuse(.noConsole, moment) }
            shop.navigation.open(.server)
            shop.server.isInspecting = false
            shop.server.address = nil
            return shop.readServer()
        case .woke: return shop.readServer()
        case .arrived(let snapshot, let waiting):
            shop.server.waiting = waiting
            shop.server.snapshot = snapshot ?? shop.server.snapshot
            shop.server.error = nil
            let ended = shop.queries.ended(.readServer(isWhole: snapshot != nil))
            return ended + (snapshot == nil ? [] : shop.inspectSelection())
        case .failed(let query, let error):
            if query == .readServer(isWhole: true) { shop.server.error = error }
            return shop.queryFailed(query, error, moment)
        case .inspected(let details):
            if shop.server.selectedNotification?.notification == details.notification {
                shop.server.details = details
            }
            return shop.queries.ended(.inspect(details.notification))
        case .listCycled:
            shop.server.showOtherList()
            return shop.inspectSelection()
        case .pointed(let row):
            guard shop.focus == .server else { return [] }
            guard shop.server.selectedRow != row else {
                return ServerScreen.confirm(in: &shop, moment)
            }
            shop.server.select(row: row, rows: moment.viewport.rows)
            return shop.inspectSelection()
        case .resendChosen:
            guard let item = shop.server.selectedNotification else { return [] }
            return [.changeServer(.resend(item))]
        case .testChosen: return [.changeServer(.test)]
        case .addressChosen:
            shop.server.isInspecting = false
            shop.server.address = shop.server.snapshot?.settings?.url ?? ""
            shop.server.isAddressUntouched = true
        case .addressTyped(let text):
            let isUntouched = shop.server.isAddressUntouched
            shop.server.isAddressUntouched = false
            shop.server.address = shop.server.address.map {
                TypedText.appending(text, to: isUntouched ? "" : $0)
            }
        case .addressErased:
            shop.server.isAddressUntouched = false
            shop.server.address = shop.server.address.map { String($0.dropLast()) }
        case .changed(let change, let item): return shop.tell(change, item, moment)
        case .clockWaits(let wait):
            let address = UntrustedText.clean(wait.address)
            return shop.announce(.outbox(.clockWaits(wait.count, address: address)), moment)
        case .notTried(let count, let holder):
            return shop.announce(.outbox(.waiting(count, holder: holder)), moment)
        }
        return []
    }
}

extension ShopAction {
    package static func server(_ action: ServerAction) -> ShopAction { .component(action) }
}

/// What the store's own server has answered, and the notifications that it sends.
package enum ServerScreen: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        guard !shop.server.isInspecting else {
            shop.server.scroll = shop.viewport.scrolled(from: shop.server.scroll, by: movement)
            return []
        }
        let rows = moment.viewport.rows
        let page = shop.server.window(room: rows).selectionPage
        let row = shop.server.selectedRow.addingClamped(movement.lines(page: page))
        shop.server.select(row: row, rows: rows)
        return shop.inspectSelection()
    }

    /// Shows the other list; among the details those of the row above or below.
    static func choose(_ step: Int, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        guard shop.server.isInspecting else {
            return ServerAction.listCycled.reduce(&shop, moment)
        }
        shop.server.select(
            row: shop.server.selectedRow.addingClamped(step), rows: moment.viewport.rows)
        return shop.inspectSelection()
    }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard !shop.server.isInspecting else { return goBack(in: &shop, moment) }
        shop.server.isInspecting = shop.server.count > 0
        shop.server.scroll = 0
        return shop.inspectSelection()
    }

    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        if shop.server.isInspecting {
            shop.server.isInspecting = false
        } else {
            shop.navigation.goBack()
        }
        return []
    }
}

/// The field for the address of notifications, in the last row of the server's screen.
package enum AddressLine: ShopComponent {
    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        let typed = (shop.server.address ?? "").filter { !$0.isWhitespace }
        guard !typed.isEmpty else {
            shop.server.address = nil
            return shop.server.hasAddress ? [.changeServer(.stop)] : []
        }
        guard ReachableAddress(typed) != nil else {
            return shop.refuse(.notReachable, moment)
        }
        shop.server.address = nil
        return [.changeServer(.send(to: typed))]
    }

    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        shop.server.address = nil
        // It is about what was typed.
        if shop.statusMessage?.what == .refused(.notReachable) { shop.statusMessage = nil }
        return []
    }
}

extension ServerPart {
    package var hasAddress: Bool { snapshot?.settings?.url != nil }
}

extension ShopState {
    /// All of it while the screen is in sight, else what the header needs.
    mutating func readServer() -> [ShopEffect] {
        guard opening == .open, shop.hasServer else { return [] }
        return queries.ask(.readServer(isWhole: screen == .server))
    }

    /// Reads the details of the selected notification, unless they were read: they never change.
    fileprivate mutating func inspectSelection() -> [ShopEffect] {
        guard let item = server.selectedNotification,
            server.details?.notification != item.notification
        else { return [] }
        let query = ShopEffect.inspect(item.notification)
        return queries.isUnderWay(query) ? [] : queries.ask(query)
    }

    fileprivate mutating func tell(
        _ change: ServerChange, _ item: OutboxItem?, _ moment: ShopMoment
    ) -> [ShopEffect] {
        let text: NotificationText =
            switch change {
            case .send(let address): .sentTo(address: address)
            case .stop: .sentTo(address: nil)
            case .resend: .dueAgain(item == nil ? 0 : 1)
            case .test:
                item.map { .queued(id: $0.id.uuidString.lowercased()) } ?? .sentTo(address: nil)
            }
        return announce(.outbox(text), moment) + readServer()
    }
}
