import Foundation
import ShopCore
import StoreDevice
import StoreEngine
import StoreModel

/// A store opened for a shop: everything that lives as long as the shop does.
struct OpenShop: Sendable {
    let store: OpenStore
    let device: Device
    let worker: ShopWorker
    let identity: ShopIdentity

    /// Opens the store, registers the observer before anything else is asked, and tells the mailbox
    /// all that happens from then on.
    static func open(_ options: GlobalOptions, mailbox: Mailbox) async {
        do {
            let store = try await options.open(noting: { _ in })
            let device = try await store.device()
            let worker = ShopWorker(
                store: store.session, device: device,
                storeOperator: store.engine.storeOperator, clock: SystemClock(),
                post: { mailbox.put(.action($0)) }, ended: { mailbox.put(.effectEnded) })
            let catalog = store.catalog.catalog
            let name = catalog?.appName.text(
                for: store.locale, fallback: catalog?.defaultLocale ?? "en")
            mailbox.put(
                .ready(
                    OpenShop(
                        store: store, device: device, worker: worker,
                        identity: ShopIdentity(
                            appName: name ?? "Shop",
                            environment: store.engine.identity.environment,
                            account: store.account, device: store.deviceName,
                            locale: store.locale))))
            try await worker.start()
            _ = CatalogFollower(store, mailbox).start()
        } catch { mailbox.put(.couldNotOpen(error)) }
    }
}
