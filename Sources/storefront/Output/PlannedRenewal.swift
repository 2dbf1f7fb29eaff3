import StoreModel

/// The product and the billing plan that a subscription changes to at its next renewal.
struct PlannedRenewal {
    var productID: ProductID
    /// The billing plan from then on, if it changes or was asked for; nil for the usual one.
    var billingPlan: BillingPlanType?
    var date: Timestamp?
}

extension VerifiedSubscription {
    /// When a planned change begins: with the next period, or when a commitment with payments still
    /// to come ends. Nil if nothing renews then, or a signed text is not verified.
    var nextTermsBegin: Timestamp? {
        guard let info = try? renewalInfo.get() else { return nil }
        return owesPayments ? info.commitmentInfo?.commitmentRenewalDate : info.renewalDate
    }

    /// The planned change; nil if it renews unchanged or does not renew.
    var planned: PlannedRenewal? {
        guard let info = try? renewalInfo.get(), let payload = try? transaction.get() else {
            return nil
        }
        let after = owesPayments ? info.commitmentInfo : nil
        guard (after?.commitmentAutoRenewStatus ?? info.autoRenewStatus) == 1 else { return nil }
        let next = after?.commitmentAutoRenewProductId ?? info.autoRenewProductId
        let type = after.map(\.commitmentRenewalBillingPlanType) ?? info.renewalBillingPlanType
        let plan = type.flatMap { BillingPlanType(rawValue: $0) }
        let present = payload.billingPlanType.flatMap { BillingPlanType(rawValue: $0) } ?? .upFront
        let isPaidOtherwise = plan.map { $0 != present } ?? false
        guard next != info.productId || isPaidOtherwise else { return nil }
        return PlannedRenewal(
            productID: next, billingPlan: isPaidOtherwise ? plan : nil, date: nextTermsBegin)
    }

    /// Whether the commitment has more payments after the present period.
    private var owesPayments: Bool {
        guard let commitment = (try? transaction.get())?.commitmentInfo else { return false }
        return commitment.billingPeriodNumber < commitment.totalBillingPeriods
    }
}
