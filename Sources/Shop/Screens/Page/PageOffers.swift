import ShopText
package import StoreModel

/// The store's answer about the offers of one product, for its page.
struct PageOffers: Hashable, Sendable {
    var product: ProductID
    var answers: [OfferAnswer]

    /// The facts on which the answer depends. If one of them changes, the store is asked again.
    struct Question: Hashable, Sendable {
        var product: ProductID
        var revision: Int64?
        var subscription: AccountSubscription?
    }
}

/// Whether an account can take an offer now.
package enum OfferStanding: Hashable, Sendable {
    case available
    /// The account can take the offer by redeeming one of its codes.
    case withCode
    /// Only after the failed payment is made: a purchase now makes that payment.
    case afterPayment
    case refused(OfferRefusal)

    package var isAvailable: Bool {
        switch self {
        case .available, .withCode: true
        case .afterPayment, .refused: false
        }
    }
}

extension ShopState {
    /// Without an answer, only the introductory offer that the device knows to apply. None for a
    /// plan whose subscription a family member shares.
    package func offersOnPage(of product: Product) -> [OfferAnswer] {
        guard canHaveOffers(product), let info = product.subscription else { return [] }
        if let known = page.offers, known.product == product.id { return known.answers }
        return info.introductoryOffer.map { [OfferAnswer(offer: $0)] } ?? []
    }

    package func standing(of answer: OfferAnswer, of product: Product) -> OfferStanding {
        if let refusal = answer.refusal { return .refused(refusal) }
        if subscription(inGroupOf: product)?.isOverdue == true { return .afterPayment }
        return answer.offer.kind == .code ? .withCode : .available
    }

    /// When a page comes in sight, and when a fact changes on which its offers depend.
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

    /// Only if it is about the product of the page in sight.
    mutating func keepOffersOfPage(_ answers: [OfferAnswer], of product: ProductID) {
        guard productOfPage?.id == product else { return }
        page.offers = PageOffers(product: product, answers: answers)
    }

    /// Whether the store must be asked: the device does not know whether a plan has offer codes.
    private func canHaveOffers(_ product: Product) -> Bool {
        guard product.subscription?.period != nil else { return false }
        return subscription(inGroupOf: product)?.isShared != true
    }

    /// Of the open page, or of the page of the selected row beside the list.
    private var productOfPage: Product? {
        if case .product(let id) = screen { return productList.product(id) }
        return isPageBesideRoot && !screen.fillsBody ? selectedProduct : nil
    }
}
