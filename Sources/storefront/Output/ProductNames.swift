import Basics
import ShopText
import StoreModel

/// Names and prices of products. One that is no longer sold has the name under which it was sold.
struct ProductNames {
    private let products: [ProductID: Product]
    private let names: [ProductID: String]

    init(_ ids: some Sequence<ProductID>, in store: OpenStore) async throws(StoreError) {
        let asked = Set(ids)
        let wanted = asked.sorted()
        var answer: ProductsResponse?
        // Without a network a device that has never read the products has no names.
        do throws(StoreError) {
            if !asked.isEmpty { answer = try await store.products(wanted).value }
        } catch {
            guard error.isNetworkOff else { throw error }
        }
        names = answer?.names ?? [:]
        products = Dictionary(
            (answer?.products ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The name with its quantity: "3 × 10 coins".
    func item(_ id: ProductID, quantity: Int = 1) -> String {
        let name = names[id].map { UntrustedText.clean($0) } ?? id.rawValue
        return Output.strings.items(quantity, name)
    }

    /// As the product's locale writes it.
    func charge(of request: ApprovalRequest) -> String {
        Output.strings.charge(
            of: request, locale: products[request.payment.productID]?.priceLocale ?? "en_US")
    }

    /// The price of a whole payment, as the product's locale writes it.
    func price(_ payment: Payment) -> String {
        Output.strings.price(
            Price(
                money: payment.shownPrice.multiplied(by: payment.quantity),
                locale: products[payment.productID]?.priceLocale ?? "en_US"))
    }
}
