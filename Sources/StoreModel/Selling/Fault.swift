import Basics

/// A failure that the operator has set for coming calls. The shop shows it while it is in force, so
/// that a person does not take its failures for bugs.
package struct Fault: Codable, Hashable, Sendable {
    /// The calls that can be made to fail, as in StoreKit Test (`SKTestSession`'s failable
    /// interfaces), and what can be disturbed: the device's feed, and what the app's backend asks
    /// for or is sent.
    package enum Call: String, Codable, Sendable, CaseIterable {
        /// StoreKit: `Product.products(for:)`.
        case loadProducts
        /// StoreKit: `Product.purchase`.
        case purchase
        /// Verifying a purchase: the store signs it so that verification fails.
        case verification
        /// StoreKit: `AppStore.sync`.
        case appStoreSync
        /// StoreKit: `Product.SubscriptionInfo.status`.
        case subscriptionStatus
        /// StoreKit: `AppTransaction`.
        case appTransaction
        case manageSubscriptions
        /// StoreKit: `beginRefundRequest`.
        case refundRequest
        case offerCodeRedeem
        /// Reading a device's feed (StoreKit: `Transaction.updates`). It does not fail: its errors
        /// say how updates, the sales and changes of transactions, come otherwise than they should.
        /// Updates that come together count as one.
        case updates
        /// An attempt to send a notification to the address of the app's backend.
        case notification
        /// Any request of the App Store Server API. The cases below are its endpoints.
        case anyEndpoint
        case transactionInfo, transactionHistory, subscriptionStatuses, orderLookup, refundHistory
        case appTransactionInfo, finishTransaction, setAppAccountToken, extendRenewalDate
        case extendForAll, extensionStatus, consumption
        case testNotification, testNotificationStatus, notificationHistory

        package static let ofStoreKitTest = Array(allCases.prefix { $0 != .updates })
        /// Any endpoint first.
        package static let endpoints = Array(allCases.drop { $0 != .anyEndpoint })

        /// Whether its errors say what comes otherwise than it should, and no customer reads them.
        package var isDisturbed: Bool { !Self.ofStoreKitTest.contains(self) }
    }

    /// Counted by the store. Faults of one call are used up in the order of their ids.
    package var id: Int64
    package var call: Call
    /// The error it fails with: one of the call's `Call.errors`.
    package var error: StoreError.Code
    /// How many more calls fail, at least 1; nil if every call fails until the fault is removed.
    package var remaining: Int?
    /// How many purchases a restore brings back before it fails, at least 1; nil if the call fails
    /// at its beginning. Only for `appStoreSync`.
    package var after: Int?
    /// How long after it was recorded an update comes, or a notification after it was due, in store
    /// time, at least 1; nil if it comes with the next one. Of an answer in elapsed time; nil if it
    /// comes when clients have given up. Only for `deliveredLate` and `lateAnswer`.
    package var delayMilliseconds: Int64?
    /// When it ends, in store time, if it was not used up before; nil for any time. Only for
    /// notifications.
    package var until: Timestamp?

    package init(
        id: Int64, call: Call, error: StoreError.Code, remaining: Int?, after: Int? = nil,
        delayMilliseconds: Int64? = nil, until: Timestamp? = nil
    ) {
        self.id = id
        self.call = call
        self.error = error
        self.remaining = remaining
        self.after = after
        self.delayMilliseconds = delayMilliseconds
        self.until = until
    }

    package var isInForce: Bool { remaining.map { $0 > 0 } ?? true }

    package var spentOnce: Fault {
        var spent = self
        spent.remaining = remaining.map { $0.subtractingClamped(1) }
        return spent
    }
}

extension Fault.Call {
    /// The errors with which a fault can make the call fail: the errors that StoreKit Test allows
    /// for the call, likely ones first. For `purchase` also two errors of StoreKit 1 and the bank's
    /// refusal.
    package var errors: [StoreError.Code] {
        switch self {
        case .loadProducts, .appStoreSync, .appTransaction, .manageSubscriptions, .offerCodeRedeem,
            .subscriptionStatus:
            Self.storeKitErrors
        case .purchase:
            Self.storeKitErrors + Self.purchaseErrors
                + [.paymentInvalid, .privacyAcknowledgementRequired, .paymentDeclined]
        case .refundRequest: [.duplicateRequest, .refundRequestFailed] + Self.storeKitErrors
        case .verification: Self.verificationErrors
        case .updates: Self.disorders
        case .notification: Self.waysOfSending
        default: answers
        }
    }

    /// StoreKit: `StoreKitError`.
    private static let storeKitErrors: [StoreError.Code] = [
        .networkError, .systemError, .notAvailableInStorefront, .notEntitled, .userCancelled,
        .unsupported, .unknown,
    ]

    /// StoreKit: `Product.PurchaseError`.
    private static let purchaseErrors: [StoreError.Code] = [
        .purchaseNotAllowed, .productUnavailable, .invalidQuantity, .ineligibleForOffer,
        .invalidOfferIdentifier, .invalidOfferPrice, .missingOfferParameters,
        .invalidOfferSignature,
    ]

    /// StoreKit: `VerificationResult.VerificationError`.
    private static let verificationErrors: [StoreError.Code] = [
        .invalidSignature, .invalidCertificateChain, .revokedCertificate,
        .invalidDeviceVerification, .invalidEncoding, .missingRequiredProperties,
    ]

    private static let disorders: [StoreError.Code] = [
        .deliveredTwice, .deliveredLate, .deliveredOutOfOrder, .deliveredAfterAnswer,
    ]
}

extension StoreError.Code {
    // Errors of verifying, named as in StoreKit (`VerificationResult.VerificationError`). A fault
    // names the way in which a signed transaction fails to verify; a verifier returns
    // `VerificationError`.
    /// The signature does not fit the contents.
    package static let invalidSignature = Self("invalidSignature")
    /// The chain of certificates does not end in the store's root.
    package static let invalidCertificateChain = Self("invalidCertificateChain")
    package static let revokedCertificate = Self("revokedCertificate")
    package static let invalidDeviceVerification = Self("invalidDeviceVerification")
    package static let invalidEncoding = Self("invalidEncoding")
    /// A property that every transaction has is missing.
    package static let missingRequiredProperties = Self("missingRequiredProperties")

    // Disorders of a device's feed (`Fault.Call.updates`). A reader's cursor is a position; what
    // comes at or before it is not taken again. So an update that is held back holds back all that
    // follows, and only updates of one batch change places. A launch lists unfinished transactions
    // as ever, those held back, too.
    /// Updates come, and then come again in a batch of their own.
    package static let deliveredTwice = Self("deliveredTwice")
    /// An update is held back: `Fault.delayMilliseconds`, or until the next one comes with it.
    package static let deliveredLate = Self("deliveredLate")
    /// An update is held back until the next one comes, and then the newest comes first. A
    /// transaction that another event of the batch names keeps its place: a claim follows its sale.
    package static let deliveredOutOfOrder = Self("deliveredOutOfOrder")
    /// In the process that asked, a sale is held back until `purchase` has answered.
    package static let deliveredAfterAnswer = Self("deliveredAfterAnswer")

    // Refund requests (StoreKit: `Transaction.RefundRequestError`).
    /// A refund of the transaction was requested before, or given.
    package static let duplicateRequest = Self("duplicateRequest")
    package static let refundRequestFailed = Self("refundRequestFailed")

    /// An error of StoreKit 1.
    package struct SKError: Encodable {
        /// In `SKErrorDomain`.
        package var code: Int
        /// In `SKError.Code`.
        package var name: String
    }

    /// Nil where StoreKit 1 has none.
    package var skError: SKError? {
        let known: (Int, String)? =
            switch self {
            case .unknown, .systemError, .outcomeUnknown: (0, "unknown")
            case .notEntitled, .unsupported: (1, "clientInvalid")
            case .userCancelled, .notSignedIn: (2, "paymentCancelled")
            case .paymentInvalid, .invalidQuantity, .paymentDeclined: (3, "paymentInvalid")
            case .purchaseNotAllowed: (4, "paymentNotAllowed")
            case .productUnavailable, .notAvailableInStorefront: (5, "storeProductNotAvailable")
            case .networkError: (7, "cloudServiceNetworkConnectionFailed")
            case .privacyAcknowledgementRequired: (9, "privacyAcknowledgementRequired")
            case .invalidOfferIdentifier: (11, "invalidOfferIdentifier")
            case .invalidOfferSignature: (12, "invalidSignature")
            case .missingOfferParameters: (13, "missingOfferParams")
            case .invalidOfferPrice: (14, "invalidOfferPrice")
            case .ineligibleForOffer: (18, "ineligibleForOffer")
            default: nil
            }
        return known.map { SKError(code: $0.0, name: $0.1) }
    }
}
