import Foundation
import SQLiteLedger
import StoreEngine
import StoreTestSupport

/// The ledgers under test.
enum LedgerKind: CaseIterable, Sendable {
    case memory, sqlite

    /// Makes a new ledger in `folder`, which must outlive it.
    func make(in folder: TemporaryFolder) throws -> any Ledger {
        switch self {
        case .memory: InMemoryLedger()
        case .sqlite: try SQLiteLedger(path: folder.path + "/store.sqlite")
        }
    }

    /// Two handles of the same ledger, as two processes would have them.
    func handles(in folder: TemporaryFolder) throws -> LedgerConformance.Handles {
        let first = try make(in: folder)
        let second = self == .memory ? first : try make(in: folder)
        return .init(ledger: first, other: second)
    }
}
