import Basics
import StoreCatalog
import StoreModel

/// The history of an account in one subscription group that decides which offers the account can
/// have.
struct OfferHistory: Hashable {
    /// Whether the account has a subscription of the group.
    enum Membership: Hashable {
        case never
        case subscribed
        /// It has one whose renewal could not be charged and is being retried, in the grace period
        /// or after it.
        case unpaid
        /// It had one, which ended this many days ago, scaled with the renewal rate.
        case lapsed(days: Int)
    }

    var membership: Membership
    /// Whether the account, or a family member who shared with it, has used an introductory offer.
    var hasUsedIntroductory = false
    var usedCodes: Set<String> = []
    /// By all accounts.
    var codeCounts: [String: Int] = [:]
    /// With 30 to a month and 365 to a year.
    var paidDays = 0
}

/// Decides whether an account can have an offer, and the reason if it cannot. A pure function.
enum OfferEligibility {
    /// Nil if an account with this history can have the offer.
    ///
    /// - Parameter code: the code to redeem; nil to ask whether any code of the offer could be
    ///   redeemed.
    static func refusal(
        of offer: CatalogProduct.Offer, code: String? = nil, to history: OfferHistory
    ) -> OfferRefusal? {
        switch offer.kind {
        case .introductory: refusal(ofIntroductoryTo: history)
        case .promotional:
            switch history.membership {
            case .never: .neverSubscribed
            // Buying the present plan pays the failed renewal at the renewal's price.
            case .unpaid: .paymentFails
            case .subscribed, .lapsed: nil
            }
        case .code: refusal(ofCode: offer, code, to: history)
        case .winBack: refusal(ofWinBack: offer, to: history)
        }
    }

    /// It is for those who subscribe anew: a change of plan has none, nor has a purchase that pays
    /// a failed renewal.
    static func refusal(ofIntroductoryTo history: OfferHistory) -> OfferRefusal? {
        if history.hasUsedIntroductory { return .introductoryUsed }
        return switch history.membership {
        case .never, .lapsed: nil
        case .subscribed: .notForExisting
        case .unpaid: .paymentFails
        }
    }

    private static func refusal(
        ofCode offer: CatalogProduct.Offer, _ code: String?, to history: OfferHistory
    ) -> OfferRefusal? {
        if let customers = offer.customers {
            switch history.membership {
            case .never where !customers.contains(.new): return .notForNew
            case .subscribed where !customers.contains(.existing),
                .unpaid where !customers.contains(.existing):
                return .notForExisting
            case .lapsed where !customers.contains(.expired): return .notForExpired
            case .never, .subscribed, .unpaid, .lapsed: break
            }
        }
        if history.membership == .unpaid { return .paymentFails }
        let codes = offer.codes ?? []
        if codes.contains(where: { history.usedCodes.contains($0.code) }) { return .codeUsed }
        let asked = codes.filter { code == nil || $0.code == code }
        let isLeft = asked.contains { code in
            code.limit.map { history.codeCounts[code.code, default: 0] < $0 } ?? true
        }
        return isLeft ? nil : .codeUsedUp
    }

    private static func refusal(
        ofWinBack offer: CatalogProduct.Offer, to history: OfferHistory
    ) -> OfferRefusal? {
        let rule = offer.winBack
        if rule?.isSwitchedOn == false { return .switchedOff }
        switch history.membership {
        case .never: return .neverSubscribed
        case .subscribed, .unpaid: return .stillSubscribed
        case .lapsed(let days):
            if let months = rule?.paidMonths, history.paidDays < months.multipliedClamped(by: 30) {
                return .paidTooShort
            }
            if let months = rule?.lapsedMonthsMin, days < months.multipliedClamped(by: 30) {
                return .lapsedTooShort
            }
            if let months = rule?.lapsedMonthsMax, days > months.multipliedClamped(by: 30) {
                return .lapsedTooLong
            }
            return nil
        }
    }
}

extension OfferHistory {
    /// From the rows that `OfferRules.addKeys` has looked up.
    init(_ product: CatalogProduct, of account: AccountName, in context: RuleContext) {
        self.init(of: account, in: product.subscription?.groupID, context)
        let found = context.snapshot
        if let group = product.subscription?.groupID {
            let key = LedgerQuery.Subscribed(account: account, group: group)
            paidDays = (found.wholeGroups[key] ?? []).filter {
                $0.sale.price.milliunits > 0 && !$0.state.isRevoked
                    && $0.sale.purchaseDate <= context.now
            }.reduce(0) { $0.addingClamped($1.sale.term?.period.days ?? 0) }
        }
        for code in product.offers.flatMap({ $0.codes ?? [] }) {
            if found.offerUses[OfferUse.Key(.code(code.code), by: account)] != nil {
                usedCodes.insert(code.code)
            }
        }
        codeCounts = found.codeCounts
    }

    /// What decides on an introductory offer, which is the same for each product of the group.
    init(
        of account: AccountName, in group: SubscriptionGroupID?, _ context: RuleContext
    ) {
        let found = context.snapshot
        membership = .never
        guard let group else { return }
        let key = LedgerQuery.Subscribed(account: account, group: group)
        if let latest = found.subscribed[key] {
            let issue = found.subscriptions[latest.originalID]?.state
            let isTried = issue?.billing != nil && issue?.expired == nil
            if isTried, !latest.state.isRevoked {
                membership = .unpaid
            } else if latest.isActive(at: context.now) {
                membership = .subscribed
            } else {
                let end = latest.state.revocation?.date ?? latest.expiresDate ?? context.now
                let term = latest.sale.term
                let day = term.map { $0.rate.dayMilliseconds(of: $0.period) } ?? 86_400_000
                let since = max(0, context.now.milliseconds(since: end))
                membership = .lapsed(days: Int(clamping: since / day))
            }
        }
        hasUsedIntroductory =
            found.offerUses[OfferUse.Key(.introductory(group), by: account)] != nil
    }
}

extension SubscriptionPeriod {
    /// With 30 to a month and 365 to a year.
    var days: Int {
        switch unit {
        case .day: value
        case .week: value.multipliedClamped(by: 7)
        case .month: value.multipliedClamped(by: 30)
        case .year: value.multipliedClamped(by: 365)
        }
    }
}
