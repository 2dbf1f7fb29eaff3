#if os(Linux)
public import Foundation
import StoreModel

extension Product {
    /// The product as JSON, in the layout of the App Store's answers.
    public var jsonRepresentation: Data {
        let json: [String: Any] = [
            "id": id, "type": "in-apps", "attributes": attributes,
        ]
        return (try? JSONSerialization.data(withJSONObject: json, options: .sortedKeys)) ?? Data()
    }

    private var attributes: [String: Any] {
        var attributes: [String: Any] = [
            "offerName": id, "name": displayName, "kind": type.rawValue,
            "description": ["standard": description], "isFamilyShareable": isFamilyShareable,
            "isSubscription": subscription != nil,
        ]
        var offer: [String: Any] = [
            "type": "buy", "price": model.price.plainText, "priceFormatted": displayPrice,
            "currencyCode": model.price.currency,
        ]
        if let subscription {
            attributes["subscriptionFamilyId"] = subscription.subscriptionGroupID
            attributes["subscriptionFamilyName"] = subscription.groupDisplayName
            attributes["subscriptionFamilyRank"] = subscription.groupLevel
            offer["recurringSubscriptionPeriod"] = subscription.subscriptionPeriod.model.iso8601
            offer["discounts"] = subscription.model.offers.map { discount(of: $0) }
        }
        attributes["offers"] = [offer]
        return attributes
    }

    private func discount(of offer: Offer) -> [String: Any] {
        var discount: [String: Any] = [
            "type": offer.kind == .introductory ? "IntroOffer" : "AdhocOffer",
            "modeType": SubscriptionOffer(offer, priceLocale: model.priceLocale).paymentMode
                .rawValue,
            "numOfPeriods": offer.periodCount, "price": offer.price.plainText,
            "priceFormatted": offer.price.formatted(locale: Locale(identifier: model.priceLocale)),
            "recurringSubscriptionPeriod": offer.period.iso8601,
        ]
        discount["offerId"] = offer.id?.rawValue
        return discount
    }
}
#endif
