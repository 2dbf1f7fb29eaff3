/// An error of the store or of a device, as a value. It holds facts only; the target `ShopText`
/// alone makes texts from it, so that the shop and the commands show the same text.
package struct StoreError: Error, Codable, Hashable, Sendable {
    /// The kind of error. Open: new codes break no caller, and an unknown one survives decoding and
    /// encoding. Names follow StoreKit's where it has one (`SKError`, `StoreKitError`,
    /// `Product.PurchaseError`).
    package struct Code: TextIdentifier {
        package let rawValue: String
        /// Any code is accepted: another version of the program may know more codes.
        package init(rawValue: String) { self.rawValue = rawValue }
    }

    package var code: Code
    package var productID: ProductID?
    package var paymentID: PaymentID?
    package var transactionID: TransactionID?
    /// The field, file, folder or setting that the error concerns.
    package var subject: String?
    /// The value that was refused or read.
    package var found: Figure?
    /// The value that would be accepted.
    package var expected: Figure?
    /// Of the system or of a library.
    package var cause: String?
    /// `subject`, where it tells causes of one code apart.
    package var reason: Reason? {
        get { subject.flatMap(Reason.init) }
        set { subject = newValue?.rawValue }
    }

    /// - Parameter reason: the `subject`, unless that is free text.
    package init(
        _ code: Code, productID: ProductID? = nil, paymentID: PaymentID? = nil,
        transactionID: TransactionID? = nil, reason: Reason? = nil, subject: String? = nil,
        found: (any FigureValue)? = nil, expected: (any FigureValue)? = nil, cause: String? = nil
    ) {
        self.code = code
        self.productID = productID
        self.paymentID = paymentID
        self.transactionID = transactionID
        self.subject = reason?.rawValue ?? subject
        self.found = found?.figure
        self.expected = expected?.figure
        self.cause = cause
    }

    /// Whether it keeps the store from recording anything now, whatever is to be recorded. Reads
    /// then answer as of the last entry.
    package var keepsFromRecording: Bool {
        [.storeFull, .storeReadOnly, .storeMoved, .copyUnfinished, .clockOutOfRange].contains(code)
    }

    /// Without a change.
    package var isRetryable: Bool { Code.retryable.contains(code) }
}

extension StoreError.Code {
    package static let noBillingIssue = Self("noBillingIssue")
    package static let noPriceIncrease = Self("noPriceIncrease")
    /// The commitment of the subscription keeps its price: payment `found` of `expected` was made.
    package static let priceCommitted = Self("priceCommitted")
    /// The period of the subscription began at this instant, so that it cannot end yet.
    package static let periodJustBegun = Self("periodJustBegun")
    /// The next period of the subscription has been charged already; it begins at `found`, in
    /// milliseconds since 1970.
    package static let nextPeriodCharged = Self("nextPeriodCharged")

    // Errors of buying, named as in StoreKit.
    /// A failure without a known reason (`StoreKitError.unknown`).
    package static let unknown = Self("unknown")
    /// The person cancelled the purchase (`StoreKitError.userCancelled`).
    package static let userCancelled = Self("userCancelled")
    /// A parameter of the payment was not accepted (`SKError.paymentInvalid`), as `subject` says;
    /// or a fault raised it (`OperatorAction.failNext`).
    package static let paymentInvalid = Self("paymentInvalid")
    /// The customer has not accepted Apple's notice about privacy
    /// (`SKError.privacyAcknowledgementRequired`). Only a fault raises it: this store shows no such
    /// notice.
    package static let privacyAcknowledgementRequired = Self("privacyAcknowledgementRequired")
    /// The account may not make payments (`Product.PurchaseError.purchaseNotAllowed`).
    package static let purchaseNotAllowed = Self("purchaseNotAllowed")
    /// No account is signed in to the App Store on this device; `subject` is the account that the
    /// device can sign in, `found` the environment. Nothing was sent.
    package static let notSignedIn = Self("notSignedIn")
    /// The store sells no such product (`Product.PurchaseError.productUnavailable`).
    package static let productUnavailable = Self("productUnavailable")
    /// The quantity is not possible for this product (`Product.PurchaseError.invalidQuantity`).
    package static let invalidQuantity = Self("invalidQuantity")
    /// The product is not sold in the account's territory (`StoreKitError`); `found` is the
    /// territory.
    package static let notAvailableInStorefront = Self("notAvailableInStorefront")
    /// The account, or this device, does not own the product (`StoreKitError.notEntitled`).
    package static let notEntitled = Self("notEntitled")
    /// The store does not support this (`StoreKitError.unsupported`); `subject` is the feature.
    package static let unsupported = Self("unsupported")
    /// The store could not be reached (`StoreKitError.networkError`). Only a fault raises it.
    package static let networkError = Self("networkError")
    /// A library or the system failed (`StoreKitError.systemError`); `cause` is its text.
    package static let systemError = Self("systemError")
    /// The account cannot have the offer (`Product.PurchaseError`); `subject` is the reason
    /// (`OfferRefusal`), `found` the offer.
    package static let ineligibleForOffer = Self("ineligibleForOffer")
    /// There is no such offer, or no such code (`Product.PurchaseError`); `found` is the requested
    /// offer or code.
    package static let invalidOfferIdentifier = Self("invalidOfferIdentifier")
    /// The offer's price is not valid any more (`SKError.invalidOfferPrice`).
    package static let invalidOfferPrice = Self("invalidOfferPrice")
    /// The offer was sent without all parameters (`Product.PurchaseError`): a promotional one
    /// without its signature.
    package static let missingOfferParameters = Self("missingOfferParameters")
    /// The offer's signature is not valid (`Product.PurchaseError`); `subject` is the reason
    /// (`OfferSignatureFault`), `found` the offer.
    package static let invalidOfferSignature = Self("invalidOfferSignature")
    /// The payment was declined, by the bank for example. Only a fault raises it.
    package static let paymentDeclined = Self("paymentDeclined")
    /// The family organizer declined the request; `transactionID` is its number.
    package static let approvalDeclined = Self("approvalDeclined")
    /// The shown price is not the store's price any more; `found` is the store's price in
    /// milliunits, `expected` the shown price.
    package static let priceChanged = Self("priceChanged")
    /// The payment id was used before with other contents; `subject` names the field, `found` is
    /// its value now, `expected` the value it had before.
    package static let paymentMismatch = Self("paymentMismatch")
    /// The request was approved, but the account had got the product in the meantime.
    package static let alreadyOwned = Self("alreadyOwned")
    /// The account already has a subscription of the same group.
    package static let subscriptionActive = Self("subscriptionActive")

    package static let paymentNotQueued = Self("paymentNotQueued")

    // Transactions that were sold.
    /// The account has no such transaction.
    package static let transactionNotFound = Self("transactionNotFound")
    package static let requestNotPending = Self("requestNotPending")
    /// The request waits for another answer: `found` is its reason (`RequestReason`).
    package static let notAnswerable = Self("notAnswerable")
    /// The customer withdrew the request before it was answered; nothing was charged.
    package static let requestWithdrawn = Self("requestWithdrawn")
    package static let refundNotRequested = Self("refundNotRequested")
    /// The device holds no purchase of the product that was begun outside the app.
    package static let promotedNotHeld = Self("promotedNotHeld")
    /// No fault with this number is in force: it was used up or removed, or never set; `found` is
    /// the number.
    package static let faultNotSet = Self("faultNotSet")
    /// The refund exceeds the rest of the price; `expected` is that rest.
    package static let refundTooLarge = Self("refundTooLarge")
    /// The whole price was returned before (StoreKit: `RefundRequestError.duplicateRequest`).
    package static let alreadyRefunded = Self("alreadyRefunded")
    /// A prorated refund was requested for a purchase without unused time.
    package static let nothingUnused = Self("nothingUnused")
    package static let notRevoked = Self("notRevoked")
    /// The product was bought again after it was revoked; `transactionID` is the later sale.
    package static let boughtAgain = Self("boughtAgain")
    /// The transaction is not the last period of its subscription; only the last period or the
    /// whole chain can be deleted.
    package static let notLastOfChain = Self("notLastOfChain")
    package static let transactionDeleted = Self("transactionDeleted")
    /// The clock only moves forward; `expected` is its current time in milliseconds.
    package static let clockBackwards = Self("clockBackwards")
    /// Nothing is due in this store, so the clock cannot move to the next due item.
    package static let nothingDue = Self("nothingDue")
    /// The transaction belongs to no auto-renewable subscription, or to one that is over.
    package static let noSubscription = Self("noSubscription")
    /// Hosted content is missing, empty or unreadable, or its path leads outside the content
    /// folder; `subject` is the package or path.
    package static let contentUnavailable = Self("contentUnavailable")
    /// A package of hosted content breaks a rule: `subject` is the path in it, `found` the value
    /// there, `expected` the value that the rule requires.
    package static let packageInvalid = Self("packageInvalid")
    /// A package cannot be hosted for the product: `subject` names the property that prevents it.
    package static let packageNotHostable = Self("packageNotHostable")
    /// Downloaded bytes do not match the manifest; they are thrown away.
    package static let contentMismatch = Self("contentMismatch")
    /// The app's own server failed: `subject` is its address, `found` the failure
    /// (`ContentServerFailure`).
    package static let contentServerFailed = Self("contentServerFailed")
    /// The app's own server refuses the content: `subject` is its address, `found` the reason
    /// (`ContentRefusal`).
    package static let contentRefused = Self("contentRefused")
    /// The app's own backend failed, or refused the report of `transactionID`: `subject` is its
    /// address, `found` the failure (`ContentServerFailure`), `cause` the status of its answer.
    package static let backendFailed = Self("backendFailed")
    package static let downloadNotFound = Self("downloadNotFound")
    /// The product is not downloading; `found` is its download's state.
    package static let downloadNotActive = Self("downloadNotActive")

    // Families.
    /// The account `subject` is in a family already; `found` is its organizer.
    package static let alreadyInFamily = Self("alreadyInFamily")
    /// The account `subject` is in no family.
    package static let notInFamily = Self("notInFamily")
    /// The family of the organizer `subject` already has the greatest number of members: `found`.
    package static let familyFull = Self("familyFull")
    /// Only the organizer of the account `subject` may act for it; `found` is the account that
    /// tried. With `found` nil, `subject` was named as an organizer and is none. `expected` is the
    /// organizer of `subject`; nil if it is in no family.
    package static let notOrganizer = Self("notOrganizer")
    /// An organizer, `subject`, cannot be a child.
    package static let notForOrganizer = Self("notForOrganizer")
    /// The account `subject` is an adult of its family.
    package static let notAChild = Self("notAChild")
    /// A child, `subject`, always asks; `expected` is its organizer.
    package static let childAlwaysAsks = Self("childAlwaysAsks")
    /// A family cannot share the product: the catalog does not let it, or it is a consumable or
    /// non-renewing.
    package static let notShareable = Self("notShareable")
    /// The transaction is a family member's share; only the sale `expected` of the account `found`
    /// can be refunded or changed.
    package static let sharedPurchase = Self("sharedPurchase")
    package static let sharedAlready = Self("sharedAlready")
    /// Only the operator of the whole store may do this; `found` is the account that tried.
    package static let operatorOnly = Self("operatorOnly")

    // The store itself.
    /// A name or value is not allowed; `subject` names it, `expected` the allowed values.
    package static let invalidName = Self("invalidName")
    /// Other processes kept the store busy for too long; `found` is one of them, if known.
    package static let storeBusy = Self("storeBusy")
    /// The server that keeps the store, `subject`, could not be reached, or was lost before anything
    /// was recorded.
    package static let storeUnreachable = Self("storeUnreachable")
    /// The store's file was replaced or deleted while it was open, or a cursor belongs to another
    /// epoch.
    package static let storeReplaced = Self("storeReplaced")
    /// The store was closed, and goes on at the address `subject`; nothing is recorded here any more.
    package static let storeMoved = Self("storeMoved")
    /// This is a copy of the store `subject` that is not complete, so that nothing is recorded in it.
    package static let copyUnfinished = Self("copyUnfinished")
    /// There is a store already where one was to be made: `subject`.
    package static let storeExists = Self("storeExists")
    /// A copy has other rows than the store that it was made of: `subject` is the copy, `found` the
    /// table that differs.
    package static let copyDiffers = Self("copyDiffers")
    /// The balance is smaller than the amount to spend; `found` is the balance.
    package static let insufficientBalance = Self("insufficientBalance")
    /// The spend's id was used before with other contents; `subject` names the field.
    package static let spendMismatch = Self("spendMismatch")
    /// The account's small values would be too many or too large: `found` of the `subject`, `keys`
    /// or `bytes`, where `expected` are allowed.
    package static let valuesFull = Self("valuesFull")
    /// The store, or a file it needs, cannot be written.
    package static let storeReadOnly = Self("storeReadOnly")
    /// The disk or quota of the store is full.
    package static let storeFull = Self("storeFull")
    /// The store, or a file it needs, is missing, damaged or inconsistent.
    package static let storeUnreadable = Self("storeUnreadable")
    /// A commit failed and its entry may or may not be in the store, for example after a failed
    /// sync. Never used for a write that certainly left nothing. The same call with the same id is
    /// safe and returns the outcome.
    package static let outcomeUnknown = Self("outcomeUnknown")
    /// An entry to be recorded contradicts itself: a bug in this program. Nothing was recorded.
    package static let contradictoryEntry = Self("contradictoryEntry")
    /// A newer program wrote the store, or an entry that this call depends on.
    package static let storeNewer = Self("storeNewer")
    /// A version before the first release made the store or the device's records: `subject`. With
    /// `found`, the schema's number, an earlier release did, and they cannot be brought up to date
    /// because they cannot be written.
    package static let storeOlder = Self("storeOlder")
    /// The store was made for another app or environment; `subject` names the part that differs.
    package static let storeOfAnotherApp = Self("storeOfAnotherApp")
    /// The folder is on a network file system, where locks are not reliable; `found` is its kind.
    package static let storeOnNetwork = Self("storeOnNetwork")
    /// This program opens no stores in databases; `subject` is the address.
    package static let databaseUnsupported = Self("databaseUnsupported")
    /// The folder given for a store holds other files and no store; `found` is one of them.
    package static let notAStore = Self("notAStore")
    /// A catalog changes a property of a sold product that must stay; `subject` names the field
    /// that differs.
    package static let soldProductChanged = Self("soldProductChanged")
    /// The signing keys are incomplete, damaged, another user's, or writable by every user.
    package static let keysUnreadable = Self("keysUnreadable")
    /// The store's time would leave 2000 to 2100, the validity of the certificates.
    package static let clockOutOfRange = Self("clockOutOfRange")
    /// The clock was moved to `found`, in milliseconds since 1970, but not all steps that were due
    /// by then could be recorded: `expected` is how many were, `subject` the code of the error that
    /// prevented the rest.
    package static let dueNotRecorded = Self("dueNotRecorded")
    /// Of the subscriptions of a product that were to be extended by `expected` days, only the first
    /// `found` are. `subject` is the request's id, with which the extension goes on.
    package static let extendedInPart = Self("extendedInPart")
    /// A file or folder that a command was given cannot be read; `subject` is its path.
    package static let fileUnreadable = Self("fileUnreadable")
    /// A list of trials has a mistake: `subject` is its file and place, `found` the value there,
    /// `expected` what would do.
    package static let listInvalid = Self("listInvalid")
    /// A file or an answer is no list of products (`AppProductList`); `subject` is its place.
    package static let productListInvalid = Self("productListInvalid")
    /// The file that a command was to write cannot be written; `subject` is its path.
    package static let fileUnwritable = Self("fileUnwritable")
    /// The file that a command was to write is there already, and was not to be replaced.
    package static let fileExists = Self("fileExists")
    package static let deviceFull = Self("deviceFull")
    package static let deviceUnreadable = Self("deviceUnreadable")
    /// The store's root certificate differs from the certificate that this device has pinned.
    package static let rootChanged = Self("rootChanged")
    /// A text that the store signed does not verify: a receipt, an app transaction or a list of
    /// revoked certificates, as `subject` says. `found` is the `VerificationError`.
    package static let verificationFailed = Self("verificationFailed")
    package static let deviceBusy = Self("deviceBusy")
    /// The store has lost entries that this device has read: `found` is the store's last position,
    /// `expected` the device's.
    package static let storeBehind = Self("storeBehind")
    /// A record of this device was changed outside the program; it grants nothing.
    package static let recordAltered = Self("recordAltered")

    fileprivate static let retryable: Set<Self> = [
        .networkError, .storeBusy, .storeUnreachable, .storeReplaced, .storeFull, .deviceFull,
        .deviceBusy, .outcomeUnknown, .dueNotRecorded,
    ]
}
