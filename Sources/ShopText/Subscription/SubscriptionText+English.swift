extension English {
    static func text(_ text: SubscriptionText) -> String {
        switch text {
        case .changesLine(let day, let name, let price):
            "Your plan until \(day), then \(name)" + (price.map { " for \($0)." } ?? ".")
        case .paymentFailsLine(let day):
            "The payment for the next period fails. You keep access until \(day); it is tried again."
        case .graceLine(let day):
            "The payment failed. "
                + (day.map { "You keep access until \($0). Pay to keep it." } ?? "Pay to keep it.")
        case .retryingLine:
            "The payment failed, and there is no access until it is paid. Pay to get it back."
        case .sharedGraceLine(let day):
            "Its owner's payment failed." + (day.map { " You keep access until \($0)." } ?? "")
        case .sharedRetryingLine:
            "Its owner's payment failed, and there is no access until it is paid."
        case .priceIncreaseLine(let day, let price):
            (price.map { "The price goes up to \($0). " } ?? "The price goes up. ")
                + "Accept it by \(day); otherwise your subscription ends then."
        case .notForSaleLine(let day):
            "This plan is not for sale any more. You have it until \(day); choose another to continue."
        case .priceConsentLine(let day, let price):
            "You are asked to accept the price of \(price) by \(day); otherwise your subscription "
                + "ends then."
        case .expiredAtLimitLine(let day):
            (day.map { "Expired \($0)" } ?? "Expired") + ": the limit of renewals was reached."
        case .expiredLine(let reason, let day):
            (day.map { "Expired \($0)" } ?? "Expired") + (reason.map { ": \(ended($0))." } ?? ".")
        case .refundedLine(let day): day.map { "Refunded \($0)." } ?? "Refunded."
        case .revokedLine(let day):
            day.map { "Revoked \($0)." } ?? "Revoked."
        case .plannedLine(let name, let day):
            "You change from \(name) to this plan on \(day). Nothing is charged before."
        case .changeLine(let kind, let name, let day?, _):
            "\(changeNoun(kind)) from \(name). It begins \(day), when the period you paid ends; nothing "
                + "is charged before."
        case .changeLine(let kind, let name, nil, let refund):
            "\(changeNoun(kind)) from \(name). It begins at once"
                + (refund.map { ", and about \($0) of \(name) is given back." }
                    ?? ", and \(name) ends.")
        case .perMonthPrice(let price): "\(price) a month"
        case .comparedFact: "Compared"
        case .chargedNow: "Charged now"
        case .nothingCharged: "nothing"
        case .givenBack: "Given back"
        case .givenBackOf(let price, let name): "about \(price) of \(name), which ends now"
        case .aboutPrice(let price): "about \(price)"
        case .priceFrom(let price, let day): "\(price) from \(day)"
        case .planEndsNow(let name): "\(name) ends now"
        case .yourPlanFact: "Your plan"
        case .planUntil(let name, let day): "\(name) until \(day)"
        case .then: "Then"
        case .planFrom(let name, let price, let day): "\(name) for \(price) from \(day)"
        case .takenBackFact: "Withdrawn"
        case .renewsFor(let day, let price): "renews \(day) for \(price)"
        case .needsAttention: "Needs your attention"
        case .endedHeading: "Ended"
        case .periodFact: "Period"
        case .periodFromTo(let from, let until): "\(from) to \(until)"
        case .nextRenewalFact: "Next renewal"
        case .noRenewal: "none: auto-renew is off"
        case .noRenewalNotForSale: "none: no longer sold"
        case .renewalOn(let day, let name, let price): "\(day), \(name) for \(price)"
        case .renewalWhenPaid(let name, let price):
            name + (price.map { " for \($0)" } ?? "") + ", as soon as the payment succeeds"
        case .subscriberSince: "Subscribed"
        case .plansHeading: "Plans"
        case .timelineHeading: "What happened"
        case .noTimeline: "Nothing yet."
        case .sharedPlanLine(let account):
            "\(account ?? "A family member") shares this with you and manages it."
        case .sharedNoMoreLine(let account):
            "\(account ?? "A family member") no longer shares this with you."
        case .billingFact: "Payment"
        }
    }
}
