#if os(Linux)
import Foundation
import StoreCatalog
package import StoreDevice
import StoreEngine
package import StoreHost
package import StoreModel
import StoreSigning
import Synchronization

/// An opened store with the device of an app: what every call of StoreKit asks.
package final class AppStoreSession: Sendable {
    package let host: StoreHost
    package let device: Device
    /// The account's session, through the device's network.
    package let store: any Store
    package let console: any StoreOperator
    /// Of this session's own readers.
    package let board: UpdateBoard<SessionUpdate>
    /// Tells the sessions of a process apart.
    package let number: Int
    let feed: UpdateFeed
    /// The account's, when the session began; ISO 3166-1 alpha-3.
    let territory: String
    /// The errors that a test lets calls fail with, which tell more than the store's codes.
    package typealias SimulatedErrors = [Fault.Call: (code: StoreError.Code, error: any Error)]
    private let simulated = Mutex<SimulatedErrors>([:])
    /// The promotions that the app has chosen.
    let promotions = Mutex<[Product.PromotionInfo]>([])
    /// The purchases begun outside the app that it has not been told of.
    let intents: WaitingIntents
    /// Removed with the session; nil for a store that stays.
    private let folder: SessionFolder?

    /// The configuration, store and device that a session opens.
    package struct Choice: Sendable {
        /// A catalog of ours or a StoreKit configuration.
        package var file: String
        /// A folder, or an address in a database; nil for a store that ends with the session.
        package var store: String?
        package var account: AccountName = "me"
        /// Nil for the usual one.
        package var device: DeviceName?
        package var environment: StoreEnvironment = .xcode
        package var locale = Choice.usualLocale

        package static let usualLocale = "en_US"

        package init(file: String) { self.file = file }
    }

    private static let opened = Atomic(0)
    /// A call for a transaction of an ended session must not find one of the present session.
    private static let transactionsOfSession: Int64 = 1_000_000

    /// Opens the store and launches the app's device. Throws `fileUnreadable` with the file's first
    /// problem, and errors of `StoreHost`.
    package static func open(_ choice: Choice) async throws(StoreError) -> AppStoreSession {
        let reading = CatalogReader.read(path: choice.file)
        guard let catalog = reading.catalog else {
            let problem = reading.errors.first
            throw StoreError(
                .fileUnreadable, subject: reading.path, found: problem?.found,
                expected: problem?.expected, cause: problem.map { "line \($0.line ?? 1)" })
        }
        let folder = choice.store == nil ? try SessionFolder() : nil
        let number = opened.add(1, ordering: .relaxed).oldValue
        let usualDevice: DeviceName
        let storage: StoreConfiguration.Storage
        if let text = choice.store {
            (storage, usualDevice) = try await SessionStore.storage(of: text)
        } else {
            usualDevice = SessionStore.usualDevice
            storage = .ephemeral(
                (folder?.path ?? "") + "/store",
                firstTransactionNumber: StoreLimits.firstTransactionNumber
                    + Int64(number) * transactionsOfSession)
        }
        let name = choice.device ?? usualDevice
        var configuration = StoreConfiguration(
            identity: try AppIdentity(of: catalog, environment: choice.environment),
            storage: storage, catalog: catalog, catalogDigest: reading.sourceDigest,
            catalogSource: reading.source, locale: choice.locale)
        if catalog.hadPrivateKey == true {
            configuration.offerKey = CatalogReader.offerKey(path: reading.path)
        }
        let host = try await StoreHost.open(configuration)
        let device = try await host.device(
            account: choice.account, name: name, locale: choice.locale,
            leavesFinishing: true)
        let store = host.session(
            account: choice.account, device: name, locale: choice.locale)
        let session = AppStoreSession(
            host: host, device: device, store: store, folder: folder, number: number,
            territory: try await store.settings().territory, after: try await store.head())
        try await session.begin()
        return session
    }

    private init(
        host: StoreHost, device: Device, store: any Store, folder: SessionFolder?, number: Int,
        territory: String, after cursor: FeedCursor
    ) {
        let intents = WaitingIntents()
        self.intents = intents
        self.host = host
        self.device = device
        self.store = store
        self.folder = folder
        self.number = number
        self.territory = territory
        console = host.storeOperator
        let board = UpdateBoard<SessionUpdate>()
        self.board = board
        let name = store.device
        feed = UpdateFeed(store: store, device: device, after: cursor) { update in
            intents.note(update)
            board.publish(update, of: number, on: name)
            AppStoreProcess.publish(update, of: number, on: name)
        }
    }

    deinit {
        let closing = closing
        Task { await closing() }
    }

    /// Ends the session now; it is closed by itself otherwise.
    package func close() async { await closing() }

    /// Does not keep the session.
    private var closing: @Sendable () async -> Void {
        return { [feed, board, device, folder] in
            await feed.stop()
            // A reader that is bound to the session would keep it.
            board.finish()
            await device.close()
            // Only now nothing writes into it any more.
            folder?.remove()
        }
    }

    private func begin() async throws(StoreError) {
        try await device.launch()
        intents.begin(with: try await device.promotedPurchases())
        for transaction in try await unfinished() {
            board.publish(.unfinished(transaction), of: number, on: store.device)
        }
        await feed.start()
    }

    /// Carries out an operator's action. What it did is visible to every reader when it returns.
    @discardableResult
    package func perform(_ action: OperatorAction) async throws(StoreError) -> [StoreEvent] {
        let events = try await console.perform(action)
        await feed.catchUp()
        return events
    }

    /// Returns when every reader has been told of all that has happened in the store.
    package func catchUp() async { await feed.catchUp() }

    /// Lets calls that fail with these codes of the store throw other errors in their place, and an
    /// invalid signature have another reason (`Device.reportedReason`).
    package func simulate(
        _ errors: SimulatedErrors, reporting reason: StoreModel.VerificationError? = nil
    ) {
        simulated.withLock { $0 = errors }
        device.reportedReason = reason
    }

    func simulatedError(of call: Fault.Call, _ code: StoreError.Code) -> (any Error)? {
        simulated.withLock { $0[call] }.flatMap { $0.code == code ? $0.error : nil }
    }

    /// The store's time.
    package var now: Timestamp { host.engine.clock.now() }

    package var isClockStopped: Bool { host.engine.clock.state.isStopped }
}

extension Device {
    /// A transaction as the app gets it; nil for a text of which nothing can be read. Runs where it
    /// is called, for the feed on the feed's own thread.
    nonisolated(nonsending) package func verified(_ signed: SignedTransaction) async
        -> VerificationResult<
            Transaction
        >?
    {
        switch await verify(signed) {
        case .verified(let payload): .verified(Transaction(payload, signed: signed))
        case .unverified(let payload, let error):
            (payload ?? TransactionVerifier.readablePayload(of: signed)).map { payload in
                VerificationResult<Transaction>.unverified(
                    Transaction(payload, signed: signed),
                    .init(error == .invalidSignature ? reportedReason ?? error : error))
            }
        }
    }
}
#endif
