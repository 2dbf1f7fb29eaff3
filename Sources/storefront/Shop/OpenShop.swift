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

    /// Opens the store, and registers the observer before the shop asks anything else, so that no
    /// update is missed. From then on updates go to the mailbox. Fills a demo's store first.
    static func open(
        _ options: GlobalOptions, mailbox: Mailbox, demo: DemoStore? = nil
    ) async {
        do {
            if let declined = try await demo?.fill() {
                mailbox.put(.opensQuietly(until: declined))
            }
            _ = try await begin(options.openForScreen(), mailbox)
        } catch {
            mailbox.put(.couldNotOpen(error))
        }
    }

    /// Leaves a store that was replaced, and opens its successor as soon as that exists.
    func reopen(_ options: GlobalOptions) async {
        var options = options
        options.account = store.account.rawValue
        options.device = store.deviceName.rawValue
        await leave { [options] in
            _ = try await Self.begin(options.openForScreen(), mailbox)
        }
    }

    /// Goes on as another account or on another device.
    func goOn(as account: AccountName, on device: DeviceName) async {
        var store = store
        store.account = account
        store.deviceName = device
        await leave { [store] in _ = try await Self.begin(store, mailbox) }
    }

    /// Closes the device, and tries to open the next one until that succeeds.
    private func leave(_ open: () async throws -> Void) async {
        cancellation.close()
        await device.close()
        var pause = Duration.milliseconds(200)
        while true {
            do {
                try await open()
                return
            } catch {
                let error = error as? StoreError ?? StoreError(.unknown, cause: "\(error)")
                mailbox.put(.action(.attemptFailed(error)))
            }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(10))
        }
    }

    private static func begin(_ store: OpenStore, _ mailbox: Mailbox) async throws -> OpenShop {
        let device = try await store.device()
        let cancellation = CancellationFlag()
        do {
            return try await begin(store, device, cancellation, mailbox)
        } catch {
            // An unused device with the lease would keep other processes from delivering.
            cancellation.close()
            await device.close()
            throw error
        }
    }

    private static func begin(
        _ store: OpenStore, _ device: Device, _ cancellation: CancellationFlag, _ mailbox: Mailbox
    ) async throws(StoreError) -> OpenShop {
        let post: @Sendable (ShopAction) -> Void = {
            if cancellation.isOpen { mailbox.put(.action($0)) }
        }
        let worker = ShopWorker(
            store: store.session, device: device, storeOperator: store.consoleOfShop,
            offerSigner: store.engine, elapsed: ContinuousClock(), post: post,
            ended: {
                mailbox.put(.effectEnded($0))
                // After the product list, so that the list does not wait for the manifests.
                if $0 == .loadProducts { store.makeManifests() }
            })
        let shop = OpenShop(
            store: store, device: device, worker: worker,
            identity: ShopIdentity(
                appName: store.appName ?? Output.strings[.shopName],
                environment: store.engine.identity.environment,
                account: store.account, device: store.deviceName, locale: store.locale,
                language: Output.strings.language.code,
                hasConsole: !store.isCustomers, actor: store.actor,
                isPresenting: store.isPresenting,
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
        CatalogFollower(store, cancellation, post).start()
        return shop
    }
}

/// Closed when the shop leaves a store; from then on actions of that store's worker are dropped.
final class CancellationFlag: Sendable {
    private let state = Atomic(true)
    var isOpen: Bool { state.load(ordering: .relaxed) }
    func close() { state.store(false, ordering: .relaxed) }
}
