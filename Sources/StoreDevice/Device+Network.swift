import DurableFiles
package import StoreModel

/// Answers of the device with and without its network, and the network itself.
extension Device {
    /// Whether the device reaches its store; see `ShopDevice.network`.
    package func network() -> NetworkState { networkSwitch.state() }

    /// Cuts or restores the network; see `ShopDevice.setNetwork`.
    package func setNetwork(_ change: NetworkChange) async throws(StoreError) {
        // A device that follows the store knows all of it until now. Another one goes on from its
        // last contact.
        if change != .on, !networkSwitch.isOff, await isAttended { await knowledge.keepContact() }
        try networkSwitch.set(change)
        await knowledge.useKeptClock()
        downloadManager.wakeReaders()
    }

    /// The account's entitlements; see `ShopDevice.entitlements`.
    package func entitlements() async throws(StoreError) -> DeviceAnswer<[Entitlement]> {
        try await knowledge.entitlements()
    }

    /// The products for sale; see `ShopDevice.products`.
    package func products(_ identifiers: [ProductID]?) async throws(StoreError)
        -> DeviceAnswer<ProductsResponse>
    {
        let answer = try await knowledge.products(identifiers)
        if answer.isFresh { await queueNewIssues(of: answer.value.products) }
        return answer
    }

    /// Queues the issues that are new since, of subscriptions whose issues this device downloads: new
    /// ones arrive while the account subscribes. One that cannot be queued now is with the next list.
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

    /// The account's settings; see `ShopDevice.accountSettings`.
    package func accountSettings() async throws(StoreError) -> DeviceAnswer<AccountSettings> {
        try await knowledge.settings()
    }

    /// See `ShopDevice.familyStatus`.
    package func familyStatus() async throws(StoreError) -> DeviceAnswer<FamilyStatus> {
        try await knowledge.familyStatus()
    }

    /// The account's payments that wait, or without a network those that waited when this device was
    /// told last.
    ///
    /// - Throws: `networkError` without a network, if the device was never told.
    package func knownRequests() async throws(StoreError) -> DeviceAnswer<[ApprovalRequest]> {
        try await knowledge.requests()
    }

    /// The account's unfinished transactions, of all its devices, or without a network those that were so
    /// when this device was told last.
    ///
    /// - Throws: `networkError` without a network, if the device was never told.
    package func knownUnfinished() async throws(StoreError)
        -> DeviceAnswer<[UnfinishedTransaction]>
    {
        try await knowledge.unfinished()
    }

    /// A page of the account's transactions (`Store.history`); without a network of those that this
    /// device has delivered.
    package func transactions(
        before last: TransactionID?, limit: Int
    ) async throws(StoreError) -> DeviceAnswer<[SignedTransaction]> {
        try await knowledge.transactions(before: last, limit: limit)
    }

    /// A page of the account's history; see `ShopDevice.events`.
    package func events(
        before cursor: FeedCursor?, filter: HistoryFilter, limit: Int
    ) async throws(StoreError) -> DeviceAnswer<HistoryPage> {
        try await knowledge.events(before: cursor, filter: filter, limit: limit)
    }

    /// A transaction as it is signed now; see `ShopDevice.transaction`.
    package func transaction(_ id: TransactionID) async throws(StoreError) -> SignedTransaction {
        do throws(StoreError) { return try await store.transaction(id) } catch
            where error.isNetworkOff
        {
            guard let kept = try await keeper.text(of: id) else { throw error }
            return kept
        }
    }

    /// Keeps the store's present answers for the time without a network, for a command that has bought
    /// and is about to end.
    package func keepAnswers() async {
        await knowledge.keepAll()
        _ = try? await receipts.appTransaction()
        await unlockRecorder.update()
    }

    /// Since when the store could not record what was due; see `ShopDevice.overdueSince`.
    package func overdueSince() async throws(StoreError) -> Timestamp? {
        do throws(StoreError) { return try await store.overdueSince() } catch
            where error.isNetworkOff
        { return nil }
    }

    /// The store's time as far as the device knows it.
    package var storeClock: any StoreClock { clock }

    // MARK: - Unlocks

    /// The record by which other programs learn what this device unlocks, as it is now. Writes it if
    /// its file holds something else.
    ///
    /// - Throws: `deviceUnreadable` if it cannot be written, or `networkError` if the device has no
    ///   network and never learned what its products unlock.
    package func unlockRecord() async throws(StoreError) -> UnlockRecord {
        guard let record = await unlockRecorder.update() else {
            if networkSwitch.isOff { throw .networkIsOff(on: device) }
            throw StoreError(.deviceUnreadable, subject: folder.unlocksPath)
        }
        return record
    }

    /// Wakes after the file of that record was replaced, beginning with one wake. False in second
    /// place where files cannot be watched, and nothing wakes then.
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

    /// Follows the network from launch on: without it the device's clock goes on from its last
    /// contact; when it is back, what waits is sent, and downloads go on.
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
    /// The signed record of what the device unlocks, for other programs.
    package var unlocksPath: String { path + "/" + UnlockFiles.record }
}
