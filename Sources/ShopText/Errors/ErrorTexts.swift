import StoreModel

/// A sentence about an error, by the part of the program that it is of.
package enum ErrorSentence: Hashable, Sendable {
    case buying(BuyingErrorText), sale(SaleErrorText), store(StoreErrorText)
    case download(DownloadErrorText), advice(AdviceText)
}

/// The texts of an error whose sentences depend on its cause or on the reader; of any other error
/// the languages tell them (`Language.message(about:)`). Nothing else chooses what a person reads
/// about an error. An unknown code, from a newer store, gets a sentence that names the code.
package struct ErrorTexts: Hashable, Sendable {
    package var happened: ErrorSentence
    /// Nil if nothing could be lost.
    package var kept: KeptText?
    /// Nil if no step is left.
    package var next: ErrorSentence?

    private init(_ happened: ErrorSentence, _ kept: KeptText?, _ next: ErrorSentence?) {
        self.happened = happened
        self.kept = kept
        self.next = next
    }

    init(_ happened: BuyingErrorText, kept: KeptText? = .nothingChanged, next: AdviceText? = nil) {
        self.init(.buying(happened), kept, next.map { .advice($0) })
    }

    init(_ happened: SaleErrorText, kept: KeptText? = .nothingChanged, next: AdviceText? = nil) {
        self.init(.sale(happened), kept, next.map { .advice($0) })
    }

    init(_ happened: StoreErrorText, kept: KeptText? = .nothingChanged, next: AdviceText? = nil) {
        self.init(.store(happened), kept, next.map { .advice($0) })
    }

    init(
        _ happened: DownloadErrorText, kept: KeptText? = .nothingChanged,
        next: DownloadErrorText? = nil
    ) {
        self.init(.download(happened), kept, next.map { .download($0) })
    }

    static func texts(for facts: ErrorFacts) -> ErrorTexts {
        purchase(facts) ?? offers(facts) ?? afterPurchase(facts) ?? family(facts)
            ?? device(facts) ?? store(facts)
            ?? ErrorTexts(
                .errorUnnamed(code: facts.error.code.rawValue, cause: facts.error.cause),
                kept: facts.error.paymentID == nil ? .nothingChanged : .nothingCharged,
                next: .reportOrTryAgain)
    }

    /// For an error of which the languages tell the rest (`Language.message(about:)`).
    static func kept(_ error: StoreError) -> KeptText {
        switch error.code {
        case .invalidSignature, .invalidCertificateChain, .revokedCertificate,
            .invalidDeviceVerification, .invalidEncoding, .missingRequiredProperties:
            .unlocksNothing
        // Only an error of a download names a product.
        case .deviceFull: error.productID == nil ? .notRecorded : .partialKept
        case .contentUnavailable, .deviceUnreadable: .purchaseKept
        case .contentMismatch: .thrownAway
        case .dueNotRecorded, .extendedInPart, .deliveredTwice, .deliveredLate,
            .deliveredOutOfOrder, .deliveredAfterAnswer, .notDelivered, .lateAnswer, .cutOffAnswer:
            .nothingSoldIsLost
        case .insufficientBalance, .spendMismatch: .nothingSpent
        case .rootChanged: .nothingBelieved
        case .soldProductChanged: .lastCatalogSells
        case .storeFull: .notRecorded
        case .transactionDeleted: .nothingCharged
        default: .nothingChanged
        }
    }

    // MARK: - Buying

    private static func purchase(_ facts: ErrorFacts) -> ErrorTexts? {
        let error = facts.error
        // A fault that the operator set made another call than a purchase fail.
        let call = error.subject.flatMap(Fault.Call.init(rawValue:))
        let chosen: ErrorTexts? =
            switch error.code {
            case .userCancelled where call != nil: ErrorTexts(.errorCallCancelled)
            case .userCancelled: ErrorTexts(.errorCancelled)
            case .paymentInvalid where error.reason == .billingPlan:
                ErrorTexts(
                    .errorNoBillingPlan(
                        product: facts.product, BillingPlanType(name: facts.found) ?? .upFront),
                    next: facts.isOnScreen ? nil : .leaveBillingPlanOut)
            case .paymentInvalid: ErrorTexts(.errorPaymentInvalid, next: .checkPayment)
            case .privacyAcknowledgementRequired:
                ErrorTexts(.errorPrivacyNotice, next: .acceptPrivacyNotice)
            case .purchaseNotAllowed:
                ErrorTexts(
                    .errorPaymentsNotAllowed(account: facts.account),
                    next: facts.isForCustomers
                        ? nil
                        : facts.isOnScreen
                            ? .allowPaymentsKey : .allowPaymentsCommand(account: facts.account))
            case .notSignedIn:
                ErrorTexts(
                    .errorNotSignedIn(account: facts.place, environment: facts.found),
                    next: facts.isOnScreen
                        ? .signInKey(facts.key(.signIn))
                        : .signInCommand(account: facts.account))
            case .productUnavailable: unavailable(facts)
            case .invalidQuantity:
                ErrorTexts(
                    .errorQuantity(product: facts.product, found: error.found?.text),
                    next: error.expected == 1.figure
                        ? .onlyOne : .useQuantity(error.expected?.text ?? "1 to 10"))
            case .notAvailableInStorefront where error.found == nil:
                ErrorTexts(
                    .errorNotInThisTerritory(
                        product: facts.product == "?" ? nil : facts.product, account: facts.account),
                    next: .otherTerritory)
            case .notAvailableInStorefront:
                ErrorTexts(
                    .errorNotInTerritory(product: facts.product, territory: facts.found),
                    next: .otherTerritory)
            case .unsupported where error.reason == .ownServer:
                ErrorTexts(.errorOwnServer(product: facts.product))
            case .unsupported: ErrorTexts(.errorUnsupported)
            case .networkError where error.isNetworkOff:
                ErrorTexts(
                    .errorOffline,
                    next: facts.isOnScreen
                        ? .turnNetworkOnKey(facts.key(.network))
                        : .turnNetworkOnCommand(
                            device: error.found?.text ?? "DEVICE", account: facts.account))
            case .networkError: ErrorTexts(.errorNetwork, next: .tryAgain)
            case .systemError: ErrorTexts(.errorSystem(cause: error.cause), next: .tryAgain)
            // One with a cause is no fault that was set on purpose.
            case .unknown where call != nil || error.cause != nil && error.paymentID == nil:
                ErrorTexts(.errorCallUnknown(cause: error.cause), next: .tryAgain)
            case .unknown: ErrorTexts(.errorUnknown(cause: error.cause), next: .tryAgain)
            case .paymentDeclined: ErrorTexts(.errorPaymentDeclined, next: .payAnotherWay)
            case .requestWithdrawn: ErrorTexts(.errorRequestWithdrawn)
            case .approvalDeclined: ErrorTexts(.errorApprovalDeclined)
            case .priceChanged:
                ErrorTexts(.errorPriceChanged(product: facts.product), next: .seePrice)
            case .paymentMismatch:
                ErrorTexts(
                    .errorPaymentMismatch(
                        field: error.subject ?? "content", expected: facts.expected,
                        found: facts.found), next: .newPaymentID)
            case .alreadyOwned where error.paymentID == nil && error.transactionID != nil:
                ErrorTexts(.errorOwnedBefore(product: facts.product, account: facts.account))
            case .alreadyOwned:
                ErrorTexts(.errorAlreadyOwned(product: facts.product, account: facts.account))
            case .subscriptionActive:
                ErrorTexts(
                    .errorSubscriptionActive(plan: error.subject, account: facts.account),
                    next: error.found == nil
                        ? nil
                        : .waitForEnd(
                            expire: facts.isOnScreen ? nil : error.transactionID?.description))
            // StoreKit's own meaning; a device refuses a download with the other one.
            case .notEntitled where error.paymentID != nil || error.productID == nil || call != nil:
                ErrorTexts(.errorAppNotEntitled)
            case .notEntitled:
                ErrorTexts(
                    .errorNotEntitled(product: facts.product),
                    next: facts.isOnScreen
                        ? .buyOrRestoreKey(facts.key(.restore)) : .buyOrRestoreCommand)
            default: nil
            }
        guard var texts = chosen else { return nil }
        // An action of the operator never charges, whatever its error.
        let chargesNobody = error.code == .productUnavailable && error.reason == .operator
        texts.kept =
            switch call {
            case nil where error.code == .paymentMismatch && error.transactionID != nil:
                .nothingMoreCharged(facts.transaction)
            case nil where error.isOfNoPurchase: error.isNetworkOff ? nil : .nothingChanged
            case .purchase?, nil: chargesNobody ? .nothingChanged : .nothingCharged
            case .refundRequest?: .nothingChanged
            case _?: nil
            }
        return texts
    }

    /// Of a product that is not sold here.
    private static func unavailable(_ facts: ErrorFacts) -> ErrorTexts {
        let error = facts.error
        return switch error.reason {
        case .availableFrom?:
            ErrorTexts(.errorNotYetSold(product: facts.product, date: facts.foundDate))
        case .availableUntil?:
            ErrorTexts(.errorSaleEnded(product: facts.product, date: facts.foundDate))
        case .publicationState?:
            ErrorTexts(
                .errorNotPublished(product: facts.product, state: facts.found),
                next: facts.isOnScreen
                    ? nil : .publishCommand(product: error.productID?.rawValue ?? "ID"))
        case _ where facts.isOnScreen: ErrorTexts(.errorNoLongerSold(name: facts.product))
        default:
            ErrorTexts(
                .errorNoProduct(product: facts.product),
                next: error.expected.map { .didYouMean($0.text) } ?? .listProducts)
        }
    }

    private static func offers(_ facts: ErrorFacts) -> ErrorTexts? {
        let happened: BuyingErrorText
        switch facts.error.code {
        case .ineligibleForOffer:
            happened = .errorIneligible(
                facts.error.subject.flatMap { OfferRefusal(rawValue: $0) })
        // The app's server does not sign an offer for this account; a purchase's error names the
        // offer.
        case .invalidOfferIdentifier where facts.error.reason == .introductory:
            happened = .errorNoIntroductoryOffer(product: facts.product)
        case .invalidOfferIdentifier:
            happened = .errorNoOffer(
                name: facts.error.found?.text,
                product: facts.error.productID.map { _ in facts.product })
        case .invalidOfferPrice: happened = .errorOfferPrice
        case .missingOfferParameters: happened = .errorOfferIncomplete
        case .invalidOfferSignature:
            happened = .errorOfferSignature(
                reason: facts.error.subject.flatMap { OfferSignatureFault(rawValue: $0) })
        default: return nil
        }
        let signsOnly = [.operator, .introductory].contains(facts.error.reason)
        // An injected failure names no offer, and the product may have none.
        let isOfOffer = facts.error.subject != nil || facts.error.found != nil
        let next: AdviceText? =
            facts.isOnScreen || !isOfOffer
            ? nil : facts.error.productID.map { .listOffers(product: $0.rawValue) }
        return ErrorTexts(
            happened, kept: signsOnly ? .nothingChanged : .nothingCharged, next: next)
    }

    /// The advice about an approval request that has been answered or withdrawn.
    private static func afterRequest(_ facts: ErrorFacts) -> AdviceText? {
        switch facts.expected {
        case EventKind.sold.rawValue: facts.isOnScreen ? nil : .refundInstead(facts.transaction)
        case SubscriptionEvent.Kind.planChangePlanned.rawValue,
            SubscriptionEvent.Kind.offerRedeemed.rawValue:
            nil
        default: .askAgainByBuying
        }
    }

    // MARK: - After buying

    private static func afterPurchase(_ facts: ErrorFacts) -> ErrorTexts? {
        let (error, id) = (facts.error, facts.transaction)
        let reason = RequestReason(rawValue: facts.found)
        let obstacle = error.subject.flatMap(SubscriptionObstacle.init)
        return switch error.code {
        case .transactionNotFound where error.reason == .operator:
            ErrorTexts(.errorNoTransactionHere(id), next: .listAllTransactions)
        case .transactionNotFound:
            ErrorTexts(
                .errorNoTransaction(id, account: facts.account),
                next: .listTransactions)
        case .requestNotPending where error.found != nil:
            ErrorTexts(
                .errorRequestEnded(
                    request: id, account: facts.place, date: facts.foundDate,
                    end: facts.expected), next: afterRequest(facts))
        case .requestNotPending: ErrorTexts(.errorNoRequest(id), next: .listRequests)
        case .notAnswerable:
            ErrorTexts(
                .errorNotAnswerable(request: id, reason: reason),
                next: reason == nil
                    ? .listRequests
                    : facts.isOnScreen
                        ? nil : reason.map { .answerCommand(request: id, reason: $0) })
        case .refundNotRequested where error.found != nil:
            ErrorTexts(
                .errorRefundAnswered(
                    id, date: facts.foundDate,
                    isRefunded: facts.expected == EventKind.refunded.rawValue),
                next: facts.isOnScreen
                    ? nil
                    : facts.expected == EventKind.refunded.rawValue
                        ? .undoRefundCommand(id)
                        : .refundAllTheSame(id))
        case .refundNotRequested:
            ErrorTexts(
                .errorNoRefundRequest(id),
                next: facts.isOnScreen ? nil : .listRefundRequests)
        case .refundRequestFailed where error.reason == .price:
            ErrorTexts(.errorNothingToRefund(id))
        case .refundRequestFailed:
            ErrorTexts(.errorRefundRequest(error.transactionID?.description), next: .tryAgain)
        case .noSubscription:
            ErrorTexts(
                .errorNoSubscription(obstacle),
                next: obstacle == .neverRenews ? .listSubscriptions : nil)
        case .packageNotHostable where error.reason == .soldWithoutHosting:
            ErrorTexts(
                .errorSoldWithoutHosting(product: facts.product), kept: .packageNotTaken,
                next: .sellContentAnew)
        case .packageNotHostable where error.reason == .lastPackage:
            ErrorTexts(
                .errorLastPackage(product: facts.product, package: facts.found),
                next: .approveOtherFirst)
        case .packageNotHostable:
            ErrorTexts(
                .errorPackageNotHostable(
                    product: facts.product, field: error.subject ?? "package", found: facts.found),
                next: error.expected.map { .expected($0.text) })
        case .contentServerFailed:
            ErrorTexts(
                DownloadErrorTexts.server(error),
                next: [.portTaken, .portForbidden].contains(error.serverFailure)
                    ? .chooseOtherPort : nil)
        case .contentRefused: ErrorTexts(DownloadErrorTexts.server(error))
        case .downloadNotFound where error.subject != nil:
            ErrorTexts(
                .errorNoSuchPackage(product: facts.product, package: error.subject ?? ""),
                next: error.expected.map { .expected($0.text) })
        case .downloadNotFound:
            error.found.map {
                ErrorTexts(.errorNotDownloaded(product: facts.product, state: $0.text))
            }
                ?? ErrorTexts(
                    .errorNoDownload(product: facts.product),
                    next: .resumeCommand(product: error.productID?.rawValue ?? "ID"))
        case .downloadNotActive where facts.found == Download.State.finished.rawValue:
            ErrorTexts(.errorDownloadedAlready(product: facts.product))
        case .downloadNotActive:
            ErrorTexts(.errorNotDownloading(product: facts.product, state: error.found?.text))
        default: nil
        }
    }

    // MARK: - Families

    private static func family(_ facts: ErrorFacts) -> ErrorTexts? {
        let error = facts.error
        let account = error.subject ?? "?"
        return switch error.code {
        // The error names no acting account: the account given as organizer has no family.
        case .notOrganizer where error.found == nil:
            error.expected.map {
                ErrorTexts(
                    .errorNoOrganizer(account: account, organizer: $0.text),
                    next: facts.isOnScreen ? nil : .joinOrganizer($0.text))
            }
                ?? ErrorTexts(
                    .errorNotOrganizer(account: account, organizer: nil),
                    next: facts.isOnScreen ? nil : .createFamilyOf(account))
        case .notOrganizer:
            ErrorTexts(
                .errorNotOrganizer(account: account, organizer: error.expected?.text),
                next: facts.isOnScreen ? nil : error.expected.map { .organizerAnswers($0.text) })
        case .sharedPurchase where error.reason == .refund:
            ErrorTexts(
                .errorSharedPurchase(facts.transaction, owner: facts.found),
                next: .ownerAsksForRefund(facts.found))
        case .sharedAlready:
            ErrorTexts(
                .errorSharedAlready(
                    product: facts.product, owner: facts.found, account: facts.account),
                kept: .nothingCharged, next: .buyItAgain)
        case .sharedPurchase:
            ErrorTexts(
                .errorSharedPurchase(facts.transaction, owner: facts.found),
                next: error.expected.map { .changeSaleInstead($0.text) })
        default: nil
        }
    }

    // MARK: - The device

    private static func device(_ facts: ErrorFacts) -> ErrorTexts? {
        let error = facts.error
        return switch error.code {
        case .deviceBusy:
            ErrorTexts(
                .errorDeviceBusy(process: error.found?.text),
                kept: error.found == nil ? .nothingChanged : .purchaseKept,
                next: error.found == nil ? .tryWhenEnded : .letItGoOn)
        case .backendFailed:
            ErrorTexts(
                .errorBackend(
                    error.serverFailure, address: facts.place, cause: error.cause,
                    report: error.transactionID?.description),
                kept: error.transactionID == nil ? .reportsWait : .purchaseKept,
                next: facts.isOnScreen ? nil : .lookAtBackend)
        case .recordAltered where error.reason == .anotherDevice:
            ErrorTexts(
                .errorForeignRecords, kept: .unlocksNothing,
                next: facts.isOnScreen
                    ? .restorePurchasesKey(facts.key(.restore))
                    : .restorePurchasesCommand)
        case .recordAltered where error.productID == nil && error.reason != .balances:
            ErrorTexts(
                .errorKeptAltered(name: error.subject ?? ""), kept: .notUsed,
                next: .goOnlineForAnother)
        case .recordAltered where error.productID == nil:
            ErrorTexts(.errorBalancesAltered, kept: .addedUpAgain)
        case .recordAltered:
            ErrorTexts(
                .errorRecordAltered(
                    product: facts.product, transaction: error.transactionID?.description),
                kept: .unlocksNothing,
                next: facts.isOnScreen
                    ? .restorePurchasesKey(facts.key(.restore))
                    : .restorePurchasesCommand)
        case .storeBehind where facts.found == facts.expected || error.transactionID != nil:
            ErrorTexts(
                .errorStoreDiffers(
                    entry: facts.expected, transaction: error.transactionID?.description),
                kept: .notChargedNotSold, next: .acceptStore)
        case .storeBehind:
            ErrorTexts(
                .errorStoreBehind(found: facts.found, expected: facts.expected),
                kept: .notChargedNotSold, next: .acceptStore)
        // A restore delivers a transaction again; any other signed text is refreshed.
        case .verificationFailed where error.transactionID != nil:
            ErrorTexts(
                .errorSaleNotVerified(
                    product: error.productID.map { _ in facts.product },
                    transaction: facts.transaction,
                    reason: VerificationError(rawValue: facts.found)),
                kept: .unlocksNothing,
                next: facts.isOnScreen
                    ? .restorePurchasesKey(facts.key(.restore))
                    : .restorePurchasesCommand)
        case .verificationFailed:
            ErrorTexts(
                .errorVerificationFailed(
                    text: facts.place, reason: VerificationError(rawValue: facts.found)),
                kept: .nothingBelieved, next: .refreshOrReport)
        default: nil
        }
    }

    // MARK: - The store itself

    private static func store(_ facts: ErrorFacts) -> ErrorTexts? {
        let error = facts.error
        let (place, cause) = (facts.place, error.cause)
        return switch error.code {
        case .invalidName:
            ErrorTexts(
                error.reason == .unknownDevice
                    ? .errorNoDevice(error.found?.text ?? "")
                    : .errorInvalidName(
                        kind: error.subject ?? "name", name: error.found?.text ?? ""),
                kept: nil, next: error.expected.map { .expected($0.text) })
        case .storeBusy:
            ErrorTexts(
                .errorStoreBusy(process: error.found?.text),
                next: error.found == nil ? .tryAgain : .letItGoOn)
        case .outcomeUnknown:
            error.paymentID.map {
                ErrorTexts(
                    .errorOutcomeUnknown(product: facts.product, cause: cause),
                    kept: .nothingSoldIsLost, next: .askAgain(payment: $0.description))
            }
                ?? ErrorTexts(
                    .errorRecordUnknown(place: place, cause: cause), kept: .nothingSoldIsLost,
                    next: .lookOrAskAgain)
        case .storeNewer where error.found == nil:
            ErrorTexts(.errorNewerEntry, next: .useNewerVersion)
        case .storeNewer:
            ErrorTexts(
                .errorStoreNewer(place: place, found: facts.found, expected: facts.expected),
                next: .useNewerVersion)
        case .storeOlder where error.found != nil:
            ErrorTexts(.errorOlderReadOnly(place: place), next: .openToWriteOrCopy)
        case .storeOlder:
            ErrorTexts(.errorStoreOlder(place: place), next: .moveAwayOrNewStore)
        case .storeOfAnotherApp: ofAnotherApp(facts)
        case .storeUnreadable where place.hasSuffix("/device.sqlite"):
            ErrorTexts(
                .errorDeviceRecords(place: place, detail: error.found?.text, cause: cause),
                kept: .purchaseKept, next: .restoreFileOrOtherDevice)
        case .storeUnreadable:
            ErrorTexts(
                .errorStoreUnreadable(place: place, detail: error.found?.text, cause: cause),
                next: DatabaseAddress.isAddress(place)
                    ? error.expected.map { .expected($0.text) } ?? .restoreDatabaseOrOther
                    : .restoreFolderOrOther)
        default: nil
        }
    }

    /// Any part of the identity may differ from the store's, not only the app.
    private static func ofAnotherApp(_ facts: ErrorFacts) -> ErrorTexts {
        let (found, asked) = (facts.found, facts.expected)
        return switch facts.error.reason {
        case .environment:
            ErrorTexts(
                .errorOtherEnvironment(found: found, asked: asked), next: .sayEnvironment(found))
        case .appAppleID:
            ErrorTexts(.errorOtherAppAppleID(found: found, asked: asked), next: .giveAppAppleID)
        default:
            ErrorTexts(
                .errorOtherApp(
                    field: facts.error.subject ?? "identity", found: found, asked: asked),
                next: .chooseOrSayWhose)
        }
    }
}

extension StoreError {
    /// The error of a payment names it. Any other is of a call that an offline or signed-out device
    /// refused, of content, or of an operator's action.
    fileprivate var isOfNoPurchase: Bool {
        guard paymentID == nil else { return false }
        return isNetworkOff || reason == .content || code == .notSignedIn
            || code == .systemError && (cause != nil || productID == nil)
            || code == .unknown && cause != nil
            || code == .productUnavailable && reason == .operator
    }
}
