import Basics
import DurableFiles
import Foundation
import StoreModel
import Synchronization

/// Runs the device's downloads in the process that holds the lease, at most `atOnce` at a time; a
/// download that waits for room on the disk is not counted. In other processes it only wakes
/// readers, and measures the lease holder's downloads by the lengths of the partial files.
///
/// The records say which downloads should run: any process may set a download to `paused`, and the
/// lease holder then stops it. Readers see a result that cannot be recorded all the same; recording
/// is retried until it works.
actor DownloadManager {
    /// The unrecorded progress of a download that this process runs.
    struct Live: Sendable {
        var progress: DownloadProgress?
        var standstill: DownloadJob.Standstill?
    }

    private struct Running {
        var task: Task<Void, Never>
        var id: Int
        var row: Download
        /// Whether the download was stopped in favour of another one, or has no place; it waits
        /// again afterwards.
        var givesWay = false
        var hasBegun = false
        /// Whether the download's package is installed and that is recorded or being recorded.
        var isInPlace = false
        /// Whether the download is one of the `atOnce` that run. A download that waits for room on
        /// the disk is not.
        var hasPlace = true
    }

    let database: DurableDatabase
    private let notifier: CommitNotifier
    let folder: DeviceFolder
    private let atOnce: Int
    private let pacer: any Pacer
    private let elapsed: any Clock<Duration>
    private let contentServers: (any ContentServers)?
    private let hub: DeviceUpdates
    let live = Mutex<[PackageKey: Live]>([:])
    /// The role of this process in the downloads of its device.
    private enum Role {
        /// Another process runs the downloads, or none does.
        case onlooker
        /// This process holds the lease, but has not yet reset the downloads that an ended process
        /// left `active`.
        case takingOver
        case runner
    }

    private let role = Mutex(Role.onlooker)
    private let wakes = ChangeSignal()
    /// How often the subscribers were woken for something other than bytes.
    private let changes = Atomic(0)
    /// Runs while there are downloads and subscribers.
    private var following: Task<Void, Never>?
    /// The downloads that `following` measures, as of the last commit; nil if they must be read.
    private var followed: [Download]?
    private var rates: [PackageKey: RateWindow] = [:]
    private let sinceStart: Stopwatch
    let processor: DeliveryProcessor
    private var running: [PackageKey: Running] = [:]
    private var nextID = 0
    private var watching: Task<Void, Never>?
    private var isRunning = false
    /// Whether downloads that an ended process left `active` were reset to `waiting`.
    private var hasTakenOver = false
    private var isClosed = false
    /// The pauses of downloads that wait to retry a step. `reconcileNow` cancels them.
    private var retryWaits: [PackageKey: Task<Void, Never>] = [:]
    private var failedReads = 0
    private var readRetry: Task<Void, Never>?

    init(
        processor: DeliveryProcessor, hub: DeviceUpdates, notifier: CommitNotifier,
        folder: DeviceFolder, pacer: any Pacer,
        elapsed: any Clock<Duration>, atOnce: Int, contentServers: (any ContentServers)?
    ) {
        self.atOnce = max(1, atOnce)
        self.processor = processor
        self.hub = hub
        database = processor.database
        self.notifier = notifier
        self.folder = folder
        self.pacer = pacer
        self.elapsed = elapsed
        self.contentServers = contentServers
        sinceStart = Stopwatch(elapsed)
    }

    /// A new stream; see `ShopDevice.downloadWakes`. What an element tells is found out only when
    /// it is read, so that it is the latest.
    nonisolated func subscribe() -> AsyncStream<DownloadWake> {
        let wakes = wakes.subscribe()
        // A process that does not run downloads stops measuring them when it has no subscriber.
        Task { await self.follow() }
        let known = Mutex(-1)
        return AsyncStream { [weak self] in
            guard await wakes.nextWake(), let self else { return nil }
            let changes = changes.load(ordering: .sequentiallyConsistent)
            let hasChanged = known.withLock { known in
                defer { known = changes }
                return known != changes
            }
            return hasChanged
                ? .changed : .moved(live.withLock { $0.values.compactMap(\.progress) })
        }
    }

    /// Something other than the bytes of a download has changed.
    nonisolated func wakeReaders() {
        changes.add(1, ordering: .sequentiallyConsistent)
        wakes.notify()
    }

    /// They may change downloads.
    func listen() {
        guard watching == nil else { return follow() }
        watching = Task { [weak self, notifier] in
            await self?.follow()
            for await _ in notifier.subscribeToOthers() { await self?.reconcile() }
        }
    }

    /// `start` follows.
    nonisolated func willStart() {
        role.withLock { $0 = .takingOver }
    }

    /// Whether this process holds the lease but has not yet reset the downloads that an ended
    /// process left `active`. No process runs those.
    nonisolated var takesOver: Bool { role.withLock { $0 == .takingOver } }

    /// Including those that an ended process left `active`.
    func start() async {
        guard !isRunning, !isClosed else { return }
        isRunning = true
        willStart()
        hasTakenOver = false
        listen()
        await reconcile()
        await removeDropped(of: nil)
    }

    /// Removes the content of packages whose downloads are cancelled or deleted, and the partial
    /// files that no download needs. A refund only changes the records, and a process may
    /// be killed between recording a person's command and removing the files.
    ///
    /// - Parameter products: the products to check; nil for all of them, at a launch.
    func removeDropped(of products: Set<ProductID>?) async {
        guard let rows = try? await database.read({ try DeviceRecords($0).downloads() }) else {
            return
        }
        // A version that a reader had open when a newer one was installed was not removed then.
        if products == nil {
            folder.emptyTrash()
            for row in rows where row.state == .finished && folder.hasContent(row) {
                folder.dropOldVersions(of: row.productID, row.contentID, keeping: row.version)
            }
        }
        for (product, packages) in Dictionary(grouping: rows, by: \.productID)
        where products?.contains(product) ?? true {
            // A running task's files are removed when it has ended. No task can start in between,
            // because only this actor starts tasks.
            for row in packages
            where row.state.needsNoPartialFiles && running[PackageKey(row)] == nil {
                folder.remove(row.contentID, of: product, from: "partial")
                if row.state != .finished {
                    folder.remove(row.contentID, of: product, from: "content")
                }
            }
            guard !running.keys.contains(where: { $0.product == product }) else { continue }
            for name in ["content", "partial"] { folder.removeEmpty(product, in: name) }
        }
    }

    /// Stops all downloads, and returns when none of them writes any more. Each continues later at
    /// the byte where it stopped, in this process after `start` or in another one.
    func suspend() async {
        isRunning = false
        readRetry?.cancel()
        let tasks = running.values.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        if !isRunning { role.withLock { $0 = .onlooker } }
    }

    /// Like `suspend`, for good: downloads do not start again in this process.
    func close() async {
        isClosed = true
        watching?.cancel()
        following?.cancel()
        await suspend()
    }

    /// Like `reconcile`, and also ends the pauses before retries.
    func reconcileNow() async {
        // Each of these downloads is retried at once. Its error is shown again only if it occurs
        // again.
        live.withLock { live in for key in retryWaits.keys { live[key]?.standstill = nil } }
        for wait in retryWaits.values { wait.cancel() }
        await reconcile()
    }

    /// Starts and stops downloads until they agree with the records, and wakes the subscribers. A
    /// process that runs no downloads only wakes them.
    func reconcile() async {
        guard isRunning, !isClosed else {
            wakeReaders()
            return follow()
        }
        let plan: DownloadPlan
        let before: [PackageKey: Running]
        do throws(StoreError) {
            try await takeOver()
            // The tasks as they are before the read: the rows may be older than a task that starts
            // during it.
            before = running
            plan = try await database.read { try DownloadPlan(DeviceRecords($0)) }
        } catch {
            return readFailed(error)
        }
        failedReads = 0
        guard isRunning, !isClosed else { return }
        let known = Dictionary(plan.rows.map { (PackageKey($0), $0) }, uniquingKeysWith: { $1 })
        for (key, download) in before where !goesOn(key, download, known[key]) {
            download.task.cancel()
        }
        for (key, download) in running where plan.needsConsent(download.row.productID) {
            stop(key)
        }
        for row in plan.startable {
            guard hasFreePlace else { break }
            if running[PackageKey(row)] == nil { run(row) }
        }
        // The download that is stopped here waits again when its task has ended. Its place then
        // goes to the download that a person asked for.
        if !hasFreePlace, !running.values.contains(where: \.givesWay),
            let row = plan.givesWay(among: running.values.filter(\.hasPlace).map(\.row))
        {
            stop(PackageKey(row))
        }
        wakeReaders()
    }

    private var hasFreePlace: Bool { running.values.count(where: \.hasPlace) < atOnce }

    private func leavePlace(_ key: PackageKey) async {
        guard running[key]?.hasPlace == true else { return }
        running[key]?.hasPlace = false
        await reconcile()
    }

    /// Takes a place for a download that had given up its own.
    ///
    /// - Returns: false if no place is free. The download's task then ends, and the plan decides
    ///   when the download runs again.
    private func takePlace(_ key: PackageKey) -> Bool {
        guard running[key]?.hasPlace == false else { return true }
        guard hasFreePlace else {
            running[key]?.givesWay = true
            return false
        }
        running[key]?.hasPlace = true
        return true
    }

    /// The row was read after the list of tasks was copied.
    private func goesOn(_ key: PackageKey, _ before: Running, _ row: Download?) -> Bool {
        // The row does not decide about a newer task with this key.
        guard let now = running[key], now.id == before.id else { return true }
        guard let row, !row.wasStoppedByPerson else { return false }
        // A task goes on after it has recorded its package, to finish the transaction at the store.
        // Otherwise it stops: an update that was cancelled has a `finished` row, and one that was
        // requested again has a `waiting` row; the fetched bytes of both are removed.
        if row.state == .finished { return now.isInPlace }
        return row.state != .waiting || !before.hasBegun
    }

    /// It waits afterwards.
    private func stop(_ key: PackageKey) {
        running[key]?.givesWay = true
        running[key]?.task.cancel()
    }

    /// Resets downloads that an ended process left `active`, once after each `start`.
    private func takeOver() async throws(StoreError) {
        guard !hasTakenOver else { return }
        let left = try await database.read { try DeviceRecords($0).downloads() }
            .filter { $0.state == .active && running[PackageKey($0)] == nil }
        if !left.isEmpty {
            try await database.write { db in
                for row in left {
                    try DeviceRecords(db).setState(
                        .waiting, of: row.productID, contentID: row.contentID, from: [.active],
                        keepsError: true)
                }
            }
        }
        hasTakenOver = true
        role.withLock { $0 = .runner }
    }

    /// Publishes only the first of several failed reads as trouble, and retries after a growing
    /// pause.
    private func readFailed(_ error: StoreError) {
        failedReads += 1
        if failedReads == 1 { hub.publish(.trouble(error, ended: false)) }
        wakeReaders()
        guard error.code != .storeReplaced else { return }
        readRetry?.cancel()
        readRetry = Task { [weak self, elapsed, failedReads] in
            let pause = DownloadJob.pause(after: failedReads)
            guard (try? await elapsed.sleep(for: pause)) != nil else { return }
            await self?.reconcile()
        }
    }

    private func run(_ row: Download) {
        nextID += 1
        let id = nextID
        live.withLock { $0[PackageKey(row)] = nil }
        let task = Task { [weak self] in
            guard let self else { return }
            await carryOut(row)
            await ended(PackageKey(row), id)
        }
        running[PackageKey(row)] = Running(task: task, id: id, row: row)
    }

    private func ended(_ key: PackageKey, _ id: Int) async {
        if let ended = running[key], ended.id == id {
            running[key] = nil
            // The download's row may still say `active`: `takeOver` resets it.
            if ended.givesWay || ended.task.isCancelled { hasTakenOver = false }
            live.withLock { live in
                // Subscribers still see a result that was never recorded.
                let standstill = live[key]?.standstill
                live[key] = standstill.map { Live(standstill: $0) }
            }
            // The cancelled task may have created its folder again.
            await removeDropped(of: [key.product])
        }
        await reconcile()
    }

    // MARK: - One download

    /// Until no step is left or the task is cancelled.
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
                if error.code == .deviceFull, await makesRoom(for: error) { continue }
                let pause = job.failed(error)
                announce(job.standstill, row)
                if step == .fetch, job.standstill?.error.code == .deviceFull {
                    await record(fullDisk: error, of: row)
                    await leavePlace(PackageKey(row))
                }
                if pause > .zero { await wait(for: pause, PackageKey(row)) }
            }
        }
        if Task.isCancelled { announce(nil, row) }
    }

    private func perform(
        _ step: DownloadJob.Step, _ row: Download, _ job: inout DownloadJob
    ) async throws {
        switch step {
        case .begin:
            guard try await record(.active, of: row) else { return job.wasOvertaken() }
            running[PackageKey(row)]?.hasBegun = true
            job.succeeded()
        case .fetch:
            try checkRoom(for: row, after: job.standstill)
            guard takePlace(PackageKey(row)) else {
                announce(nil, row)
                await record(fullDisk: nil, of: row)
                throw CancellationError()
            }
            let wasHeldUp = row.error != nil || job.standstill != nil
            job.succeeded(fetched: try await fetcher(row, wasHeldUp: wasHeldUp).fetch())
        case .record(.failed(let error)):
            try await record(.failed, of: row, error)
                ? job.succeeded() : job.wasOvertaken()
        case .record(.finished(let version, let length)):
            running[PackageKey(row)]?.isInPlace = true
            // Only this actor starts downloads, so no download of the product starts in between.
            if !running.keys.contains(where: {
                $0.product == row.productID && $0 != PackageKey(row)
            }) {
                folder.removeEmpty(row.productID, in: "partial")
            }
            let now = processor.clock.now()
            let isOurs = try await database.write { db in
                let records = DeviceRecords(db)
                let isOurs = try records.finishDownload(
                    of: row.productID, contentID: row.contentID, version: version,
                    length: length)
                if isOurs {
                    try records.log(
                        .downloaded(
                            row.productID, contentID: row.contentID, version: version,
                            bytes: length), at: now)
                    let left = try records.downloads(of: row.productID)
                    if !left.contains(where: \.isUnderWay) {
                        try records.setConsent(false, to: row.productID)
                    }
                }
                return isOurs
            }
            if isOurs {
                folder.dropOldVersions(of: row.productID, row.contentID, keeping: version)
            }
            isOurs ? job.succeeded() : job.wasOvertaken()
        case .finishSale:
            // A later sale, such as a renewal, may have taken over the package meanwhile.
            let owners = try await database.read { db in
                try DeviceRecords(db).downloads(of: row.productID)
                    .filter { $0.contentID == row.contentID }.map(\.transactionID)
            }
            try await processor.finish(Set(owners + [row.transactionID]).sorted())
            job.succeeded()
        }
    }

    /// Logs a failure. Returns false if the download was paused or cancelled meanwhile.
    private func record(
        _ state: Download.State, of row: Download, _ error: StoreError? = nil
    ) async throws(StoreError) -> Bool {
        let now = processor.clock.now()
        return try await database.write { db in
            let records = DeviceRecords(db)
            let isSet = try records.setState(
                state, of: row.productID, contentID: row.contentID, from: [.waiting, .active],
                error: error, keepsError: true)
            if isSet, let error {
                try records.log(
                    .downloadFailed(row.productID, contentID: row.contentID, error), at: now)
            }
            return isSet
        }
    }

    /// Ends early if `reconcileNow` is called or the task is cancelled.
    private func wait(for pause: Duration, _ key: PackageKey) async {
        let wait = Task { [elapsed] in
            do { try await elapsed.sleep(for: pause) } catch {}
        }
        retryWaits[key] = wait
        await withTaskCancellationHandler {
            await wait.value
        } onCancel: {
            wait.cancel()
        }
        retryWaits[key] = nil
    }

    /// Sets the state that subscribers see for a failing download, publishes it as trouble if it is
    /// new, and wakes them.
    private func announce(_ standstill: DownloadJob.Standstill?, _ row: Download) {
        let isNew = live.withLock { live in
            let before = live[PackageKey(row)]?.standstill
            live[PackageKey(row), default: Live()].standstill = standstill
            // The free space may differ with each attempt. That alone does not make the error new.
            return standstill != nil
                && (before?.state != standstill?.state
                    || before?.error.code != standstill?.error.code
                    || before?.version != standstill?.version)
        }
        if isNew { hub.publish(.downloadStopped(withLiveState(row))) }
        wakeReaders()
    }

    /// The fetcher updates the progress and wakes the subscribers.
    ///
    /// - Parameter wasHeldUp: whether the records say that the disk is full. That is cleared when
    ///   the first bytes arrive.
    private func fetcher(_ row: Download, wasHeldUp: Bool) -> PackageFetcher {
        let key = PackageKey(row)
        let watch = Stopwatch(elapsed)
        let measured = Mutex((start: Int64?.none, lastWake: Duration?.none, window: RateWindow()))
        let isHeldUp = Mutex(wasHeldUp)
        return PackageFetcher(
            source: FaultySource(
                DeliverySource(processor: processor, servers: contentServers, row),
                file: DownloadFaultFile(folder: folder.path), elapsed: elapsed),
            verifier: processor.verifier, folder: folder,
            pacer: pacer.pacer(forPackageOf: row.bytesExpected), product: row.productID,
            contentID: row.contentID
        ) { [weak self] received in
            guard let self else { return }
            let elapsed = watch.elapsed
            // A package may have thousands of small files. So the rate is measured, and subscribers
            // are woken, at most every `progressPause`.
            let (start, isDue, rate) = measured.withLock { measured in
                let start = measured.start ?? received
                measured.start = start
                if let last = measured.lastWake, elapsed - last < DeviceLimits.progressPause {
                    return (start, false, measured.window.bytesPerSecond)
                }
                measured.lastWake = elapsed
                measured.window.add(received, at: elapsed)
                return (start, true, measured.window.bytesPerSecond)
            }
            let stoodStill = live.withLock { live in
                live[key, default: Live()].progress = DownloadProgress(
                    row, bytesReceived: received, bytesPerSecond: rate)
                // The error is cleared when bytes arrive, not only when the package is complete.
                guard received > start, live[key]?.standstill != nil else { return false }
                live[key]?.standstill = nil
                return true
            }
            let goesOn = isHeldUp.withLock { isHeldUp in
                guard isHeldUp, received > start else { return false }
                isHeldUp = false
                return true
            }
            if goesOn { Task { await self.record(fullDisk: nil, of: row) } }
            if stoodStill { wakeReaders() } else if isDue { wakes.notify() }
        }
    }

    // MARK: - The progress of another process

    /// Starts to measure the downloads of another process, unless this process already does or runs
    /// downloads itself. Measuring stops when there is no active download or no subscriber. The
    /// next commit of another process (`reconcile`) or the next subscriber (`subscribe`) starts it
    /// again.
    private func follow() {
        followed = nil
        guard following == nil, watching != nil, canFollow else { return }
        following = Task { [weak self, elapsed] in
            while let pause = await self?.look() {
                guard (try? await elapsed.sleep(for: pause)) != nil else { return }
            }
        }
    }

    private var canFollow: Bool { !isRunning && !isClosed && wakes.hasSubscribers }

    /// Measures the active downloads, and wakes the subscribers if their progress has changed. The
    /// records are read only after a commit.
    ///
    /// - Returns: the pause before the next measurement; nil if measuring has stopped.
    private func look() async -> Duration? {
        while followed == nil, canFollow {
            // `follow` removes this if a commit happens during the read, which may miss it.
            followed = []
            let rows = try? await database.read { try DeviceRecords($0).downloads() }
            if followed != nil { followed = rows?.filter { $0.state == .active } ?? [] }
        }
        guard canFollow, let active = followed, !active.isEmpty else { return stopFollowing() }
        guard DeliveryLease.isHeld(folder.leasePath) else {
            // The process that ran the downloads has ended. Subscribers are woken to read that. The
            // next lease holder commits before it fetches, which starts measuring again.
            wakeReaders()
            return stopFollowing()
        }
        let watch = Stopwatch(elapsed)
        if measure(active) { wakes.notify() }
        return max(DeviceLimits.progressPollPause, watch.elapsed * 10)
    }

    /// Returns whether any progress has changed since the last call.
    private func measure(_ active: [Download]) -> Bool {
        var hasChanged = false
        for row in active {
            let key = PackageKey(row)
            let received = folder.receivedBytes(of: row)
            rates[key, default: RateWindow()].add(received, at: sinceStart.elapsed)
            let progress = DownloadProgress(
                row, bytesReceived: received, bytesPerSecond: rates[key]?.bytesPerSecond)
            live.withLock { live in
                hasChanged = hasChanged || live[key]?.progress != progress
                live[key, default: Live()].progress = progress
            }
        }
        return hasChanged
    }

    private func stopFollowing() -> Duration? {
        following = nil
        for key in rates.keys where running[key] == nil {
            live.withLock { $0[key]?.progress = nil }
        }
        rates = [:]
        return nil
    }

    // MARK: - Progress

    /// A recorded row, completed with the bytes on the disk and the progress of this process's
    /// task. A `finished` row whose folder is gone becomes `deleted`.
    nonisolated func withLiveState(_ row: Download) -> Download {
        var row = row
        let live = live.withLock { $0[PackageKey(row)] }
        // While an update is being fetched, the records have the installed version's length.
        let kept = (version: row.installedVersion, bytes: row.installedBytes)
        row.installedVersion = folder.installedVersion(of: row)
        row.installedBytes = row.installedVersion.map { version in
            if version == row.version { return row.bytesExpected }
            var old = row
            old.version = version
            return kept.version == version
                ? kept.bytes ?? folder.bytes(of: old) : folder.bytes(of: old)
        }
        if let standstill = live?.standstill, !row.wasStoppedByPerson {
            row.state = standstill.state
            row.error = standstill.error
            row.version = standstill.version ?? row.version
        } else if row.isUnderWay, row.error != nil {
            // The process that runs this download, or ran it last, found the disk full. A process
            // that runs downloads itself, or is about to, does not show that recorded error: it
            // finds out anew.
            if role.withLock({ $0 != .onlooker }) { row.error = nil } else { row.state = .waiting }
        }
        if row.state == .finished {
            guard folder.hasContent(row) else {
                row.state = .deleted
                row.installedVersion = nil
                row.installedBytes = nil
                return row
            }
            row.bytesReceived = row.bytesExpected
        } else if row.state == .active, let progress = live?.progress {
            row = row.moved(to: [progress])
        } else if row.state != .deleted {
            row.bytesReceived = folder.receivedBytes(of: row)
        }
        return row
    }
}

extension Download {
    /// Whether a person's command or a refund has stopped the download, so that its task must not
    /// go on.
    fileprivate var wasStoppedByPerson: Bool {
        state == .paused || state == .cancelled || state == .deleted
    }
}

extension Download.State {
    /// Whether a package in this state needs no files in the folder `partial`.
    fileprivate var needsNoPartialFiles: Bool {
        switch self {
        case .finished, .cancelled, .deleted: true
        case .waiting, .active, .paused, .failed: false
        }
    }
}
