import Foundation
import StoreModel

/// Transactions and renewals in the form of `verifyReceipt`: every value is a text, and every date
/// is written three times.
enum LegacyReceipt {
    /// An element of `latest_receipt_info`.
    static func transaction(_ payload: TransactionPayload) -> [String: String] {
        var fields = [
            "quantity": String(payload.quantity), "product_id": payload.productId.rawValue,
            "transaction_id": payload.transactionId.description,
            "original_transaction_id": payload.originalTransactionId.description,
            "in_app_ownership_type": payload.inAppOwnershipType.rawValue,
            // Of the offer's mode and kind.
            "is_trial_period": String(payload.offerDiscountType == OfferMode.freeTrial.rawValue),
        ]
        add(payload.purchaseDate, as: "purchase_date", to: &fields)
        add(payload.originalPurchaseDate, as: "original_purchase_date", to: &fields)
        add(payload.expiresDate, as: "expires_date", to: &fields)
        add(payload.revocationDate, as: "cancellation_date", to: &fields)
        if payload.type == .autoRenewable {
            let isPaidIntroductory =
                payload.offerType == 1
                && payload.offerDiscountType != OfferMode.freeTrial.rawValue
            fields["is_in_intro_offer_period"] = String(isPaidIntroductory)
        }
        fields["web_order_line_item_id"] = payload.webOrderLineItemId
        fields["subscription_group_identifier"] = payload.subscriptionGroupIdentifier?.rawValue
        fields["cancellation_reason"] = payload.revocationReason.map(String.init)
        fields["is_upgraded"] = payload.isUpgraded.map { String($0) }
        fields["app_account_token"] = payload.appAccountToken?.uuidString.lowercased()
        add(payload.offerIdentifier, ofType: payload.offerType, to: &fields)
        return fields
    }

    /// An element of `pending_renewal_info`.
    static func renewal(_ payload: RenewalInfoPayload) -> [String: String] {
        var fields = [
            "auto_renew_product_id": payload.autoRenewProductId.rawValue,
            "auto_renew_status": String(payload.autoRenewStatus),
            "original_transaction_id": payload.originalTransactionId.description,
            "product_id": payload.productId.rawValue,
        ]
        fields["expiration_intent"] = payload.expirationIntent.map(String.init)
        fields["is_in_billing_retry_period"] = payload.isInBillingRetryPeriod.map { $0 ? "1" : "0" }
        fields["price_consent_status"] = payload.priceIncreaseStatus.map(String.init)
        add(payload.gracePeriodExpiresDate, as: "grace_period_expires_date", to: &fields)
        add(payload.offerIdentifier, ofType: payload.offerType, to: &fields)
        return fields
    }

    private static func add(
        _ offer: String?, ofType type: Int?, to fields: inout [String: String]
    ) {
        switch type {
        case 2: fields["promotional_offer_id"] = offer
        case 3: fields["offer_code_ref_name"] = offer
        default: break
        }
    }

    private static func add(
        _ date: Timestamp?, as name: String, to fields: inout [String: String]
    ) {
        guard let date else { return }
        fields[name] = text(date, in: greenwich) + " Etc/GMT"
        fields[name + "_ms"] = String(date.milliseconds)
        fields[name + "_pst"] = text(date, in: pacific) + " America/Los_Angeles"
    }

    private static let greenwich = calendar(TimeZone.gmt)
    private static let pacific = calendar(
        TimeZone(identifier: "America/Los_Angeles") ?? TimeZone(secondsFromGMT: -28_800) ?? .gmt)

    private static func calendar(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    private static func text(_ date: Timestamp, in calendar: Calendar) -> String {
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second], from: date.date)
        func two(_ number: Int?) -> String {
            let text = String(number ?? 0)
            return text.count < 2 ? "0" + text : text
        }
        return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day)) "
            + "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))"
    }
}
