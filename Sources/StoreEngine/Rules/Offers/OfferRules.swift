import Foundation
import StoreCatalog
import StoreModel
import StoreSigning

/// The offers of one sale of a subscription.
struct OfferSelection: Hashable {
    /// The offer of the first period.
    var offer: SoldOffer?
    /// The offer that begins when `offer` has ended.
    var next: SoldOffer?

    static let none = OfferSelection()
}

/// The app's statement on a customer's introductory offer, which overrides the store's rule
/// (StoreKit: `PurchaseOption.introductoryOfferEligibility`).
enum IntroductoryWord: Hashable {
    /// No statement: the store decides.
    case none
    /// The customer gets the offer, even if it was used before. The statement's text has this
    /// nonce.
    case allowed(UUID?)
    case denied
}

/// Decides which offer a payment gets. An introductory offer applies by itself if the account is
/// eligible, as in the App Store. A payment must ask for any other offer.
enum OfferRules {
    static let signatureMilliseconds: Int64 = 24 * 60 * 60 * 1000

    /// How it is known that the signature of a promotional offer is valid.
    enum Proof {
        case verified(OfferProof)
        /// It was accepted when the payment started to wait, or the store itself sells the offer.
        case acceptedBefore
    }

    /// The offers of a sale that begins now, or of a change for the next renewal.
    ///
    /// - Parameters:
    ///   - asked: the offer that the payment names.
    ///   - plan: the billing plan; an offer may be for one plan only.
    ///   - begins: whether a period begins now. Only then can an introductory offer apply.
    ///   - word: the app's statement on the introductory offer.
    /// - Throws: `invalidOfferIdentifier` if the product has no such offer in the territory;
    ///   `ineligibleForOffer`; for a promotional offer also `missingOfferParameters` if there is no
    ///   signature, and `invalidOfferSignature`.
    static func selection(
        _ asked: PaymentOffer?, by payment: PaymentID?, proof: Proof?, of product: CatalogProduct,
        for account: AccountName, in storefront: Storefront, paid plan: BillingPlanType? = nil,
        begins: Bool, introductory word: IntroductoryWord = .none, context: RuleContext
    ) throws(StoreError) -> OfferSelection {
        guard product.subscription?.period != nil, !product.offers.isEmpty || asked != nil else {
            guard let asked else { return .none }
            throw invalid(asked, product, payment)
        }
        let history = OfferHistory(product, of: account, in: context)
        let introductory =
            begins && word != .denied
            ? self.introductory(
                of: product, to: history, in: storefront, paid: plan, by: payment, word)
            : nil
        guard let asked else { return OfferSelection(offer: introductory?.next) }
        guard asked.kind != .introductory, let offer = product.offer(asked.kind, asked.id),
            offer.isFor(plan), let price = offer.price(in: storefront)
        else { throw invalid(asked, product, payment) }
        if asked.kind == .code {
            guard let code = asked.code, offer.codes?.contains(where: { $0.code == code }) == true
            else { throw invalid(asked, product, payment) }
        }
        if let reason = OfferEligibility.refusal(of: offer, code: asked.code, to: history) {
            throw StoreError(
                .ineligibleForOffer, productID: product.id, paymentID: payment,
                subject: reason.rawValue, found: asked.id.rawValue)
        }
        var sold = SoldOffer(offer, at: price)
        sold.code = asked.code
        sold.payment = payment
        if asked.kind == .promotional {
            sold.nonce = try nonce(asked, proof, of: product, payment, in: context)
        }
        if offer.isStackable == true, let introductory {
            return OfferSelection(offer: introductory.next, next: sold)
        }
        return begins ? OfferSelection(offer: sold.next) : OfferSelection(next: sold)
    }

    /// Before its first period; nil if there is no offer or the account has used one.
    private static func introductory(
        of product: CatalogProduct, to history: OfferHistory, in storefront: Storefront,
        paid plan: BillingPlanType?, by payment: PaymentID?, _ word: IntroductoryWord
    ) -> SoldOffer? {
        var (isAllowed, nonce): (Bool, UUID?) = (false, nil)
        if case .allowed(let used) = word { (isAllowed, nonce) = (true, used) }
        guard
            let offer = product.offers.first(where: { $0.kind == .introductory && $0.isFor(plan) }),
            isAllowed || OfferEligibility.refusal(of: offer, to: history) == nil,
            let price = offer.price(in: storefront)
        else { return nil }
        var sold = SoldOffer(offer, at: price)
        sold.nonce = nonce
        sold.payment = nonce == nil ? nil : payment
        return sold
    }

    /// The nonce of a signature that is valid, at most 24 hours old, and not used by another
    /// payment.
    private static func nonce(
        _ asked: PaymentOffer, _ proof: Proof?, of product: CatalogProduct, _ payment: PaymentID?,
        in context: RuleContext
    ) throws(StoreError) -> UUID? {
        func refused(_ reason: OfferSignatureFault) -> StoreError {
            StoreError(
                .invalidOfferSignature, productID: product.id, paymentID: payment,
                subject: reason.rawValue, found: asked.id.rawValue)
        }
        if case .acceptedBefore? = proof {
            guard let nonce = asked.signature?.claimedNonce else { return nil }
            if isUsed(nonce, besides: payment, in: context) { throw refused(.replayed) }
            return nonce
        }
        guard asked.signature != nil, let proof else {
            throw StoreError(
                .missingOfferParameters, productID: product.id, paymentID: payment,
                found: asked.id.rawValue)
        }
        switch proof {
        case .acceptedBefore: return nil
        case .verified(.refused(let reason)): throw refused(reason)
        case .verified(.good(let nonce, let signedAt)):
            if let fault = fault(of: nonce, signedAt: signedAt, by: payment, in: context) {
                throw refused(fault)
            }
            return nonce
        }
    }

    /// Its age, or its use by another payment. Nil if the valid signature is accepted.
    private static func fault(
        of nonce: UUID, signedAt: Timestamp, by payment: PaymentID?, in context: RuleContext
    ) -> OfferSignatureFault? {
        let age = context.now.milliseconds(since: signedAt)
        if age > signatureMilliseconds { return .expired }
        if age < -signatureMilliseconds { return .notYetValid }
        return isUsed(nonce, besides: payment, in: context) ? .replayed : nil
    }

    private static func isUsed(
        _ nonce: UUID, besides payment: PaymentID?, in context: RuleContext
    ) -> Bool {
        context.snapshot.usedSignatures[nonce].map { $0.payment != payment } ?? false
    }

    /// - Throws: `invalidOfferSignature` if the statement is not accepted.
    static func word(
        _ proof: EligibilityProof?, by payment: Payment, in context: RuleContext
    ) throws(StoreError) -> IntroductoryWord {
        switch proof {
        case nil: return .none
        case .refused(let reason)?: throw refused(reason, payment)
        case .good(let isAllowed, let nonce, let signedAt)?:
            if let fault = fault(of: nonce, signedAt: signedAt, by: payment.id, in: context) {
                throw refused(fault, payment)
            }
            return isAllowed ? .allowed(nonce) : .denied
        }
    }

    /// The statement was accepted when the payment started to wait.
    ///
    /// - Throws: `invalidOfferSignature` if another payment has used the statement since.
    static func acceptedWord(
        of payment: Payment, in context: RuleContext
    ) throws(StoreError) -> IntroductoryWord {
        guard let text = payment.introductoryEligibility,
            let isAllowed = EligibilityClaim.isAllowed(in: text)
        else { return .none }
        guard isAllowed else { return .denied }
        let nonce = EligibilityClaim.nonce(in: text)
        if let nonce, isUsed(nonce, besides: payment.id, in: context) {
            throw refused(.replayed, payment)
        }
        return .allowed(nonce)
    }

    private static func refused(_ fault: OfferSignatureFault, _ payment: Payment) -> StoreError {
        StoreError(
            .invalidOfferSignature, productID: payment.productID, paymentID: payment.id,
            subject: fault.rawValue, found: OfferKind.introductory.rawValue)
    }

    private static func invalid(
        _ asked: PaymentOffer, _ product: CatalogProduct, _ payment: PaymentID?
    ) -> StoreError {
        StoreError(
            .invalidOfferIdentifier, productID: product.id, paymentID: payment,
            found: asked.code ?? asked.id.rawValue)
    }

    /// The payment is then answered with the present transaction and redeems nothing.
    static func hasRedeemed(
        _ payment: Payment, _ nonce: UUID?, by account: AccountName, in context: RuleContext
    ) -> Bool {
        if let nonce, let use = context.snapshot.usedSignatures[nonce] {
            return use.payment == payment.id
        }
        guard let code = payment.offer?.code else { return false }
        let key = OfferUse.Key(.code(code), by: account)
        return context.snapshot.offerUses[key].map { $0.payment == payment.id } ?? false
    }

    // MARK: - Lookups

    /// - Parameters:
    ///   - asked: the offer that a payment names.
    ///   - nonce: the nonce of the offer's signature.
    static func addKeys(
        on asked: PaymentOffer?, nonce: UUID?, of id: ProductID, for account: AccountName,
        to lookup: inout Lookup
    ) {
        if let nonce { lookup.query.usedSignatures.insert(nonce) }
        addKeys(onOffersOf: id, for: account, to: &lookup) { $0 == asked?.kind && $1 == asked?.id }
    }

    /// - Parameter isAsked: whether an offer is read, by its kind and identifier. The use of the
    ///   introductory offer is always read.
    static func addKeys(
        onOffersOf id: ProductID, for account: AccountName, to lookup: inout Lookup,
        where isAsked: (OfferKind, OfferID?) -> Bool = { _, _ in true }
    ) {
        guard let product = lookup.catalog.product(id), !product.offers.isEmpty,
            let group = product.subscription?.groupID
        else { return }
        lookup.query.offerUses.insert(OfferUse.Key(.introductory(group), by: account))
        for offer in product.offers where isAsked(offer.kind, offer.id) {
            if offer.kind == .winBack {
                lookup.query.wholeGroups.insert(.init(account: account, group: group))
            }
            for code in offer.codes ?? [] {
                lookup.query.offerUses.insert(OfferUse.Key(.code(code.code), by: account))
                if code.limit != nil { lookup.query.codeCounts.insert(code.code) }
            }
        }
    }

    static func collisions(on asked: PaymentOffer?, nonce: UUID?) -> [CollisionKey] {
        var keys: [CollisionKey] = []
        if let nonce { keys.append(.offerSignature(nonce)) }
        if let code = asked?.code { keys.append(.offerCode(code)) }
        return keys
    }
}

extension SoldOffer {
    /// Before its first period.
    fileprivate init(_ offer: CatalogProduct.Offer, at price: Money) {
        self.init(
            kind: offer.kind, id: offer.kind == .introductory ? nil : offer.id, mode: offer.mode,
            period: offer.chargedPeriod, price: price,
            periodsLeft: offer.mode == .payAsYouGo ? offer.periodCount : 1)
    }
}

extension Decision {
    /// Adds to the decision the conditions of offers: it conflicts if, since it was made, another
    /// payment has used the same signature or a limited code was redeemed.
    func redeeming(_ selection: OfferSelection, in context: RuleContext) -> Decision {
        var decision = self
        for offer in [selection.offer, selection.next].compactMap(\.self) {
            if let nonce = offer.nonce { decision.unusedSignatures.append(nonce) }
            if let code = offer.code, let count = context.snapshot.codeCounts[code] {
                decision.codeCounts[code] = count
            }
        }
        return decision
    }
}
