import StoreModel

/// Every error of the store in words. A code nobody has heard of still gets an honest sentence.
enum ErrorMessages {
    private static let notCharged = "Nothing was charged."
    private static let nothingChanged = "Nothing was changed."

    static func message(for error: StoreError) -> ErrorMessage {
        purchase(error) ?? afterPurchase(error) ?? takingBack(error) ?? store(error)
            ?? ErrorMessage(
                "Something went wrong that has no name here: \(error.code)\(because(error)).",
                kept: notCharged, next: "Try again; if it stays, report it with this line.")
    }

    private static func product(_ error: StoreError) -> String {
        error.productID.map { "\"\($0)\"" } ?? "this product"
    }

    private static func because(_ error: StoreError) -> String {
        error.cause.map { " (\($0))" } ?? ""
    }

    private static func place(_ error: StoreError) -> String { error.subject ?? "the store" }

    // MARK: - Buying

    private static func purchase(_ error: StoreError) -> ErrorMessage? {
        switch error.code {
        case .userCancelled:
            ErrorMessage("The purchase was cancelled.", kept: notCharged)
        case .paymentInvalid:
            ErrorMessage(
                "The store did not accept this payment.", kept: notCharged,
                next: "Check what was sent, then buy again.")
        case .purchaseNotAllowed:
            ErrorMessage(
                "This account may not make payments.", kept: notCharged,
                next: "Allow it with: storefront operator payments on")
        case .productUnavailable:
            ErrorMessage(
                "The store has no product \(product(error)).", kept: notCharged,
                next: error.expected.map { "Did you mean \"\($0)\"?" }
                    ?? "List what is for sale with: storefront products")
        case .invalidQuantity:
            ErrorMessage(
                "\(error.found.map { "A quantity of \($0)" } ?? "This quantity") is not possible "
                    + "for \(product(error)).",
                kept: notCharged, next: "Use \(error.expected ?? "1 to 10").")
        case .notAvailableInStorefront:
            ErrorMessage(
                "\(product(error)) is not sold in \(error.found ?? "this territory").",
                kept: notCharged, next: "Choose another territory, or add a price to the catalog.")
        case .unsupported where error.subject == "ownServer":
            ErrorMessage(
                "\(product(error)) is delivered by the app's own server, which is not part of "
                    + "this store yet.", kept: notCharged)
        case .unsupported:
            ErrorMessage("The store does not support this.", kept: notCharged)
        case .networkError:
            ErrorMessage(
                "The store could not be reached.", kept: notCharged, next: "Try again.")
        case .systemError:
            ErrorMessage(
                "The system failed\(because(error)).", kept: notCharged, next: "Try again.")
        case .unknown:
            ErrorMessage(
                "The purchase failed for an unknown reason\(because(error)).",
                kept: notCharged, next: "Try again.")
        case .paymentDeclined:
            ErrorMessage(
                "The payment was declined.", kept: notCharged,
                next: "Try another way to pay, then buy again.")
        case .approvalDeclined:
            ErrorMessage("The request was declined.", kept: notCharged)
        case .ineligibleForOffer:
            ErrorMessage("This account cannot have that offer.", kept: notCharged)
        case .invalidOfferIdentifier:
            ErrorMessage("There is no such offer.", kept: notCharged)
        case .invalidOfferPrice:
            ErrorMessage("The offer's price is not valid any more.", kept: notCharged)
        case .missingOfferParameters:
            ErrorMessage("The offer was sent incomplete.", kept: notCharged)
        case .invalidOfferSignature:
            ErrorMessage("The offer's signature is not valid.", kept: notCharged)
        case .priceChanged:
            ErrorMessage(
                "The price of \(product(error)) has changed since it was shown.",
                kept: notCharged, next: "Look at the new price, then buy again.")
        case .paymentMismatch:
            ErrorMessage(
                "This payment id was used before with another \(error.subject ?? "content"): "
                    + "\(error.expected ?? "?"), now \(error.found ?? "?").",
                kept: notCharged, next: "Use a new id for a new payment.")
        case .paymentNotQueued:
            ErrorMessage(
                "No payment \(error.paymentID?.description ?? "") waits in this device's queue.",
                kept: "Nothing was changed.", next: "List them with: storefront payments")
        case .alreadyOwned:
            ErrorMessage(
                "This account came to own \(product(error)) while the request waited.",
                kept: notCharged)
        case .subscriptionActive:
            ErrorMessage(
                "This account already has a subscription of the same group"
                    + (error.subject.map { " (\"\($0)\")" } ?? "") + ".",
                kept: notCharged,
                next: "Changing plans is not part of this store yet; wait until it expires.")
        default: nil
        }
    }

    // MARK: - After buying

    private static func afterPurchase(_ error: StoreError) -> ErrorMessage? {
        switch error.code {
        case .notEntitled:
            ErrorMessage(
                "This account does not own \(product(error)) on this device.",
                kept: notCharged, next: "Buy it, or restore with: storefront restore")
        case .transactionNotFound:
            ErrorMessage(
                "This account has no transaction \(error.transactionID?.description ?? "").",
                kept: nothingChanged, next: "List them with: storefront transactions")
        case .requestNotPending:
            ErrorMessage(
                "No request \(error.transactionID?.description ?? "") is waiting.",
                kept: nothingChanged, next: "List them with: storefront operator requests")
        case .contentUnavailable:
            ErrorMessage(
                "The store has no hosted content for \(product(error))"
                    + (error.subject.map { " at \"\($0)\"" } ?? "") + because(error) + ".",
                kept: "What you bought stays yours.",
                next: "Check the catalog with: storefront catalog check")
        case .contentMismatch:
            ErrorMessage(
                "What was downloaded for \(product(error)) is not what the store announced"
                    + (error.subject.map { " (\"\($0)\")" } ?? "") + ".",
                kept: "It was thrown away; what you bought stays yours.",
                next: "Start the download again.")
        case .downloadNotFound:
            ErrorMessage(
                error.found.map {
                    "\(product(error)) is not downloaded on this device: its download is \($0)."
                } ?? "There is no download of \(product(error)) on this device.",
                kept: nothingChanged,
                next: error.found == nil
                    ? "If you own it, download it with: storefront downloads resume "
                        + (error.productID?.rawValue ?? "ID") : "")
        case .downloadNotActive where error.found == Download.State.finished.rawValue:
            ErrorMessage("\(product(error)) is downloaded already.", kept: nothingChanged)
        case .downloadNotActive:
            ErrorMessage(
                "\(product(error)) is not downloading"
                    + (error.found.map { ": its download is \($0)." } ?? "."), kept: nothingChanged)
        case .deviceFull:
            ErrorMessage(
                "The disk is full.", kept: "What was downloaded so far is kept.",
                next: "Make room and resume, or cancel the download.")
        case .deviceUnreadable:
            ErrorMessage(
                "A file of this device cannot be used: \(place(error))\(because(error)).",
                kept: "What you bought stays yours.",
                next: "Restore it from a copy, or bring your purchases to another device: "
                    + "storefront restore --device NAME.")
        case .deviceBusy:
            ErrorMessage(
                "Another process is using this device.", kept: nothingChanged,
                next: "Try again when it has ended.")
        case .recordAltered:
            ErrorMessage(
                error.productID.map { "This device's record of \"\($0)\" was altered." }
                    ?? "This device's record of your balance was altered.",
                kept: error.productID == nil
                    ? "What you bought is added up anew." : "It unlocks nothing.",
                next: error.productID == nil ? "" : "Bring purchases back with: storefront restore")
        case .storeBehind:
            ErrorMessage(
                "The store has lost entries that this device has read: it ends at "
                    + "\(error.found ?? "?"), this device is at \(error.expected ?? "?").",
                kept: "Nothing was charged, and nothing is sold to this device as it is.",
                next: "Put back the newer store file, or go on with this one: "
                    + "storefront operator accept-store")
        case .rootChanged:
            ErrorMessage(
                "The store signs with another root certificate than this device was registered "
                    + "with (\(place(error))).",
                kept: "Nothing of it was believed.",
                next: "Use the store this device belongs to, or another --device.")
        default: nil
        }
    }

    // MARK: - The store itself

    private static func store(_ error: StoreError) -> ErrorMessage? {
        switch error.code {
        case .invalidName:
            ErrorMessage(
                "The \(error.subject ?? "name") \"\(error.found ?? "")\" is not possible.",
                next: error.expected.map { "Expected \($0)." } ?? "")
        case .storeBusy:
            ErrorMessage(
                error.found.map { "The store is kept busy by process \($0)." }
                    ?? "Another process has kept the store busy for too long.",
                kept: nothingChanged,
                next: error.found == nil
                    ? "Try again." : "If it is stopped, let it go on or end it, then try again.")
        case .storeReplaced:
            ErrorMessage(
                "The store was replaced while this was running.", kept: nothingChanged,
                next: "Try again.")
        case .storeReadOnly:
            ErrorMessage(
                "The store cannot be written: \(place(error))\(because(error)).",
                kept: nothingChanged,
                next: "Make the folder writable, or choose another with --store.")
        case .storeFull:
            ErrorMessage(
                "The disk that holds the store is full: \(place(error)).",
                kept: "Nothing that was sold is lost; this was not recorded.",
                next: "Make room, then try again.")
        case .outcomeUnknown where error.paymentID != nil:
            ErrorMessage(
                "It is not known whether \(product(error)) was bought: its payment may have been "
                    + "recorded, or may still be sent\(because(error)).",
                kept: "Nothing that was sold is lost.",
                next: "Ask again with the same id, which never charges twice: --payment "
                    + "\(error.paymentID?.description ?? "")")
        case .outcomeUnknown:
            ErrorMessage(
                "It is not known whether this was recorded: \(place(error))\(because(error)).",
                kept: "Nothing that was sold is lost.",
                next: "Look, or ask for the same again; it is not done twice.")
        case .storeNewer:
            ErrorMessage(
                "The store was made by a newer version of this program "
                    + "(schema \(error.found ?? "?"); this one knows "
                    + "\(error.expected ?? "less")): \(place(error)).",
                kept: nothingChanged,
                next: "Use that version, or choose another folder with --store.")
        case .storeOfAnotherApp: ofAnotherApp(error)
        case .storeOnNetwork:
            ErrorMessage(
                "\(place(error)) lies on a network file system (\(error.found ?? "?")), whose "
                    + "locks cannot keep a store whole.",
                kept: nothingChanged, next: "Choose a local folder with --store.")
        case .soldProductChanged:
            ErrorMessage(
                "The catalog makes something else of \(product(error)), which was sold: its "
                    + "\(error.subject ?? "kind") was \(error.expected ?? "?"), and is "
                    + "\(error.found ?? "?") now.",
                kept: "The last good catalog goes on selling.",
                next: "Undo that, or sell this catalog from another store: --store DIR.")
        case .keysUnreadable:
            ErrorMessage(
                "The store's signing keys cannot be read: \(place(error))\(because(error)).",
                kept: nothingChanged,
                next: "Restore the folder from a copy, or begin a new store with --store.")
        case .clockOutOfRange:
            ErrorMessage(
                "The clock cannot stand outside the years the certificates hold for.",
                kept: nothingChanged, next: "Set it to a date from 2000 to 2100.")
        case .storeUnreadable where error.subject?.hasSuffix("/device.sqlite") == true:
            ErrorMessage(
                "This device's records cannot be read: \(place(error))"
                    + (error.found.map { ": \($0)" } ?? "") + "\(because(error)).",
                kept: "What you bought stays yours.",
                next: "Restore that file from a copy, or go on with another device: "
                    + "storefront restore --device NAME.")
        case .storeUnreadable:
            ErrorMessage(
                "The store cannot be read: \(place(error))"
                    + (error.found.map { ": \($0)" } ?? "") + "\(because(error)).",
                kept: nothingChanged,
                next: "Restore its folder from a copy. If this is not a store, choose another "
                    + "folder with --store.")
        default: nil
        }
    }

    /// A store keeps the identity it was made with, part by part: what differs is not always the
    /// app.
    private static func ofAnotherApp(_ error: StoreError) -> ErrorMessage {
        let (found, asked) = (error.found ?? "?", error.expected ?? "?")
        return switch error.subject {
        case "environment":
            ErrorMessage(
                "This store was made for the environment \(found), which is signed into all it "
                    + "sells; it cannot be opened for \(asked).",
                kept: nothingChanged,
                next: "Say --environment \(found), or choose another folder with --store.")
        case "App Apple ID":
            ErrorMessage(
                "This store was made for the App Apple ID \(found), which is signed into all it "
                    + "sells; it cannot be opened for \(asked).",
                kept: nothingChanged,
                next: "Give that number to the catalog or to --app-apple-id, or choose another "
                    + "folder with --store.")
        default:
            ErrorMessage(
                "This store belongs to another app: its \(error.subject ?? "identity") is "
                    + "\(found), not \(asked).",
                kept: nothingChanged,
                next: "Choose another folder with --store, or say whose it is.")
        }
    }
}
