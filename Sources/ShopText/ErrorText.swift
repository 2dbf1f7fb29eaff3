package import StoreModel

/// The sentences of error messages, by key: the cause, the things that are not lost, the next step.
/// `ErrorTexts` chooses the sentences of each error.
package indirect enum ErrorText: Hashable, Sendable {
    // MARK: Errors: what was not lost
    case nothingCharged, nothingMoreCharged(String), nothingChanged, purchaseKept
    case nothingSoldIsLost, nothingSpent
    case partialKept, thrownAway, unlocksNothing, lastCatalogSells, nothingBelieved
    case addedUpAgain, notChargedNotSold, notRecorded, nothingWritten, packageNotTaken

    // MARK: Errors: what to do next
    case askAgainByBuying, refundInstead(String)
    case tryAgain, payAnotherWay, checkPayment, allowPaymentsCommand(account: String?),
        allowPaymentsKey
    case didYouMean(String), listProducts, useQuantity(String), onlyOne
    case acceptPrivacyNotice, otherTerritory, seePrice, newPaymentID
    /// `expire`: the transaction with which the subscription can be ended; nil if no command can
    /// end it.
    case waitForEnd(expire: String?)
    case buyOrRestoreCommand, buyOrRestoreKey, listTransactions, listRequests, listRefundRequests
    case answerCommand(request: String, reason: RequestReason)
    case publishCommand(product: String)
    case signInCommand(account: String?), signInKey
    case resumeCommand(product: String)
    case tryWhenEnded, restorePurchasesCommand, restorePurchasesKey, acceptStore
    case expected(String), letItGoOn
    case askAgain(payment: String), lookOrAskAgain, useNewerVersion
    case restoreFileOrOtherDevice
    case restoreFolderOrOther, sayEnvironment(String), giveAppAppleID, chooseOrSayWhose
    case undoRefundCommand(String), refundAllTheSame(String)
    case reportOrTryAgain, refreshOrReport, sellContentAnew, approveOtherFirst

    // MARK: Errors: what happened
    // `account` is the account that the command named; nil for the reader's own.
    case errorCallCancelled, errorCallUnknown(cause: String?), errorAppNotEntitled, errorNewerEntry
    case errorNotInThisTerritory(product: String?, account: String?)
    case errorOwnedBefore(product: String, account: String?)
    case errorRequestEnded(request: String, account: String, date: String, end: String)
    case errorNothingToRefund(String)
    case errorCancelled, errorPaymentInvalid, errorPaymentsNotAllowed(account: String?)
    case errorNotSignedIn(account: String, environment: String)
    case errorNoProduct(product: String), errorNoLongerSold(name: String)
    case errorNotYetSold(product: String, date: String)
    case errorSaleEnded(product: String, date: String)
    case errorNotPublished(product: String, state: String)
    case errorQuantity(product: String, found: String?)
    case errorNotInTerritory(product: String, territory: String)
    case errorOwnServer(product: String), errorUnsupported, errorNetwork
    case errorSystem(cause: String?), errorUnknown(cause: String?)
    case errorPrivacyNotice, errorPaymentDeclined, errorApprovalDeclined
    case errorIneligible(OfferRefusal?), errorNoOffer(name: String?, product: String?),
        errorOfferPrice
    case errorNoIntroductoryOffer(product: String), listOffers(product: String)
    case errorOfferIncomplete, errorOfferSignature(reason: OfferSignatureFault?)
    case errorPriceChanged(product: String)
    case errorPaymentMismatch(field: String, expected: String, found: String)
    case errorAlreadyOwned(product: String, account: String?)
    case errorSubscriptionActive(plan: String?, account: String?)
    case errorNotEntitled(product: String), errorNoRequest(String)
    case errorNoTransaction(String, account: String?)
    case errorNoTransactionHere(String), listAllTransactions
    case errorRequestWithdrawn
    case errorNotAnswerable(request: String, reason: RequestReason?)
    case errorNotOrganizer(account: String, organizer: String?)
    case errorSharedPurchase(String, owner: String)
    case organizerAnswers(String)
    case changeSaleInstead(String)
    case ownerAsksForRefund(String), buyItAgain
    case errorSharedAlready(product: String, owner: String, account: String?)
    case errorNoOrganizer(account: String, organizer: String), joinOrganizer(String)
    case createFamilyOf(String)
    case errorRefundAnswered(String, date: String, isRefunded: Bool)
    case errorNoRefundRequest(String), errorRefundRequest(String?)
    case errorPackageNotHostable(product: String, field: String, found: String)
    case errorSoldWithoutHosting(product: String)
    case errorLastPackage(product: String, package: String)
    case errorNoDownload(product: String), errorNotDownloaded(product: String, state: String)
    case errorDownloadedAlready(product: String)
    case errorNotDownloading(product: String, state: String?)
    case errorDeviceBusy(process: String?)
    case errorRecordAltered(product: String, transaction: String?), errorBalancesAltered
    case errorForeignRecords
    case errorStoreBehind(found: String, expected: String)
    case errorStoreDiffers(entry: String, transaction: String?)
    case errorVerificationFailed(text: String, reason: VerificationError?)
    case errorSaleNotVerified(product: String?, transaction: String, reason: VerificationError?)
    case errorInvalidName(kind: String, name: String), errorNoDevice(String)
    case errorStoreBusy(process: String?)
    case errorOutcomeUnknown(product: String, cause: String?)
    case errorRecordUnknown(place: String, cause: String?)
    case errorStoreNewer(place: String, found: String, expected: String)
    case errorStoreOlder(place: String), moveAwayOrNewStore
    case errorDeviceRecords(place: String, detail: String?, cause: String?)
    case errorStoreUnreadable(place: String, detail: String?, cause: String?)
    case errorOtherEnvironment(found: String, asked: String)
    case errorOtherAppAppleID(found: String, asked: String)
    case errorOtherApp(field: String, found: String, asked: String)
    case errorNoSubscription(SubscriptionObstacle?)
    case listSubscriptions
    case errorNoBillingPlan(product: String, BillingPlanType), leaveBillingPlanOut
    case errorUnnamed(code: String, cause: String?)

    // MARK: Errors: downloads
    case waitsNetworkOff, goesOnOnline, errorOffline, turnNetworkOnKey
    case turnNetworkOnCommand(device: String, account: String?)
    /// `name`: the name of the stored answer or file in the device's records.
    case errorKeptAltered(name: String), notUsed, goOnlineForAnother
    case stoppedNoConnection, waitsStoreBusy, mismatch(place: String)
    /// In bytes; nil if they are unknown.
    case waitsDiskFull(needed: Int64?, free: Int64?)
    /// About content that is installed, while its record or the finish of its purchase waits.
    case hereDiskFull, hereStoreBusy, hereOffline, hereNotRecorded(detail: String)
    case makeRoomThenRun(command: String?)
    case server(ContentServerFailure?, address: String, cause: String?)
    case serverRefuses(ContentRefusal?, address: String), startServerThen(resume: ErrorText),
        chooseOtherPort
    case stoppedContent(detail: String), stoppedNotEntitled, stoppedStoreGone(detail: String)
    case stoppedFile(detail: String), startedByNewer, stopped(code: String, detail: String)
    case purchaseAndPartKept
    case resumeDownload, goOnWith(command: String), makeRoomThen(DownloadCommands?)
    case whenEndedThen(command: String?), checkCatalogThen(resume: ErrorText)
    case startWithThatStore, useThatVersion
}
