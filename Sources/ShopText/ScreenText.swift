package import StoreModel

/// Every text of the screens, by key. A `Language` has the words of each. The arguments are values,
/// so that each language can order and inflect them in its own way.
package indirect enum ScreenText: Hashable, Sendable {
    // MARK: Header and list
    case shopName, shopView, console, opening, anotherShopDelivers, anotherDeliversShort
    case failuresQueued(Int)
    case signedOut, keySignIn, keySignOut, nowSignedIn(account: String), nowSignedOut
    case signInQuestion, signInToBuyQuestion(name: String), signInButton
    case signInNote(account: String, environment: String)
    case refundReasonLine(RefundReason), keyReason
    case operatorOnly(account: String)
    case promotedDroppedMessage(name: String), nothingPromoted, promotedLine, promotedState
    case keyContinue, keyDropPromoted, consumablesStay
    case offline, offlineLine(asOf: String), offlineAsOf(String), keyNetworkOn, keyNetworkOff
    case networkIsBack, networkIsCut, networkCutsNext
    case offerNetworkCut(seconds: Int64), offerNetworkCutNext, networkAlias
    case loadingProducts, productsNotLoaded, nothingForSale, noProductFound, choosePlan,
        paymentsAreOff
    case moreProducts(Int, names: String), position(Int, of: Int)
    case consumables, oneTimePurchases, subscriptions, passes
    case saving(percent: Int), endSearch
    case welcome, welcomeShort
    case inPurse(Int64), owed(Int64), owedOf(Int64, unit: String)
    case restorePurchases, restoring
    case tooSmall(size: String, needed: String), tooSmallShort(size: String, needed: String)
    case needs(String)

    // MARK: The library
    case libraryView, onThisDevice, notOnThisDevice, subscriptionsAndPasses, appearance
    case downloadsHeading, downloadsRunning(Int, of: Int), ownedDownloadCancelled
    case downloadsWaitForRoom(Int)
    case updateOnItsWay(version: String)
    case updateAvailable(version: String, size: String), updateAvailableShort(version: String)
    case updateLine(installed: String, offered: String, size: String), update
    case waitingForConsent(size: String), meteredConnection
    case meteredQuestion(name: String, size: String), meteredNote, notNow
    case fetchQuestion(name: String, size: String), fetchNote
    /// `needed` and `free` are nil if they are unknown.
    case makeRoomQuestion(name: String, needed: String?, free: String?)
    /// `removable` is nil if no other content can be removed.
    case makeRoomNote(removable: String?), makeRoomButton, tryAgainButton
    case makingRoomMessage(name: String), meteredIsOn(size: String), meteredIsOff
    case roomMadeMessage(name: String, packages: Int, size: String)
    /// The reason why a download waits, in a sentence.
    case waitsForConsentLine(size: String), waitsForRoomLine(needed: String?), waitsForNetworkLine
    case waitsForYouDiskFull, diskIsFull, notAsAnnounced, downloadStoppedBy(String)
    case standardTheme, inUse, chosenForLater, themeIsKept, nothingOwned
    case since(day: String), balanceOf(Int64, unit: String)
    case unlocksFact, unlocksNames(String), themeNamed(String), appFeature

    // MARK: The reader
    case contentsOf(name: String), originalLanguage
    case needsNewerVersion
    case openingFile, emptyFile, textIsCut, contentIsDeleted
    case fileOf(Int, of: Int, path: String)
    case picture(format: String, pixels: String?, size: String), otherFile(size: String)

    // MARK: Types and periods
    case consumable, oneTimePurchase, subscription, pass
    case freeSubscription(group: String)
    case renewingSubscription(group: String, Int, SubscriptionPeriod.Unit)
    case passOf(length: String)
    case perPeriod(Int, SubscriptionPeriod.Unit), perPeriodShort(Int, SubscriptionPeriod.Unit)
    case lengthOfTime(Int, SubscriptionPeriod.Unit)
    case shortSeconds(Int64), shortMinutes(Int64), shortHours(Int64), shortDays(Int64)
    case dayAndTime(day: String, time: String)
    case downloadOf(size: String)

    // MARK: Offers
    case offerFree(length: String), offerPerPeriod(price: String, length: String)
    case offerUpFront(price: String, Int, SubscriptionPeriod.Unit), offerThen(
        first: String, price: String)
    case offerName(OfferKind), offerMode(OfferMode), offerRefused(OfferRefusal)
    case offerAvailable, offerWithCode, offerAfterPayment, offerAtOnceOnly
    case listSeparator

    // MARK: Buttons
    case free, get, cancel, back, pause, resume, download, cancelDownload, deleteDownload
    case openConsole, read, receipt, use, useStandardTheme
    case resolvePurchase, withdraw, withdrawQuestion(name: String), withdrawNote, keepWaiting
    case askForRefund, refundQuestion(name: String), refundNote, keepIt
    case buyFor(price: String), askToBuyFor(price: String)

    // MARK: The state of a product, in its row
    case buying, waitingForApproval, waitingForBank, interrupted, waiting, pausedAt(percent: Int),
        paused
    case ownedDownloadFailed, downloadFailedShort, failedShort
    case ownedNotDownloaded, owned, restored, ownedElsewhere, ownedElsewhereShort
    case awaitingApproval, awaitingBank, approvalShort, bankShort
    case yours, later, newPriceShort
    case yourPlan, yourPlanRenews(day: String), renewsOn(day: String)
    case yourPlanUntil(day: String), untilDay(day: String)
    case afterYourPlan, afterYourPlanEnds(day: String), fromDay(day: String)
    case fromAppServer
    case waitingToDownload, downloading, waitingForNetwork
    case declined, takenBack, notAllowed, noConnection, notAvailable, priceHasChanged
    case storeNotReached
    case reasonNotCharged(String)

    // MARK: The state of a product, in a sentence on its page
    case storeIsDeciding, waitingForApprovalLine(mayUseConsole: Bool)
    case waitingForBankLine(mayUseConsole: Bool), interruptedLine
    case downloadIsPaused, theDownloadFailed, ownedNotDownloadedLine
    case ownedAndRestored, ownedLine, ownedAndDownloaded, ownedElsewhereLine
    case renewsLine(day: String, price: String), passUntilLine(day: String)
    case subscriptionEndsLine(day: String), subscriptionNeverEnds
    case otherPlanLine(name: String), otherPlanUntilLine(name: String, day: String)

    // MARK: Subscriptions
    case yourPlanEnds(day: String), endsOn(day: String), nextPlanFrom(day: String)
    case changeAtOnce(PlanChange.Kind), changeFrom(PlanChange.Kind, day: String)
    case changeShort(PlanChange.Kind)
    case paymentFailsUntil(day: String), unpaidUntil(day: String), unpaid, noAccess, billingProblem,
        newPrice, cannotRenew
    case answerPriceBy(day: String), cannotRenewEnds(day: String)
    case expiredOn(day: String?), refundedOn(day: String?), revokedOn(day: String?)
    case changesLine(day: String, name: String, price: String?)
    case paymentFailsLine(day: String), graceLine(day: String?), retryingLine
    case sharedGraceLine(day: String?), sharedRetryingLine
    case priceIncreaseLine(day: String, price: String?), notForSaleLine(day: String)
    case priceConsentLine(day: String, price: String)
    case expiredAtLimitLine(day: String?)
    case expiredLine(ExpirationReason?, day: String?), refundedLine(day: String?)
    case revokedLine(day: String?)
    case plannedLine(name: String, day: String)
    case changeLine(PlanChange.Kind, from: String, day: String?, refund: String?)
    case perMonthPrice(String), comparedFact
    case chargedNow, nothingCharged, givenBack, givenBackOf(price: String, name: String)
    case aboutPrice(String), priceFrom(price: String, day: String)
    case planEndsNow(name: String), yourPlanFact, planUntil(name: String, day: String)
    case then, planFrom(name: String, price: String, day: String), takenBackFact
    case renewsFor(day: String, price: String), changePlan, keepThisPlan, turnRenewalOn
    case manageSubscription, keySubscription, helpSubscription
    case needsAttention, endedHeading
    case periodFact, periodFromTo(String, String), nextRenewalFact, noRenewal,
        noRenewalNotForSale
    case renewalOn(day: String, name: String, price: String)
    case renewalWhenPaid(name: String, price: String?)
    case subscriberSince, plansHeading, timelineHeading, noTimeline
    case payNow, acceptPrice, declinePrice, keepPlan(name: String), cancelSubscription
    case subscribeAgain, sharedPlanLine(account: String?), sharedNoMoreLine(account: String?)
    case sharedBefore(account: String)
    case stopRenewingQuestion(name: String), stopRenewingNote(day: String?)
    case declinePriceQuestion(name: String), declinePriceNote(day: String?)
    case payNowQuestion(name: String, price: String?), payNowNote
    case changingPlanTo(name: String), claiming(name: String)
    case subscriptionMessage(SubscriptionEvent, name: String, next: String?, day: String?)
    case autoRenewMessage(name: String, isOn: Bool, day: String?)
    case alreadyYourPlan(name: String), alreadyPlanned(name: String, day: String)
    case noSubscriptionYet

    // MARK: The page
    case type, content, transaction, pageDownForMore, offers, family, familyCanShare
    case issuesHeading, issueHere, issueNotDownloaded, issueNotIncluded, issueWithPurchase
    case purchaseHeading, includedHeading, boughtFact, activity
    case boughtOn(device: String, when: String)
    case verifiedTransaction(String)
    case progressOf(received: String, total: String), timeLeft(String)

    // MARK: The payment sheet
    case quantity, quantityKeys, thePriceHasChanged, cancelIsChosen
    case each(Int, price: String), forYourPurse(Int64, unit: String, now: Int64, after: Int64)
    case pays, noMoneyMoves(environment: String)

    // MARK: Offers and billing plans on the payment sheet
    case termsFact, noOffer, takeOffer, termsOf(Int, of: Int)
    case paidBy, paidUpFront, paidMonthly(count: Int)
    case paymentsOf(count: Int, price: String, whole: String)
    case afterLength(length: String, price: String)
    case commitmentNote, offAfterCommitment(day: String), codeFact, startTrial
    case redeemTitle, redeemNote, lookingUpCode, keyRedeem, keyTerms, helpRedeem
    case billingFact, paymentNumber(Int, of: Int, until: String)
    case withCommitment(price: String)
    case keyRenew, keyExpire, keyFailRenewals, keyPayRenewals
    case expireQuestion(name: String), expireNote, expireButton
    case sharedAlreadyNote(account: String), sharedAlreadyShort(account: String)
    case productionSimulated, productionSimulatedShort
    case approval, organizerMustApprove, organizerMustApproveShort

    // MARK: Questions
    case cancelDownloadQuestion(name: String), cancelDownloadNote, keepDownloading
    case deleteQuestion(name: String), deleteNote, keepDownload

    // MARK: The console
    case askToBuy, payments, failures, clockSwitch, networkSwitch, on, off, allowed, forbidden
    case approvals, approvalKeys, noRequests, events, noEvents
    case failuresHeading, failureKeys, failureTimes(Int?, isNext: Bool)
    case renewalsSwitch, realTime, rateOf(String, time: String), billingFails, gracePeriod
    case nextOnTheClock, clockKeys(isStopped: Bool), inTime(String)
    case upcomingKind(UpcomingItem.Kind)

    // MARK: The event logs
    case historyView, historyHeading, eventsOfAllTime, eventCount(Int), readingEvents
    case noEventMatches, noEventMatchesYet, moreInHistory(Int)
    case groupAll, groupSales, groupChanges, groupDelivery, groupStore, groupDevice
    case eventName(EventKind), eventRenewed, eventRestored, eventDownload, eventHeld, eventResent
    case eventDevice, eventTrouble
    case whenFact, productFact, priceFact, paidFact, refundFact, accountFact, deviceFact
    case tokenFact, userNameFact, territoryFact, expiresFact, originalFact, requestFact,
        paymentFact, errorFact
    case meaningFact, callFact, remainingFact, positionFact, signatureFact, verifiedFact
    case notVerifiedFact(reason: String?), payloadHeading
    case subscriptionEvent(SubscriptionEvent.Kind)
    case stopped, running, unknownKind(Int), claimedBy(transaction: String, device: String)
    case revision(Int64)
    case packageIs(package: String, PackageState)
    case accountSwitch(AccountSwitch, isOn: Bool), accountLocale(String?)
    case sharedByFact, sharedBy(account: String), sharedByLine(account: String)
    case sharedMessage(name: String), sentence(String)
    case familyEvent(FamilyChange.What, organizer: String, product: String)
    case familyLine(members: String), familyOrganizer(String), familyChild(String)
    case noticeLine(AccountNotice.Kind, subject: String, accounts: String)
    case clockMoved(by: String, to: String), clockMovedMessage(String)
    case noSuchKind(String, names: String), noSuchProduct(String, example: String?)
    case noSuchDay(String), noSuchField(String, fields: String)
    case filterByKind, filterByProduct, filterByAccount, filterSince
    case failureForNext(error: String, call: Fault.Call, count: Int?)
    case failureUsedUp(error: String), callName(Fault.Call)
    case failureLeft(error: String, count: Int?)
    case failNextCalls(Fault.Call, Int?), thisProduct, more(Int)

    // MARK: The palette
    case aRequest, aPurchase, aSubscription, aProduct, nameOfAccount(name: String, account: String)
    case typeToFilter, nothingMatches, really(String), enterAgain, enterAgainShort
    case askedBy(item: String, account: String)
    case offerBilling(fails: Bool), offerGrace(isOn: Bool)
    case offerRealTime, offerRate(of: String, time: String), offerRateOfAll(time: String)
    case offerBandwidth(String), offerLatency(milliseconds: Int64)
    case offerTrouble(DownloadFaults.Trouble, DownloadFaults.Place, name: String), atByte(Int64)
    case offerClearDownloadFaults

    // MARK: Keys
    case keyCancel, keyOpen, keyBuy, keyRestore, keyConsole, keyShop, keyBack, keyPause, keyResume
    case keyDownload, keyUpdate, keyUpdateAll, keyMeteredOn, keyMeteredOff, keyCancelDownload,
        keyDeleteDownload,
        keyMove, keyUp, keyDown, keyPageUp
    case keyPageDown, keyFirst, keyLast, keyPreviousButton, keyNextButton, keySearch
    case keyClearSearch, keyKeepSearch, keyNext, keyPrevious, keyActivate, keyChoose, keyQuantity
    case keyApprove, keyDecline, keyAskToBuy, keyFailNext, keyClearFailures
    case keyPayments, keyActions, keyDo, keyHowMany, keyCall, keyMouseOff, keyMouseOn, keySuspend,
        keyQuit,
        keyHelp
    case helpShop, helpPage, helpSheet, helpSearch, helpConsole, helpFailure, helpPalette
    case helpLibrary, helpReader, keyLibrary, keyUse, keyPreviousChapter, keyNextChapter
    case keyNextTitle, nextTitle(name: String), nextTitleFor(name: String, state: String)
    case keyContents, keyLanguage, helpChapters
    case keyHistory, keyFilter, keyKinds, keyInspect, keyCopyIdentifier, keyCopySigned, keyClaim
    case keyNeighbours, keyRemoveFailure, keyClockNext, keyStopClock, keyResumeClock
    case keyReceipt, keyRefresh, helpReceipt, receiptTitle, noReceipt, receiptPurchases,
        receiptEmpty
    case appTransactionTitle, receiptTypeFact, receiptKind(String), appFact, madeFact, revokedFact,
        fileFact
    case versionFact, firstVersionFact, numberFact, copiedReceipt, notCopiedReceipt
    case helpHistory, helpDetails, helpFilter
    case helpQuestion, helpEverywhere

    // MARK: Messages: a purchase
    case askingFor(name: String)
    case bought(item: String, price: String?), boughtElsewhere(item: String, price: String?)
    case receiptLine(transaction: String)
    case itIsDownloading, itIsDownloaded
    case items(Int, name: String)
    case itemFor(item: String, price: String)
    case hasRenewed(name: String, until: String?)
    case alreadyOwnedMessage(name: String), pendingMessage(name: String), cancelledMessage
    case pendingAtBankMessage(name: String), interruptedMessage(name: String)
    case refundRequestedMessage(name: String), refundDeclinedMessage(name: String)
    case promotedMessage(name: String)
    case about(name: String, text: String)
    case outcomeUnknownMessage(name: String)
    case sendingAgain(item: String, time: String), notSent(item: String, time: String)
    case notVerified(reason: String?)
    case restoringMessage, nothingToRestore, allIsHere, restoredMessage(Int)
    case spaceDownloads(Int)
    case couldNotBeVerified(Int), restoreFailed(reason: String)

    // MARK: Messages: downloads
    case downloadedMessage(name: String), downloadPausedMessage(name: String)
    case downloadingMessage(name: String), downloadCancelledMessage(name: String)
    case deletedHereMessage(name: String), updateCancelledMessage(name: String, version: String)
    case updateFoundMessage(name: String, version: String, size: String)
    case updatesFoundMessage(name: String, more: Int), updatingAllMessage(Int)
    case faultsOfDownloads(DownloadFaults), noFaultsOfDownloads

    // MARK: Messages: what the store changed
    case approvedMessage(name: String), declinedMessage(name: String)
    case refundedMessage(name: String), revokedMessage(name: String)
    case refundReversedMessage(name: String), removedMessage(name: String)
    case expiryMovedMessage(name: String), upgradedMessage(name: String)
    case clockStopped(at: String), clockSet(to: String), clockSetBack(by: String)
    case overdue(since: String)
    case askToBuyIsOn, askToBuyIsOff, paymentsAllowed, paymentsForbidden
    case noFailures
    case packagesOnCommandLine, offerHostPackage
    case priceChangedMessage(name: String), catalogChanged, catalogRefused(problem: String)
    case thisShopDelivers, cannotWatch, storeWasReplaced, mouseOn, mouseOff

    // MARK: The tour
    case tourStep(Int, of: Int)
    case tourStates, tourPage, tourSheet, tourPaid, tourConsole, tourApproved, tourFollowed
    case tourLibrary, tourReader, tourTakingBack, tourRefunded
    case tourOpenKey(name: String), tourBuyKey, tourPayKey, tourConsoleKey, tourApproveKey
    case tourShopKey, tourLibraryKey, tourReadKey, tourCloseBookKey, tourRefundKey,
        tourRefundAtConsoleKey, tourLeaveKey

    // MARK: Why a key does nothing
    case stillOpening, andNotCharged(ScreenText)
    case waitsAlready(name: String), buyingAlready(name: String), planIsTaken(by: String)
    case restoreItFirst(name: String)
    case noTransaction(of: String?), noSubscriptionSelected
    case noProductSelected, nothingDownloads, nothingToCancel, nothingToDelete, restoringAlready,
        nothingToUpdate, downloadIsPast,
        noRequestWaits
    case noConsole
    case noRequestSelected, nothingToCopy, nothingToClaim, nothingIsDue
    case copiedText(String), copiedSigned(transaction: String)
    case notCopiedText(String), notCopiedSigned(transaction: String)
}
