import StoreModel

extension English {
    static func text(_ text: BuyingErrorText) -> String {
        switch text {
        case .errorCallCancelled: "It was cancelled."
        case .errorCallUnknown(let cause): "It failed for an unknown reason\(because(cause))."
        case .errorAppNotEntitled: "This app is not entitled to in-app purchases."
        case .errorNotInThisTerritory(let product, let account):
            "\(product ?? "This") is not available in "
                + (account.map { "the territory of account \"\($0)\"." }
                    ?? "your account's territory.")
        case .errorOwnedBefore(let product, let account):
            account.map { "Account \"\($0)\" already owns \(product)." }
                ?? "You already own \(product)."
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
        case .errorNoIntroductoryOffer(let product):
            "\(product) has no introductory offer, so there is nothing to sign."
        case .errorOfferPrice: "The offer's price is no longer valid."
        case .errorOfferIncomplete: "The offer was sent incomplete."
        case .errorOfferSignature(let reason):
            switch reason {
            case .expired: "The offer's signature is more than 24 hours old."
            case .notYetValid: "The offer's signature is dated too far ahead."
            case .replayed: "The offer's signature was used by another payment."
            case .unknownKey: "The offer was signed with a key that the store doesn't have."
            case .signedForOther: "The offer was signed for another purchase."
            case .forged, .unreadable, nil: "The offer's signature is not valid."
            }
        case .errorPriceChanged(let product):
            "The price of \(product) has changed since it was shown."
        case .errorPaymentMismatch(let field, let expected, let found):
            "This payment id was used before with another \(field): \(expected), now \(found)."
        case .errorAlreadyOwned(let product, let account):
            "\(account.map { "Account \"\($0)\"" } ?? "You") came to own \(product) while the request "
                + "waited."
        case .errorSubscriptionActive(let plan, let account):
            (account.map { "Account \"\($0)\" already has" } ?? "You already have")
                + " a subscription of the same group"
                + (plan.map { " (\"\($0)\")" } ?? "") + "."
        case .errorNotEntitled(let product): "You don't own \(product) on this device."
        case .errorRequestWithdrawn: "The request was withdrawn."
        case .errorOffline: "This device is offline: nothing reached the store."
        case .errorNotSignedIn(let account, let environment):
            "This device is signed out of the App Store (account \(account), environment "
                + "\(environment))."
        }
    }
}
