import Foundation
import SQLiteLedger
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SQLiteLedgerTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/store.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    @Test func reopeningGivesTheSame() async throws {
        let entries: [RecordedEntry]
        let rows: Projections
        do {
            let store = try await TestStore(ledger: SQLiteLedger(path: path))
            for product in [SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.monthly] {
                _ = try await store.session().purchase(.of(product))
            }
            entries = try await store.entries()
            rows = try await store.ledger.projections()
        }
        let again = try SQLiteLedger(path: path)
        #expect(try await again.allEntries() == entries)
        #expect(try await again.projections() == rows)
        #expect(entries.count == 6, "opened, catalog, account, three sales")
    }

    @Test func aStoreThatIsAsItShouldBeIsOpenedWithoutAWrite() async throws {
        _ = try await TestStore(ledger: SQLiteLedger(path: path))
        let ledger = try SQLiteLedger(path: path)
        _ = try await TestStore(ledger: ledger)
        #expect(ledger.commits == 0)
    }

    @Test func otherProcessesAreHeardWithoutPolling() throws {
        #expect(try SQLiteLedger(path: path).isWatching)
    }

    @Test func manyFirstStartsAtOnceAllSucceed() async throws {
        let path = path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask { _ = try await TestStore(ledger: SQLiteLedger(path: path)) }
            }
            try await group.waitForAll()
        }
        let entries = try await SQLiteLedger(path: path).allEntries()
        let openings = entries.filter {
            if case .storeOpened = $0.entry.fact { true } else { false }
        }
        #expect(openings.count == 1)
        #expect(entries.count == 2, "opened, catalog")
    }

    @Test func anotherProgramsDatabaseIsRefused() throws {
        try Data("SQLite format 3\0 but no more".utf8).write(to: URL(filePath: path))
        let error = #expect(throws: StoreError.self) { try SQLiteLedger(path: path) }
        #expect(error?.code == .storeUnreadable)
    }

    @Test func onlyTheOwnerMayReadTheFiles() async throws {
        _ = try await TestStore(ledger: SQLiteLedger(path: path))
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let file = folder.path + "/" + name
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }
}
