package import StoreModel

/// The texts that commands print for persons, by key. `--help`, usage errors and JSON have no keys
/// here: they are English in every language.
package indirect enum CommandText: Hashable, Sendable {
    // MARK: The operator's actions, done
    case changeTakenBackLine(name: String, next: String)
    case noFamilyLine(account: String), noFamiliesLine, noNoticesLine
    case noSharesLine(account: String)
    case columnRole, columnShares, columnSharedBy
    case familyRole(FamilyRole, isOrganizer: Bool), familyShares(all: Bool, keptBack: String)
    case doneWithdrawn(String), doneRefundRequested(String), noRefundRequested
    case doneClockStopped, doneClockRunning, doneNowIs(String), doneRenewed(Int, orMore: Bool)
    case doneRenewals, doneRate(String), doneBilling(fails: Bool), doneGrace(isOn: Bool)
    case doneRenewalLimit(RenewalsChange.Limit, inDay: Bool)
    case happened(product: String, what: String, account: String)

    // MARK: Packages of content
    case packedLine(path: String, files: Int, bytes: Int64, packed: Int64)
    case packageProblem(path: String?, found: String, expected: String)
    case packageInvalidLine(problems: Int)
    case packageValidLine(product: String, package: String, files: Int, bytes: Int64)
    /// The line with the address on which the app's own server listens; scripts read the address.
    case servingLine(address: String, products: Int)
    case noPackages, bytes(Int64)
    case updateLine(product: String, package: String, from: String, to: String, bytes: Int64)
    case noUpdates, upToDate(String)
    case noDownloadFaults(device: String), downloadFaults(device: String, DownloadFaults)
    case noContentHere, contentRemoved(product: String, package: String, bytes: Int64)
    case spaceLine(ContentSpace)

    // MARK: Columns of lists
    case columnTransaction, columnDate, columnProduct, columnIdentifier, columnPrice, columnState
    case columnWaitsFor, columnRequest, columnAsked, columnAccount, columnDevice, columnPayment,
        columnQueued
    case columnPackage, columnVersion, columnSize, columnPath, columnCount, columnCall, columnError
    case columnCurrency, columnSold, columnSales, columnRefunded, columnNumber
    case columnEvent, columnDetail
    case waitsFor(RequestReason)
    case refundReason(RefundReason)
    /// The event of a transaction that this device could not verify.
    case eventUnverified
    /// A failure of every call, shown in place of a count.
    case countEvery

    // MARK: Subscriptions
    case renewalSettings(RenewalSettings, rate: String)
    case noSubscriptions, subscriptionState(RenewalState)
    /// A subscription revoked without a refund, shown in place of `subscriptionState`.
    case subscriptionRevoked
    case subscriptionNeverEnds
    case subscriptionRenews(date: String, price: String?, product: String?)
    case subscriptionRenewedAhead(date: String, until: String, price: String?)
    case subscriptionEnds(date: String), subscriptionEnded(ExpirationReason?)
    case subscriptionEndsNotForSale(date: String), subscriptionEndedAtLimit
    /// The planned change that follows the date before it.
    case subscriptionThen(product: String?, BillingPlanType?), billingPlanName(BillingPlanType)
    case subscriptionGraceEnds(date: String), subscriptionRetried(price: String?)
    case subscriptionPays(date: String, price: String?)
    case subscriptionCommitment(Int, of: Int, until: String)
    case subscriptionProblem(SubscriptionProblem, transaction: String, product: String)
    case timeline(SubscriptionTimeline.What), timelineUntil(String), timelineFrom(String)
    case timelineFromUntil(String, String)
    case expiredAtRenewalLimit, activeFromUntil(String, String), activeFrom(String)
    case renewsAs(product: String, to: String)

    case noIssues, issueToRead, issueNotOwned

    // MARK: Offers
    case noOffers(product: String), columnOffer, columnTerms, columnCodes
    case offerAppliesByItself, offerForLaterLine(name: String, transaction: String, from: String?)

    // MARK: The command line: watching
    case downloadsGoOn(names: [String])
    case watchingLine(device: String, delivers: Bool), watchDelivers
    case watchDownload, watchProblem

    // MARK: The command line: buying
    case boughtLine(item: String, price: String, transaction: String)
    case planForLaterLine(name: String, transaction: String, from: String?)
    case billingPlanForLaterLine(
        name: String, BillingPlanType, transaction: String, from: String?)
    case autoRenewOnAgainLine(name: String)
    case ownedLineFor(name: String, transaction: String)
    case pendingLine(name: String, request: String, RequestReason)
    case claimedElsewhereLine(device: String), notBelievedLine(reason: String)
    case unknownLine(name: String, cause: String?, command: String)
    case stillPendingLine(cause: String?), notDeliveredLine(cause: String?)
    case interruptedLine(name: String)
    case notTried([String]), soldButNotDelivered(device: String)
    case sendingAgainLine(item: String, age: String)
    case sentAgainSold(item: String, transaction: String)
    case notSentLine(item: String, age: String, advice: CommandText)
    case buyOrDrop(buy: String, drop: String)

    // MARK: The command line: lists
    case productInvalid(String), paymentsOffFor(account: String)
    case signedInAs(account: String, environment: String), signedOutOf(account: String)
    case signInPrompt(account: String, environment: String)
    case noPaymentsQueued, beingSent, notAnswered, heldNotSent, ago(String)
    case droppedLine(String), droppedFailed(String)
    case notDroppedSold(payment: String, transaction: String)
    case notDroppedPending(payment: String, request: String)
    case joinedRequestLine
    case unverifiedUnfinished(transaction: String, reason: String)
    case restoredRow, hereRow, unverifiedNotRestored(Int), nothingNew, restoredCount(Int)
    case noDownloads, nobodyDownloads
    case staysPaused(product: String), downloadedAlready(String)
    /// A download has received no bytes for `seconds`; `isElsewhere` if another process runs it.
    case standsStill(product: String, seconds: Int, isElsewhere: Bool)
    /// No download is left, but a purchase is not delivered or not finished.
    case salesStayOpen(seconds: Int)
    case updateCancelledLine(String, version: String)
    case besideUpdate(version: String, state: String)
    case downloadSettings(DeviceSettings)
    case waitsForConsent(product: String, bytes: Int64), askMetered(product: String, bytes: Int64)
    case finishCancels(product: String, package: String)
    case bytesToDownload(Int64), bytesOf(Int64, Int64)
    case downloadState(Download.State), downloadNotWorkedOn, downloadNeedsConsent
    case downloadWaitsForRoom
    case noHistory
    case nothingSold(account: String), nothingFound, allFinished, until(String), renews(String)
    case sharedByFamily, sharesNothing(account: String, product: String)
    case afterRestored(Int), restoredBeforeFailure(Int), restoreLostNothing
    case deliveredOn(device: String), refundedOn(part: String?, date: String)
    case revokedOn(part: String?, date: String), upgradedOn(date: String)
    case finishedLine(String), finishedBefore(String), anotherDevicesLine(String)
    case finishQueued(String), networkIsOn(device: String)
    case networkIsOff(device: String, time: String?), networkOffAfterPayment(device: String)
    /// An entitlement whose signed text cannot be read.
    case unverifiedState(reason: String)
    case unreadableEntitlement(transaction: String, product: String, reason: String)
    case consumablesNotRestored
    case noPromoted, promotedDropped(String)
    case offlineSince(String)
    case unlocksLine([String], hasProducts: Bool, asOf: String, until: String?)
    case noEntitlements, purseEmpty, purseNotCurrent, spentLine(Int64, unit: String, left: Int64)
    case claimedLine(transaction: String, device: String)
    case noRequestsLine, noRequestsToAnswer(account: String)
    case clockIs(date: String, isStopped: Bool)
    case catalogNotWritten(path: String)
    case nextOnClock(date: String, UpcomingItem.Kind, product: String, account: String, isDue: Bool)
    case renewingUntil(String, at: String), requestNotSold(request: String, reason: String)
    case deviceGoesOn(device: String, account: String, unknownSales: Int), notBehind
    case catalogSets(CatalogSettings, renewals: RenewalRate?)
    /// The catalog's settings that were changed in the store since the catalog was loaded.
    case catalogSettingsOverruled(CatalogSettings, renewals: RenewalRate?)
    case catalogWarnings(Int), moreWarnings(Int, path: String)
    case catalogExported(path: String, products: Int)
    case noStoreToCompare(path: String)
    case catalogInvalid(errors: Int, warnings: Int), catalogValid(products: Int, warnings: Int)
    case problem(severity: String, place: String, found: String, expected: String)
    case inFile, lineAndColumn(place: String, line: Int, column: Int?)
    case severityError, severityWarning, didYouMean(String)
    case catalogNotTaken(path: String), catalogUnusable(path: String), checkItWith
    case andMore(Int)
    case waitingForLock(process: String?), migrating(percent: Int)
    case clockBehind(seconds: Int64), outputLost(reason: String)
    case nothingWasWaiting

    // MARK: Signed texts and receipts
    case verificationReason(VerificationError)
    case kindTransaction, kindReceipt, kindAppTransaction, kindRenewalInfo, kindRevocationList,
        kindManifest,
        kindOther
    case verifiedLine(kind: CommandText), notVerifiedLine(kind: CommandText, VerificationError)
    case consistentLine(kind: CommandText), noRootPinned
    case partHeader, partCertificates, partPayload, notDecoded
    /// Findings are in quotation marks.
    case noSignedText(place: String, found: String), noCertificates(place: String)
    case standardInput, thisText
    case certificateLeaf, certificateIntermediate, certificateRoot, certificateOther
    case certificateValid(from: String, until: String), certificateSerial(String)
    case certificateMarkers([String]), certificateIsPinned
    case receiptPath, receiptCreated, receiptKind, receiptApp, receiptState, receiptIsVerified
    case receiptExpired(String), receiptRevoked(String), receiptEmpty
    case receiptRefreshed(count: Int), receiptMissing, appTransactionRefreshed(number: String)
    case appTransactionNumber, appVersion, appSince
}
