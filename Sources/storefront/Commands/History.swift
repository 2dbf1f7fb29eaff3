import ArgumentParser
import Shop
import ShopText
import StoreDevice
import StoreEngine
import StoreModel

struct History: CommandWithOptions {
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
              storefront history --all-accounts --csv > history.csv
              storefront history --device-log
            """)

    @Flag(help: "Of all accounts and of the whole store, as the operator.")
    var allAccounts = false

    @Flag(
        help: """
            What happened on this device instead: restores, downloads, held payments, refused \
            catalogs, trouble. It keeps the newest \(DeviceLimits.logEntriesMax).
            """)
    var deviceLog = false

    @Option(help: ArgumentHelp("Only events of this kind; may be repeated.", valueName: "kind"))
    var kind: [String] = []

    @Option(help: ArgumentHelp("Only events about this product.", valueName: "id"))
    var product: String?

    @Option(
        help: ArgumentHelp(
            "Only what happened since: 2027-01-31 in your time zone, or "
                + "2027-01-31T10:00:00+09:00.", valueName: "date"))
    var since: String?

    @Option(help: ArgumentHelp("At most so many.", valueName: "number"))
    var limit: Int?

    @OptionGroup var values: CSVPart
    @OptionGroup var given: DeviceOperatorOptions

    /// Events that one read of the store returns at most.
    private static let page = 200

    func validate() throws {
        if allAccounts, options.account != nil {
            throw ValidationError("Give --all-accounts or --account, not both.")
        }
        if deviceLog, allAccounts || !kind.isEmpty {
            throw ValidationError(
                "Give --device-log without --all-accounts and --kind: the device's log has no "
                    + "events of the store.")
        }
        if let limit, limit < 1 { throw ValidationError("--limit wants at least 1.") }
        for name in kind { try UnknownWord.check("kind", name, among: EventKind.self) }
        try DateArgument.validate(since: since)
    }

    func run() async throws {
        try await reporting(options) {
            guard !deviceLog else {
                return try await showDeviceLog(of: options.open(orKnown: true))
            }
            try await run(
                in: allAccounts ? options.openForOperator() : options.open(orKnown: true))
        }
    }

    /// Newest first, as a history.
    private func showDeviceLog(of store: OpenStore) async throws {
        let device = try await store.deviceToRead()
        let since = since.flatMap(DateArgument.instant)
        var list = ListOutput(options.listFormat)
        var left = limit ?? Int.max
        var last: Int64?
        repeat {
            let page = try await device.logEntries(before: last, limit: Self.page)
            let chosen = page.filter { entry in
                (product == nil || LogLine.entry(entry).productID?.rawValue == product)
                    && since.map { entry.at >= $0 } ?? true
            }.prefix(left)
            try await list.write(Array(chosen), line: { $0.fields }) {
                try await DeviceLogEntry.columns(of: Array(chosen), in: store)
            }
            left -= chosen.count
            last = page.last?.number
        } while last != nil && left > 0
        if list.isEmpty, !options.json { Output.note(.noHistory) }
    }

    private func run(in store: OpenStore) async throws {
        let filter = HistoryFilter(
            kinds: Set(kind.compactMap { EventKind(rawValue: $0) }),
            product: product.map { ProductID($0) },
            since: since.flatMap(DateArgument.instant))
        var list = HistoryList(options.listFormat)
        let device = allAccounts ? nil : try? await store.deviceToRead()
        var unverified = await Self.unverified(on: device, filter)
        var left = limit ?? Int.max
        var next: FeedCursor?
        var isFresh = true
        repeat {
            let answer = try await page(
                of: store, device, before: next, filter, limit: min(left, Self.page))
            if next == nil { store.noteAge(of: answer) }
            isFresh = answer.isFresh
            next = answer.value.next
            var lines: [HistoryList.Line] = []
            for event in answer.value.events {
                while let entry = unverified.first, entry.at >= event.at {
                    lines.append(.unverified(unverified.removeFirst()))
                }
                lines.append(.event(event))
            }
            if next == nil { lines += unverified.map { .unverified($0) } }
            let shown = lines.prefix(left)
            let earlier = try await earlierRenewals(than: answer.value.events, of: store, device)
            try await list.write(Array(shown), earlierRenewals: earlier, of: store)
            left -= shown.count
        } while next != nil && left > 0
        if list.isEmpty, !options.json { Output.note(.noHistory) }
        if !allAccounts, isFresh { try await store.noteOverdue() }
        if !allAccounts { try await store.refuseUnread() }
    }

    /// The settings of renewals before each change of them, by the change's position, so that its
    /// line says what has changed. Without those that this device cannot read.
    private func earlierRenewals(
        than events: [StoreEvent], of store: OpenStore, _ device: Device?
    ) async throws -> [Int64: RenewalSettings] {
        var changes: [(cursor: FeedCursor, settings: RenewalSettings)] = events.compactMap {
            if case .renewalsSet(let settings) = $0.change { ($0.cursor, settings) } else { nil }
        }
        guard let oldest = changes.last?.cursor else { return [:] }
        let before = FeedCursor(epoch: oldest.epoch, position: oldest.position - 1)
        let answer = try await page(
            of: store, device, before: before, HistoryFilter(kinds: [.renewalsSet]), limit: 1)
        if case .renewalsSet(let settings)? = answer.value.events.first?.change {
            changes.append((before, settings))
        } else if answer.isFresh {
            changes.append((before, .standard))
        }
        return Dictionary(
            zip(changes, changes.dropFirst()).map { ($0.cursor.position, $1.settings) },
            uniquingKeysWith: { first, _ in first })
    }

    private func page(
        of store: OpenStore, _ device: Device?, before: FeedCursor?, _ filter: HistoryFilter,
        limit: Int
    ) async throws(StoreError) -> DeviceAnswer<HistoryPage> {
        if let device {
            return try await device.events(before: before, filter: filter, limit: limit)
        }
        let page =
            allAccounts
            ? try await store.engine.storeOperator.history(
                before: before, filter: filter, limit: limit)
            : try await store.session.events(before: before, filter: filter, limit: limit)
        return DeviceAnswer(page, asOf: store.now, isFresh: true)
    }

    /// Newest first, from the device's log, because the store does not record them. Empty if the
    /// history is limited to certain kinds.
    private static func unverified(
        on device: Device?, _ filter: HistoryFilter
    ) async -> [DeviceLogEntry] {
        guard filter.kinds.isEmpty, let device else { return [] }
        let entries = (try? await device.logEntries(before: nil, limit: Self.entriesMax)) ?? []
        return entries.filter { entry in
            guard case .trouble(let error) = entry.what, error.code == .verificationFailed else {
                return false
            }
            return (filter.product == nil || error.productID == filter.product)
                && filter.since.map { entry.at >= $0 } ?? true
        }
    }

    private static let entriesMax = 10_000
}
