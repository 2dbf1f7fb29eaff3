/// What went wrong, as a value. It holds facts only; words for people are made from it in one
/// place (`ErrorMessages`), so every face of the program says the same.
package struct StoreError: Error, Codable, Hashable, Sendable {
    /// Open: adding a code breaks nobody, an unknown one survives a round trip. Names follow
    /// StoreKit's where it has one (`SKError`, `StoreKitError`, `Product.PurchaseError`).
    package struct Code: TextIdentifier {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }
    }

    package var code: Code
    package var productID: ProductID?
    package var paymentID: PaymentID?
    package var transactionID: TransactionID?
    /// The field, file or setting it is about.
    package var subject: String?
    package var found: String?
    package var expected: String?
    /// Where the system gave the cause: its own text.
    package var cause: String?

    package init(
        _ code: Code, productID: ProductID? = nil, paymentID: PaymentID? = nil,
        transactionID: TransactionID? = nil, subject: String? = nil, found: String? = nil,
        expected: String? = nil, cause: String? = nil
    ) {
        self.code = code
        self.productID = productID
        self.paymentID = paymentID
        self.transactionID = transactionID
        self.subject = subject
        self.found = found
        self.expected = expected
        self.cause = cause
    }

    /// The same call may succeed later, unchanged.
    package var isRetryable: Bool { Code.retryable.contains(code) }
}

extension StoreError.Code {
    // Buying, in StoreKit's words.
    package static let unknown = Self("unknown")
    package static let userCancelled = Self("userCancelled")
    package static let paymentInvalid = Self("paymentInvalid")
    package static let purchaseNotAllowed = Self("purchaseNotAllowed")
    package static let productUnavailable = Self("productUnavailable")
    package static let invalidQuantity = Self("invalidQuantity")
    package static let notAvailableInStorefront = Self("notAvailableInStorefront")
    package static let notEntitled = Self("notEntitled")
    package static let unsupported = Self("unsupported")
    package static let networkError = Self("networkError")
    package static let systemError = Self("systemError")
    package static let ineligibleForOffer = Self("ineligibleForOffer")
    package static let invalidOfferIdentifier = Self("invalidOfferIdentifier")
    package static let invalidOfferPrice = Self("invalidOfferPrice")
    package static let missingOfferParameters = Self("missingOfferParameters")
    package static let invalidOfferSignature = Self("invalidOfferSignature")
    /// The bank or the person who approves said no.
    package static let paymentDeclined = Self("paymentDeclined")
    package static let approvalDeclined = Self("approvalDeclined")
    /// The price shown is not the store's price any more; `found` is the new one.
    package static let priceChanged = Self("priceChanged")
    /// The same payment id with other contents; `subject` names the field.
    package static let paymentMismatch = Self("paymentMismatch")
    /// Approved, but the account had come to own it meanwhile.
    package static let alreadyOwned = Self("alreadyOwned")
    /// One subscription of a group at a time, and this account has one.
    package static let subscriptionActive = Self("subscriptionActive")

    /// No such payment is in this device's queue.
    package static let paymentNotQueued = Self("paymentNotQueued")

    // Asking about what was sold.
    package static let transactionNotFound = Self("transactionNotFound")
    package static let requestNotPending = Self("requestNotPending")
    /// A refund that would give back more than is left of the price; `expected` says what is left.
    package static let refundTooLarge = Self("refundTooLarge")
    /// All of it was given back already (StoreKit: `RefundRequestError.duplicateRequest`).
    package static let alreadyRefunded = Self("alreadyRefunded")
    /// Only a subscription's unused time can be refunded in part by time, while some is left.
    package static let nothingUnused = Self("nothingUnused")
    /// Nothing was taken back that could be reversed.
    package static let notRevoked = Self("notRevoked")
    /// The product was bought again after it was taken back; `transactionID` is that sale.
    package static let boughtAgain = Self("boughtAgain")
    /// Of a subscription only the last period can be deleted, or all of it.
    package static let notLastOfChain = Self("notLastOfChain")
    /// The transaction was deleted by the operator.
    package static let transactionDeleted = Self("transactionDeleted")
    /// The clock only moves forward; `expected` is where it stands.
    package static let clockBackwards = Self("clockBackwards")
    /// Nothing happens by itself in this store.
    package static let nothingDue = Self("nothingDue")
    package static let noSubscription = Self("noSubscription")
    package static let contentUnavailable = Self("contentUnavailable")
    package static let contentMismatch = Self("contentMismatch")
    /// This device has no download of the product.
    package static let downloadNotFound = Self("downloadNotFound")
    /// The product is not downloading; `found` is the state its download is in.
    package static let downloadNotActive = Self("downloadNotActive")

    // The store itself.
    package static let invalidName = Self("invalidName")
    package static let storeBusy = Self("storeBusy")
    package static let storeReplaced = Self("storeReplaced")
    /// Less is in the purse than was to be spent.
    package static let insufficientBalance = Self("insufficientBalance")
    /// A spend's id was used before, for something else.
    package static let spendMismatch = Self("spendMismatch")
    package static let storeReadOnly = Self("storeReadOnly")
    package static let storeFull = Self("storeFull")
    package static let storeUnreadable = Self("storeUnreadable")
    /// A write whose commit failed in a way that leaves open whether it will be found later, for
    /// example a failed sync. Never said of a write that surely left nothing. Asking again with the
    /// same id is safe and tells which it was.
    package static let outcomeUnknown = Self("outcomeUnknown")
    /// An entry was to be recorded that contradicts itself: a mistake of this program.
    package static let contradictoryEntry = Self("contradictoryEntry")
    package static let storeNewer = Self("storeNewer")
    package static let storeOfAnotherApp = Self("storeOfAnotherApp")
    package static let storeOnNetwork = Self("storeOnNetwork")
    /// A catalog that makes something else of a product that was sold; `subject` names what.
    package static let soldProductChanged = Self("soldProductChanged")
    package static let keysUnreadable = Self("keysUnreadable")
    package static let clockOutOfRange = Self("clockOutOfRange")
    package static let deviceFull = Self("deviceFull")
    package static let deviceUnreadable = Self("deviceUnreadable")
    package static let rootChanged = Self("rootChanged")
    package static let deviceBusy = Self("deviceBusy")
    /// The store has lost entries this device has read: `found` is its end, `expected` the place.
    package static let storeBehind = Self("storeBehind")
    /// A record of this device is not what was written there; it unlocks nothing.
    package static let recordAltered = Self("recordAltered")

    fileprivate static let retryable: Set<Self> = [
        .networkError, .storeBusy, .storeReplaced, .storeFull, .deviceFull, .deviceBusy,
        .outcomeUnknown,
    ]

    /// The errors a tester may ask the next purchase to fail with, in StoreKit's names.
    package static let injectable: [Self] = [
        .unknown, .userCancelled, .paymentInvalid, .purchaseNotAllowed, .productUnavailable,
        .notAvailableInStorefront, .notEntitled, .unsupported, .networkError, .systemError,
        .ineligibleForOffer, .invalidOfferIdentifier, .invalidOfferPrice,
        .missingOfferParameters, .invalidOfferSignature, .invalidQuantity, .paymentDeclined,
    ]
}
