import StoreModel

extension English {
    static func text(_ text: SaleErrorText) -> String {
        switch text {
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
        case .errorNothingToRefund(let id):
            "Transaction \(id) was free: there is nothing to give back."
        case .errorPaymentNotQueued(let id): "No payment \(id) waits in this device's queue."
        case .errorNoTransaction(let id, let account):
            "\(account.map { "Account \"\($0)\" has" } ?? "You have") no transaction \(id)."
        case .errorNoTransactionHere(let id): "The store has no transaction \(id)."
        case .errorNoRequest(let id): "No request \(id) is waiting."
        case .errorNotAnswerable(let request, .askToBuy):
            "Request \(request) waits for the family organizer."
        case .errorNotAnswerable(let request, .authentication):
            "Request \(request) waits for the bank."
        case .errorNotAnswerable(let request, .interrupted):
            "Request \(request) is an interrupted purchase, which the customer resolves."
        case .errorNotAnswerable(let request, nil):
            "Request \(request) waits for another answer."
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
        case .errorNoBillingIssue: "No payment for this subscription has failed."
        case .errorNoPriceIncrease: "No higher price waits for the customer's answer."
        case .errorPeriodJustBegun(let id):
            "The period of \(id) begins at this very instant, so it cannot end yet."
        case .errorNextPeriodCharged(let id):
            "The next period of \(id) is charged already, and begins when the present one ends."
        case .errorPriceCommitted(let payment, let count):
            "The customer has made payment \(payment) of \(count) of a commitment, which keeps its "
                + "price."
        case .errorContradiction(let found):
            "The store refused to record an entry that contradicts itself"
                + (found.map { " (\($0))" } ?? "") + "."
        }
    }
}
