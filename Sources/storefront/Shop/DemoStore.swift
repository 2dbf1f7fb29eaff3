import Foundation
import StoreDevice
import StoreEngine
import StoreModel
import Synchronization

/// Fills a throwaway store by real purchases through the engine, so that one screen shows a product
/// in every state. Two stores that are filled at the same time of their clocks are equal, down to
/// the bytes of each download.
final class DemoStore: Sendable {
    /// How long any package downloads on the shop's device: long enough for a person to watch.
    static let secondsPerPackage = 12.0
    /// The account that buys, if none was named.
    static let customer = "aoi"
    private static let pausedPercent = 37
    private static let underWayPercent = 41
    /// The pause between two reads of a download that is about to stall.
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
            // What the app's own server hands out is left for a person to buy.
            hosted = lasting.filter { if case .hosted = $0.delivery { true } else { false } }
            embedded = lasting.filter { $0.delivery == .embedded && $0.price.milliunits > 0 }
            consumables = products.filter { $0.type == .consumable }
            subscriptions = products.filter { $0.type == .autoRenewable }
            timed = products.filter { $0.type == .nonRenewing }
        }
    }

    /// Brings products into these states before the shop opens: owned on another device, owned, in
    /// the purse, subscribed, waiting for approval, paused, downloading. The last payment is
    /// declined.
    ///
    /// - Returns: the product of the declined payment. The shop's device learns of the failure when
    ///   it opens, because no record of the device keeps a failed attempt.
    func fill() async throws -> ProductID? {
        let store = try await options.openForScreen()
        let goods = Goods(try await store.session.products(nil).products)
        // Before this device is registered, which would then be told of these purchases.
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
        let tablet = try await store.device(name: "tablet", speed: .unlimited)
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

    /// Makes one request of this account, and one of a child's account.
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
        // All members of a family are in one territory and pay its prices.
        _ = try await console.perform(
            .changeAccount(
                AccountChange(
                    account: account, askToBuy: true,
                    territory: try await store.session.settings().territory)))
        let device = try await store.device(
            account: account, name: account == store.account ? nil : "phone",
            speed: .unlimited)
        try await buy(product, on: device, store)
        await device.close()
        if account == store.account {
            _ = try await console.perform(
                .changeAccount(AccountChange(account: account, askToBuy: false)))
        }
    }

    /// Buys a product, and downloads its packages on a simulated network that stalls at this
    /// percentage.
    ///
    /// - Parameter work: a change of the download before the device is closed.
    private func download(
        _ product: Product, to percent: Int, _ store: OpenStore,
        then work: (Device) async throws -> Void = { _ in }
    ) async throws {
        let device = try await store.device(speed: .stopsAt(percent: percent))
        try await device.launch()
        try await buy(product, on: device, store)
        // A device does not wake its readers for every received byte.
        while try await !isThere(percent, of: product, on: device) {
            try await Task.sleep(for: Self.progressPause)
        }
        try await work(device)
        await device.close()
    }

    /// Whether every package under way has reached the percentage, or has stopped.
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

    /// While no device is observed, so that the shop's observer gets the failure first.
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

    /// The store's time and a number, without random bits, so that two demos are equal.
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
