import ArgumentParser
import ShopText
import StoreEngine
import StoreModel

struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List everything that happened to the account, newest first.",
        discussion: """
            KINDS
              \(EventKind.allCases.map(\.rawValue).joined(separator: "\n  "))

            EXAMPLES
              storefront history --limit 20
              storefront history --kind refunded --kind revoked --since 2027-01-31
              storefront history --all-accounts --product lantern.coins.10 --json
            """)

    @Flag(help: "Of all accounts and of the whole store, as the operator.")
    var allAccounts = false

    @Option(help: ArgumentHelp("Only events of this kind; may be repeated.", valueName: "kind"))
    var kind: [String] = []

    @Option(help: ArgumentHelp("Only events about this product.", valueName: "id"))
    var product: String?

    @Option(
        help: ArgumentHelp(
            "Only what happened since: 2027-01-31 or 2027-01-31T10:00:00Z.", valueName: "date"))
    var since: String?

    @Option(help: ArgumentHelp("At most so many.", valueName: "number"))
    var limit: Int?

    @OptionGroup var given: DeviceOperatorOptions
    var options: GlobalOptions { given.all }

    /// Events read at a time.
    private static let page = 200

    func validate() throws {
        if allAccounts, options.account != nil {
            throw ValidationError("Give --all-accounts or --account, not both.")
        }
        if let limit, limit < 1 { throw ValidationError("--limit wants at least 1.") }
        for name in kind where EventKind(rawValue: name) == nil {
            throw UnknownWord.error("kind", name, among: EventKind.allCases.map(\.rawValue))
        }
        if let since, Timestamp(iso8601: since) == nil {
            throw ValidationError(
                "--since wants 2027-01-31 or 2027-01-31T10:00:00Z, found '\(since)'.")
        }
    }

    func run() async throws {
        try await reporting(options) {
            let store = try await allAccounts ? options.openForOperator() : options.open()
            let filter = HistoryFilter(
                kinds: Set(kind.compactMap { EventKind(rawValue: $0) }),
                product: product.map { ProductID($0) },
                since: since.flatMap { Timestamp(iso8601: $0) })
            var list = HistoryList(isJSON: options.json)
            var left = limit ?? Int.max
            var next: FeedCursor?
            repeat {
                let page = try await page(
                    of: store, before: next, filter, limit: min(left, Self.page))
                let events = page.events.prefix(left)
                try await list.write(Array(events), of: store)
                left -= events.count
                next = page.next
            } while next != nil && left > 0
            if !list.hasWritten, !options.json { Output.note(.noHistory) }
            if !allAccounts { try await store.noteOverdue() }
        }
    }

    private func page(
        of store: OpenStore, before: FeedCursor?, _ filter: HistoryFilter, limit: Int
    ) async throws(StoreError) -> HistoryPage {
        if allAccounts {
            try await store.engine.storeOperator.history(
                before: before, filter: filter, limit: limit)
        } else {
            try await store.session.events(before: before, filter: filter, limit: limit)
        }
    }
}
