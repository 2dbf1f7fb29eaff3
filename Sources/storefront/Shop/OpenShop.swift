import ContentClient
import ContentServer
import Foundation
import Shop
import ShopText
import StoreCatalog
import StoreDevice
import StoreEngine
import StoreHost
import StoreModel
import Synchronization
import Terminal

/// An open store with the objects that exist as long as the shop has it open.
struct OpenShop: Sendable {
    let store: OpenStore
    let device: Device
    let worker: ShopWorker
    let identity: ShopIdentity
    /// The store's time as the device knows it, which may be old without a network.
    var clock: any StoreClock { device.storeClock }
    var isClockStopped: Bool { store.engine.clock.state.isStopped }
    private let mailbox: Mailbox
    private let cancellation: CancellationFlag
    private let answered = AnsweredStore()

    /// Opens the store, and registers the observer before the shop asks anything else, so that no
    /// update is missed. From then on updates go to the mailbox. Fills a demo's store first.
    ///
    /// - Parameter orKnown: as for `GlobalOptions.openForScreen`. The shop goes on with the store
    ///   itself (`ShopAction.storeAnswers`) once its server answers.
    static func open(
        _ options: GlobalOptions, mailbox: Mailbox, demo: DemoStore? = nil, orKnown: Bool = false
    ) async {
        do {
            if let declined = try await demo?.fill() {
                mailbox.put(.opensQuietly(until: declined))
            }
            _ = try await begin(
                options.openForScreen(orKnown: orKnown), mailbox, isDemo: options.isThrowaway)
        } catch {
            mailbox.put(.couldNotOpen(error))
        }
    }

    /// Empties the store, and fills it again if it is a demo's. It is refused while another process
    /// has the store open; then nothing is removed.
    private func empty(_ options: GlobalOptions, fillsDemo: Bool) async {
        do {
            try store.host.empty()
            if fillsDemo, let declined = try await DemoStore(options).fill() {
                mailbox.put(.opensQuietly(until: declined))
            }
        } catch {
            let error = error as? StoreError ?? StoreError(.unknown, cause: "\(error)")
            mailbox.put(.action(.attemptFailed(error)))
        }
    }

    /// Leaves the store, and opens the one that is at its path as soon as there is one, for the
    /// account and on the device that the shop has now.
    ///
    /// - Parameters:
    ///   - empties: whether the store is emptied first; otherwise it was replaced, or its server
    ///     answers again.
    ///   - fillsDemo: whether the emptied store is a demo's, which begins with sales.
    func reopen(_ options: GlobalOptions, empties: Bool, fillsDemo: Bool) async {
        var options = options
        options.account = store.account.rawValue
        options.device = store.deviceName.rawValue
        await leave()
        if empties { await empty(options, fillsDemo: fillsDemo) }
        await begin { [options] in
            if let store = answered.take() { return store }
            return try await options.openForScreen()
        }
    }

    /// Continues as another account or on another device.
    func `continue`(as account: AccountName, on device: DeviceName) async {
        var store = store
        store.account = account
        store.deviceName = device
        await leave()
        await begin { [store] in store }
    }

    private func leave() async {
        cancellation.close()
        await device.close()
    }

    /// Tries to begin with the next store until that succeeds.
    private func begin(with open: () async throws -> OpenStore) async {
        var pause = Self.firstPause
        while true {
            do {
                _ = try await Self.begin(open(), mailbox, isDemo: identity.isDemo)
                return
            } catch {
                let error = error as? StoreError ?? StoreError(.unknown, cause: "\(error)")
                // A store that is replaced during the attempt is opened by the next one.
                if error.code != .storeReplaced { mailbox.put(.action(.attemptFailed(error))) }
            }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, Self.longestPause)
        }
    }

    private static func begin(
        _ store: OpenStore, _ mailbox: Mailbox, isDemo: Bool
    ) async throws -> OpenShop {
        var store = store
        store.host.contentServers = ContentServersInside(
            store.host.contentServerStore, besides: isDemo ? nil : HTTPContentServers())
        let device = try await store.device()
        let cancellation = CancellationFlag()
        do {
            return try await begin(store, device, cancellation, mailbox, isDemo: isDemo)
        } catch {
            // An unused device with the lease would keep other processes from delivering.
            cancellation.close()
            await device.close()
            throw error
        }
    }

    private static func begin(
        _ store: OpenStore, _ device: Device, _ cancellation: CancellationFlag, _ mailbox: Mailbox,
        isDemo: Bool
    ) async throws(StoreError) -> OpenShop {
        let post: @Sendable (ShopAction) -> Void = {
            if cancellation.isOpen { mailbox.put(.action($0)) }
        }
        var server: ShopServer?
        if !store.isCustomers, store.actor == nil { server = try ShopServer(store) }
        let worker = ShopWorker(
            store: store.session, device: device, storeOperator: store.consoleOfShop,
            offerSigner: store.engine, server: server,
            trials: { () async throws(StoreError) -> TrialList in
                try await TrialListFile.forShop(store)
            }, unsafeSettings: { store.host.database?.server.unsafeSettings ?? [] },
            elapsed: ContinuousClock(), post: post,
            ended: {
                mailbox.put(.effectEnded($0))
                // After the product list, so that the list does not wait for the manifests.
                if $0 == .loadProducts { store.makeManifests() }
            })
        let shop = OpenShop(
            store: store, device: device, worker: worker,
            identity: ShopIdentity(
                appName: store.appName ?? Output.strings[.shopName],
                bundleID: store.engine.identity.bundleID,
                environment: store.engine.identity.environment,
                account: store.account, device: store.deviceName, locale: store.locale,
                language: Output.strings.language.code,
                hasConsole: !store.isCustomers, hasServer: server != nil, actor: store.actor,
                isPresenting: store.isPresenting, isDemo: isDemo,
                themes: Set(ThemeName.allCases.compactMap { $0.unlock.map { UnlockID($0) } })),
            mailbox: mailbox, cancellation: cancellation)
        mailbox.put(.ready(shop))
        try await worker.start()
        if !store.host.noticesOtherProcesses { post(.watchingFailed) }
        if let seconds = store.secondsSetBack { post(.clockWasSetBack(seconds: seconds)) }
        if !store.isCustomers, !store.isPresenting,
            let notice = try await CatalogNotice.opened(store)
        {
            post(notice)
        }
        if store.hasCatalogFile { CatalogFollower(store, cancellation, post).start() }
        shop.awaitStore(post)
        return shop
    }

    /// Tries to open a store whose server was away, until that succeeds or the shop has left it.
    private func awaitStore(_ post: @escaping @Sendable (ShopAction) -> Void) {
        guard let openAgain = store.openAgain else { return }
        Task.detached { [store, cancellation, answered] in
            var pause = Self.firstPause
            while cancellation.isOpen {
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, Self.longestPause)
                do {
                    var opened = try await openAgain()
                    opened.account = store.account
                    opened.deviceName = store.deviceName
                    answered.put(opened)
                    return post(.storeAnswers)
                } catch let error as StoreError where error.code == .storeUnreachable {
                } catch {
                    let error = error as? StoreError ?? StoreError(.unknown, cause: "\(error)")
                    post(.attemptFailed(error))
                }
            }
        }
    }

    private static let firstPause = Duration.milliseconds(200)
    private static let longestPause = Duration.seconds(10)
}

/// The store whose server answers again, from when it is open until the shop goes on with it.
private final class AnsweredStore: Sendable {
    private let store = Mutex<OpenStore?>(nil)
    func put(_ opened: OpenStore) { store.withLock { $0 = opened } }
    func take() -> OpenStore? { store.withLock { $0.take() } }
}

/// Closed when the shop leaves a store; from then on actions of that store's worker are dropped.
final class CancellationFlag: Sendable {
    private let state = Atomic(true)
    var isOpen: Bool { state.load(ordering: .relaxed) }
    func close() { state.store(false, ordering: .relaxed) }
}
