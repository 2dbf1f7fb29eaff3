#if os(Linux)
public import Foundation
import StoreModel

// `@unchecked Sendable`: `model` is set by what makes the object, before anyone else has it.
/// A product of the store, as StoreKit 1 describes it.
open class SKProduct: NSObject, @unchecked Sendable {
    private(set) var model: StoreModel.Product?

    /// Of no product of the store: for the subclasses of tests.
    public override init() { super.init() }

    convenience init(_ model: StoreModel.Product) {
        self.init()
        self.model = model
    }

    /// A calendar unit of periods.
    @nonexhaustive public enum PeriodUnit: UInt, Sendable {
        /// A day.
        case day = 0
        /// Seven days.
        case week
        /// A calendar month.
        case month
        /// A calendar year.
        case year
    }

    /// Unique in the app.
    open var productIdentifier: String { model?.id.rawValue ?? "" }
    /// The name in the account's language.
    open var localizedTitle: String { model?.displayName ?? "" }
    /// In the account's language; may be empty.
    open var localizedDescription: String { model?.description ?? "" }
    /// In the currency of `priceLocale`.
    open var price: NSDecimalNumber { NSDecimalNumber(decimal: model?.price.amount ?? 0) }
    /// The locale to write the price in, with the price's currency.
    open var priceLocale: Locale {
        model.map { Locale(ofPrice: $0.price, in: $0.priceLocale) } ?? Locale(identifier: "en_US")
    }

    /// Whether the store hosts content for it.
    open var isDownloadable: Bool { !hosted.isEmpty }
    /// The bytes of each package of its content.
    open var downloadContentLengths: [NSNumber] { hosted.map { NSNumber(value: $0.length) } }
    /// The version of its content; empty for a product without content.
    open var downloadContentVersion: String { hosted.first?.version ?? "" }
    /// As `downloadContentVersion`.
    open var contentVersion: String { downloadContentVersion }

    /// The time until it renews; nil unless it renews by itself.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? {
        model?.subscription?.period.map { SKProductSubscriptionPeriod($0) }
    }
    /// The offer for new subscribers; nil for none.
    open var introductoryPrice: SKProductDiscount? { offers(.introductory).first }
    /// The offers that the app signs.
    open var discounts: [SKProductDiscount] { offers(.promotional) }
    /// Nil unless it renews by itself.
    open var subscriptionGroupIdentifier: String? { model?.subscription?.groupID.rawValue }
    /// Whether a family can share it.
    open var isFamilyShareable: Bool { model?.isFamilyShareable ?? false }

    private var hosted: [HostedContent] { model?.hostedContent ?? [] }

    private func offers(_ kind: OfferKind) -> [SKProductDiscount] {
        guard let model, let subscription = model.subscription else { return [] }
        return subscription.offers.filter { $0.kind == kind }
            .map { SKProductDiscount($0, priceLocale: model.priceLocale) }
    }
}

// `@unchecked Sendable`: as `SKProduct`.
/// The length of a subscription's period, or of an offer's.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    private var model: StoreModel.SubscriptionPeriod?

    /// Of no product of the store: for the subclasses of tests.
    public override init() { super.init() }

    convenience init(_ model: StoreModel.SubscriptionPeriod) {
        self.init()
        self.model = model
    }

    /// How many units.
    open var numberOfUnits: Int { model?.value ?? 0 }
    /// The calendar unit.
    open var unit: SKProduct.PeriodUnit {
        switch model?.unit {
        case .day, nil: .day
        case .week: .week
        case .month: .month
        case .year: .year
        }
    }
}

// `@unchecked Sendable`: as `SKProduct`.
/// A lower price for eligible customers of a subscription.
open class SKProductDiscount: NSObject, @unchecked Sendable {
    private var model: Offer?
    private var localeName = ""

    /// Of no product of the store: for the subclasses of tests.
    public override init() { super.init() }

    convenience init(_ model: Offer, priceLocale: String) {
        self.init()
        self.model = model
        localeName = priceLocale
    }

    /// How an offer is paid.
    @nonexhaustive public enum PaymentMode: UInt, Sendable {
        /// Its price for each of its periods.
        case payAsYouGo = 0
        /// Once, for the whole offer.
        case payUpFront
        /// The offer's period is free.
        case freeTrial
    }

    /// The customers of an offer.
    @nonexhaustive public enum `Type`: UInt, Sendable {
        /// New subscribers of the group.
        case introductory = 0
        /// Present and former subscribers, with the app's signature.
        case subscription
    }

    /// Nil for an introductory offer.
    open var identifier: String? { model?.id?.rawValue }
    /// The customers of the offer.
    open var type: SKProductDiscount.`Type` {
        model?.kind == .promotional ? .subscription : .introductory
    }
    /// Of one period, or of the whole offer where it is paid up front.
    open var price: NSDecimalNumber { NSDecimalNumber(decimal: model?.price.amount ?? 0) }
    /// The locale to write the price in, with the price's currency.
    open var priceLocale: Locale {
        model.map { Locale(ofPrice: $0.price, in: localeName) } ?? Locale(identifier: "en_US")
    }
    /// Of one payment, or of the whole offer.
    open var subscriptionPeriod: SKProductSubscriptionPeriod {
        model.map { SKProductSubscriptionPeriod($0.period) } ?? SKProductSubscriptionPeriod()
    }
    /// How many periods the offer has.
    open var numberOfPeriods: Int { model?.periodCount ?? 0 }
    /// How it is paid.
    open var paymentMode: SKProductDiscount.PaymentMode {
        switch model?.mode {
        case .payAsYouGo, nil: .payAsYouGo
        case .payUpFront: .payUpFront
        case .freeTrial: .freeTrial
        }
    }
}

extension Locale {
    /// Apps give it to a formatter, which then takes the currency from it: it must be the price's,
    /// also where the locale's own territory has another.
    fileprivate init(ofPrice price: Money, in name: String) {
        let usual = Locale(identifier: name)
        self =
            usual.currency?.identifier == price.currency
            ? usual : Locale(identifier: "\(name)@currency=\(price.currency)")
    }
}
#endif
