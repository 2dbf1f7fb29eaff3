extension English {
    static func text(_ text: PaymentText) -> String {
        switch text {
        case .quantityKeys: "1 to 10; type a number, or + and -"
        case .thePriceHasChanged: "The price has changed."
        case .cancelIsChosen: "Cancel is chosen"
        case .each(let count, let price): "\(count) × \(price)"
        case .forYourPurse(let amount, let unit, let now, let after):
            "\(amount) \(unit) for your purse: \(now) now, \(after) after"
        case .pays: "Pays"
        case .noMoneyMoves(let environment): "\(environment): you won't be charged"
        case .termsFact: "Offer"
        case .noOffer: "none, the usual price"
        case .termsOf(let number, let count): "\(number) of \(count)"
        case .paidBy: "Paid"
        case .paidUpFront: "up front"
        case .paidMonthly(let count): "by the month, \(count) payments"
        case .paymentsOf(let count, let price, let whole): "\(count) payments of \(price), \(whole)"
        case .afterLength(let length, let price): "\(price) after \(length)"
        case .commitmentNote:
            "You commit to all payments: without auto-renew it ends after the last."
        case .offAfterCommitment(let day): "off, paid until \(day)"
        case .codeFact: "Code"
        case .redeemTitle: "Redeem an offer code"
        case .redeemNote: "Looking it up redeems nothing; you confirm afterwards."
        case .lookingUpCode: "Looking it up"
        case .paymentNumber(let number, let count, let day):
            "\(number) of \(count), committed until \(day)"
        case .withCommitment(let price): "or \(price), with a commitment"
        case .sharedAlreadyNote(let account):
            "\(account) shares this with you; buying it charges you too"
        case .sharedAlreadyShort(let account): "\(account) shares it already"
        case .productionSimulated: "Production, simulated: you won't be charged"
        case .productionSimulatedShort: "Production, simulated"
        case .approval: "Approval"
        case .organizerMustApprove: "Your family organizer must approve this"
        case .organizerMustApproveShort: "your organizer decides"
        case .askedByFact: "Asked by"
        case .anAppHere: "an app on this device"
        }
    }
}
