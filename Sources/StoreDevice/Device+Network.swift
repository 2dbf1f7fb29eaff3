import DurableFiles
package import StoreModel

extension Device {
    package func network() -> NetworkState { networkSwitch.state() }

    /// Returns when the network is not cut, or when the task is cancelled. Runs where it is called.
    nonisolated(nonsending) package func networkReturns() async {
        _ = await networkSwitch.wait(untilOff: false)
    }

    package func setNetwork(_ change: NetworkChange) async throws(StoreError) {
        // A device that some process attends has read the feed until now, so its contact with the
        // store is dated now. A device without such a process keeps its earlier contact.
        if change != .on, !networkSwitch.isOff, await isAttended { await knowledge.keepContact() }
        try networkSwitch.set(change)
        await knowledge.useKeptClock()
        downloadManager.wakeReaders()
    }

    package func entitlements() async throws(StoreError) -> DeviceAnswer<[Entitlement]> {
        try await knowledge.entitlements()
    }

    package func products(_ identifiers: [ProductID]?) async throws(StoreError)
        -> DeviceAnswer<ProductsResponse>
    {
        let answer = try await knowledge.products(identifiers)
        if answer.isFresh { await queueNewIssues(of: answer.value.products) }
        return identifiers == nil ? try await listed(answer) : answer
    }

    /// Queues new issues of the subscriptions whose issues this device downloads. A failure is
    /// ignored: the next call of `products` queues them.
    private func queueNewIssues(of products: [Product]) async {
        let publishing = products.filter { $0.issues != nil && !$0.hostedContent.isEmpty }
        guard !publishing.isEmpty else { return }
        let missing = try? await database.read { db in
            try publishing.flatMap { try DeviceRecords(db).newIssues(of: $0) }
        }
        guard let missing, !missing.isEmpty else { return }
        let isQueued: Void? = try? await database.writeTogether { db in
            for issue in missing {
                try DeviceRecords(db).addDownload(
                    issue.content, of: issue.product, transaction: issue.transaction)
            }
        }
        if isQueued != nil { await downloadManager.reconcile() }
    }

    package func accountSettings() async throws(StoreError) -> DeviceAnswer<AccountSettings> {
        try await knowledge.settings()
    }

    package func familyStatus() async throws(StoreError) -> DeviceAnswer<FamilyStatus> {
        try await knowledge.familyStatus()
    }

    package func knownRequests() async throws(StoreError) -> DeviceAnswer<[ApprovalRequest]> {
        try await knowledge.requests()
    }

    /// Of all the account's devices. Without a network, the store's last answer.
    ///
    /// - Throws: `networkError` without a network, if the store has never answered this on this
    ///   device.
    package func knownUnfinished() async throws(StoreError)
        -> DeviceAnswer<[UnfinishedTransaction]>
    {
        try await knowledge.unfinished()
    }

    /// A page of the account's transactions (`Store.history`). Without a network, a page of the
    /// transactions that this device has delivered.
    package func transactions(
        before last: TransactionID?, limit: Int
    ) async throws(StoreError) -> DeviceAnswer<[SignedTransaction]> {
        try await knowledge.transactions(before: last, limit: limit)
    }

    package func events(
        before cursor: FeedCursor?, filter: HistoryFilter, limit: Int
    ) async throws(StoreError) -> DeviceAnswer<HistoryPage> {
        try await knowledge.events(before: cursor, filter: filter, limit: limit)
    }

    package func transaction(_ id: TransactionID) async throws(StoreError) -> SignedTransaction {
        do throws(StoreError) { return try await store.transaction(id) } catch
            where error.isNetworkOff
        {
            guard let kept = try await keeper.text(of: id) else { throw error }
            return kept
        }
    }

    /// Records the store's present answers, for use without a network, and gives reports to the app's
    /// backend a moment. For a command that has bought something and is about to end.
    package func keepAnswers() async {
        await knowledge.keepAll()
        _ = try? await receipts.appTransaction()
        await unlockRecorder.update()
        await reporter.finishSending()
    }

    package func overdueSince() async throws(StoreError) -> Timestamp? {
        do throws(StoreError) { return try await store.overdueSince() } catch
            where error.isNetworkOff
        { return nil }
    }

    /// As far as the device knows it (`DeviceClock`).
    package var storeClock: any StoreClock { clock }

    // MARK: - Unlocks

    /// The signed record of what this device unlocks, for other programs, as of now. Writes its
    /// file if the file holds another record.
    ///
    /// - Throws: `deviceUnreadable` if it cannot be written, or `networkError` if the device has no
    ///   network and never learned what its products unlock.
    package func unlockRecord() async throws(StoreError) -> UnlockRecord {
        guard let record = await unlockRecorder.update() else {
            try networkSwitch.check(on: device)
            throw StoreError(.deviceUnreadable, subject: folder.unlocksPath)
        }
        return record
    }

    /// A stream that wakes after the file of the unlock record was replaced, beginning with one
    /// wake. `areWatched` is false if files cannot be watched; the stream then wakes only once.
    package func unlockWakes() -> (wakes: AsyncStream<Void>, areWatched: Bool) {
        let signal = ChangeSignal()
        let areWatched =
            FileWatcher.shared?.watchEntry(UnlockFiles.record, ofFolder: folder.path) {
                signal.notify()
                return true
            } ?? false
        return (signal.subscribe(), areWatched)
    }

    // MARK: - Following the network

    /// Follows the network from launch on. While it is cut, the device's clock continues from the
    /// last contact with the store. When it is back, queued payments are sent and downloads resume.
    func followNetwork() -> Task<Void, Never> {
        Task { [networkSwitch, knowledge, observer, downloadManager, unlockRecorder] in
            while !Task.isCancelled {
                guard await networkSwitch.wait(untilOff: true) else { return }
                await knowledge.useKeptClock()
                downloadManager.wakeReaders()
                guard await networkSwitch.wait(untilOff: false) else { return }
                await observer.reconnect()
                await downloadManager.reconcileNow()
                downloadManager.wakeReaders()
                await unlockRecorder.update()
            }
        }
    }
}

extension DeviceFolder {
    package var unlocksPath: String { path + "/" + UnlockFiles.record }
}
