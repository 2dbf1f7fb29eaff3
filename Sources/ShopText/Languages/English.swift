import StoreModel

/// English: the language used where a text or a locale has no other.
enum English: Language {
    static let code = "en"
    static let sentenceGap = " "
    static let needsUnicode = false

    // MARK: - Errors

    /// The account in a message: "account "aoi"", or the reader's own.
    static func account(_ name: String?) -> String {
        name.map { "account \"\($0)\"" } ?? "your account"
    }

    /// The name for persons of a stored answer or a file of the device.
    static func keptAnswer(_ name: String) -> String {
        switch name {
        case "contact": "the time of the last contact with the store"
        case "entitlements": "the list of what you own"
        case "settings": "the account's settings"
        case "catalog", "products": "the list of products"
        case "family": "the record of your family"
        case "subscriptions": "the record of your subscriptions"
        case "requests": "the list of your requests"
        case "unfinished": "the list of unfinished transactions"
        case "history": "the history of your account"
        case "unlocks.jws": "the signed record of what your purchases unlock"
        default: "a record"
        }
    }

    static func text(_ text: ErrorText) -> String {
        switch text {
        // MARK: What was not lost
        case .nothingCharged: "You weren't charged."
        case .nothingMoreCharged(let sale):
            "It was sold as transaction \(sale); nothing more was charged."
        case .nothingChanged: "Nothing was changed."
        case .purchaseKept: "You still own what you bought."
        case .nothingSoldIsLost: "No purchase is lost."
        case .nothingSpent: "Nothing was spent."
        case .partialKept: "What was downloaded so far is kept."
        case .thrownAway: "It was thrown away; you still own what you bought."
        case .unlocksNothing: "It unlocks nothing."
        case .lastCatalogSells: "The last good catalog goes on selling."
        case .refreshOrReport: "Refresh it with: storefront receipt refresh"
        case .nothingBelieved: "Nothing it signed was accepted."
        case .addedUpAgain: "It was added up again from what you bought."
        case .notChargedNotSold:
            "You weren't charged, and nothing is sold to this device until this is settled."
        case .notRecorded: "No purchase is lost; this one was not recorded."
        case .nothingWritten: "Nothing more was written."
        case .packageNotTaken:
            "The package was not taken into the store, and everybody keeps what they bought."

        // MARK: What to do next
        case .tryAgain: "Try again."
        case .payAnotherWay: "Try another way to pay, then buy again."
        case .checkPayment: "Check what was sent, then buy again."
        case .allowPaymentsCommand(let account):
            "Turn them on with: storefront operator payments on"
                + (account.map { " --account \($0)" } ?? "")
        case .allowPaymentsKey: "Turn payments on in the console: o, then p."
        case .didYouMean(let word): "Did you mean \"\(word)\"?"
        case .listProducts: "List what is for sale with: storefront products"
        case .useQuantity(let range): "Use \(range)."
        case .onlyOne: "You can buy only one."
        case .otherTerritory: "Choose another territory, or add a price to the catalog."
        case .seePrice: "Check the new price, then buy again."
        case .newPaymentID: "Use a new id for a new payment."
        case .listPayments: "List them with: storefront payments"
        case .waitForEnd(let id):
            "Buy again when that has ended"
                + (id.map { ", or end it now with: storefront operator expire \($0)" } ?? ".")
        case .buyOrRestoreCommand: "Buy it, or restore it with: storefront restore"
        case .buyOrRestoreKey: "Buy it, or press r to restore it."
        case .listTransactions: "List them with: storefront transactions"
        case .listRequests:
            "List them with: storefront requests; those of all accounts: storefront operator requests"
        case .listFaults: "List them with: storefront operator faults"
        case .listRefundRequests: "List them with: storefront operator refund-requests"
        case .answerCommand(let request, .interrupted):
            "Resolve it with: storefront requests resolve \(request)"
        case .answerCommand(let request, _):
            "Answer it with: storefront operator approve \(request), or decline"
        case .publishCommand(let product):
            "Put it on sale with: storefront operator publish \(product) approved"
        case .checkCatalog: "Check the catalog with: storefront catalog check FILE"
        case .downloadAgain: "Download it again."
        case .resumeCommand(let product):
            "If you own it, download it with: storefront downloads resume \(product)"
        case .makeRoomAndResume: "Make room and resume, or cancel the download."
        case .restoreFromCopy:
            "Restore it from a copy, or bring your purchases to another device: "
                + "storefront restore --device NAME."
        case .tryWhenEnded: "Try again when it has ended."
        case .restorePurchasesCommand: "Bring purchases back with: storefront restore"
        case .restorePurchasesKey: "Press r to restore your purchases."
        case .acceptStore:
            "Put back the newer store file, or go on with this one: "
                + "storefront operator accept-store"
        case .useStoreOfDevice: "Use the store this device belongs to, or another --device."
        case .expected(let what): "Expected \(what)."
        case .letItGoOn: "If it is stopped, let it go on or end it, then try again."
        case .makeWritable: "Make the folder writable, or choose another with --store."
        case .makeRoom: "Make room, then try again."
        case .askAgain(let payment):
            "Ask again with the same id, which never charges twice: --payment \(payment)"
        case .lookOrAskAgain: "Check, or ask for the same again; it is not done twice."
        case .useNewerVersion: "Use that version, or choose another folder with --store."
        case .chooseLocalFolder: "Choose a local folder with --store."
        case .chooseStoreFolder: "Name a new or empty folder with --store, or a store's own."
        case .undoOrOtherStore:
            "Undo that, or sell this catalog from another store: --store DIR."
        case .sellContentAnew:
            "Sell the content as a product of its own, or deliver it from the app's own server "
                + "(\"ownServer\" in the catalog)."
        case .approveOtherFirst:
            "Host and approve another version first: storefront content host FILE --approve"
        case .restoreOrNewStore:
            "Restore the folder from a copy, or begin a new store with --store."
        case .chooseDateInRange: "Set it to a date from 2000 to 2099-12-31."
        case .dueLater:
            "The next command records the rest, once the store can be written again."
        case .restoreFileOrOtherDevice:
            "Restore that file from a copy, or go on with another device: "
                + "storefront restore --device NAME."
        case .restoreFolderOrOther:
            "Restore its folder from a copy. If this is not a store, choose another folder with "
                + "--store."
        case .sayEnvironment(let name):
            "Say --environment \(name), or choose another folder with --store."
        case .giveAppAppleID:
            "Give that number to the catalog or to --app-apple-id, or choose another folder with "
                + "--store."
        case .chooseOrSayWhose: "Choose another folder with --store, or say whose it is."
        case .leftToRefund(let amount): "Left to refund: \(amount)."
        case .undoRefundCommand(let id): "Undo that with: storefront operator reverse-refund \(id)"
        case .refundAllTheSame(let id):
            "Refund it all the same with: storefront operator refund \(id)"
        case .refundPart: "Refund a part of it with --percent."
        case .refundThatFirst: "Refund that one first."
        case .deleteFirst(let transaction):
            "Delete \(transaction) first, or the whole subscription with --whole-chain."
        case .spendLess: "Spend less, or buy more."
        case .newSpendID: "Use a new id for a new spend."
        case .laterDate: "Choose a later date, or begin a new store with --store."
        case .buySubscription: "Buy a subscription that renews first."
        case .moveClockFirst: "Move the store's clock first."
        case .reportLine: "This is a mistake of the program: report it with this line."
        case .reportOrTryAgain: "Try again; if it stays, report it with this line."

        // MARK: What happened
        case .askAgainByBuying: "Buying again asks anew."
        case .refundInstead(let request):
            "To take it back: storefront operator refund \(request)"
        case .errorCallCancelled: "It was cancelled."
        case .errorCallUnknown(let cause): "It failed for an unknown reason\(because(cause))."
        case .errorAppNotEntitled: "This app is not entitled to in-app purchases."
        case .errorNewerEntry:
            "The store has an entry that this version of the program cannot read: a newer one wrote it."
        case .errorNotInThisTerritory(let product, let account):
            "\(product ?? "This") is not available in "
                + (account.map { "the territory of account \"\($0)\"." }
                    ?? "your account's territory.")
        case .errorOwnedBefore(let product, let account):
            account.map { "Account \"\($0)\" already owns \(product)." }
                ?? "You already own \(product)."
        case .errorRequestEnded(let request, let account, let date, "requestWithdrawn"):
            "\(account) withdrew request \(request), at \(date)."
        case .errorRequestEnded(let request, let account, let date, "approvalDeclined"):
            "Request \(request) of \(account) was declined, at \(date)."
        case .errorRequestEnded(let request, let account, let date, "paymentDeclined"):
            "The bank declined request \(request) of \(account), at \(date)."
        case .errorRequestEnded(let request, let account, let date, "sold"):
            "Request \(request) of \(account) ended in a sale, at \(date)."
        case .errorRequestEnded(let request, let account, let date, "planChangePlanned"),
            .errorRequestEnded(let request, let account, let date, "offerRedeemed"):
            "Request \(request) of \(account) was answered, at \(date): it is planned for the renewal."
        case .errorRequestEnded(let request, let account, let date, let end):
            "Request \(request) of \(account) failed, at \(date) (\(end))."
        case .errorPromotedNotHeld(let product):
            "This device holds no purchase of \(product) that was begun outside the app."
        case .listPromoted: "List them: storefront promoted"
        case .errorNothingToRefund(let id):
            "Transaction \(id) was free: there is nothing to give back."
        case .errorCancelled: "The purchase was cancelled."
        case .errorPaymentInvalid: "The store did not accept this payment."
        case .errorPaymentsNotAllowed(let account): "Payments are off for \(self.account(account))."
        case .errorNoProduct(let product): "There is no product \(product) for sale."
        case .errorNoLongerSold(let name): "\(name) is no longer for sale."
        case .errorNotYetSold(let product, let date): "\(product) is for sale from \(date)."
        case .errorSaleEnded(let product, let date): "\(product) was for sale until \(date)."
        case .errorNotPublished(let product, let state):
            "\(product) is not for sale: it is in the state \"\(state)\"."
        case .errorQuantity(let product, let found):
            "\(found.map { "A quantity of \($0)" } ?? "This quantity") is not possible for "
                + "\(product)."
        case .errorNotInTerritory(let product, let territory):
            "\(product) is not sold in \(territory)."
        case .errorOwnServer(let product):
            "\(product) comes from the app's own server, which this program cannot reach."
        case .errorUnsupported: "The store does not support this."
        case .errorNetwork: "The store could not be reached."
        case .errorSystem(let cause): "The system failed\(because(cause))."
        case .errorUnknown(let cause): "The purchase failed for an unknown reason\(because(cause))."
        case .errorPrivacyNotice: "You haven't accepted the App Store's notice about privacy."
        case .acceptPrivacyNotice: "Accept it, then buy again."
        case .errorPaymentDeclined: "The payment was declined."
        case .errorApprovalDeclined: "The request was declined."
        case .errorIneligible(let reason):
            "You can't have that offer"
                + (reason.map { ": " + Self.text(OfferText.offerRefused($0)) } ?? "") + "."
        case .errorNoOffer(let name?, let product?):
            "\(product) has no offer or code \"\(name)\"."
        case .errorNoOffer(let name?, product: nil): "There is no offer code \"\(name)\" here."
        case .errorNoOffer(name: nil, _): "There is no such offer."
        case .errorNoBillingPlan(let product, .monthly):
            "\(product) cannot be paid by the month."
        case .errorNoBillingPlan(let product, .upFront):
            "\(product) cannot be paid up front."
        case .leaveBillingPlanOut: "Buy it the usual way, without --billing-plan."
        case .errorNoIntroductoryOffer(let product):
            "\(product) has no introductory offer, so there is nothing to sign."
        case .listOffers(let product): "See its offers with: storefront offers \(product)"
        case .errorOfferPrice: "The offer's price is no longer valid."
        case .errorOfferIncomplete: "The offer was sent incomplete."
        case .errorOfferSignature(let reason):
            switch reason {
            case "expired": "The offer's signature is more than 24 hours old."
            case "notYetValid": "The offer's signature is dated too far ahead."
            case "replayed": "The offer's signature was used by another payment."
            case "unknownKey": "The offer was signed with a key that the store doesn't have."
            case "signedForOther": "The offer was signed for another purchase."
            default: "The offer's signature is not valid."
            }
        case .errorPriceChanged(let product):
            "The price of \(product) has changed since it was shown."
        case .errorPaymentMismatch(let field, let expected, let found):
            "This payment id was used before with another \(field): \(expected), now \(found)."
        case .errorPaymentNotQueued(let id): "No payment \(id) waits in this device's queue."
        case .errorAlreadyOwned(let product, let account):
            "\(account.map { "Account \"\($0)\"" } ?? "You") came to own \(product) while the request "
                + "waited."
        case .errorSubscriptionActive(let plan, let account):
            (account.map { "Account \"\($0)\" already has" } ?? "You already have")
                + " a subscription of the same group"
                + (plan.map { " (\"\($0)\")" } ?? "") + "."
        case .errorNotEntitled(let product): "You don't own \(product) on this device."
        case .errorNoTransaction(let id, let account):
            "\(account.map { "Account \"\($0)\" has" } ?? "You have") no transaction \(id)."
        case .errorNoTransactionHere(let id): "The store has no transaction \(id)."
        case .listAllTransactions:
            "List those of all accounts with: storefront history --all-accounts --kind sold"
        case .errorNoRequest(let id): "No request \(id) is waiting."
        case .errorRequestWithdrawn: "The request was withdrawn."
        case .errorNotAnswerable(let request, .askToBuy):
            "Request \(request) waits for the family organizer."
        case .errorNotAnswerable(let request, .authentication):
            "Request \(request) waits for the bank."
        case .errorNotAnswerable(let request, .interrupted):
            "Request \(request) is an interrupted purchase, which the customer resolves."
        case .errorNotAnswerable(let request, nil):
            "Request \(request) waits for another answer."
        case .errorAlreadyInFamily(let account, let organizer):
            "Account \"\(account)\" is in the family of \"\(organizer)\" already."
        case .errorNotInFamily(let account): "Account \"\(account)\" is in no family."
        case .errorFamilyFull(let organizer, let count):
            "The family of \"\(organizer)\" has \(count) members, and may have no more."
        case .errorNotForOrganizer(let account):
            "Account \"\(account)\" is its family's organizer and cannot be a child."
        case .errorNotOrganizer(let account, let organizer?):
            "The organizer \"\(organizer)\" answers for account \"\(account)\", and nobody else."
        case .errorNotOrganizer(let account, nil):
            "Account \"\(account)\" belongs to no family that somebody organizes."
        case .errorChildAsks(let account):
            "Account \"\(account)\" is a child, and a child always asks."
        case .errorNotShareable(let product): "A family cannot share \(product)."
        case .errorSharedPurchase(let id, let owner):
            "Transaction \(id) is a family share of what \"\(owner)\" bought."
        case .errorOperatorOnly(let account):
            "Only the store's operator may do this, and not account \"\(account)\"."
        case .leaveFamilyFirst(let account):
            "Take it out first: storefront operator family leave \(account)"
        case .createFamilyFirst:
            "Found a family with: storefront operator family create ACCOUNT"
        case .organizerAnswers(let account):
            "Act as the organizer: storefront operator --as \(account)"
        case .operatorAnswers: "Leave out --as to act as the store's operator."
        case .changeRoleFirst(let account):
            "Make it an adult first: storefront operator family role \(account) adult"
        case .changeSaleInstead(let id): "Change the sale \(id); its shares follow."
        case .ownerAsksForRefund(let owner): "Only \"\(owner)\" can ask for a refund of it."
        case .errorSharedAlready(let product, let owner, let account):
            "\"\(owner)\" shares \(product) with "
                + "\(account.map { "account \"\($0)\"" } ?? "you") already."
        case .buyItAgain: "To buy it for yourself as well, give --again."
        case .errorNoOrganizer(let account, let organizer):
            "Account \"\(account)\" is a member of the family of \"\(organizer)\" and organizes none."
        case .joinOrganizer(let organizer): "Name the organizer: --organizer \(organizer)"
        case .createFamilyOf(let account):
            "Found a family with: storefront operator family create \(account)"
        case .leaveMemberFirst: "Somebody has to leave first."
        case .familyShareableField:
            "The catalog says what a family can share: familyShareable, of what is bought once or "
                + "renews."
        case .errorRefundAnswered(let id, let date, true):
            "Transaction \(id) was refunded, at \(date)."
        case .errorRefundAnswered(let id, let date, false):
            "The refund of transaction \(id) was declined, at \(date)."
        case .errorNoRefundRequest(let id): "No refund of transaction \(id) was asked for."
        case .errorDuplicateRefund(let id):
            id.map { "A refund of transaction \($0) was asked for or given before." }
                ?? "A refund was asked for or given before."
        case .errorRefundRequest(let id):
            "A refund\(id.map { " of transaction \($0)" } ?? "") cannot be requested."
        case .errorBadSignature: "The signature does not fit the contents."
        case .errorBadChain: "The certificates do not end in the store's root."
        case .errorRevokedCertificate: "The certificate that signed it was revoked."
        case .errorOtherDevice: "It was signed for another device."
        case .errorNoSignedText: "It is no signed transaction."
        case .errorMissingProperties: "A property that every transaction has is missing."
        case .errorNoFault(let number): "Failure \(number) is not set any more, or never was."
        case .errorNoContent(let product, let place, let cause):
            "The store has no hosted content for \(product)"
                + (place.map { " at \"\($0)\"" } ?? "") + because(cause) + "."
        case .errorContentMismatch(let product, let place):
            "What was downloaded for \(product) is not what the store announced"
                + (place.map { " (\"\($0)\")" } ?? "") + "."
        case .errorPackageInvalid(let place, let found):
            "The package cannot be hosted: " + (place.map { "\"\($0)\" is " } ?? "") + "\(found)."
        case .errorPackageNotHostable(let product, let field, let found):
            "The package does not agree with \(product): its \(field) is \(found)."
        case .errorSoldWithoutHosting(let product):
            "\(product) was sold without hosted content, and stays so: the store can't host a package "
                + "for it."
        case .errorLastPackage(let product, let package):
            "\(product) was sold with hosted content, and \(package) is the only package it has."
        case .errorNoDownload(let product): "There is no download of \(product) on this device."
        case .errorNotDownloaded(let product, let state):
            "\(product) is not downloaded on this device: its download is \(state)."
        case .errorDownloadedAlready(let product): "\(product) is downloaded already."
        case .errorNotDownloading(let product, let state):
            "\(product) is not downloading" + (state.map { ": its download is \($0)." } ?? ".")
        case .errorDiskFull: "The disk is full."
        case .errorDeviceFile(let place, let cause):
            "A file of this device cannot be used: \(place)\(because(cause))."
        case .errorDeviceBusy(let process):
            process.map { "Process \($0) delivers for this device and does not go on." }
                ?? "Another process is using this device."
        case .errorRecordAltered(let product, let transaction):
            "Another program changed this device's record of your purchase of \(product)"
                + (transaction.map { " (transaction \($0))" } ?? "") + "."
        case .errorForeignRecords:
            "The records in this device's folder were made for another device or account."
        case .errorBalancesAltered: "Another program changed this device's record of your balance."
        case .errorStoreBehind(let found, let expected):
            "The store has lost entries that this device has read: it ends at \(found), this device "
                + "is at \(expected)."
        case .errorStoreDiffers(let entry, nil):
            "The store was put back from an old copy and has gone on differently since: the entry "
                + "\(entry) that this device has read is now another one."
        case .errorStoreDiffers(let entry, let transaction?):
            "The store was put back from an old copy and has gone on differently since: "
                + "transaction \(transaction), which this device received by entry \(entry), is now "
                + "another sale or none."
        case .errorRootChanged(let place):
            "The store signs with another root certificate than this device was registered with "
                + "(\(place))."
        case .errorVerificationFailed(let text, let reason):
            "A signed text could not be verified (\(text))"
                + (reason.map { ". " + self.text(.verificationReason($0)) } ?? ".")
        case .errorSaleNotVerified(let product, let transaction, let reason):
            (product.map { "The purchase of \($0) (transaction \(transaction))" }
                ?? "Transaction \(transaction)") + " could not be verified."
                + (reason.map { " " + self.text(.verificationReason($0)) } ?? "")
        case .errorInvalidName(StoreError.unknownDevice, let name):
            "There is no device \"\(name)\"."
        case .errorInvalidName(let kind, let name): "The \(kind) \"\(name)\" is not possible."
        case .errorStoreBusy(let process):
            process.map { "The store is kept busy by process \($0)." }
                ?? "Another process has kept the store busy for too long."
        case .errorStoreReplaced: "The store was replaced while this was running."
        case .errorStoreReadOnly(let place, let cause):
            "The store cannot be written: \(place)\(because(cause))."
        case .errorStoreFull(let place): "The disk that holds the store is full: \(place)."
        case .errorOutcomeUnknown(let product, let cause):
            "It is not known whether \(product) was bought: its payment may have been recorded, or "
                + "may still be sent\(because(cause))."
        case .errorRecordUnknown(let place, let cause):
            "It is not known whether this was recorded: \(place)\(because(cause))."
        case .errorStoreNewer(let place, let found, let expected):
            "The store was made by a newer version of this program (schema \(found); this one knows "
                + "\(expected)): \(place)."
        case .errorNotAStore(let place, let file):
            "\(place) is not a store: it holds other files, such as \"\(file)\"."
        case .errorStoreOnNetwork(let place, let system):
            "\(place) lies on a network file system (\(system)), whose locks cannot protect a store."
        case .errorSoldProductChanged(let product, let field, let expected, let found):
            "The catalog changes what \(product) is, and it was sold already: its \(field) was "
                + "\(expected), and is \(found) now."
        case .errorKeysUnreadable(let place, let cause):
            "The store's signing keys cannot be read: \(place)\(because(cause))."
        case .errorDueNotRecorded(let time, let reason):
            "The clock is at \(time) now, but not all that was due by then could be recorded "
                + "(\(reason))."
        case .errorClockOutOfRange:
            "The clock cannot stand outside the years the certificates are valid for."
        case .errorDeviceRecords(let place, let detail, let cause):
            "This device's records cannot be read: \(place)"
                + (detail.map { ": \($0)" } ?? "") + "\(because(cause))."
        case .errorFileUnreadable(let place, let cause):
            "\"\(place)\" cannot be read\(because(cause))."
        case .errorFileUnwritable(let place, let cause):
            "\"\(place)\" cannot be written\(because(cause))."
        case .checkPath: "Check the path, and whether you may use it."
        case .errorStoreUnreadable(let place, let detail, let cause):
            "The store cannot be read: \(place)" + (detail.map { ": \($0)" } ?? "")
                + "\(because(cause))."
        case .errorOtherEnvironment(let found, let asked):
            "This store was made for the environment \(found), which is signed into all it sells; it "
                + "cannot be opened for \(asked)."
        case .errorOtherAppAppleID(let found, let asked):
            "This store was made for the App Apple ID \(found), which is signed into all it sells; "
                + "it cannot be opened for \(asked)."
        case .errorOtherApp(let field, let found, let asked):
            "This store belongs to another app: its \(field) is \(found), not \(asked)."
        case .errorRefundTooLarge(let amount, let transaction):
            "\(amount) of transaction \(transaction) cannot be refunded."
        case .errorAlreadyRefunded(let id): "Transaction \(id) was refunded in full before."
        case .errorNothingUnused(let id):
            "Transaction \(id) has no time left that could be refunded."
        case .errorNotRevoked(let id): "Transaction \(id) was neither refunded nor revoked."
        case .errorBoughtAgain(let id):
            "It was bought again in the meantime, with transaction \(id)."
        case .errorNotLastPeriod(let id):
            "Transaction \(id) is not the last period of its subscription."
        case .errorTransactionDeleted(let id):
            "This payment was sold as transaction \(id), which was deleted."
        case .errorBalance(let has, let unit, let wanted):
            "The purse holds \(has) \(unit), and \(wanted) were to be spent."
        case .errorSpendMismatch(let field, let expected, let found):
            "This spend's id was used before with another \(field): \(expected), now \(found)."
        case .errorClockBackwards: "The store's clock only moves forward."
        case .errorNothingDue: "No subscription in this store renews or ends by itself from here."
        case .errorNoSubscription(let obstacle):
            switch obstacle {
            case nil: "There is no such subscription to change."
            case .neverRenews: "This is no subscription that renews."
            case .over: "The subscription is over: it can only be bought again."
            case .renewalOff: "Auto-renew of the subscription is off: it is charged no more."
            case .paymentOwed:
                "The subscription's last period is over, and its renewal is not paid yet."
            }
        case .listSubscriptions: "List the account's with: storefront subscriptions"
        case .errorNoBillingIssue: "No payment for this subscription has failed."
        case .errorNoPriceIncrease: "No higher price waits for the customer's answer."
        case .errorPeriodJustBegun(let id):
            "The period of \(id) begins at this very instant, so it cannot end yet."
        case .errorNextPeriodCharged(let id):
            "The next period of \(id) is charged already, and begins when the present one ends."
        case .goToDate(let date): "To go there: storefront operator clock to \(date)"
        case .errorPriceCommitted(let payment, let count):
            "The customer has made payment \(payment) of \(count) of a commitment, which keeps its "
                + "price."
        case .askInLastPayment: "Put the higher price to them once the last payment is made."
        case .errorContradiction(let found):
            "The store refused to record an entry that contradicts itself"
                + (found.map { " (\($0))" } ?? "") + "."
        case .errorUnnamed(let code, let cause):
            "Something went wrong that has no name here: \(code)\(because(cause))."

        // MARK: Downloads
        case .stoppedNoConnection: "The download stopped: the store could not be reached."
        case .waitsDiskFull(let needed?, let free?):
            "The download waits: the disk is full. It needs \(Measures.bytes(needed)), and "
                + "\(Measures.bytes(free)) is free."
        case .waitsDiskFull: "The download waits: the disk is full."
        case .hereDiskFull:
            "The content is here, but its purchase cannot be finished yet: the disk is full."
        case .hereStoreBusy:
            "The content is here, but its purchase cannot be finished yet: another process keeps the store busy."
        case .hereOffline:
            "The content is here, but its purchase cannot be finished yet: this device is offline."
        case .hereNotRecorded(let detail):
            "The content is here, but its purchase cannot be finished yet\(detail)."
        case .makeRoomThenRun(let command?):
            "Make room on the disk, then finish it with: \(command)"
        case .makeRoomThenRun(nil): "Make room on the disk, then it is finished by itself."
        case .waitsNetworkOff: "The download waits: this device is offline."
        case .goesOnOnline: "It continues by itself when the network is back."
        case .errorOffline: "This device is offline: nothing reached the store."
        case .errorNotSignedIn(let account, let environment):
            "This device is signed out of the App Store (account \(account), environment "
                + "\(environment))."
        case .signInKey: "Press I to sign in, then try again."
        case .signInCommand(let account):
            "Sign in, then try again: storefront sign-in"
                + (account.map { " --account \($0)" } ?? "")
        case .turnNetworkOnKey: "Press N to turn the network on."
        case .turnNetworkOnCommand(let device, let account):
            "Turn the network on with: storefront operator network \(device) on"
                + (account.map { " --account \($0)" } ?? "")
        case .errorKeptAltered(let name):
            "Another program changed \(keptAnswer(name)) on this device."
        case .notUsed: "It is not used, and unlocks nothing."
        case .goOnlineForAnother: "The store gives another one when this device reaches it."
        case .waitsStoreBusy: "The download waits: another process keeps the store busy."
        case .mismatch(let place): "What was downloaded is not what the store announced\(place)."
        case .stoppedContent(let detail):
            "The download stopped: the store's content cannot be read\(detail)."
        case .server(let failure, let address, let cause): server(failure, address, cause)
        case .serverRefuses(let refusal, let address): server(address, refuses: refusal)
        case .startServerThen(let resume):
            "Start the server with: storefront content serve. \(self.text(resume))"
        case .chooseOtherPort: "Choose another one with --port, or 0 for any that is free."
        case .stoppedNotEntitled: "The download stopped: you don't own it any more."
        case .stoppedStoreGone(let detail):
            "The download stopped: the store's files were moved, deleted or replaced\(detail)."
        case .stoppedFile(let detail): "The download stopped: a file cannot be used\(detail)."
        case .startedByNewer: "A newer version of this program began this download."
        case .stopped(let code, let detail): "The download stopped: \(code)\(detail)."
        case .purchaseAndPartKept:
            "You still own what you bought; what was downloaded so far is kept."
        case .resumeDownload: "Resume the download."
        case .goOnWith(let command): "Go on with: \(command)"
        case .makeRoomThen(let commands?):
            (commands.makeRoom.map { "Remove other content with: \($0); or make room" }
                ?? "No other content is left to remove. Make room on the disk")
                + ", then go on with: \(commands.resume); or drop it with: \(commands.cancel)"
        case .makeRoomThen(nil): "Make room, then it goes on by itself."
        case .whenEndedThen(let command):
            "When that has ended, "
                + (command.map { "go on with: \($0)" } ?? "it goes on by itself.")
        case .checkCatalogThen(let resume):
            "Check the catalog with: storefront catalog check FILE. \(self.text(resume))"
        case .startWithThatStore: "Start again with the store that is there."
        case .useThatVersion: "Use that version."
        }
    }

    static func server(
        _ failure: ContentServerFailure?, _ address: String, _ cause: String?
    ) -> String {
        let what =
            switch failure {
            case .addressRefused:
                "is not reached: only http addresses of this machine are"
            case .unreachable: "does not answer"
            case .connectionLost: "closed the connection before anything came"
            case .stalled: "sent nothing for too long"
            case .redirected: "sends this device elsewhere, which is not followed"
            case .wrongRange: "sent other bytes than were asked for"
            case .wrongLength: "sent fewer bytes than it announced"
            case .tooMuch: "sent more bytes than were asked for"
            case .wrongAnswer, nil: "sent an answer that cannot be read"
            case .serverError: "says that it failed"
            case .portTaken: "cannot start: another program listens there"
            case .hostRefused: "cannot start: that is no address of this machine"
            }
        return "The app's own server at \(address) \(what)\(because(cause))."
    }

    static func server(_ address: String, refuses refusal: ContentRefusal?) -> String {
        let why =
            switch refusal {
            case .authorizationMissing: "no proof of the purchase came with the request"
            case .notSigned: "what was shown is no signed text"
            case .tampered: "the signed text was changed"
            case .untrusted: "another store signed the purchase"
            case .certificateRevoked: "the certificate that signed the purchase was revoked"
            case .wrongApp: "the purchase is of another app"
            case .wrongEnvironment: "the purchase is of another environment"
            case .wrongAccount: "the purchase is another account's or device's"
            case .wrongProduct: "the purchase is of another product"
            case .unknownTransaction: "the store has no such purchase"
            case .revoked: "the purchase was refunded or taken back"
            case .expired: "the purchase has expired"
            case nil: "it gives no reason"
            }
        return "The app's own server at \(address) hands nothing out: \(why)."
    }

    static func because(_ cause: String?) -> String { cause.map { " (\($0))" } ?? "" }

    // MARK: - The command line

    static func text(_ text: CommandText) -> String {
        switch text {
        // MARK: The operator's actions, done
        case .doneSoldBefore(let id): "Request \(id) is sold already; nothing was done."
        case .doneAnsweredBefore(let id): "Request \(id) was answered already; nothing was done."
        case .doneApproved(let id): "Approved \(id): it is sold."
        case .changeTakenBackLine(let name, let next):
            "You keep \(name): the change to \(next) is taken back."
        case .doneAnsweredLater(let id, let kind, let product, let from):
            (kind == .approved ? "Approved \(id)" : "Resolved \(id)")
                + (product.map {
                    ": \($0) begins " + (from.map { "on \($0)" } ?? "at the next renewal")
                } ?? ": the present plan goes on") + ". Nothing was charged."
        case .doneDeclined(let id): "Declined \(id)."
        case .doneResolved(let id): "Resolved \(id): it is sold."
        case .doneNextGivenBack(let sum):
            "The next period was charged ahead: \(sum) is given back."
        case .donePlannedOutside(let product, let day):
            "\(product) is planned for the renewal on \(day). Nothing is charged now."
        case .doneFamily(_, isChanged: false): "It was so already; nothing changed."
        case .doneFamily(.create(let organizer), _):
            "Account \"\(organizer)\" has a family and is its organizer."
        case .doneFamily(.join(let account, let organizer, let role), _):
            "Account \"\(account)\" joined the family of \"\(organizer)\""
                + (role == .child ? " as a child: its purchases wait for \"\(organizer)\"." : ".")
        case .doneFamily(.leave(let account), _):
            "Account \"\(account)\" left its family. What was shared with it and by it is revoked."
        case .doneFamily(.setRole(let account, .child), _):
            "Account \"\(account)\" is a child: its purchases wait for the organizer."
        case .doneFamily(.setRole(let account, .adult), _):
            "Account \"\(account)\" is an adult: it buys without asking."
        case .doneFamily(.setSharing(let account, let product, let isOn), _):
            "Account \"\(account)\" \(isOn ? "shares" : "no longer shares") "
                + (product.map { "\($0)" } ?? "its purchases") + " with its family."
        case .noFamilyLine(let account): "Account \"\(account)\" is in no family."
        case .noFamiliesLine: "There is no family."
        case .noNoticesLine: "Nothing to notice about accounts."
        case .noSharesLine(let account): "Nobody shares anything with account \"\(account)\"."
        case .columnRole: "ROLE"
        case .columnShares: "SHARES"
        case .columnSharedBy: "SHARED BY"
        case .familyRole(_, isOrganizer: true): "organizer"
        case .familyRole(.adult, _): "adult"
        case .familyRole(.child, _): "child"
        case .familyShares(all: false, _): "nothing"
        case .familyShares(all: true, let keptBack):
            keptBack.isEmpty ? "all purchases" : "all but \(keptBack)"
        case .doneRefundDeclined(let id): "Declined the refund of \(id)."
        case .doneSoldOutside(let product, let transaction):
            "Sold \(product) outside the app: transaction \(transaction)."
        case .donePublished(let product, let state): "\(product) is \(state) now."
        case .publishedBefore(let product, let state): "\(product) was \(state) already."
        case .donePackage(let product, let package, let state):
            "\(product): package \(package) is \(state.rawValue) now."
        case .packageBefore(let product, let package, let state):
            "\(product): package \(package) was \(state.rawValue) already."
        case .packedLine(let path, let files, let bytes, let packed):
            "Packed \(count(files, "file")), \(Measures.bytes(bytes)), as \(Measures.bytes(packed)): \(path)"
        case .servingLine(let address, let products):
            "Serving content of \(count(products, "product")) at \(address). End with Ctrl-C."
        case .packageProblem(let path, let found, let expected):
            "error: " + (path.map { "\($0): " } ?? "") + "\(found); expected \(expected)"
        case .packageInvalidLine(let problems):
            "Invalid: \(count(problems, "problem"))."
        case .packageValidLine(let product, let package, let files, let bytes):
            "Valid: \(product), package \(package), \(count(files, "file")), \(Measures.bytes(bytes))."
        case .updateLine(let product, let package, let from, let to, let bytes):
            "\(product) \(package): \(from) → \(to), \(Measures.bytes(bytes))"
        case .noUpdates: "Everything on this device is up to date."
        case .upToDate(let product): "\(product) is up to date."
        case .noDownloadFaults(let device): "Nothing goes wrong with the downloads of \(device)."
        case .downloadFaults(let device, let faults):
            "Downloads of \(device): \(list(faults))."
        case .noContentHere: "No content is on this device."
        case .contentRemoved(let product, let package, let bytes):
            "Removed \(product) \(package), \(Measures.bytes(bytes)). You can download it again any time."
        case .spaceLine(let space):
            "\(count(space.packages, "package")), \(Measures.bytes(space.bytes))"
                + (space.partialBytes > 0
                    ? ", and \(Measures.bytes(space.partialBytes)) on the way" : "")
                + (space.freeBytes.map { "; \(Measures.bytes($0)) free" } ?? "")
        case .noPackages: "No packages were put into this store."
        case .bytes(let bytes): Measures.bytes(bytes)
        case .donePromoted(let product, let account):
            "Account \"\(account)\" has begun to buy \(product): the app is told."
        case .doneBank(let account, true):
            "Purchases of account \"\(account)\" now wait for the bank's confirmation."
        case .doneBank(let account, false):
            "Purchases of account \"\(account)\" no longer wait for the bank."
        case .doneInterrupts(let account, true):
            "Purchases of account \"\(account)\" are interrupted until they are resolved."
        case .doneInterrupts(let account, false):
            "Purchases of account \"\(account)\" are no longer interrupted."
        case .doneWithdrawn(let id): "Withdrew request \(id). Nothing was charged."
        case .doneRefundRequested(let id): "Asked for a refund of \(id): the store decides."
        case .noRefundRequested: "Nobody asks for a refund."
        case .doneAskToBuyOn(let account):
            "Ask to Buy is on for account \"\(account)\": purchases wait for approval."
        case .doneAskToBuyOff(let account): "Ask to Buy is off for account \"\(account)\"."
        case .donePaymentsOn(let account): "Payments are on for account \"\(account)\"."
        case .donePaymentsOff(let account): "Payments are off for account \"\(account)\"."
        case .doneDialogs(let account, true):
            "Account \"\(account)\" is asked by a payment sheet before it pays."
        case .doneDialogs(let account, false):
            "Account \"\(account)\" pays without a payment sheet: the key that buys confirms."
        case .doneLocale(let account, let locale?):
            "Account \"\(account)\" now reads names and prices in \(locale)."
        case .doneLocale(let account, nil):
            "Account \"\(account)\" now reads names and prices in the customer's own language."
        case .doneTerritory(let account, let territory):
            "Account \"\(account)\" now buys in \(territory)."
        case .doneFailNext(let error, let call, let count, let after):
            "\(next(count, call).prefix(1).uppercased())\(next(count, call).dropFirst()) "
                + "will fail\(after.map { " after \(self.count($0, "purchase"))" } ?? ""): \(error)."
        case .doneFaultCleared(let number, let failure):
            "Removed failure \(number)" + (failure.map { ": \($0)." } ?? ".")
        case .doneRefunded(let id, let sum):
            "Refunded \(id)\(sum.map { ", \($0) in all" } ?? ""): it is taken back everywhere."
        case .doneRefundedFromPurse(let id, let sum):
            "Refunded \(id)\(sum.map { ", \($0) in all" } ?? ""): the same share of its units leaves the "
                + "purse that they were granted to."
        case .doneRevoked(let id): "Revoked \(id): it is taken back everywhere."
        case .doneRevokedBefore(let id): "\(id) was taken back before."
        case .doneReversed(let id): "Reversed: \(id) is given back everywhere."
        case .doneDeleted(let id): "Deleted \(id), with everything it had granted."
        case .doneDeletedMany(let count):
            "Deleted \(count) transactions, with everything they had granted."
        case .doneClockStopped: "The store's clock is stopped."
        case .doneClockRunning: "The store's clock is running."
        case .doneNowIs(let date): "It is \(date) in the store."
        case .doneRenewed(let count, let orMore):
            count == 1 && !orMore
                ? "1 subscription renewed." : "\(count) renewals\(orMore ? " or more" : "")."
        case .doneRenewals:
            "How subscriptions renew is set."
        case .doneRate(let rate): "Subscriptions bought from now on pass at this rate: \(rate)."
        case .doneBilling(fails: true): "Payments for renewals fail from now on."
        case .doneBilling(fails: false): "Payments for renewals succeed from now on."
        case .doneGrace(isOn: true): "A failed renewal is followed by a grace period."
        case .doneGrace(isOn: false): "A failed renewal is followed by no grace period."
        case .doneRenewalLimit(.count(let number), inDay: false):
            "A subscription renews at most \(count(number, "time")) without a break."
        case .doneRenewalLimit(.none, inDay: false):
            "A subscription renews as often as its rate allows."
        case .doneRenewalLimit(.endless, inDay: false): "A subscription renews without end."
        case .doneRenewalLimit(.count(let number), inDay: true):
            "A subscription renews at most \(count(number, "time")) in 24 hours."
        case .doneRenewalLimit(.none, inDay: true), .doneRenewalLimit(.endless, inDay: true):
            "A subscription renews any number of times in 24 hours."
        case .doneAutoRenewOn(let id): "Auto-renew is on for the subscription of \(id)."
        case .doneAutoRenewOff(let id, let end?):
            "Auto-renew is off for the subscription of \(id): the payments of its commitment go on, "
                + "and it ends with the commitment, on \(end)."
        case .doneAutoRenewOff(let id, nil):
            "Auto-renew is off for the subscription of \(id): it ends with its period, or with the "
                + "grace period if that has begun."
        case .doneExpired(let id): "The subscription of \(id) has ended."
        case .doneRenewedNow(let id, let wasOff):
            "The subscription of \(id) has renewed."
                + (wasOff ? " Auto-renew was off and is on again." : "")
        case .doneBillingResolved(let id): "The renewal of \(id) has been paid."
        case .donePriceIncrease(let id, .ask, true):
            "The subscriber of \(id) is asked to consent to the catalog's price, higher or not; "
                + "without consent, it will not renew."
        case .donePriceIncrease(let id, .ask, false):
            "The subscriber of \(id) was asked already and has not answered."
        case .donePriceIncrease(let id, .consent, true):
            "The subscriber of \(id) has consented to the catalog's price."
        case .donePriceIncrease(let id, .consent, false):
            "The subscriber of \(id) had consented already."
        case .donePriceIncrease(let id, .decline, _):
            "The subscriber of \(id) has declined: it ends with its period."
        case .donePriceIncrease(let id, .notify, true):
            "The subscriber of \(id) is told of the catalog's price and need not consent; it is charged "
                + "from the next renewal."
        case .donePriceIncrease(let id, .notify, false):
            "The subscriber of \(id) was told already, or has consented."
        case .doneExtended(let id, let days):
            "The subscription of \(id) is extended by \(days) day\(days == 1 ? "" : "s")."
        case .doneExtendedAll(0, _): "No subscription is left to extend."
        case .doneExtendedAll(let count, let orMore):
            count == 1 && !orMore
                ? "1 subscription is extended."
                : "\(count) subscriptions\(orMore ? " or more" : "") are extended."
        case .doneCancelled(let id): "The subscription of \(id) is cancelled and refunded."
        case .happened(let product, let what, let account): "\(product): \(what) (\(account))."

        // MARK: Columns of lists
        case .columnTransaction: "TRANSACTION"
        case .columnDate: "DATE"
        case .columnProduct: "PRODUCT"
        case .columnIdentifier: "ID"
        case .columnPrice: "PRICE"
        case .columnState: "STATE"
        case .columnRequest: "REQUEST"
        case .waitsFor(.askToBuy): "approval"
        case .waitsFor(.authentication): "the bank"
        case .waitsFor(.interrupted): "the customer"
        case .refundReason(.unintended): "bought by mistake"
        case .refundReason(.broken): "does not work"
        case .refundReason(.unsatisfied): "not as expected"
        case .refundReason(.other): "another reason"
        case .eventUnverified: "not verified"
        case .countEvery: "all"
        case .columnWaitsFor: "WAITS FOR"
        case .columnAsked: "ASKED"
        case .columnAccount: "ACCOUNT"
        case .columnDevice: "DEVICE"
        case .columnPayment: "PAYMENT"
        case .columnQueued: "QUEUED"
        case .columnPackage: "PACKAGE"
        case .columnVersion: "VERSION"
        case .columnSize: "SIZE"
        case .columnPath: "PATH"
        case .columnNumber: "NUMBER"
        case .columnEvent: "EVENT"
        case .columnDetail: "DETAIL"
        case .columnCount: "COUNT"
        case .columnCall: "CALL"
        case .columnError: "ERROR"
        case .columnCurrency: "CURRENCY"
        case .columnSold: "SOLD"
        case .columnSales: "SALES"
        case .columnRefunded: "REFUNDED"

        // MARK: Watching
        case .watchingLine(let device, let delivers):
            "Watching \(device). "
                + (delivers
                    ? "This process delivers for it." : "Another process delivers for it.")
                + " Ctrl-C ends."
        case .downloadsGoOn(let names):
            "Not downloaded yet: \(names.joined(separator: ", ")). This goes on when you open the "
                + "shop again, or now with: storefront downloads run"
        case .watchDelivers: "this process delivers from now on"
        case .watchDownload: "download"
        case .watchProblem: "problem"

        // MARK: Buying
        case .boughtLine(let item, let price, let transaction):
            "Bought \(item) for \(price), transaction \(transaction)."
        case .autoRenewOnAgainLine(let name): "Auto-renew of \(name) was off and is on again."
        case .planForLaterLine(let name, let transaction, let from):
            "\(name) begins " + (from.map { "on \($0)" } ?? "at the next renewal")
                + "; \(transaction) goes on until then. You weren't charged."
        case .billingPlanForLaterLine(let name, let plan, let transaction, let from):
            "\(name) is \(paid(plan)) from "
                + (from.map { "\($0)" } ?? "the next renewal")
                + " on; \(transaction) goes on until then. You weren't charged."
        case .ownedLineFor(let name, let transaction):
            "Already owned: \(name), transaction \(transaction). You weren't charged."
        case .pendingLine(let name, let request, .askToBuy):
            "Pending: \(name) waits for approval as request \(request). You haven't been charged."
        case .pendingLine(let name, let request, .authentication):
            "Pending: \(name) waits for the bank as request \(request). You haven't been charged."
        case .pendingLine(let name, let request, .interrupted):
            "Interrupted: \(name) waits as request \(request). You haven't been charged. Resolve it "
                + "with: storefront requests resolve \(request)"
        case .joinedRequestLine:
            "It was asked for before: one answer decides all payments of that request."
        case .claimedElsewhereLine(let device): "\(device) has claimed it and delivers it."
        case .notBelievedLine(let reason):
            "Its transaction could not be verified here (\(reason)): nothing was delivered."
        case .unknownLine(let name, let cause, let command):
            "It is not known whether \(name) was bought: its payment may have been recorded, or may "
                + "still be sent\(because(cause)). Ask again with the same id, which never charges "
                + "twice: \(command)"
        case .stillPendingLine(let cause):
            "The request still waits, but its answer cannot be waited for here"
                + (cause.map { ": \($0)" } ?? ".")
        case .notDeliveredLine(let cause):
            "Its delivery could not be recorded yet" + (cause.map { ": \($0)" } ?? ".")
                + " It is delivered at the next launch."
        case .interruptedLine(let name):
            "Interrupted. \(name) is bought; the rest of its delivery follows at the next launch."
        case .notTried(let products): "Not tried: \(products.joined(separator: ", "))."
        case .soldButNotDelivered(let device):
            "It is sold. Another shop delivers for \(device) and has not done so yet; is it stopped? "
                + "It goes on when that one does, or ends."
        case .sentAgainSold(let item, let transaction):
            "It is sold: \(item), transaction \(transaction)."
        case .sendingAgainLine(let item, let age):
            "Sending again: \(item), asked for \(age) ago by a process that ended before its answer."
        case .notSentLine(let item, let age, let advice):
            "Not sent: \(item), asked for \(age) ago by a process that ended before its answer. You "
                + "weren't charged for it. \(self.text(advice))"
        case .buyOrDrop(let buy, let drop): "Buy it with: \(buy); drop it with: \(drop)"

        // MARK: Lists
        case .productInvalid(let id): "invalid: \(id) is not sold here."
        case .paymentsOffFor(let account): "Payments are off for account \"\(account)\"."
        case .noPaymentsQueued: "No payments are waiting."
        case .beingSent: "being sent"
        case .notAnswered: "no answer yet"
        case .heldNotSent: "held, not sent"
        case .ago(let age): "\(age) ago"
        case .droppedLine(let id): "Dropped \(id). You weren't charged for it."
        case .droppedFailed(let id): "Dropped \(id): it had failed. You weren't charged for it."
        case .notDroppedSold(let payment, let transaction):
            "Not dropped: \(payment) was sold as \(transaction). It is delivered at the next launch."
        case .notDroppedPending(let payment, let request):
            "Not dropped: \(payment) waits for an answer as request \(request)."
        case .restoredRow: "restored"
        case .hereRow: "was here"
        case .unverifiedUnfinished(let transaction, let reason):
            "Transaction \(transaction) of this device could not be verified (\(reason)): it is not "
                + "delivered, and is offered again at the next launch."
        case .unverifiedNotRestored(let count):
            count == 1
                ? "1 transaction could not be verified and was not restored."
                : "\(count) transactions could not be verified and were not restored."
        case .nothingNew: "Nothing new to restore."
        case .restoredCount(let count):
            count == 1 ? "Restored 1 purchase." : "Restored \(count) purchases."
        case .noDownloads: "No downloads on this device."
        case .nobodyDownloads:
            "No process downloads for this device now. What is waiting goes on when the shop is "
                + "opened, or with: storefront downloads resume ID"
        case .pausedLine(let product): "Paused \(product)."
        case .staysPaused(let product):
            "\(product) stays paused. Go on with: storefront downloads resume \(product)"
        case .downloadedAlready(let product): "\(product) is downloaded already."
        case .standsStill(let product, let seconds, isElsewhere: false):
            "Nothing of \(product) has come for \(seconds) s. Go on with: storefront downloads run"
        case .standsStill(let product, let seconds, isElsewhere: true):
            "Another process of this device downloads \(product), and nothing has come for \(seconds) s. "
                + "End that process, or wait longer: storefront downloads run --patience SECONDS"
        case .salesStayOpen(let seconds):
            "A purchase could not be completed for \(seconds) s. What is open: storefront transactions --unfinished"
        case .cancelledLine(let product): "Cancelled \(product); it can be downloaded again."
        case .updateCancelledLine(let product, let version):
            "Update of \(product) cancelled; version \(version) stays."
        case .besideUpdate(let version, let state): "downloaded; \(version) \(state)"
        case .downloadSettings(let settings):
            (settings.isMetered
                ? "The connection is metered: downloads from \(Measures.bytes(settings.meteredBytes)) on ask first."
                : "The connection is not metered.")
                + (settings.makesRoom
                    ? " A full disk makes room by itself."
                    : " A full disk asks before it makes room.")
        case .waitsForConsent(let product, let bytes):
            "\(product) waits: the connection is metered, and it has \(Measures.bytes(bytes)). Download it with: storefront downloads resume \(product) --metered"
        case .askMetered(let product, let bytes):
            "The connection is metered. Download \(Measures.bytes(bytes)) for \(product)? [y/N] "
        case .finishCancels(let product, let package):
            "Finishing cancels the download of \(product) \(package); it can be downloaded again."
        case .deletedLine(let product): "Deleted the content of \(product)."
        case .bytesToDownload(let bytes): "\(bytes) bytes to download again"
        case .bytesOf(let received, let expected): "\(received) of \(expected) bytes"
        case .downloadState(let state):
            switch state {
            case .waiting: "waiting"
            case .active: "downloading"
            case .paused: "paused"
            case .failed: "failed"
            case .finished: "downloaded"
            case .cancelled: "cancelled"
            case .deleted: "deleted"
            }
        case .downloadNeedsConsent: "waiting (metered connection)"
        case .downloadNotWorkedOn: "waiting (not running)"
        case .downloadWaitsForRoom: "waiting (disk full)"
        case .noHistory: "Nothing like this has happened yet."
        case .nothingFound: "No transaction that is known here matches."
        case .nothingSold(let account): "Nothing was sold to account \"\(account)\" yet."
        case .allFinished: "Everything is finished."
        case .until(let date): "until \(date)"
        case .renews(let date): "renews \(date)"
        case .sharedByFamily: "shared by the family"
        case .sharesNothing(let account, let product):
            "Account \"\(account)\" shares none of its purchases, so \(product) is not shared. Share "
                + "them with: storefront operator family share \(account) on"
        case .afterRestored(let count): "after \(self.count(count, "purchase"))"
        case .restoredBeforeFailure(let count):
            "\(self.count(count, "purchase")) came back before the restore failed."
        case .restoreLostNothing:
            "Nothing is lost: the account keeps what it bought, and what is on this device stays. "
                + "Restore again when the network is on."
        case .deliveredOn(let device): "to be delivered on \(device)"
        case .refundedOn(let part, let date): "refunded\(part.map { " (\($0))" } ?? "") \(date)"
        case .upgradedOn(let date): "plan changed \(date), the rest refunded"
        case .revokedOn(let part, let date): "revoked\(part.map { " (\($0))" } ?? "") \(date)"
        case .finishedLine(let id): "Finished \(id)."
        case .finishQueued(let id): "\(id) will be finished when this device is online again."
        case .signedInAs(let account, let environment):
            "Signed in to the App Store as \(account), environment \(environment)."
        case .signedOutOf(let account):
            "\(account) is signed out of the App Store on this device. What it owns stays."
        case .signInPrompt(let account, let environment):
            "Sign in to the App Store as \(account), environment \(environment)? [y/N] "
        case .networkIsOn(let device): "The device \(device) is online."
        case .networkIsOff(let device, let time):
            "The device \(device) is offline: nothing it does reaches the store"
                + (time.map { ". It is online again in \($0)." } ?? ".")
        case .networkOffAfterPayment(let device):
            "The device \(device) goes offline when the store has recorded its next payment, before "
                + "it hears the answer."
        case .offlineSince(let date):
            "This device is offline. This is what it knew at \(date)."
        case .consumablesNotRestored:
            "Consumables, such as coins, are not restored: each belongs to the device that bought it."
        case .noPromoted: "No purchase that was begun outside the app is held on this device."
        case .promotedDropped(let product): "Dropped \(product), which was begun outside the app."
        case .unverifiedState(let reason): "not verified: \(reason)"
        case .unreadableEntitlement(let transaction, let product, let reason):
            "\(transaction)  \(product)  not verified: \(reason)"
        case .unlocksLine(let names, let hasProducts, let asOf, let until):
            (names.isEmpty
                ? hasProducts ? "What is owned unlocks no named feature" : "Nothing is unlocked"
                : "Unlocked: \(names.joined(separator: ", "))")
                + " (as of \(asOf)" + (until.map { ", until \($0))" } ?? ")")
        case .finishedBefore(let id): "\(id) was finished before."
        case .anotherDevicesLine(let id): "\(id) is another device's to deliver and finish."
        case .noEntitlements: "No entitlements."
        case .purseEmpty: "Nothing in it yet."
        case .purseNotCurrent:
            "The store cannot be written: what was refunded since this device was used last is still "
                + "counted."
        case .spentLine(let amount, let unit, let left):
            "Spent \(amount) of \(unit); \(left) left."
        case .claimedLine(let transaction, let device): "Claimed \(transaction) for \(device)."
        case .noRequestsLine: "No requests are waiting."
        case .noRequestsToAnswer(let account):
            "No requests are waiting that account \"\(account)\" answers."
        case .clockIs(let date, let isStopped): "\(date)  \(isStopped ? "stopped" : "running")"
        case .catalogNotWritten(let path):
            "The store cannot be written to: it answers with the catalog it has, not with \(path)."
        case .nextOnClock(let date, let kind, let product, let account, let isDue):
            "\(date)  \(isDue ? "overdue" : "next"): \(step(kind, of: product)), \(account)"
        case .renewingUntil(let end, let at):
            "Renewing what is due until \(end); now at \(at)."
        case .requestNotSold(let request, let reason): "Request \(request) was not sold. \(reason)"
        case .deviceGoesOn(let device, let account, let unknown):
            "\(device) of \(account) goes on from here. "
                + (unknown == 0
                    ? "The store knows everything it was granted."
                    : "\(unknown) of its purchases \(unknown == 1 ? "is" : "are") unknown to the "
                        + "store; what they granted stays.")
        case .notBehind: "This store has everything that its devices have read."
        case .catalogSets(let settings, let rate):
            "The catalog's settings: " + catalogSettings(settings, rate).joined(separator: "; ")
                + "."
        case .catalogSettingsOverruled(let settings, let rate):
            "Changed in the store since, and left so until the catalog says otherwise; the catalog "
                + "still has: " + catalogSettings(settings, rate).joined(separator: "; ") + "."
        case .catalogWarnings(let count):
            "The catalog has \(self.count(count, "warning")); the history lists "
                + "\(count == 1 ? "it" : "them")."
        case .moreWarnings(let count, let path):
            "\(self.count(count, "more warning")): storefront catalog check \(path)"
        case .catalogExported(let path, let products):
            "Exported \(count(products, "product")) to \(path)."
        case .noStoreToCompare(let path):
            "There is no store at \(path) yet: nothing is there that the catalog could contradict."
        case .catalogInvalid(let errors, let warnings):
            "Invalid: \(count(errors, "error")), \(count(warnings, "warning"))."
        case .catalogValid(let products, let warnings):
            "Valid: \(count(products, "product")), \(count(warnings, "warning"))."
        case .problem(let severity, let place, let found, let expected):
            "\(severity): \(place): found \(found), expected \(expected)."
        case .inFile: "file"
        case .lineAndColumn(let place, let line, let column):
            "\(place) (line \(line)" + (column.map { ", column \($0)" } ?? "") + ")"
        case .didYouMean(let word): "Did you mean \(word)?"
        case .severityError: "error"
        case .severityWarning: "warning"
        case .catalogNotTaken(let path):
            "The catalog was not taken; the last good one goes on selling: \(path)"
        case .catalogUnusable(let path): "The catalog cannot be used: \(path)"
        case .checkItWith:
            "Nothing was changed. Check it with: storefront catalog check FILE"
        case .andMore(let count): "and \(count) more."
        case .waitingForLock(let process):
            "Waiting for \(process.map { "process \($0)" } ?? "another process"), which holds the "
                + "store's lock."
        case .migrating(let percent): "Bringing the store up to this version: \(percent) %"
        case .clockBehind(let seconds):
            "This computer's clock is \(seconds) s behind what this store has recorded: the store's "
                + "time runs on from there, and its dates never go back."
        case .outputLost(let reason):
            "The answer could not be written: \(reason). What was done stays done."
        case .nothingWasWaiting: "Nothing was waiting."

        // MARK: Signed texts and receipts
        case .verificationReason(let reason):
            switch reason {
            case .revokedCertificate: "Its certificate is on the store's list of revoked ones."
            case .invalidCertificateChain:
                "Its certificates do not lead to the root that is trusted here."
            case .invalidDeviceVerification: "It was signed for another device."
            case .invalidEncoding: "It is no compact JWS with a JSON header and payload."
            case .invalidSignature: "The key of its certificate did not make its signature."
            case .missingRequiredProperties: "Its payload lacks a required property."
            case .wrongApp:
                "It is correctly signed, but for another app. StoreKit has no name for this."
            case .wrongEnvironment:
                "It is correctly signed, but for another environment. StoreKit has no name for this."
            }
        case .kindTransaction: "Transaction"
        case .kindReceipt: "Receipt"
        case .kindAppTransaction: "App transaction"
        case .kindRenewalInfo: "Renewal info"
        case .renewalSettings(let settings, let rate):
            "Rate: \(rate) (\(settings.rate.name)); "
                + (settings.renewalsMax.map { "at most \(count($0, "renewal"))" }
                    ?? "renewals without end")
                + (settings.limitPerDay.map { ", \($0) in 24 hours" } ?? "")
                + "; payments for renewals \(settings.failsBilling ? "fail" : "succeed"); "
                + (settings.hasGracePeriod
                    ? "a grace period after a failed one." : "no grace period.")
        case .noIssues: "No issues were published."
        case .issueToRead: "to download"
        case .issueNotOwned: "subscribers only"
        case .noSubscriptions: "No subscriptions."
        case .subscriptionRevoked: "revoked"
        case .subscriptionNeverEnds: "never ends"
        case .subscriptionState(let state):
            switch state {
            case .subscribed: "active"
            case .expired: "expired"
            case .inBillingRetryPeriod: "payment failed"
            case .inGracePeriod: "grace period"
            case .revoked: "refunded"
            }
        case .subscriptionRenews(let date, let price, let product):
            "renews on \(date)" + (product.map { " as \($0)" } ?? "")
                + (price.map { " for \($0)" } ?? "")
        case .subscriptionRenewedAhead(let date, let until, let price):
            "renews on \(date), already charged; next on \(until)"
                + (price.map { " for \($0)" } ?? "")
        case .subscriptionEnds(let date): "ends on \(date)"
        case .subscriptionEndsNotForSale(let date): "ends on \(date), no longer sold"
        case .subscriptionEndedAtLimit: "ended: the limit of renewals was reached"
        case .subscriptionThen(let product, let plan):
            "then " + [product, plan.map { paid($0) }].compactMap(\.self).joined(separator: ", ")
        case .billingPlanName(.upFront): "payment up front"
        case .billingPlanName(.monthly): "monthly payments"
        case .subscriptionGraceEnds(let date): "payment failed; access until \(date)"
        case .subscriptionPays(let date, let price):
            "next payment on \(date)" + (price.map { " for \($0)" } ?? "")
                + "; ends with the commitment"
        case .subscriptionCommitment(let number, let count, let date):
            "payment \(number) of \(count) until \(date)"
        case .subscriptionRetried(let price):
            "no access; renews" + (price.map { " for \($0)" } ?? "") + " once the payment succeeds"
        case .subscriptionEnded(let reason): reason.map { "ended: \(ended($0))" } ?? "ended"
        case .subscriptionProblem(let problem, let id, let product):
            switch problem {
            case .billingFailed:
                "The payment for \(id) fails. Pay it with: storefront operator resolve-billing \(id)"
            case .priceConsentNeeded:
                "The price of \(id) goes up; without consent it ends with its period. "
                    + "Consent with: storefront operator price-increase consent \(id)"
            case .productUnavailable:
                "The product of \(id), \(product), is no longer sold: it ends with its period. "
                    + "Buy another plan to go on. If the catalog has it, sell it again with: "
                    + "storefront operator publish \(product) approved"
            }
        case .timeline(let what):
            switch what {
            case .subscribed: "subscribed"
            case .resubscribed: "subscribed again"
            case .changedPlan: "changed the plan to this"
            case .renewed: "renewed"
            case .recovered: "recovered: the failed renewal was paid"
            case .gap(0): "less than a day without it"
            case .gap(let days): days == 1 ? "1 day without it" : "\(days) days without it"
            case .autoRenew(let isOn): isOn ? "auto-renew on" : "auto-renew off"
            case .event(let kind): Self.text(EventText.subscriptionEvent(kind))
            case .expired(let reason): reason.map { "expired: \(ended($0))" } ?? "expired"
            case .revised(.refunded): "refunded"
            case .revised(.revoked): "revoked"
            case .revised(.refundReversed): "refund reversed"
            case .revised(.expiryMoved): "end moved"
            case .revised(.upgraded): "ended by a change of plan; the rest was refunded"
            }
        case .noOffers(let product): "\(product) has no offers here."
        case .columnOffer: "OFFER"
        case .columnTerms: "TERMS"
        case .columnCodes: "CODES"
        case .offerAppliesByItself: "applies by itself"
        case .offerForLaterLine(let name, let transaction, let from):
            "The offer of \(name) begins " + (from.map { "on \($0)" } ?? "at the next renewal")
                + "; \(transaction) goes on until then. You weren't charged."
        case .timelineUntil(let date): "until \(date)"
        case .timelineFrom(let date): "from \(date)"
        case .timelineFromUntil(let from, let until): "\(from) until \(until)"
        case .expiredAtRenewalLimit: "expired: the limit of renewals was reached"
        case .renewsAs(let product, let to): "\(product), then \(to)"
        case .activeFromUntil(let from, let until): "active from \(from) until \(until)"
        case .activeFrom(let from): "active from \(from), without an end"
        case .kindManifest: "Manifest of content"
        case .kindRevocationList: "List of revoked certificates"
        case .kindOther: "Unknown text"
        case .verifiedLine(let kind): "\(self.text(kind)): verified."
        case .notVerifiedLine(let kind, let reason):
            "\(self.text(kind)): not verified (\(reason.rawValue))."
        case .consistentLine(let kind):
            "\(self.text(kind)): signed by the chain that it brings itself, and not verified."
        case .noRootPinned:
            "No root certificate is pinned here, so anybody may have made the chain. Name one with "
                + "--root FILE, or a store with --store DIR."
        case .partHeader: "Header"
        case .partCertificates: "Certificates"
        case .partPayload: "Payload"
        case .notDecoded: "cannot be decoded"
        case .noSignedText(let place, let found):
            "\(place) holds no signed text and no certificates: found \(found), expected a JWS, three "
                + "parts of Base64 with dots between them."
        case .noCertificates(let place):
            "none: \(place) names no certificates in its header; expected three in x5c: leaf, "
                + "intermediate and root"
        case .standardInput: "standard input"
        case .thisText: "the argument"
        case .certificateLeaf: "leaf"
        case .certificateIntermediate: "intermediate"
        case .certificateRoot: "root"
        case .certificateOther: "certificate"
        case .certificateValid(let from, let until): "valid from \(from) until \(until)"
        case .certificateSerial(let number): "serial number \(number)"
        case .certificateMarkers(let markers): "markers \(markers.joined(separator: ", "))"
        case .certificateIsPinned: "this is the pinned root"
        case .receiptPath: "file"
        case .receiptCreated: "created"
        case .receiptKind: "type"
        case .receiptApp: "app"
        case .receiptState: "state"
        case .receiptIsVerified: "verified"
        case .receiptExpired(let date): "expired \(date)"
        case .receiptRevoked(let date): "revoked \(date)"
        case .receiptEmpty: "The receipt has no transactions."
        case .receiptRefreshed(let count):
            "Refreshed the receipt: \(self.count(count, "transaction"))."
        case .appTransactionRefreshed(let number): "Refreshed the app transaction \(number)."
        case .receiptMissing:
            "This device has no receipt yet. Get one with: storefront receipt refresh"
        case .appTransactionNumber: "number"
        case .appVersion: "version"
        case .appSince: "since"
        }
    }

    /// Why a subscription ended.
    /// "upgrade"
    static func step(_ kind: UpcomingItem.Kind, of product: String) -> String {
        switch kind {
        case .renewal: "renewal of \(product)"
        case .billingRetry: "payment retry for \(product)"
        case .expiry: "expiry of \(product)"
        }
    }

    static func change(_ kind: PlanChange.Kind) -> String {
        switch kind {
        case .present: "your plan"
        case .upgrade: "upgrade"
        case .downgrade: "downgrade"
        case .crossgrade: "switch"
        }
    }

    /// "An upgrade"
    static func changeNoun(_ kind: PlanChange.Kind) -> String {
        switch kind {
        case .present: "Your plan"
        case .upgrade: "An upgrade"
        case .downgrade: "A downgrade"
        case .crossgrade: "A switch at the same level"
        }
    }

    static func subscriptionMessage(
        _ event: SubscriptionEvent, _ name: String, _ next: String?, _ day: String?
    ) -> String {
        switch event.kind {
        case .expired where event.isAtRenewalLimit == true:
            "\(name) has ended: the limit of renewals was reached."
        case .expired: "\(name) has ended" + (event.reason.map { ": \(ended($0))." } ?? ".")
        case .billingFailed:
            "The payment for \(name) failed."
                + (day.map { " You keep access until \($0)." } ?? "") + " s shows what to do."
        case .graceBegan:
            "\(name) is not paid."
                + (day.map { " You keep access until \($0)." } ?? "") + " s shows what to do."
        case .graceEnded, .billingRetryBegan:
            "\(name) is not paid, and access has ended. s shows what to do."
        case .billingRetryFailed:
            "Another payment for \(name) failed. s shows what to do."
        case .priceIncreaseAsked:
            "The price of \(name) goes up. Accept or decline it"
                + (day.map { " by \($0)" } ?? "") + ": s."
        case .priceIncreaseAgreed: "You accepted the new price of \(name)."
        case .priceIncreaseNotified:
            "\(name) has a new price" + (day.map { " from \($0)" } ?? "")
                + ". You need not agree; s shows it."
        case .planChangePlanned:
            "\(name) changes to \(next ?? "another plan")" + (day.map { " on \($0)" } ?? "")
                + ". Nothing was charged."
        case .planChangeTakenBack: "You keep \(name). Nothing was charged."
        case .offerRedeemed:
            "Your offer for \(name) begins" + (day.map { " on \($0)" } ?? " with the next renewal")
                + ". Nothing was charged."
        }
    }

    static func paid(_ plan: BillingPlanType) -> String {
        switch plan {
        case .upFront: "paid up front"
        case .monthly: "paid by the month"
        }
    }

    static func ended(_ reason: ExpirationReason) -> String {
        switch reason {
        case .autoRenewDisabled: "auto-renew was off"
        case .billingError: "the payment failed"
        case .didNotConsentToPriceIncrease: "no consent to the higher price"
        case .productUnavailable: "the product is not for sale"
        case .other: "by the store"
        }
    }

    /// "the next purchase", "the next 3 purchases", "every purchase"
    static func next(_ count: Int?, _ call: Fault.Call) -> String {
        switch count {
        case nil: "every \(name(call))"
        case 1: "the next \(name(call))"
        case let count?: "the next \(count) \(name(call))s"
        }
    }

    static func name(_ call: Fault.Call) -> String {
        switch call {
        case .loadProducts: "product request"
        case .purchase: "purchase"
        case .verification: "verification"
        case .appStoreSync: "restore"
        case .subscriptionStatus: "status request"
        case .appTransaction: "app transaction"
        case .manageSubscriptions: "subscription sheet"
        case .refundRequest: "refund request"
        case .offerCodeRedeem: "code redemption"
        }
    }

    /// The values of a catalog's settings, one text for each value.
    static func catalogSettings(
        _ settings: CatalogSettings, _ rate: RenewalRate?
    ) -> [String] {
        let failures = settings.failures.map { failures in
            failures.isEmpty
                ? "no failures"
                : failures.map { "\($0.interface.rawValue) fails (\($0.error.rawValue))" }
                    .joined(separator: ", ")
        }
        return [
            settings.askToBuy.map { "Ask to Buy \($0 ? "on" : "off")" },
            settings.interruptsPurchases.map {
                "purchases \($0 ? "interrupted" : "not interrupted")"
            },
            settings.disablesDialogs.map { $0 ? "payment without a sheet" : "payment sheets" },
            settings.entersBillingRetry.map {
                "payments for renewals \($0 ? "fail" : "succeed")"
            },
            settings.hasGracePeriod.map { $0 ? "grace period" : "no grace period" },
            settings.territory.map { "storefront \($0)" }, settings.locale.map { "locale \($0)" },
            failures, rate.map { "renewal rate \($0.name)" },
        ].compactMap(\.self)
    }

    /// "2 kB a second, connection lost at byte 4850"
    static func list(_ faults: DownloadFaults) -> String {
        [
            faults.bytesPerSecond.map { "\(Measures.bytes($0)) a second" },
            faults.latencyMilliseconds.map { "\($0) ms for each request" },
            faults.stallAt.map { "standstill at byte \($0)" },
            faults.disconnectAt.map { "connection lost at byte \($0)" },
            faults.corruptAt.map { "byte \($0) changed" },
            faults.fullAt.map { "disk full at byte \($0)" },
            faults.diskBytes.map { "a disk of \(Measures.bytes($0))" },
        ].compactMap(\.self).joined(separator: ", ")
    }

    /// "at a quarter"
    static func place(_ place: DownloadFaults.Place) -> String {
        switch place {
        case .quarter: "at a quarter"
        case .half: "halfway"
        case .nearEnd: "near the end"
        }
    }

    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
