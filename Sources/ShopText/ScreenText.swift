package import StoreModel

/// Every text of the screens, by key. A `Language` has the words of each. The arguments are values,
/// so that each language can order and inflect them in its own way.
package indirect enum ScreenText: Hashable, Sendable {
    // MARK: Header and list
    case shopName, shopView, console, opening, anotherShopDelivers, anotherDeliversShort
    case failuresQueued(Int)
    case signedOut, keySignIn, keySignOut
    case signInQuestion, signInToBuyQuestion(name: String), signInButton
    case signInNote(account: String, environment: String)
    case refundReasonLine(RefundReason), keyReason
    case promotedLine, promotedState
    case keyContinue, keyDropPromoted
    case offline, offlineLine(asOf: String), offlineAsOf(String), keyNetworkOn, keyNetworkOff
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
    case waitsForYouDiskFull, diskIsFull, notAsAnnounced, downloadStoppedBy(String)
    case standardTheme, inUse, chosenForLater, nothingOwned
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
    case eventRenewed, eventRestored, eventDownload, eventCancelled, eventHeld, eventResent
    case eventDevice, eventTrouble
    case whenFact, productFact, priceFact, paidFact, refundFact, accountFact, deviceFact
    case tokenFact, userNameFact, territoryFact, expiresFact, originalFact, requestFact,
        paymentFact, errorFact
    case meaningFact, callFact, remainingFact, positionFact, signatureFact, verifiedFact
    case notVerifiedFact(reason: String?), payloadHeading
    case eventPurchased, eventRefunded, eventRevoked, eventReversed, eventDeleted, eventRenews
    case eventClock, eventRenewals, eventUnknown, eventDeferred, eventFailed, eventFinished
    case eventRefundRequested, eventRefundDeclined, eventPromoted
    case eventExpired, eventBilling, eventPriceIncrease, eventPlanChange, eventOffer, eventMoved
    case eventUpgraded, subscriptionEvent(SubscriptionEvent.Kind)
    case eventClaimed, eventCatalog, eventAccount, eventFailure
    case stopped, running, unknownKind(Int), claimedBy(transaction: String, device: String)
    case revision(Int64)
    case packageIs(package: String, PackageState)
    case accountAskToBuy(isOn: Bool), accountPayments(areAllowed: Bool)
    case eventFamily, sharedByFact, sharedBy(account: String), sharedByLine(account: String)
    case sentence(String)
    case familyEvent(FamilyChange.What, organizer: String, product: String)
    case familyLine(members: String), familyOrganizer(String), familyChild(String)
    case noticeLine(AccountNotice.Kind, subject: String, accounts: String)
    case accountAsksBank(isOn: Bool), accountInterrupts(isOn: Bool)
    case accountDialogs(isOn: Bool), accountLocale(String?)
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
    case askedBy(item: String, account: String), offerApprove(String), offerDecline(String)
    case offerClearFailure(String)
    case offerRefund(name: String), offerRefundPart(name: String, percent: Int)
    case offerRefundUnused(name: String), offerRevoke(name: String), offerReverse(name: String)
    case offerDelete(name: String), offerDeleteAll(name: String)
    case offerAutoRenew(name: String, isOn: Bool)
    case offerRenew(name: String), offerExpire(name: String), offerResolveBilling(name: String)
    case offerPriceIncrease(name: String, PriceIncreaseStep)
    case offerExtend(name: String, days: Int), offerExtendAll(name: String, days: Int)
    case offerCancelSubscription(name: String), offerBilling(fails: Bool), offerGrace(isOn: Bool)
    case offerClockStop, offerClockResume, offerClockAdvance(String), offerClockTo(String)
    case offerClockNext, offerRealTime, offerRate(of: String, time: String)
    case offerRateOfAll(time: String)
    /// `after`: the number of purchases that a restore returns before it fails.
    case offerFailure(Fault.Call, String, after: Int?)
    case offerAskToBuy(isOn: Bool), offerPayments(isOn: Bool)
    case offerBank(isOn: Bool), offerInterrupts(isOn: Bool), offerResolve(String)
    case offerDialogs(isOn: Bool), offerLocale(language: String?)
    case offerFamily(FamilyAction, product: String)
    case offerDeclineRefund(name: String), offerBuyOutside(name: String), offerPromote(name: String)
    case offerPublish(name: String), offerTakeOff(name: String)
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
    case versionFact, firstVersionFact, numberFact
    case helpHistory, helpDetails, helpFilter
    case helpQuestion, helpEverywhere

    // MARK: Messages: a purchase
    case items(Int, name: String)
    case itemFor(item: String, price: String)
    case about(name: String, text: String)

    // MARK: Messages: downloads

    // MARK: Messages: what the store changed
    case overdue(since: String)
    case offerHostPackage
    case offerPackage(name: String, package: String, PackageState)

    // MARK: The tour
    case tourStep(Int, of: Int)
    case tourStates, tourPage, tourSheet, tourPaid, tourConsole, tourApproved, tourFollowed
    case tourLibrary, tourReader, tourTakingBack, tourRefunded
    case tourOpenKey(name: String), tourBuyKey, tourPayKey, tourConsoleKey, tourApproveKey
    case tourShopKey, tourLibraryKey, tourReadKey, tourCloseBookKey, tourRefundKey,
        tourRefundAtConsoleKey, tourLeaveKey

    // MARK: Why a key does nothing
}
