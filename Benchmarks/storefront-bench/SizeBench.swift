import BenchTable
import Foundation
import SQLLedger
import SQLiteLedger
import StoreDevice
import StoreEngine
import StoreModel

/// The time of an account's purchase, launch and restore in a store with a million sales of other
/// accounts, compared with one with a thousand.
enum SizeBench {
    static func run(_ table: inout Table) async throws {
        let small = try await filled("thousand", 1_000)
        let large = try await filled("million", 1_000_000)
        try await BenchStore.compare(
            "purchase beside a million sales, not a thousand", small, large, &table, times: 100
        ) { store in
            let session = store.session("owner")
            return { _ = try await session.purchase(BenchStore.payment()) }
        }
        try await BenchStore.compare(
            "launch beside a million sales, not a thousand", small, large, &table, times: 30
        ) { store in
            // Leaves one transaction unfinished. The launch has ended once it is finished.
            _ = try await store.session("launcher").purchase(BenchStore.payment())
            return {
                let device = try await store.device("launcher")
                let updates = device.updates()
                try await device.launch()
                for await update in updates {
                    if case .event(.finished) = update { break }
                }
                await device.close()
            }
        }
        try await BenchStore.compare(
            "restore beside a million sales, not a thousand", small, large, &table, times: 30
        ) { store in
            {
                let device = try await store.device("owner")
                _ = try await device.restore()
                await device.close()
            }
        }
        try await migrate(large, &table)
    }

    /// As at the first start of a new version: all entries are copied into a new file and folded
    /// again. The baseline is a synced copy of the same file.
    private static func migrate(_ store: BenchStore, _ table: inout Table) async throws {
        let path = store.folder + "/store.sqlite"
        let copying = try await Measure.seconds {
            let copy = store.folder + "/copy.sqlite"
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let file = try FileHandle(forUpdating: URL(filePath: copy))
            try file.synchronize()
            try file.close()
            try FileManager.default.removeItem(atPath: copy)
        }
        let migrating = try await Measure.seconds {
            _ = try SQLiteLedger(
                path: path, version: SQLiteLedger.schemaVersion + 1, observe: { _ in })
        }
        table.add(
            "a million sales migrated, beside a copy of the file", migrating, copying, unit: "s",
            ratio: migrating / copying)
    }

    /// A store with this many sales of other accounts, and an account "owner" with twenty themes.
    private static func filled(_ name: String, _ sales: Int) async throws -> BenchStore {
        let store = try await BenchStore(name)
        let session = store.session("owner")
        for number in 0..<20 {
            let payment = BenchStore.payment(ProductID("\(BenchStore.theme).\(number)"))
            if case .purchased(_, let id, _) = try await session.purchase(payment) {
                _ = try await session.finish(id)
            }
        }
        try await OthersSales.append(sales, to: store.ledger)
        return store
    }
}
