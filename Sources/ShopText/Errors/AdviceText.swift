package import StoreModel

/// What to do after an error.
package enum AdviceText: Hashable, Sendable {
    case askAgainByBuying, refundInstead(String), tryAgain, payAnotherWay, checkPayment
    case allowPaymentsCommand(account: String?), allowPaymentsKey, didYouMean(String), listProducts
    case useQuantity(String), onlyOne, acceptPrivacyNotice, otherTerritory, seePrice, newPaymentID
    case listPayments
    /// `expire`: the transaction with which the subscription can be ended; nil if no command can
    /// end it.
    case waitForEnd(expire: String?)
    case buyOrRestoreCommand, buyOrRestoreKey, listTransactions, listRequests, listFaults
    case listRefundRequests, answerCommand(request: String, reason: RequestReason)
    case publishCommand(product: String), checkCatalog, signInCommand(account: String?), signInKey
    case downloadAgain, resumeCommand(product: String), makeRoomAndResume, restoreFromCopy
    case tryWhenEnded, restorePurchasesCommand, restorePurchasesKey, acceptStore, useStoreOfDevice
    case expected(String), letItGoOn, makeWritable, makeRoom, askAgain(payment: String)
    case lookOrAskAgain, useNewerVersion, chooseLocalFolder, chooseStoreFolder, undoOrOtherStore
    case restoreOrNewStore, chooseDateInRange, dueLater, restoreFileOrOtherDevice
    case restoreFolderOrOther, sayEnvironment(String), giveAppAppleID, chooseOrSayWhose
    case leftToRefund(String), undoRefundCommand(String), refundAllTheSame(String), refundPart
    case refundThatFirst, deleteFirst(String), spendLess, newSpendID, laterDate, buySubscription
    case reportLine, reportOrTryAgain, refreshOrReport, sellContentAnew, approveOtherFirst
    case listPromoted, listOffers(product: String), listAllTransactions, listSubscriptions
    case moveClockFirst, leaveBillingPlanOut, goToDate(String), askInLastPayment, turnNetworkOnKey
    case turnNetworkOnCommand(device: String, account: String?), goOnlineForAnother, checkPath
}
