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
    /// Nil once its time was ended.
    private var lastMessage: StatusMessage?
    /// The last message of a request that waits, since a line was typed.
    private var lastPending: StatusMessage?
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
        if let message = state.shownMessage, !isKnown(message) {
            lines.append(strings.line(message.what))
        }
        lastMessage = state.statusMessage
        if case .pending? = lastMessage?.what { lastPending = lastMessage }
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

    /// Whether the message was told and still stands. The answer to a payment that waits and its
    /// event tell the same, which the screen shows as one.
    private func isKnown(_ message: StatusMessage) -> Bool {
        if message.what == lastMessage?.what, message.at == lastMessage?.at { return true }
        guard let last = lastPending, message.what == last.what else { return false }
        return message.fadesAt - last.fadesAt < StatusMessage.lasting
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

    /// The downloads that have not ended when `wait` ends: how far each is, and why it stands.
    package func standing(_ state: ShopState) -> [String] {
        let strings = strings(state)
        return state.snapshot.downloads.sorted { $0.key < $1.key }.compactMap { id, download in
            let text: String? =
                switch ShopState.status(of: download) {
                case .downloading?:
                    strings.list(
                        [
                            strings.progressLine(
                                download, waitsForNetwork: state.waitsForNetwork(download),
                                isLong: false)
                        ] + (state.holdsLease ? [] : [strings[.anotherShopDelivers]]))
                case .downloadFailed?:
                    download.error.map { strings.downloadMessage(for: $0).line }
                        ?? strings[.theDownloadFailed]
                case let status?: strings.status(status).first
                case nil: nil
                }
            return text.map { strings[.about(name: state.name(of: id), text: $0)] }
        }
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
            formatters: formatters, isLinear: true
        ).strings
    }

    /// What a typed line does: nothing happens before the actions are reduced. What it causes is
    /// told again, even if it was told just before.
    package mutating func answer(to line: String, in state: ShopState) -> LinearAnswer {
        lastPending = nil
        let presenter = self
        let answering = LinearAnswering(
            page: page(state), told: told, viewport: viewport(state),
            look: { presenter.page($0) })
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

    /// The bytes received of the downloads that go on without an action of a person; nil if none
    /// does.
    package var bytesOnTheirWay: Int64? {
        let running = snapshot.downloads.values.filter {
            $0.isUnderWay && $0.error == nil && !$0.needsConsent && !waitsForNetwork($0)
        }
        guard !running.isEmpty else { return nil }
        return running.reduce(Int64(0)) { $0 + $1.received }
    }

    /// A product whose payment the store has not answered; nil if there is none.
    package var unansweredPurchase: String? {
        purchasing.underWay.keys.min { $0.rawValue < $1.rawValue }.map { name(of: $0) }
    }
}
