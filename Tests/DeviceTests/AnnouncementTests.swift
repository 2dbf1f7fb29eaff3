import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// What one process does on a device, as the readers in all its processes are told.
@Suite("purchasing and restored, for every reader", .timeLimit(.minutes(10)))
struct AnnouncementTests {
    private let home: Home

    init() async throws { home = try await Home() }

    @Test("that a payment is sent is told once to each process of the device, before its sale [C9]")
    func purchasing() async throws {
        let deliverer = try await home.launch()
        let buyer = try await home.launch()
        let streams = [deliverer.updates(), buyer.updates()]
        let theme = Payment.of(SampleCatalog.theme)
        let first = try #require(try await buyer.buy(theme).number)
        // The same payment again is no other purchase.
        #expect(try await buyer.buy(theme).isPurchased)
        let coins = Payment.of(SampleCatalog.coins)
        let last = try #require(try await deliverer.buy(coins).number)
        for updates in streams {
            var sent: [Payment] = []
            var isSentFirst: Bool?
            for await update in updates {
                if case .announced(.purchasing(let payment)) = update { sent.append(payment) }
                if let id = update.arrived {
                    if id == first { isSentFirst = sent.contains(theme) }
                    if id == last { break }
                }
            }
            #expect(sent == [theme, coins])
            #expect(isSentFirst == true)
        }
    }

    @Test("what a restore delivers is told once to each process, and not by the next restore [C9]")
    func restored() async throws {
        try await home.sell(SampleCatalog.theme, SampleCatalog.pass)
        let watcher = try await home.launch("tablet")
        let restorer = try await home.launch("tablet")
        let streams = [watcher.updates(), restorer.updates()]
        let summary = try await restorer.restore()
        #expect(summary.restored.count == 2)
        _ = try await restorer.restore()
        #expect(try await restorer.buy(.of(SampleCatalog.coins)).isPurchased)
        for updates in streams {
            var restored: [ProductID] = []
            for await update in updates {
                if case .announced(.restored(_, let product)) = update { restored.append(product) }
                if case .announced(.purchasing) = update { break }
            }
            #expect(Set(restored) == [SampleCatalog.theme, SampleCatalog.pass])
            #expect(restored.count == 2)
        }
    }

    @Test("a process that is launched later is not told of what happened before it")
    func later() async throws {
        let first = try await home.launch()
        #expect(try await first.buy(.of(SampleCatalog.theme)).isPurchased)
        let later = try await home.launch()
        let updates = later.updates()
        let coins = Payment.of(SampleCatalog.coins)
        #expect(try await first.buy(coins).isPurchased)
        let told = await updates.first { update -> Payment? in
            if case .announced(.purchasing(let payment)) = update { payment } else { nil }
        }
        #expect(told == coins)
    }
}
