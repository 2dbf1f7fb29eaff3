import ArgumentParser
import Foundation
import ShopCore
import StoreCatalog
import StoreModel
import StoreSigning

/// Says what became of one payment: in words as soon as it is known, in JSON as one line for each
/// outcome, written when nothing more is to be added to it.
struct PurchaseReport {
    private let payment: Payment
    private let product: Product
    private let isJSON: Bool
    private(set) var exitCode: ExitCode?
    /// What keeps this purchase from being delivered keeps others from it, too.
    private(set) var isDelayed = false
    /// The outcome as far as it is known; written by `end`.
    private var line: PurchaseLine?

    init(_ payment: Payment, _ product: Product, isJSON: Bool) {
        self.payment = payment
        self.product = product
        self.isJSON = isJSON
    }

    private var name: String { UntrustedText.clean(product.displayName) }

    mutating func say(_ facts: [PurchaseProgress.Fact]) {
        for fact in facts { say(fact) }
    }

    /// Writes what JSON has to say. Call once, when nothing is waited for any more.
    mutating func end() {
        if isJSON, let line { try? Output.json(line) }
        line = nil
    }

    private mutating func say(_ fact: PurchaseProgress.Fact) {
        switch fact {
        case .purchased(let signed, let id, let alreadyOwned): purchased(signed, id, alreadyOwned)
        case .pending(let request): pending(request)
        case .failed(let error): failed(error)
        case .unknown(let error): unknown(error)
        case .finished: line?.finished = true
        case .downloadStopped(let download):
            exitCode = Exit.failed
            if let error = download.error { Output.error(DownloadText.stopped(download, error)) }
        case .claimed(let device):
            remark("\(device) has claimed it and delivers it.")
        case .notVerified(let reason):
            exitCode = Exit.failed
            remark(
                "Its transaction was not believed here (\(reason.rawValue)): nothing was delivered."
            )
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
        line.signedTransactionInfo = signed
        self.line = line
        if alreadyOwned {
            return word("Already owned: \(name), transaction \(id). Nothing was charged.")
        }
        let many = payment.quantity > 1 ? "\(payment.quantity) × " : ""
        let price = product.price.multiplied(by: payment.quantity)
            .formatted(locale: Locale(identifier: product.priceLocale))
        word("Bought \(many)\(name) for \(price), transaction \(id).")
    }

    private mutating func pending(_ request: TransactionID) {
        exitCode = Exit.pending
        var line = newLine("pending")
        line.requestId = request
        // At once: an answer may take days.
        if isJSON { try? Output.json(line) }
        word(
            "Pending: \(name) waits for approval as request \(request). Nothing was charged yet.")
    }

    private mutating func failed(_ error: StoreError) {
        exitCode = Exit.code(for: error)
        var line = newLine(error.code == .userCancelled ? "userCancelled" : "failed")
        line.error = error
        line.message = error.message.line
        self.line = line
        Output.error(error.message.line)
    }

    private mutating func unknown(_ error: StoreError) {
        exitCode = Exit.unavailable
        let many = payment.quantity > 1 ? " --quantity \(payment.quantity)" : ""
        let why = error.cause.map { " (\($0))" } ?? ""
        let message =
            "It is not known whether \(name) was bought: its payment may have been recorded, or may "
            + "still be sent\(why). Ask again with the same id, which never charges twice: "
            + "storefront buy \(product.id)\(many) --payment \(payment.id)"
        var line = newLine("unknown")
        line.error = error
        line.message = message
        self.line = line
        Output.error(message)
    }

    // MARK: - What follows

    private mutating func delayed(_ error: StoreError?) {
        isDelayed = true
        let why = error.map { ": " + $0.message.happened } ?? "."
        guard line?.outcome == "purchased" else {
            return remark("The request still waits, but its answer cannot be waited for here\(why)")
        }
        line?.deliveryError = error
        remark(
            "Its delivery could not be recorded yet\(why) It is delivered at the next launch.")
    }

    // MARK: - Writing

    private func newLine(_ outcome: String) -> PurchaseLine {
        PurchaseLine(outcome: outcome, paymentId: payment.id, productId: product.id)
    }

    private func word(_ text: String) {
        if !isJSON { Output.line(text) }
    }

    /// A second fact, in both forms.
    private mutating func remark(_ text: String) {
        line?.message = text
        Output.note(text)
    }
}
