import Basics
import Foundation
import StoreModel

/// Writes a catalog as a StoreKit configuration: version 3, which every Xcode since 14 reads;
/// version 4 if there are win-back offers; version 5 if there are billing plans.
struct StoreKitFileWriter {
    let catalog: Catalog
    let state: StoreKitExport.State
    private let internalIDs: InternalIDs

    init(catalog: Catalog, state: StoreKitExport.State) {
        self.catalog = catalog
        self.state = state
        internalIDs = InternalIDs(of: catalog)
    }

    var territory: Storefront { Storefront.find(state.account.territory) ?? .usa }

    func export() -> StoreKitExport {
        let sold = catalog.products.filter { $0.price(in: territory) != nil }
        return StoreKitExport(
            bytes: Array((file().written() + "\n").utf8), productCount: sold.count,
            omissions: omissions)
    }

    private func file() -> AnyJSON {
        let products = catalog.products.filter { $0.price(in: territory) != nil }
        func written(_ type: ProductType) -> [AnyJSON] {
            products.filter { $0.type == type }.map { product($0, in: territory) }
        }
        let groups = catalog.groups.map { group in
            let members = products.filter { $0.subscription?.groupID == group.id }
            return AnyJSON.object([
                "id": .text(group.id.rawValue),
                "localizations": .list(
                    group.name.byLocale.keys.sorted().map { locale in
                        .object([
                            "description": .text(""),
                            "displayName": .text(group.name.byLocale[locale] ?? ""),
                            "locale": .text(locale),
                        ])
                    }),
                "name": .text(text(group.name)),
                "subscriptions": .list(members.map { subscription($0, in: territory) }),
            ])
        }
        let once = catalog.products.filter { $0.type == .consumable || $0.type == .nonConsumable }
        return .object([
            "identifier": .text(identifier),
            "nonRenewingSubscriptions": .list(written(.nonRenewing)),
            "products": .list(
                once.filter { $0.price(in: territory) != nil }.map { product($0, in: territory) }),
            "settings": settings(territory),
            "subscriptionGroups": .list(groups),
            "version": .object(["major": .integer(Int64(version)), "minor": .integer(0)]),
        ])
    }

    /// The file's identifier. The bundle id of a catalog that was read from a configuration
    /// contains it (`StoreKitFileReader.bundleID`); otherwise it is computed from the app's bundle
    /// id.
    private var identifier: String {
        let own = catalog.bundleID.split(separator: ".").last.map(String.init) ?? ""
        guard catalog.bundleID == "storekit." + own, own.count == 8, own.allSatisfy(\.isHexDigit)
        else { return InternalIDs.digits(of: catalog.bundleID) }
        return own.uppercased()
    }

    private var version: Int {
        let hasPlans = catalog.products.contains { product in
            product.subscription?.billingPlans != nil
                || product.offers.contains { $0.billingPlan != nil }
        }
        if hasPlans { return 5 }
        return catalog.products.contains { $0.offers.contains { $0.kind == .winBack } } ? 4 : 3
    }

    private func settings(_ territory: Storefront) -> AnyJSON {
        var settings: [String: AnyJSON] = [
            "_failTransactionsEnabled": .flag(false),
            "_locale": .text(state.account.locale ?? catalog.defaultLocale),
            "_storefront": .text(territory.countryCode),
            "_storeKitErrors": Self.failures(state.failures),
        ]
        if state.account.askToBuy { settings["_askToBuyEnabled"] = .flag(true) }
        if state.account.interruptsPurchases { settings["_billingIssuesEnabled"] = .flag(true) }
        if state.account.disablesDialogs { settings["_disableDialogs"] = .flag(true) }
        if let renewals = state.renewals {
            settings["_timeRate"] = .integer(Int64(renewals.rate.rawValue))
            if renewals.failsBilling { settings["_renewalBillingIssuesEnabled"] = .flag(true) }
            if renewals.hasGracePeriod { settings["_billingGracePeriodEnabled"] = .flag(true) }
        }
        return .object(settings)
    }

    /// `_storeKitErrors` with an element for every call, in Xcode's order. Of several failures of a
    /// call the first one is written, which is the one that applies.
    static func failures(_ failures: [CatalogSettings.Failure]) -> AnyJSON {
        let names = Dictionary(
            StoreKitFileReader.interfaces.map { ($0.value, $0.key) },
            uniquingKeysWith: { first, _ in first })
        return .list(
            Fault.Call.ofStoreKitTest.map { interface in
                let failure = failures.first { $0.interface == interface }
                return .object([
                    "current": failure.map { current($0.error) } ?? .null,
                    "enabled": .flag(failure != nil),
                    "name": .text(names[interface] ?? interface.rawValue),
                ])
            })
    }

    /// An error by the number that Xcode writes. An error that Xcode does not have is written as
    /// the unknown error, with its name beside it, which `StoreKitFileReader` reads.
    private static func current(_ error: StoreError.Code) -> AnyJSON {
        if let (type, index) = number(of: error) {
            return .object(["index": .integer(Int64(index)), "type": .text(type)])
        }
        return .object([
            "index": .integer(0), "name": .text(error.rawValue), "type": .text("generic"),
        ])
    }

    /// Nil for an error that Xcode does not have.
    static func number(of error: StoreError.Code) -> (type: String, index: Int)? {
        for (type, errors) in StoreKitFileReader.errors.sorted(by: { $0.key < $1.key }) {
            if let index = errors.firstIndex(of: error) { return (type, index) }
        }
        return nil
    }

    private func product(_ product: CatalogProduct, in territory: Storefront) -> AnyJSON {
        .object(members(of: product, in: territory))
    }

    private func members(
        of product: CatalogProduct, in territory: Storefront
    ) -> [String: AnyJSON] {
        [
            "displayPrice": .text(price(of: product, in: territory)),
            "familyShareable": .flag(product.isFamilyShareable),
            "internalID": .text(internalIDs[.product(product.id)]),
            "localizations": .list(localizations(of: product)),
            "productID": .text(product.id.rawValue),
            "referenceName": .text(text(product.name)),
            "type": .text(Self.typeNames[product.type] ?? product.type.rawValue),
        ]
    }

    private static let typeNames: [ProductType: String] = [
        .consumable: "Consumable", .nonConsumable: "NonConsumable",
        .nonRenewing: "NonRenewingSubscription", .autoRenewable: "RecurringSubscription",
    ]

    private func subscription(_ product: CatalogProduct, in territory: Storefront) -> AnyJSON {
        var members = members(of: product, in: territory)
        func offers(_ kind: OfferKind) -> [AnyJSON] {
            product.offers.filter { $0.kind == kind }.compactMap { offer($0, of: product) }
        }
        members["adHocOffers"] = .list(offers(.promotional))
        members["codeOffers"] = .list(offers(.code))
        if version >= 4 { members["winbackOffers"] = .list(offers(.winBack)) }
        members["groupNumber"] = .integer(Int64(product.subscription?.level ?? 1))
        if version >= 5 {
            members["introductoryOffers"] = .list(offers(.introductory))
            members["billingPlans"] = .list(
                (product.subscription?.billingPlans ?? []).compactMap { plan($0, of: product) })
        } else {
            members["introductoryOffer"] = offers(.introductory).first ?? .null
        }
        members["recurringSubscriptionPeriod"] = .text(
            product.subscription?.period?.iso8601 ?? Self.periodOfFree)
        members["subscriptionGroupID"] = .text(product.subscription?.groupID.rawValue ?? "")
        return .object(members)
    }

    /// Nil if it has no price in the territory.
    private func plan(
        _ plan: CatalogProduct.BillingPlan, of product: CatalogProduct
    ) -> AnyJSON? {
        let own = plan.type == .upFront ? product.price(in: territory) : nil
        guard let price = own ?? plan.prices.price(in: territory) else { return nil }
        let payments = plan.type == .monthly ? product.subscription?.period?.monthlyPayments : nil
        let whole =
            plan.commitmentPrices?.price(in: territory) ?? price.multiplied(by: payments ?? 1)
        return .object([
            "billingPlanType": .text(plan.type.rawValue),
            "commitmentDisplayPrice": .text((plan.type == .upFront ? price : whole).plainText),
            "displayPrice": .text(price.plainText),
            "internalID": .text(internalIDs[.plan(plan.type, of: product.id)]),
            "isEnabled": .flag(plan.isEnabled),
        ])
    }

    /// Nil if it has no price in the territory.
    private func offer(
        _ offer: CatalogProduct.Offer, of product: CatalogProduct
    ) -> AnyJSON? {
        guard let price = offer.price(in: territory) else { return nil }
        let id = offer.id?.rawValue ?? ""
        var members: [String: AnyJSON] = [
            "internalID": .text(internalIDs[.offer(offer, of: product.id)]),
            "numberOfPeriods": .integer(Int64(offer.periodCount)),
            "paymentMode": .text(Self.modes[offer.mode] ?? offer.mode.rawValue),
            "subscriptionPeriod": .text(offer.period.iso8601),
        ]
        if let plan = offer.billingPlan { members["billingPlanType"] = .text(plan.rawValue) }
        if offer.mode != .freeTrial { members["displayPrice"] = .text(price.plainText) }
        switch offer.kind {
        case .introductory: break
        case .promotional, .winBack:
            members["offerID"] = .text(id)
            members["referenceName"] = .text(id)
            if offer.kind == .winBack {
                members["isEligible"] = .flag(offer.winBack?.isSwitchedOn != false)
            }
        case .code:
            members["referenceName"] = .text(id)
            members["isStackable"] = .flag(offer.isStackable == true)
            let customers = offer.customers ?? Set(CatalogProduct.CodeCustomer.allCases)
            members["eligibility"] = .list(
                customers.map(\.rawValue).sorted().map { .text($0) })
        }
        return .object(members)
    }

    private static let modes: [OfferMode: String] = [
        .freeTrial: "free", .payAsYouGo: "payAsYouGo", .payUpFront: "payUpFront",
    ]

    /// The period of a free subscription: a configuration has no subscription without end.
    static let periodOfFree = "P1Y"

    private func localizations(of product: CatalogProduct) -> [AnyJSON] {
        let locales = Set(product.name.byLocale.keys).union(product.description.byLocale.keys)
        return locales.sorted().map { locale in
            .object([
                "description": .text(product.description.byLocale[locale] ?? ""),
                "displayName": .text(product.name.byLocale[locale] ?? ""),
                "locale": .text(locale),
            ])
        }
    }

    private func text(_ text: LocalizedText) -> String {
        text.text(for: catalog.defaultLocale, fallback: catalog.defaultLocale)
    }

    /// A price as Xcode writes it: a decimal point, two decimals where the currency has them, no
    /// currency.
    private func price(of product: CatalogProduct, in territory: Storefront) -> String {
        product.price(in: territory)?.plainText ?? "0"
    }
}

extension AnyJSON {
    /// The value in the layout of Xcode's configurations, which is Foundation's.
    ///
    /// - Parameter level: the depth of the value in the file; its first line is not indented.
    func written(level: Int = 0) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let text = (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
        let indent = String(repeating: "  ", count: level)
        return (text ?? "null").replacing("\n", with: "\n" + indent)
    }
}
