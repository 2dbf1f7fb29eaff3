import StoreModel

extension English {
    static func text(_ text: AdviceText) -> String {
        switch text {
        case .refreshOrReport: "Refresh it with: storefront receipt refresh"
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
        case .waitForEnd(let id):
            "Buy again when that has ended"
                + (id.map { ", or end it now with: storefront operator expire \($0)" } ?? ".")
        case .buyOrRestoreCommand: "Buy it, or restore it with: storefront restore"
        case .buyOrRestoreKey(let key): "Buy it, or \(press(key, inside: true)) to restore it."
        case .listTransactions: "List them with: storefront transactions"
        case .listRequests:
            "List them with: storefront requests; those of all accounts: storefront operator requests"
        case .listRefundRequests: "List them with: storefront operator refund-requests"
        case .answerCommand(let request, .interrupted):
            "Resolve it with: storefront requests resolve \(request)"
        case .answerCommand(let request, _):
            "Answer it with: storefront operator approve \(request), or decline"
        case .publishCommand(let product):
            "Put it on sale with: storefront operator publish \(product) approved"
        case .resumeCommand(let product):
            "If you own it, download it with: storefront downloads resume \(product)"
        case .tryWhenEnded: "Try again when it has ended."
        case .restorePurchasesCommand: "Bring purchases back with: storefront restore"
        case .restorePurchasesKey(let key): "\(press(key)) to restore your purchases."
        case .acceptStore:
            "Put back the newer store file, or continue with this one: "
                + "storefront operator accept-store"
        case .expected(let what): "Expected \(what)."
        case .letItGoOn: "If it is stopped, let it continue or end it, then try again."
        case .askAgain(let payment):
            "Ask again with the same id, which never charges twice: --payment \(payment)"
        case .lookOrAskAgain: "Check, or ask for the same again; it is not done twice."
        case .useNewerVersion: "Use that version, or choose another folder with --store."
        case .moveAwayOrNewStore:
            "To begin anew, move its folder away or name another one with --store."
        case .openToWriteOrCopy:
            "Open the store once where it can be written, or copy its folder and name the copy with "
                + "--store."
        case .sellContentAnew:
            "Sell the content as a product of its own, or deliver it from the app's own server "
                + "(\"ownServer\" in the catalog)."
        case .approveOtherFirst:
            "Host and approve another version first: storefront content host FILE --approve"
        case .restoreFileOrOtherDevice:
            "Restore that file from a copy, or continue with another device: "
                + "storefront restore --device NAME."
        case .restoreFolderOrOther:
            "Restore its folder from a copy. If this is not a store, choose another folder with "
                + "--store."
        case .restoreDatabaseOrOther:
            "Restore the database from a backup. If this is not a store, name another one: "
                + "--store 'postgresql://HOST/DATABASE?store=NAME'."
        case .sayEnvironment(let name):
            "Say --environment \(name), or choose another folder with --store."
        case .giveAppAppleID:
            "Give that number to the catalog or to --app-apple-id, or choose another folder with "
                + "--store."
        case .chooseOrSayWhose: "Choose another folder with --store, or say whose it is."
        case .undoRefundCommand(let id): "Undo that with: storefront operator reverse-refund \(id)"
        case .refundAllTheSame(let id):
            "Refund it all the same with: storefront operator refund \(id)"
        case .reportOrTryAgain: "Try again; if it stays, report it with this line."
        case .askAgainByBuying: "Buying again asks anew."
        case .refundInstead(let request): "To refund it: storefront operator refund \(request)"
        case .acceptPrivacyNotice: "Accept it, then buy again."
        case .leaveBillingPlanOut: "Buy it the usual way, without --billing-plan."
        case .listOffers(let product): "See its offers with: storefront offers \(product)"
        case .listAllTransactions:
            "List those of all accounts with: storefront history --all-accounts --kind sold"
        case .listSubscriptions: "List the account's with: storefront subscriptions"
        case .signInKey(let key): "\(press(key)) to sign in, then try again."
        case .signInCommand(let account):
            "Sign in, then try again: storefront sign-in"
                + (account.map { " --account \($0)" } ?? "")
        case .turnNetworkOnKey(let key): "\(press(key)) to turn the network on."
        case .turnNetworkOnCommand(let device, let account):
            "Turn the network on with: storefront operator network \(device) on"
                + (account.map { " --account \($0)" } ?? "")
        case .goOnlineForAnother: "The store gives another one when this device reaches it."
        case .organizerAnswers(let account):
            "Act as the organizer: storefront operator requests --as \(account)"
        case .changeSaleInstead(let id): "Change the sale \(id); its shares follow."
        case .ownerAsksForRefund(let owner): "Only \"\(owner)\" can ask for a refund of it."
        case .buyItAgain: "To buy it for yourself as well, give --again."
        case .joinOrganizer(let organizer): "Name the organizer: --organizer \(organizer)"
        case .createFamilyOf(let account):
            "Create a family with: storefront operator family create \(account)"
        case .lookAtBackend: "See what waits with: storefront device backend"
        }
    }
}
