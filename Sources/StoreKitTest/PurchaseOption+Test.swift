#if os(Linux)
public import Foundation
public import StoreKit
import StoreModel

extension StoreKit.Product.PurchaseOption {
    /// The renewal of a subscription that was bought in the past.
    @nonexhaustive public enum SubscriptionRenewalBehavior: Sendable {
        /// It has one period.
        case cancelImmediately
        /// It has renewed until today, and goes on.
        case renewUntilNow
    }

    /// Buys in the past; for `SKTestSession.buyProduct(identifier:options:)` only.
    public static func purchaseDate(
        _ date: Date, renewalBehavior: SubscriptionRenewalBehavior = .renewUntilNow
    ) -> Self {
        Self(.purchaseDate(date, renews: renewalBehavior == .renewUntilNow))
    }

    /// Redeems the offer code with this reference name; for `SKTestSession.buyProduct` only.
    public static func codeOffer(referenceName: String) -> Self {
        Self(.offer(PaymentOffer(kind: .code, id: OfferID(referenceName))))
    }

    /// A promotional offer without a signature; for `SKTestSession.buyProduct` only.
    public static func promotionalOffer(id: String) -> Self {
        Self(.offer(PaymentOffer(kind: .promotional, id: OfferID(id))))
    }
}
#endif
