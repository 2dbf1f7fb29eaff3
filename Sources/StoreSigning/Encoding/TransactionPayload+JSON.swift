import Basics
import Foundation
package import StoreModel

extension TransactionPayload {
    /// The payload as JSON: Apple's member names in alphabetical order, dates in whole
    /// milliseconds, the price in milliunits, nil members left out, UUIDs in lower case. Equal
    /// payloads give equal bytes.
    package func jsonBytes() -> [UInt8] {
        var json = JSONObjectWriter(capacity: 1024)
        json.member("appAccountToken", appAccountToken?.uuidString.lowercased())
        json.member("appTransactionId", appTransactionId)
        json.member("applicationUsernameHash", applicationUsernameHash)
        json.member("billingPlanType", billingPlanType)
        json.member("bundleId", bundleId)
        if let commitmentInfo {
            json.object("commitmentInfo") { json in
                json.member("billingPeriodNumber", commitmentInfo.billingPeriodNumber)
                json.member(
                    "commitmentExpiresDate", commitmentInfo.commitmentExpiresDate.milliseconds)
                json.member("commitmentPrice", commitmentInfo.commitmentPrice)
                json.member("totalBillingPeriods", commitmentInfo.totalBillingPeriods)
            }
        }
        json.member("currency", currency)
        json.member("deviceVerification", deviceVerification)
        json.member(
            "deviceVerificationNonce", deviceVerificationNonce?.uuidString.lowercased())
        json.member("environment", environment.rawValue)
        json.member("expiresDate", expiresDate?.milliseconds)
        json.member("inAppOwnershipType", inAppOwnershipType.rawValue)
        json.member("isUpgraded", isUpgraded)
        json.member("offerDiscountType", offerDiscountType)
        json.member("offerIdentifier", offerIdentifier)
        json.member("offerPeriod", offerPeriod)
        json.member("offerType", offerType)
        json.member("originalPurchaseDate", originalPurchaseDate.milliseconds)
        json.member("originalTransactionId", originalTransactionId.description)
        json.member("price", price)
        json.member("productId", productId.rawValue)
        json.member("purchaseDate", purchaseDate.milliseconds)
        json.member("quantity", quantity)
        json.member("revocationDate", revocationDate?.milliseconds)
        json.member("revocationPercentage", revocationPercentage)
        json.member("revocationReason", revocationReason)
        json.member("revocationType", revocationType?.rawValue)
        json.member("signedDate", signedDate.milliseconds)
        json.member("storefront", storefront)
        json.member("storefrontId", storefrontId)
        json.member("subscriptionGroupIdentifier", subscriptionGroupIdentifier?.rawValue)
        json.member("transactionId", transactionId.description)
        json.member("transactionReason", transactionReason.rawValue)
        json.member("type", type.rawValue)
        json.member("webOrderLineItemId", webOrderLineItemId)
        return json.finished()
    }
}
