import Bookshop
import StoreKitTest
import XCTest

/// As suites for Xcode are written: the session is the store of the process.
final class StoreTests: XCTestCase {
    private var session: SKTestSession!
    private let wallet = FileManager.default.temporaryDirectory
        .appendingPathComponent("\(UUID()).wallet")

    override func setUpWithError() throws {
        session = try SKTestSession(configurationFileNamed: "Bookshop")
        session.resetToDefaultState()
        session.disableDialogs = true
        session.clearTransactions()
    }

    override func tearDown() {
        session = nil
        try? FileManager.default.removeItem(at: wallet)
        #if os(Linux)
        StoreKitHost.confirmation = .automatic
        #endif
    }

    private func product(_ id: Product.ID) async throws -> Product {
        let products = try await Product.products(for: [id])
        return try XCTUnwrap(products.first)
    }

    @MainActor func testBuying() async throws {
        let store = Store(walletFile: wallet)
        await store.load()
        let isBought = try await store.buy(product(Goods.lighthouse))
        XCTAssertTrue(isBought)
        XCTAssertEqual(store.owned, [Goods.lighthouse])
        XCTAssertEqual(session.allTransactions().map(\.productIdentifier), [Goods.lighthouse])
    }

    /// Of the test before nothing is left.
    @MainActor func testBuyingNothing() async {
        let store = Store(walletFile: wallet)
        await store.load()
        XCTAssertEqual(store.owned, [])
        XCTAssertEqual(session.allTransactions().count, 0)
    }

    #if os(Linux)
    /// Apple's sessions cannot press Cancel.
    @MainActor func testCancelling() async throws {
        StoreKitHost.confirmation = .never
        let store = Store(walletFile: wallet)
        let isBought = try await store.buy(product(Goods.lighthouse))
        XCTAssertFalse(isBought)
        XCTAssertEqual(session.allTransactions().count, 0)
    }
    #endif

    func testAnInterruptedPurchaseIsResolved() async throws {
        session.interruptedPurchasesEnabled = true
        let result = try await product(Goods.harbour).purchase()
        guard case .pending = result else { return XCTFail("\(result)") }
        let transaction = try XCTUnwrap(session.allTransactions().first)
        XCTAssertTrue(transaction.hasPurchaseIssue)
        session.interruptedPurchasesEnabled = false
        try session.resolveIssueForTransaction(identifier: transaction.identifier)
        let latest = await Transaction.latest(for: Goods.harbour)
        XCTAssertNotNil(latest)
    }

    /// A listener of no task's session, as most apps start one: it follows the process's store.
    func testADetachedListener() async throws {
        let heard = expectation(description: "the renewal")
        let listener = Task.detached {
            for await update in Transaction.updates
            where update.unsafePayloadValue.reason == .renewal {
                heard.fulfill()
                return
            }
        }
        _ = try await product(Goods.yearly).purchase()
        try session.forceRenewalOfSubscription(productIdentifier: Goods.yearly)
        await fulfillment(of: [heard], timeout: 10)
        listener.cancel()
    }

    func testASubscriptionExpires() async throws {
        let bought = try await product(Goods.monthly).purchase()
        guard case .success(.verified(let transaction)) = bought else { return XCTFail() }
        XCTAssertEqual(transaction.offer?.type, .introductory)
        try session.expireSubscription(productIdentifier: Goods.monthly)
        let statuses = try await Product.SubscriptionInfo.status(for: Goods.club)
        XCTAssertEqual(statuses.map(\.state), [.expired])
    }
}
