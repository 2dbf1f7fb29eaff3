import Foundation
import ShopText
import StoreModel
import Terminal

/// What a line of input does in the shop in lines.
package enum LinearAnswer: Sendable {
    /// The actions of keys, clicks and the palette, in order.
    case actions([ShopAction])
    /// The place is told again.
    case again
    /// Wait until the downloads have ended, or stand still.
    case wait
    /// What can be typed here, or why the line does nothing.
    case texts([String])
}

/// The meaning of typed lines in one place: numbers, signs, words, and text for a field.
struct LinearAnswering {
    let page: LinearPage
    /// The page that the person has read.
    let told: LinearPage?
    let viewport: Viewport
    /// The page of another state, to look ahead.
    let look: (ShopState) -> LinearPage

    private var state: ShopState { page.state }
    private var strings: Strings { page.strings }
    private var english: Strings {
        Strings(locale: "en_US", language: "en", formatters: strings.formatters)
    }
    private var takesText: Bool { state.focus.type.erased != nil }
    /// By a sheet or the help.
    private var isUncovered: Bool { state.sheet == nil && state.help == nil }

    func answer(to line: String) -> LinearAnswer {
        // A Japanese keyboard types digits, signs and letters in full width.
        let typed = String(line.map(LatinKeys.narrow))
            .trimmingCharacters(in: .whitespacesAndNewlines)
        switch typed {
        case "": return state.isPaletteAsking ? .actions([.confirmed]) : .again
        case "?": return .texts(help)
        case "<": return .actions([.wentBack])
        case ">": return .actions(further)
        case _ where isQuit(typed):
            return .actions((state.isBeforePayment ? [.wentBack] : []) + [.quitChosen])
        default: break
        }
        if let number = Int(typed), typed.allSatisfy(\.isNumber) {
            if let answer = choose(number) { return answer }
            guard takesText else { return .texts([strings[.linearNoNumber(number)]]) }
        }
        if let sign = typed.first, sign == ":" || sign == "/" {
            let text = typed.dropFirst().trimmingCharacters(in: .whitespaces)
            // In a field the sign begins its text anew.
            if takesText { return type(text, after: []) }
            if isUncovered {
                return type(text, after: [sign == ":" ? .palette(.opened) : .searchOpened])
            }
        }
        if takesText { return type(typed, after: []) }
        return meaning(of: typed)
    }

    /// In a field that takes text, only the English word leaves.
    private func isQuit(_ typed: String) -> Bool {
        let names = [english[KeyText.keyQuit]] + (takesText ? [] : [strings[KeyText.keyQuit]])
        return names.contains { SearchIndex.fold($0) == SearchIndex.fold(typed) }
    }

    /// The next page. That of a list begins with the last line of this one, so that none is left
    /// out.
    private var further: [ShopAction] {
        let rows = page.choices.filter(\.action.isSelecting)
        guard let last = rows.last else { return [.selectionMoved(.pageDown)] }
        // Headings take rows, too: as many lines as leave the last one in sight.
        for count in stride(from: rows.count - 1, to: 0, by: -1) {
            let actions = last.selecting + [.selectionMoved(.rows(count))]
            if look(after(actions)).choices.contains(where: { $0.isSame(as: last) }) {
                return actions
            }
        }
        return [.selectionMoved(.pageDown)]
    }

    // MARK: - Numbers and text

    /// Nil if neither the told page nor the present one has the line. A line that has changed since
    /// it was read does nothing.
    private func choose(_ number: Int) -> LinearAnswer? {
        guard number > 0 else { return nil }
        let index = number - 1
        let here = page.choices.indices.contains(index) ? page.choices[index] : nil
        guard let told else { return here.map { .actions($0.actions) } }
        guard told.choices.indices.contains(index) else {
            return here == nil ? nil : .texts([strings[.linearChanged]])
        }
        guard let here, here.isSame(as: told.choices[index]) else {
            return .texts([strings[.linearChanged]])
        }
        return .actions(here.actions)
    }

    /// Replaces the text of the field that has the focus after these actions. A search, a filter of
    /// a log and a code are confirmed at once.
    private func type(_ text: String, after first: [ShopAction]) -> LinearAnswer {
        let ahead = after(first)
        guard let erase = ahead.focus.type.erased else { return .actions(first) }
        var actions = first + Array(repeating: erase, count: ahead.typedText.count)
        if !text.isEmpty, let typed = ahead.focus.type.typed(text) { actions.append(typed) }
        switch ahead.focus {
        case .search, .logFilter, .redeemSheet, .addressLine: actions.append(.confirmed)
        default: break
        }
        return .actions(actions)
    }

    private func after(_ actions: [ShopAction]) -> ShopState {
        var ahead = state
        let payment = PaymentID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        for action in actions {
            _ = ahead.reduce(
                action, ShopMoment(now: state.now, paymentID: payment, viewport: viewport))
        }
        return ahead
    }

    // MARK: - Words

    private func meaning(of typed: String) -> LinearAnswer {
        let folded = SearchIndex.fold(typed)
        if folded == SearchIndex.fold(strings[.linearWaitWord]) || folded == "wait" { return .wait }
        if let payment = countedPayment, isQuantity(typed) {
            let text = strings.list(["\(payment.quantity)", strings[.linearQuantity]])
            return .texts([strings[.about(name: strings[LogText.quantity], text: text)]])
        }
        if let action = letter(typed) { return .actions([action]) }
        if let answer = onLine(typed) ?? called(folded) { return answer }
        if isUncovered {
            // Any other word finds lines of the palette.
            let actions: [ShopAction] = [.palette(.opened), .palette(.typed(typed))]
            let ahead = after(actions)
            if case .palette = ahead.sheet, !look(ahead).choices.isEmpty {
                return .actions(actions)
            }
        }
        return .texts([strings[.linearUnknown(typed)]])
    }

    /// The keys that a word or a letter can name: those that move a selection, which lines do not
    /// show, and those that press a chosen button are left out. In a book they turn the page.
    private var keys: [KeyBinding] {
        state.focus.type.keys.filter { binding in
            switch binding.action {
            case .selectionMoved, .focusMoved, .zoomChosen, .pointerToggled: false
            case .confirmed, .choiceMoved: state.focus == .reader
            case .consoleToggled, .viewChosen(.console): state.shop.hasConsole
            default: true
            }
        }
    }

    private func letter(_ typed: String) -> ShopAction? {
        guard typed.count == 1, let character = typed.first else { return nil }
        let key = LatinKeys.key(for: .character(character))
        return keys.first { $0.keys(state.own.keys).contains(key) }?.action
    }

    /// In the person's language and in English. What an advice calls a download may be to resume
    /// or to update one now, but never to pause it.
    private func titles(of binding: KeyBinding, in state: ShopState) -> [String] {
        guard !binding.label(state.own.keys).isEmpty else { return [] }
        var titles = [binding.title(state)]
        if case .downloadToggled = binding.action, titles != [.content(.pauseDownloads)] {
            titles.append(.keyDownload)
        }
        return titles.flatMap { [strings[$0], english[$0]] }
    }

    /// A line or a key by its whole name, or by a beginning that only one has.
    private func called(_ folded: String) -> LinearAnswer? {
        let named: [(name: String, actions: [ShopAction])] =
            page.choices.map { (name: $0.name, actions: $0.actions) }
            + keys.flatMap { binding in
                titles(of: binding, in: state).map { (name: $0, actions: [binding.action]) }
            }
        if let exact = named.first(where: { SearchIndex.fold($0.name) == folded }) {
            return .actions(exact.actions)
        }
        guard folded.count > 1 else { return nil }
        let begun = named.filter { SearchIndex.fold($0.name).hasPrefix(folded) }
        guard let first = begun.first else { return nil }
        let names = Set(begun.map(\.name)).sorted()
        return names.count == 1
            ? .actions(first.actions) : .texts([strings[.linearSeveral(names)]])
    }

    /// A word and a number, in Japanese without a space: the quantity of a payment, or a key for a
    /// row of a list.
    private func onLine(_ typed: String) -> LinearAnswer? {
        let digits = String(typed.reversed().prefix(while: \.isNumber).reversed())
        let word = typed.dropLast(digits.count).trimmingCharacters(in: .whitespaces)
        guard !word.isEmpty, let number = Int(digits) else { return nil }
        let folded = SearchIndex.fold(word)
        if countedPayment != nil {
            guard isQuantity(word) else { return nil }
            var changes: [PaymentSheetAction] = [.digitErased, .digitErased]
            for digit in String(max(number, 1)).compactMap(\.wholeNumberValue).prefix(3) {
                changes.append(.digitTyped(digit))
            }
            return .actions(changes.map { ShopAction.paymentSheet($0) })
        }
        let row = page.choices.indices.contains(number - 1) ? page.choices[number - 1] : nil
        // The keys do there what they would once the row is selected.
        let there = row.map { $0.action.isPointing ? after($0.selecting) : state } ?? state
        let named = keys.first { binding in
            titles(of: binding, in: there).contains { SearchIndex.fold($0) == folded }
        }
        let action = letter(word) ?? named?.action
        guard let action, page.choices.contains(where: \.action.isPointing) else { return nil }
        if let answer = answer(request: number, by: action) { return answer }
        switch choose(number) {
        case .actions?:
            let choice = page.choices[number - 1]
            return choice.action.isPointing ? .actions(choice.selecting + [action]) : nil
        case let other: return other ?? .texts([strings[.linearNoNumber(number)]])
        }
    }

    /// The open payment sheet, if its quantity can be changed.
    private var countedPayment: PaymentSheet? {
        guard case .payment(let payment) = state.sheet, payment.canChangeQuantity else {
            return nil
        }
        return payment
    }

    private func isQuantity(_ word: String) -> Bool {
        [strings, english].contains {
            SearchIndex.fold($0[LogText.quantity]) == SearchIndex.fold(word)
        }
    }

    /// Approves or declines a request by its number, or by its place among those that were told.
    /// Nil for another action, for a number of a row, and if there is no such request.
    private func answer(request number: Int, by action: ShopAction) -> LinearAnswer? {
        guard case .component(let component) = action, let answer = component as? ConsoleAction,
            answer == .requestApproved || answer == .requestDeclined, number > 0,
            !page.choices.indices.contains(number - 1)
                || !page.choices[number - 1].action.isPointing
        else { return nil }
        let waiting = (told ?? page).state.console.waiting
        let place = waiting.indices.contains(number - 1) ? waiting[number - 1] : nil
        let numbered = waiting.first { $0.number == TransactionID(Int64(number)) }
        guard let named = numbered ?? place else { return nil }
        guard let now = state.console.waiting.first(where: { $0.number == named.number }) else {
            return .texts([strings[.linearChanged]])
        }
        let isSelected =
            state.consoleSection == now.section && state.consoleRow(in: now.section) == now.row
        let selecting: [ShopAction] =
            isSelected ? [] : [.console(.pointed(now.section, row: now.row))]
        return .actions(selecting + [action])
    }

    // MARK: - What can be typed

    private var help: [String] {
        var lines: [String] = []
        if !page.choices.isEmpty { lines.append(strings[.linearNumbers(page.choices.count)]) }
        if takesText {
            lines.append(strings[.linearTyping])
        } else {
            let named = keys.filter { binding in
                if case .viewChosen = binding.action { return true }
                return binding.isUseful(state) && !binding.label(state.own.keys).isEmpty
            }
            let words = named.map { binding in
                let (label, title) = (binding.label(state.own.keys), strings[binding.title(state)])
                let isLetter = label.count == 1 && label.first?.isLetter == true
                return isLetter || label == "+ -" ? "\(label) \(title)" : title
            }
            if !words.isEmpty { lines.append(strings[.linearWords(strings.list(words))]) }
            let buying = keys.first { if case .buyChosen = $0.action { true } else { false } }
            if let buying, page.choices.contains(where: \.action.isPointing) {
                lines.append(strings[.linearOnLine(strings[buying.title(state)])])
            }
        }
        return lines + [strings[.linearSigns(finds: takesText || isUncovered)]]
    }
}

extension ConsolePart {
    /// The requests and the refunds that wait for an answer, in the order of their rows.
    fileprivate var waiting: [(number: TransactionID, section: Section, row: Int)] {
        let asked = requests.enumerated().map {
            (number: $1.number, section: Section.requests, row: $0)
        }
        let refunded = refunds.enumerated().map {
            (number: $1.transactionID, section: Section.refunds, row: $0)
        }
        return asked + refunded
    }
}

extension ShopState {
    fileprivate var isPaletteAsking: Bool {
        if case .palette(let palette) = sheet { palette.asking != nil } else { false }
    }

    /// The text of the field that has the focus; empty without one.
    fileprivate var typedText: String {
        switch focus {
        case .search: list.search?.text ?? ""
        case .logFilter: focusedLog?.text ?? ""
        case .addressLine: server.address ?? ""
        case .help: help?.list.filter ?? ""
        default:
            switch sheet {
            case .palette(let palette): palette.list.filter
            case .failure(let failure): failure.list.filter
            case .redeem(let redeem): redeem.code
            case .payment, .chapters, .question, nil: ""
            }
        }
    }
}
