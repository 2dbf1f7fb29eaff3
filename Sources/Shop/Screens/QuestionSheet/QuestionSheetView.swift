import Basics
import ShopText
import StoreModel
import Terminal

extension QuestionSheet: ComponentView {
    static let helpTitle: KeyText? = .helpQuestion

    static let keys: [KeyBinding] = [
        KeyBinding("Enter", [.enter], .confirmed) { _ in .keyActivate },
        KeyBinding("Esc", [.escape, .character("q")], .wentBack) { _ in .keyCancel },
        KeyBinding("←→", [], told: [.left, .right], .choiceMoved(1)) { _ in .keyChoose },
        KeyBinding(
            "↑↓", [], names: [.down], told: [.up, .down], .questionSheet(.reasonChanged(1)),
            isUseful: { reason($0) != nil }
        ) { _ in .keyReason },
        KeyBinding(
            "↑", [], names: [.up], .questionSheet(.reasonChanged(-1)),
            isUseful: { _ in false }
        ) { _ in .keyReason },
        KeyBinding(
            .cancelDownload, .questionSheet(.dropChosen), .content(.cancelDownloads),
            isUseful: { if case .makeRoom? = subject($0) { true } else { false } }),
        KeyBinding(
            .metered, .questionSheet(.meteredDenied), .setting(.isMetered, isOn: false),
            isUseful: { if case .downloadMetered? = subject($0) { true } else { false } }),
        .left, .right, .next, .previous, .help,
    ]

    static func draw(on canvas: inout Canvas) {
        guard case .question(let sheet) = canvas.state.sheet else { return }
        canvas.drawQuestion(sheet)
    }

    static func rows(_ sheet: Sheet, on canvas: Canvas) -> Int {
        guard case .question(let question) = sheet else { return 0 }
        return canvas.questionRows(question)
    }

    private static func subject(_ state: ShopState) -> QuestionSheet.Subject? {
        if case .question(let sheet) = state.sheet { sheet.subject } else { nil }
    }

    /// Nil for a question about something else.
    static func reason(_ state: ShopState) -> RefundReason? {
        if case .requestRefund(_, _, let reason)? = subject(state) { reason } else { nil }
    }
}

extension Canvas {
    fileprivate func questionRows(_ question: QuestionSheet) -> Int {
        questionLines(questionTexts(question)).count + (layout.isCompact ? 2 : 4)
    }

    /// Wrapped. A text of more than three lines, such as one with a very long name, is cut to one
    /// row; if the screen is too low for all lines, every text is.
    private func questionLines(_ texts: QuestionTexts) -> [(text: String, style: Style)] {
        var whole = [(strings[texts.question], theme.strong), (strings[texts.note], theme.quiet)]
        if let reason = QuestionSheet.reason(state) {
            whole.append((strings[.refundReasonLine(reason)], theme.plain))
        }
        let lines = whole.flatMap { text, style in
            let lines = measure.wrap(text, columns: layout.columns - questionStart * 2)
            return lines.count > 3 ? [(text, style)] : lines.map { ($0.text, style) }
        }
        return lines.count + 6 <= layout.size.rows ? lines : whole
    }

    private var questionStart: Int { layout.isCompact ? 1 : 3 }

    fileprivate mutating func drawQuestion(_ question: QuestionSheet) {
        let texts = questionTexts(question)
        var row = openSheet(rows: questionRows(question))
        for line in questionLines(texts) {
            put(line.text, questionStart, row, line.style)
            row += 1
        }
        if !layout.isCompact { row += 1 }
        _ = buttons(
            [strings[texts.no], strings[texts.yes]], chosen: question.isConfirmChosen ? 1 : 0,
            column: questionStart - 1, row: row, end: layout.columns,
            action: { .questionSheet(.pressed(button: $0)) })
    }

    private typealias QuestionTexts = (
        question: QuestionText, note: QuestionText, no: ButtonText, yes: ButtonText
    )

    private func questionTexts(_ question: QuestionSheet) -> QuestionTexts {
        let name = question.subject.product.map { state.name(of: $0) } ?? ""
        return switch question.subject {
        case .cancelDownload(let id, let package):
            (
                .cancelDownloadQuestion(name: state.name(of: id, package: package)),
                .cancelDownloadNote, .keepDownloading, .cancelDownload
            )
        case .deleteContent(let id):
            (
                .deleteQuestion(name: name), state.isOwned(id) ? .deleteNote : .deleteIncludedNote,
                .keepDownload, .deleteDownload
            )
        case .downloadMetered(let id, _):
            (
                .meteredQuestion(name: name, size: bytesToDownload(of: id)), .meteredNote,
                .notNow, .download
            )
        case .fetchToRead(let id):
            (
                .fetchQuestion(name: name, size: bytesToDownload(of: id)), .fetchNote, .notNow,
                .download
            )
        case .openPackage(_, let file): openPackageTexts(file, name: name)
        case .makeRoom(let id): makeRoomTexts(id, name: name)
        case .withdraw:
            (.withdrawQuestion(name: name), .withdrawNote, .keepWaiting, .withdraw)
        case .sendHeld(let held):
            (
                .sendHeldQuestion(item: strings.item(PastPayment(held, in: state))),
                .sendHeldNote(at: strings.time(held.queuedAt)), .back, .sendPayment
            )
        case .requestRefund:
            (.refundQuestion(name: name), .refundNote, .keepIt, .askForRefund)
        case .stopRenewing(let id, _):
            (
                .stopRenewingQuestion(name: name), .stopRenewingNote(day: lastDay(of: id)),
                .keepIt, .cancelSubscription
            )
        case .operate(let kind, let sales):
            (
                .operateQuestion(strings.operating(kind, on: sales, state)),
                .operateNote(kind), .back, .operateButton(kind)
            )
        case .moveClock(let next):
            (.moveClockQuestion(to: strings.instant(next)), .moveClockNote, .back, .moveClockButton)
        case .cutNetwork:
            (.cutNetworkQuestion, .cutNetworkNote(key: strings.key(.network)), .back, .goOffline)
        case .signOut: (.signOutQuestion, .signOutNote, .back, .signOutButton)
        case .reset:
            (
                .resetQuestion(isDemo: state.shop.isDemo), .resetNote(isDemo: state.shop.isDemo),
                .back, .resetButton(isDemo: state.shop.isDemo)
            )
        case .declinePrice(let id, _):
            (
                .declinePriceQuestion(name: name), .declinePriceNote(day: lastDay(of: id)),
                .back, .declinePrice
            )
        case .payNow(let id, _):
            (
                .payNowQuestion(
                    name: name,
                    price: state.subscription(of: id).flatMap {
                        strings.renewalPrice(of: $0, state)
                    }), .payNowNote, .back, .payNow
            )
        case .signIn(let product):
            (
                product == nil ? .signInQuestion : .signInToBuyQuestion(name: name),
                .signInNote(
                    account: state.shop.account.rawValue,
                    environment: state.shop.environment.rawValue), .cancel, .signInButton
            )
        }
    }

    /// With the balance now, and afterwards; without enough of it the button leads to more.
    private func openPackageTexts(_ file: ContentFile, name: String) -> QuestionTexts {
        let cost = file.cost ?? Grant(unit: "", amount: 0)
        let left = state.balance(of: cost.unit) - Int64(cost.amount)
        func words(_ amount: Int64) -> String {
            strings[.balanceOf(amount, unit: strings.unit(cost.unit, state))]
        }
        let price = words(Int64(cost.amount))
        let title = file.title.map { UntrustedText.clean($0) } ?? name
        return (
            .openPackageQuestion(
                title: title, price: price, balance: words(state.balance(of: cost.unit))),
            left < 0 ? .openPackageNeeds(more: words(-left)) : .openPackageNote(left: words(left)),
            .notNow, left < 0 ? .getMore(unit: strings.unit(cost.unit, state)) : .openFor(price)
        )
    }

    /// With the bytes needed, free and removable.
    private func makeRoomTexts(_ id: ProductID, name: String) -> QuestionTexts {
        let figures = state.snapshot.downloads[id]?.error.flatMap { RoomFigures($0) }
        let removable = state.removableBytes(for: id)
        return (
            .makeRoomQuestion(
                name: name, needed: figures.map { Measures.bytes($0.needed) },
                free: figures.map { Measures.bytes($0.free) }),
            .makeRoomNote(removable: removable > 0 ? Measures.bytes(removable) : nil), .notNow,
            removable > 0 ? .makeRoomButton : .tryAgainButton
        )
    }

    private func bytesToDownload(of id: ProductID) -> String {
        Measures.bytes(state.productList.product(id).map { state.bytesToDownload(of: $0) } ?? 0)
    }

    /// The last day of a subscription's paid periods, as text; nil if it gives no access.
    private func lastDay(of id: ProductID) -> String? {
        guard let subscription = state.subscription(of: id), subscription.state == .subscribed
        else { return nil }
        let last =
            subscription.commitment?.commitmentExpiresDate ?? subscription.paidUntil
        return last.map { strings.day($0) }
    }
}

extension Strings {
    /// As "Refund 550 coins of kai", or "Refund 3 purchases".
    fileprivate func operating(
        _ kind: OperatorAction.Kind, on sales: [OperatorSubject], _ state: ShopState
    ) -> String {
        guard let first = sales.first, let action = first.sale.flatMap({ kind.action(on: $0) })
        else { return "" }
        let one = sales.count == 1 ? name(of: first, state) : nil
        return offer(
            action, one ?? self[.salesOf(sales.count, areSubscriptions: kind.isOfSubscription)])
    }
}
