import Foundation
import ShopCore
import ShopText
import StoreCatalog
import StoreDevice
import StoreEngine
import StoreHost
import StoreModel
import Synchronization
import Terminal

/// A store opened for a shop: everything that lives as long as the shop does.
struct OpenShop: Sendable {
    let store: OpenStore
    let device: Device
    let worker: ShopWorker
    let identity: ShopIdentity
    /// The store's time, as far as the device knows it.
    var clock: any StoreClock { device.storeClock }
    /// Whether the store's time stands still.
    var isClockStopped: Bool { store.engine.clock.state.isStopped }
    private let cancellation: CancellationFlag

    /// Opens the store, registers the observer before anything else is asked, and tells the mailbox
    /// all that happens from then on. A demo's store is filled first.
    static func open(
        _ options: GlobalOptions, mailbox: Mailbox, demo: DemoStore? = nil
    ) async {
        do {
            if let declined = try await demo?.fill() {
                mailbox.put(.opensQuietly(until: declined))
            }
            _ = try await tryToOpen(options, mailbox: mailbox)
        } catch {
            mailbox.put(.couldNotOpen(error))
        }
    }

    /// Leaves a store that is no longer there and opens the one that is, as soon as there is one.
    func reopen(_ options: GlobalOptions, mailbox: Mailbox) async {
        cancellation.close()
        await device.close()
        var pause = Duration.milliseconds(200)
        while true {
            do {
                _ = try await Self.tryToOpen(options, mailbox: mailbox)
                return
            } catch {
                let error = error as? StoreError ?? StoreError(.unknown, cause: "\(error)")
                mailbox.put(.action(.attemptFailed(error)))
            }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(10))
        }
    }

    private static func tryToOpen(
        _ options: GlobalOptions, mailbox: Mailbox
    ) async throws -> OpenShop {
        let store = try await options.openForScreen()
        let device = try await store.device()
        let cancellation = CancellationFlag()
        do {
            return try await begin(store, device, cancellation, mailbox)
        } catch {
            // A device that is not used must not keep the delivery to itself.
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
                // After each list, so that the first one does not wait for it.
                if $0 == .loadProducts { store.makeManifests() }
            })
        let catalog = store.catalog.catalog
        let name = catalog?.appName.text(
            for: store.locale, fallback: catalog?.defaultLocale ?? "en")
        let shop = OpenShop(
            store: store, device: device, worker: worker,
            identity: ShopIdentity(
                appName: name ?? Output.strings[.shopName],
                environment: store.engine.identity.environment,
                account: store.account, device: store.deviceName, locale: store.locale,
                language: Output.strings.language.code,
                hasConsole: !store.isCustomers, actor: store.actor,
                isPresenting: store.isPresenting,
                themes: Set(ThemeName.allCases.compactMap { $0.unlock.map { UnlockID($0) } })),
            cancellation: cancellation)
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

/// Closed when the shop leaves a store: actions that its worker still posts are dropped.
final class CancellationFlag: Sendable {
    private let state = Atomic(true)
    var isOpen: Bool { state.load(ordering: .relaxed) }
    func close() { state.store(false, ordering: .relaxed) }
}
