import ArgumentParser
import StoreEngine
import StoreModel

struct Products: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List what is for sale, and which identifiers are invalid.",
        discussion: """
            Without identifiers: everything the account's territory sells.

            EXAMPLES
              storefront products
              storefront products lantern.theme.sepia no.such.thing
              storefront products --territory JP --locale ja_JP
              storefront products --json | jq -r '.products[].productId'
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("Ask for these only.", valueName: "id"))
    var identifiers: [String] = []

    private struct Answer: Encodable {
        var products: [ProductLine]
        var invalidProductIds: [ProductID]
    }

    func run() async throws {
        try await reporting(json: options.json) {
            let store = try await options.open()
            let asked = identifiers.isEmpty ? nil : identifiers.map { ProductID($0) }
            let answer = try await store.session.products(asked)
            guard !options.json else {
                return try Output.json(
                    Answer(
                        products: answer.products.map(ProductLine.init),
                        invalidProductIds: answer.invalidProductIDs))
            }
            try await show(answer, of: store)
        }
    }

    private func show(_ answer: ProductsResponse, of store: OpenStore) async throws {
        let settings = try await store.session.settings()
        let owned = try await Set(store.session.entitlements().map(\.productID))
        let pending = try await Set(
            store.engine.storeOperator.pendingRequests()
                .filter { $0.account == store.account }.map(\.payment.productID))
        Output.line(ShopHeading.text(store, settings))
        let table = ProductTable(answer.products, owned: owned, pending: pending)
        for line in table.lines { Output.line(line) }
        if !settings.canMakePayments { Output.line("\nPayments are not allowed for this account.") }
        for id in answer.invalidProductIDs {
            Output.note("invalid: \(id) is not sold here.")
        }
    }
}
