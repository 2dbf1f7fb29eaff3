import StoreModel

extension English {
    static func text(_ text: OfferText) -> String {
        switch text {
        case .offerFree(let length): "free for \(length)"
        case .offerPerPeriod(let price, let length): "\(price) for \(length)"
        case .offerUpFront(let price, 1, let unit): "\(price) for the first \(unit.rawValue)"
        case .offerUpFront(let price, let count, let unit):
            "\(price) for the first \(self.text(ProductText.lengthOfTime(count, unit)))"
        case .offerThen(let first, let price): "\(first), then \(price)"
        case .offerName(let kind):
            switch kind {
            case .introductory: "introductory offer"
            case .promotional: "promotional offer"
            case .winBack: "win-back offer"
            case .code: "offer code"
            }
        case .offerMode(let mode):
            switch mode {
            case .freeTrial: "free trial"
            case .payAsYouGo: "offer price"
            case .payUpFront: "offer, paid up front"
            }
        case .offerRefused(let reason):
            switch reason {
            case .introductoryUsed: "you had an introductory offer of this group"
            case .neverSubscribed: "for those who subscribe or did before"
            case .stillSubscribed: "for those whose subscription is over"
            case .paymentFails: "the failed payment comes first"
            case .notForNew: "not for new subscribers"
            case .notForExisting: "not for those who subscribe now"
            case .notForExpired: "not for those who subscribed before"
            case .codeUsed: "you redeemed a code of this offer"
            case .codeUsedUp: "the code was redeemed as often as it may be"
            case .paidTooShort: "you have not paid for long enough"
            case .lapsedTooShort: "your subscription ended too recently"
            case .lapsedTooLong: "your subscription ended too long ago"
            case .switchedOff: "not offered at present"
            }
        case .offerAvailable: "available"
        case .offerWithCode: "available with a code"
        case .offerAfterPayment: "once the failed payment is paid"
        }
    }
}
