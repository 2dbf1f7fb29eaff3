import ShopText
import StoreModel

/// The plan that a subscription renews as, where that is another plan or another way to pay.
struct PlannedRenewal {
    /// The product.
    var productID: ProductID
    /// How it is paid then, where that changes or is asked for; nil for the usual way.
    var billingPlan: BillingPlanType?
    /// When it begins.
    var date: Timestamp?
}

extension VerifiedSubscription {
    /// When a change for later begins: with the next period, or when the commitment ends whose payments
    /// are owed. Nil where nothing renews then, or the texts are not verified.
    var nextTermsBegin: Timestamp? {
        guard let info = try? renewalInfo.get() else { return nil }
        return owesPayments ? info.commitmentInfo?.commitmentRenewalDate : info.renewalDate
    }

    /// The change that is planned; nil where it renews as it is, or not at all.
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

    /// Whether payments of a commitment follow that of the present period.
    private var owesPayments: Bool {
        guard let commitment = (try? transaction.get())?.commitmentInfo else { return false }
        return commitment.billingPeriodNumber < commitment.totalBillingPeriods
    }
}
