import Foundation
import StoreDevice
import StoreEngine
import StoreModel

/// Fills a throwaway store through the real engine, so that every state a product can be in is on
/// one screen. Nothing is made up: each state is where a real purchase stands.
struct DemoStore {
    /// How long the shop's own device takes for any package: slow enough to be watched.
    static let secondsPerPackage = 12.0
    /// While the store is filled: just slow enough for a download to be paused in the middle.
    private static let fillingSeconds = 0.4

    private let options: GlobalOptions

    init(_ options: GlobalOptions) { self.options = options }

    /// What is for sale, by what can be shown with it.
    private struct Shelves {
        var hosted: [Product]
        var embedded: [Product]
        var consumables: [Product]
        var subscriptions: [Product]
        var timed: [Product]

        init(_ products: [Product]) {
            let lasting = products.filter { $0.type == .nonConsumable }
            hosted = lasting.filter { !$0.hostedContent.isEmpty }
            embedded = lasting.filter { $0.delivery == .embedded && $0.price.milliunits > 0 }
            consumables = products.filter { $0.type == .consumable }
            subscriptions = products.filter { $0.type == .autoRenewable }
            timed = products.filter { $0.type == .nonRenewing }
        }
    }

    /// Before the shop opens: owned, in the purse, subscribed, paused, waiting, owned elsewhere, and
    /// one sold just before the connection died, to be delivered when the shop opens.
    func fill() async throws {
        let store = try await options.openForScreen()
        let shelves = Shelves(try await store.session.products(nil).products)
        // Before this device is registered: from then on it hears of what another one buys.
        try await buyElsewhere(shelves, store)
        let device = try await store.device(speed: .secondsPerPackage(Self.fillingSeconds))
        try await device.launch()
        for product in [shelves.hosted.first, shelves.embedded.last].compactMap(\.self) {
            try await buy(product, on: device)
        }
        if let coins = shelves.consumables.first {
            try await buy(coins, quantity: 3, on: device)
        }
        for product in [shelves.subscriptions.dropFirst(2).first, shelves.timed.first] {
            if let product { try await buy(product, on: device) }
        }
        if shelves.hosted.count > 2 { try await pause(shelves.hosted[2], on: device) }
        try await store.waitUntilIdle(device, DeviceWatcher(device))
        await device.close()
        // The observer that would deliver this one is not there any more.
        if shelves.hosted.count > 1 { try await buy(shelves.hosted[1], on: device) }
        try await waitForApproval(shelves, store)
    }

    /// While the shop is on screen: a payment that is declined.
    func fail(in shop: OpenShop) async throws {
        let shelves = Shelves(try await shop.store.session.products(nil).products)
        guard shelves.embedded.count > 1 else { return }
        _ = try await shop.store.engine.storeOperator.perform(
            .failNext(.purchase, error: .paymentDeclined, count: 1))
        try await buy(shelves.embedded[1], on: shop.device)
    }

    // MARK: - Steps

    private func buy(_ product: Product, quantity: Int = 1, on device: Device) async throws {
        let payment = Payment(
            id: PaymentID.made(), productID: product.id, quantity: quantity,
            shownPrice: product.price)
        _ = try await device.buy(payment)
    }

    /// Stops a download in the middle.
    private func pause(_ product: Product, on device: Device) async throws {
        let wakes = device.downloadWakes()
        try await buy(product, on: device)
        for await _ in wakes {
            let rows = try await device.downloads().filter { $0.productID == product.id }
            if rows.contains(where: { $0.progress > 0.3 }) { break }
        }
        try await device.pauseDownloads(of: product.id)
    }

    /// One request of this account, one of a child's.
    private func waitForApproval(_ shelves: Shelves, _ store: OpenStore) async throws {
        let console = store.engine.storeOperator
        if let product = shelves.embedded.first {
            try await ask(for: product, store, account: store.account, console)
        }
        if let product = shelves.consumables.last {
            try await ask(for: product, store, account: "kai", console)
        }
    }

    private func ask(
        for product: Product, _ store: OpenStore, account: AccountName,
        _ console: some StoreOperator
    ) async throws {
        // The family lives in one territory, and pays its prices.
        _ = try await console.perform(
            .changeAccount(
                AccountChange(
                    account: account, askToBuy: true,
                    territory: try await store.session.settings().territory)))
        let device = try await store.device(
            account: account, name: account == store.account ? store.deviceName : "phone",
            speed: .unlimited)
        try await buy(product, on: device)
        await device.close()
        if account == store.account {
            _ = try await console.perform(
                .changeAccount(AccountChange(account: account, askToBuy: false)))
        }
    }

    private func buyElsewhere(_ shelves: Shelves, _ store: OpenStore) async throws {
        guard shelves.embedded.count > 2 else { return }
        let tablet = try await store.device(
            account: store.account, name: "tablet", speed: .unlimited)
        try await tablet.launch()
        try await buy(shelves.embedded[2], on: tablet)
        try await store.waitUntilIdle(tablet, DeviceWatcher(tablet))
        await tablet.close()
    }
}
