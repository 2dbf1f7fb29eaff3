import Basics

/// How a subscription is paid (StoreKit and App Store Server API: `billingPlanType`).
package enum BillingPlanType: String, Codable, Hashable, Sendable, CaseIterable {
    /// Each period is paid at its beginning.
    case upFront = "BILLED_UPFRONT"
    /// A period is paid in monthly payments. The customer commits to all payments of the period.
    case monthly = "MONTHLY"

    /// On the command line.
    package var name: String { String(describing: self) }

    /// Nil for a word that is no plan on the command line.
    package init?(name: String) {
        guard let plan = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = plan
    }
}

/// A way to pay for a subscription, as one account sees it.
package struct BillingPlan: Codable, Hashable, Sendable {
    package var type: BillingPlanType
    /// Of one payment.
    package var price: Money
    /// What one payment pays for.
    package var period: SubscriptionPeriod
    /// The payments that a customer of monthly payments commits to; nil for a plan without a
    /// commitment.
    package var commitment: Commitment?

    /// Several payments that are promised together.
    package struct Commitment: Codable, Hashable, Sendable {
        package var paymentCount: Int
        /// Of all these payments.
        package var price: Money

        package init(paymentCount: Int, price: Money) {
            self.paymentCount = paymentCount
            self.price = price
        }
    }

    package init(
        type: BillingPlanType, price: Money, period: SubscriptionPeriod,
        commitment: Commitment? = nil
    ) {
        self.type = type
        self.price = price
        self.period = period
        self.commitment = commitment
    }
}

extension SubscriptionPeriod {
    /// The number of monthly payments for this period; nil for a period that is not several whole
    /// months.
    package var monthlyPayments: Int? {
        switch unit {
        case .day, .week: nil
        case .month: value > 1 ? value : nil
        case .year: value.multipliedClamped(by: 12)
        }
    }
}

/// The commitment of which a transaction is one payment, as its signed text describes it (App Store
/// Server API: `commitmentInfo` of `JWSTransactionDecodedPayload`).
package struct TransactionCommitmentInfo: Codable, Hashable, Sendable {
    /// Within the commitment, from 1.
    package var billingPeriodNumber: Int
    package var commitmentExpiresDate: Timestamp
    /// Of all these payments, in milliunits of the transaction's currency.
    package var commitmentPrice: Int64
    package var totalBillingPeriods: Int

    package init(
        billingPeriodNumber: Int, totalBillingPeriods: Int, commitmentPrice: Int64,
        commitmentExpiresDate: Timestamp
    ) {
        self.billingPeriodNumber = billingPeriodNumber
        self.totalBillingPeriods = totalBillingPeriods
        self.commitmentPrice = commitmentPrice
        self.commitmentExpiresDate = commitmentExpiresDate
    }
}

/// The plan that begins after a commitment, as signed renewal info describes it (App Store Server
/// API: `commitmentInfo` of `JWSRenewalInfoDecodedPayload`).
package struct RenewalCommitmentInfo: Codable, Hashable, Sendable {
    package var commitmentAutoRenewProductId: ProductID
    /// 1 if it renews then, 0 if it ends.
    package var commitmentAutoRenewStatus: Int
    /// `BillingPlanType`; nil if nothing renews then.
    package var commitmentRenewalBillingPlanType: String?
    /// Nil if nothing renews when the commitment ends.
    package var commitmentRenewalDate: Timestamp?
    /// Of the first payment after the commitment, in milliunits; nil if nothing renews then.
    package var commitmentRenewalPrice: Int64?
}

extension RenewalCommitmentInfo {
    package init(commitmentAutoRenewProductId: ProductID, commitmentAutoRenewStatus: Int) {
        self.commitmentAutoRenewProductId = commitmentAutoRenewProductId
        self.commitmentAutoRenewStatus = commitmentAutoRenewStatus
    }
}
