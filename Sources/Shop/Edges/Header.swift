import Foundation
import ShopText
import StoreModel
import Terminal

extension Canvas {
    /// The environment, the number of faults and the number of the current view are always drawn,
    /// so that the customer cannot overlook them. Where room is short, territory, account and
    /// device are left out first, then the names of views.
    mutating func drawHeader() {
        let row = layout.headerRow
        let gap = layout.isCompact ? 1 : 2
        let parts = headerParts
        let essential = parts.filter(\.isEssential).reduce(0) { $0 + columns($1.text) + gap }
        let tabs = tabs(room: layout.columns - layout.margin - essential, gap: gap)
        let tabColumns = tabs.reduce(0) { $0 + columns($1.text) + gap }
        let left = layout.columns - layout.margin - essential - tabColumns + gap
        let wanted = min(
            columns(state.shop.appName), layout.columns >= 120 ? Self.nameMaxWide : Self.nameMax)
        let nameGap = layout.isCompact || left < wanted + 2 ? 1 : left < wanted + 3 ? 2 : 3
        // A name of two letters and an ellipsis tells the customer nothing, so it is left out.
        let nameColumns =
            left - nameGap >= min(wanted, Self.nameMin) ? min(wanted, left - nameGap) : 0
        let tabStart = layout.margin + (nameColumns > 0 ? nameColumns + nameGap : 0)
        put(
            state.shop.appName, layout.margin, row, theme.strong,
            before: layout.margin + nameColumns)
        var at = tabStart
        for (view, text) in tabs {
            let isShown = view == state.navigation.view
            let next = put(text, at, row, isShown ? theme.accent : theme.quiet)
            target(.viewChosen(view), at, row, to: next)
            at = next + gap
        }
        var end = layout.columns
        for part in shown(parts, room: layout.columns - at, gap: gap) {
            let start = putRight(part.text, before: end, row, part.style)
            if part.isPlanProblem { target(.subscription(.opened), start, row, to: end) }
            end -= columns(part.text) + gap
        }
    }

    /// The header's parts as one line: the app, the view, and what else the header says.
    var headerLine: String {
        let parts =
            [state.shop.appName, strings[title(of: state.navigation.view)]]
            + headerParts.map { $0.text.trimmingCharacters(in: .whitespaces) }
        return strings.list(parts.filter { !$0.isEmpty })
    }

    /// The columns of the longest app name in the header of a screen below 120 columns.
    private static let nameMax = 18
    /// The columns of the longest app name in the header from 120 columns on.
    private static let nameMaxWide = 36
    private static let nameMin = 8

    /// By name; where these do not fit, by number; where these do not fit, the current one.
    private func tabs(room: Int, gap: Int) -> [(view: ShopView, text: String)] {
        let shown = state.navigation.view
        let views = ShopView.allCases.filter {
            $0 != .console || state.shop.namesConsole || shown == .console
        }
        func fit(_ tabs: [(view: ShopView, text: String)]) -> Bool {
            tabs.reduce(0) { $0 + columns($1.text) + gap } <= room
        }
        let byName = views.map { (view: $0, text: tab($0)) }
        if fit(byName) { return byName }
        let byNumber = byName.map { tab in
            tab.view == shown ? tab : (view: tab.view, text: strings.key(tab.view.key))
        }
        if fit(byNumber) { return byNumber }
        let current = byName.filter { $0.view == shown }
        return fit(current) ? current : [(shown, strings.key(shown.key))]
    }

    /// As "2 Library 6": key, name, and number of entries.
    private func tab(_ view: ShopView) -> String {
        let count =
            switch view {
            case .shop, .history: 0
            case .library: state.ownedCount
            case .console: state.console.requests.count + state.console.refunds.count
            }
        return "\(strings.key(view.key)) \(strings[title(of: view)])"
            + (count > 0 ? " \(count)" : "")
    }

    private func title(of view: ShopView) -> ListText {
        switch view {
        case .shop: .shopView
        case .library: .libraryView
        case .history: .historyView
        case .console: .console
        }
    }

    private struct HeaderPart {
        /// The order in which parts are fitted, the lowest rank first.
        var rank: Int
        var text: String
        var style: Style
        /// A click on it opens the subscription.
        var isPlanProblem = false

        /// Whether the part is drawn even if the app's name must be shortened for it: the offline
        /// note, faults, the environment, and a subscription's problem.
        var isEssential: Bool { rank < 2 }
    }

    /// The header parts that fit into `room` columns, in their order from the right edge.
    private func shown(_ parts: [HeaderPart], room: Int, gap: Int) -> [HeaderPart] {
        var room = room + gap
        var shown: [HeaderPart] = []
        for part in parts.sorted(by: { $0.rank < $1.rank }) {
            let width = columns(part.text) + gap
            guard part.isEssential || width <= room else { continue }
            room -= width
            shown.append(part)
        }
        return parts.filter { part in shown.contains { $0.rank == part.rank } }
    }

    /// In their order from the right edge.
    private var headerParts: [HeaderPart] {
        var parts: [HeaderPart] = []
        let faults = faultText.map { HeaderPart(rank: 0, text: $0, style: theme.fault) }
        let environment = HeaderPart(
            rank: 1, text: state.shop.environment.rawValue.uppercased(), style: theme.strong)
        let offline =
            state.snapshot.isOffline
            ? HeaderPart(rank: -1, text: " \(strings[.offline]) ", style: theme.fault)
            : state.snapshot.networkDelay != nil && state.shop.namesConsole
                ? HeaderPart(rank: -1, text: " \(strings[.slowNetwork]) ", style: theme.fault) : nil
        let signedOut =
            state.snapshot.isSignedIn
            ? nil : HeaderPart(rank: 2, text: " \(strings[.signedOut]) ", style: theme.fault)
        let isNarrow = layout.isNarrow
        let problem = planProblem.map {
            HeaderPart(
                rank: isNarrow ? 3 : -2, text: " \($0) ", style: theme.fault, isPlanProblem: true)
        }
        let modesRank = state.faultsInForce > 0 && layout.size.columns < 100 ? 4 : -3
        let modes =
            state.modesSet == 0
            ? nil
            : HeaderPart(
                rank: modesRank, text: " \(strings[.modesSet(state.modesSet)]) ",
                style: theme.fault)
        let unsent = (listsUnsent ? nil : unsentText).map {
            HeaderPart(rank: isNarrow ? 9 : -4, text: " \($0) ", style: theme.fault)
        }
        let territory = state.settings.map { settings in
            strings.territory(
                settings.territory, currency: state.productList.products.first?.price.currency)
        }
        func quiet(_ rank: Int, _ text: String?) {
            if let text { parts.append(HeaderPart(rank: rank, text: text, style: theme.quiet)) }
        }
        let opening: String? =
            if state.isReady {
                nil
            } else if state.needsNewerProgram {
                strings[.needsNewerVersion]
            } else {
                strings[.opening] + glyphs.underWay
            }
        // A narrow header has no account and no device, and has the territory only while there is
        // no note about the store's opening. The order of the parts is the same at every width.
        if !isNarrow { quiet(7, "\(state.shop.account) \(glyphs.dot) \(state.shop.device)") }
        if !isNarrow || opening == nil { quiet(isNarrow ? 5 : 8, territory) }
        parts += [environment, faults, modes, unsent, offline, signedOut, problem].compactMap(
            \.self)
        quiet(5, opening)
        let another = strings[
            layout.size.columns < 100 ? .anotherDeliversShort : .anotherShopDelivers]
        quiet(6, state.holdsLease || isNarrow ? nil : another)
        return parts
    }

    /// The problem of the first troubled subscription, in a word or two; nil if none has a problem.
    private var planProblem: String? {
        guard let first = state.troubledSubscriptions.first else { return nil }
        return switch first.standing {
        case .paymentFails, .grace, .retrying:
            strings[layout.size.columns < 100 ? .unpaid : .billingProblem]
        case .priceIncrease: strings[.newPrice]
        case .notForSale: strings[.cannotRenew]
        case .renews, .ends, .changes, .expired, .revoked, .unending: nil
        }
    }

    /// How many notifications wait for a backend that does not answer; nil for none, and for those
    /// who do not see the console.
    var unsentText: String? {
        guard state.showsCodes, state.server.waiting > 0 else { return nil }
        return strings[
            .notificationsWait(state.server.waiting, isShort: layout.size.columns < 100)]
    }

    /// Whether the row above the server's list says it instead, where the header has no place.
    var listsUnsent: Bool {
        layout.isNarrow && state.screen == .server && !state.server.isInspecting
    }

    private var faultText: String? {
        // While presenting, the number of faults is drawn in the console only.
        if state.shop.isPresenting, state.navigation.view != .console { return nil }
        let count = state.faultsInForce
        guard count > 0 else { return nil }
        return " \(strings[.failuresQueued(count)]) "
    }
}
