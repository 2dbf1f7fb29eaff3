import Basics
package import StoreModel

/// Which payment of a commitment a sale is, from the catalog at the start of the commitment. A
/// later catalog changes neither its price nor its length.
package struct SoldCommitment: Codable, Hashable, Sendable {
    /// From 1 (App Store Server API: `billingPeriodNumber`).
    package var number = 1
    /// App Store Server API: `totalBillingPeriods`.
    package var count: Int
    /// The sum of all payments (App Store Server API: `commitmentPrice`).
    package var price: Money
    /// The price of each payment.
    package var payment: Money

    package var owesMore: Bool { number < count }

    /// Nil after the last payment.
    package var next: SoldCommitment? {
        guard owesMore else { return nil }
        var next = self
        next.number += 1
        return next
    }
}

/// The customer's choice for the time after a commitment. While payments are owed, the subscription
/// renews even if the customer has turned auto-renew off.
package struct AfterCommitment: Codable, Hashable, Sendable {
    /// Why auto-renew is off after the commitment; nil if it is on.
    package var offReason: AutoRenewChange.Reason?
    /// The product that the subscription renews as; nil for the same product.
    package var productID: ProductID?
    /// Nil for the same plan.
    package var billingPlan: BillingPlanType?
    /// Nil for none.
    package var offer: SoldOffer?
    /// An offer that is put aside, as in `SubscriptionState.offerAside`.
    package var offerAside: SoldOffer?

    /// No choice: the subscription renews unchanged.
    package static let same = AfterCommitment()
}

extension Sale {
    package var owesPayments: Bool { commitment?.owesMore == true }

    /// When the first step of the subscription after this sale is due, at the earliest at the sale;
    /// nil for a sale without a period.
    func firstStep(soldAt instant: Timestamp) -> Timestamp? {
        firstStep(.renewing, until: expiresDate, at: instant)
    }

    /// When the store first tries to charge for the next period, or ends the subscription with its
    /// commitment, at the earliest now. Nil for a sale without a period.
    ///
    /// - Parameter end: the end of the period, which may have been moved since the sale.
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

    /// Nil for a sale without a commitment.
    package var commitmentEnd: Timestamp? {
        guard let commitment, let term else { return nil }
        return RenewalSchedule.end(
            ofPeriod: term.index.subtractingClamped(term.anchorIndex).addingClamped(1)
                .addingClamped(commitment.count).subtractingClamped(commitment.number),
            of: term.period, from: term.anchor, rate: term.rate)
    }
}

extension TransactionRow {
    /// When the sale's commitment ends, moved by the extensions of its period; nil for a sale
    /// without a commitment.
    package var commitmentEnd: Timestamp? {
        guard let end = sale.commitmentEnd else { return nil }
        guard let sold = sale.expiresDate, let moved = expiresDate else { return end }
        return end.advanced(byMilliseconds: moved.milliseconds(since: sold))
    }
}

extension SubscriptionState {
    /// The customer's choice for the end of the last sale's commitment: made since that sale, or
    /// before an earlier payment.
    package func afterCommitment(of sale: Sale) -> AfterCommitment {
        afterCommitment ?? sale.afterCommitment ?? .same
    }

    /// Whether the last sale was the last payment of its commitment and the customer has chosen to
    /// end the subscription with it.
    func endsWithCommitment(of sale: Sale) -> Bool {
        sale.commitment != nil && !sale.owesPayments
            && afterCommitment(of: sale).offReason != nil
    }

    /// The state that decides the next renewal: if no payment is owed any more, it includes the
    /// customer's choice for the end of the commitment, unless there is a later choice.
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
    /// Whether the next renewal, or the one after the commitment, has another product or billing
    /// plan.
    func changesPlan(after sale: Sale) -> Bool {
        let after = afterCommitment(of: sale)
        return nextProductID != nil || nextBillingPlan != nil || after.productID != nil
            || after.billingPlan != nil
    }

    /// The offer that was redeemed for the next renewal of the present plan, even if it is put
    /// aside; nil for none.
    func offerOfPresentPlan(after sale: Sale) -> SoldOffer? {
        let after = afterCommitment(of: sale)
        return offerAside ?? after.offerAside
            ?? (changesPlan(after: sale) ? nil : nextOffer ?? after.offer)
    }

    /// Cancels a waiting change of plan, with the other plan's offer. An offer of the present plan
    /// that was put aside applies again.
    ///
    /// - Returns: whether a change was waiting.
    mutating func takePlanBack(after sale: Sale) -> Bool {
        guard changesPlan(after: sale) else { return false }
        let offer = offerOfPresentPlan(after: sale)
        nextProductID = nil
        nextBillingPlan = nil
        forgetPriceIncrease()
        restore(offer, .same, after: sale)
        return true
    }

    /// A price was told of one plan, so neither it nor the customer's answer holds for another:
    /// the customer agrees to that plan's price by choosing it.
    mutating func forgetPriceIncrease() {
        priceIncrease = nil
        toldPrice = nil
    }

    /// Turns auto-renew on. An offer of the present plan that was put aside applies again.
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
