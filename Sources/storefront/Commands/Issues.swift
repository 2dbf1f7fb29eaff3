import ArgumentParser
import Basics
import ShopText
import StoreDevice
import StoreModel

struct Issues: CommandWithOptions {
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

    func run() async throws {
        try await reporting(options) {
            let store = try await options.open()
            let asked = product.map { [ProductID($0)] }
            let answer = try await store.products(asked)
            if let product, answer.value.products.isEmpty {
                throw StoreError(
                    .productUnavailable, productID: ProductID(product), subject: "operator")
            }
            let downloads = try await store.deviceToRead().downloads()
            var lines: [IssueLine] = []
            for product in answer.value.products {
                for issue in (product.issues ?? []).reversed() {
                    let download = downloads.first {
                        $0.productID == product.id && $0.contentID == issue.id
                    }
                    lines.append(
                        IssueLine(
                            issue, of: product.id, download,
                            asOf: answer.isFresh ? nil : answer.asOf))
                }
            }
            if !options.json { store.noteAge(of: answer) }
            Output.note(.noIssues, ifEmpty: lines, json: options.json)
            guard !options.json else {
                for line in lines { try Output.json(line) }
                return
            }
            let names = try await ProductNames(lines.map(\.productId), in: store)
            var table = TextTable([
                .init(.columnDate), .init(.columnProduct), .init(.columnPackage),
                .init(.columnDetail), .init(.columnState),
            ])
            table.write(lines.map { $0.cells(names) })
        }
    }
}

/// An issue, in JSON.
private struct IssueLine: Encodable {
    var productId: ProductID
    var id: String
    var title: String
    var date: Timestamp
    /// Whether the account may read it.
    var isOwned: Bool
    /// The state of its download on this device; left out where there was none.
    var download: Download.State?
    /// The store time as of which the device knows this, if it has no network.
    var asOf: Timestamp?

    init(
        _ issue: PublishedIssue, of product: ProductID, _ download: Download?, asOf: Timestamp?
    ) {
        self.asOf = asOf
        productId = product
        id = issue.id
        title = issue.title
        date = issue.date
        isOwned = issue.isOwned
        self.download = download?.state
    }

    func cells(_ names: ProductNames) -> [String] {
        let strings = Output.strings
        let state =
            download.map { strings[.downloadState($0)] }
            ?? strings[isOwned ? .issueToRead : .issueNotOwned]
        return [
            strings.date(date), names.item(productId), id, UntrustedText.clean(title), state,
        ]
    }
}
