import DurableFiles
import Foundation
import StoreModel
import Synchronization

/// Runs the device's downloads, a few at a time, in the process that holds the lease. What shall
/// happen stands in the records: any process may write there "paused", and this one obeys.
actor DownloadManager {
    struct Key: Hashable, Sendable {
        var product: ProductID
        var contentID: String
    }

    /// What is known of a running download beyond its row.
    struct Live: Sendable {
        var received: Int64
        var bytesPerSecond: Double?
    }

    private struct Running {
        var task: Task<Void, Never>
        var id: Int
    }

    private let store: any Store
    private let database: DurableDatabase
    private let bell: Bell
    private let folder: DeviceFolder
    private let pacer: any Pacer
    private let live = Mutex<[Key: Live]>([:])
    nonisolated let wakes = Broadcast()
    private let desk: DeliveryDesk
    private var running: [Key: Running] = [:]
    private var nextID = 0
    private var watching: Task<Void, Never>?
    /// Whether this process is the one that runs the device's downloads.
    private var isRunning = false
    private var isClosed = false

    init(desk: DeliveryDesk, bell: Bell, folder: DeviceFolder, pacer: any Pacer) {
        self.desk = desk
        store = desk.store
        database = desk.database
        self.bell = bell
        self.folder = folder
        self.pacer = pacer
    }

    /// Tells this process's readers when a download changes, whoever runs it.
    func listen() {
        guard watching == nil else { return }
        watching = Task { [weak self, bell] in
            for await _ in bell.subscribeToOthers() { await self?.look() }
        }
    }

    /// Begins to run downloads: those a dead process left active first.
    func start() async {
        guard !isRunning, !isClosed else { return }
        do {
            let left = try await database.read { try DeviceRecords($0).downloads() }
                .filter { $0.state == .active }
            if !left.isEmpty {
                try await database.write { db in
                    for row in left {
                        try DeviceRecords(db).setState(
                            .waiting, of: row.productID, contentID: row.contentID,
                            from: [.active])
                    }
                }
            }
        } catch {
            // Told by the first look, which meets the same trouble.
        }
        guard !isClosed else { return }
        isRunning = true
        listen()
        await look()
    }

    /// Returns once nothing writes any more. What was under way goes on at the byte where it
    /// stopped, here after `start` or elsewhere.
    func rest() async {
        isRunning = false
        let tasks = running.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// The same for good.
    func close() async {
        isClosed = true
        watching?.cancel()
        await rest()
    }

    /// Makes what runs agree with what the records say, where downloads are run.
    func look() async {
        guard isRunning else { return wakes.ring() }
        guard !isClosed,
            let rows = try? await database.read({ try DeviceRecords($0).downloads() }), !isClosed
        else { return }
        var wanted: Set<Key> = []
        for row in rows where row.state == .active { wanted.insert(Key(row)) }
        for (key, download) in running where !wanted.contains(key) {
            if rows.contains(where: { Key($0) == key && $0.state != .waiting }) {
                download.task.cancel()
            }
        }
        for row in rows where row.state == .waiting {
            guard running.count < DeviceLimits.downloadsAtOnce else { break }
            if running[Key(row)] == nil { run(row) }
        }
        wakes.ring()
    }

    private func run(_ row: Download) {
        nextID += 1
        let id = nextID
        let task = Task { [weak self] in
            guard let self else { return }
            await fetch(row)
            await ended(Key(row), id)
        }
        running[Key(row)] = Running(task: task, id: id)
    }

    private func ended(_ key: Key, _ id: Int) async {
        if running[key]?.id == id { running[key] = nil }
        live.withLock { $0[key] = nil }
        await look()
    }

    private func fetch(_ row: Download) async {
        do {
            try await mark(row, .active, from: [.waiting])
            try await fetcher(row).fetch()
            try await mark(row, .finished, from: [.active])
            try await desk.finish([row.transactionID])
        } catch is CancellationError {
            // Paused or cancelled: the records say which.
        } catch {
            let error = error as? StoreError ?? StoreError(.unknown, cause: "\(error)")
            try? await mark(row, .failed, from: [.active], error: error)
        }
    }

    private func mark(
        _ row: Download, _ state: Download.State, from: [Download.State],
        error: StoreError? = nil
    ) async throws(StoreError) {
        try await database.write { db in
            try DeviceRecords(db).setState(
                state, of: row.productID, contentID: row.contentID, from: from, error: error)
        }
    }

    private func fetcher(_ row: Download) -> PackageFetcher {
        let key = Key(row)
        let clock = ContinuousClock()
        let begun = clock.now
        let first = Mutex<Int64?>(nil)
        return PackageFetcher(
            store: store, folder: folder, pacer: pacer, product: row.productID,
            contentID: row.contentID
        ) { [weak self] received in
            let start = first.withLock { first in
                first = first ?? received
                return first ?? received
            }
            let elapsed = begun.duration(to: clock.now) / .seconds(1)
            let rate = elapsed > 0.2 ? Double(received - start) / elapsed : nil
            self?.live.withLock { $0[key] = Live(received: received, bytesPerSecond: rate) }
            self?.wakes.ring()
        }
    }

    /// Adds to a row what only the disk and the running task know.
    nonisolated func completed(_ row: Download) -> Download {
        var row = row
        if row.state == .finished {
            row.bytesReceived = row.bytesExpected
        } else if let live = live.withLock({ $0[Key(row)] }) {
            row.bytesReceived = live.received
            row.bytesPerSecond = live.bytesPerSecond
        } else {
            row.bytesReceived = min(
                folder.partialBytes(row.productID, row.contentID), row.bytesExpected)
        }
        return row
    }
}

extension DownloadManager.Key {
    init(_ row: Download) { self.init(product: row.productID, contentID: row.contentID) }
}

extension DeviceFolder {
    /// Bytes of an unfinished package on the disk.
    func partialBytes(_ product: ProductID, _ contentID: String) -> Int64 {
        let files = partial(product, contentID) + "/files"
        guard let names = FileManager.default.enumerator(atPath: files) else { return 0 }
        var sum: Int64 = 0
        while let name = names.nextObject() as? String {
            var status = stat()
            if stat(files + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                sum += Int64(status.st_size)
            }
        }
        return sum
    }
}
