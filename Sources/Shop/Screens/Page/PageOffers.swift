import ShopText
package import StoreModel

/// The store's answer about the offers of one product, for its page.
struct PageOffers: Hashable, Sendable {
    var product: ProductID
    var answers: [OfferAnswer]

    /// The facts on which the answer depends. If one of them changes, the store is asked again.
    struct Question: Hashable, Sendable {
        var product: ProductID
        /// The revision of the products for sale.
        var revision: Int64?
        /// The account's subscription of the product's group.
        var subscription: AccountSubscription?
    }
}

/// Whether an account can take an offer now.
package enum OfferStanding: Hashable, Sendable {
    case available
    /// The account can take the offer by redeeming one of its codes.
    case withCode
    /// The offer can be taken only after the failed payment is made: a purchase now makes that
    /// payment.
    case afterPayment
    /// The plan would begin with the next renewal, to which no introductory offer applies.
    case atOnceOnly
    /// The store refuses it.
    case refused(OfferRefusal)

    /// Whether the account can take the offer now.
    package var isAvailable: Bool {
        switch self {
        case .available, .withCode: true
        case .afterPayment, .atOnceOnly, .refused: false
        }
    }
}

extension ShopState {
    /// The offers of a product with the store's answers, for its page. While there is no answer,
    /// only the introductory offer that the device knows to apply. None for a plan whose
    /// subscription a family member shares.
    package func offersOnPage(of product: Product) -> [OfferAnswer] {
        guard canHaveOffers(product), let info = product.subscription else { return [] }
        if let known = page.offers, known.product == product.id { return known.answers }
        return info.introductoryOffer.map { [OfferAnswer(offer: $0)] } ?? []
    }

    /// Whether the account can take an offer of a product now, and the reason if it cannot.
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

    /// Asks the store for the offers of the plan in sight: when its page is opened or drawn beside
    /// the list, and when a fact changes on which they depend.
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

    /// Keeps the store's answer if it is about the product of the page in sight.
    mutating func keepOffersOfPage(_ answers: [OfferAnswer], of product: ProductID) {
        guard productOfPage?.id == product else { return }
        page.offers = PageOffers(product: product, answers: answers)
    }

    /// Whether the store must be asked: the device does not know whether a plan has offer codes.
    private func canHaveOffers(_ product: Product) -> Bool {
        guard product.subscription?.period != nil else { return false }
        return subscription(inGroupOf: product)?.isShared != true
    }

    /// The product of the page in sight: the open page, or the page of the selected row beside the
    /// list.
    private var productOfPage: Product? {
        if case .product(let id) = screen { return productList.product(id) }
        return isPageBesideRoot && !screen.fillsBody ? selectedProduct : nil
    }
}
