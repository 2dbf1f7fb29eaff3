import ArgumentParser
import Foundation
import ShopText
import StoreEngine
import StoreModel

struct Products: CommandWithOptions {
    static let configuration = CommandConfiguration(
        commandName: "products",
        abstract: "List what is for sale, and which identifiers are invalid.",
        discussion: """
            Without identifiers: everything the account's territory sells. Without a network \
            (storefront operator network) it is what the device was told last, and asOf says when. \
            Beside an unknown identifier stands the most similar known one.

            EXAMPLES
              storefront products
              storefront products lantern.theme.sepia no.such.thing
              storefront products --territory JP --locale ja_JP
              storefront products --json | jq -r '.products[].productId'
            """)

    @Argument(help: ArgumentHelp("Ask for these only.", valueName: "id"))
    var identifiers: [String] = []

    @OptionGroup var given: CustomerOptions

    func run() async throws { try await Self.list(identifiers, options) }

    /// Prints the products with these identifiers, or all of them if there are none.
    static func list(_ identifiers: [String], _ options: GlobalOptions) async throws {
        try await reporting(options) {
            let store = try await options.open()
            let asked = identifiers.isEmpty ? nil : identifiers.map { ProductID($0) }
            let answer = try await store.products(asked)
            guard !options.json else { return try await write(answer) }
            store.noteAge(of: answer)
            try await show(answer.value, of: store)
        }
    }

    /// Writes one object on one line, product by product: encoding all of them in one tree would
    /// take several times the memory of the catalog. Parts of a large catalog are encoded in
    /// parallel (`products --json, 100000 products` of `make bench`).
    private static func write(_ known: DeviceAnswer<ProductsResponse>) async throws {
        let answer = known.value
        let age = known.isFresh ? "" : "\"asOf\":\(known.asOf.milliseconds),"
        var line = Data("{\(age)\"invalidProductIds\":".utf8)
        line.append(try Output.encoder().encode(answer.invalidProductIDs))
        line.append(contentsOf: ",\"products\":[".utf8)
        let products = answer.products
        let parts = try await withThrowingTaskGroup(of: (Int, Data).self) { group in
            for start in stride(from: 0, to: products.count, by: partSize) {
                let part = products[start..<min(start + partSize, products.count)]
                group.addTask { (start, try lines(part)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for (start, part) in parts.sorted(by: { $0.0 < $1.0 }) {
            if start > 0 { line.append(UInt8(ascii: ",")) }
            line.append(part)
        }
        line.append(contentsOf: "]}\n".utf8)
        Output.raw(line)
    }

    private static let partSize = 4_000

    /// Products as JSON objects with commas between them.
    private static func lines(_ products: ArraySlice<Product>) throws -> Data {
        let encoder = Output.encoder()
        // Thousands of products share a few hundred prices, and formatting a price takes longer
        // than the rest of the line. The formatters keep each formatted price.
        let formatters = LocalizedFormatters()
        var lines = Data()
        for product in products {
            if !lines.isEmpty { lines.append(UInt8(ascii: ",")) }
            lines.append(try encoder.encode(ProductLine(product, formatters)))
        }
        return lines
    }

    private static func show(_ answer: ProductsResponse, of store: OpenStore) async throws {
        let settings = try await store.accountSettings().value
        let owned: Set<ProductID>
        do throws(StoreError) {
            owned = try await Set(store.entitlements().value.map(\.productID))
        } catch {
            // The command lists the products, but cannot know which of them the account owns.
            guard error.code == .storeNewer else { throw error }
            Output.note(Output.strings.message(for: error).line)
            owned = []
        }
        let pending = try await store.waitingProducts()
        Output.line(ShopHeading.text(store, settings))
        if let others = answer.soldIn, let first = others.first {
            Output.note(Output.strings.soldElsewhere(than: settings.territory, in: others))
            Output.note(Output.strings[.lookAtTerritory(code: first)])
            Output.note(Output.strings[ListText.moveToTerritory(code: first)])
        }
        let table = ProductTable(answer.products, owned: owned, pending: pending)
        for line in table.lines { Output.line(line) }
        if !settings.canMakePayments {
            Output.line("")
            Output.line(.paymentsOffFor(account: store.account.rawValue))
        }
        for id in answer.invalidProductIDs {
            let strings = Output.strings
            let nearest = (try? await store.refusal(of: id))?.expected.map {
                strings.language.sentenceGap + strings[DocumentLineText.didYouMean($0.text)]
            }
            Output.note(strings[PurchaseLineText.productInvalid(id.rawValue)] + (nearest ?? ""))
        }
    }
}
