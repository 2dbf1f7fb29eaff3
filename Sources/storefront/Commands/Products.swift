import ArgumentParser
import Foundation
import ShopText
import StoreEngine
import StoreModel

struct Products: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "products",
        abstract: "List what is for sale, and which identifiers are invalid.",
        discussion: """
            Without identifiers: everything the account's territory sells. Without a network \
            (storefront operator network) it is what the device was told last, and asOf says when.

            EXAMPLES
              storefront products
              storefront products lantern.theme.sepia no.such.thing
              storefront products --territory JP --locale ja_JP
              storefront products --json | jq -r '.products[].productId'
            """)

    @Argument(help: ArgumentHelp("Ask for these only.", valueName: "id"))
    var identifiers: [String] = []

    @OptionGroup var given: CustomerOptions
    var options: GlobalOptions { given.all }

    func run() async throws { try await Self.list(identifiers, options) }

    /// Prints the products with these identifiers, or all of them if there are none.
    static func list(_ identifiers: [String], _ options: GlobalOptions) async throws {
        try await reporting(options) {
            let store = try await options.open()
            let asked = identifiers.isEmpty ? nil : identifiers.map { ProductID($0) }
            let answer = try await store.products(asked)
            guard !options.json else { return try write(answer) }
            store.noteAge(of: answer)
            try await show(answer.value, of: store)
        }
    }

    /// One object on one line, written product by product: an encoder's tree of all of them would
    /// take several times the memory of the catalog.
    private static func write(_ known: DeviceAnswer<ProductsResponse>) throws {
        let answer = known.value
        let encoder = Output.encoder()
        // A hundred thousand products have a few hundred prices, and to write one takes longer than
        // all else (`products --json, 100000 products` of `make bench`).
        let formatters = LocalizedFormatters()
        let age = known.isFresh ? "" : "\"asOf\":\(known.asOf.milliseconds),"
        var line = Data("{\(age)\"invalidProductIds\":".utf8)
        line.append(try encoder.encode(answer.invalidProductIDs))
        line.append(contentsOf: ",\"products\":[".utf8)
        for (number, product) in answer.products.enumerated() {
            if number > 0 { line.append(UInt8(ascii: ",")) }
            line.append(try encoder.encode(ProductLine(product, formatters)))
        }
        line.append(contentsOf: "]}\n".utf8)
        Output.raw(line)
    }

    private static func show(_ answer: ProductsResponse, of store: OpenStore) async throws {
        let settings = try await store.accountSettings().value
        let owned = try await Set(
            store.entitlements().value.map(\.productID))
        let pending = try await Set(
            store.engine.storeOperator.pendingRequests()
                .filter { $0.account == store.account }.map(\.payment.productID))
        Output.line(ShopHeading.text(store, settings))
        let table = ProductTable(answer.products, owned: owned, pending: pending)
        for line in table.lines { Output.line(line) }
        if !settings.canMakePayments {
            Output.line("")
            Output.line(.paymentsOffFor(account: store.account.rawValue))
        }
        for id in answer.invalidProductIDs {
            Output.note(.productInvalid(id.rawValue))
        }
    }
}
