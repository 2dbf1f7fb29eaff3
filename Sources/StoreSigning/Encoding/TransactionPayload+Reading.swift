import Foundation
import StoreModel

extension TransactionPayload {
    /// Reads what `jsonBytes` writes; nil for anything spelled otherwise, be it right or wrong.
    init?(plain bytes: [UInt8]) {
        do {
            var json = try PlainObjectReader(bytes)
            guard let payload = try Self.read(&json) else { return nil }
            try json.end()
            self = payload
        } catch {
            return nil
        }
    }

    /// Member by member, in the order they are written.
    private static func read(
        _ json: inout PlainObjectReader
    ) throws(PlainObjectReader.NotPlain) -> TransactionPayload? {
        let tokenText = try json.text("appAccountToken")
        let token = tokenText.flatMap { UUID(uuidString: $0) }
        guard (tokenText == nil) == (token == nil) else { return nil }
        let appTransactionID = try json.text("appTransactionId")
        guard let bundleID = try json.text("bundleId"),
            let currency = try json.text("currency"),
            let environment = try json.text("environment")
        else { return nil }
        let expiresDate = try json.number("expiresDate")
        guard let ownership = try json.text("inAppOwnershipType").flatMap(Ownership.init)
        else { return nil }
        let isUpgraded = try json.flag("isUpgraded")
        let offerDiscountType = try json.text("offerDiscountType")
        let offerIdentifier = try json.text("offerIdentifier")
        let offerPeriod = try json.text("offerPeriod")
        let offerType = try json.number("offerType")
        guard let originalPurchaseDate = try json.number("originalPurchaseDate"),
            let originalID = try json.text("originalTransactionId").flatMap({ TransactionID($0) }),
            let price = try json.number("price"),
            let productID = try json.text("productId"),
            let purchaseDate = try json.number("purchaseDate"),
            let quantity = try json.number("quantity")
        else { return nil }
        let revocationDate = try json.number("revocationDate")
        let revocationReason = try json.number("revocationReason")
        guard let signedDate = try json.number("signedDate"),
            let storefront = try json.text("storefront"),
            let storefrontID = try json.text("storefrontId")
        else { return nil }
        let group = try json.text("subscriptionGroupIdentifier")
        guard let id = try json.text("transactionId").flatMap({ TransactionID($0) }),
            let reason = try json.text("transactionReason").flatMap(Reason.init),
            let type = try json.text("type").flatMap(ProductType.init)
        else { return nil }
        let webOrderLineItemID = try json.text("webOrderLineItemId")
        return TransactionPayload(
            transactionId: id, originalTransactionId: originalID,
            webOrderLineItemId: webOrderLineItemID, appTransactionId: appTransactionID,
            bundleId: bundleID, productId: ProductID(productID),
            subscriptionGroupIdentifier: group.map { SubscriptionGroupID($0) }, type: type,
            purchaseDate: Timestamp(milliseconds: purchaseDate),
            originalPurchaseDate: Timestamp(milliseconds: originalPurchaseDate),
            expiresDate: expiresDate.map { Timestamp(milliseconds: $0) },
            quantity: Int(quantity), appAccountToken: token, inAppOwnershipType: ownership,
            transactionReason: reason, isUpgraded: isUpgraded,
            revocationDate: revocationDate.map { Timestamp(milliseconds: $0) },
            revocationReason: revocationReason.map { Int($0) },
            offerType: offerType.map { Int($0) }, offerIdentifier: offerIdentifier,
            offerDiscountType: offerDiscountType, offerPeriod: offerPeriod,
            environment: StoreEnvironment(environment), storefront: storefront,
            storefrontId: storefrontID, price: price, currency: currency,
            signedDate: Timestamp(milliseconds: signedDate))
    }
}
