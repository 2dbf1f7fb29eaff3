import ArgumentParser
import ShopCore
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
            payment sheet, or it is dropped. An open shop goes on with one at once, unless the person \
            is busy.

            EXAMPLES
              storefront promoted
              storefront promoted continue lantern.book.lighthouse.2
              storefront promoted drop lantern.book.lighthouse.2
            """,
        subcommands: [List.self, Continue.self, Drop.self], defaultSubcommand: List.self)

    struct List: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "What is held on this device, oldest first.")

        @OptionGroup var given: CustomerOptions

        func run() async throws {
            try await reporting(options) {
                let store = try await options.open()
                let device = try await store.device()
                try await device.takeInChanges()
                let held = try await device.promotedPurchases()
                Output.note(.noPromoted, ifEmpty: held, json: options.json)
                guard !options.json else {
                    for purchase in held { try Output.json(PromotedLine(purchase)) }
                    return
                }
                let names = try await ProductNames(held.map(\.productID), in: store)
                var table = TextTable([
                    .init(.columnDate), .init(.columnProduct), .init(.columnIdentifier),
                ])
                table.write(
                    held.map {
                        [
                            Output.strings.date($0.begunAt), names.item($0.productID),
                            $0.productID.rawValue,
                        ]
                    })
            }
        }
    }

    struct Continue: CommandWithOptions {
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

        func run() async throws {
            try await reporting(options) {
                let store = try await options.open()
                let device = try await store.device()
                try await device.takeInChanges()
                let id = ProductID(product)
                guard try await device.promotedPurchases().contains(where: { $0.productID == id })
                else { throw PromotedCommand.notHeld(id) }
                let watcher = DeviceWatcher(device, remarksOf: store)
                let found = try await store.session.products([id]).products
                guard let first = found.first else {
                    throw StoreError(.productUnavailable, productID: id)
                }
                try await device.askToSignIn(store, json: options.json)
                try await store.launch(device, resendingAtMost: first.price)
                var terms = PurchaseTerms(isJSON: options.json)
                terms.wait = [.delivery]
                var run = PurchaseRun(terms, store, device, watcher)
                await run.buy(found)
                await device.writeReceipt()
                await device.keepAnswers()
                await watcher.end()
                if let code = run.exitCode { throw code }
            }
        }
    }

    struct Drop: CommandWithOptions {
        static let configuration = CommandConfiguration(
            commandName: "drop", abstract: "Forget it; nothing is charged.")
        @Argument(help: ArgumentHelp("The product's identifier.", valueName: "product"))
        var product: String

        @OptionGroup var given: CustomerOptions

        func run() async throws {
            try await reporting(options) {
                let device = try await options.open().device()
                try await device.takeInChanges()
                let id = ProductID(product)
                guard try await device.dropPromoted(id) else { throw PromotedCommand.notHeld(id) }
                if options.json { return try Output.json(["dropped": id.rawValue]) }
                Output.line(.promotedDropped(id.rawValue))
            }
        }
    }

    private static func notHeld(_ product: ProductID) -> StoreError {
        StoreError(.promotedNotHeld, productID: product)
    }
}

/// A purchase begun outside the app, in JSON.
private struct PromotedLine: Encodable {
    var productId: ProductID
    var begunAt: Timestamp

    init(_ purchase: PromotedPurchase) {
        productId = purchase.productID
        begunAt = purchase.begunAt
    }
}
