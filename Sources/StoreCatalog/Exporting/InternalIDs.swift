import Basics
import Crypto
import StoreModel

/// The `internalID` of each product, offer and billing plan of a configuration: eight hexadecimal
/// digits, as Xcode writes them. Equal catalogs give equal ids; the ids of one file are unique.
struct InternalIDs {
    /// A part of the catalog that has an `internalID`.
    enum Owner: Hashable {
        case product(ProductID)
        case offer(OfferKind, OfferID?, BillingPlanType?, of: ProductID)
        case plan(BillingPlanType, of: ProductID)

        static func offer(_ offer: CatalogProduct.Offer, of product: ProductID) -> Self {
            .offer(offer.kind, offer.id, offer.billingPlan, of: product)
        }

        /// No other owner has it: identifiers contain no line breaks.
        fileprivate var text: String {
            switch self {
            case .product(let id): id.rawValue
            case .offer(let kind, let id, let plan, let product):
                [product.rawValue, kind.rawValue, id?.rawValue ?? "", plan?.rawValue ?? ""]
                    .joined(separator: "\n")
            case .plan(let type, let product): product.rawValue + "\n" + type.rawValue
            }
        }
    }

    private var digits: [Owner: String] = [:]

    init(of catalog: Catalog) {
        var used: Set<String> = []
        for product in catalog.products {
            add(.product(product.id), to: &used)
            for offer in product.offers { add(.offer(offer, of: product.id), to: &used) }
            for plan in product.subscription?.billingPlans ?? [] {
                add(.plan(plan.type, of: product.id), to: &used)
            }
        }
    }

    /// If two owners have equal digits, the later one gets the digits of its text with a number.
    private mutating func add(_ owner: Owner, to used: inout Set<String>) {
        var text = owner.text
        var number = 1
        while !used.insert(Self.digits(of: text)).inserted {
            number += 1
            text = owner.text + "\n\(number)"
        }
        digits[owner] = Self.digits(of: text)
    }

    subscript(owner: Owner) -> String { digits[owner] ?? Self.digits(of: owner.text) }

    /// Eight hexadecimal digits; equal for equal texts.
    static func digits(of text: String) -> String {
        String(HexText.of(SHA256.hash(data: Array(text.utf8))).prefix(8)).uppercased()
    }
}
