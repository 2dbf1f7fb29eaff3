package import StoreModel

// The texts that commands print for persons, by key. `--help`, usage errors and JSON have no keys
// here: they are English in every language.

/// The titles of the columns of lists, and the words in their cells.
package enum ColumnText: Hashable, Sendable {
    case columnPeriod, columnRole, columnShares, columnSharedBy
    case columnTransaction, columnDate, columnProduct, columnIdentifier, columnPrice, columnState
    case columnWaitsFor, columnRequest, columnAsked, columnAccount, columnDevice, columnPayment,
        columnQueued
    case columnPackage, columnVersion, columnSize, columnPath, columnCount, columnCall, columnError
    case columnCurrency, columnSold, columnSales, columnRefunded, columnNumber
    case columnDay, columnTerritory, columnQuantity, columnProceeds
    case columnNotice, columnValue, columnAccounts, noticeKind(AccountNotice.Kind)
    case columnTrial, columnArea, columnTitle, columnEvidence
    case columnEvent, columnDetail, columnOffer, columnTerms, columnCodes
    case waitsFor(RequestReason), waitsForRefund(reason: String), refundAskedState, refundReason(
        RefundReason)
    /// What the app's backend has said of a purchase.
    case backendSays(ConsumptionAnswer)
    /// The event of a transaction that this device could not verify.
    case eventUnverified
    /// A failure of every call, shown in place of a count.
    case countEvery
    case restoredRow, hereRow, deliveredRow, unfinishedState, until(String), renews(String),
        subscriptionGraceEnds(date: String)
    case sharedByFamily, deliveredOn(device: String)
    case refundedOn(part: String?, date: String), revokedOn(part: String?, date: String)
    case upgradedOn(date: String)
    /// An entitlement whose signed text cannot be read.
    case unverifiedState(reason: String)
}

/// Lines about purchases, queued payments and what is owned.
package indirect enum PurchaseLineText: Hashable, Sendable {
    // MARK: Buying
    case changeTakenBackLine(name: String, next: String)
    case boughtLine(item: String, price: String, transaction: String, isLeft: Bool)
    case planForLaterLine(name: String, transaction: String, from: String?)
    case billingPlanForLaterLine(name: String, BillingPlanType, transaction: String, from: String?)
    case offerForLaterLine(name: String, transaction: String, from: String?)
    case autoRenewOnAgainLine(name: String), ownedLineFor(name: String, transaction: String)
    case takenBackLineFor(name: String, transaction: String, date: String, isRefunded: Bool)
    case pendingLine(name: String, request: String, RequestReason), joinedRequestLine
    case claimedElsewhereLine(device: String), notBelievedLine(reason: String)
    case unknownLine(name: String, cause: String?, command: String)
    case stillPendingLine(cause: String?), notDeliveredLine(cause: String?)
    case notCompleteLine(item: String, product: String, isPaused: Bool)
    case interruptedLine(name: String)
    case notTried([String]), soldButNotDelivered(device: String)
    case productInvalid(String), paymentsOffFor(account: String)

    // MARK: Queued payments
    case sendingAgainLine(item: String, age: String)
    case sentAgainSold(item: String, transaction: String)
    case notSentLine(item: String, age: String, advice: PurchaseLineText)
    case buyOrDrop(buy: String, drop: String)
    case noPaymentsQueued, beingSent, notAnswered, heldNotSent, ago(String)
    case soldUnfinished(transaction: String)
    case droppedLine(String), droppedFailed(String)
    case notDroppedSold(payment: String, transaction: String)
    case notDroppedPending(payment: String, request: String)
    case noPromoted, promotedDropped(String)

    // MARK: What is owned
    case unverifiedUnfinished(transaction: String, reason: String)
    case unverifiedNotRestored(Int), nothingNew, restoredCount(Int), consumablesNotRestored
    case afterRestored(Int), restoredBeforeFailure(Int), restoreLostNothing
    case deliveredCount(Int), undeliveredLine(Int, deliver: String)
    case unclaimedLine(Int, claim: [String])
    case noHistory, nothingSold(account: String), nothingFound, allFinished
    case finishedLine(String), finishedBefore(String), anotherDevicesLine(String)
    case finishQueued(String), claimedLine(transaction: String, device: String)
    case unreadableEntitlement(transaction: String, product: String, reason: String)
    case unlocksLine([String], hasProducts: Bool, asOf: String, until: String?)
    case noEntitlements, purseEmpty, purseNotCurrent, spentLine(Int64, unit: String, left: Int64)
    case noValues, valueChanged(key: String, isSent: Bool)
}

/// Lines about downloads and packages of content.
package enum DownloadLineText: Hashable, Sendable {
    // MARK: Packages of content
    case packedLine(path: String, files: Int, bytes: Int64, packed: Int64)
    case packageProblem(path: String?, found: String, expected: String)
    case packageInvalidLine(problems: Int)
    case packageValidLine(product: String, package: String, files: Int, bytes: Int64)
    /// The line with the address on which the app's own server listens; scripts read the address.
    case servingLine(address: String, products: Int)
    case noPackages, bytes(Int64)
    case updateLine(product: String, package: String, from: String, to: String, bytes: Int64)
    case noUpdates, upToDate(String), lookAtTerritory(code: String)
    case noDownloadFaults(device: String), downloadFaults(device: String, DownloadFaults)
    case contentOpenAlready(package: String)
    case noContentHere, contentRemoved(product: String, package: String, bytes: Int64)
    case spaceLine(ContentSpace)

    // MARK: Watching
    case downloadsGoOn(names: [String])
    case watchingLine(device: String, delivers: Bool), watchDelivers
    case watchDownload, watchProblem

    // MARK: Downloads
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
}

/// Lines about subscriptions, offers and issues.
package enum SubscriptionLineText: Hashable, Sendable {
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
    case subscriptionRetried(price: String?), subscriptionPays(date: String, price: String?)
    case subscriptionCommitment(Int, of: Int, until: String)
    case subscriptionProblem(SubscriptionProblem, transaction: String, product: String)
    case timeline(SubscriptionTimeline.What), timelineUntil(String), timelineFrom(String)
    case timelineFromUntil(String, String)
    case expiredAtRenewalLimit, activeFromUntil(String, String), activeFrom(String)
    case renewsAs(product: String, to: String)
    case noIssues, issueToRead, issueNotOwned
    case noOffers(product: String), offerAppliesByItself
}

/// Lines about the store, its accounts, requests, devices and clock.
package enum StoreLineText: Hashable, Sendable {
    // MARK: The operator's actions, done
    case noFamilyLine(account: String), noFamiliesLine, noNoticesLine
    case noSharesLine(account: String), sharesNothing(account: String, product: String)
    case familyRole(FamilyRole, isOrganizer: Bool), familyShares(all: Bool, keptBack: String)
    case doneWithdrawn(String), doneRefundRequested(String), noRefundRequested
    case doneClockStopped, doneClockRunning, doneNowIs(String), doneRenewed(Int, orMore: Bool)
    case doneRenewals, doneRate(String), doneBilling(fails: Bool), doneGrace(isOn: Bool)
    case doneRenewalLimit(RenewalsChange.Limit, inDay: Bool)
    case happened(product: String, what: String, account: String)

    case noTakings, noRequestsLine, noRequestsToAnswer(account: String), nothingWasWaiting
    case requestNotSold(request: String, reason: String)
    case signedInAs(account: String, environment: String), signedOutOf(account: String)
    case signInPrompt(account: String, environment: String)
    case networkIsOn(device: String), networkIsOff(device: String, time: String?)
    case networkOffAfterPayment(device: String), networkIsSlow(device: String, time: String)
    case offlineSince(String)
    case clockIs(date: String, isStopped: Bool)
    case nextOnClock(date: String, UpcomingItem.Kind, product: String, account: String, isDue: Bool)
    case renewingUntil(String, at: String)
    case deviceGoesOn(device: String, account: String, unknownSales: Int), notBehind
    /// `devices` is the number of accounts' devices, `bytes` what all of the store takes.
    case resetTells(store: String, devices: Int, bytes: Int64, catalog: String)
    case resetPrompt, resetDone(store: String), resetDeclined, noStoreToReset(store: String)
    case store(WholeStoreText)
    case waitingForLock(process: String?), migrating(percent: Int)
    case clockBehind(seconds: Int64), outputLost(reason: String)
    /// Nil without a backend of the app.
    case reportsTo(address: String?, waiting: Int)
    /// The app's list of products is the one that its backend gave at this date.
    case listOf(date: String)

    // MARK: The store's own server
    /// The line with the address on which it listens; scripts read the address.
    case serverListening(address: String)
    /// Requests whose lines nobody has read in time.
    case requestsNotListed(Int)
    case apiKeyMade(id: String, issuer: String, file: String?), apiKeyRevoked(id: String)
    case noAPIKeys, apiKeyState(isRevoked: Bool)
    case notification(NotificationText)
}

/// Lines about what a command reads and checks: catalogs, signed texts and receipts.
package indirect enum DocumentLineText: Hashable, Sendable {
    // MARK: Catalogs
    case catalogNotWritten(path: String), catalogSets(CatalogSettings, renewals: RenewalRate?)
    /// The catalog's settings that were changed in the store since the catalog was loaded.
    case catalogSettingsOverruled(CatalogSettings, renewals: RenewalRate?)
    case catalogWarnings(Int), moreWarnings(Int, path: String)
    case catalogExported(path: String, products: Int)
    case noStoreToCompare(path: String)
    case catalogInvalid(errors: Int, warnings: Int), catalogValid(products: Int, warnings: Int)
    case catalogSellsNothing(warnings: Int)
    case problem(severity: String, place: String, found: String, expected: String)
    case inFile, lineAndColumn(place: String, line: Int, column: Int?)
    case severityError, severityWarning, didYouMean(String)
    case catalogNotTaken(path: String), catalogUnusable(path: String), checkItWith
    case andMore(Int)

    // MARK: Signed texts and receipts
    case verificationReason(VerificationError)
    case kindTransaction, kindReceipt, kindAppTransaction, kindRenewalInfo, kindRevocationList,
        kindManifest,
        kindOther
    case verifiedLine(kind: DocumentLineText)
    case notVerifiedLine(kind: DocumentLineText, VerificationError)
    case consistentLine(kind: DocumentLineText), noRootPinned
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
