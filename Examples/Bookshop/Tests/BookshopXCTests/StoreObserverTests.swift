import Bookshop
import BookshopOriginal
import StoreKitTest
import XCTest

// Here StoreKit brings it along.
#if canImport(Combine)
import Combine
#endif

/// StoreKit 1: its queue and its callbacks are those of the process.
final class StoreObserverTests: XCTestCase {
    private var session: SKTestSession!
    private var observer: StoreObserver!
    private var folder: URL!
    private var watching: Set<AnyCancellable> = []

    override func setUpWithError() throws {
        session = try SKTestSession(configurationFileNamed: "Bookshop")
        session.disableDialogs = true
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        observer = StoreObserver(library: ContentLibrary(folder: folder))
        SKPaymentQueue.default().add(observer)
    }

    override func tearDown() {
        SKPaymentQueue.default().remove(observer)
        watching = []
        session = nil
        try? FileManager.default.removeItem(at: folder)
        #if os(Linux)
        StoreKitHost.confirmation = .automatic
        #endif
    }

    /// Returns once a property has become so.
    private func wait<Value>(
        for values: Published<Value>.Publisher, toBe isSo: @escaping (Value) -> Bool
    ) {
        let reached = expectation(description: "the change")
        values.first(where: isSo).sink { _ in reached.fulfill() }.store(in: &watching)
        wait(for: [reached], timeout: 10)
    }

    private func product(_ identifier: String) throws -> SKProduct {
        let loader = ProductLoader()
        loader.load([identifier])
        wait(for: loader.$products) { !$0.isEmpty }
        return try XCTUnwrap(loader.product(identifier))
    }

    func testProducts() throws {
        let loader = ProductLoader()
        loader.load(Goods.all + ["bookshop.unknown"])
        wait(for: loader.$products) { !$0.isEmpty }
        XCTAssertEqual(Set(loader.products.map(\.productIdentifier)), Set(Goods.all))
        XCTAssertEqual(loader.invalidIdentifiers, ["bookshop.unknown"])
        let monthly = try XCTUnwrap(loader.product(Goods.monthly))
        XCTAssertEqual(monthly.regularPrice, "$4.99")
        XCTAssertEqual(monthly.introductoryPrice?.paymentMode, .freeTrial)
    }

    func testBuying() throws {
        XCTAssertTrue(observer.isAuthorizedForPayments)
        observer.buy(try product(Goods.lighthouse))
        wait(for: observer.$purchased) { $0 == [Goods.lighthouse] }
        XCTAssertEqual(SKPaymentQueue.default().transactions.count, 0)
        XCTAssertEqual(session.allTransactions().count, 1)
    }

    func testARestore() throws {
        for book in [Goods.lighthouse, Goods.harbour] {
            observer.buy(try product(book))
            wait(for: observer.$purchased) { $0.contains(book) }
        }
        observer.buy(try product(Goods.coins), quantity: 2)
        wait(for: observer.$purchased) { $0.contains(Goods.coins) }
        observer.restore()
        wait(for: observer.$restoredCount) { $0 != nil }
        XCTAssertEqual(observer.restoredCount, 2)
        XCTAssertEqual(SKPaymentQueue.default().transactions.count, 0)
    }

    func testAskToBuy() throws {
        session.askToBuyEnabled = true
        observer.buy(try product(Goods.harbour))
        wait(for: observer.$deferred) { $0 == [Goods.harbour] }
        let request = try XCTUnwrap(session.allTransactions().first)
        try session.approveAskToBuyTransaction(identifier: request.identifier)
        wait(for: observer.$purchased) { $0 == [Goods.harbour] }
        XCTAssertEqual(observer.deferred, [])
    }

    func testAFailure() throws {
        observer.buy(try product(Goods.coins), quantity: 11)
        wait(for: observer.$error) { $0 != nil }
        XCTAssertEqual((observer.error as NSError?)?.domain, SKErrorDomain)
        XCTAssertEqual((observer.error as? SKError)?.code, .paymentInvalid)
        XCTAssertEqual(observer.purchased, [])
        XCTAssertEqual(SKPaymentQueue.default().transactions.count, 0)
    }

    #if os(Linux)
    /// Apple's sessions cannot press Cancel.
    func testCancelling() throws {
        StoreKitHost.confirmation = .never
        observer.buy(try product(Goods.lighthouse))
        wait(for: observer.$cancelled) { $0 == Goods.lighthouse }
        XCTAssertNil(observer.error)
        XCTAssertEqual(observer.purchased, [])
    }
    #endif

    func testARefund() throws {
        observer.buy(try product(Goods.lighthouse))
        wait(for: observer.$purchased) { $0 == [Goods.lighthouse] }
        let sale = try XCTUnwrap(session.allTransactions().first)
        try session.refundTransaction(identifier: sale.identifier)
        wait(for: observer.$purchased) { $0.isEmpty }
    }

    func testTheReceipt() throws {
        observer.buy(try product(Goods.lighthouse))
        wait(for: observer.$purchased) { $0 == [Goods.lighthouse] }
        let refreshed = expectation(description: "a receipt")
        let refresher = ReceiptRefresher { error in
            XCTAssertNil(error)
            refreshed.fulfill()
        }
        refresher.start()
        wait(for: [refreshed], timeout: 10)
        let receipt = try XCTUnwrap(Receipt.read())
        XCTAssertEqual(receipt.inApp.map(\.productId), [Goods.lighthouse])
        XCTAssertNotNil(Receipt.base64)
    }

    /// A `.storekit` file has no hosted content; a catalog has.
    func testDownloads() throws {
        let hosted = try XCTUnwrap(
            Bundle.module.url(forResource: "catalog", withExtension: "json", subdirectory: "Hosted")
        )
        session = try SKTestSession(contentsOf: hosted)
        let atlas = try product("bookshop.atlas")
        XCTAssertTrue(atlas.isDownloadable)
        observer.buy(atlas)
        wait(for: observer.$purchased) { $0 == ["bookshop.atlas"] }
        XCTAssertEqual(observer.progress, ["text": 1, "maps": 1])
        let chapter = folder.appendingPathComponent("text/chapter.txt")
        XCTAssertEqual(
            try String(contentsOf: chapter, encoding: .utf8), "Chapter one: the coast.\n")
        XCTAssertEqual(SKPaymentQueue.default().transactions.count, 0)
    }
}
