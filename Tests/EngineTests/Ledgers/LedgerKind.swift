import Foundation
import SQLiteLedger
import StoreEngine
import StoreTestSupport

/// The ledgers there are, each made new for a test.
enum LedgerKind: CaseIterable, Sendable {
    case memory, sqlite

    /// A new ledger; the folder must outlive it.
    func make(in folder: TemporaryFolder) throws -> any Ledger {
        switch self {
        case .memory: InMemoryLedger()
        case .sqlite: try SQLiteLedger(path: folder.path + "/store.sqlite")
        }
    }

    /// The same ledger by two handles, as two processes have it.
    func handles(in folder: TemporaryFolder) throws -> LedgerConformance.Handles {
        let first = try make(in: folder)
        let second = self == .memory ? first : try make(in: folder)
        return .init(ledger: first, other: second)
    }
}
