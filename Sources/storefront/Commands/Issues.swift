import ArgumentParser
import Basics
import ShopText
import StoreDevice
import StoreModel

struct Issues: ListCommand {
    static let configuration = CommandConfiguration(
        commandName: "issues",
        abstract: "List the published issues of subscriptions, newest first.",
        discussion: """
            An account may read the issues that were published while it subscribed, also after it has \
            ended, and the newest one at once. They are content of the product: downloads resume \
            fetches those that are not on this device.

            EXAMPLES
              storefront buy lantern.letters.month
              storefront issues
              storefront downloads resume lantern.letters.month
              storefront issues lantern.letters.month --json
            """)

    @Argument(help: ArgumentHelp("Only of this product.", valueName: "product"))
    var product: String?

    @OptionGroup var given: CustomerOptions

    /// An issue, and its download on this device; nil where there was none.
    struct Item {
        var product: ProductID
        var issue: PublishedIssue
        var download: Download?
        /// The store time as of which the device knows this, if it has no network.
        var asOf: Timestamp?
    }

    func items(in store: OpenStore) async throws -> [Item] {
        let asked = product.map { [ProductID($0)] }
        let answer = try await store.products(asked)
        if let product, answer.value.products.isEmpty {
            throw StoreError(
                .productUnavailable, productID: ProductID(product), reason: .operator)
        }
        let downloads = try await store.deviceToRead().downloads()
        if !options.json { store.noteAge(of: answer) }
        return answer.value.products.flatMap { product in
            (product.issues ?? []).reversed().map { issue in
                Item(
                    product: product.id, issue: issue,
                    download: downloads.first {
                        $0.productID == product.id && $0.contentID == issue.id
                    }, asOf: answer.age)
            }
        }
    }

    func none(in _: OpenStore) -> String? { Output.strings[.noIssues] }

    func columns(of items: [Item], in store: OpenStore) async throws -> [Column<Item>] {
        let strings = Output.strings
        let names = try await ProductNames(items.map(\.product), in: store)
        return [
            Column(.columnDate) { strings.date($0.issue.date) },
            Column(.columnProduct, mayBeCut: true) { names.item($0.product) },
            Column(.columnPackage) { $0.issue.id },
            Column(.columnDetail, mayBeCut: true) { UntrustedText.clean($0.issue.title) },
            Column(.columnState) {
                $0.download.map { strings[.downloadState($0.state)] }
                    ?? strings[$0.issue.isOwned ? .issueToRead : .issueNotOwned]
            },
        ]
    }

    func line(_ item: Item) -> any Encodable {
        JSONFields(
            item.issue,
            ["productId": item.product, "download": item.download?.state, "asOf": item.asOf])
    }
}
