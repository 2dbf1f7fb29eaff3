import ArgumentParser
import Shop
import ShopText
import StoreDevice
import StoreModel

/// Purchases that the customer began outside the app, held on this device.
struct PromotedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promoted",
        abstract: "Purchases begun outside the app: list, continue or drop them.",
        discussion: """
            A purchase that was begun outside the app (storefront operator promote) is held on each \
            device of the account until the product is bought there, somebody cancels it at the \
            payment sheet, or it is dropped. An open shop continues one at once, unless the person is \
            busy.

            EXAMPLES
              storefront promoted
              storefront promoted continue lantern.book.lighthouse.2
              storefront promoted drop lantern.book.lighthouse.2
            """,
        subcommands: [List.self, Continue.self, Drop.self], defaultSubcommand: List.self)

    struct List: ListCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "What is held on this device, oldest first.")

        @OptionGroup var given: CustomerOptions

        func items(in store: OpenStore) async throws -> [PromotedPurchase] {
            let device = try await store.device()
            try await device.takeInChanges()
            return try await device.promotedPurchases()
        }

        func none(in _: OpenStore) -> String? { Output.strings[.noPromoted] }

        func columns(
            of items: [PromotedPurchase], in store: OpenStore
        ) async throws -> [Column<PromotedPurchase>] {
            let names = try await ProductNames(items.map(\.productID), in: store)
            return [
                Column(.columnDate) { Output.strings.date($0.begunAt) },
                Column(.columnProduct, mayBeCut: true) { names.item($0.productID) },
                Column(.columnIdentifier) { $0.productID.rawValue },
            ]
        }
    }

    struct Continue: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "continue",
            abstract: "Buy what was begun outside the app, as storefront buy does.",
            discussion: """
                EXIT CODES
                  as of storefront buy; 12 if this device holds no such purchase
                """)
        @Argument(help: ArgumentHelp("The product's identifier.", valueName: "product"))
        var product: String

        @OptionGroup var given: CustomerOptions

        func run(in store: OpenStore) async throws {
            let device = try await store.device()
            try await device.takeInChanges()
            let id = ProductID(product)
            guard try await device.promotedPurchases().contains(where: { $0.productID == id })
            else { throw StoreError(.promotedNotHeld, productID: id) }
            let watcher = DeviceWatcher(device, remarksOf: store)
            let found = try await store.session.products([id]).products
            guard let first = found.first else {
                throw StoreError(.productUnavailable, productID: id)
            }
            var terms = PurchaseTerms(isJSON: options.json)
            terms.wait = [.delivery]
            try await PurchaseRun.buy(
                found, terms, store, device, watcher, resendingAtMost: first.price)
        }
    }

    struct Drop: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "drop", abstract: "Forget it; nothing is charged.")
        @Argument(help: ArgumentHelp("The product's identifier.", valueName: "product"))
        var product: String

        @OptionGroup var given: CustomerOptions

        func run(in store: OpenStore) async throws {
            let device = try await store.device()
            try await device.takeInChanges()
            let id = ProductID(product)
            guard try await device.dropPromoted(id) else {
                throw StoreError(.promotedNotHeld, productID: id)
            }
            try write(json: ["dropped": id.rawValue]) { Output.line(.promotedDropped(id.rawValue)) }
        }
    }
}
