import StoreKitTest
import Testing

/// Sessions beside each other, each bound to its task.
@Suite(.timeLimit(.minutes(1))) struct SessionOfTaskTests {
    @Test("ten tests at once have each its own store [H3]", arguments: 1...10)
    func bound(_ number: Int) async throws {
        let session = try SKTestSession(configurationFileNamed: Shop.configuration)
        try await StoreKitHost.with(session) {
            #expect(SKTestSession.current === session)
            var updates = Transaction.updates.makeAsyncIterator()
            for _ in 1...number { try await Shop.buy(Shop.coins) }
            let outside = try await session.buyProduct(identifier: Shop.theme)
            #expect(try await updates.next()?.payloadValue.id == outside.id)
            #expect(try await Shop.list(Transaction.unfinished).count == number + 1)
            // A child task and a `Task` in it ask the same session.
            async let child = Shop.list(Transaction.all).count
            let other = Task { try await Shop.list(Transaction.all).count }
            #expect(try await child == number + 1)
            #expect(try await other.value == number + 1)
        }
        #expect(session.allTransactions().count == number + 1)
    }

    @Test("a trait's session is new for each test", .storeKit(Shop.configuration), arguments: 1...3)
    func ofTrait(_ number: Int) async throws {
        let session = try currentSession()
        #expect(session.allTransactions().isEmpty)
        for _ in 1...number { try await Shop.buy(Shop.coins) }
        #expect(session.allTransactions().count == number)
    }
}
