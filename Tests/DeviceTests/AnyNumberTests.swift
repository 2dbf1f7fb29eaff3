import Foundation
import SQLiteLedger
import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// Numbers that no program wrote, in the ledger and in a device's records: one at a time is the
/// largest or the smallest integer. Every call ends, with an answer or with an error that tells the
/// damage.
@Suite("numbers of any size", .timeLimit(.minutes(10))) struct AnyNumberTests {
    /// Whether the store also acts after every damage, not after every third: in `make simulation`.
    private static let actsAlways =
        ProcessInfo.processInfo.environment["STOREFRONT_STEPS"] != nil

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("every number of the ledger may be damaged")
    func ledger() async throws {
        try await live()
        let damages = try Damage.all(of: folder.path + "/store.sqlite")
        #expect(damages.count > 100)
        for (count, damage) in damages.enumerated() {
            let copy = try TemporaryFolder()
            try damage.apply(to: folder.path + "/store.sqlite", in: copy.path)
            do {
                let ledger = try SQLiteLedger(path: copy.path + "/store.sqlite")
                let store = try await TestStore(
                    ledger: ledger, clock: Self.clock(), elapsed: nil)
                try await read(store, damage)
                if count.isMultiple(of: 3) || Self.actsAlways {
                    await act(on: store, after: count)
                }
                _ = try? Projections(folding: try await ledger.allEntries())
                _ = try? await ledger.allRows()
            } catch { expectDamage(error, damage) }
        }
    }

    @Test("every number of a device's records may be damaged")
    func device() async throws {
        let home = try await Home()
        let path = try home.deviceFolder().databasePath
        do {
            let device = try await home.launch()
            for product in [SampleCatalog.coins, SampleCatalog.coins, SampleCatalog.pass] {
                _ = try await device.buy(.of(product))
            }
            let book = try #require(try await device.buy(.of(SampleCatalog.book)).number)
            try await home.untilDelivered(4, on: device)
            try await home.untilFinished()
            _ = try await device.spend(Spend(id: UUID(), unit: "coins", amount: 3, reason: "hint"))
            try await device.log(.contentDeleted(SampleCatalog.book))
            try await device.remember(
                ReadingPlace(
                    productID: SampleCatalog.book, contentID: "text", path: "one.txt", offset: 7))
            _ = try await home.store.console.perform(.refund(book, .percent(50), reason: .other))
            try await home.until(device) {
                try await device.latestDeliveries().count == 2
            }
            await device.keepAnswers()
            await device.close()
        }
        let original = path + ".original"
        try FileManager.default.copyItem(atPath: path, toPath: original)
        let damages = try Damage.all(of: original)
        #expect(damages.count > 30)
        for damage in damages {
            try damage.apply(to: original, as: path)
            do {
                let device = try await home.open()
                _ = try? await device.balances()
                _ = try? await device.latestDeliveries()
                _ = try? await device.downloads()
                _ = try? await device.contentSpace()
                _ = try? await device.queuedPayments()
                _ = try? await device.logEntries(before: nil, limit: 10)
                _ = try? await device.readingPlaces(of: SampleCatalog.book)
                _ = try? await device.restore()
                _ = try? await device.makeRoom(for: SampleCatalog.book)
                _ = try? await device.spend(
                    Spend(id: UUID(), unit: "coins", amount: 1, reason: "hint"))
                try? await device.setNetwork(.off(milliseconds: nil))
                _ = try? await device.products(nil)
                _ = try? await device.entitlements()
                _ = try? await device.subscriptions()
                try? await device.setNetwork(.on)
                await device.close()
            } catch { expectDamage(error, damage) }
        }
    }

    // MARK: - A ledger with many kinds of entries

    private static func clock() -> ManualClock {
        ManualClock(Timestamp(milliseconds: 1_800_000_000_000 + 100 * 86_400_000))
    }

    private func live() async throws {
        let store = try await TestStore(
            ledger: SQLiteLedger(path: folder.path + "/store.sqlite"), elapsed: nil)
        let console = store.console
        let session = store.session()
        func days(_ count: Int) async throws {
            _ = try await console.perform(
                .clock(.advance(.calendar(SubscriptionPeriod(unit: .day, value: count)))))
        }
        _ = try await console.perform(.family(.create(organizer: "aoi")))
        _ = try await console.perform(.family(.join("kai", organizer: "aoi", role: .adult)))
        let coins = try #require(try await session.purchase(.of(SampleCatalog.coins)).number)
        let theme = try #require(try await session.purchase(.of(SampleCatalog.theme)).number)
        _ = try await session.purchase(.of(SampleCatalog.otherTheme))
        _ = try await session.purchase(.of(SampleCatalog.pass))
        let plan = try #require(try await session.purchase(.of(SampleCatalog.monthly)).number)
        _ = try await session.finish(theme)
        _ = try await session.requestRefund(of: theme, reason: .other)
        _ = try await console.perform(.refund(coins, .percent(50), reason: .app))
        _ = try await console.changeAccount("noor", askToBuy: true)
        _ = try await store.session(account: "noor").purchase(.of(SampleCatalog.coins))
        _ = try await console.perform(
            .setRenewals(RenewalsChange(limit: .count(9), limitPerDay: .count(5))))
        try await days(32)
        _ = try await console.perform(.extend(plan, days: 3))
        _ = try await console.perform(.extendAll(SampleCatalog.monthly, days: 2, id: UUID()))
        _ = try await console.perform(
            .setRenewals(RenewalsChange(failsBilling: true, hasGracePeriod: true)))
        try await days(40)
        _ = try await console.perform(.resolveBilling(plan))
        _ = try await session.purchase(.of(SampleCatalog.yearly))
        _ = try await console.perform(.failNext(.purchase, error: .networkError, count: 2))
        _ = try? await session.purchase(.of(SampleCatalog.coins))
    }

    /// Reads that fail must tell the damage.
    private func read(_ store: TestStore, _ damage: Damage) async throws {
        let (console, session) = (store.console, store.session())
        let reads: [() async throws -> Void] = [
            { _ = try await session.products(nil) },
            { _ = try await session.settings() },
            { _ = try await session.entitlements() },
            { _ = try await session.subscriptionStatuses() },
            { _ = try await session.unfinished(allDevices: true) },
            { _ = try await session.history(before: nil, limit: 100) },
            { _ = try await session.events(before: nil, filter: .init(), limit: 100) },
            { _ = try await session.restorable(before: nil, limit: 100) },
            { _ = try await session.receipt(.init()) },
            { _ = try await session.familyStatus() },
            { _ = try await session.offers(of: SampleCatalog.monthly) },
            { _ = try await session.requests() },
            { _ = try await store.session(account: "kai").entitlements() },
            { _ = try await console.pendingRequests() },
            { _ = try await console.refundRequests() },
            { _ = try await console.families() },
            { _ = try await console.notices() },
            { _ = try await console.faults() },
            { _ = try await console.clock() },
            { _ = try await console.takings() },
            { _ = try await console.history(before: nil, filter: .init(), limit: 100) },
            { _ = try await console.upcoming(limit: 10) },
        ]
        for read in reads {
            do { try await read() } catch { expectDamage(error, damage) }
        }
    }

    /// Each transaction gets two of the ten actions, and others after the next damage.
    private func act(on store: TestStore, after count: Int) async {
        let (console, session) = (store.console, store.session())
        _ = try? await session.purchase(.of(SampleCatalog.coins))
        _ = try? await session.purchase(.of(SampleCatalog.monthly))
        let rows = (try? await store.ledger.allRows().transactions.keys.sorted()) ?? []
        for (index, id) in rows.enumerated() {
            let actions: [OperatorAction] = [
                .extend(id, days: 90), .refund(id, .percent(10), reason: .other),
                .refund(id, .prorated, reason: .other), .reverseRefund(id),
                .setAutoRenew(id, false),
                .setAutoRenew(id, true), .renew(id), .expire(id), .resolveBilling(id), .revoke(id),
            ]
            for step in 0..<2 {
                let action = actions[(2 * (index + count) + step) % actions.count]
                _ = try? await console.perform(action)
            }
        }
        for action: OperatorAction in [
            .extendAll(SampleCatalog.monthly, days: 2), .clock(.next),
            .clock(.advance(.calendar(SubscriptionPeriod(unit: .month, value: 2)))),
            .setRenewals(RenewalsChange(rate: .oneMinuteIsOneDay)), .clock(.stop),
            .clock(.advance(.seconds(3_600))), .clock(.resume), .clearFaults,
        ] {
            _ = try? await console.perform(action)
        }
        for id in rows { _ = try? await console.perform(.delete(id, wholeChain: true)) }
        _ = try? await console.takings()
    }

    private func expectDamage(_ error: any Error, _ damage: Damage) {
        let code = (error as? StoreError)?.code
        let damages: [StoreError.Code?] = [
            .storeUnreadable, .deviceUnreadable, .clockOutOfRange, .storeNewer, .storeReplaced,
            .storeBehind,
        ]
        #expect(damages.contains(code), "\(damage.sql.prefix(300)): \(error)")
    }
}

/// The replacement of one number in a database, in a column or within a JSON text.
private struct Damage {
    var sql: String

    /// For each integer column, and each number of each kind of JSON text, the two extremes.
    static func all(of path: String) throws -> [Damage] {
        let database = try RawDatabase(path)
        var damages: [String] = []
        var seen: Set<String> = []
        let tables = try database.rows("SELECT name FROM sqlite_master WHERE type = 'table'")
        for table in tables.map({ $0[0] }) where !table.hasPrefix("sqlite_") {
            for column in try database.rows("PRAGMA table_info(\(table))").map({ ($0[1], $0[2]) }) {
                let (name, type) = column
                for extreme in [Int64.max, .min] where type == "INTEGER" {
                    damages.append(
                        """
                        UPDATE OR REPLACE \(table) SET \(name) = \(extreme)
                        WHERE \(name) = (SELECT max(\(name)) FROM \(table))
                        """)
                }
                guard type == "BLOB" else { continue }
                for text in try database.rows("SELECT \(name) FROM \(table)").compactMap(\.first) {
                    for (number, place) in numbers(in: text) {
                        guard seen.insert("\(table) \(place)").inserted else { continue }
                        for extreme in [Int64.max, .min] {
                            let altered = text.replacingCharacters(in: number, with: "\(extreme)")
                            damages.append(
                                """
                                UPDATE \(table) SET \(name) = CAST('\(quoted(altered))' AS BLOB)
                                WHERE \(name) = CAST('\(quoted(text))' AS BLOB)
                                """)
                        }
                    }
                }
            }
        }
        return damages.map { Damage(sql: $0) }
    }

    /// The numbers of a JSON text, each with its place: the last three names before it.
    private static func numbers(in text: String) -> [(Range<String.Index>, place: String)] {
        guard text.hasPrefix("{") || text.hasPrefix("[") else { return [] }
        return text.matches(of: /[:\[,](-?[0-9]+)(?=[,}\]])/).map { match in
            let before = text[..<match.range.lowerBound]
            let names = before.matches(of: /"([A-Za-z]+)":?/).suffix(3).map { $0.output.1 }
            return (
                match.output.1.startIndex..<match.output.1.endIndex, names.joined(separator: ".")
            )
        }
    }

    private static func quoted(_ text: String) -> String {
        text.replacingOccurrences(of: "'", with: "''")
    }

    func apply(to original: String, in folder: String) throws {
        try apply(to: original, as: folder + "/store.sqlite")
    }

    /// Copies a database to `path` and damages the copy.
    func apply(to original: String, as path: String) throws {
        for end in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + end)
        }
        try FileManager.default.copyItem(atPath: original, toPath: path)
        let database = try RawDatabase(path)
        for trigger in try database.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'") {
            _ = try database.rows("DROP TRIGGER \(trigger[0])")
        }
        _ = try database.rows(sql)
    }
}
