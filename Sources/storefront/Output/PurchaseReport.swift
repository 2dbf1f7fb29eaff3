import ArgumentParser
import Basics
import Shop
import ShopText
import StoreCatalog
import StoreModel

/// Reports the outcome of one payment: to a person as soon as it is known, in JSON as one line,
/// which is written when it is complete.
struct PurchaseReport {
    private let payment: Payment
    private let product: Product
    private let isJSON: Bool
    private(set) var exitCode: ExitCode?
    /// Whether an error delays this delivery and all later ones, so that the command buys no more.
    private(set) var isDelayed = false
    /// Whether the account had this plan with auto-renew off; buying it turns auto-renew on.
    var autoRenewWasOff = false
    /// The plan that the account was to change to: buying its own plan cancels that change.
    var plannedBefore: String?
    /// What the subscription changes to after the payment, and when its next terms start.
    var planned: PlannedRenewal?
    var nextTermsBegin: Timestamp?
    var joinsRequest = false
    var leavesUnfinished = false
    /// The sale's payload, verified by this device or only claimed; nil if it cannot be read.
    var sold: TransactionPayload?
    /// The outcome as far as it is known; written by `end`, or when a signal ends the command.
    private var line: PurchaseLine? {
        didSet { interruption.note(line.map { atInterruption($0) }) }
    }
    private let interruption: PurchaseInterruption
    /// The outcome in words. It goes to standard error if standard output cannot be written,
    /// because a person who does not learn of a purchase would make it again.
    private var said: PurchaseLineText?

    /// - Parameter interruption: reports the outcome if a signal comes before `end`.
    init(
        _ payment: Payment, _ product: Product, isJSON: Bool, interruption: PurchaseInterruption
    ) {
        self.payment = payment
        self.product = product
        self.isJSON = isJSON
        self.interruption = interruption
        var line = newLine("unknown")
        line.error = StoreError(
            .outcomeUnknown, productID: product.id, paymentID: payment.id)
        line.message = Strings.english[unknownText(cause: nil, in: .english)]
        interruption.note(
            .init(line: line, text: unknownText(cause: nil, in: Output.strings)))
    }

    private func atInterruption(_ line: PurchaseLine) -> PurchaseInterruption.Known {
        guard line.outcome == "purchased", line.finished != true else {
            return .init(line: line, text: nil)
        }
        var line = line
        line.message =
            line.message
            ?? Strings.english[PurchaseLineText.interruptedLine(name: item(in: .english))]
        return .init(line: line, text: .interruptedLine(name: item(in: Output.strings)))
    }

    private var name: String { UntrustedText.clean(product.displayName) }

    /// The name with the payment's quantity: "3 × 10 coins".
    private func item(in strings: Strings) -> String { strings.items(payment.quantity, name) }

    mutating func say(_ facts: [PurchaseProgress.Fact]) {
        for fact in facts { say(fact) }
    }

    /// Writes the JSON line. Call once, when the command has nothing to wait for any more.
    mutating func end() {
        if isJSON, let line { interruption.say { _ in try? Output.json(line) } }
        if Output.isLost, let said { Output.note(said) }
        line = nil
    }

    private mutating func say(_ fact: PurchaseProgress.Fact) {
        switch fact {
        case .purchased(let signed, let id, let alreadyOwned): purchased(signed, id, alreadyOwned)
        case .pending(let request, let reason): pending(request, reason)
        case .failed(let error): failed(error)
        case .unknown(let error): unknown(error)
        case .finished: line?.finished = true
        // The command waits for the delivery, which follows the arrival.
        case .arrived: break
        case .downloadStopped(let download):
            exitCode = Exit.incomplete
            if let error = download.error { Output.error(DownloadText.stopped(download, error)) }
            let report = self
            remark {
                .notCompleteLine(
                    item: report.item(in: $0), product: report.product.id.rawValue,
                    isPaused: download.state == .paused)
            }
            if download.needsConsent {
                Output.note(
                    .waitsForConsent(
                        product: download.productID.rawValue, bytes: download.bytesExpected))
            }
        case .claimed(let device):
            remark(.claimedElsewhereLine(device: device.rawValue))
        case .notVerified(let reason):
            exitCode = Exit.notVerified
            line?.outcome = "unverified"
            line?.verification = "unverified"
            line?.verificationError = reason
            remark(.notBelievedLine(reason: reason.rawValue))
        case .delayed(let error): delayed(error)
        }
    }

    // MARK: - Outcomes

    private mutating func purchased(
        _ signed: SignedTransaction, _ id: TransactionID, _ alreadyOwned: Bool
    ) {
        exitCode = nil
        var line = newLine("purchased")
        line.transactionId = id
        line.alreadyOwned = alreadyOwned
        line.finished = false
        line.verification = "verified"
        line.signedTransactionInfo = signed
        let answered = sold?.productId
        if alreadyOwned, autoRenewWasOff, answered == payment.productID {
            line.autoRenewStatus = 1
        }
        let isForLater = answered.map { alreadyOwned && $0 != payment.productID } ?? false
        let isOwn = alreadyOwned && !isForLater
        let newWay = isOwn ? planned.flatMap { wayToPay(in: $0) } : nil
        let begins = nextTermsBegin.map { Output.strings.date($0) }
        if isForLater || newWay != nil {
            line.planChange = .planned
        } else if alreadyOwned, plannedBefore != nil {
            line.planChange = .takenBack
        }
        if line.planChange == .planned || alreadyOwned && payment.offer != nil {
            line.planStartDate = nextTermsBegin
        }
        self.line = line
        if isForLater {
            // A change of plan for later is answered with the present plan's transaction.
            return print(.planForLaterLine(name: name, transaction: id.description, from: begins))
        }
        if alreadyOwned, payment.offer != nil {
            return print(.offerForLaterLine(name: name, transaction: id.description, from: begins))
        }
        if let newWay {
            return print(
                .billingPlanForLaterLine(
                    name: name, newWay, transaction: id.description, from: begins))
        }
        if alreadyOwned {
            print(.ownedLineFor(name: name, transaction: id.description))
            if let plannedBefore { print(.changeTakenBackLine(name: name, next: plannedBefore)) }
            if line.autoRenewStatus == 1 { print(.autoRenewOnAgainLine(name: name)) }
            return
        }
        let strings = Output.strings
        if let sold, let date = sold.revocationDate, sold.takenBack == .all {
            return print(
                .takenBackLineFor(
                    name: name, transaction: id.description, date: strings.date(date),
                    isRefunded: sold.revocationType != nil))
        }
        var price = strings.price(Price(of: product, quantity: payment.quantity))
        if let sold {
            // The charged price is below the product's with an offer, or in monthly payments.
            let charged = Money(milliunits: sold.price, currency: sold.currency)
            price = strings.price(Price(money: charged, locale: product.priceLocale))
            if let mode = sold.offerDiscountType.flatMap({ OfferMode(rawValue: $0) }) {
                price += " (" + strings[.offerMode(mode)] + ")"
            }
        }
        print(
            .boughtLine(
                item: item(in: strings), price: price, transaction: id.description,
                isLeft: leavesUnfinished))
    }

    /// The billing plan that the payment asked for, if it is the planned one; else nil.
    private func wayToPay(in planned: PlannedRenewal) -> BillingPlanType? {
        guard planned.productID == payment.productID,
            let plan = planned.billingPlan, plan == payment.billingPlan
        else { return nil }
        return plan
    }

    private mutating func pending(_ request: TransactionID, _ reason: RequestReason) {
        exitCode = Exit.pending
        var line = newLine("pending")
        line.requestId = request
        line.reason = reason
        line.joined = joinsRequest ? true : nil
        // Write it at once, because an answer to the request may take days.
        interruption.note(.init(line: line, text: nil))
        if isJSON { interruption.say { _ in try? Output.json(line) } }
        interruption.note(nil)
        print(
            .pendingLine(
                name: item(in: Output.strings), request: request.description, reason))
        if joinsRequest { print(.joinedRequestLine) }
    }

    private mutating func failed(_ error: StoreError) {
        exitCode = Exit.code(for: error)
        var line = newLine(error.code == .userCancelled ? "userCancelled" : "failed")
        line.error = error
        line.skError = error.code.skError
        line.message = Output.english.message(for: error).line
        self.line = line
        Output.error(Output.strings.message(for: error).line)
    }

    private mutating func unknown(_ error: StoreError) {
        exitCode = Exit.unavailable
        var line = newLine("unknown")
        line.error = error
        line.message = Strings.english[unknownText(cause: error.cause, in: .english)]
        self.line = line
        Output.error(unknownText(cause: error.cause, in: Output.strings))
    }

    private func unknownText(cause: String?, in strings: Strings) -> PurchaseLineText {
        let many = payment.quantity > 1 ? " --quantity \(payment.quantity)" : ""
        return .unknownLine(
            name: item(in: strings), cause: cause,
            command: "storefront buy \(product.id)\(many) --payment \(payment.id)")
    }

    // MARK: - Next steps

    private mutating func delayed(_ error: StoreError?) {
        isDelayed = true
        let report = self
        guard line?.outcome == "purchased" else {
            return remark { .stillPendingLine(cause: error.map(report.cause(in: $0))) }
        }
        exitCode = Exit.incomplete
        line?.deliveryError = error
        remark { .notDeliveredLine(cause: error.map(report.cause(in: $0))) }
    }

    // MARK: - Writing

    private func newLine(_ outcome: String) -> PurchaseLine {
        PurchaseLine(outcome: outcome, paymentId: payment.id, productId: product.id)
    }

    private mutating func print(_ text: PurchaseLineText) {
        said = text
        if !isJSON { Output.line(text) }
    }

    /// In the person's language on standard error, in English in JSON.
    private mutating func remark(_ text: PurchaseLineText) { remark { _ in text } }

    /// - Parameter text: called once per language.
    private mutating func remark(_ text: (Strings) -> PurchaseLineText) {
        line?.message = Strings.english[text(.english)]
        Output.note(text(Output.strings))
    }

    private func cause(in strings: Strings) -> (StoreError) -> String {
        { strings.message(for: $0).happened }
    }
}
