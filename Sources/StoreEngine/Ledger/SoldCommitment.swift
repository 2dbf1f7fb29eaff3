package import StoreModel

/// Which payment of a commitment a sale is, as the catalog said when the commitment began: a later
/// catalog changes neither its price nor its length.
package struct SoldCommitment: Codable, Hashable, Sendable {
    /// Which payment it is, from 1 (App Store Server API: `billingPeriodNumber`).
    package var number: Int
    /// How many there are (App Store Server API: `totalBillingPeriods`).
    package var count: Int
    /// The sum of all payments (App Store Server API: `commitmentPrice`).
    package var price: Money
    /// The price of each payment.
    package var payment: Money

    /// Memberwise.
    package init(number: Int = 1, count: Int, price: Money, payment: Money) {
        self.number = number
        self.count = count
        self.price = price
        self.payment = payment
    }

    /// Whether more payments are promised after this one.
    package var owesMore: Bool { number < count }

    /// The same commitment with its next payment; nil after the last.
    package var next: SoldCommitment? {
        guard owesMore else { return nil }
        var next = self
        next.number += 1
        return next
    }
}

/// The customer's choice for the time after a commitment. While payments are owed, the subscription
/// renews whether or not the customer has turned auto-renew off.
package struct AfterCommitment: Codable, Hashable, Sendable {
    /// Why auto-renew is off then; nil if it is on.
    package var offReason: AutoRenewChange.Reason?
    /// The product it renews as; nil for the same.
    package var productID: ProductID?
    /// How that is paid; nil for the same way.
    package var billingPlan: BillingPlanType?
    /// An offer that begins then; nil for none.
    package var offer: SoldOffer?
    /// As `SubscriptionState.offerAside`.
    package var offerAside: SoldOffer?

    /// Memberwise.
    package init(
        offReason: AutoRenewChange.Reason? = nil, productID: ProductID? = nil,
        billingPlan: BillingPlanType? = nil, offer: SoldOffer? = nil,
        offerAside: SoldOffer? = nil
    ) {
        self.offerAside = offerAside
        self.offReason = offReason
        self.productID = productID
        self.billingPlan = billingPlan
        self.offer = offer
    }

    /// It renews as it is.
    package static let same = AfterCommitment()
}

extension Sale {
    /// Whether payments of its commitment follow this one, which the customer has promised.
    package var owesPayments: Bool { commitment?.owesMore == true }

    /// When the store does something about the subscription that this sale began or renewed, at the
    /// earliest when it was sold; nil for a sale of no period.
    func firstStep(soldAt instant: Timestamp) -> Timestamp? {
        firstStep(.renewing, until: expiresDate, at: instant)
    }

    /// When the store first tries to charge for the period after this sale's, or ends the subscription
    /// with its commitment: at the earliest now. Nil for a sale of no period.
    ///
    /// - Parameter end: of the period; it may have been moved.
    func firstStep(
        _ state: SubscriptionState, until end: Timestamp?, at now: Timestamp
    ) -> Timestamp? {
        guard let term, let end else { return nil }
        guard !state.endsWithCommitment(of: self) else { return max(now, end) }
        return max(
            now,
            RenewalSchedule.firstAttempt(
                from: purchaseDate, to: end, of: term.period, rate: term.rate))
    }

    /// When its commitment ends; nil for a sale of none.
    package var commitmentEnd: Timestamp? {
        guard let commitment, let term else { return nil }
        return RenewalSchedule.end(
            ofPeriod: term.index - term.anchorIndex + 1 + commitment.count - commitment.number,
            of: term.period, from: term.anchor, rate: term.rate)
    }
}

extension TransactionRow {
    /// When its commitment ends, which an extension of the period moves; nil for a sale of none.
    package var commitmentEnd: Timestamp? {
        guard let end = sale.commitmentEnd else { return nil }
        guard let sold = sale.expiresDate, let moved = expiresDate else { return end }
        return end.advanced(byMilliseconds: moved.milliseconds - sold.milliseconds)
    }
}

extension SubscriptionState {
    /// The customer's choice for the end of the last sale's commitment: made since that sale, or
    /// before an earlier payment.
    package func afterCommitment(of sale: Sale) -> AfterCommitment {
        afterCommitment ?? sale.afterCommitment ?? .same
    }

    /// Whether the customer wanted it to end with the commitment of the last sale, which was its last
    /// payment.
    func endsWithCommitment(of sale: Sale) -> Bool {
        sale.commitment != nil && !sale.owesPayments
            && afterCommitment(of: sale).offReason != nil
    }

    /// The state as it decides the next renewal: where no payment is owed any more, the
    /// customer's choice for the end of the commitment holds, unless there is a later choice.
    func due(after sale: Sale) -> SubscriptionState {
        guard sale.commitment != nil, !sale.owesPayments else { return self }
        let after = afterCommitment(of: sale)
        var state = self
        state.offReason = offReason ?? after.offReason
        state.nextProductID = nextProductID ?? after.productID
        state.nextBillingPlan = nextBillingPlan ?? after.billingPlan
        state.nextOffer = nextOffer ?? after.offer
        return state
    }
}

// MARK: - Changing one's mind

extension SubscriptionState {
    /// Whether the next renewal, or the one after the commitment, is planned as another plan or paid
    /// in another way.
    func changesPlan(after sale: Sale) -> Bool {
        let after = afterCommitment(of: sale)
        return nextProductID != nil || nextBillingPlan != nil || after.productID != nil
            || after.billingPlan != nil
    }

    /// The offer that was redeemed for the next renewal of the last sale's plan, also while it is put
    /// aside; nil for none.
    func offerOfPresentPlan(after sale: Sale) -> SoldOffer? {
        let after = afterCommitment(of: sale)
        return offerAside ?? after.offerAside
            ?? (changesPlan(after: sale) ? nil : nextOffer ?? after.offer)
    }

    /// Takes a waiting change of plan back, with an offer of the other plan. An offer of the present
    /// plan that was put aside holds again.
    ///
    /// - Returns: whether a change waited.
    mutating func takePlanBack(after sale: Sale) -> Bool {
        guard changesPlan(after: sale) else { return false }
        let offer = offerOfPresentPlan(after: sale)
        nextProductID = nil
        nextBillingPlan = nil
        restore(offer, .same, after: sale)
        return true
    }

    /// Auto-renew is on again. An offer of the present plan that was put aside holds again.
    mutating func renewAgain(after sale: Sale) {
        offReason = nil
        var after = afterCommitment(of: sale)
        after.offReason = nil
        guard !changesPlan(after: sale) else {
            if sale.commitment != nil { afterCommitment = after }
            return
        }
        restore(offerOfPresentPlan(after: sale), after, after: sale)
    }

    private mutating func restore(_ offer: SoldOffer?, _ after: AfterCommitment, after sale: Sale) {
        offerAside = nil
        nextOffer = sale.owesPayments ? nil : offer
        guard sale.commitment != nil else { return }
        var after = after
        after.offerAside = nil
        after.offer = sale.owesPayments ? offer : nil
        afterCommitment = after
    }
}
