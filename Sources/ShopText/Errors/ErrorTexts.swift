import Foundation
package import StoreModel

/// A sentence about an error, by the part of the program that it is of.
package enum ErrorSentence: Hashable, Sendable {
    case buying(BuyingErrorText), sale(SaleErrorText), family(FamilyErrorText)
    case store(StoreErrorText), download(DownloadErrorText), advice(AdviceText)
}

/// The texts of an error. No other part of the program chooses what a person reads about an error.
/// An unknown code, from a newer store, gets a sentence that names the code.
package struct ErrorTexts: Hashable, Sendable {
    /// The sentence about the cause.
    package var happened: ErrorSentence
    /// The sentence about the things that are not lost; nil if nothing could be lost.
    package var kept: KeptText?
    /// The sentence about the next step; nil if no step is left.
    package var next: ErrorSentence?

    private init(_ happened: ErrorSentence, _ kept: KeptText?, _ next: ErrorSentence?) {
        self.happened = happened
        self.kept = kept
        self.next = next
    }

    init(_ happened: BuyingErrorText, kept: KeptText? = nil, next: AdviceText? = nil) {
        self.init(.buying(happened), kept, next.map { .advice($0) })
    }

    init(_ happened: SaleErrorText, kept: KeptText? = nil, next: AdviceText? = nil) {
        self.init(.sale(happened), kept, next.map { .advice($0) })
    }

    init(_ happened: FamilyErrorText, kept: KeptText? = nil, next: FamilyErrorText? = nil) {
        self.init(.family(happened), kept, next.map { .family($0) })
    }

    init(_ happened: StoreErrorText, kept: KeptText? = nil, next: AdviceText? = nil) {
        self.init(.store(happened), kept, next.map { .advice($0) })
    }

    init(_ happened: DownloadErrorText, kept: KeptText? = nil, next: DownloadErrorText? = nil) {
        self.init(.download(happened), kept, next.map { .download($0) })
    }

    /// The texts of an error. An unknown code gets a sentence that names the code.
    package static func texts(for error: StoreError, to reader: ErrorReader) -> ErrorTexts {
        let facts = Facts(error: error, reader: reader)
        return purchase(facts) ?? offers(facts) ?? afterPurchase(facts) ?? takingBack(facts)
            ?? family(facts) ?? device(facts) ?? store(facts)
            ?? ErrorTexts(
                .errorUnnamed(code: error.code.rawValue, cause: error.cause),
                kept: .nothingCharged, next: .reportOrTryAgain)
    }

    /// An error, and the words from it that its sentences need.
    private struct Facts {
        let error: StoreError
        let reader: ErrorReader

        /// The product in the reader's terms: its name on a screen, its identifier at a shell.
        var product: String {
            if case .screen(let name?, _) = reader { return name }
            return error.productID.map { "\"\($0)\"" } ?? "?"
        }
        /// The account that the advice names; nil for the reader's own.
        var account: String? { if case .shell(let account) = reader { account } else { nil } }
        var isOnScreen: Bool { if case .screen = reader { true } else { false } }
        var isForCustomers: Bool {
            if case .screen(_, namesConsole: false) = reader { true } else { false }
        }
        var place: String { error.subject ?? "?" }
        var found: String { error.found ?? "?" }
        var expected: String { error.expected ?? "?" }
        /// `found` as a date, if it is a number of milliseconds.
        var foundDate: String { foundDate(later: 0) }
        /// The first whole second not before `found`: the formatted date has no fraction of a
        /// second.
        var reachableDate: String { foundDate(later: 999) }
        private func foundDate(later: Int64) -> String {
            guard let milliseconds = error.found.flatMap({ Int64($0) }) else { return found }
            return Timestamp(milliseconds: milliseconds).advanced(byMilliseconds: later).date
                .formatted(.iso8601)
        }
        var transaction: String { error.transactionID?.description ?? "?" }
    }

    // MARK: - Buying

    private static func purchase(_ facts: Facts) -> ErrorTexts? {
        let error = facts.error
        // A fault that the operator set made another call than a purchase fail.
        let call = error.subject.flatMap(Fault.Call.init(rawValue:))
        let (happened, next): (BuyingErrorText, AdviceText?)
        switch error.code {
        case .userCancelled where call != nil: (happened, next) = (.errorCallCancelled, nil)
        case .userCancelled: (happened, next) = (.errorCancelled, nil)
        case .paymentInvalid where error.subject == "billingPlan":
            (happened, next) = (
                .errorNoBillingPlan(
                    product: facts.product,
                    BillingPlanType(name: facts.found) ?? .upFront),
                facts.isOnScreen ? nil : .leaveBillingPlanOut
            )
        case .paymentInvalid: (happened, next) = (.errorPaymentInvalid, .checkPayment)
        case .privacyAcknowledgementRequired:
            (happened, next) = (.errorPrivacyNotice, .acceptPrivacyNotice)
        case .purchaseNotAllowed:
            (happened, next) = (
                .errorPaymentsNotAllowed(account: facts.account),
                facts.isForCustomers
                    ? nil
                    : facts.isOnScreen
                        ? .allowPaymentsKey : .allowPaymentsCommand(account: facts.account)
            )
        case .notSignedIn:
            (happened, next) = (
                .errorNotSignedIn(account: facts.place, environment: facts.found),
                facts.isOnScreen ? .signInKey : .signInCommand(account: facts.account)
            )
        case .productUnavailable where error.subject == "availableFrom":
            (happened, next) = (
                .errorNotYetSold(product: facts.product, date: facts.foundDate), nil
            )
        case .productUnavailable where error.subject == "availableUntil":
            (happened, next) = (
                .errorSaleEnded(product: facts.product, date: facts.foundDate), nil
            )
        case .productUnavailable where error.subject == "publicationState":
            (happened, next) = (
                .errorNotPublished(product: facts.product, state: facts.found),
                facts.isOnScreen
                    ? nil : .publishCommand(product: error.productID?.rawValue ?? "ID")
            )
        case .productUnavailable where facts.isOnScreen:
            (happened, next) = (.errorNoLongerSold(name: facts.product), nil)
        case .productUnavailable:
            (happened, next) = (
                .errorNoProduct(product: facts.product),
                error.expected.map { .didYouMean($0) } ?? .listProducts
            )
        case .invalidQuantity:
            (happened, next) = (
                .errorQuantity(product: facts.product, found: error.found),
                error.expected == "1" ? .onlyOne : .useQuantity(error.expected ?? "1 to 10")
            )
        case .notAvailableInStorefront where error.found == nil:
            (happened, next) = (
                .errorNotInThisTerritory(
                    product: facts.product == "?" ? nil : facts.product, account: facts.account),
                .otherTerritory
            )
        case .notAvailableInStorefront:
            (happened, next) = (
                .errorNotInTerritory(product: facts.product, territory: facts.found),
                .otherTerritory
            )
        case .unsupported where error.subject == "ownServer":
            (happened, next) = (.errorOwnServer(product: facts.product), nil)
        case .unsupported: (happened, next) = (.errorUnsupported, nil)
        case .networkError where error.isNetworkOff:
            (happened, next) = (
                .errorOffline,
                facts.isOnScreen
                    ? .turnNetworkOnKey
                    : .turnNetworkOnCommand(
                        device: error.found ?? "DEVICE", account: facts.account)
            )
        case .networkError: (happened, next) = (.errorNetwork, .tryAgain)
        case .systemError: (happened, next) = (.errorSystem(cause: error.cause), .tryAgain)
        case .unknown where call != nil:
            (happened, next) = (.errorCallUnknown(cause: error.cause), .tryAgain)
        case .unknown: (happened, next) = (.errorUnknown(cause: error.cause), .tryAgain)
        case .paymentDeclined: (happened, next) = (.errorPaymentDeclined, .payAnotherWay)
        case .requestWithdrawn: (happened, next) = (.errorRequestWithdrawn, nil)
        case .approvalDeclined: (happened, next) = (.errorApprovalDeclined, nil)
        case .priceChanged:
            (happened, next) = (.errorPriceChanged(product: facts.product), .seePrice)
        case .paymentMismatch:
            (happened, next) = (
                .errorPaymentMismatch(
                    field: error.subject ?? "content", expected: facts.expected,
                    found: facts.found), .newPaymentID
            )
        case .alreadyOwned where error.paymentID == nil && error.transactionID != nil:
            (happened, next) = (
                .errorOwnedBefore(product: facts.product, account: facts.account), nil
            )
        case .alreadyOwned:
            (happened, next) = (
                .errorAlreadyOwned(product: facts.product, account: facts.account), nil
            )
        case .subscriptionActive:
            (happened, next) = (
                .errorSubscriptionActive(plan: error.subject, account: facts.account),
                error.found == nil
                    ? nil
                    : .waitForEnd(
                        expire: facts.isOnScreen ? nil : error.transactionID?.description)
            )
        // StoreKit's own meaning; a device refuses a download with the other one.
        case .notEntitled where error.paymentID != nil || error.productID == nil || call != nil:
            (happened, next) = (.errorAppNotEntitled, nil)
        case .notEntitled:
            (happened, next) = (
                .errorNotEntitled(product: facts.product),
                facts.isOnScreen ? .buyOrRestoreKey : .buyOrRestoreCommand
            )
        default: return nil
        }
        // An action of the operator never charges, whatever its error.
        let chargesNobody = error.code == .productUnavailable && error.subject == "operator"
        let kept: KeptText? =
            switch call {
            case nil where error.code == .paymentMismatch && error.transactionID != nil:
                .nothingMoreCharged(facts.transaction)
            case nil where error.isOfNoPurchase: error.isNetworkOff ? nil : .nothingChanged
            case .purchase?, nil: chargesNobody ? .nothingChanged : .nothingCharged
            case .refundRequest?: .nothingChanged
            case .loadProducts?, .verification?, .appStoreSync?, .subscriptionStatus?,
                .appTransaction?, .manageSubscriptions?, .offerCodeRedeem?:
                nil
            }
        return ErrorTexts(happened, kept: kept, next: next)
    }

    private static func offers(_ facts: Facts) -> ErrorTexts? {
        let happened: BuyingErrorText
        switch facts.error.code {
        case .ineligibleForOffer:
            happened = .errorIneligible(
                facts.error.subject.flatMap { OfferRefusal(rawValue: $0) })
        // The app's server does not sign an offer for this account; a purchase's error names the
        // offer.
        case .invalidOfferIdentifier where facts.error.subject == "introductory":
            happened = .errorNoIntroductoryOffer(product: facts.product)
        case .invalidOfferIdentifier:
            happened = .errorNoOffer(
                name: facts.error.found, product: facts.error.productID.map { _ in facts.product })
        case .invalidOfferPrice: happened = .errorOfferPrice
        case .missingOfferParameters: happened = .errorOfferIncomplete
        case .invalidOfferSignature: happened = .errorOfferSignature(reason: facts.error.subject)
        default: return nil
        }
        let signsOnly = ["operator", "introductory"].contains(facts.error.subject)
        // An injected failure names no offer, and the product may have none.
        let isOfOffer = facts.error.subject != nil || facts.error.found != nil
        let next: AdviceText? =
            facts.isOnScreen || !isOfOffer
            ? nil : facts.error.productID.map { .listOffers(product: $0.rawValue) }
        return ErrorTexts(
            happened, kept: signsOnly ? .nothingChanged : .nothingCharged, next: next)
    }

    /// The advice about an approval request that has been answered or withdrawn.
    private static func afterRequest(_ facts: Facts) -> AdviceText? {
        switch facts.expected {
        case "sold": facts.isOnScreen ? nil : .refundInstead(facts.transaction)
        case SubscriptionEvent.Kind.planChangePlanned.rawValue,
            SubscriptionEvent.Kind.offerRedeemed.rawValue:
            nil
        default: .askAgainByBuying
        }
    }

    // MARK: - After buying

    private static func afterPurchase(_ facts: Facts) -> ErrorTexts? {
        let error = facts.error
        return switch error.code {
        case .paymentNotQueued:
            ErrorTexts(
                .errorPaymentNotQueued(error.paymentID?.description ?? ""),
                kept: .nothingChanged, next: .listPayments)
        case .transactionNotFound where error.subject == "operator":
            ErrorTexts(
                .errorNoTransactionHere(facts.transaction), kept: .nothingChanged,
                next: .listAllTransactions)
        case .transactionNotFound:
            ErrorTexts(
                .errorNoTransaction(facts.transaction, account: facts.account),
                kept: .nothingChanged,
                next: .listTransactions)
        case .requestNotPending where error.found != nil:
            ErrorTexts(
                .errorRequestEnded(
                    request: facts.transaction, account: facts.place, date: facts.foundDate,
                    end: facts.expected),
                kept: .nothingChanged,
                next: afterRequest(facts))
        case .requestNotPending:
            ErrorTexts(
                .errorNoRequest(facts.transaction), kept: .nothingChanged, next: .listRequests)
        case .notAnswerable:
            RequestReason(rawValue: facts.found).map { reason in
                ErrorTexts(
                    .errorNotAnswerable(request: facts.transaction, reason: reason),
                    kept: .nothingChanged,
                    next: facts.isOnScreen
                        ? nil : .answerCommand(request: facts.transaction, reason: reason))
            }
                ?? ErrorTexts(
                    .errorNotAnswerable(request: facts.transaction, reason: nil),
                    kept: .nothingChanged, next: .listRequests)
        case .refundNotRequested where error.found != nil:
            ErrorTexts(
                .errorRefundAnswered(
                    facts.transaction, date: facts.foundDate,
                    isRefunded: error.expected == EventKind.refunded.rawValue),
                kept: .nothingChanged,
                next: facts.isOnScreen
                    ? nil
                    : error.expected == EventKind.refunded.rawValue
                        ? .undoRefundCommand(facts.transaction)
                        : .refundAllTheSame(facts.transaction))
        case .refundNotRequested:
            ErrorTexts(
                .errorNoRefundRequest(facts.transaction), kept: .nothingChanged,
                next: facts.isOnScreen ? nil : .listRefundRequests)
        case .duplicateRequest:
            ErrorTexts(
                .errorDuplicateRefund(error.transactionID?.description), kept: .nothingChanged)
        case .refundRequestFailed where error.subject == "price":
            ErrorTexts(.errorNothingToRefund(facts.transaction), kept: .nothingChanged)
        case .refundRequestFailed:
            ErrorTexts(
                .errorRefundRequest(error.transactionID?.description), kept: .nothingChanged,
                next: .tryAgain)
        case .invalidSignature: ErrorTexts(.errorBadSignature, kept: .unlocksNothing)
        case .invalidCertificateChain: ErrorTexts(.errorBadChain, kept: .unlocksNothing)
        case .revokedCertificate: ErrorTexts(.errorRevokedCertificate, kept: .unlocksNothing)
        case .invalidDeviceVerification: ErrorTexts(.errorOtherDevice, kept: .unlocksNothing)
        case .invalidEncoding: ErrorTexts(.errorNoSignedText, kept: .unlocksNothing)
        case .missingRequiredProperties:
            ErrorTexts(.errorMissingProperties, kept: .unlocksNothing)
        case .promotedNotHeld:
            ErrorTexts(
                .errorPromotedNotHeld(product: facts.product), kept: .nothingChanged,
                next: facts.isOnScreen ? nil : .listPromoted)
        case .faultNotSet:
            ErrorTexts(
                .errorNoFault(facts.found), kept: .nothingChanged,
                next: facts.isOnScreen ? nil : .listFaults)
        case .contentUnavailable:
            ErrorTexts(
                .errorNoContent(
                    product: facts.product, place: error.subject, cause: error.cause),
                kept: .purchaseKept, next: .checkCatalog)
        case .packageInvalid:
            ErrorTexts(
                .errorPackageInvalid(place: error.subject, found: facts.found),
                kept: .nothingChanged, next: error.expected.map { .expected($0) })
        case .packageNotHostable where error.subject == StoreError.soldWithoutHosting:
            ErrorTexts(
                .errorSoldWithoutHosting(product: facts.product), kept: .packageNotTaken,
                next: .sellContentAnew)
        case .packageNotHostable where error.subject == StoreError.lastPackage:
            ErrorTexts(
                .errorLastPackage(product: facts.product, package: facts.found),
                kept: .nothingChanged, next: .approveOtherFirst)
        case .packageNotHostable:
            ErrorTexts(
                .errorPackageNotHostable(
                    product: facts.product, field: error.subject ?? "package",
                    found: facts.found),
                kept: .nothingChanged, next: error.expected.map { .expected($0) })
        case .contentMismatch:
            ErrorTexts(
                .errorContentMismatch(product: facts.product, place: error.subject),
                kept: .thrownAway, next: .downloadAgain)
        case .contentServerFailed:
            ErrorTexts(
                DownloadErrorTexts.server(error), kept: .nothingChanged,
                next: error.serverFailure == .portTaken ? .chooseOtherPort : nil)
        case .contentRefused:
            ErrorTexts(DownloadErrorTexts.server(error), kept: .nothingChanged)
        case .downloadNotFound:
            error.found.map {
                ErrorTexts(
                    .errorNotDownloaded(product: facts.product, state: $0), kept: .nothingChanged)
            }
                ?? ErrorTexts(
                    .errorNoDownload(product: facts.product), kept: .nothingChanged,
                    next: .resumeCommand(product: error.productID?.rawValue ?? "ID"))
        case .downloadNotActive where error.found == Download.State.finished.rawValue:
            ErrorTexts(
                .errorDownloadedAlready(product: facts.product), kept: .nothingChanged)
        case .downloadNotActive:
            ErrorTexts(
                .errorNotDownloading(product: facts.product, state: error.found),
                kept: .nothingChanged)
        default: nil
        }
    }

    /// The reason why a sale cannot be refunded, revoked, given back or deleted.
    private static func takingBack(_ facts: Facts) -> ErrorTexts? {
        let error = facts.error
        let id = facts.transaction
        return switch error.code {
        case .refundTooLarge:
            ErrorTexts(
                .errorRefundTooLarge(amount: facts.found, transaction: id), kept: .nothingChanged,
                next: .leftToRefund(error.expected ?? "0"))
        case .alreadyRefunded:
            ErrorTexts(
                .errorAlreadyRefunded(id), kept: .nothingChanged, next: .undoRefundCommand(id))
        case .nothingUnused:
            ErrorTexts(.errorNothingUnused(id), kept: .nothingChanged, next: .refundPart)
        case .notRevoked: ErrorTexts(.errorNotRevoked(id), kept: .nothingChanged)
        case .boughtAgain:
            ErrorTexts(.errorBoughtAgain(id), kept: .nothingChanged, next: .refundThatFirst)
        case .notLastOfChain:
            ErrorTexts(
                .errorNotLastPeriod(id), kept: .nothingChanged,
                next: error.expected.map { .deleteFirst($0) })
        case .transactionDeleted:
            ErrorTexts(
                .errorTransactionDeleted(id), kept: .nothingCharged, next: .newPaymentID)
        case .insufficientBalance:
            ErrorTexts(
                .errorBalance(
                    has: facts.found, unit: error.subject ?? "", wanted: facts.expected),
                kept: .nothingSpent, next: .spendLess)
        case .spendMismatch:
            ErrorTexts(
                .errorSpendMismatch(
                    field: error.subject ?? "content", expected: facts.expected,
                    found: facts.found), kept: .nothingSpent, next: .newSpendID)
        case .clockBackwards:
            ErrorTexts(.errorClockBackwards, kept: .nothingChanged, next: .laterDate)
        case .nothingDue:
            ErrorTexts(.errorNothingDue, kept: .nothingChanged, next: .buySubscription)
        case .noSubscription:
            error.subject.flatMap(SubscriptionObstacle.init).map { obstacle in
                ErrorTexts(
                    .errorNoSubscription(obstacle), kept: .nothingChanged,
                    next: obstacle == .neverRenews ? .listSubscriptions : nil)
            } ?? ErrorTexts(.errorNoSubscription(nil), kept: .nothingChanged)
        case .noBillingIssue: ErrorTexts(.errorNoBillingIssue, kept: .nothingChanged)
        case .noPriceIncrease: ErrorTexts(.errorNoPriceIncrease, kept: .nothingChanged)
        case .periodJustBegun:
            ErrorTexts(
                .errorPeriodJustBegun(facts.transaction), kept: .nothingChanged,
                next: .moveClockFirst)
        case .nextPeriodCharged:
            ErrorTexts(
                .errorNextPeriodCharged(facts.transaction), kept: .nothingChanged,
                next: .goToDate(facts.reachableDate))
        case .priceCommitted:
            ErrorTexts(
                .errorPriceCommitted(payment: facts.found, of: facts.expected),
                kept: .nothingChanged, next: .askInLastPayment)
        case .contradictoryEntry:
            ErrorTexts(
                .errorContradiction(found: error.found), kept: .nothingChanged, next: .reportLine)
        default: nil
        }
    }

    // MARK: - Families

    private static func family(_ facts: Facts) -> ErrorTexts? {
        let error = facts.error
        let account = error.subject ?? "?"
        return switch error.code {
        case .alreadyInFamily:
            ErrorTexts(
                .errorAlreadyInFamily(account: account, organizer: facts.found),
                kept: .nothingChanged,
                next: facts.isOnScreen ? nil : .leaveFamilyFirst(account))
        case .notInFamily:
            ErrorTexts(
                .errorNotInFamily(account), kept: .nothingChanged,
                next: facts.isOnScreen ? nil : .createFamilyFirst)
        case .familyFull:
            ErrorTexts(
                .errorFamilyFull(organizer: account, count: facts.found), kept: .nothingChanged,
                next: .leaveMemberFirst)
        // The error names no acting account: the account given as organizer has no family.
        case .notOrganizer where error.found == nil:
            error.expected.map {
                ErrorTexts(
                    .errorNoOrganizer(account: account, organizer: $0), kept: .nothingChanged,
                    next: facts.isOnScreen ? nil : .joinOrganizer($0))
            }
                ?? ErrorTexts(
                    .errorNotOrganizer(account: account, organizer: nil), kept: .nothingChanged,
                    next: facts.isOnScreen ? nil : .createFamilyOf(account))
        case .notOrganizer:
            ErrorTexts(
                .errorNotOrganizer(account: account, organizer: error.expected),
                kept: .nothingChanged,
                next: facts.isOnScreen ? nil : error.expected.map { .organizerAnswers($0) })
        case .notForOrganizer:
            ErrorTexts(.errorNotForOrganizer(account), kept: .nothingChanged)
        case .childAlwaysAsks:
            ErrorTexts(
                .errorChildAsks(account), kept: .nothingChanged,
                next: facts.isOnScreen ? nil : .changeRoleFirst(account))
        case .notShareable:
            ErrorTexts(
                .errorNotShareable(product: facts.product), kept: .nothingChanged,
                next: .familyShareableField)
        case .sharedPurchase where error.subject == "refund":
            ErrorTexts(
                .errorSharedPurchase(facts.transaction, owner: facts.found), kept: .nothingChanged,
                next: .ownerAsksForRefund(facts.found))
        case .sharedAlready:
            ErrorTexts(
                .errorSharedAlready(
                    product: facts.product, owner: facts.found, account: facts.account),
                kept: .nothingCharged, next: .buyItAgain)
        case .sharedPurchase:
            ErrorTexts(
                .errorSharedPurchase(facts.transaction, owner: facts.found), kept: .nothingChanged,
                next: error.expected.map { .changeSaleInstead($0) })
        case .operatorOnly:
            ErrorTexts(
                .errorOperatorOnly(facts.found), kept: .nothingChanged,
                next: facts.isOnScreen ? nil : .operatorAnswers)
        default: nil
        }
    }

    // MARK: - The device

    private static func device(_ facts: Facts) -> ErrorTexts? {
        let error = facts.error
        return switch error.code {
        case .deviceFull:
            ErrorTexts(.errorDiskFull, kept: .partialKept, next: .makeRoomAndResume)
        case .deviceUnreadable:
            ErrorTexts(
                .errorDeviceFile(place: facts.place, cause: error.cause), kept: .purchaseKept,
                next: .restoreFromCopy)
        case .deviceBusy:
            ErrorTexts(
                .errorDeviceBusy(process: error.found),
                kept: error.found == nil ? .nothingChanged : .purchaseKept,
                next: error.found == nil ? .tryWhenEnded : .letItGoOn)
        case .recordAltered where error.subject == StoreError.recordsOfAnotherDevice:
            ErrorTexts(
                .errorForeignRecords, kept: .unlocksNothing,
                next: facts.isOnScreen ? .restorePurchasesKey : .restorePurchasesCommand)
        case .recordAltered where error.productID == nil && error.subject != "balances":
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
                next: facts.isOnScreen ? .restorePurchasesKey : .restorePurchasesCommand)
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
                next: facts.isOnScreen ? .restorePurchasesKey : .restorePurchasesCommand)
        case .verificationFailed:
            ErrorTexts(
                .errorVerificationFailed(
                    text: facts.place, reason: VerificationError(rawValue: facts.found)),
                kept: .nothingBelieved, next: .refreshOrReport)
        case .rootChanged:
            ErrorTexts(
                .errorRootChanged(place: facts.place), kept: .nothingBelieved,
                next: .useStoreOfDevice)
        default: nil
        }
    }

    // MARK: - The store itself

    private static func store(_ facts: Facts) -> ErrorTexts? {
        let error = facts.error
        let (place, cause) = (facts.place, error.cause)
        return switch error.code {
        case .invalidName:
            ErrorTexts(
                .errorInvalidName(kind: error.subject ?? "name", name: error.found ?? ""),
                next: error.expected.map { .expected($0) })
        case .storeBusy:
            ErrorTexts(
                .errorStoreBusy(process: error.found), kept: .nothingChanged,
                next: error.found == nil ? .tryAgain : .letItGoOn)
        case .storeReplaced:
            ErrorTexts(.errorStoreReplaced, kept: .nothingChanged, next: .tryAgain)
        case .storeReadOnly:
            ErrorTexts(
                .errorStoreReadOnly(place: place, cause: cause), kept: .nothingChanged,
                next: .makeWritable)
        case .fileUnreadable:
            ErrorTexts(
                .errorFileUnreadable(place: place, cause: cause), kept: .nothingChanged,
                next: .checkPath)
        case .fileUnwritable:
            ErrorTexts(
                .errorFileUnwritable(place: place, cause: cause), kept: .nothingChanged,
                next: .checkPath)
        case .storeFull:
            ErrorTexts(.errorStoreFull(place: place), kept: .notRecorded, next: .makeRoom)
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
            ErrorTexts(.errorNewerEntry, kept: .nothingChanged, next: .useNewerVersion)
        case .storeNewer:
            ErrorTexts(
                .errorStoreNewer(place: place, found: facts.found, expected: facts.expected),
                kept: .nothingChanged, next: .useNewerVersion)
        case .storeOfAnotherApp: ofAnotherApp(facts)
        case .notAStore:
            ErrorTexts(
                .errorNotAStore(place: place, file: facts.found), kept: .nothingChanged,
                next: .chooseStoreFolder)
        case .storeOnNetwork:
            ErrorTexts(
                .errorStoreOnNetwork(place: place, system: facts.found), kept: .nothingChanged,
                next: .chooseLocalFolder)
        case .soldProductChanged:
            ErrorTexts(
                .errorSoldProductChanged(
                    product: facts.product, field: error.subject ?? "kind",
                    expected: facts.expected, found: facts.found),
                kept: .lastCatalogSells, next: .undoOrOtherStore)
        case .keysUnreadable:
            ErrorTexts(
                .errorKeysUnreadable(place: place, cause: cause), kept: .nothingChanged,
                next: .restoreOrNewStore)
        case .dueNotRecorded:
            ErrorTexts(
                .errorDueNotRecorded(time: facts.foundDate, reason: place),
                kept: .nothingSoldIsLost, next: .dueLater)
        case .clockOutOfRange:
            ErrorTexts(.errorClockOutOfRange, kept: .nothingChanged, next: .chooseDateInRange)
        case .storeUnreadable where place.hasSuffix("/device.sqlite"):
            ErrorTexts(
                .errorDeviceRecords(place: place, detail: error.found, cause: cause),
                kept: .purchaseKept, next: .restoreFileOrOtherDevice)
        case .storeUnreadable:
            ErrorTexts(
                .errorStoreUnreadable(place: place, detail: error.found, cause: cause),
                kept: .nothingChanged, next: .restoreFolderOrOther)
        default: nil
        }
    }

    /// The message about an identity that differs from the store's. Any part may differ, not only
    /// the app.
    private static func ofAnotherApp(_ facts: Facts) -> ErrorTexts {
        let (found, asked) = (facts.found, facts.expected)
        return switch facts.error.subject {
        case "environment":
            ErrorTexts(
                .errorOtherEnvironment(found: found, asked: asked), kept: .nothingChanged,
                next: .sayEnvironment(found))
        case "App Apple ID":
            ErrorTexts(
                .errorOtherAppAppleID(found: found, asked: asked), kept: .nothingChanged,
                next: .giveAppAppleID)
        default:
            ErrorTexts(
                .errorOtherApp(
                    field: facts.error.subject ?? "identity", found: found, asked: asked),
                kept: .nothingChanged, next: .chooseOrSayWhose)
        }
    }
}

extension StoreError {
    /// Whether the error is of a call other than a payment, whose error names the payment: an
    /// offline or signed-out device refused the call, or it is about content or an operator's
    /// action.
    fileprivate var isOfNoPurchase: Bool {
        guard paymentID == nil else { return false }
        return isNetworkOff || code == .notSignedIn || subject == Self.contentSubject
            || code == .productUnavailable && subject == "operator"
    }
}
