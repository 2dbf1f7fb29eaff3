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
        case .errorNothingToRefund(let id):
            "Transaction \(id) was free: there is nothing to give back."
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
        case .errorRefundRequest(let id):
            "A refund\(id.map { " of transaction \($0)" } ?? "") cannot be requested."
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
        case .errorNoSuchPackage(let product, let package):
            "\(product) has no package of the name or version \(package)."
        case .errorNotDownloading(let product, let state):
            "\(product) is not downloading" + (state.map { ": its download is \($0)." } ?? ".")
        case .errorNoSubscription(let obstacle):
            switch obstacle {
            case nil: "There is no such subscription to change."
            case .neverRenews: "This is no subscription that renews."
            case .over: "The subscription is over: it can only be bought again."
            case .renewalOff: "Auto-renew of the subscription is off: it is charged no more."
            case .paymentOwed:
                "The subscription's last period is over, and its renewal is not paid yet."
            case .extendedTwice:
                "The app's server has extended the subscription twice in 365 days."
            }
        case .errorNotOrganizer(let account, let organizer?):
            "The organizer \"\(organizer)\" answers for account \"\(account)\", and nobody else."
        case .errorNotOrganizer(let account, nil):
            "Account \"\(account)\" belongs to no family that somebody organizes."
        case .errorSharedPurchase(let id, let owner):
            "Transaction \(id) is a family share of what \"\(owner)\" bought."
        case .errorSharedAlready(let product, let owner, let account):
            "\"\(owner)\" shares \(product) with "
                + "\(account.map { "account \"\($0)\"" } ?? "you") already."
        case .errorNoOrganizer(let account, let organizer):
            "Account \"\(account)\" is a member of the family of \"\(organizer)\" and organizes none."
        }
    }
}
