import Foundation
import StoreCatalog
import StoreModel
import StoreSigning

/// Decides whether a payment becomes a sale, a request for approval or a failure.
///
/// The order of the checks matters. First, a payment that the ledger knows is answered with its
/// outcome, whatever the state is now. Then errors in the request are refused. A product that the
/// account owns is answered with its sale, and the plan that the account has with its transaction
/// (`PlanChangeRules`). None of these makes a sale. Then a payment for a product that already waits
/// joins that request. Only then may a ban on payments, a fault, or a reason to wait keep the
/// payment from becoming a sale or a planned change; these outcomes are recorded.
enum PurchaseRules {
    /// Refused with `paymentMismatch`, `transactionDeleted`, `storeNewer`, `productUnavailable`,
    /// `notAvailableInStorefront`, `invalidQuantity`, `paymentInvalid`, `priceChanged`,
    /// `unsupported`, `subscriptionActive` or an error of `OfferRules.selection`.
    ///
    /// - Parameters:
    ///   - proof: the result of verifying the signature of the payment's offer.
    ///   - eligibility: the result of verifying the app's statement on the introductory offer.
    static func decide(
        _ payment: Payment, proof: OfferProof? = nil, eligibility: EligibilityProof? = nil,
        by customer: Customer, in context: RuleContext
    ) throws(StoreError) -> Verdict<PurchaseRequest.Answer> {
        if let known = context.snapshot.payments[payment.id] {
            return .answer(try repeated(payment, by: customer, known, in: context))
        }
        try context.snapshot.refuseUnknownFacts(of: customer.account)
        guard let product = context.catalog.product(payment.productID) else {
            throw StoreError(
                .productUnavailable, productID: payment.productID, paymentID: payment.id)
        }
        let settings = context.settings(of: customer.account, home: customer.homeTerritory)
        guard let storefront = Storefront.find(settings.territory),
            product.price(in: storefront, at: context.now) != nil
        else {
            throw StoreError(
                .notAvailableInStorefront, productID: payment.productID,
                paymentID: payment.id, found: settings.territory)
        }
        guard
            let billing = BillingTerms(
                payment.billingPlan, of: product, in: storefront, at: context.now)
        else {
            throw StoreError(
                .paymentInvalid, productID: payment.productID, paymentID: payment.id,
                reason: .billingPlan, found: payment.billingPlan?.name,
                expected: "a plan that the product has")
        }
        let obstacle = Eligibility.obstacle(to: product, for: customer.account, in: context)
        if let reason = product.reasonNotForSale(at: context.now, in: context.environment),
            obstacle?.isOwned != true
        {
            throw StoreError(reason, productID: payment.productID, paymentID: payment.id)
        }
        if let row = Eligibility.latestInGroup(product, of: customer.account, in: context),
            OfferRules.hasRedeemed(
                payment, proof?.nonce, by: customer.account, in: context)
        {
            return .answer(.init(state: .sold(row), alreadyOwned: true))
        }
        let change = obstacle?.active.map {
            PlanChangeRules(
                product: product, latest: $0, context: context, billingPlan: payment.billingPlan)
        }
        let word = try OfferRules.word(eligibility, by: payment, in: context)
        let selection = try OfferRules.selection(
            payment.offer, by: payment.id, proof: proof.map { .verified($0) }, of: product,
            for: customer.account, in: storefront, paid: billing.type,
            begins: change.map { $0.moment == .now } ?? true, introductory: word,
            context: context)
        let regular = billing.price
        let prices = [
            regular, selection.offer?.price ?? regular, selection.next?.price ?? regular,
        ]
        if let error = mistake(in: payment, of: product, prices: prices) { throw error }
        var planned: Entry?
        switch obstacle {
        case .owned(let row): return .answer(.init(state: .sold(row), alreadyOwned: true))
        case .subscribed(let row, let until):
            guard let change, let moment = change.moment else {
                throw subscribed(to: row, until: until, insteadOf: product)
            }
            let answered = change.answered(payment, on: customer.device)
            switch moment {
            case .none where selection.next == nil:
                return keep(change, answered, by: customer, in: context)
            case .none, .atRenewal:
                planned = change.later(selection.next, answered)
                if planned == nil { return .answer(change.answer) }
            case .now: break
            }
        case nil: break
        }
        if let waiting = RequestRules.waiting(
            for: product, of: customer.account, in: context)
        {
            let joining = Decision(
                reads: context.reads(customer.account), newPayments: [payment.id],
                entries: [
                    customer.entry(
                        .deferred(payment, waiting.reason), in: context,
                        number: .existing(waiting.number))
                ])
            return .record(joining) { recorded throws(StoreError) in
                try answer(to: payment, recorded)
            }
        }
        let isNew = context.snapshot.accounts[customer.account] == nil
        let decision = Decision(
            reads: context.reads(customer.account), newPayments: [payment.id],
            entries: (isNew ? [customer.entry(.accountChanged(settings), in: context)] : [])
                + outcome(
                    payment, for: product, billing, selection, by: customer,
                    settings: settings, planned: planned, in: context)
        ).redeeming(selection, in: context)
        return .record(decision) { recorded throws(StoreError) in
            try answer(to: payment, recorded, planned: change?.answer)
        }
    }

    /// The entry also records the payment's outcome, so that the same payment sent again gets the
    /// same answer.
    private static func keep(
        _ change: PlanChangeRules, _ answered: AnsweredPayment, by customer: Customer,
        in context: RuleContext
    ) -> Verdict<PurchaseRequest.Answer> {
        let answer = change.answer
        guard let entry = change.keeping(answered) else { return .answer(answer) }
        return .record(
            Decision(
                reads: context.reads(customer.account), newPayments: [answered.payment.id],
                entries: [entry])
        ) { _ in answer }
    }

    /// The error for buying a subscription while another one of its group is active and cannot
    /// change.
    static func subscribed(
        to row: TransactionRow, until end: Timestamp?, insteadOf product: CatalogProduct
    ) -> StoreError {
        StoreError(
            .subscriptionActive, productID: product.id, transactionID: row.id,
            subject: row.sale.productID.rawValue, found: end)
    }

    /// From the payment's recorded entries.
    ///
    /// - Parameter planned: the answer for a change that was planned for the next renewal.
    private static func answer(
        to payment: Payment, _ recorded: [RecordedEntry],
        planned: PurchaseRequest.Answer? = nil
    ) throws(StoreError) -> PurchaseRequest.Answer {
        for entry in recorded {
            // The usual outcome, without the rows of other tables that its entry changes.
            if case .sold(let sale) = entry.entry.fact, case .payment(payment.id, _) = sale.cause,
                let row = try LedgerFold.transaction(of: entry)
            {
                return PurchaseRequest.Answer(state: .sold(row), alreadyOwned: false)
            }
            for case .putPayment(let row) in try LedgerFold.changes(of: entry)
            where row.payment.id == payment.id {
                if case .answered = row.state, let planned { return planned }
                return PurchaseRequest.Answer(state: row.state, alreadyOwned: false)
            }
        }
        throw StoreError(.storeUnreadable, paymentID: payment.id, subject: "payment")
    }

    /// The answer to a payment id that the ledger knows: the payment's outcome so far, or
    /// `paymentMismatch` with the first field that differs, and with the transaction if the payment
    /// sold one. The shown price and an offer's signature are not compared: a repeated command
    /// takes both anew, and the sale that it asks for keeps its own.
    private static func repeated(
        _ payment: Payment, by customer: Customer, _ known: PaymentRow, in context: RuleContext
    ) throws(StoreError) -> PurchaseRequest.Answer {
        let first = known.payment
        let isSameWord = payment.introductoryEligibility == first.introductoryEligibility
        let fields: [(name: String, asked: String?, known: String?)] = [
            ("account", customer.account.rawValue, known.account.rawValue),
            ("productId", payment.productID.rawValue, first.productID.rawValue),
            ("quantity", String(payment.quantity), String(first.quantity)),
            (
                "appAccountToken", payment.appAccountToken?.uuidString.lowercased(),
                first.appAccountToken?.uuidString.lowercased()
            ),
            (
                "applicationUsername", payment.applicationUsernameHash,
                first.applicationUsernameHash
            ),
            ("billingPlan", payment.billingPlan?.name, first.billingPlan?.name),
            (
                "introductoryEligibility",
                payment.introductoryEligibility.map { _ in isSameWord ? "a text" : "another" },
                first.introductoryEligibility.map { _ in "a text" }
            ),
            ("offer", payment.offer?.inWords, first.offer?.inWords),
        ]
        if let field = fields.first(where: { $0.asked != $0.known }) {
            throw StoreError(
                .paymentMismatch, productID: first.productID, paymentID: payment.id,
                transactionID: known.sold, subject: field.name, found: field.asked ?? "none",
                expected: field.known ?? "none")
        }
        var state = known.state
        var isAnswered = false
        if case .answered(let id) = known.state {
            guard let row = context.snapshot.transactions[id] else {
                throw StoreError(.storeUnreadable, paymentID: payment.id, transactionID: id)
            }
            state = .sold(row)
            isAnswered = true
        }
        if case .sold(let row) = state, row.state.isDeleted {
            throw StoreError(
                .transactionDeleted, productID: first.productID, paymentID: payment.id,
                transactionID: row.id)
        }
        return .init(state: state, alreadyOwned: isAnswered)
    }

    /// The error in a request with a wrong quantity, or with a price that is not the present one.
    ///
    /// - Parameter prices: the prices that the customer may have been shown: the product's, then
    ///   the offer's.
    private static func mistake(
        in payment: Payment, of product: CatalogProduct, prices: [Money]
    ) -> StoreError? {
        if var error = mistake(inQuantity: payment.quantity, of: product) {
            error.paymentID = payment.id
            return error
        }
        if let hash = payment.applicationUsernameHash, !Payment.isUsernameHash(hash) {
            return StoreError(
                .paymentInvalid, productID: payment.productID, paymentID: payment.id,
                subject: "applicationUsername", found: hash,
                expected: "64 hexadecimal digits")
        }
        guard prices.contains(payment.shownPrice) else {
            return StoreError(
                .priceChanged, productID: payment.productID, paymentID: payment.id,
                subject: prices.first?.currency, found: prices.first?.milliunits,
                expected: payment.shownPrice.milliunits)
        }
        return nil
    }

    /// `invalidQuantity` if this quantity of the product cannot be bought at once; otherwise nil.
    static func mistake(inQuantity quantity: Int, of product: CatalogProduct) -> StoreError? {
        if let mistake = Payment.mistake(inQuantity: quantity, of: product.id) { return mistake }
        let sellsMany = product.type == .consumable || product.type == .nonRenewing
        guard quantity == 1 || sellsMany else {
            return StoreError(
                .invalidQuantity, productID: product.id, found: quantity, expected: 1)
        }
        return nil
    }

    /// - Parameter planned: the entry of a change for the next renewal, recorded instead of a sale.
    private static func outcome(
        _ payment: Payment, for product: CatalogProduct, _ billing: BillingTerms,
        _ selection: OfferSelection, by customer: Customer, settings: AccountSettings,
        planned: Entry?, in context: RuleContext
    ) -> [Entry] {
        func failed(_ code: StoreError.Code) -> Entry {
            let error = StoreError(code, productID: payment.productID, paymentID: payment.id)
            return customer.entry(.failed(payment, error), in: context)
        }
        guard settings.canMakePayments else { return [failed(.purchaseNotAllowed)] }
        if let failure = FaultRules.failure(of: .purchase, by: customer.device, in: context) {
            return failure.entries + [failed(failure.error)]
        }
        let isAsking = payment.simulatesAskToBuy == true
        if let reason = isAsking ? .askToBuy : context.reasonToWait(settings) {
            return [customer.entry(.deferred(payment, reason), in: context, number: .next)]
        }
        if let planned { return [planned] }
        var sale = sale(
            of: product, for: payment, billing, selection, account: customer.account,
            territory: settings.territory, in: context)
        let failure = FaultRules.failure(of: .verification, by: customer.device, in: context)
        // A fault for every call is not used up here: it breaks each text that is signed while it
        // is in force.
        if let failure, !failure.entries.isEmpty { sale.brokenSignature = failure.error }
        return (failure?.entries ?? [])
            + PlanChangeRules.endings(before: product, for: customer.account, in: context)
            + [customer.entry(.sold(sale), in: context, number: .next)]
    }

    static func sale(
        of product: CatalogProduct, for payment: Payment, _ billing: BillingTerms,
        _ selection: OfferSelection, account: AccountName, territory: String,
        in context: RuleContext
    ) -> Sale {
        var sale = sale(
            of: product, cause: .payment(payment.id, shownPrice: payment.shownPrice),
            quantity: payment.quantity, billing, selection, account: account,
            territory: territory, in: context)
        sale.askedBillingPlan = payment.billingPlan
        sale.introductoryEligibility = payment.introductoryEligibility
        sale.askedOffer = payment.offer
        sale.appAccountToken = payment.appAccountToken
        sale.applicationUsernameHash = payment.applicationUsernameHash
        return sale
    }

    /// Type, group, grant and hosting are copied from the catalog, so that a later catalog does not
    /// change the sale. If the subscription's renewal could not be charged, the sale is that
    /// renewal; within the grace period it keeps the dates of the run.
    ///
    /// - Parameters:
    ///   - billing: price and billing plan, used if no offer applies.
    ///   - selection: the offers of the sale.
    static func sale(
        of product: CatalogProduct, cause: Sale.Cause, quantity: Int, _ billing: BillingTerms,
        _ selection: OfferSelection = .none, account: AccountName, territory: String,
        in context: RuleContext
    ) -> Sale {
        let earlier = Eligibility.latestInGroup(product, of: account, in: context)
        let recovered = RenewalRules.recovery(of: product, after: earlier, in: context)
        let period = selection.offer?.period ?? billing.period
        let term = recovered?.term ?? firstTerm(of: product, period, after: earlier, in: context)
        var sale = Sale(
            cause: cause, productID: product.id, quantity: quantity, type: product.type,
            groupID: product.subscription?.groupID,
            original: earlier.map { row in
                Sale.Original(
                    id: row.originalID,
                    purchaseDate: row.sale.original?.purchaseDate ?? row.sale.purchaseDate)
            },
            purchaseDate: recovered?.purchaseDate ?? context.now,
            expiresDate: term?.end ?? product.subscription?.period?.end(from: context.now),
            storefront: territory,
            price: recovered?.price
                ?? (selection.offer?.price ?? billing.price).multiplied(
                    by: quantity),
            grant: product.grant, isHosted: product.delivery.isHosted, term: term)
        sale.extendedBy = earlier?.extensionsSoFar
        sale.extendedAt = earlier?.backendExtensions(countedAt: context.now)
        if let recovered {
            // The sale continues as the renewal would have: with the rest of a running offer, never
            // a new one.
            sale.offer = recovered.offer
            sale.nextOffer = recovered.nextOffer
            sale.ordinaryPeriod = recovered.ordinaryPeriod
            sale.regularPrice = recovered.regularPrice
            sale.raisedAt = recovered.raisedAt
            sale.billingPlan = recovered.billingPlan
            sale.commitment = recovered.commitment
            sale.afterCommitment = recovered.afterCommitment
            return sale
        }
        sale.billingPlan = billing.type
        if selection.offer == nil { sale.commitment = billing.commitment }
        if term != nil, sale.commitment == nil, billing.regularPrice != sale.price {
            sale.regularPrice = billing.regularPrice
        }
        sale.offer = selection.offer
        sale.nextOffer = selection.next
        if let regular = product.subscription?.period, regular != period {
            sale.ordinaryPeriod = regular
        }
        return sale
    }

    /// The first term of a new run, which begins now. Its ordinal continues that of a lapsed chain.
    /// Nil for a product that does not renew; that includes a free subscription, which has no
    /// period.
    private static func firstTerm(
        of product: CatalogProduct, _ period: SubscriptionPeriod?, after earlier: TransactionRow?,
        in context: RuleContext
    ) -> SubscriptionTerm? {
        guard product.type == .autoRenewable, let period else { return nil }
        let rate = (context.snapshot.renewals ?? .standard).rate
        if let earlier, let term = earlier.sale.term, let end = earlier.expiresDate {
            return term.nextRun(from: context.now, after: end, period: period, rate: rate)
        }
        return SubscriptionTerm(
            period: period, rate: rate, anchor: context.now, index: 0, ordinal: 1)
    }
}
