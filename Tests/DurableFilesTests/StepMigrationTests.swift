import Basics
import DurableFiles
import Foundation
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

/// A file that is migrated by numbered steps, as a device's records are.
@Suite(.timeLimit(.minutes(10))) struct StepMigrationTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/device.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private static let steps = [
        DurableDatabase.Migration(1) { db in
            try db.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        },
        DurableDatabase.Migration(2) { db in
            try db.execute("ALTER TABLE notes ADD COLUMN length INTEGER NOT NULL DEFAULT 0")
            try db.execute("UPDATE notes SET length = length(text)")
        },
        DurableDatabase.Migration(3) { db in
            try db.execute("CREATE INDEX notes_by_length ON notes (length)")
        },
    ]

    private func open(
        _ version: Int, _ observe: @escaping @Sendable (MigrationStep) throws -> Void = { _ in }
    ) throws(StoreError) -> DurableDatabase {
        try DurableDatabase(
            path: path,
            schema: DurableDatabase.Schema(
                applicationID: 7, migrations: Array(Self.steps.prefix(version))),
            observe: observe)
    }

    private func add(_ text: String, to database: DurableDatabase) async throws {
        try await database.write {
            try $0.execute("INSERT INTO notes (text) VALUES (?)", .text(text))
        }
    }

    @Test(
        "an older file takes its missing migration steps and keeps its rows", arguments: [1, 2])
    func grows(from version: Int) async throws {
        do { try await add("eight", to: open(version)) }
        let database = try open(3)
        let lengths = try await database.read {
            try $0.fetchAll("SELECT length FROM notes ORDER BY length") { $0.integer(0) }
        }
        #expect(lengths == (version == 1 ? [5] : [0]), "a step is taken once")
        #expect(try RawDatabase(path).texts("PRAGMA user_version") == ["3"])
    }

    @Test("a new file takes all migration steps")
    func new() async throws {
        let database = try open(3)
        try await add("one", to: database)
        #expect(try RawDatabase(path).texts("PRAGMA user_version") == ["3"])
    }

    @Test("rows still in the WAL of a killed process are migrated")
    func log() async throws {
        let source = try open(1)
        try await add("logged", to: source)
        let copy = try TemporaryFolder()
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: path + end, toPath: copy.path + "/device.sqlite" + end)
        }
        let database = try DurableDatabase(
            path: copy.path + "/device.sqlite",
            schema: DurableDatabase.Schema(applicationID: 7, migrations: Self.steps))
        let texts = try await database.read {
            try $0.fetchAll("SELECT text FROM notes") { $0.text(0) }
        }
        #expect(texts == ["logged"])
    }

    @Test(
        "writes from before a migration are kept, and later ones to the old file are refused")
    func older() async throws {
        let older = try open(1)
        try await add("before", to: older)
        let newer = try open(3)
        await #expect { try await add("after", to: older) } throws: {
            ($0 as? StoreError)?.code == .storeNewer
        }
        await #expect {
            try await older.writeTogether { try $0.execute("DELETE FROM notes") }
        } throws: {
            ($0 as? StoreError)?.code == .storeNewer
        }
        let texts = try await newer.read {
            try $0.fetchAll("SELECT text FROM notes") { $0.text(0) }
        }
        #expect(texts == ["before"])
    }

    @Test("a file of a newer version is refused and stays unchanged")
    func refused() async throws {
        do { try await add("three", to: open(3)) }
        let error = #expect(throws: StoreError.self) { try open(2) }
        #expect(error?.code == .storeNewer)
        #expect(error?.found == "3")
        #expect(try RawDatabase(path).texts("SELECT text FROM notes") == ["three"])
    }

    @Test("a file from before the first release is known by its log alone, and stays as it is")
    func before() async throws {
        // The id of a ledger from before the first release.
        let schema = DurableDatabase.Schema(applicationID: 0x5354_4652, migrations: Self.steps)
        let open = try DurableDatabase(path: path, schema: schema)
        try await add("kept", to: open)
        #expect(try RawDatabase(path).texts("PRAGMA application_id") == ["\(0x5354_4652)"])
        let killed = try TemporaryFolder()
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: path + end, toPath: killed.path + "/device.sqlite" + end)
        }
        let state = try killed.state()
        for path in [path, killed.path + "/device.sqlite"] {
            let error = #expect(throws: StoreError.self) { try CommitNotifier(databasePath: path) }
            #expect(error == StoreError(.storeOlder, subject: path))
        }
        #expect(try killed.state() == state)
        // The process that has the file open still holds its locks.
        try await add("more", to: open)
    }

    @Test("a migration that fails gives its reason, and the next one starts over")
    func fails() async throws {
        do { try await add("kept", to: open(1)) }
        for step in MigrationStep.allCases {
            let error = #expect(throws: StoreError.self) {
                try open(3) { if $0 == step { throw StoreError(.storeFull, subject: "test") } }
            }
            #expect(error?.code == .storeFull, "\(step)")
            if [.renamed, .logRemoved, .done].contains(step) { break }
        }
        let database = try open(3)
        let texts = try await database.read {
            try $0.fetchAll("SELECT text FROM notes") { $0.text(0) }
        }
        #expect(texts == ["kept"])
    }

    @Test("a migration longer than a second reports its progress once a second")
    func progress() async throws {
        do { try await add("slow", to: open(1)) }
        let reported = Mutex<[OpeningDelay]>([])
        let time = Mutex(ContinuousClock.now)
        let rebuild = DurableDatabase.Rebuild { work in
            for page in 1...60 {
                time.withLock { $0 += .milliseconds(50) }
                try work.tell(done: Int64(page), of: 60)
            }
        }
        _ = try DurableDatabase(
            path: path,
            schema: DurableDatabase.Schema(
                applicationID: 7, version: 2,
                create: { try $0.execute("CREATE TABLE other (id INTEGER)") }, rebuild: rebuild),
            onDelay: { delay in reported.withLock { $0.append(delay) } },
            now: { time.withLock { $0 } }, observe: { _ in })
        // The migration reads the file twice, and each pass takes three seconds of this clock.
        let once = [20, 40, 60].map { OpeningDelay.migrating(done: $0, total: 60) }
        #expect(reported.withLock { $0 } == once + once)
    }
}
