package import ShopText
import StoreModel
package import Terminal

/// Tells the state of the shop in lines, each change once. Beside the drawing of the screen it is
/// the other presenter of `ShopState`; it sends the same actions.
package struct LinearPresenter: Sendable {
    private let capabilities: Capabilities
    private let formatters: LocalizedFormatters
    /// The page as last told.
    private var told: LinearPage?
    private var lastMessage: StatusMessage?
    /// The quarters of each running download that were told.
    private var quarters: [ProductID: Int] = [:]

    package init(capabilities: Capabilities, formatters: LocalizedFormatters) {
        self.capabilities = capabilities
        self.formatters = formatters
    }

    /// An input of the next action (`ShopMoment.viewport`).
    package func viewport(_ state: ShopState) -> Viewport {
        let canvas = Canvas(
            Frame(size: Size(columns: 0, rows: 0)), state, size: LinearPage.size,
            capabilities: capabilities, formatters: formatters, isLinear: true)
        return canvas.viewport
    }

    package func page(_ state: ShopState) -> LinearPage {
        LinearPage(state, capabilities: capabilities, formatters: formatters)
    }

    /// The lines that are new since the last call; all in another place, if most are new, and if
    /// their number has changed.
    ///
    /// - Parameter whole: whether all are to be told again.
    package mutating func tell(_ state: ShopState, whole: Bool = false) -> [String] {
        let page = page(state)
        let known = Set(told?.lines ?? [])
        let new = page.lines.filter { !known.contains($0) }
        let isWhole =
            whole || told?.place != page.place || told?.lines.count != page.lines.count
            || new.count * 2 > page.lines.count
        let heading = whole || told?.heading != page.heading ? [page.heading] : []
        told = page
        return heading + (isWhole ? page.lines : new)
    }

    /// The message that has come since the last call, and how far downloads are: at their start and
    /// at each quarter. That they have ended is a message.
    package mutating func news(_ state: ShopState) -> [String] {
        var lines: [String] = []
        let strings = strings(state)
        if let message = state.shownMessage {
            let isKnown = message.what == lastMessage?.what && message.at == lastMessage?.at
            if !isKnown { lines.append(strings.line(message.what)) }
        }
        lastMessage = state.statusMessage
        let running = state.snapshot.downloads.filter { $0.value.state == .active }
        for (id, download) in running.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let quarter = min(3, Int(download.progress * 4))
            guard quarter != quarters[id] else { continue }
            quarters[id] = quarter
            lines.append(
                strings[
                    .linearProgress(
                        name: state.name(of: id), percent: Measures.percent(download.progress))])
        }
        quarters = quarters.filter { running[$0.key] != nil }
        return lines
    }

    /// Call after the time of a told message was ended. Returns whether another one has taken its
    /// place; the same one stays while the help is open.
    package mutating func endedMessage(in state: ShopState) -> Bool {
        guard let message = state.statusMessage else {
            lastMessage = nil
            return false
        }
        return message.what != lastMessage?.what
    }

    /// The line that asks for input.
    package func prompt(_ state: ShopState) -> String {
        strings(state)[
            .linearPrompt(told?.choices.count ?? 0, takesText: state.focus.type.erased != nil)]
    }

    /// In the language of the state.
    package func strings(_ state: ShopState) -> Strings {
        let none = Size(columns: 0, rows: 0)
        return Canvas(
            Frame(size: none), state, size: none, capabilities: capabilities,
            formatters: formatters
        ).strings
    }

    /// What a typed line does. Pure: nothing happens before the actions are reduced.
    package func answer(to line: String, in state: ShopState) -> LinearAnswer {
        let answering = LinearAnswering(
            page: page(state), told: told, viewport: viewport(state), look: { self.page($0) })
        return answering.answer(to: line)
    }
}

extension Strings {
    /// A message in one line; the screen shows a purchase in two rows.
    fileprivate func line(_ what: StatusText) -> String {
        guard let bought = what.moment else { return self[what] }
        return self.bought(bought) + language.sentenceGap + receipt(bought)
    }
}

extension ShopState {
    /// Whether a purchase is open and not confirmed yet.
    package var isBeforePayment: Bool {
        switch sheet {
        case .payment, .redeem: true
        case .question(let question):
            if case .signIn(let product) = question.subject { product != nil } else { false }
        case .failure, .chapters, .palette, nil: false
        }
    }

    /// A product whose payment the store has not answered; nil if there is none.
    package var unansweredPurchase: String? {
        purchasing.underWay.keys.min { $0.rawValue < $1.rawValue }.map { name(of: $0) }
    }
}
