import DurableFiles
import Foundation
import StoreModel
import Synchronization

/// Runs the device's downloads, a few at a time, in the process that holds the lease. What shall
/// happen stands in the records: any process may write there "paused", and this one obeys. What
/// happened and cannot be written there is told all the same, and written as soon as it can be.
actor DownloadManager {
    struct Key: Hashable, Sendable {
        var product: ProductID
        var contentID: String
    }

    /// What is known of a download of this process beyond its row.
    struct Live: Sendable {
        var received: Int64?
        var bytesPerSecond: Double?
        var standstill: DownloadJob.Standstill?
    }

    private struct Running {
        var task: Task<Void, Never>
        var id: Int
    }

    private let store: any Store
    private let database: DurableDatabase
    private let notifier: CommitNotifier
    private let folder: DeviceFolder
    private let pacer: any Pacer
    private let elapsed: any Clock<Duration>
    private let hub: UpdateHub
    private let live = Mutex<[Key: Live]>([:])
    nonisolated let wakes = ChangeSignal()
    private let processor: DeliveryProcessor
    private var running: [Key: Running] = [:]
    private var nextID = 0
    private var watching: Task<Void, Never>?
    /// Whether this process is the one that runs the device's downloads.
    private var isRunning = false
    /// Whether what a dead process left active was taken over.
    private var hasTakenOver = false
    private var isClosed = false
    /// Rests of downloads that cannot go on; ended early by whoever asks for one.
    private var rests: [Key: Task<Void, Never>] = [:]
    private var failedReads = 0
    private var readingAgain: Task<Void, Never>?

    init(
        processor: DeliveryProcessor, hub: UpdateHub, notifier: CommitNotifier,
        folder: DeviceFolder, pacer: any Pacer,
        elapsed: any Clock<Duration>
    ) {
        self.processor = processor
        self.hub = hub
        store = processor.store
        database = processor.database
        self.notifier = notifier
        self.folder = folder
        self.pacer = pacer
        self.elapsed = elapsed
    }

    /// Tells this process's readers when a download changes, whoever runs it.
    func listen() {
        guard watching == nil else { return }
        watching = Task { [weak self, notifier] in
            for await _ in notifier.subscribeToOthers() { await self?.look() }
        }
    }

    /// Begins to run downloads: those a dead process left active first.
    func start() async {
        guard !isRunning, !isClosed else { return }
        isRunning = true
        hasTakenOver = false
        listen()
        await look()
        await removeDropped(of: nil)
    }

    /// Removes the files of products whose downloads were all given up or deleted: for what was taken
    /// back nobody presses a key. A kill may come between the record and this.
    ///
    /// - Parameter products: nil for all there are.
    func removeDropped(of products: Set<ProductID>?) async {
        guard let rows = try? await database.read({ try DeviceRecords($0).downloads() }) else {
            return
        }
        for (product, packages) in Dictionary(grouping: rows, by: \.productID)
        where products?.contains(product) ?? true {
            let isDropped = packages.allSatisfy { $0.state == .cancelled || $0.state == .deleted }
            guard isDropped else { continue }
            for part in ["partial", "content"] { folder.removeAll(of: product, from: part) }
        }
    }

    /// Returns once nothing writes any more. What was under way goes on at the byte where it
    /// stopped, here after `start` or elsewhere.
    func suspend() async {
        isRunning = false
        readingAgain?.cancel()
        let tasks = running.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// The same for good.
    func close() async {
        isClosed = true
        watching?.cancel()
        await suspend()
    }

    /// Looks at once, and tries again at once what rests because it could not go on.
    func lookNow() async {
        for rest in rests.values { rest.cancel() }
        await look()
    }

    /// Makes what runs agree with what the records say, where downloads are run.
    func look() async {
        guard isRunning, !isClosed else { return wakes.notify() }
        let rows: [Download]
        do throws(StoreError) {
            try await takeOver()
            rows = try await database.read { try DeviceRecords($0).downloads() }
        } catch {
            return readFailed(error)
        }
        failedReads = 0
        guard isRunning, !isClosed else { return }
        let known = Dictionary(rows.map { (Key($0), $0) }, uniquingKeysWith: { $1 })
        // One that has finished may still have its sale to finish.
        for (key, download) in running where known[key]?.wasEndedByPerson ?? true {
            download.task.cancel()
        }
        for row in rows where row.state == .waiting {
            guard running.count < DeviceLimits.downloadsAtOnce else { break }
            if running[Key(row)] == nil { run(row) }
        }
        wakes.notify()
    }

    /// What a process that ended left active waits again.
    private func takeOver() async throws(StoreError) {
        guard !hasTakenOver else { return }
        let left = try await database.read { try DeviceRecords($0).downloads() }
            .filter { $0.state == .active && running[Key($0)] == nil }
        if !left.isEmpty {
            try await database.write { db in
                for row in left {
                    try DeviceRecords(db).setState(
                        .waiting, of: row.productID, contentID: row.contentID, from: [.active])
                }
            }
        }
        hasTakenOver = true
    }

    /// The records cannot be read, or not taken over: told once, and tried again later.
    private func readFailed(_ error: StoreError) {
        failedReads += 1
        if failedReads == 1 { hub.publish(.trouble(error, ended: false)) }
        wakes.notify()
        guard error.code != .storeReplaced else { return }
        readingAgain?.cancel()
        readingAgain = Task { [weak self, elapsed, failedReads] in
            let pause = DownloadJob.pause(after: failedReads)
            guard (try? await elapsed.sleep(for: pause)) != nil else { return }
            await self?.look()
        }
    }

    private func run(_ row: Download) {
        nextID += 1
        let id = nextID
        live.withLock { $0[Key(row)] = nil }
        let task = Task { [weak self] in
            guard let self else { return }
            await carryOut(row)
            await ended(Key(row), id)
        }
        running[Key(row)] = Running(task: task, id: id)
    }

    private func ended(_ key: Key, _ id: Int) async {
        if running[key]?.id == id {
            running[key] = nil
            live.withLock { live in
                // What could never be written down stays told.
                let standstill = live[key]?.standstill
                live[key] = standstill.map { Live(standstill: $0) }
            }
        }
        await look()
    }

    // MARK: - One download

    /// Step after step until nothing is left to do, or it is cancelled: the records then say why.
    private func carryOut(_ row: Download) async {
        var job = DownloadJob()
        while let step = job.step, !Task.isCancelled {
            do {
                try await perform(step, row, &job)
                announce(job.standstill, row)
            } catch is CancellationError {
                return announce(nil, row)
            } catch {
                let error =
                    error as? StoreError
                    ?? StoreError(.unknown, productID: row.productID, cause: "\(error)")
                let pause = job.failed(error)
                announce(job.standstill, row)
                if pause > .zero { await wait(for: pause, Key(row)) }
            }
        }
        if Task.isCancelled { announce(nil, row) }
    }

    private func perform(
        _ step: DownloadJob.Step, _ row: Download, _ job: inout DownloadJob
    ) async throws {
        switch step {
        case .begin:
            try await record(.active, of: row) ? job.succeeded() : job.wasOvertaken()
        case .fetch:
            try checkRoom(for: row, after: job.standstill)
            job.succeeded(fetched: try await fetcher(row).fetch())
        case .record(.failed(let error)):
            try await record(.failed, of: row, error)
                ? job.succeeded() : job.wasOvertaken()
        case .record(.finished(let version, let length)):
            let isOurs = try await database.write { db in
                try DeviceRecords(db).finishDownload(
                    of: row.productID, contentID: row.contentID, version: version,
                    length: length)
            }
            isOurs ? job.succeeded() : job.wasOvertaken()
        case .finishSale:
            try await processor.finish([row.transactionID])
            job.succeeded()
        }
    }

    /// False where somebody has paused or cancelled the download.
    private func record(
        _ state: Download.State, of row: Download, _ error: StoreError? = nil
    ) async throws(StoreError) -> Bool {
        try await database.write { db in
            try DeviceRecords(db).setState(
                state, of: row.productID, contentID: row.contentID, from: [.waiting, .active],
                error: error)
        }
    }

    /// A full disk is asked how much room it has before a whole package is announced and read again.
    private func checkRoom(
        for row: Download, after standstill: DownloadJob.Standstill?
    ) throws(StoreError) {
        guard let error = standstill?.error, error.code == .deviceFull else { return }
        let missing = row.bytesExpected - (live.withLock { $0[Key(row)]?.received } ?? 0)
        guard let free = folder.freeBytes, free < missing else { return }
        throw error
    }

    /// Ends early when somebody asks for the download, or it is cancelled.
    private func wait(for pause: Duration, _ key: Key) async {
        let rest = Task { [elapsed] in
            do { try await elapsed.sleep(for: pause) } catch {}
        }
        rests[key] = rest
        await withTaskCancellationHandler {
            await rest.value
        } onCancel: {
            rest.cancel()
        }
        rests[key] = nil
    }

    /// Keeps what the readers of `downloads` are told beyond the records, and wakes them.
    private func announce(_ standstill: DownloadJob.Standstill?, _ row: Download) {
        let isNew = live.withLock { live in
            let before = live[Key(row)]?.standstill
            live[Key(row), default: Live()].standstill = standstill
            return standstill != nil && before != standstill
        }
        if isNew { hub.publish(.downloadStopped(completed(row))) }
        wakes.notify()
    }

    private func fetcher(_ row: Download) -> PackageFetcher {
        let key = Key(row)
        let watch = Stopwatch(elapsed)
        let first = Mutex<Int64?>(nil)
        let told = Mutex<Duration?>(nil)
        return PackageFetcher(
            store: store, folder: folder, pacer: pacer, product: row.productID,
            contentID: row.contentID
        ) { [weak self] received in
            let start = first.withLock { first in
                first = first ?? received
                return first ?? received
            }
            let elapsed = watch.elapsed
            let seconds = elapsed / .seconds(1)
            let rate = seconds > 0.2 ? Double(received - start) / seconds : nil
            self?.live.withLock { live in
                live[key, default: Live()].received = received
                live[key, default: Live()].bytesPerSecond = rate
            }
            // Thousands of small files a second would keep every reader busy with nothing else.
            let isNew = told.withLock { told in
                if let told, elapsed - told < DeviceLimits.progressPause { return false }
                told = elapsed
                return true
            }
            if isNew { self?.wakes.notify() }
        }
    }

    // MARK: - Telling

    /// Adds to a row what only the disk and the running task know.
    nonisolated func completed(_ row: Download) -> Download {
        var row = row
        let live = live.withLock { $0[Key(row)] }
        if let standstill = live?.standstill, !row.wasEndedByPerson {
            row.state = standstill.state
            row.error = standstill.error
            row.version = standstill.version ?? row.version
        }
        if row.state == .finished {
            guard folder.hasContent(row) else {
                row.state = .deleted
                return row
            }
            row.bytesReceived = row.bytesExpected
        } else if row.state == .active, let received = live?.received {
            row.bytesReceived = received
            row.bytesPerSecond = live?.bytesPerSecond
        } else if row.state != .deleted {
            row.bytesReceived = min(
                folder.partialBytes(row.productID, row.contentID), row.bytesExpected)
        }
        return row
    }
}

extension Download {
    fileprivate var wasEndedByPerson: Bool {
        state == .paused || state == .cancelled || state == .deleted
    }
}

extension DownloadManager.Key {
    init(_ row: Download) { self.init(product: row.productID, contentID: row.contentID) }
}
