import StoreKitTest
import Testing

@Suite(.storeKit(Shop.configuration), .timeLimit(.minutes(1))) @MainActor
struct ObservedStoreTests {
    @Test("a manager publishes what it loads, buys and hears of [H5]")
    func published() async throws {
        let session = try currentSession()
        let store = ObservedStore()
        let (values, continuation) = AsyncStream.makeStream(of: Set<String>.self)
        let cancellable: AnyCancellable = store.$owned.dropFirst().sink { continuation.yield($0) }
        var owned = values.makeAsyncIterator()
        var changes = 0
        let counting = store.objectWillChange.sink { _ in changes += 1 }
        try await store.load()
        #expect(store.products.map(\.id) == [Shop.coins, Shop.theme] && changes == 1)
        try await store.buy(store.products[0])
        #expect(await owned.next() == [Shop.coins])
        let theme = try await session.buyProduct(identifier: Shop.theme)
        #expect(await owned.next() == [Shop.coins, Shop.theme])
        try session.refundTransaction(identifier: UInt(theme.id))
        #expect(await owned.next() == [Shop.coins])
        #expect(changes == 4)
        cancellable.cancel()
        counting.cancel()
        #expect(CombineAPI.pipelines(store).count == 8)
    }
}
