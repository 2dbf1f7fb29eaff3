import StoreKitTest
import XCTest

/// The store of the process. One test after the other, as XCTest runs them.
final class ProcessTests: XCTestCase {
    private func open() throws -> SKTestSession {
        try SKTestSession(configurationFileNamed: Shop.configuration)
    }

    private func sell(_ product: Product) async throws -> String {
        ProductAPI.results(try await product.purchase())
    }

    func testNamedConfigurationIsAmongTheResourcesOfTheTests() throws {
        let files = FileManager.default
        let folder = files.currentDirectoryPath
        // Where no folder has the file.
        let elsewhere = files.temporaryDirectory.appending(path: "consumer-\(UUID())")
        try files.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        XCTAssertTrue(files.changeCurrentDirectoryPath(elsewhere.path))
        defer {
            XCTAssertTrue(files.changeCurrentDirectoryPath(folder))
            XCTAssertNoThrow(try files.removeItem(at: elsewhere))
        }
        for name in ["Consumer", "Consumer.storekit"] {
            XCTAssertNoThrow(try SKTestSession(configurationFileNamed: name))
        }
        XCTAssertThrowsError(try SKTestSession(configurationFileNamed: "Nowhere")) { error in
            XCTAssertEqual((error as? SKTestError)?.code, .fileNotFound)
        }
    }

    func testExpectationsAreMetAsOnApplesSystems() async throws {
        let session = try open()
        session.askToBuyEnabled = true
        let approved = expectation(description: "the approved purchase is an update")
        let listener = Task.detached {
            for await case .verified(let transaction) in Transaction.updates
            where transaction.productID == Shop.theme {
                await transaction.finish()
                approved.fulfill()
            }
        }
        let isPending = try await Shop.isPending(Shop.theme)
        XCTAssertTrue(isPending)
        let waiting = try XCTUnwrap(session.allTransactions().first)
        try session.approveAskToBuyTransaction(identifier: waiting.identifier)
        await fulfillment(of: [approved], timeout: 60)
        listener.cancel()
        let owned = try await Shop.list(Transaction.currentEntitlements)
        XCTAssertEqual(owned, [Shop.theme])
    }

    func testDetachedListenerFollowsTheNewestSession() async throws {
        let (products, heard) = AsyncStream.makeStream(of: String.self)
        let listener = Task.detached {
            for await result in Transaction.updates {
                heard.yield(result.unsafePayloadValue.productID)
            }
        }
        var told = products.makeAsyncIterator()
        let first = try open()
        try await first.buyProduct(identifier: Shop.theme)
        let outside = await told.next()
        XCTAssertEqual(outside, Shop.theme)
        var second: SKTestSession? = try open()
        let before = try await Shop.list(Transaction.all)
        XCTAssertEqual(before, [], "nothing of one session is in the next")
        try await second?.buyProduct(identifier: Shop.coins)
        let newest = await told.next()
        XCTAssertEqual(newest, Shop.coins)
        second = nil
        let again = await told.next()
        XCTAssertEqual(again, Shop.theme, "what the older session's app has not finished")
        let after = try await Shop.list(Transaction.all)
        XCTAssertEqual(after, [Shop.theme])
        listener.cancel()
        withExtendedLifetime(first) {}
    }

    func testConfirmationIsTheAppsChoice() async throws {
        let session = try open()
        defer { StoreKitHost.confirmation = .automatic }
        let coins = try await Shop.product(Shop.coins)
        StoreKitHost.confirmation = .never
        let never = try await sell(coins)
        XCTAssertEqual(never, "cancelled")
        let recorder = QueueRecorder()
        SKPaymentQueue.default().add(recorder)
        defer { SKPaymentQueue.default().remove(recorder) }
        SKPaymentQueue.default().add(
            SKPayment(product: try await RequestAnswer.product(Shop.coins)))
        _ = await recorder.next()
        let failed = await recorder.next().transactions.first
        XCTAssertEqual((failed?.error as? SKError)?.code, .paymentCancelled)
        XCTAssertTrue(session.allTransactions().isEmpty)
        StoreKitHost.confirmation = .decided { request in
            request.productID == Shop.coins && request.displayPrice == "$1.98"
        }
        let one = try await sell(coins)
        XCTAssertEqual(one, "cancelled")
        let two = ProductAPI.results(try await coins.purchase(options: [.quantity(2)]))
        XCTAssertEqual(two, "sold")
        StoreKitHost.confirmation = .always
        let always = try await sell(coins)
        XCTAssertEqual(always, "sold")
    }

    func testConfiguredStoreIsTheProcessesWhereNoSessionLives() async throws {
        let file = Bundle.module.bundleURL.appending(path: "Resources/Consumer.storekit")
        StoreKitHost.configure(configuration: file)
        let products = try await Product.products(for: [Shop.coins])
        XCTAssertEqual(products.map(\.displayPrice), ["$0.99"])
        let theme = try await Shop.buy(Shop.theme)
        XCTAssertEqual(theme.environment, .xcode)
        let session = try open()
        let inSession = try await Shop.list(Transaction.currentEntitlements)
        XCTAssertEqual(inSession, [], "a session has priority")
        withExtendedLifetime(session) {}
    }
}
