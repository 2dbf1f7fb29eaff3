import BenchTable
import Foundation
import SQLiteLedger
import StoreCatalog
import StoreDevice
import StoreEngine
import StoreModel
import StoreSigning

/// A durable store in its own folder, opened as the program opens one.
struct BenchStore {
    static let coins = OthersSales.coins
    static let theme = ProductID("bench.theme")
    /// A monthly subscription.
    static let plan = ProductID("bench.plan")
    static let group = SubscriptionGroupID("bench.group")

    let folder: String
    let ledger: SQLiteLedger
    let engine: StoreEngine
    let keys: StoreKeys

    init(
        _ name: String, selling more: [CatalogProduct] = [], contentFolder: String? = nil
    ) async throws {
        folder = BenchFolder.make(name)
        keys = try StoreKeys.open(folder: URL(filePath: folder + "/keys"))
        ledger = try SQLiteLedger(path: folder + "/store.sqlite")
        engine = try await Self.engine(
            on: ledger, keys: keys, selling: more, contentFolder: contentFolder)
    }

    private init(_ folder: String, _ ledger: SQLiteLedger, _ engine: StoreEngine, _ keys: StoreKeys)
    {
        self.folder = folder
        self.ledger = ledger
        self.engine = engine
        self.keys = keys
    }

    /// With empty caches, as another process would open it.
    func reopened() async throws -> BenchStore { try await Self.opened(folder) }

    static func opened(_ folder: String) async throws -> BenchStore {
        let keys = try StoreKeys.open(folder: URL(filePath: folder + "/keys"))
        let ledger = try SQLiteLedger(path: folder + "/store.sqlite")
        return BenchStore(folder, ledger, try await engine(on: ledger, keys: keys), keys)
    }

    static func engine(
        on ledger: SQLiteLedger, keys: StoreKeys, selling more: [CatalogProduct] = [],
        contentFolder: String? = nil
    ) async throws -> StoreEngine {
        try await StoreEngine(
            ledger: ledger, identity: AppIdentity(bundleID: "com.example.bench"), keys: keys,
            clock: SystemClock(), catalog: catalog(more, contentFolder), catalogDigest: "bench",
            homeTerritory: "USA")
    }

    func session(_ account: AccountName = "bench", device: DeviceName = "phone") -> some Store {
        engine.session(account: account, device: device, locale: "en_US")
    }

    func device(_ account: AccountName = "bench", name: DeviceName = "phone") async throws
        -> Device
    {
        try await Device(
            store: session(account, device: name), storeFolder: folder, clock: SystemClock(),
            elapsed: ContinuousClock(),
            pacer: BandwidthPacer(bytesPerSecond: nil, clock: ContinuousClock()))
    }

    /// The work that `prepare` returns, on two stores in turn. One of them has many more entries of
    /// other accounts, and its work may take at most 1.3 times as long.
    static func compare(
        _ what: String, _ few: BenchStore, _ many: BenchStore, _ table: inout Table, times: Int,
        _ prepare: (BenchStore) async throws -> () async throws -> Void
    ) async throws {
        var fewTimes: [Double] = []
        var manyTimes: [Double] = []
        for round in -5..<times {
            let small = try await Measure.seconds(try await prepare(few))
            let large = try await Measure.seconds(try await prepare(many))
            guard round >= 0 else { continue }
            fewTimes.append(small)
            manyTimes.append(large)
        }
        let small = Measure.median(fewTimes) * 1000
        let large = Measure.median(manyTimes) * 1000
        table.add(what, large, small, unit: "ms", ratio: large / small, goal: .atMost(1.3))
    }

    static func payment(_ product: ProductID = coins) -> Payment {
        Payment(
            id: PaymentID.made(at: Date()), productID: product,
            shownPrice: Money(milliunits: 990, currency: "USD"))
    }

    private static func catalog(
        _ more: [CatalogProduct], _ contentFolder: String?
    ) -> Catalog {
        var catalog = Catalog(
            bundleID: "com.example.bench", appName: ["en": "Bench"], defaultLocale: "en_US",
            products: products + more)
        catalog.groups = [.init(id: group, name: ["en": "Plans"])]
        catalog.contentFolder = contentFolder
        return catalog
    }

    private static var products: [CatalogProduct] {
        var coins = product(coins, .consumable, "Coins")
        coins.grant = Grant(unit: "coins", amount: 10)
        var plan = product(plan, .autoRenewable, "Plan")
        plan.subscription = .init(
            groupID: group, level: 1, period: SubscriptionPeriod(unit: .month, value: 1))
        return [coins, plan]
            + (0..<20).map { product(ProductID("\(theme).\($0)"), .nonConsumable, "Theme") }
    }

    static func product(_ id: ProductID, _ type: ProductType, _ name: String) -> CatalogProduct {
        CatalogProduct(
            id: id, type: type, name: ["en": name], prices: .everywhere(milliunits: 990))
    }
}

/// The folders that measurements write to.
enum BenchFolder {
    /// On the disk of the working folder, because /tmp may be in memory.
    private static let root =
        FileManager.default.currentDirectoryPath + "/.build/bench-\(getpid())"

    static func make(_ name: String) -> String {
        let path = root + "/" + name
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
        return path
    }

    static func removeAll() {
        try? FileManager.default.removeItem(atPath: root)
    }
}
