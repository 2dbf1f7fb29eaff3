package import StoreModel

/// What to do after an error.
package enum AdviceText: Hashable, Sendable {
    case askAgainByBuying, refundInstead(String), tryAgain, payAnotherWay, checkPayment
    case allowPaymentsCommand(account: String?), allowPaymentsKey, didYouMean(String), listProducts
    case useQuantity(String), onlyOne, acceptPrivacyNotice, otherTerritory, seePrice, newPaymentID
    /// `expire`: the transaction by which to end the subscription; nil if no command can.
    case waitForEnd(expire: String?)
    case buyOrRestoreCommand, listTransactions, listRequests, listRefundRequests
    case answerCommand(request: String, reason: RequestReason), publishCommand(product: String)
    case signInCommand(account: String?), resumeCommand(product: String), tryWhenEnded
    case restorePurchasesCommand, acceptStore, expected(String), letItGoOn
    case askAgain(payment: String), lookOrAskAgain, useNewerVersion, moveAwayOrNewStore
    case openToWriteOrCopy
    case restoreFileOrOtherDevice, restoreFolderOrOther, restoreDatabaseOrOther
    case sayEnvironment(String), giveAppAppleID
    case chooseOrSayWhose, undoRefundCommand(String), refundAllTheSame(String), reportOrTryAgain
    case refreshOrReport, sellContentAnew, approveOtherFirst, listOffers(product: String)
    case listAllTransactions, listSubscriptions, leaveBillingPlanOut
    /// With the label of the key.
    case buyOrRestoreKey(String), restorePurchasesKey(String), signInKey(String)
    case turnNetworkOnKey(String)
    case turnNetworkOnCommand(device: String, account: String?), goOnlineForAnother
    case organizerAnswers(String), changeSaleInstead(String), ownerAsksForRefund(String), buyItAgain
    case joinOrganizer(String), createFamilyOf(String), lookAtBackend
}
