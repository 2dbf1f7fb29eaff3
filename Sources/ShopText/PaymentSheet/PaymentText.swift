/// The payment sheet, and the sheet that redeems a code.
package enum PaymentText: Hashable, Sendable {
    case quantityKeys, thePriceHasChanged, cancelIsChosen, each(Int, price: String)
    case forYourPurse(Int64, unit: String, now: Int64, after: Int64), pays
    case noMoneyMoves(environment: String), termsFact, noOffer, termsOf(Int, of: Int), paidBy
    case paidUpFront, paidMonthly(count: Int), paymentsOf(count: Int, price: String, whole: String)
    case afterLength(length: String, price: String), commitmentNote, offAfterCommitment(day: String)
    case codeFact, redeemTitle, redeemNote, lookingUpCode
    case paymentNumber(Int, of: Int, until: String), withCommitment(price: String)
    case sharedAlreadyNote(account: String), sharedAlreadyShort(account: String)
    case productionSimulated, productionSimulatedShort, approval, organizerMustApprove
    case organizerMustApproveShort, askedByFact, anAppHere
}
