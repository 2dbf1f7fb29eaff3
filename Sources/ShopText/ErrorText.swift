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
    case acceptPrivacyNotice, otherTerritory, seePrice, newPaymentID, listPayments
    /// `expire`: the transaction with which the subscription can be ended; nil if no command can
    /// end it.
    case waitForEnd(expire: String?)
    case buyOrRestoreCommand, buyOrRestoreKey, listTransactions, listRequests, listFaults,
        listRefundRequests
    case answerCommand(request: String, reason: RequestReason)
    case publishCommand(product: String)
    case checkCatalog, signInCommand(account: String?), signInKey
    case downloadAgain, resumeCommand(product: String), makeRoomAndResume, restoreFromCopy
    case tryWhenEnded, restorePurchasesCommand, restorePurchasesKey, acceptStore
    case useStoreOfDevice, expected(String), letItGoOn, makeWritable, makeRoom
    case askAgain(payment: String), lookOrAskAgain, useNewerVersion, chooseLocalFolder
    case chooseStoreFolder, undoOrOtherStore, restoreOrNewStore, chooseDateInRange, dueLater,
        restoreFileOrOtherDevice
    case restoreFolderOrOther, sayEnvironment(String), giveAppAppleID, chooseOrSayWhose
    case leftToRefund(String), undoRefundCommand(String), refundAllTheSame(String), refundPart,
        refundThatFirst
    case deleteFirst(String), spendLess, newSpendID, laterDate, buySubscription, reportLine
    case reportOrTryAgain, refreshOrReport, sellContentAnew, approveOtherFirst

    // MARK: Errors: what happened
    // `account` is the account that the command named; nil for the reader's own.
    case errorCallCancelled, errorCallUnknown(cause: String?), errorAppNotEntitled, errorNewerEntry
    case errorNotInThisTerritory(product: String?, account: String?)
    case errorOwnedBefore(product: String, account: String?)
    case errorRequestEnded(request: String, account: String, date: String, end: String)
    case errorNothingToRefund(String)
    case errorPromotedNotHeld(product: String), listPromoted
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
    case errorOfferIncomplete, errorOfferSignature(reason: String?)
    case errorPriceChanged(product: String)
    case errorPaymentMismatch(field: String, expected: String, found: String)
    case errorPaymentNotQueued(String), errorAlreadyOwned(product: String, account: String?)
    case errorSubscriptionActive(plan: String?, account: String?)
    case errorNotEntitled(product: String), errorNoRequest(String)
    case errorNoTransaction(String, account: String?)
    case errorNoTransactionHere(String), listAllTransactions
    case errorNoFault(String), errorRequestWithdrawn
    case errorNotAnswerable(request: String, reason: RequestReason?)
    case errorAlreadyInFamily(account: String, organizer: String), errorNotInFamily(String)
    case errorFamilyFull(organizer: String, count: String), errorNotForOrganizer(String)
    case errorNotOrganizer(account: String, organizer: String?), errorChildAsks(String)
    case errorNotShareable(product: String), errorSharedPurchase(String, owner: String)
    case errorOperatorOnly(String), leaveFamilyFirst(String), createFamilyFirst
    case organizerAnswers(String), operatorAnswers, changeRoleFirst(String)
    case changeSaleInstead(String), leaveMemberFirst, familyShareableField
    case ownerAsksForRefund(String), buyItAgain
    case errorSharedAlready(product: String, owner: String, account: String?)
    case errorNoOrganizer(account: String, organizer: String), joinOrganizer(String)
    case createFamilyOf(String)
    case errorRefundAnswered(String, date: String, isRefunded: Bool)
    case errorNoRefundRequest(String), errorDuplicateRefund(String?), errorRefundRequest(String?)
    case errorBadSignature, errorBadChain, errorRevokedCertificate, errorOtherDevice
    case errorNoSignedText, errorMissingProperties
    case errorNoContent(product: String, place: String?, cause: String?)
    case errorContentMismatch(product: String, place: String?)
    case errorPackageInvalid(place: String?, found: String)
    case errorPackageNotHostable(product: String, field: String, found: String)
    case errorSoldWithoutHosting(product: String)
    case errorLastPackage(product: String, package: String)
    case errorNoDownload(product: String), errorNotDownloaded(product: String, state: String)
    case errorDownloadedAlready(product: String)
    case errorNotDownloading(product: String, state: String?)
    case errorDiskFull, errorDeviceFile(place: String, cause: String?)
    case errorDeviceBusy(process: String?)
    case errorRecordAltered(product: String, transaction: String?), errorBalancesAltered
    case errorForeignRecords
    case errorStoreBehind(found: String, expected: String)
    case errorStoreDiffers(entry: String, transaction: String?)
    case errorRootChanged(place: String)
    case errorVerificationFailed(text: String, reason: VerificationError?)
    case errorSaleNotVerified(product: String?, transaction: String, reason: VerificationError?)
    case errorInvalidName(kind: String, name: String)
    case errorStoreBusy(process: String?), errorStoreReplaced
    case errorStoreReadOnly(place: String, cause: String?), errorStoreFull(place: String)
    case errorOutcomeUnknown(product: String, cause: String?)
    case errorRecordUnknown(place: String, cause: String?)
    case errorStoreNewer(place: String, found: String, expected: String)
    case errorStoreOlder(place: String), moveAwayOrNewStore
    case errorNotAStore(place: String, file: String)
    case errorStoreOnNetwork(place: String, system: String)
    case errorSoldProductChanged(product: String, field: String, expected: String, found: String)
    case errorKeysUnreadable(place: String, cause: String?), errorClockOutOfRange
    case errorDueNotRecorded(time: String, reason: String)
    case errorDeviceRecords(place: String, detail: String?, cause: String?)
    case errorStoreUnreadable(place: String, detail: String?, cause: String?)
    case errorOtherEnvironment(found: String, asked: String)
    case errorOtherAppAppleID(found: String, asked: String)
    case errorOtherApp(field: String, found: String, asked: String)
    case errorRefundTooLarge(amount: String, transaction: String)
    case errorAlreadyRefunded(String), errorNothingUnused(String), errorNotRevoked(String)
    case errorBoughtAgain(String), errorNotLastPeriod(String), errorTransactionDeleted(String)
    case errorBalance(has: String, unit: String, wanted: String)
    case errorSpendMismatch(field: String, expected: String, found: String)
    case errorClockBackwards, errorNothingDue, errorNoSubscription(SubscriptionObstacle?)
    case listSubscriptions
    case errorNoBillingIssue, errorNoPriceIncrease, errorPeriodJustBegun(String), moveClockFirst
    case errorNoBillingPlan(product: String, BillingPlanType), leaveBillingPlanOut
    case errorNextPeriodCharged(String), goToDate(String)
    case errorPriceCommitted(payment: String, of: String), askInLastPayment
    case errorContradiction(found: String?)
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
    case checkPath
    case errorFileUnreadable(place: String, cause: String?)
    case errorFileUnwritable(place: String, cause: String?)
    case resumeDownload, goOnWith(command: String), makeRoomThen(DownloadCommands?)
    case whenEndedThen(command: String?), checkCatalogThen(resume: ErrorText)
    case startWithThatStore, useThatVersion
}
