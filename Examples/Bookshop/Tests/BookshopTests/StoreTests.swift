import Bookshop
import Foundation
import StoreKitTest
import Testing

/// Each test has a store of its own, so they run side by side.
@Suite(.storeKit("Bookshop"), .timeLimit(.minutes(1)))
@MainActor struct StoreTests {
    private let session: SKTestSession
    private let file = TemporaryFile()
    private var wallet: URL { file.url }
    private let store: Store

    init() async throws {
        session = try #require(SKTestSession.current)
        store = Store(walletFile: file.url)
        await store.load()
    }

    private func product(_ id: Product.ID) throws -> Product {
        try #require(store.products.first { $0.id == id })
    }

    @Test("the products are for sale, cheapest first")
    func products() {
        #expect(store.products.first?.id == Goods.coins)
        #expect(Set(store.products.map(\.id)) == Set(Goods.all))
        #expect(store.products.first?.displayPrice == "$0.99")
        #expect(store.products.compactMap(\.term) == ["1 month", "1 year"])
        #expect(store.loadingError == nil)
    }

    @Test("a book that is bought is owned, and its transaction finished")
    func buying() async throws {
        #expect(try await store.buy(product(Goods.lighthouse)))
        #expect(store.owned == [Goods.lighthouse])
        for await unfinished in Transaction.unfinished {
            Issue.record("\(unfinished.unsafePayloadValue.productID) is not finished")
        }
    }

    @Test("coins are granted once, kept in the wallet, and lost by a refund")
    func coins() async throws {
        try await store.buy(product(Goods.coins), options: [.quantity(3)])
        #expect(store.wallet.coins == 30 && store.owned.isEmpty)
        #expect(try store.spendCoin())
        // As after the next launch of the app.
        #expect(Store(walletFile: wallet).wallet.coins == 29)
        let sale = try #require(session.allTransactions().first)
        try session.refundTransaction(identifier: sale.identifier)
        await store.waits { $0.wallet.coins == -1 }
    }

    @Test("what the app was ended before it could deliver comes again, and counts once")
    func unfinished() async throws {
        _ = try await product(Goods.coins).purchase()
        #expect(store.wallet.coins == 0)
        let next = Store(walletFile: wallet)
        await next.load()
        #expect(next.wallet.coins == 10)
        await next.load()
        #expect(next.wallet.coins == 10)
    }

    @Test("what is bought outside the app arrives by itself")
    func outside() async throws {
        try await session.buyProduct(identifier: Goods.harbour)
        await store.waits { $0.owned == [Goods.harbour] }
    }

    @Test("a purchase that waits is delivered when it is approved")
    func askToBuy() async throws {
        session.askToBuyEnabled = true
        #expect(try await !store.buy(product(Goods.harbour)))
        #expect(store.waiting == [Goods.harbour] && store.owned.isEmpty)
        let request = try #require(session.allTransactions().first)
        #expect(request.pendingAskToBuyConfirmation)
        try session.approveAskToBuyTransaction(identifier: request.identifier)
        await store.waits { $0.owned == [Goods.harbour] && $0.waiting.isEmpty }
    }

    @Test("a purchase on another device is here after a restore, too")
    func restoring() async throws {
        try await session.buyProduct(identifier: Goods.lighthouse)
        try await store.restore()
        #expect(store.owned == [Goods.lighthouse])
    }

    @Test("a refund locks the book again")
    func refund() async throws {
        try await store.buy(product(Goods.lighthouse))
        let sale = try #require(session.allTransactions().first)
        try session.refundTransaction(identifier: sale.identifier)
        await store.waits { $0.owned.isEmpty }
    }

    @Test("without a network the customer keeps what is owned")
    func offline() async throws {
        try await store.buy(product(Goods.lighthouse))
        let noNetwork = StoreKitError.networkError(URLError(.notConnectedToInternet))
        try await session.setSimulatedError(.generic(noNetwork), forAPI: .loadProducts)
        let next = Store(walletFile: wallet)
        await next.load()
        #expect(next.products.isEmpty && next.loadingError != nil)
        #expect(next.owned == [Goods.lighthouse])
        try await session.setSimulatedError(nil, forAPI: .loadProducts)
        await next.load()
        #expect(!next.products.isEmpty && next.loadingError == nil)
    }

    @Test("a purchase that fails throws, and one that cannot be verified unlocks nothing")
    func failures() async throws {
        let book = try product(Goods.lighthouse)
        try await session.setSimulatedError(.purchase(.productUnavailable), forAPI: .purchase)
        await #expect(throws: Product.PurchaseError.productUnavailable) {
            try await store.buy(book)
        }
        try await session.setSimulatedError(nil, forAPI: .purchase)
        try await session.setSimulatedError(
            .verification(.invalidSignature), forAPI: .verification)
        await #expect(throws: VerificationResult<Transaction>.VerificationError.self) {
            try await store.buy(book)
        }
        #expect(store.owned.isEmpty)
    }

    @Test("a year of the club is a week for free and twelve months")
    func year() async throws {
        try session.clock.stop()
        let begin = session.clock.now
        try await store.buy(product(Goods.monthly))
        #expect(store.isMember)
        try session.clock.advance(byAdding: .year, value: 1)
        let end = try #require(Calendar.utc.date(byAdding: .year, value: 1, to: begin))
        #expect(session.clock.now == end)
        #expect(session.allTransactions().count == 1 + 12)
        await store.waits { $0.isMember }
    }

    @Test("a renewal that is not paid leaves the club open for a while, then closes it")
    func billing() async throws {
        try session.clock.stop()
        session.billingGracePeriodIsEnabled = true
        session.shouldEnterBillingRetryOnRenewal = true
        try await store.buy(product(Goods.yearly))
        try session.clock.advance(byAdding: .year, value: 1)
        await store.waits { $0.membership?.state == .inGracePeriod }
        #expect(store.isMember)
        try session.clock.advance(byAdding: .month, value: 1)
        await store.waits { $0.membership?.state == .inBillingRetryPeriod }
        #expect(!store.isMember && store.owned.isEmpty)
        let unpaid = try #require(session.allTransactions().last)
        try session.resolveIssueForTransaction(identifier: unpaid.identifier)
        await store.waits { $0.isMember }
    }

    @Test("who ends the club has it until the period is over")
    func ending() async throws {
        try session.clock.stop()
        try await store.buy(product(Goods.yearly))
        let sale = try #require(session.allTransactions().first)
        try session.disableAutoRenewForTransaction(identifier: sale.identifier)
        try session.clock.advance(byAdding: .month, value: 11)
        #expect(store.isMember)
        try session.clock.advance(byAdding: .month, value: 1)
        await store.waits { $0.membership?.state == .expired && !$0.isMember }
    }
}

/// A file of one test.
private final class TemporaryFile: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    deinit { try? FileManager.default.removeItem(at: url) }
}

extension Store {
    /// Returns once the store has become so: an app's own tasks run a moment later.
    func waits(until isSo: (Store) -> Bool) async {
        let (changes, change) = AsyncStream.makeStream(of: Void.self)
        let watching = objectWillChange.sink { _ in change.yield() }
        defer { watching.cancel() }
        if isSo(self) { return }
        for await _ in changes where isSo(self) { return }
    }
}

extension Calendar {
    /// The store's.
    fileprivate static let utc: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
