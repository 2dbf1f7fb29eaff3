import ShopText
package import StoreModel

/// The question before an action that costs time or data to undo, or that needs an account. No is
/// chosen at first.
package struct QuestionSheet: Hashable, Sendable {
    package var subject: Subject
    package var isConfirmChosen = false

    /// The action to confirm, with its product.
    package enum Subject: Hashable, Sendable {
        case cancelDownload(ProductID, package: String? = nil)
        case deleteContent(ProductID)
        case downloadMetered(ProductID, package: String? = nil)
        /// Downloading removed content again, and opening it.
        case fetchToRead(ProductID)
        /// Spending what a package costs, to read this file of it.
        case openPackage(ProductID, ContentFile)
        /// Making room on the full disk for a product's download.
        case makeRoom(ProductID)
        /// Withdrawing the request of a payment that waits for an answer.
        case withdraw(ProductID, TransactionID)
        /// Sending a payment whose sender has ended.
        case sendHeld(QueuedPayment)
        case requestRefund(ProductID, TransactionID, RefundReason)
        case stopRenewing(ProductID, TransactionID)
        /// An action on one or several sales, as the operator does it.
        case operate(OperatorAction.Kind, [OperatorSubject])
        case declinePrice(ProductID, TransactionID)
        /// Charging for the period of a subscription whose payment failed.
        case payNow(ProductID, TransactionID)
        /// Moving the store's clock to the next due item, which may charge.
        case moveClock(to: Timestamp)
        /// Cutting the device's network until a person turns it on.
        case cutNetwork
        case signOut
        /// Emptying the store, or starting a demo anew.
        case reset
        /// Signing in to the App Store: for the purchase of a product, or with nil without one.
        case signIn(for: ProductID?)

        package var product: ProductID? {
            switch self {
            case .cancelDownload(let id, _), .deleteContent(let id), .downloadMetered(let id, _),
                .fetchToRead(let id), .openPackage(let id, _), .makeRoom(let id),
                .withdraw(let id, _),
                .requestRefund(let id, _, _), .stopRenewing(let id, _), .declinePrice(let id, _),
                .payNow(let id, _):
                id
            case .sendHeld(let held): held.payment.productID
            case .operate(_, let sales): sales.count == 1 ? sales[0].product : nil
            case .moveClock, .cutNetwork, .signOut, .reset: nil
            case .signIn(let id): id
            }
        }
    }

    package init(_ subject: Subject) { self.subject = subject }
}

/// The actions of the question sheet.
package enum QuestionSheetAction: ComponentAction, Hashable {
    /// A click on a button: 0 is No, 1 is Yes.
    case pressed(button: Int)
    /// Chooses the next (positive) or a previous (negative) reason.
    case reasonChanged(Int)
    /// Asks whether to cancel the download that lacks room, instead of making room.
    case dropChosen
    /// Sets the connection to unmetered, and downloads.
    case meteredDenied

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard shop.focus == .questionSheet, case .question(let sheet) = shop.sheet else {
            return []
        }
        switch self {
        case .pressed(let button):
            shop.sheet = nil
            return button == 1 ? shop.carryOut(sheet.subject, moment) : []
        case .reasonChanged(let step): return shop.changeReason(step)
        case .dropChosen:
            guard case .makeRoom(let id) = sheet.subject else { return [] }
            shop.sheet = .question(QuestionSheet(.cancelDownload(id)))
            return []
        case .meteredDenied:
            guard case .downloadMetered(let id, let package) = sheet.subject else { return [] }
            shop.sheet = nil
            // Another process may have set the connection to unmetered meanwhile.
            let said = shop.snapshot.settings.isMetered ? shop.toggle(.isMetered, moment) : []
            return said + [.content(.resumeDownloads, id, package: package)]
        }
    }
}

extension ShopAction {
    package static func questionSheet(_ action: QuestionSheetAction) -> ShopAction {
        .component(action)
    }
}

extension QuestionSheet: ShopComponent {
    static func choose(_ step: Int, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        guard case .question(var sheet) = shop.sheet else { return [] }
        sheet.isConfirmChosen = step > 0
        shop.sheet = .question(sheet)
        return []
    }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard case .question(let sheet) = shop.sheet else { return [] }
        shop.sheet = nil
        return sheet.isConfirmChosen ? shop.carryOut(sheet.subject, moment) : []
    }
}

extension ShopState {
    /// Opens the question, unless a sheet is open.
    mutating func openQuestion(_ subject: QuestionSheet.Subject) -> [ShopEffect] {
        guard sheet == nil else { return [] }
        sheet = .question(QuestionSheet(subject))
        return []
    }

    /// In a circle.
    fileprivate mutating func changeReason(_ step: Int) -> [ShopEffect] {
        guard case .question(var question) = sheet,
            case .requestRefund(let product, let transaction, let reason) = question.subject
        else { return [] }
        let all = RefundReason.allCases
        let at = (all.firstIndex(of: reason) ?? 0) + step
        question.subject = .requestRefund(
            product, transaction, all[(at % all.count + all.count) % all.count])
        sheet = .question(question)
        return []
    }

    /// The payment was made, the price was answered, or the subscription has ended.
    mutating func closeQuestionOfGone() {
        guard case .question(let question) = sheet else { return }
        if case .sendHeld(let held) = question.subject,
            !snapshot.held.contains(where: { $0.payment.id == held.payment.id })
        {
            sheet = nil
            return
        }
        let (asked, choice): (TransactionID, SubscriptionChoice)
        switch question.subject {
        case .payNow(_, let id): (asked, choice) = (id, .payNow)
        case .declinePrice(_, let id): (asked, choice) = (id, .declinePrice)
        case .stopRenewing(_, let id): (asked, choice) = (id, .cancel)
        // Sales may be of another account; the others announce that they are impossible.
        default: return
        }
        let isThere = snapshot.subscriptions.values.contains {
            $0.transactionID == asked && choices(for: $0).contains(choice)
        }
        if !isThere { sheet = nil }
    }

    /// Carries out the confirmed action, or announces why it is not possible any more.
    fileprivate mutating func carryOut(_ subject: QuestionSheet.Subject, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        switch subject {
        case .signIn(let product): return signIn(for: product)
        case .sendHeld(let held): return send(held: held.payment, moment)
        case .stopRenewing(_, let id): return perform(.setAutoRenew(id, false), moment)
        case .declinePrice(_, let id): return perform(.priceIncrease(id, .decline), moment)
        case .payNow(_, let id): return perform(.resolveBilling(id), moment)
        case .operate(let kind, let sales): return operate(kind, on: sales)
        case .moveClock: return moveClockToNext(moment)
        case .cutNetwork: return [.setNetwork(.off(milliseconds: nil))]
        case .signOut: return [.setSignedIn(false)]
        case .reset: return reset()
        default: break
        }
        guard let id = subject.product, let product = productList.product(id) else { return [] }
        switch subject {
        case .cancelDownload(_, let package):
            let open = status(of: product).download
            guard let open, package.map({ open.package($0)?.state != .finished }) ?? true else {
                return refuse(.nothingToCancel, moment)
            }
            guard let kept = open.keptVersion(of: package) else {
                return perform(.cancelDownloads, on: product, package: package, moment)
            }
            let name = name(of: id, package: package)
            return announce(.updateCancelled(name: name, version: kept), moment)
                + [.content(.cancelDownloads, id, package: package)]
        case .deleteContent:
            guard hasContentHere(product) else { return refuse(.noContentHere, moment) }
            return perform(.deleteContent, on: product, moment)
        case .downloadMetered(_, let package):
            library.asked[id] = AskedDownload()
            let name = name(of: id, package: package)
            return announce(.content(.resumeDownloads, name: name), moment)
                + [.content(.consentToDownload, id, package: package)]
        case .fetchToRead: return fetchToRead(product, moment)
        case .openPackage(_, let file): return spend(toOpen: file, of: product, moment)
        case .makeRoom:
            library.asked[id] = AskedDownload(makesRoom: true)
            return perform(.makeRoom, on: product, moment)
        // The events of these actions announce their results.
        case .withdraw(_, let request): return [.withdraw(request)]
        case .requestRefund(_, let transaction, let reason):
            return [.requestRefund(transaction, reason)]
        default: return []
        }
    }
}
