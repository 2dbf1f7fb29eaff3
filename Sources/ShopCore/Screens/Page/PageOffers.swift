package import StoreModel

/// The store's answer about the offers of one product, for its page.
struct PageOffers: Hashable, Sendable {
    var product: ProductID
    var answers: [OfferAnswer]

    /// Everything that the answer depends on: where one of these changes, it is asked for again.
    struct Question: Hashable, Sendable {
        var product: ProductID
        /// Of the products for sale.
        var revision: Int64?
        /// The account's subscription of the product's group.
        var subscription: AccountSubscription?
    }
}

/// Whether an account can take an offer now.
package enum OfferStanding: Hashable, Sendable {
    case available
    /// An account that has one of its codes can redeem it.
    case withCode
    /// Not before the payment that failed is made: a purchase is that payment.
    case afterPayment
    /// The plan would begin with the next renewal, where no introductory offer applies.
    case atOnceOnly
    /// The store refuses it.
    case refused(OfferRefusal)

    /// Whether it can be taken.
    package var isAvailable: Bool {
        switch self {
        case .available, .withCode: true
        case .afterPayment, .atOnceOnly, .refused: false
        }
    }
}

extension ShopState {
    /// The offers of a product with the store's answers, for its page; until these have come, and
    /// where they never do, the introductory offer that the device knows to apply. None for a plan of
    /// a subscription that a family member shares.
    package func offersOnPage(of product: Product) -> [OfferAnswer] {
        guard canHaveOffers(product), let info = product.subscription else { return [] }
        if let known = page.offers, known.product == product.id { return known.answers }
        return info.introductoryOffer.map { [OfferAnswer(offer: $0)] } ?? []
    }

    /// Whether the account can take an offer of a product now, and if not, why.
    package func standing(of answer: OfferAnswer, of product: Product) -> OfferStanding {
        if let refusal = answer.refusal { return .refused(refusal) }
        if subscription(inGroupOf: product)?.isOverdue == true { return .afterPayment }
        switch answer.offer.kind {
        case .introductory:
            return planChange(to: product)?.isAtOnce == false ? .atOnceOnly : .available
        case .promotional, .winBack: return .available
        case .code: return .withCode
        }
    }

    /// Asks the store for the offers of the plan whose page is shown: when the page is opened or
    /// drawn beside the list, and when something has changed that they depend on.
    mutating func readOffersOfPage() -> [ShopEffect] {
        guard opening == .open, !snapshot.isOffline, let product = productOfPage,
            canHaveOffers(product)
        else {
            page.askedOffers = nil
            return []
        }
        let question = PageOffers.Question(
            product: product.id, revision: productList.revision,
            subscription: subscription(inGroupOf: product))
        guard page.askedOffers != question else { return [] }
        page.askedOffers = question
        return [.findOffers(product.id)]
    }

    /// Keeps the store's answer if it is about the product whose page is shown.
    mutating func keepOffersOfPage(_ answers: [OfferAnswer], of product: ProductID) {
        guard productOfPage?.id == product else { return }
        page.offers = PageOffers(product: product, answers: answers)
    }

    /// Whether the store is asked: that there are codes for a plan, the device does not know.
    private func canHaveOffers(_ product: Product) -> Bool {
        guard product.subscription?.period != nil else { return false }
        return subscription(inGroupOf: product)?.isShared != true
    }

    /// The product whose page is in sight: the open one, or that of the selected row where the page is
    /// beside it.
    private var productOfPage: Product? {
        switch screen {
        case .product(let id): productList.product(id)
        case .list, .library: viewport.panes > 1 ? selectedProduct : nil
        case .subscription, .reader, .receipt, .history, .console, .details: nil
        }
    }
}
