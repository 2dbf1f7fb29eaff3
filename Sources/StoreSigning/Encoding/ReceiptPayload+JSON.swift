import Basics
import Foundation
package import StoreModel

extension ReceiptPayload {
    package func jsonBytes() -> [UInt8] {
        var json = JSONObjectWriter(capacity: 1024 * (inApp.count + 1))
        json.member("bundleId", bundleId)
        json.member("deviceVerification", deviceVerification)
        json.member(
            "deviceVerificationNonce", deviceVerificationNonce?.uuidString.lowercased())
        json.member("environment", environment.rawValue)
        json.member("expirationDate", expirationDate?.milliseconds)
        json.member("inApp", objects: inApp.map { $0.jsonBytes() })
        json.member("receiptCreationDate", receiptCreationDate.milliseconds)
        json.member("receiptType", receiptType)
        json.member("revocationDate", revocationDate?.milliseconds)
        return json.finished()
    }
}

extension AppTransactionPayload {
    package func jsonBytes() -> [UInt8] {
        var json = JSONObjectWriter(capacity: 512)
        json.member("appAppleId", appAppleId)
        json.member("appTransactionId", appTransactionId)
        json.member("applicationVersion", applicationVersion)
        json.member("bundleId", bundleId)
        json.member("deviceVerification", deviceVerification)
        json.member(
            "deviceVerificationNonce", deviceVerificationNonce?.uuidString.lowercased())
        json.member("environment", environment.rawValue)
        json.member("originalApplicationVersion", originalApplicationVersion)
        json.member("originalPurchaseDate", originalPurchaseDate.milliseconds)
        json.member("receiptCreationDate", receiptCreationDate.milliseconds)
        json.member("receiptType", receiptType)
        return json.finished()
    }
}

extension ManifestPayload {
    package func jsonBytes() -> [UInt8] {
        var json = JSONObjectWriter(capacity: 512)
        json.member("bundleId", bundleId)
        json.member("contentId", contentId)
        json.member("contentLength", contentLength)
        json.member("contentVersion", contentVersion)
        json.member("environment", environment.rawValue)
        json.member("manifestSha256", manifestSha256)
        json.member("productId", productId.rawValue)
        json.member("signedDate", signedDate.milliseconds)
        return json.finished()
    }
}

extension RevocationListPayload {
    package func jsonBytes() -> [UInt8] {
        var json = JSONObjectWriter(capacity: 128)
        json.member("revokedSerials", revokedSerials)
        json.member("signedDate", signedDate.milliseconds)
        return json.finished()
    }
}

extension RenewalInfoPayload {
    package func jsonBytes() -> [UInt8] {
        var json = JSONObjectWriter(capacity: 1024)
        json.member("appAccountToken", appAccountToken?.uuidString.lowercased())
        json.member("appTransactionId", appTransactionId)
        json.member("autoRenewProductId", autoRenewProductId.rawValue)
        json.member("autoRenewStatus", autoRenewStatus)
        if let commitmentInfo {
            json.object("commitmentInfo") { json in
                let info = commitmentInfo
                json.member(
                    "commitmentAutoRenewProductId", info.commitmentAutoRenewProductId.rawValue)
                json.member("commitmentAutoRenewStatus", info.commitmentAutoRenewStatus)
                json.member(
                    "commitmentRenewalBillingPlanType", info.commitmentRenewalBillingPlanType)
                json.member("commitmentRenewalDate", info.commitmentRenewalDate?.milliseconds)
                json.member("commitmentRenewalPrice", info.commitmentRenewalPrice)
            }
        }
        json.member("currency", currency)
        json.member("deviceVerification", deviceVerification)
        json.member(
            "deviceVerificationNonce", deviceVerificationNonce?.uuidString.lowercased())
        if let eligibleWinBackOfferIds {
            json.member("eligibleWinBackOfferIds", eligibleWinBackOfferIds)
        }
        json.member("environment", environment.rawValue)
        json.member("expirationIntent", expirationIntent)
        json.member("gracePeriodExpiresDate", gracePeriodExpiresDate?.milliseconds)
        json.member("isInBillingRetryPeriod", isInBillingRetryPeriod)
        json.member("offerDiscountType", offerDiscountType)
        json.member("offerIdentifier", offerIdentifier)
        json.member("offerPeriod", offerPeriod)
        json.member("offerType", offerType)
        json.member("originalTransactionId", originalTransactionId.description)
        json.member("priceIncreaseStatus", priceIncreaseStatus)
        json.member("productId", productId.rawValue)
        json.member("recentSubscriptionStartDate", recentSubscriptionStartDate.milliseconds)
        json.member("renewalBillingPlanType", renewalBillingPlanType)
        json.member("renewalDate", renewalDate?.milliseconds)
        json.member("renewalPrice", renewalPrice)
        json.member("signedDate", signedDate.milliseconds)
        return json.finished()
    }
}
