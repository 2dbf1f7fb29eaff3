import ArgumentParser
import Foundation
import Shop
import ShopText
import StoreDevice
import StoreEngine
import StoreModel

/// The terms and limits of a command's purchases.
struct PurchaseTerms {
    /// The offer that the payments ask for.
    enum AskedOffer {
        /// A promotional or win-back offer with its signature; nil lets the command sign it.
        case named(OfferID, OfferSignature?)
        /// An offer whose request is complete already, such as that of an offer code.
        case asked(PaymentOffer?)
    }

    var isJSON: Bool
    /// The payment's id; nil for a new id for each payment.
    var payment: PaymentID?
    var quantity = 1
    var appAccountToken: UUID?
    var applicationUsernameHash: String?
    /// Whether to buy a product that a family member already shares with the account.
    var again = false
    var wait: PurchaseProgress.Wait = []
    /// Whether the command leaves what it buys unfinished on purpose, and says so.
    var leavesUnfinished = false
    var offer: AskedOffer?
    /// The billing plan of a subscription; nil for the product's usual one.
    var billingPlan: BillingPlanType?
    /// The app's signed statement, a JWS (StoreKit: `introductoryOfferEligibility`).
    var introductoryEligibility: String?
}

/// Buys products one after the other, reports each outcome at once, and waits for the delivery.
struct PurchaseRun {
    let terms: PurchaseTerms
    let store: OpenStore
    let device: Device
    let watcher: DeviceWatcher
    private let interruption: PurchaseInterruption
    /// The exit code of the worst outcome so far; nil while every payment has succeeded.
    private var exitCode: ExitCode?
    /// The error that keeps the device's observer from delivering; nil for none.
    private var trouble: StoreError?

    private var isJSON: Bool { terms.isJSON }

    /// Buys the products in order, on a device on which a person may have to sign in first. Throws
    /// the exit code of the worst outcome.
    ///
    /// - Parameter limit: the most that resending earlier payments may charge; nil if the command
    ///   does not wait for the delivery, and so does not launch the device.
    static func buy(
        _ products: [Product], _ terms: PurchaseTerms, _ store: OpenStore, _ device: Device,
        _ watcher: DeviceWatcher, resendingAtMost limit: Money?
    ) async throws {
        try await device.askToSignIn(store, json: terms.isJSON)
        if let limit { try await store.launch(device, resendingAtMost: limit) }
        var run = PurchaseRun(
            terms: terms, store: store, device: device, watcher: watcher,
            interruption: PurchaseInterruption(isJSON: terms.isJSON))
        await run.buy(products)
        await device.writeReceipt()
        await device.keepAnswers()
        await watcher.end()
        if let code = run.exitCode { throw code }
    }

    /// Stops after a payment whose failure would hold for the others, too.
    private mutating func buy(_ products: [Product]) async {
        for (index, product) in products.enumerated() {
            guard await buy(product) else {
                let rest = products[(index + 1)...].map(\.id.rawValue)
                guard !rest.isEmpty else { return }
                exitCode = exitCode ?? Exit.unavailable
                return Output.error(.notTried(rest))
            }
        }
    }

    /// Returns false if the device or the store cannot be used now.
    private mutating func buy(_ product: Product) async -> Bool {
        var payment = Payment(
            id: terms.payment ?? PaymentID.made(at: store.now.date), productID: product.id,
            quantity: terms.quantity, shownPrice: shownPrice(of: product),
            appAccountToken: terms.appAccountToken,
            applicationUsernameHash: terms.applicationUsernameHash,
            billingPlan: terms.billingPlan,
            introductoryEligibility: terms.introductoryEligibility)
        var refusal: StoreError?
        do throws(StoreError) {
            payment.offer = try await askedOffer(of: payment)
            if let owner = await sharer(of: product) {
                refusal = StoreError(
                    .sharedAlready, productID: product.id, paymentID: payment.id,
                    found: owner.rawValue)
            }
        } catch { refusal = error }
        var progress = PurchaseProgress(payment.id, waitingFor: terms.wait, trouble: trouble)
        var report = PurchaseReport(payment, product, isJSON: isJSON, interruption: interruption)
        defer {
            report.end()
            exitCode = report.exitCode ?? exitCode
        }
        if let refusal {
            report.say([.failed(refusal)])
            return true
        }
        var mayGoOn = true
        report.leavesUnfinished = terms.leavesUnfinished
        report.autoRenewWasOff = await isAutoRenewOff(product)
        report.plannedBefore = await plannedChange(from: product)
        watcher.leaveOut(payment.id)
        do throws(StoreError) {
            let outcome = try await device.buy(payment)
            if product.type == .autoRenewable, let own = await subscription(inGroupOf: product) {
                report.planned = own.planned
                report.nextTermsBegin = own.nextTermsBegin
            }
            report.joinsRequest = await joins(outcome, payment)
            // A payment that had been answered before changes nothing: the planned change stays.
            if report.plannedBefore != nil, await plannedChange(from: product) != nil {
                report.plannedBefore = nil
            }
            let answer = await answered(outcome, &report)
            report.say(progress.take(answer))
        } catch {
            report.say(progress.take(.couldNotAsk(error)))
            mayGoOn = false
        }
        if progress.isWaiting { await follow(payment, product, &progress, &report) }
        trouble = progress.trouble
        return mayGoOn && !report.isDelayed
    }

    private func shownPrice(of product: Product) -> Money {
        let wanted = terms.billingPlan ?? product.subscription?.usualBillingPlan
        let plan = product.subscription?.billingPlans.first { $0.type == wanted }
        return plan?.price ?? product.price
    }

    /// A non-consumable has at most one pending request, however often it is bought.
    private func joins(_ outcome: PurchaseOutcome, _ payment: Payment) async -> Bool {
        guard case .pending(let number, _) = outcome else { return false }
        let waiting = (try? await device.requests())?.first { $0.number == number }
        return waiting.map { $0.payment.id != payment.id } ?? false
    }

    /// An outcome with the result of verifying it on this device (StoreKit:
    /// `Product.PurchaseResult.success` holds a `VerificationResult`).
    private func answered(
        _ outcome: PurchaseOutcome, _ report: inout PurchaseReport
    ) async -> PurchaseProgress.Input {
        guard case .purchased(let signed, _, _) = outcome else { return .answered(outcome) }
        let verified = await device.verify(signed)
        report.sold = verified.payload
        return .answered(outcome, verified.error)
    }

    /// The family member who already shares the product. Nil if no member does, if `--again` was
    /// given, or if the payment's id was given, because that payment may have been made before.
    private func sharer(of product: Product) async -> AccountName? {
        guard product.isFamilyShareable, !terms.again, terms.payment == nil else { return nil }
        let shares = try? await device.familyStatus().value.shares
        return shares?.first { $0.productID == product.id }?.owner
    }

    private func isAutoRenewOff(_ product: Product) async -> Bool {
        guard product.type == .autoRenewable else { return false }
        let owned = try? await store.session.entitlements()
        return owned?.contains { $0.productID == product.id && $0.renews == false } ?? false
    }

    /// The account's own; nil if it has none, or the store does not answer.
    private func subscription(inGroupOf product: Product) async -> VerifiedSubscription? {
        guard let group = product.subscription?.groupID else { return nil }
        return try? await device.subscriptions().value.first {
            $0.status.groupID == group && $0.status.sharedBy == nil
        }
    }

    /// The name of the plan or the way to pay that the account's subscription is planned to change
    /// to. Buying its present product cancels that change. Nil if no change is planned.
    private func plannedChange(from product: Product) async -> String? {
        guard product.type == .autoRenewable,
            let own = await subscription(inGroupOf: product),
            (try? own.renewalInfo.get())?.productId == product.id, let planned = own.planned
        else { return nil }
        guard planned.productID != product.id else {
            return planned.billingPlan.map { Output.strings[.billingPlanName($0)] }
        }
        return try? await ProductNames([planned.productID], in: store).item(planned.productID)
    }

    /// Signs a promotional offer that has no signature, as the app's own server would.
    private func askedOffer(of payment: Payment) async throws(StoreError) -> PaymentOffer? {
        switch terms.offer {
        case nil: return nil
        case .asked(let offer)?: return offer
        case .named(let id, let signature)?:
            if let known = await knownOffer(id, of: payment) { return known }
            let offers = try await store.session.offers(of: payment.productID)
            guard let found = offers.first(where: { $0.offer.id == id && $0.codes.isEmpty }) else {
                throw StoreError(
                    .invalidOfferIdentifier, productID: payment.productID, paymentID: payment.id,
                    found: id.rawValue)
            }
            var asked = PaymentOffer(kind: found.offer.kind, id: id, signature: signature)
            guard found.needsSignature, signature == nil else { return asked }
            var signed = payment
            signed.offer = asked
            asked.signature = try await store.engine.signOffer(of: signed)
            return asked
        }
    }

    /// The store may not offer it any more. Nil for a payment that the store does not know.
    private func knownOffer(_ id: OfferID, of payment: Payment) async -> PaymentOffer? {
        guard terms.payment != nil else { return nil }
        for kind in [OfferKind.promotional, .winBack] {
            var known = payment
            known.offer = PaymentOffer(kind: kind, id: id)
            if (try? await store.session.outcome(of: known)) != nil { return known.offer }
        }
        return nil
    }

    /// Reads updates and the store's answers until the command has nothing to wait for.
    private func follow(
        _ payment: Payment, _ product: Product, _ progress: inout PurchaseProgress,
        _ report: inout PurchaseReport
    ) async {
        let line = ProgressLine()
        defer { line.end() }
        let telling = tellWhoDelivers(product)
        defer { telling.cancel() }
        for await _ in watcher.wakesOnly() {
            let (updates, isOver) = watcher.take()
            for update in updates { report.say(progress.take(.observed(update))) }
            if progress.isWaiting { await look(payment, &progress, &report) }
            if isOver { report.say(progress.take(.observerEnded)) }
            if !isJSON, !product.hostedContent.isEmpty, let all = try? await device.downloads() {
                line.show(all.filter { $0.productID == product.id })
            }
            guard progress.isWaiting else { return }
        }
    }

    private func look(
        _ payment: Payment, _ progress: inout PurchaseProgress, _ report: inout PurchaseReport
    ) async {
        guard let id = progress.awaitedTransaction else {
            // Sending the payment with the same id again returns its outcome.
            do throws(StoreError) {
                let outcome = try await store.session.purchase(payment)
                let answer = await answered(outcome, &report)
                report.say(progress.take(answer))
            } catch { report.say(progress.take(.couldNotAsk(error))) }
            return
        }
        do throws(StoreError) {
            let downloads = try await device.downloads().filter { $0.transactionID == id }
            let isFetching = downloads.contains { !$0.state.isComplete }
            var isUnfinished = isFetching
            if !isFetching {
                let unfinished = try await store.session.unfinished(allDevices: true)
                isUnfinished = unfinished.contains { $0.id == id }
            }
            report.say(
                progress.take(.queried(isUnfinished: isUnfinished, downloads: downloads)))
        } catch { report.say(progress.take(.queryFailed(error))) }
    }

    /// After a while: the holder may be stopped (SIGSTOP), which this process cannot see.
    private func tellWhoDelivers(_ product: Product) -> Task<Void, Never> {
        guard product.hostedContent.isEmpty, !isJSON else { return Task {} }
        let device = device
        return Task {
            try? await Task.sleep(for: Self.patience)
            guard !Task.isCancelled, await !device.holdsLease else { return }
            Output.note(.soldButNotDelivered(device: device.device.rawValue))
        }
    }

    private static let patience = Duration.seconds(3)
}
