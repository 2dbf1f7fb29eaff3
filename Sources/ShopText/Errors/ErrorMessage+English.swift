import StoreModel

/// The messages about errors whose sentences are the same in the shop and at a shell.
extension English {
    static func message(about facts: ErrorFacts) -> ErrorMessage? {
        ofSales(facts) ?? ofFamilies(facts) ?? ofStore(facts) ?? ofPlaces(facts)
    }

    /// The meaning of an error of the App Store Server API; its number stands beside it.
    private static func apiAnswer(status: Int) -> String {
        switch status {
        case 400: "The server refuses the request as wrong."
        case 403: "The server refuses the change."
        case 404: "The server does not find what is asked for."
        case 429: "The server says that it is asked too often."
        default: "The server fails."
        }
    }

    private static func ofSales(_ facts: ErrorFacts) -> ErrorMessage? {
        let (id, place) = (facts.transaction, facts.place)
        let (found, expected) = (facts.found, facts.expected)
        let isSent = facts.error.subject == Fault.Call.notification.rawValue
        let what = isSent ? "A notification" : "An update"
        let heldBack =
            facts.isOnScreen ? "" : "To end that: storefront operator failures --clear"
        return switch facts.error.code {
        case .paymentNotQueued:
            ErrorMessage(
                "No payment \(facts.payment) waits in this device's queue.",
                next: "List them with: storefront payments")
        case .invalidSignature: ErrorMessage("The signature does not fit the contents.")
        case .invalidCertificateChain:
            ErrorMessage("The certificates do not end in the store's root.")
        case .revokedCertificate: ErrorMessage("The certificate that signed it was revoked.")
        case .invalidDeviceVerification: ErrorMessage("It was signed for another device.")
        case .invalidEncoding: ErrorMessage("It is no signed transaction.")
        case .missingRequiredProperties:
            ErrorMessage("A property that every transaction has is missing.")
        case .deliveredTwice:
            ErrorMessage("\(isSent ? "A notification comes" : "Updates come") twice.")
        case .deliveredLate: ErrorMessage("\(what) comes late.", next: heldBack)
        case .deliveredOutOfOrder:
            ErrorMessage("\(what) comes after the next one.", next: heldBack)
        case .notDelivered: ErrorMessage("A notification is lost, as if it had been received.")
        case .wrongApp: ErrorMessage("It is of another app.")
        case .wrongEnvironment: ErrorMessage("It is of another environment.")
        case .lateAnswer: ErrorMessage("The server answers late.")
        case .cutOffAnswer: ErrorMessage("The server's answer ends in the middle.")
        case let code where code.apiError != nil:
            ErrorMessage(apiAnswer(status: (code.apiError ?? 0) / 10_000))
        case let code where code.attemptResult != nil:
            ErrorMessage("A notification ends with \(code.rawValue).")
        case .deliveredAfterAnswer:
            ErrorMessage("A sale's update comes after the purchase is answered.")
        case .refundTooLarge:
            ErrorMessage(
                "\(found) of transaction \(id) cannot be refunded.",
                next: "Left to refund: \(expected).")
        case .alreadyRefunded:
            ErrorMessage(
                "Transaction \(id) was refunded in full before.",
                next: text(AdviceText.undoRefundCommand(id)))
        case .nothingUnused:
            ErrorMessage(
                "Transaction \(id) has no time left that could be refunded.",
                next: "Refund a part of it with --percent.")
        case .notRevoked: ErrorMessage("Transaction \(id) was neither refunded nor revoked.")
        case .boughtAgain:
            ErrorMessage(
                "It was bought again in the meantime, with transaction \(id).",
                next: "Refund that one first.")
        case .transactionDeleted:
            ErrorMessage(
                "This payment was sold as transaction \(id), which was deleted.",
                next: text(AdviceText.newPaymentID))
        case .insufficientBalance:
            ErrorMessage(
                "The purse holds \(found) \(place), and \(expected) were to be spent.",
                next: "Spend less, or buy more.")
        case .valuesFull:
            ErrorMessage(
                "The account's values would have \(found) \(place); \(expected) are allowed.",
                next: "Remove others, or keep less: storefront values")
        case .spendMismatch:
            ErrorMessage(
                "This spend's id was used before with another \(place): \(expected), now \(found).",
                next: "Use a new id for a new spend.")
        case .noBillingIssue: ErrorMessage("No payment for this subscription has failed.")
        case .noPriceIncrease: ErrorMessage("No higher price waits for the customer's answer.")
        case .periodJustBegun:
            ErrorMessage(
                "The period of \(id) begins at this very instant, so it cannot end yet.",
                next: "Move the store's clock first.")
        case .nextPeriodCharged:
            ErrorMessage(
                "The next period of \(id) is charged already, and begins when the present one ends.",
                next: "To go there: storefront operator clock to \(facts.reachableDate)")
        case .priceCommitted:
            ErrorMessage(
                "The customer has made payment \(found) of \(expected) of a commitment, which keeps its "
                    + "price.", next: "Put the higher price to them once the last payment is made.")
        case .notLastOfChain:
            ErrorMessage(
                "Transaction \(id) is not the last period of its subscription.",
                next: "Delete \(expected) first, or the whole subscription with --whole-chain.")
        case .contradictoryEntry:
            ErrorMessage(
                "The store refused to record an entry that contradicts itself"
                    + (facts.error.found.map { " (\($0.text))" } ?? "") + ".",
                next: "This is a mistake of the program: report it with this line.")
        case .duplicateRequest:
            ErrorMessage(
                "A refund" + (facts.error.transactionID.map { " of transaction \($0)" } ?? "")
                    + " was asked for or given before.")
        case .promotedNotHeld:
            ErrorMessage(
                "This device holds no purchase of \(facts.product) that was begun outside the app.",
                next: facts.atShell("List them: storefront promoted"))
        case .faultNotSet:
            ErrorMessage(
                "Failure \(found) is not set any more, or never was.",
                next: facts.atShell("List them with: storefront operator failures"))
        default: nil
        }
    }

    private static func ofFamilies(_ facts: ErrorFacts) -> ErrorMessage? {
        let (place, found) = (facts.place, facts.found)
        return switch facts.error.code {
        case .alreadyInFamily:
            ErrorMessage(
                "Account \"\(place)\" is in the family of \"\(found)\" already.",
                next: facts.atShell("Take it out first: storefront operator family leave \(place)"))
        case .notInFamily:
            ErrorMessage(
                "Account \"\(place)\" is in no family.",
                next: facts.atShell(
                    "Create a family with: storefront operator family create ACCOUNT"))
        case .familyFull:
            ErrorMessage(
                "The family of \"\(place)\" has \(found) members, and may have no more.",
                next: "Somebody has to leave first.")
        case .notForOrganizer:
            ErrorMessage("Account \"\(place)\" is its family's organizer and cannot be a child.")
        case .notAChild: ErrorMessage("Account \"\(place)\" is no child of its family.")
        case .childAlwaysAsks:
            ErrorMessage(
                "Account \"\(place)\" is a child, and a child always asks.",
                next: facts.atShell(
                    "Make it an adult first: storefront operator family role \(place) adult"))
        case .notShareable:
            ErrorMessage(
                "A family cannot share \(facts.product).",
                next:
                    "The catalog says what a family can share: familyShareable, of what is bought once or "
                    + "renews.")
        case .operatorOnly:
            ErrorMessage(
                "Only the store's operator may do this, and not account \"\(found)\".",
                next: facts.atShell("Leave out --as to act as the store's operator."))
        default: nil
        }
    }

    private static func ofStore(_ facts: ErrorFacts) -> ErrorMessage? {
        let (place, why) = (facts.place, because(facts.error.cause))
        let (found, expected) = (facts.found, facts.expected)
        let (plan, extensionID) = (facts.error.productID?.rawValue ?? "", place)
        return switch facts.error.code {
        case .contentUnavailable:
            ErrorMessage(
                "The store has no hosted content for \(facts.product)"
                    + (facts.error.subject.map { " at \"\($0)\"" } ?? "") + why + ".",
                next: "Check the catalog with: storefront catalog check FILE")
        case .contentMismatch:
            ErrorMessage(
                "What was downloaded for \(facts.product) is not what the store announced"
                    + (facts.error.subject.map { " (\"\($0)\")" } ?? "") + ".",
                next: "Download it again.")
        case .packageInvalid:
            ErrorMessage(
                "The package cannot be hosted: "
                    + (facts.error.subject.map { "\"\($0)\" is " } ?? "") + "\(found).",
                next: text(AdviceText.expected(expected)))
        case .clockBackwards:
            ErrorMessage(
                "The store's clock only moves forward.",
                next: "Choose a later date, or begin a new store with --store.")
        case .clockOutOfRange:
            ErrorMessage(
                "The clock cannot stand outside the years the certificates are valid for.",
                next: "Set it to a date from 2000 to 2099-12-31.")
        case .nothingDue:
            ErrorMessage(
                "No subscription in this store renews or ends by itself from here.",
                next: "Buy a subscription that renews first.")
        case .dueNotRecorded:
            ErrorMessage(
                "The clock was moved to \(facts.foundDate), and "
                    + "\(expected == "1" ? "1 step" : "\(expected) steps") of subscriptions "
                    + "recorded, but not all that was due by then (\(place)).",
                next:
                    "Continue when the store can be written again: the next command records the rest."
            )
        case .extendedInPart:
            ErrorMessage(
                "\(found) of the subscriptions of \(facts.product) are extended, and the others not "
                    + "yet\(why).",
                next: "To continue, and extend none twice: "
                    + "storefront operator extend-all \(expected) \(plan) --request-id \(extensionID)"
            )
        case .soldProductChanged:
            ErrorMessage(
                "The catalog changes what \(facts.product) is, and it was sold already: its \(place) was "
                    + "\(expected), and is \(found) now.",
                next: "Undo that, or sell this catalog from another store: --store DIR.")
        case .keysUnreadable:
            ErrorMessage(
                "The store's signing keys cannot be read: \(place)\(why).",
                next: "Restore the folder from a copy, or begin a new store with --store.")
        case .fileUnreadable:
            ErrorMessage(
                "\"\(place)\" cannot be read\(why).",
                next: "Check the path, and whether you may use it.")
        case .listInvalid:
            ErrorMessage(
                "The list of trials has a mistake at \(place): found \(found), expected \(expected).",
                next: "Correct it, then open the list again.")
        case .productListInvalid:
            ErrorMessage(
                "\"\(place)\" was read, and is no list of products in JSON.",
                next: "The form is {\"list\": \"A\", \"products\": [{\"id\": \"PRODUCT\"}]}, or an "
                    + "array of such objects or of ids.")
        case .fileUnwritable:
            ErrorMessage(
                "\"\(place)\" cannot be written\(why).",
                next: "Check the path, and whether you may use it.")
        case .fileExists:
            ErrorMessage("\"\(place)\" exists already.", next: "Give --force to replace it.")
        case .deviceFull:
            ErrorMessage("The disk is full.", next: "Make room and resume, or cancel the download.")
        case .deviceUnreadable:
            ErrorMessage(
                "A file of this device cannot be used: \(place)\(why).",
                next: "Restore it from a copy, or bring your purchases to another device: "
                    + "storefront restore --device NAME.")
        case .rootChanged:
            ErrorMessage(
                "The store signs with another root certificate than this device was registered with "
                    + "(\(place)).",
                next: "Use the store this device belongs to, or another --device.")
        default: nil
        }
    }

    /// Of the place where the store is: a folder or a database.
    private static func ofPlaces(_ facts: ErrorFacts) -> ErrorMessage? {
        let (place, why, found) = (facts.place, because(facts.error.cause), facts.found)
        return switch facts.error.code {
        case .storeReplaced:
            ErrorMessage(
                "The store was replaced while this was running.", next: text(AdviceText.tryAgain))
        // Of a shop that is open.
        case .storeUnreachable where facts.error.subject == nil:
            ErrorMessage("The store's server cannot be reached.", next: "It is asked again.")
        case .storeUnreachable:
            ErrorMessage(
                "The store's server cannot be reached: \(place)\(why).",
                next: "Try again once the server and the way to it are there.")
        case .storeReadOnly where DatabaseAddress.isAddress(place):
            ErrorMessage(
                "The store's database cannot be written: \(place)\(why).",
                next: "Use the primary server, and a role that may write.")
        case .storeMoved:
            ErrorMessage(
                "The store was closed here, and continues at \(place).",
                next: "Use it there: --store \(facts.placeWord)")
        case .copyUnfinished:
            ErrorMessage(
                "This is a copy of \(place) that is not complete, so nothing is sold from it.",
                next: "Complete it: storefront store copy \(facts.placeWord) HERE")
        case .storeExists:
            ErrorMessage(
                "There is a store at \(place) already.", next: "Name another address.")
        case .copyDiffers:
            ErrorMessage(
                "The copy at \(place) has other rows in \(found) than the store it was made of.",
                next: "Remove the copy. The tables of one of the two were changed by hand.")
        case .storeReadOnly:
            ErrorMessage(
                "The store cannot be written: \(place)\(why).",
                next: "Make the folder writable, or choose another with --store.")
        case .storeFull:
            ErrorMessage(
                "The disk that holds the store is full: \(place).",
                next: "Make room, then try again.")
        case .databaseUnsupported:
            ErrorMessage(
                "This program opens stores in folders only, not in databases: \(place).",
                next: "Build one that does with: make postgresql, and run "
                    + ".build/storefront-postgresql.")
        case .notAStore:
            ErrorMessage(
                "\(place) is not a store: it holds other files, such as \"\(found)\".",
                next: "Name a new or empty folder with --store, or a store's own.")
        case .storeOnNetwork:
            ErrorMessage(
                "\(place) lies on a network file system (\(found)), whose locks cannot protect a store.",
                next: "Choose a local folder with --store.")
        default: nil
        }
    }
}
