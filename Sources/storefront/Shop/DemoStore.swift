import Foundation
import StoreDevice
import StoreEngine
import StoreModel
import Synchronization

/// Fills a throwaway store through the real engine, so that every state a product can be in is on
/// one screen. Nothing is made up: each state is where a real purchase stands. Two stores that are
/// filled at the same time of their clocks are the same, down to the bytes of each download.
final class DemoStore: Sendable {
    /// How long the shop's own device takes for any package: slow enough to be watched.
    static let secondsPerPackage = 12.0
    /// How much of the paused download is on the device.
    private static let pausedPercent = 37
    /// How much of the download under way is on the device when the shop opens.
    private static let underWayPercent = 41
    /// Between two looks at a download that is about to stand still.
    private static let progressPause = Duration.milliseconds(5)

    private let options: GlobalOptions
    private let payments = Atomic<UInt8>(0)

    init(_ options: GlobalOptions) { self.options = options }

    /// The products for sale, grouped by the state that the demo can show with each.
    private struct Goods {
        var hosted: [Product]
        var embedded: [Product]
        var consumables: [Product]
        var subscriptions: [Product]
        var timed: [Product]

        init(_ products: [Product]) {
            let lasting = products.filter { $0.type == .nonConsumable }
            // A demo has no app's own server.
            hosted = lasting.filter { if case .hosted = $0.delivery { true } else { false } }
            embedded = lasting.filter { $0.delivery == .embedded && $0.price.milliunits > 0 }
            consumables = products.filter { $0.type == .consumable }
            subscriptions = products.filter { $0.type == .autoRenewable }
            timed = products.filter { $0.type == .nonRenewing }
        }
    }

    /// Before the shop opens: owned elsewhere, owned, in the purse, subscribed, waiting, paused,
    /// under way, and last a payment that was declined.
    ///
    /// - Returns: the product of the declined payment. The shop's device hears of it when it opens:
    ///   an attempt that failed is a fact of one open shop, and none of the device's records.
    func fill() async throws -> ProductID? {
        let store = try await options.openForScreen()
        let goods = Goods(try await store.session.products(nil).products)
        // Before this device is registered: from then on it hears of what another one buys.
        try await buyElsewhere(goods, store)
        try await own(goods, store)
        try await waitForApproval(goods, store)
        if goods.hosted.count > 2 {
            try await download(goods.hosted[2], to: Self.pausedPercent, store) { device in
                try await device.pauseDownloads(of: goods.hosted[2].id)
            }
        }
        if goods.hosted.count > 1 {
            try await download(goods.hosted[1], to: Self.underWayPercent, store)
        }
        return try await decline(goods, store)
    }

    // MARK: - Steps

    private func buyElsewhere(_ goods: Goods, _ store: OpenStore) async throws {
        guard goods.embedded.count > 2 else { return }
        let tablet = try await store.device(
            account: store.account, name: "tablet", speed: .unlimited)
        try await tablet.launch()
        try await buy(goods.embedded[1], on: tablet, store)
        try await store.waitUntilIdle(tablet, DeviceWatcher(tablet))
        await tablet.close()
    }

    private func own(_ goods: Goods, _ store: OpenStore) async throws {
        let device = try await store.device(speed: .unlimited)
        try await device.launch()
        let watcher = DeviceWatcher(device)
        let plans = [goods.subscriptions.first, goods.timed.first]
        let lasting = [goods.hosted.first, goods.embedded.last]
        let purchases =
            lasting.map { ($0, 1) } + [(goods.consumables.first, 3)] + plans.map { ($0, 1) }
        for case (let product?, let quantity) in purchases {
            try await buy(product, quantity: quantity, on: device, store)
            // One after the other, so that the store records the same events in the same order.
            try await store.waitUntilIdle(device, watcher)
        }
        await device.close()
    }

    /// One request of this account, one of a child's.
    private func waitForApproval(_ goods: Goods, _ store: OpenStore) async throws {
        if let product = goods.embedded.first {
            try await ask(for: product, store, account: store.account)
        }
        if let product = goods.consumables.last {
            try await ask(for: product, store, account: "kai")
        }
    }

    private func ask(
        for product: Product, _ store: OpenStore, account: AccountName
    ) async throws {
        let console = store.engine.storeOperator
        // The family lives in one territory, and pays its prices.
        _ = try await console.perform(
            .changeAccount(
                AccountChange(
                    account: account, askToBuy: true,
                    territory: try await store.session.settings().territory)))
        let device = try await store.device(
            account: account, name: account == store.account ? store.deviceName : "phone",
            speed: .unlimited)
        try await buy(product, on: device, store)
        await device.close()
        if account == store.account {
            _ = try await console.perform(
                .changeAccount(AccountChange(account: account, askToBuy: false)))
        }
    }

    /// Buys a product, and downloads so much of its packages on a connection that then stands still.
    ///
    /// - Parameter work: what is done to the download then, before the device is closed.
    private func download(
        _ product: Product, to percent: Int, _ store: OpenStore,
        then work: (Device) async throws -> Void = { _ in }
    ) async throws {
        let device = try await store.device(speed: .stopsAt(percent: percent))
        try await device.launch()
        try await buy(product, on: device, store)
        // A device wakes its readers not for every byte, and perhaps not for the last one that came.
        while try await !isThere(percent, of: product, on: device) {
            try await Task.sleep(for: Self.progressPause)
        }
        try await work(device)
        await device.close()
    }

    /// Whether all packages that a device fetches at once are on it so far, or can come no further.
    private func isThere(
        _ percent: Int, of product: Product, on device: Device
    ) async throws -> Bool {
        let packages = try await device.downloads().filter { $0.productID == product.id }
        let there = packages.filter { package in
            package.state.isComplete || package.isStopped
                || package.bytesReceived
                    >= StoppingPacer.bytes(percent: percent, of: package.bytesExpected)
        }
        return !packages.isEmpty
            && there.count >= min(packages.count, DeviceLimits.downloadsAtOnce)
    }

    /// A payment that is declined while nobody observes the device, so that its failure is what the
    /// shop's observer hears first.
    private func decline(_ goods: Goods, _ store: OpenStore) async throws -> ProductID? {
        guard let product = goods.consumables.dropFirst().first else { return nil }
        _ = try await store.engine.storeOperator.perform(
            .failNext(.purchase, error: .paymentDeclined, count: 1))
        let device = try await store.device(speed: .unlimited)
        try await buy(product, on: device, store)
        await device.close()
        return product.id
    }

    private func buy(
        _ product: Product, quantity: Int = 1, on device: Device, _ store: OpenStore
    ) async throws {
        let payment = Payment(
            id: nextPayment(at: store.now), productID: product.id, quantity: quantity,
            shownPrice: product.price)
        _ = try await device.buy(payment)
    }

    /// The next payment's id: the store's time and a number, where other ids are random.
    private func nextPayment(at now: Timestamp) -> PaymentID {
        let number = payments.wrappingAdd(1, ordering: .relaxed).newValue
        let time = (0..<6).map { UInt8(truncatingIfNeeded: now.milliseconds >> (40 - 8 * $0)) }
        return PaymentID(
            UUID(
                uuid: (
                    time[0], time[1], time[2], time[3], time[4], time[5], 0x70, 0, 0x80, 0, 0, 0, 0,
                    0, 0, number
                )))
    }
}
